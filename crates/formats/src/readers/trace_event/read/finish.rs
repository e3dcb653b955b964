//! Threads, tracks and samples become points.

use std::collections::{BTreeSet, HashMap, HashSet};

use profile::{
    Metric, MetricId, Points, Profile, ProfileBuilder, StringId, ThreadId, Timing, Track, TrackId,
    TrackKind,
};

use super::happenings::Place;
use super::trace::{Kinds, Named, Threads, Trace};
use crate::Warnings;
use crate::readers::cpuprofile;
use crate::readers::trace_event::{CHROME, FORMAT, samples};
use crate::time::span_records::Records;
use crate::time::span_tracks;
use crate::time::span_tracks::Target;
use crate::time::spans::SpanPoints;

/// The tracks of processes and threads.
struct Tracks(HashMap<Place, TrackId>);

impl Tracks {
    fn of(&self, place: Place) -> TrackId {
        self.0.get(&place).copied().unwrap_or_default()
    }
}

/// What a trace holds.
#[derive(Clone, Copy)]
struct Has {
    spans: bool,
    asynchronous: bool,
    samples: bool,
    /// Samples have weights of their own.
    weights: bool,
    /// Sampled profiles of DevTools: they are what is shown first.
    profiles: bool,
}

/// The metrics of the time of spans, of asynchronous ones, and of samples; each but the second has
/// one that counts behind it.
#[derive(Default)]
struct Places {
    spans: usize,
    asynchronous: usize,
    samples: usize,
}

impl Has {
    /// Whether there is anything but samples.
    fn has_spans(self) -> bool {
        self.spans || self.asynchronous || self.profiles
    }

    fn make_metrics(self, weights_of: &str, builder: &mut ProfileBuilder) -> Places {
        let time = |name: &str| Metric::new(name, "nanoseconds");
        let begins = |name: &str| Metric { timing: Timing::Begins, ..Metric::new(name, "count") };
        let mut metrics = vec![];
        let mut places = Places::default();
        let names = ["event time", "events", "asynchronous event time"];
        let plain = ["time", "calls", "asynchronous time"];
        let [of_spans, calls, of_asynchronous] = if self.profiles { names } else { plain };
        if self.profiles {
            metrics = cpuprofile::metrics();
        }
        let has_others = self.profiles || self.samples;
        if self.spans || self.asynchronous || !has_others {
            places.spans = metrics.len();
            metrics.extend([time(of_spans), begins(calls)]);
        }
        if self.asynchronous {
            places.asynchronous = metrics.len();
            metrics.push(time(of_asynchronous));
        }
        if self.samples {
            places.samples = metrics.len();
            // A sample lasts until the next one of its thread.
            let name = if metrics.is_empty() { "time" } else { "sampled time" };
            metrics.push(Metric { timing: Timing::Length, ..time(name) });
            metrics.push(Metric::new("samples", "count"));
            let weights_of = if weights_of.is_empty() { "weight" } else { weights_of };
            metrics.extend(self.weights.then(|| Metric::new(weights_of, "")));
        }
        let asynchronous_only = self.asynchronous && !self.spans && !self.profiles;
        let first = match self {
            // What its writer weighed them by.
            _ if self.weights && !self.has_spans() => places.samples + 2,
            _ if asynchronous_only => places.asynchronous,
            _ => 0,
        };
        builder.origin.default_metric = MetricId(first as u32);
        builder.points = Points::new(metrics.len());
        builder.metrics = metrics;
        places
    }
}

