//! What happened when is the same behind our writers and readers.

use formats::{ReadOptions, Source, format_named};
use profile::{LabelSetId, LabelValue, PointId, Profile, TrackId, TrackKind};
use proptest::prelude::*;

use crate::measured::{both, sample};
use crate::samples;
use crate::timeline::name_of;
use crate::timeline_made::{made, plan};

pub(crate) fn written(format: &str, profile: &Profile) -> Vec<u8> {
    let mut bytes = vec![];
    format_named(format).unwrap().write(profile, &mut bytes).unwrap();
    bytes
}

pub(crate) fn read(bytes: &[u8]) -> (Profile, Vec<String>) {
    let source = Source { bytes: Box::new(bytes), file_name: "" };
    let opened = formats::read(source, &ReadOptions::default()).unwrap();
    assert_eq!(opened.profile.check(), []);
    let all_events = opened.warnings.iter().map(|warning| warning.message.clone()).collect();
    (opened.profile, all_events)
}

fn losses(format: &str, profile: &Profile) -> Vec<String> {
    let losses = format_named(format).unwrap().losses(profile);
    losses.iter().map(|loss| loss.message.clone()).collect()
}

fn labels(profile: &Profile, set: LabelSetId) -> Vec<String> {
    let all_events = profile.label_sets.get(set).map(|label| {
        let value = match label.value {
            LabelValue::Text(text) => format!("{:?}", profile.text(text)),
            LabelValue::Number(number, unit) => format!("{number} {}", profile.text(unit)),
        };
        format!("{}={value}", profile.text(label.key))
    });
    all_events.collect()
}

/// A track with those that it stands under.
fn track_path(profile: &Profile, track: TrackId) -> String {
    let own = profile.timeline.tracks[track.index()];
    let name = match (own.thread, own.process) {
        (Some(thread), _) => profile.thread_name(thread),
        (None, Some(process)) if own.kind == TrackKind::Process => profile.process_name(process),
        _ => profile.text(own.name).to_owned(),
    };
    let around = own.parent.map_or(String::new(), |parent| track_path(profile, parent));
    format!("{around}/{} {name} at {}", own.kind.name(), own.order)
}

/// Frames from the root on, with their places.
fn stack(profile: &Profile, point: PointId) -> String {
    let context = profile.points.context[point.index()];
    let mut path: Vec<_> =
        std::iter::successors(Some(context), |&at| profile.contexts.parent(at)).collect();
    path.reverse();
    let frames = path.into_iter().flat_map(|at| profile.frames_of(at)).map(profile::FrameId);
    let places = frames.map(|frame| {
        let row = frame.index();
        let (line, column) = (profile.frames.line[row], profile.frames.column[row]);
        let kind = profile.locations.kind[profile.frames.location[row].index()];
        let file = profile.frame_file(frame);
        format!("{} {file}:{line}:{column} {kind:?}", profile.frame_name(frame))
    });
    places.collect::<Vec<_>>().join(" > ")
}

