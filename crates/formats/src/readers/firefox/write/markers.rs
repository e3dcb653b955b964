//! Spans and instants as markers, series as counters.

use std::collections::{BTreeMap, HashSet};

use profile::{
    FrameId, FunctionId, LabelSetId, LabelValue, PointId, Profile, StringId, TrackId, TrackKind,
};
use serde_json::{Map, Value, json};

use super::super::markers::ASYNCHRONOUS;
use super::Thread;
use crate::Warnings;
use crate::time::nesting;
use crate::time::nesting::Step;

/// The kinds of markers: what lasts, in its thread or beside it, and instants.
const SPAN: &str = "Span";
const INSTANT: &str = "Instant";

/// Names that markers have for themselves.
const OWN_KEYS: [&str; 5] = ["type", "startTime", "endTime", "stack", "cause"];

/// What happened only once at a time.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    Instant = 0,
    Interval = 1,
    /// It never ends.
    Begin = 2,
}

/// The columns of a thread's markers.
#[derive(Default)]
pub(super) struct Markers {
    names: Vec<Value>,
    starts: Vec<Value>,
    ends: Vec<Value>,
    phases: Vec<Value>,
    data: Vec<Value>,
}

/// A while on a thread with the same stack, in nanoseconds.
pub(super) struct Stretch {
    pub(super) context: profile::ContextId,
    pub(super) start: i64,
    pub(super) length: i64,
}

/// Milliseconds of a time.
fn milliseconds(time: i64) -> Value {
    (time as f64 / 1e6).into()
}

/// A key as markers may have it.
fn key_of(key: &str) -> String {
    if OWN_KEYS.contains(&key) { format!("argument {key}") } else { key.to_owned() }
}

/// What the page is told of all kinds: a field for each key there is.
pub(super) fn schema(profile: &Profile) -> Value {
    if profile.timeline.spans.is_empty() && profile.timeline.marks.is_empty() {
        return json!([]);
    }
    let mut keys = BTreeMap::<String, bool>::new();
    for label in profile.label_sets.all_labels() {
        let is_number = matches!(label.value, LabelValue::Number(..));
        let known = keys.entry(key_of(profile.text(label.key))).or_insert(true);
        *known &= is_number;
    }
    let field = |(key, &is_number): (&String, &bool)| json!({"key": key, "label": key, "format": if is_number { "integer" } else { "string" }});
    let fields: Vec<Value> = keys.iter().map(field).collect();
    let kind = |name: &str| {
        json!({
            "name": name, "display": ["marker-chart", "marker-table", "timeline-overview"],
            "tooltipLabel": "{marker.name}", "tableLabel": "{marker.name}",
            "chartLabel": "{marker.name}",
            // Under both names that versions have for them.
            "fields": fields, "data": fields,
        })
    };
    json!([kind(SPAN), kind(ASYNCHRONOUS), kind(INSTANT)])
}

/// Which keys are numbers wherever they stand; others are told as texts.
pub(super) fn number_keys(profile: &Profile) -> BTreeMap<profile::StringId, bool> {
    let mut keys = BTreeMap::new();
    for label in profile.label_sets.all_labels() {
        let is_number = matches!(label.value, LabelValue::Number(..));
        *keys.entry(label.key).or_insert(true) &= is_number;
    }
    keys
}

impl Thread<'_> {
    /// Appends what happened on a track.
    pub(super) fn happened(&mut self, track: TrackId, numbers: &BTreeMap<profile::StringId, bool>) {
        let profile = self.profile;
        let timeline = &profile.timeline;
        let is_lane = timeline.tracks[track.index()].kind == TrackKind::Lane;
        let kind = if is_lane { ASYNCHRONOUS } else { SPAN };
        for span in timeline.spans.of_track(track).map(|row| timeline.spans.get(row)) {
            let point = span.point.index();
            let frame = profile.frames_of(profile.points.context[point]).next_back();
            let name = frame.map_or("".into(), |frame| profile.frame_name(FrameId(frame)));
            let name = self.string(&name);
            let labels = [profile.points.labels(point), span.arguments];
            let data = payload(profile, kind, &labels, numbers);
            let phase = if span.is_unfinished { Phase::Begin } else { Phase::Interval };
            self.markers.push(name, [span.begin, span.end()], phase, data);
        }
        for mark in timeline.marks.of_track(track).map(|row| timeline.marks.get(track, row)) {
            let name = self.string(profile.text(mark.kind));
            let data = payload(profile, INSTANT, &[mark.fields], numbers);
            self.markers.push(name, [mark.time; 2], Phase::Instant, data);
        }
    }
}

impl Markers {
    fn push(&mut self, name: usize, [start, end]: [i64; 2], phase: Phase, data: Value) {
        self.names.push(name.into());
        self.starts.push(milliseconds(start));
        self.ends.push(if phase == Phase::Interval { milliseconds(end) } else { Value::Null });
        self.phases.push((phase as u8).into());
        self.data.push(data);
    }

    pub(super) fn finish(self) -> Value {
        let count = self.names.len();
        json!({
            "length": count, "category": vec![0; count], "data": self.data, "endTime": self.ends,
            "name": self.names, "phase": self.phases, "startTime": self.starts,
        })
    }
}

fn payload(
    profile: &Profile,
    kind: &str,
    sets: &[LabelSetId],
    numbers: &BTreeMap<profile::StringId, bool>,
) -> Value {
    let mut data = Map::new();
    data.insert("type".to_owned(), kind.into());
    for label in sets.iter().flat_map(|&set| profile.label_sets.get(set)) {
        let is_number = numbers.get(&label.key).copied().unwrap_or(false);
        let value = match label.value {
            LabelValue::Number(number, _) if is_number => number.into(),
            LabelValue::Number(number, _) => number.to_string().into(),
            LabelValue::Text(text) => profile.text(text).into(),
        };
        data.insert(key_of(profile.text(label.key)), value);
    }
    data.into()
}

