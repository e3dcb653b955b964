//! Tracks of samples.

use std::collections::{HashMap, HashSet};

use super::builder::TimelineBuilder;
use super::{Track, TrackKind};
use crate::{MemberId, Points, Process, ProcessId, StringId, Thread, ThreadId, TrackId};

impl TimelineBuilder {
    /// Gives a track to each thread that has points with times and no track yet, in every member, under
    /// the track of its process.
    pub(crate) fn add_tracks_of_samples(
        &mut self,
        points: &Points,
        threads: &[Thread],
        processes: &[Process],
    ) {
        if !points.has_times() {
            return;
        }
        let is_thread = |track: &&Track| track.kind == TrackKind::Thread;
        let known: HashSet<(Option<ThreadId>, MemberId)> = self
            .tracks
            .iter()
            .filter(is_thread)
            .map(|track| (track.thread, track.member))
            .collect();
        let mut missing = HashSet::new();
        let mut last = None;
        for point in (0..points.len()).filter(|&point| points.time(point).is_some()) {
            let key = (points.thread(point), points.member(point));
            if last.replace(key) != Some(key) && !known.contains(&key) {
                missing.insert(key);
            }
        }
        let mut missing: Vec<_> = missing.into_iter().collect();
        missing.sort_unstable_by_key(|(thread, member)| (*member, *thread));
        let mut of_process: HashMap<(ProcessId, MemberId), TrackId> = HashMap::new();
        for (number, track) in self.tracks.iter().enumerate() {
            if let (TrackKind::Process, Some(process)) = (track.kind, track.process) {
                of_process.insert((process, track.member), TrackId(number as u32));
            }
        }
        for (thread, member) in missing {
            let process = thread.and_then(|thread| threads[thread.index()].process);
            let process = process.filter(|process| process.index() < processes.len());
            let parent = process.map(|process| {
                *of_process.entry((process, member)).or_insert_with(|| {
                    let (kind, process) = (TrackKind::Process, Some(process));
                    self.tracks.push(Track { kind, process, member, ..Track::default() });
                    TrackId(self.tracks.len() as u32 - 1)
                })
            });
            let (kind, name) = (TrackKind::Thread, StringId::EMPTY);
            self.track(Track { kind, name, parent, process, thread, member, ..Track::default() });
        }
    }
}
