//! What happened when, against the files themselves, read by nothing of ours.

use std::collections::BTreeMap;

use profile::{FrameId, LabelValue, Profile, TrackId, TrackKind};
use serde_json::Value;

use crate::measured::{both, profile};

/// The name of a span, as its innermost frame has it, without its file.
pub(crate) fn name_of(profile: &Profile, row: usize) -> String {
    let context = profile.points.context[profile.timeline.spans.point(row).index()];
    let frame = FrameId(profile.frames_of(context).last().unwrap());
    profile.frame_name(frame).into_owned()
}

pub(crate) fn track_name(profile: &Profile, track: TrackId) -> String {
    let track = profile.timeline.tracks[track.index()];
    match (track.thread, track.process) {
        (Some(thread), _) => profile.thread_name(thread),
        (None, Some(process)) if track.kind == TrackKind::Process => profile.process_name(process),
        _ => profile.text(track.name).to_owned(),
    }
}

/// Name, begin and length, by track.
pub(crate) type Spans = BTreeMap<(String, String), Vec<(i64, i64)>>;

pub(crate) fn spans(profile: &Profile) -> Spans {
    let mut all = Spans::new();
    for track in (0..profile.timeline.tracks.len() as u32).map(TrackId) {
        for row in profile.timeline.spans.of_track(track) {
            let span = profile.timeline.spans.get(row);
            let key = (track_name(profile, track), name_of(profile, row));
            all.entry(key).or_default().push((span.begin, span.length));
        }
    }
    all.values_mut().for_each(|times| times.sort_unstable());
    all
}

pub(crate) fn marks(profile: &Profile) -> Vec<(String, String, i64)> {
    let timeline = &profile.timeline;
    let mut all = vec![];
    for track in (0..timeline.tracks.len() as u32).map(TrackId) {
        for row in timeline.marks.of_track(track) {
            let mark = timeline.marks.get(track, row);
            all.push((track_name(profile, track), profile.text(mark.kind).to_owned(), mark.time));
        }
    }
    all
}

pub(crate) fn labels(profile: &Profile, set: profile::LabelSetId) -> Vec<String> {
    let told = profile.label_sets.get(set).map(|label| {
        let value = match label.value {
            LabelValue::Text(text) => profile.text(text).to_owned(),
            LabelValue::Number(number, _) => number.to_string(),
        };
        format!("{}={value}", profile.text(label.key))
    });
    told.collect()
}

/// Nanoseconds of a time in microseconds.
fn nanoseconds(event: &Value, key: &str) -> i64 {
    (event[key].as_f64().unwrap() * 1000.0).round() as i64
}

/// Complete events, instants and values of counters of VizTracer's files are what the file has.
#[test]
fn what_viztracer_wrote_is_there() {
    let own = [
        "trace-event/default.trace.json",
        "trace-event/detailed.trace.json",
        "trace-event/file-info.trace.json",
    ];
    for (path, bytes) in both(&own, &["python/recurse.viztracer.json"]) {
        let json: Value = serde_json::from_slice(&bytes).unwrap();
        let events = json["traceEvents"].as_array().unwrap();
        let phase = |event: &Value, phase: &str| event["ph"] == phase;
        let timed = events.iter().filter(|event| !phase(event, "M"));
        let first = timed.map(|event| nanoseconds(event, "ts")).min().unwrap();
        let mut expected: BTreeMap<String, Vec<(i64, i64)>> = BTreeMap::new();
        for event in events.iter().filter(|event| phase(event, "X")) {
            let name = event["name"].as_str().unwrap();
            let name = name.rsplit_once(" (").map_or(name, |(name, _)| name).to_owned();
            let times = (nanoseconds(event, "ts") - first, nanoseconds(event, "dur"));
            expected.entry(name).or_default().push(times);
        }
        expected.values_mut().for_each(|times| times.sort_unstable());
        let profile = profile(&bytes);
        let mut found: BTreeMap<String, Vec<(i64, i64)>> = BTreeMap::new();
        for ((_, name), times) in spans(&profile) {
            found.entry(name).or_default().extend(times);
        }
        found.values_mut().for_each(|times| times.sort_unstable());
        assert_eq!(found, expected, "{path}");
        assert!(expected.len() > 4, "{path}");

        let instants = events.iter().filter(|event| phase(event, "i") || phase(event, "I"));
        let instants: Vec<(String, i64)> = instants
            .map(|event| {
                let name = event["name"].as_str().unwrap().to_owned();
                (name, nanoseconds(event, "ts") - first)
            })
            .collect();
        let told: Vec<(String, i64)> =
            marks(&profile).into_iter().map(|(_, kind, time)| (kind, time)).collect();
        assert_eq!(told, instants, "{path}");
        let values = events.iter().filter(|event| phase(event, "C"));
        let values: f64 = values
            .flat_map(|event| event["args"].as_object().unwrap().values())
            .filter_map(Value::as_f64)
            .sum();
        let told: f64 = profile.timeline.counters.iter().flat_map(|one| &one.values).sum();
        assert_eq!(told, values, "{path}");
    }
}