/// Everything that happened, in an order that does not depend on the file's.
pub(crate) fn all_events(profile: &Profile) -> Vec<String> {
    let timeline = &profile.timeline;
    let clock = i128::from(profile.origin.clock_ns);
    let at = |time: i64| clock + i128::from(time);
    let mut all = vec![];
    for track in (0..timeline.tracks.len() as u32).map(TrackId) {
        let path = track_path(profile, track);
        let rows = timeline.spans.of_track(track).map(|row| timeline.spans.get(row));
        for span in rows {
            let point = profile.points.get(span.point.index());
            let thread = point.thread.map(|thread| profile.thread_name(thread));
            let (own, arguments) = (labels(profile, point.labels), labels(profile, span.arguments));
            let stack = stack(profile, span.point);
            let begin = at(span.begin);
            // What never ends is drawn as far as its track goes.
            let length =
                if span.is_unfinished { "…".to_owned() } else { span.length.to_string() };
            all.push(format!(
                "{path}: span {begin} +{length} {stack} {own:?} {arguments:?} {thread:?}"
            ));
        }
        for mark in timeline.marks.of_track(track).map(|row| timeline.marks.get(track, row)) {
            let (kind, fields) = (profile.text(mark.kind), labels(profile, mark.fields));
            all.push(format!("{path}: mark {} {kind} {fields:?}", at(mark.time)));
        }
    }
    for counter in &timeline.counters {
        let path = track_path(profile, counter.track);
        let (name, unit) = (profile.text(counter.name), profile.text(counter.unit));
        for (&time, value) in counter.times.iter().zip(&counter.values) {
            all.push(format!("{path}: counter {name} [{unit}] {} {value:?}", at(time)));
        }
    }
    for flow in &timeline.flows {
        let end = |end: profile::FlowEnd| (track_path(profile, end.track), at(end.time));
        let name = profile.text(flow.name);
        all.push(format!("flow {name} {:?} {:?}", end(flow.from), end(flow.to)));
    }
    all.sort();
    all
}

/// Values of all metrics by stack, labels and thread.
fn values(profile: &Profile) -> std::collections::BTreeMap<String, i128> {
    let mut sums = std::collections::BTreeMap::new();
    for row in 0..profile.points.len() {
        let point = profile.points.get(row);
        let thread = point.thread.map(|thread| profile.thread_name(thread));
        let (stack, labels) = (stack(profile, PointId(row as u32)), labels(profile, point.labels));
        let time = point.time.map(|time| i128::from(profile.origin.clock_ns) + i128::from(time));
        for (metric, &value) in profile.metrics.iter().zip(profile.points.row(row)) {
            let name = &metric.name;
            let key = format!("{name} {thread:?} {time:?} {:?} {stack} {labels:?}", point.cpu);
            *sums.entry(key).or_default() += i128::from(value);
        }
    }
    sums.retain(|_, value| *value != 0);
    sums
}

fn same(format: &str, first: &Profile, path: &str) {
    let bytes = written(format, first);
    let (again, warnings) = read(&bytes);
    // What is wrong with it stays so.
    let spans = &first.timeline.spans;
    let has_unfinished = (0..spans.len()).any(|row| spans.is_unfinished(row));
    let overlaps = (0..first.timeline.tracks.len() as u32)
        .any(|track| first.timeline.beside(TrackId(track)).is_some());
    let expected = [(has_unfinished, "never end"), (overlaps, "overlap")];
    let expected: Vec<_> = expected.iter().filter(|(is, _)| *is).map(|(_, word)| *word).collect();
    assert_eq!(warnings.len(), expected.len(), "{path}: {warnings:?}");
    assert!(
        warnings.iter().zip(expected).all(|(all_events, word)| all_events.contains(word)),
        "{path}"
    );
    let (found, expected) = (all_events(&again), all_events(first));
    for (found, expected) in found.iter().zip(&expected) {
        assert_eq!(found, expected, "{path}");
    }
    assert_eq!(found.len(), expected.len(), "{path}");
    let (found, expected) = (values(&again), values(first));
    for ((key, value), (found_key, found)) in expected.iter().zip(&found) {
        assert_eq!((found_key, found), (key, value), "{path}");
    }
    assert_eq!(found.len(), expected.len(), "{path}");
    // What was read of it is written the same.
    assert!(written(format, &again) == bytes || all_events(&again) == all_events(first), "{path}");
}

/// What is said where spans of operations on one lane are called in the same names: which of two operations one
/// belongs to is not always to be had by going through them once.
const MISPLACED: &str = "what spans stand in, where their times do not say it";

