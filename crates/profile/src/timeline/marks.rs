//! Instants.

use std::ops::Range;

use crate::sparse::SparseColumn;
use crate::{LabelSetId, StringId, TextUse, TrackId};

/// An instant with a kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Mark {
    /// The track that it happened on.
    pub track: TrackId,
    /// When, in nanoseconds.
    pub time: i64,
    /// What happened.
    pub kind: StringId,
    /// Its fields.
    pub fields: LabelSetId,
}

/// Marks as columns, by track and time.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Marks {
    /// By track, where its marks start; one more entry than tracks. Empty if there are none.
    starts: Vec<u32>,
    time: Vec<i64>,
    kind: Vec<StringId>,
    fields: SparseColumn<u32>,
}

impl Marks {
    pub(super) fn new(mut marks: Vec<Mark>, tracks: usize) -> Marks {
        let mut all = Marks::default();
        if marks.is_empty() {
            return all;
        }
        marks.sort_by_key(|mark| (mark.track, mark.time));
        all.starts.reserve_exact(tracks + 1);
        for mark in marks {
            // Behind the last one of the tracks before.
            while all.starts.len() <= mark.track.index() {
                all.starts.push(all.time.len() as u32);
            }
            all.fields.push(all.time.len(), mark.fields.0, 0);
            all.time.push(mark.time);
            all.kind.push(mark.kind);
        }
        all.starts.resize(tracks + 1, all.time.len() as u32);
        all
    }

    /// Moves those of a track; times that would leave 64 bits stay at the limit.
    pub(super) fn shift(&mut self, track: TrackId, by: i64) {
        let rows = self.of_track(track);
        self.time[rows].iter_mut().for_each(|time| *time = time.saturating_add(by));
    }

    /// Gives each kind another string.
    pub(crate) fn rewrite(&mut self, rename: &mut impl FnMut(TextUse, &mut StringId)) {
        self.kind.iter_mut().for_each(|kind| rename(TextUse::MarkKind, kind));
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.time.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.time.is_empty()
    }

    /// Those of a track, by time.
    pub fn of_track(&self, track: TrackId) -> Range<usize> {
        rows(&self.starts, track)
    }

    /// A mark of a track.
    pub fn get(&self, track: TrackId, row: usize) -> Mark {
        let fields = LabelSetId(self.fields.get(row).unwrap_or(0));
        Mark { track, time: self.time[row], kind: self.kind[row], fields }
    }

    /// All kinds, as often as they are.
    pub fn kinds(&self) -> impl Iterator<Item = StringId> + '_ {
        self.kind.iter().copied()
    }

    /// All times.
    pub fn times(&self) -> impl Iterator<Item = i64> + '_ {
        self.time.iter().copied()
    }

    pub(super) fn heap_bytes(&self) -> usize {
        self.starts.capacity() * 4
            + self.time.capacity() * 8
            + self.kind.capacity() * 4
            + self.fields.raw.capacity() * 4
    }
}

/// The rows of a track.
pub(super) fn rows(starts: &[u32], track: TrackId) -> Range<usize> {
    match starts.get(track.index()..track.index() + 2) {
        Some(&[start, end]) => start as usize..end as usize,
        _ => 0..0,
    }
}
