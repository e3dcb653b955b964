//! What happened when, as lists.

use analysis::{
    Filter, FilterKind, Filtered, Lengths, TrackSummary, counted_times, shown_tracks,
    span_statistics, time_notes, track_summaries,
};
use profile::{MemberId, TrackId, TrackKind};
use protocol::ProtocolError;

use super::{ProfileDocument, ViewOptions, convert};

/// Spans of one name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpanRow {
    /// Name.
    pub name: String,
    /// Source file; may be empty.
    pub file: String,
    /// On lanes, where they may overlap.
    pub is_asynchronous: bool,
    /// How many there are.
    pub count: u64,
    /// How many of them never end. Their time is in no figure.
    pub unfinished: u64,
    /// The sum of their lengths in nanoseconds.
    pub total: i64,
    /// The part of it in which none inside ran; none of asynchronous ones.
    pub self_time: Option<i64>,
    /// Quantiles of their lengths; nothing where none ends.
    pub lengths: Option<Lengths>,
    /// When the longest began, in nanoseconds, and the name of its track, with the recording where there
    /// are several.
    pub longest: (i64, String),
}

/// Instants of one kind.
#[derive(Debug, Clone, PartialEq)]
pub struct MarkRow {
    /// What happened.
    pub kind: String,
    /// How often.
    pub count: u64,
    /// How often in a second of the time that counts, by the clocks of the recordings that have some; none where
    /// that has no length.
    pub per_second: Option<f64>,
    /// On how many tracks.
    pub tracks: u64,
    /// The first and the last time in nanoseconds.
    pub extent: [i64; 2],
}

/// A track.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrackRow {
    /// Its name, with the recording where there are several.
    pub name: String,
    /// What it is of.
    pub kind: TrackKind,
    /// 0 for those under no other one.
    pub depth: u32,
    /// What is on it.
    pub summary: TrackSummary,
}

impl ProfileDocument {
    /// What is to be told of filters: samples that have no time, ranges outside of the recording, labels that
    /// nothing has.
    pub fn filter_notes(&self, options: &ViewOptions) -> Result<Vec<String>, ProtocolError> {
        let may_tell =
            |filter: &Filter| filter.kind.is_of_time() || filter.kind == FilterKind::LabelFocus;
        if !options.filters.iter().any(may_tell) {
            return Ok(vec![]);
        }
        let filtered = self.filtered_by(options).map_err(convert::filter_error)?;
        let notes = time_notes(&filtered, &options.filters).map_err(convert::filter_error)?;
        Ok(notes.iter().map(ToString::to_string).collect())
    }

    /// Spans by name, those of the largest sum first, at most `limit` of them; also how many names
    /// there are.
    pub fn spans_report(
        &self,
        options: &ViewOptions,
        limit: usize,
    ) -> Result<(Vec<SpanRow>, usize), ProtocolError> {
        let filtered = self.filtered_by(options).map_err(convert::filter_error)?;
        let all = span_statistics(&filtered);
        let profile = self.profile();
        let rows = all.iter().take(limit).map(|one| {
            let (row, track) = one.longest;
            SpanRow {
                name: profile.text(one.name).to_owned(),
                file: profile.text(one.file).to_owned(),
                is_asynchronous: one.is_asynchronous,
                count: one.count,
                unfinished: one.unfinished,
                total: one.total,
                self_time: one.self_time,
                lengths: one.lengths,
                longest: (
                    profile.timeline.track_on_axis(track, profile.timeline.spans.begin(row)),
                    self.track_title(track),
                ),
            }
        });
        Ok((rows.collect(), all.len()))
    }

    /// Instants by kind, the most frequent first, at most `limit` of them; also how many kinds there
    /// are.
    pub fn marks_report(
        &self,
        options: &ViewOptions,
        limit: usize,
    ) -> Result<(Vec<MarkRow>, usize), ProtocolError> {
        let filtered = self.filtered_by(options).map_err(convert::filter_error)?;
        let mut all = marks_by_kind(&filtered);
        let count = all.len();
        all.truncate(limit);
        Ok((all, count))
    }