impl Trace {
    pub(super) fn finish(mut self, warnings: &mut Warnings) -> Profile {
        for thread in self.profiles.threads().collect::<Vec<_>>() {
            self.threads.list[thread as usize].is_used = true;
        }
        if !self.profiles.is_empty() && !self.sampled.list.is_empty() {
            let count = std::mem::take(&mut self.sampled.list).len() as u64;
            warnings.add_many("others", count, || "other samples are not shown".to_owned());
        }
        self.span_clock(warnings);
        let has = self.has();
        let threads = self.make_threads();
        let tracks = self.make_tracks(&threads);
        let Trace {
            mut builder,
            threads: Threads { list: thread_list, .. },
            track_list,
            sampled,
            happenings,
            profiles,
            kinds: Kinds { begins, .. },
            ..
        } = self;
        let format = if has.profiles { CHROME } else { FORMAT };
        format.name.clone_into(&mut builder.origin.format);
        let clock = builder.origin.clock_ns;
        let Places { spans, asynchronous, samples: first } =
            has.make_metrics(sampled.weights_of.as_deref().unwrap_or_default(), &mut builder);
        if has.profiles {
            profiles.push_points(&threads, clock, &mut builder, warnings);
        }
        let mut points = SpanPoints::default();
        let (time_metric, calls_metric) = (spans, spans + 1);
        for (row, thread) in thread_list.into_iter().enumerate() {
            let track = tracks.of(Place::Thread(row as u32));
            let thread_id = threads[row];
            let target = Target {
                thread: thread_id,
                cpu: None,
                track,
                time_metric,
                calls_metric,
                clock,
                end: thread.end,
            };
            let records = thread.records.in_order(&begins);
            span_tracks::push_points(records, target, &mut points, &mut builder, warnings);
        }
        let ends = ends_of_lanes(&track_list);
        for (lane, records) in track_list {
            let (thread, track) = (threads[lane as usize], tracks.of(Place::Thread(lane)));
            let end = ends.get(&lane).copied();
            let time_metric = asynchronous;
            let target = Target { thread, cpu: None, track, time_metric, calls_metric, clock, end };
            let records = records.in_order(&begins);
            span_tracks::push_points(records, target, &mut points, &mut builder, warnings);
        }
        happenings.finish(|place| tracks.of(place), clock, &mut builder, warnings);
        let weight = has.weights.then_some(first + 2);
        let metrics = samples::Places { time: first, count: first + 1, weight };
        if has.samples {
            samples::push_points(sampled, &threads, metrics, clock, &mut builder, warnings);
        }
        builder.finish()
    }

    fn has(&self) -> Has {
        let samples = &self.sampled.list;
        let is_one = self.sampled.weights_of.as_deref() == Some("samples");
        Has {
            spans: self.threads.list.iter().any(|thread| !thread.records.is_empty()),
            asynchronous: !self.track_list.is_empty(),
            samples: !samples.is_empty(),
            weights: !is_one && samples.iter().any(|sample| sample.weight != 1),
            profiles: !self.profiles.is_empty(),
        }
    }

    /// Finds where the time begins, and how long it lasts.
    fn span_clock(&mut self, warnings: &mut Warnings) {
        let events = self.first.map(|first| [first, self.end]);
        let all = events.into_iter().chain(self.profiles.settle(events, warnings));
        let extent = all.reduce(|[first, last], [start, end]| [first.min(start), last.max(end)]);
        let [clock, end] = extent.unwrap_or([0, self.end]);
        let origin = &mut self.builder.origin;
        origin.clock_ns = clock;
        origin.duration_ns = end.saturating_sub(clock).max(0);
        if end.checked_sub(clock).is_none() {
            warnings.add("range", || {
                "times more than 292 years after the first one are held there".to_owned()
            });
        }
    }

    /// Makes a track for each process and thread that anything happened on.
    fn make_tracks(&mut self, threads: &[Option<ThreadId>]) -> Tracks {
        let mut has_tracks: HashSet<Place> = self.happenings.places().collect();
        let rows = threads.iter().enumerate().filter(|(_, thread)| thread.is_some());
        has_tracks.extend(rows.map(|(row, _)| Place::Thread(row as u32)));
        let own = has_tracks.iter().map(|place| match place {
            Place::Thread(row) => self.threads.list[*row as usize].process,
            Place::Process(row) => *row,
        });
        let processes: BTreeSet<u32> = own.collect();
        let mut tracks = Tracks(HashMap::new());
        for row in processes {
            let process = &self.threads.processes[row as usize];
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
        for (row, thread) in self.threads.list.iter().enumerate() {
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
    fn make_threads(&mut self) -> Vec<Option<ThreadId>> {
        let mut order: Vec<u32> = (0..self.threads.list.len() as u32).collect();
        order.sort_by_key(|&row| {
            let thread = &self.threads.list[row as usize];
            let process = &self.threads.processes[thread.process as usize];
            (process.sort_index, thread.process, thread.named.sort_index, row)
        });
        let mut made = vec![None; self.threads.list.len()];
        for row in order {
            let thread = &self.threads.list[row as usize];
            if !thread.is_used {
                continue;
            }
            let builder = &mut self.builder;
            let process = &self.threads.processes[thread.process as usize];
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

/// When the last of the spans of each lane ends.
fn ends_of_lanes(tracks: &[(u32, Records)]) -> HashMap<u32, i64> {
    let mut ends: HashMap<u32, i64> = HashMap::new();
    for (lane, records) in tracks {
        let end = records.end_of_all().unwrap_or(i64::MIN);
        ends.entry(*lane).and_modify(|known| *known = end.max(*known)).or_insert(end);
    }
    ends
}
