//! Lines, what processors ran, and samples become tracks, spans and points.

use std::collections::{BTreeMap, HashMap};

use profile::{
    Flow, FlowEnd, Label, LabelSetId, LabelValue, Location, LocationId, LocationKind, Mark, Metric,
    MetricId, Place, Points, Profile, ProfileBuilder, Span, StringId, Timing, Track, TrackId,
    TrackKind,
};

use super::super::FORMAT;
use super::ftrace::{Kernel, Switch};
use super::lines::{FlowStep, Key, Lines, OLDER};
use super::samples::Sample;
use super::trace::Trace;
use super::tracks::Tracks;
use super::weights::Weights;
use crate::Warnings;
use crate::time::span_tracks::{Happening, Record, Target};
use crate::time::spans::SpanPoints;
use crate::time::thread_states::THEN;
use crate::time::{span_records, span_tracks, thread_states};

/// The first and the last time.
#[derive(Clone, Copy)]
struct Extent {
    first: i64,
    last: i64,
}

impl Trace {
    pub(super) fn finish(mut self, warnings: &mut Warnings) -> Profile {
        self.heap_samples(warnings);
        let extent = self.extent();
        self.tell_times(extent, warnings);
        let Extent { first: clock, last } = extent;
        let Trace { mut builder, mut lines, kernel, samples, weights, .. } = self;
        let mut tracks = Tracks::default();
        let keys = lines.keys.clone();
        let of_line: Vec<Option<TrackId>> = keys
            .iter()
            .zip(&lines.list)
            .map(|(&key, line)| {
                let is_used = line.is_used || !line.records.is_empty() || !line.marks.is_empty();
                is_used.then(|| tracks.of(key, &lines, &mut builder))
            })
            .collect();
        warn_of_tracks(&lines, warnings);
        let by_track = spans_by_track(&mut lines, &of_line, &mut builder, warnings);
        let has = Has::new(&by_track, &kernel, &samples, &builder);
        let metrics = has.make_metrics(&weights, &mut builder);
        let points = SpanPoints::default();
        let mut filled = Filled { builder, lines, tracks, points, metrics, clock, last };
        filled.push_spans(by_track, warnings);
        filled.push_marks_and_counters(&of_line);
        let steps = std::mem::take(&mut filled.lines.flows);
        flows(steps, &of_line, clock, &mut filled.builder, warnings);
        filled.push_running(kernel, warnings);
        filled.push_samples(&samples, &weights);
        filled.builder.finish()
    }

    fn tell_times(&mut self, Extent { first, last }: Extent, warnings: &mut Warnings) {
        let origin = &mut self.builder.origin;
        FORMAT.name.clone_into(&mut origin.format);
        origin.clock_ns = first;
        origin.time_ns = self.clocks.date(first).unwrap_or(0);
        origin.duration_ns = last.saturating_sub(first);
        if last.checked_sub(first).is_none() {
            warnings.add("range", || {
                "times more than 292 years after the first one are held there".to_owned()
            });
        }
        if self.not_finite > 0 {
            warnings.add_many("not finite", self.not_finite, || {
                "values of counters that are not finite numbers are left out".to_owned()
            });
        }
    }

    fn extent(&self) -> Extent {
        let records = self.lines.list.iter().flat_map(|line| &line.records);
        let records = records.flat_map(|record| {
            let length = match record.happening {
                Happening::Complete(length) => length.max(0),
                _ => 0,
            };
            [record.time, record.time.saturating_add(length)]
        });
        let marks = self.lines.list.iter().flat_map(|line| &line.marks).map(|mark| mark.time);
        let values = self.lines.series.iter().flat_map(|series| &series.values);
        let values = values.map(|&(time, _)| time);
        let flows = self.lines.flows.iter().map(|step| step.time);
        let switches = self.kernel.switches.values().flatten().map(|switch| switch.time);
        let samples = self.samples.iter().filter_map(|sample| sample.time);
        let all = records.chain(marks).chain(values).chain(flows).chain(switches).chain(samples);
        let extent = all.fold(None, |known: Option<Extent>, time| {
            let known = known.unwrap_or(Extent { first: time, last: time });
            Some(Extent { first: known.first.min(time), last: known.last.max(time) })
        });
        extent.unwrap_or(Extent { first: 0, last: 0 })
    }
}

/// What a trace holds.
struct Has {
    spans: bool,
    asynchronous: bool,
    running: bool,
    samples: bool,
    /// Spans are counted: there are some, or nothing else.
    calls: bool,
}