#[test]
fn every_kind_of_happening_has_its_place() {
    let found = profile(
        r#"[{"ph":"M","pid":1,"tid":2,"name":"thread_name","args":{"name":"main"}},
        {"ph":"M","pid":1,"tid":3,"name":"thread_sort_index","args":{"sort_index":-4}},
        {"ph":"M","pid":1,"tid":2,"name":"process_name","args":{"name":"app"}},
        {"ph":"B","pid":1,"tid":2,"ts":10,"name":"run","args":{"size":3}},
        {"ph":"E","pid":1,"tid":2,"ts":20,"args":{"result":"ok","share":0.5,"done":true,"all":[1]}},
        {"ph":"X","pid":1,"tid":3,"ts":12,"dur":2,"name":"work"},
        {"ph":"i","pid":1,"tid":3,"ts":15,"name":"tick","s":"t"},
        {"ph":"i","pid":1,"tid":3,"ts":14,"name":"pause","s":"p","args":{"why":"gc"}},
        {"ph":"i","pid":9,"tid":9,"ts":11,"name":"elsewhere"},
        {"ph":"n","pid":1,"tid":2,"ts":16,"name":"redirect","cat":"net","id":7},
        {"ph":"C","pid":1,"tid":2,"ts":18,"name":"heap","args":{"used":2.5,"free":1}},
        {"ph":"C","pid":1,"tid":3,"ts":13,"name":"heap","args":{"used":4}},
        {"ph":"C","pid":1,"ts":13,"name":"load","id":"cpu0","args":{"value":1,"text":"no"}},
        {"ph":"f","pid":1,"tid":3,"ts":19,"name":"wake","cat":"s","id":1},
        {"ph":"s","pid":1,"tid":2,"ts":11,"name":"wake","cat":"s","id":1},
        {"ph":"t","pid":1,"tid":3,"ts":13,"name":"wake","cat":"s","id":1},
        {"ph":"s","pid":1,"tid":3,"ts":20,"name":"wake","cat":"s","id":1},
        {"ph":"f","pid":1,"tid":2,"ts":22,"name":"wake","cat":"s","id":1}]"#,
    );
    assert!(found.check().is_empty(), "{:?}", found.check());
    let all = spans(&found);
    let told: Vec<_> =
        all.iter().map(|((track, name), times)| (&**track, &**name, &times[..])).collect();
    assert_eq!(told, [("3", "work", &[(2000, 2000)][..]), ("main (2)", "run", &[(0, 10_000)][..])]);
    let run = (0..2).find(|&row| name_of(&found, row) == "run").unwrap();
    let arguments = labels(&found, found.timeline.spans.get(run).arguments);
    assert_eq!(arguments, ["size=3", "result=ok", "share=0.5", "done=true"]);
    let mut told = marks(&found);
    told.sort_by_key(|mark| mark.2);
    let expected = [
        ("9", "elsewhere", 1000),
        ("app (1)", "pause", 4000),
        ("3", "tick", 5000),
        ("asynchronous: net", "redirect", 6000),
    ];
    let expected = expected.map(|(track, kind, time)| (track.to_owned(), kind.to_owned(), time));
    assert_eq!(told, expected);
    let series: Vec<_> = found
        .timeline
        .counters
        .iter()
        .map(|one| {
            (track_name(&found, one.track), found.text(one.name), &one.times[..], &one.values[..])
        })
        .collect();
    let app = || "app (1)".to_owned();
    assert_eq!(
        series,
        [
            (app(), "heap: used", &[3000, 8000][..], &[4.0, 2.5][..]),
            (app(), "heap: free", &[8000][..], &[1.0][..]),
            (app(), "load [cpu0]", &[3000][..], &[1.0][..]),
        ]
    );
    let flows: Vec<_> = found
        .timeline
        .flows
        .iter()
        .map(|flow| {
            let end = |end: profile::FlowEnd| (track_name(&found, end.track), end.time);
            (found.text(flow.name), end(flow.from), end(flow.to))
        })
        .collect();
    let (main, other) = (|time| ("main (2)".to_owned(), time), |time| ("3".to_owned(), time));
    assert_eq!(
        flows,
        [
            ("wake", main(1000), other(3000)),
            ("wake", other(3000), other(9000)),
            ("wake", other(10_000), main(12_000)),
        ]
    );
    let kinds: Vec<(TrackKind, i64)> =
        found.timeline.tracks.iter().map(|track| (track.kind, track.order)).collect();
    use TrackKind::{Lane, Process, Thread};
    assert_eq!(kinds.iter().filter(|(kind, _)| *kind == Process).count(), 2);
    assert_eq!(kinds.iter().filter(|(kind, _)| *kind == Lane).count(), 1);
    assert!(kinds.contains(&(Thread, -4)), "{kinds:?}");
}

