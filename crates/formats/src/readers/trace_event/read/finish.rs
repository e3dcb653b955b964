//! Threads, tracks and samples become points.

use std::collections::{BTreeSet, HashMap, HashSet};

use profile::{
    Metric, MetricId, Points, Profile, StringId, ThreadId, Timing, Track, TrackId, TrackKind,
};

use super::happenings::{Happenings, Place};
use super::{Named, Trace};
use crate::Warnings;
use crate::readers::cpuprofile;
use crate::readers::trace_event::samples;
use crate::readers::trace_event::{CHROME, FORMAT};
use crate::span_tracks::{self, Target};
use crate::spans::SpanPoints;

/// The tracks of processes and threads.
struct Tracks(HashMap<Place, TrackId>);

impl Tracks {
    fn of(&self, place: Place) -> TrackId {
        self.0.get(&place).copied().unwrap_or_default()
    }
}

impl Trace {
    pub(super) fn finish(mut self, warnings: &mut Warnings) -> Profile {
        let is_chrome = !self.profiles.is_empty();
        for thread in self.profiles.threads().collect::<Vec<_>>() {
            self.thread_list[thread as usize].is_used = true;
        }
        if is_chrome {
            self.samples.clear();
        }
        let threads = self.make_threads(is_chrome);
        if is_chrome {
            self.others += self.happenings.places().count() as u64;
            self.happenings = Happenings::default();
        }
        let tracks = self.make_tracks(&threads);
        let Trace {
            mut builder,
            thread_list,
            track_list,
            samples,
            happenings,
            frames,
            profiles,
            ..
        } = self;
        let format = if is_chrome { CHROME } else { FORMAT };
        format.name.clone_into(&mut builder.origin.format);
        if is_chrome {
            if self.others > 0 {
                let told = || "other events are not shown".to_owned();
                warnings.add_many("others", self.others, told);
            }
            builder.metrics = cpuprofile::metrics();
            builder.points = Points::new(builder.metrics.len());
            profiles.push_points(&threads, &mut builder, warnings);
            return builder.finish();
        }
        let clock = self.first.unwrap_or(0);
        builder.origin.clock_ns = clock;
        builder.origin.duration_ns = self.end.saturating_sub(clock).max(0);
        if self.end.checked_sub(clock).is_none() {
            warnings.add("range", || {
                "times more than 292 years after the first one are held there".to_owned()
            });
        }
        let metric = |name: &str, unit: &str| Metric {
            name: name.into(),
            unit: unit.into(),
            decimals: 0,
            ..Metric::default()
        };
        let has_spans = thread_list.iter().any(|thread| !thread.records.is_empty());
        let (has_async, has_samples) = (!track_list.is_empty(), !samples.is_empty());
        let calls = Metric { timing: Timing::Begins, ..metric("calls", "count") };
        let mut metrics = vec![];
        if has_spans || has_async || !has_samples {
            metrics = vec![metric("time", "nanoseconds"), calls];
        }
        if has_async {
            metrics.push(metric("asynchronous time", "nanoseconds"));
        }
        let sampled = metrics.len();
        if has_samples {
            let time = if metrics.is_empty() { "time" } else { "sampled time" };
            metrics.push(metric(time, "nanoseconds"));
            metrics.push(metric("samples", "count"));
        }
        builder.origin.default_metric = MetricId(if has_async && !has_spans { 2 } else { 0 });
        builder.points = Points::new(metrics.len());
        builder.metrics = metrics;
        let mut points = SpanPoints::default();
        for (row, thread) in thread_list.into_iter().enumerate() {
            let track = tracks.of(Place::Thread(row as u32));
            let target = Target { thread: threads[row], track, time_metric: 0, clock };
            span_tracks::push_points(thread.records, target, &mut points, &mut builder, warnings);
        }
        for (lane, records) in track_list {
            let (thread, track) = (threads[lane as usize], tracks.of(Place::Thread(lane)));
            let target = Target { thread, track, time_metric: 2, clock };
            span_tracks::push_points(records, target, &mut points, &mut builder, warnings);
        }
        happenings.finish(|place| tracks.of(place), clock, &mut builder, warnings);
        let metrics = (sampled + 1, sampled);
        if has_samples {
            samples::push_points(
                samples,
                &frames,
                &threads,
                metrics,
                clock,
                &mut builder,
                warnings,
            );
        }
        builder.finish()
    }

    /// Makes a track for each process and thread that anything happened on.
    fn make_tracks(&mut self, threads: &[Option<ThreadId>]) -> Tracks {
        let mut has_tracks: HashSet<Place> = self.happenings.places().collect();
        let rows = threads.iter().enumerate().filter(|(_, thread)| thread.is_some());
        has_tracks.extend(rows.map(|(row, _)| Place::Thread(row as u32)));
        let own = has_tracks.iter().map(|place| match place {
            Place::Thread(row) => self.thread_list[*row as usize].process,
            Place::Process(row) => *row,
        });
        let processes: BTreeSet<u32> = own.collect();
        let mut tracks = Tracks(HashMap::new());
        for row in processes {
            let process = &self.process_list[row as usize];
            let pid = self.builder.strings.get(process.id).to_owned();
            let known = self.builder.process(&pid);
            self.builder.processes[known.index()].name = process.name;
            let track = self.builder.timeline.track(Track {
                kind: TrackKind::Process,
                order: process.sort_index,
                process: Some(known),
                ..Track::default()
            });
            tracks.0.insert(Place::Process(row), track);
        }
        for (row, thread) in self.thread_list.iter().enumerate() {
            let place = Place::Thread(row as u32);
            if !has_tracks.contains(&place) {
                continue;
            }
            let known = threads[row];
            let Named { id, name, sort_index } = thread.named;
            let name = if name == StringId::EMPTY { id } else { name };
            let parent = tracks.of(Place::Process(thread.process));
            let track = self.builder.timeline.track(Track {
                kind: if thread.is_lane { TrackKind::Lane } else { TrackKind::Thread },
                name: if known.is_none() { name } else { StringId::EMPTY },
                parent: Some(parent),
                order: sort_index,
                process: self.builder.timeline.tracks[parent.index()].process,
                thread: known,
                ..Track::default()
            });
            tracks.0.insert(place, track);
        }
        tracks
    }

    /// Makes the threads that have points, in the order that the trace wants.
    fn make_threads(&mut self, is_chrome: bool) -> Vec<Option<ThreadId>> {
        let with_profile: Vec<u32> = self.profiles.threads().collect();
        let mut order: Vec<u32> = (0..self.thread_list.len() as u32).collect();
        order.sort_by_key(|&row| {
            let thread = &self.thread_list[row as usize];
            let process = &self.process_list[thread.process as usize];
            (process.sort_index, thread.process, thread.named.sort_index, row)
        });
        let mut made = vec![None; self.thread_list.len()];
        for row in order {
            let thread = &self.thread_list[row as usize];
            if !thread.is_used || (is_chrome && !with_profile.contains(&row)) {
                continue;
            }
            let builder = &mut self.builder;
            let process = &self.process_list[thread.process as usize];
            let pid = builder.strings.get(process.id).to_owned();
            let tid = builder.strings.get(thread.named.id).to_owned();
            let process_id = builder.process(&pid);
            builder.processes[process_id.index()].name = process.name;
            let id = builder.thread(Some(process_id), &tid);
            builder.threads[id.index()].name = thread.named.name;
            made[row as usize] = Some(id);
        }
        made
    }
}