/// Where metrics stand; those of the time of spans and of their number are the first two.
struct MetricPlaces {
    asynchronous: usize,
    running: usize,
    samples: usize,
    /// The first of them.
    weights: usize,
}

impl Has {
    fn new(
        by_track: &BTreeMap<TrackId, Vec<Vec<Record>>>,
        kernel: &Kernel,
        samples: &[Sample],
        builder: &ProfileBuilder,
    ) -> Has {
        let kinds = || by_track.keys().map(|track| builder.timeline.tracks[track.index()].kind);
        let spans = kinds().any(|kind| kind == TrackKind::Thread);
        let asynchronous =
            kinds().any(|kind| !matches!(kind, TrackKind::Thread | TrackKind::Processor));
        let running =
            !kernel.switches.is_empty() || kinds().any(|kind| kind == TrackKind::Processor);
        let calls = spans || asynchronous || running || samples.is_empty();
        let samples = samples.iter().any(|sample| sample.is_counted);
        Has { spans, asynchronous, running, samples, calls }
    }

    fn make_metrics(&self, weights: &Weights, builder: &mut ProfileBuilder) -> MetricPlaces {
        let metric = |name: &str| Metric::new(name, "nanoseconds");
        let mut metrics = vec![];
        if self.calls {
            let calls = Metric { timing: Timing::Begins, ..Metric::new("calls", "count") };
            metrics.extend([metric("time"), calls]);
        }
        let mut add = |wanted: bool, added: Metric| {
            metrics.extend(wanted.then_some(added));
            metrics.len().saturating_sub(1)
        };
        let asynchronous = add(self.asynchronous, metric("asynchronous time"));
        let running = add(self.running, metric("running time"));
        let samples = add(self.samples, Metric::new("samples", "count"));
        let places = MetricPlaces { asynchronous, running, samples, weights: metrics.len() };
        for &(name, unit) in &weights.metrics {
            let metric =
                weight_metric(builder.strings.get(name), builder.strings.get(unit), &metrics);
            metrics.push(metric);
        }
        let default = match self {
            Has { spans: true, .. } => 0,
            Has { asynchronous: true, .. } => places.asynchronous,
            Has { running: true, .. } => places.running,
            _ if !weights.metrics.is_empty() => places.weights,
            _ => places.samples,
        };
        builder.origin.default_metric = MetricId(default as u32);
        builder.points = Points::new(metrics.len());
        builder.metrics = metrics;
        places
    }
}

/// A metric of what samples weigh, called as none before it is.
fn weight_metric(name: &str, unit: &str, known: &[Metric]) -> Metric {
    let is_taken = |name: &str| known.iter().any(|metric| metric.name == name);
    let mut own = name.to_owned();
    let mut number = 1;
    while is_taken(&own) {
        own = match number {
            1 => format!("{name} (samples)"),
            number => format!("{name} (samples {number})"),
        };
        number += 1;
    }
    Metric::new(&own, unit)
}

fn warn_of_tracks(lines: &Lines, warnings: &mut Warnings) {
    let is_unknown = |key: &&Key| match key {
        Key::Track(uuid) => *uuid != 0 && !lines.descriptors.contains_key(uuid),
        _ => false,
    };
    let unknown = lines.keys.iter().filter(is_unknown).count() as u64;
    if unknown > 0 {
        let told = || "tracks that no packet describes".to_owned();
        warnings.add_many("tracks", unknown, told);
    }
}

/// The records of each track, by what nests by itself: threads and processes as one, lanes and processors
/// each line.
fn spans_by_track(
    lines: &mut Lines,
    of_line: &[Option<TrackId>],
    builder: &mut ProfileBuilder,
    warnings: &mut Warnings,
) -> BTreeMap<TrackId, Vec<Vec<Record>>> {
    let mut all = BTreeMap::<TrackId, Vec<Vec<Record>>>::new();
    for (line, track) in lines.list.iter_mut().zip(of_line) {
        let mut records = std::mem::take(&mut line.records);
        if line.does_not_nest {
            begin_once(&mut records, warnings);
        }
        let Some(track) = track.filter(|_| !records.is_empty()) else { continue };
        let stacks = all.entry(track).or_default();
        let kind = builder.timeline.tracks[track.index()].kind;
        let is_one = !matches!(kind, TrackKind::Lane | TrackKind::Processor);
        match stacks.first_mut() {
            Some(known) if is_one => known.extend(records),
            _ => stacks.push(records),
        }
    }
    all
}