/// What is around others stands before them, also where they begin and end together.
#[test]
fn outer_spans_stand_before_inner_ones() {
    let found = profile(
        r#"[{"ph":"B","pid":1,"tid":1,"ts":1,"name":"a"},{"ph":"B","pid":1,"tid":1,"ts":1,"name":"b"},
        {"ph":"B","pid":1,"tid":1,"ts":1,"name":"c"},{"ph":"E","pid":1,"tid":1,"ts":4},
        {"ph":"E","pid":1,"tid":1,"ts":4},{"ph":"E","pid":1,"tid":1,"ts":4}]"#,
    );
    let names: Vec<String> = (0..3).map(|row| name_of(&found, row)).collect();
    assert_eq!(names, ["a", "b", "c"]);
}

#[test]
fn times_and_values_at_limits_are_reported() {
    let event = r#"[{"ph":"X","pid":1,"tid":1,"ts":-9200000000000000,"dur":1,"name":"a"},
        {"ph":"X","pid":1,"tid":1,"ts":9200000000000000,"dur":1,"name":"b"},
        {"ph":"C","pid":1,"ts":3,"name":"k","args":{"v":1e400,"w":2}}]"#;
    let found = profile(event);
    assert_eq!(found.timeline.spans.extent(), Some([0, i64::MAX]));
    assert_eq!(found.timeline.counters.len(), 1);
    let told = crate::measured::warnings(event).join("; ");
    assert!(told.contains("292 years") && told.contains("not finite numbers"), "{told}");
}

#[test]
fn reports_too_many_arguments() {
    let arguments: Vec<String> = (0..70).map(|number| format!("\"a{number}\":{number}")).collect();
    let event = format!(
        r#"[{{"ph":"X","pid":1,"tid":1,"ts":1,"dur":1,"name":"a","args":{{{}}}}}]"#,
        arguments.join(",")
    );
    let found = profile(&event);
    assert_eq!(labels(&found, found.timeline.spans.get(0).arguments).len(), 64);
    let opened = crate::measured::read(&event).unwrap();
    let told: Vec<(String, u64)> =
        opened.warnings.iter().map(|one| (one.message.clone(), one.count)).collect();
    assert_eq!(told, [("arguments beyond 64 of one event are left out".to_owned(), 6)]);
}