    /// Tracks as they are shown, at most `limit` of them; also how many there are.
    pub fn tracks_report(
        &self,
        options: &ViewOptions,
        limit: usize,
    ) -> Result<(Vec<TrackRow>, usize), ProtocolError> {
        let filtered = self.filtered_by(options).map_err(convert::filter_error)?;
        let summaries = track_summaries(&filtered);
        let shown = shown_tracks(self.profile());
        let rows = shown.iter().take(limit).map(|&(track, depth)| TrackRow {
            name: self.track_title(track),
            kind: self.profile().timeline.tracks[track.index()].kind,
            depth,
            summary: summaries[track.index()],
        });
        Ok((rows.collect(), shown.len()))
    }

    /// How a track is called, and of which recording it is where there are several.
    pub(crate) fn track_title(&self, track: TrackId) -> String {
        let timeline = &self.profile.timeline;
        let name = match timeline.beside(track) {
            Some(base) => format!("{}, {}", self.track_name(base), self.track_name(track)),
            None => self.track_name(track),
        };
        self.of_recording(name, timeline.tracks[track.index()].member)
    }

    /// What is called so in a recording; the recording is named where there are several.
    pub(super) fn of_recording(&self, name: String, member: MemberId) -> String {
        match self.recording(member) {
            Some(of) => format!("{name} of {of}"),
            None => name,
        }
    }

    /// The name of a recording where there are several.
    pub(super) fn recording(&self, member: MemberId) -> Option<&str> {
        let of = self.profile.members.get(member.index());
        of.filter(|_| self.profile.members.len() > 1).map(|of| of.name.as_str())
    }

    /// How a track is called: by its own name, or that of its thread, processor or process.
    pub fn track_name(&self, track: TrackId) -> String {
        let profile = self.profile();
        let track = &profile.timeline.tracks[track.index()];
        match (profile.text(track.name), track.thread, track.cpu, track.process) {
            ("", Some(thread), ..) => profile.thread_name(thread),
            ("", None, Some(cpu), _) => format!("processor {cpu}"),
            ("", None, None, Some(process)) => profile.process_name(process),
            ("", None, None, None) if track.kind == TrackKind::Thread => "all samples".to_owned(),
            ("", None, None, None) => format!("unnamed {}", track.kind.name()),
            (name, ..) => name.to_owned(),
        }
    }
}

/// Instants by kind that the filters keep, the most frequent first.
pub(super) fn marks_by_kind(filtered: &Filtered) -> Vec<MarkRow> {
    let profile = filtered.profile();
    let timeline = &profile.timeline;
    let mut all = std::collections::BTreeMap::<&str, MarkRow>::new();
    // By kind, the recordings that have some.
    let mut of = std::collections::BTreeSet::<(&str, MemberId)>::new();
    for track in (0..timeline.tracks.len() as u32).map(TrackId) {
        let mut seen = std::collections::HashSet::new();
        for row in timeline.marks.of_track(track) {
            let mark = timeline.marks.get(track, row);
            if !filtered.keeps_time(&timeline.tracks[track.index()], mark.time) {
                continue;
            }
            let kind = profile.text(mark.kind);
            of.insert((kind, timeline.tracks[track.index()].member));
            let time = timeline.track_on_axis(track, mark.time);
            let one = all.entry(kind).or_insert_with(|| MarkRow {
                kind: kind.to_owned(),
                count: 0,
                per_second: None,
                tracks: 0,
                extent: [time, time],
            });
            one.count += 1;
            one.tracks += u64::from(seen.insert(mark.kind));
            one.extent = [one.extent[0].min(time), one.extent[1].max(time)];
        }
    }
    let counted = counted_times(filtered);
    let mut all: Vec<MarkRow> = all.into_values().collect();
    for one in &mut all {
        // Recordings have a time each, whatever stands together.
        let own = of.range((&*one.kind, MemberId(0))..=(&*one.kind, MemberId(u32::MAX)));
        let counted = own
            .filter_map(|(_, member)| counted.get(member.index()))
            .fold(0, |sum: i64, one| sum.saturating_add(*one));
        one.per_second = (counted > 0).then(|| one.count as f64 * 1e9 / counted as f64);
    }
    all.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.kind.cmp(&b.kind)));
    all
}