/// Leaves out begins of what is open.
fn begin_once(records: &mut Vec<Record>, warnings: &mut Warnings) {
    span_records::sort(records);
    let mut is_open = false;
    let mut repeated = 0;
    records.retain(|record| {
        let is_begin = record.happening == Happening::Begin;
        let is_repeated = is_begin && is_open;
        repeated += u64::from(is_repeated);
        is_open = is_begin || is_open && record.happening != Happening::End;
        !is_repeated
    });
    if repeated > 0 {
        warnings.add_many("begins", repeated, || {
            "begins of asynchronous operations that are open: they are one".to_owned()
        });
    }
}

/// The same place as a region: what is not a thread's own is not a call.
fn region(
    location: LocationId,
    known: &mut HashMap<LocationId, LocationId>,
    builder: &mut ProfileBuilder,
) -> LocationId {
    *known.entry(location).or_insert_with(|| {
        let place = builder.place_of(location);
        builder.location(Location { kind: LocationKind::Region, ..place.0 }, &place.1)
    })
}

/// Each flow goes from one step to the next.
fn flows(
    mut steps: Vec<FlowStep>,
    of_line: &[Option<TrackId>],
    clock: i64,
    builder: &mut ProfileBuilder,
    warnings: &mut Warnings,
) {
    steps.sort_by_key(|step| (step.id, step.time));
    let mut alone = 0;
    let end = |step: &FlowStep| FlowEnd {
        track: of_line[step.line].unwrap_or_default(),
        time: step.time.saturating_sub(clock),
    };
    for way in steps.chunk_by_mut(|one, next| one.id == next.id) {
        // It arrives before it left, by clocks that differ; only the older events say which is which.
        if let [to, from] = way
            && to.id.0 >= OLDER
            && to.is_last
            && !from.is_last
        {
            way.swap(0, 1);
        }
    }
    for way in steps.chunk_by(|one, next| one.id == next.id && !one.is_last) {
        alone += u64::from(way.len() == 1);
        let name = way.first().map_or(StringId::EMPTY, |first| first.name);
        for pair in way.windows(2) {
            builder.timeline.flows.push(Flow { name, from: end(&pair[0]), to: end(&pair[1]) });
        }
    }
    if alone > 0 {
        let told = || "flows that only leave or only arrive are left out".to_owned();
        warnings.add_many("flows", alone, told);
    }
}

/// The profile as it is filled.
struct Filled {
    builder: ProfileBuilder,
    lines: Lines,
    tracks: Tracks,
    points: SpanPoints,
    metrics: MetricPlaces,
    clock: i64,
    last: i64,
}

impl Filled {
    fn push_spans(
        &mut self,
        by_track: BTreeMap<TrackId, Vec<Vec<Record>>>,
        warnings: &mut Warnings,
    ) {
        let (builder, clock) = (&mut self.builder, self.clock);
        let mut regions = HashMap::new();
        for (track, stacks) in by_track {
            let Track { kind, cpu, .. } = builder.timeline.tracks[track.index()];
            let is_thread = kind == TrackKind::Thread;
            let (thread, time_metric) = match kind {
                TrackKind::Processor => (None, self.metrics.running),
                TrackKind::Thread => (Tracks::thread(track, builder), 0),
                _ => (Tracks::thread(track, builder), self.metrics.asynchronous),
            };
            let calls_metric = 1;
            let target = Target { thread, cpu, track, time_metric, calls_metric, clock, end: None };
            for mut records in stacks {
                if !is_thread {
                    let begins = records.iter_mut().filter(|one| one.happening != Happening::End);
                    begins.for_each(|one| {
                        one.begin.location = region(one.begin.location, &mut regions, builder)
                    });
                }
                span_records::sort(&mut records);
                span_tracks::push_points(records, target, &mut self.points, builder, warnings);
            }
        }
    }

    fn push_marks_and_counters(&mut self, of_line: &[Option<TrackId>]) {
        let after = |time: i64| time.saturating_sub(self.clock);
        for (line, track) in self.lines.list.iter_mut().zip(of_line) {
            for mark in std::mem::take(&mut line.marks) {
                let (track, time) = (track.unwrap_or_default(), after(mark.time));
                self.builder.timeline.mark(Mark { track, time, ..mark });
            }
        }
        for series in std::mem::take(&mut self.lines.series) {
            let track = self.tracks.of(series.of, &self.lines, &mut self.builder);
            let counter = self.builder.timeline.counter(track, series.name, series.unit);
            series.values.iter().for_each(|&(time, value)| counter.push(after(time), value));
        }
    }