/// What a thread's spans did when: stretches between begins and ends, each of one stack.
pub(super) fn stretches(profile: &Profile, track: TrackId) -> Vec<Stretch> {
    let mut told: Vec<Stretch> = vec![];
    let mut open: Vec<usize> = vec![];
    let mut last = 0;
    let context = |row: usize| profile.points.context[profile.timeline.spans.point(row).index()];
    let result = nesting::steps(profile, track, false, &mut |step, now| {
        if let Some(&row) = open.last()
            && now > last
        {
            let (start, length) = (last, now.saturating_sub(last));
            told.push(Stretch { context: context(row), start, length });
        }
        last = now;
        match step {
            // The time of what never ends is that of what is around it.
            Step::Begin { row, .. } if profile.timeline.spans.is_unfinished(row) => {}
            Step::Begin { row, .. } => open.push(row),
            Step::End { row, .. } => {
                if let Some(place) = open.iter().rposition(|&known| known == row) {
                    open.remove(place);
                }
            }
        }
        Ok(())
    });
    debug_assert!(result.is_ok(), "nothing is written");
    told
}

/// The series as counters of their processes; those of threads have them behind their names.
pub(super) fn counters(profile: &Profile, threads: &[(String, usize)]) -> Value {
    let all = profile.timeline.counters.iter().map(|counter| {
        let track = profile.timeline.tracks[counter.track.index()];
        let process = track.process.map(|id| profile.text(profile.processes[id.index()].id));
        let pid = process.filter(|id| !id.is_empty()).unwrap_or("0");
        let main = threads.iter().find(|(of, _)| of == pid).map_or(0, |(_, row)| *row);
        // What is in use is told as what came and went, other values as they are.
        let unit = profile.text(counter.unit);
        let mut last = 0.0;
        let values = counter.values.iter().map(|&value| {
            let before = std::mem::replace(&mut last, value);
            if unit == "bytes" { value - before } else { value }
        });
        let values: Vec<f64> = values.collect();
        let mut name = profile.text(counter.name).to_owned();
        if let Some(thread) = track.thread.filter(|_| track.kind != TrackKind::Process) {
            name = format!("{name} [{}]", profile.thread_name(thread));
        }
        let times: Vec<Value> = counter.times.iter().map(|&time| milliseconds(time)).collect();
        json!({
            "name": name,
            "category": if unit == "bytes" { "Memory" } else { "Other" },
            "description": unit, "pid": pid, "mainThreadIndex": main,
            "samples": {"length": times.len(), "time": times, "count": values},
        })
    });
    all.collect()
}

/// How many functions that spans are of have a place in the source.
fn places_of_spans(profile: &Profile) -> usize {
    let spans = &profile.timeline.spans;
    let points: HashSet<PointId> = (0..spans.len()).map(|row| spans.point(row)).collect();
    let functions = points.into_iter().filter_map(|point| {
        let frame = profile.frames_of(profile.points.context[point.index()]).next_back()?;
        profile.frames.function(FrameId(frame))
    });
    let functions: HashSet<FunctionId> = functions.collect();
    let has_place =
        |function: &&FunctionId| profile.functions.file[function.index()] != StringId::EMPTY;
    functions.iter().filter(has_place).count()
}

/// What of a timeline these profiles do not hold.
pub(in crate::readers::firefox) fn besides(profile: &Profile, losses: &mut Warnings) {
    let timeline = &profile.timeline;
    let mut lose = |count: usize, what: &'static str| {
        if count > 0 {
            losses.add_many(what, count as u64, || what.to_owned());
        }
    };
    lose(timeline.flows.len(), "flows");
    lose(places_of_spans(profile), "source files and lines of spans, which are markers");
    let is_thread = |kind: TrackKind| kind == TrackKind::Thread;
    let others = timeline.tracks.iter().enumerate().filter(|(row, track)| {
        let id = TrackId(*row as u32);
        let is_used =
            !timeline.spans.of_track(id).is_empty() || !timeline.marks.of_track(id).is_empty();
        is_used && !is_thread(track.kind)
    });
    lose(others.count(), "tracks that are not threads, which become some");
    let mut owners = std::collections::HashMap::new();
    let of_threads = timeline.tracks.iter().filter_map(|track| Some((track.thread?, track.member)));
    let shared =
        of_threads.filter(|(thread, member)| owners.entry(*thread).or_insert(*member) != member);
    lose(
        shared.count(),
        "which of several recordings spans are of, on threads of the same identifiers, where spans that overlap are divided",
    );
    let of_threads = timeline.counters.iter().filter(|counter| {
        let track = timeline.tracks[counter.track.index()];
        track.kind != TrackKind::Process && track.thread.is_some()
    });
    lose(of_threads.count(), "counters of threads, which become the process's");
    let mut series = std::collections::HashMap::new();
    let mixed = timeline.counters.iter().filter(|counter| {
        let track = timeline.tracks[counter.track.index()];
        let of = (track.process, counter.name, counter.unit);
        *series.entry(of).or_insert(track.member) != track.member
    });
    lose(mixed.count(), "which of several recordings the values of counters of one name are of");
    let units = timeline.counters.iter().map(|counter| profile.text(counter.unit));
    lose(
        units.filter(|unit| !["", "bytes"].contains(unit)).count(),
        "units of counters besides bytes",
    );
    let fractions = timeline.counters.iter().flat_map(|counter| &counter.values);
    let fractions = fractions.filter(|value| value.fract() != 0.0 || value.abs() > 2f64.powi(53));
    lose(fractions.count(), "last digits of counters, which have six behind the point");
}