/// The same, or where lines of a lane cannot be told apart, that told, and every span and sum there.
fn same_but_for_lines(format: &str, first: &Profile) {
    let lost = losses(format, first);
    if lost.is_empty() {
        return same(format, first, "made");
    }
    assert_eq!(lost, [MISPLACED]);
    let lanes: Vec<TrackId> = (0..first.timeline.tracks.len() as u32)
        .map(TrackId)
        .filter(|track| first.timeline.tracks[track.index()].kind == TrackKind::Lane)
        .collect();
    let spans = &first.timeline.spans;
    let begins_inside = |track: &TrackId| {
        let rows = spans.of_track(*track);
        rows.clone().zip(rows.skip(1)).any(|(row, next)| spans.begin(next) < spans.get(row).end())
    };
    assert!(lanes.iter().any(begins_inside), "spans of one lane at once");
    let (again, warnings) = read(&written(format, first));
    assert_eq!(warnings, Vec::<String>::new());
    let all = |profile: &Profile| {
        let spans = &profile.timeline.spans;
        let mut all: Vec<_> = (0..spans.len())
            .map(|row| {
                let context = profile.points.context[spans.point(row).index()];
                let frame = profile.frames_of(context).next_back().map(profile::FrameId);
                let begin = i128::from(profile.origin.clock_ns) + i128::from(spans.begin(row));
                (
                    begin,
                    spans.length(row),
                    frame.map(|frame| profile.frame_name(frame).into_owned()),
                )
            })
            .collect();
        all.sort();
        all
    };
    assert_eq!(all(&again), all(first));
}

#[test]
fn traces_are_the_same_behind_trace_event() {
    let mut seen = 0;
    let traces = samples::profiles()
        .filter(|(_, profile)| profile.origin.format == "trace-event")
        .map(|(path, profile)| (path.display().to_string(), profile));
    let corpus = [
        "trace-event/invalid-x-nesting.json",
        "trace-event/matching-x.json",
        "trace-event/mismatched-name.json",
        "trace-event/multiprocess.json",
        "trace-event/not-enough-end-events.json",
        "trace-event/out-of-order.json",
        "trace-event/simple-object.json",
        "trace-event/simple-partial-trailing-comma.json",
        "trace-event/simple-partial.json",
        "trace-event/simple-with-samples.json",
        "trace-event/simple.json",
        "trace-event/too-many-end-events.json",
        "trace-event/unbalanced-name.json",
        "trace-event/zero-duration-events.json",
        "python/recurse.viztracer.json",
    ];
    let corpus = both(&[], &corpus).map(|(path, bytes)| (path.to_owned(), read(&bytes).0));
    for (path, first) in traces.chain(corpus) {
        let lost = losses("trace-event", &first);
        let lost: Vec<_> = lost.iter().map(String::as_str).collect();
        let facts = formats::Feature::Origin.name();
        assert!(lost.iter().all(|lost| [MISPLACED, facts].contains(lost)), "{path}: {lost:?}");
        if !lost.contains(&MISPLACED) {
            same("trace-event", &first, &path);
            seen += 1;
        }
    }
    assert!(seen >= 4, "{seen}");
}

proptest! {
    #[test]
    fn any_timeline_is_the_same_behind_trace_event(
        plan in plan(),
        start in prop_oneof![Just(0), -5000..5000i64, Just(1 << 60), Just(-(1 << 60))],
    ) {
        let first = made(&plan, start);
        prop_assert_eq!(first.check(), []);
        same_but_for_lines("trace-event", &first);
    }
}