    fn push_samples(&mut self, samples: &[Sample], weights: &Weights) {
        let mut values = vec![0i64; self.builder.metrics.len()];
        for sample in samples {
            values.fill(0);
            if sample.is_counted {
                values[self.metrics.samples] = 1;
            }
            for &(metric, value) in &weights.values[sample.weights.clone()] {
                let sum = &mut values[self.metrics.weights + metric];
                *sum = sum.saturating_add(value);
            }
            let track = self.tracks.of(sample.key, &self.lines, &mut self.builder);
            let thread = Tracks::thread(track, &mut self.builder);
            self.builder.points.push_point(sample.point(thread, self.clock), &values);
        }
    }

    fn push_running(&mut self, kernel: Kernel, warnings: &mut Warnings) {
        let mut came: HashMap<i64, Vec<(i64, TrackId)>> = HashMap::new();
        let (mut open, mut broken) = (0, 0);
        let mut processors: Vec<(u32, Vec<Switch>)> = kernel.switches.into_iter().collect();
        processors.sort_by_key(|(cpu, _)| *cpu);
        for (cpu, mut switches) in processors {
            switches.sort_by_key(|switch| switch.time);
            let track = self.tracks.of(Key::Processor(cpu), &self.lines, &mut self.builder);
            for (row, switch) in switches.iter().enumerate() {
                let next = switches.get(row + 1);
                broken +=
                    u64::from(next.is_some_and(|next| {
                        next.before.is_some_and(|before| before != switch.next)
                    }));
                if switch.next == 0 {
                    continue;
                }
                came.entry(switch.next).or_default().push((switch.time, track));
                open += u64::from(next.is_none());
                self.span(track, *switch, next);
            }
        }
        if broken > 0 {
            warnings.add_many("switches", broken, || {
                "switches of processors from another thread than the one before them switched to"
                    .to_owned()
            });
        }
        if open > 0 {
            warnings.add_many("running", open, || {
                "what runs on a processor last is ended with the trace".to_owned()
            });
        }
        came.values_mut().for_each(|times| times.sort_unstable());
        let name = self.builder.strings.intern("waking");
        for waking in kernel.wakings {
            let times = came.get(&waking.thread);
            let next = times.and_then(|times| {
                times.get(times.partition_point(|&(time, _)| time < waking.time))
            });
            let Some(&(time, track)) = next else { continue };
            let own = self.tracks.of(Key::Processor(waking.cpu), &self.lines, &mut self.builder);
            let after = |time: i64| time.saturating_sub(self.clock);
            let from = FlowEnd { track: own, time: after(waking.time) };
            let to = FlowEnd { track, time: after(time) };
            self.builder.timeline.flows.push(Flow { name, from, to });
        }
    }

    fn span(&mut self, track: TrackId, switch: Switch, next: Option<&Switch>) {
        let end = next.map_or(self.last, |next| next.time);
        let own = self.tracks.of(Key::Task(switch.next), &self.lines, &mut self.builder);
        let thread = Tracks::thread(own, &mut self.builder);
        let name = match self.builder.strings.get(switch.name) {
            "" => format!("thread {}", switch.next),
            name => name.to_owned(),
        };
        let kind = LocationKind::Region;
        let location = self.builder.place(&Place { function: &name, kind, ..Place::default() });
        let context = self.builder.stack([location]);
        let cpu = self.builder.timeline.tracks[track.index()].cpu;
        let mut arguments = vec![self.number("priority", switch.priority)];
        if let Some(next) = next {
            arguments.push(match thread_states::of_bits(next.state) {
                Some(state) => self.text(THEN, state),
                None => self.number(THEN, next.state),
            });
        }
        let arguments = self.builder.labels.add(&arguments);
        let point =
            self.points.of_processor((thread, cpu, context, LabelSetId(0)), &mut self.builder);
        let length = end.saturating_sub(switch.time);
        let values = self.builder.points.row_mut(point);
        values[self.metrics.running] = values[self.metrics.running].saturating_add(length);
        values[1] += 1;
        let begin = switch.time.saturating_sub(self.clock);
        self.builder
            .timeline
            .spans
            .push(track, Span { begin, length, point, arguments, ..Span::default() });
    }

    fn number(&mut self, key: &str, number: i64) -> Label {
        let key = self.builder.strings.intern(key);
        Label { key, value: LabelValue::Number(number, StringId::EMPTY) }
    }

    fn text(&mut self, key: &str, text: &str) -> Label {
        let [key, text] = [key, text].map(|text| self.builder.strings.intern(text));
        Label { key, value: LabelValue::Text(text) }
    }
}