/// What stands in the file, as viewers and the format's description have it.
#[test]
fn what_is_written_is_what_viewers_expect() {
    let source = r#"[
        {"ph":"M","pid":1,"tid":2,"name":"thread_name","args":{"name":"main"}},
        {"ph":"M","pid":1,"name":"process_sort_index","args":{"sort_index":-4}},
        {"ph":"X","pid":1,"tid":2,"ts":-5.001,"dur":10.25,"name":"run","cat":"a,b","args":{"n":3,"filename":"x.py","line":7}},
        {"ph":"X","pid":1,"tid":2,"ts":-5,"dur":2,"name":"in"},
        {"ph":"B","pid":1,"tid":3,"ts":4,"name":"all"},{"ph":"B","pid":1,"tid":3,"ts":9,"name":"last"},
        {"ph":"E","pid":1,"tid":3,"ts":9},{"ph":"E","pid":1,"tid":3,"ts":9},
        {"ph":"b","pid":1,"tid":2,"ts":1,"name":"get","cat":"net","id":"a"},
        {"ph":"b","pid":1,"tid":2,"ts":2,"name":"get","cat":"net","id":"b"},
        {"ph":"e","pid":1,"tid":2,"ts":3,"name":"get","cat":"net","id":"a"},
        {"ph":"e","pid":1,"tid":2,"ts":4,"name":"get","cat":"net","id":"b"},
        {"ph":"n","pid":1,"tid":2,"ts":2.5,"name":"redirect","cat":"net","id":"a"},
        {"ph":"i","pid":1,"tid":2,"ts":0,"name":"tick","s":"t"},
        {"ph":"i","pid":1,"ts":0,"name":"gc","s":"p"},
        {"ph":"C","pid":1,"ts":1,"name":"heap","args":{"value (bytes)":2.5}},
        {"ph":"s","pid":1,"tid":2,"ts":1,"name":"wake","cat":"f","id":1},
        {"ph":"f","pid":1,"tid":3,"ts":5,"name":"wake","cat":"f","id":1,"bp":"e"}]"#;
    let (first, all_events) = read(source.as_bytes());
    assert_eq!(all_events, Vec::<String>::new());
    let counter = &first.timeline.counters[0];
    assert_eq!((first.text(counter.name), first.text(counter.unit)), ("heap", "bytes"));
    let text = String::from_utf8(written("trace-event", &first)).unwrap();
    let lines: Vec<&str> = text.lines().map(|line| line.trim_end_matches(',')).collect();
    let expected = [
        r#"{"displayTimeUnit":"ns","traceEvents":["#,
        r#"{"ph":"M","pid":1,"name":"process_sort_index","args":{"sort_index":-4}}"#,
        r#"{"ph":"M","pid":1,"tid":2,"name":"thread_name","args":{"name":"main"}}"#,
        r#"{"ph":"M","pid":1,"tid":2,"name":"thread_sort_index","args":{"sort_index":0}}"#,
        r#"{"ph":"M","pid":1,"tid":3,"name":"thread_sort_index","args":{"sort_index":0}}"#,
        r#"{"ph":"i","pid":1,"ts":0,"name":"gc","s":"p"}"#,
        r#"{"ph":"X","pid":1,"tid":2,"ts":-5.001,"name":"run","cat":"a,b","dur":10.25,"args":{"filename":"x.py","line":7,"n":3}}"#,
        r#"{"ph":"X","pid":1,"tid":2,"ts":-5,"name":"in","dur":2}"#,
        r#"{"ph":"i","pid":1,"tid":2,"ts":0,"name":"tick","s":"t"}"#,
        r#"{"ph":"B","pid":1,"tid":3,"ts":4,"name":"all"}"#,
        r#"{"ph":"B","pid":1,"tid":3,"ts":9,"name":"last"}"#,
        r#"{"ph":"E","pid":1,"tid":3,"ts":9,"name":"last"}"#,
        r#"{"ph":"E","pid":1,"tid":3,"ts":9,"name":"all"}"#,
        r#"{"ph":"b","pid":1,"tid":"asynchronous: net","ts":1,"name":"get","cat":"net","id":"0x300000001"}"#,
        r#"{"ph":"b","pid":1,"tid":"asynchronous: net","ts":2,"name":"get","cat":"net","id":"0x300000002"}"#,
        r#"{"ph":"e","pid":1,"tid":"asynchronous: net","ts":3,"name":"get","cat":"net","id":"0x300000001"}"#,
        r#"{"ph":"e","pid":1,"tid":"asynchronous: net","ts":4,"name":"get","cat":"net","id":"0x300000002"}"#,
        r#"{"ph":"n","pid":1,"tid":"asynchronous: net","ts":2.5,"name":"redirect","cat":"net","id":"0x300000000"}"#,
        r#"{"ph":"C","pid":1,"ts":1,"name":"heap","args":{"value (bytes)":2.5}}"#,
        r#"{"ph":"s","pid":1,"tid":2,"ts":1,"name":"wake","cat":"flow","id":0}"#,
        r#"{"ph":"f","pid":1,"tid":3,"ts":5,"name":"wake","cat":"flow","id":0,"bp":"e"}"#,
        "]}",
    ];
    assert_eq!(lines, expected);
}

#[test]
fn traces_are_the_same_behind_perfetto() {
    let wanted = ["trace-event", "perfetto"];
    let mut seen = 0;
    for (path, first) in samples::profiles() {
        if !wanted.contains(&&*first.origin.format) {
            continue;
        }
        let path = path.display().to_string();
        let lost = losses("perfetto", &first);
        let facts = formats::Feature::Origin.name();
        let lost: Vec<_> = lost.iter().filter(|lost| *lost != facts).collect();
        if lost.is_empty() {
            same("perfetto", &first, &path);
            seen += 1;
        } else {
            // What is told as lost is not more than that.
            let (again, _) = read(&written("perfetto", &first));
            assert_eq!(again.timeline.spans.len(), first.timeline.spans.len(), "{path} {lost:?}");
            let sum = |profile: &Profile| -> i64 {
                let spans = &profile.timeline.spans;
                let ends = (0..spans.len()).filter(|&row| !spans.is_unfinished(row));
                ends.map(|row| spans.length(row)).sum()
            };
            if !lost.contains(&&"that spans inside of others never end".to_owned()) {
                assert_eq!(sum(&again), sum(&first), "{path}");
            }
        }
    }
    assert!(seen >= 2, "{seen}");
}

proptest! {
    #[test]
    fn any_timeline_is_the_same_behind_perfetto(
        plan in plan(),
        start in prop_oneof![Just(0), 1..5000i64, Just(1 << 60)],
    ) {
        let first = made(&plan, start);
        same_but_for_lines("perfetto", &first);
    }
}

/// Spans that cross on a thread keep their lengths, on lanes under it.
#[test]
fn spans_that_cross_are_written_on_lanes() {
    let metrics = vec![profile::Metric::new("time", "nanoseconds")];
    let mut builder = profile::ProfileBuilder::new(metrics);
    let process = builder.process("1");
    let thread = builder.thread(Some(process), "2");
    let process = profile::Track {
        kind: TrackKind::Process,
        process: Some(process),
        ..profile::Track::default()
    };
    let parent = builder.timeline.track(process);
    let own = profile::Track { parent: Some(parent), thread: Some(thread), ..process };
    let track = builder.timeline.track(profile::Track { kind: TrackKind::Thread, ..own });
    for (function, begin, length) in [("a", 0, 10), ("b", 5, 10), ("c", 20, 5)] {
        let place = builder.place(&profile::Place { function, ..profile::Place::default() });
        let context = builder.stack([place]);
        let point = profile::Point { context, thread: Some(thread), ..profile::Point::default() };
        let point = builder.points.push_point(point, &[length]);
        let span = profile::Span { begin, length, point, ..profile::Span::default() };
        builder.timeline.spans.push(track, span);
    }
    let first = builder.finish();
    let lost = losses("perfetto", &first);
    assert_eq!(lost, ["what spans stand in, where their times do not say it"]);
    let (again, warnings) = read(&written("perfetto", &first));
    assert_eq!(warnings, Vec::<String>::new());
    let spans = &again.timeline.spans;
    let mut found: Vec<_> = (0..3).map(|row| (spans.begin(row), spans.length(row))).collect();
    found.sort_unstable();
    assert_eq!(found, [(0, 10), (5, 10), (20, 5)]);
}

/// Processors come back with what ran on them, in which order, and where threads were woken.
#[test]
fn processors_are_the_same_behind_perfetto() {
    for path in ["perf-script/sched.perf-script", "perf-script/tracepoint.perf-script"] {
        let first = sample(path);
        let (again, _) = read(&written("perfetto", &first));
        let of = |found: &Profile| -> Vec<(Option<u32>, Vec<(String, i64, i64)>)> {
            let clock = found.origin.clock_ns;
            let tracks = (0..found.timeline.tracks.len() as u32).map(TrackId);
            let tracks = tracks.map(|id| (id, found.timeline.tracks[id.index()]));
            let processors = tracks.filter(|(_, track)| track.kind == TrackKind::Processor);
            let mut all: Vec<_> = processors
                .map(|(id, track)| {
                    let spans = &found.timeline.spans;
                    let span = |row: usize| {
                        let point = spans.point(row).index();
                        assert_eq!(found.points.cpu(point), track.cpu);
                        (name_of(found, row), clock + spans.begin(row), spans.length(row))
                    };
                    let mut rows: Vec<_> = spans.of_track(id).map(span).collect();
                    rows.sort();
                    (track.cpu, rows)
                })
                .filter(|(_, rows)| !rows.is_empty())
                .collect();
            all.sort();
            all
        };
        assert_eq!(of(&again), of(&first), "{path}");
        assert!(!of(&first).is_empty(), "{path}");
        assert_eq!(again.timeline.flows.len(), first.timeline.flows.len(), "{path}");
        // Of one program's switches no run time is told, but Perfetto's has what its spans have.
        let running = again.metric_ids().find(|&id| again.metric(id).name == "running time");
        let runs = of(&first).into_iter().flat_map(|(_, rows)| rows);
        let length: i64 = runs.map(|(_, _, length)| length).sum();
        assert_eq!(running.map(|id| again.metric_total(id).0), Some(length), "{path}");
        let lost = losses("perfetto", &first);
        assert!(lost.iter().any(|loss| loss.starts_with("which threads ran")), "{lost:?}");
    }
}

/// What threads ran stays theirs, also where no process and no thread is known.
#[test]
fn threads_without_a_number_are_threads_behind_perfetto() {
    let first = sample("speedscope/pyinstrument.speedscope.json");
    let (again, _) = read(&written("perfetto", &first));
    let of = |found: &Profile| {
        let kinds: Vec<_> = found.timeline.tracks.iter().map(|track| track.kind).collect();
        let spans = &found.timeline.spans;
        let sum: i64 = (0..spans.len()).map(|row| spans.length(row)).sum();
        let has_lane = kinds.contains(&TrackKind::Lane);
        (has_lane, spans.len(), sum)
    };
    assert_eq!(of(&again), of(&first));
    assert_eq!(of(&first).1, 164);
}

/// When it was by the calendar is kept.
#[test]
fn dates_are_the_same_behind_perfetto() {
    for path in ["jfr/plain.jfr", "firefox/events.firefox.json.gz"] {
        let first = sample(path);
        let (again, _) = read(&written("perfetto", &first));
        let zero = |found: &Profile| found.origin.time_ns - found.origin.clock_ns;
        assert!(first.origin.time_ns > 0, "{path}");
        assert_eq!(zero(&again), zero(&first), "{path}");
    }
}

#[test]
fn reports_what_traces_do_not_hold() {
    let lost = losses("trace-event", &crate::measured::sample("perf-script/inlined.perf-script"));
    for expected in ["which functions are inlined", "modules with build ids", "addresses"] {
        assert!(lost.iter().any(|lost| lost == expected), "{expected} of {lost:?}");
    }
    let lost = losses("trace-event", &crate::measured::profile("a;b 10\na;c 5\n"));
    assert_eq!(lost, ["samples without a time", "metrics besides times and calls"]);
}
