//! Spans, instants and counters in written Firefox profiles, straight from the JSON.

use std::collections::BTreeMap;

use profile::{MetricId, Profile, TrackId, TrackKind};
use serde_json::Value;

use crate::measured::{profile, sample};
use crate::timeline::name_of;
use crate::timeline_written::{read, written};

fn json(profile: &Profile) -> Value {
    serde_json::from_slice(&written("firefox", profile)).unwrap()
}

fn array<'a>(value: &'a Value, key: &str) -> &'a Vec<Value> {
    value[key].as_array().unwrap_or_else(|| panic!("no {key}"))
}

/// Nanoseconds of milliseconds.
fn nanoseconds(value: &Value) -> i64 {
    (value.as_f64().unwrap() * 1e6).round() as i64
}

#[test]
fn markers_are_spans_and_instants() {
    for path in [
        "trace-event/default.trace.json",
        "trace-event/detailed.trace.json",
        "trace-event/node.trace.json",
        "perfetto/bakery.perfetto-trace",
    ] {
        let first = sample(path);
        let json = json(&first);
        let kinds = array(&json["meta"], "markerSchema");
        assert_eq!(kinds.len(), 3, "{path}");
        let (mut intervals, mut instants, mut unfinished) = (vec![], vec![], vec![]);
        let mut weights = 0;
        for thread in array(&json, "threads") {
            let markers = &thread["markers"];
            let count = markers["length"].as_u64().unwrap() as usize;
            let strings = array(thread, "stringArray");
            for key in ["category", "data", "endTime", "name", "phase", "startTime"] {
                assert_eq!(array(markers, key).len(), count, "{path} {key}");
            }
            for row in 0..count {
                let name = array(markers, "name")[row].as_u64().unwrap() as usize;
                let name = strings[name].as_str().unwrap().to_owned();
                let data = array(markers, "data")[row].as_object().unwrap();
                let kind = kinds.iter().find(|kind| kind["name"] == data["type"]).unwrap();
                let fields = array(kind, "fields");
                let is_field = |key: &str| fields.iter().any(|field| field["key"] == key);
                assert!(data.keys().all(|key| key == "type" || is_field(key)), "{path} {data:?}");
                let start = nanoseconds(&array(markers, "startTime")[row]);
                match array(markers, "phase")[row].as_u64() {
                    Some(1) => {
                        let end = nanoseconds(&array(markers, "endTime")[row]);
                        intervals.push((name, start, end - start));
                    }
                    Some(0) => instants.push((name, start)),
                    Some(2) => unfinished.push((name, start)),
                    other => panic!("{other:?}"),
                }
            }
            let times: Vec<i64> =
                array(&thread["samples"], "time").iter().map(nanoseconds).collect();
            assert!(times.is_sorted(), "{path}");
            weights += array(&thread["samples"], "weight").iter().map(nanoseconds).sum::<i64>();
        }
        let timeline = &first.timeline;
        let (mut spans, mut marks, mut open) = (vec![], vec![], vec![]);
        for track in (0..timeline.tracks.len() as u32).map(TrackId) {
            for row in timeline.spans.of_track(track) {
                let span = timeline.spans.get(row);
                let context = first.points.context[span.point.index()];
                let frame = profile::FrameId(first.frames_of(context).next_back().unwrap());
                let name = first.frame_name(frame).into_owned();
                if span.is_unfinished {
                    open.push((name, span.begin));
                } else {
                    spans.push((name, span.begin, span.length));
                }
            }
            for mark in timeline.marks.of_track(track).map(|row| timeline.marks.get(track, row)) {
                marks.push((first.text(mark.kind).to_owned(), mark.time));
            }
        }
        for list in [&mut intervals, &mut spans] {
            list.sort();
        }
        for list in [&mut instants, &mut marks, &mut unfinished, &mut open] {
            list.sort();
        }
        assert_eq!(unfinished, open, "{path}");
        assert_eq!(intervals, spans, "{path}");
        assert_eq!(instants, marks, "{path}");
        assert_eq!(weights, first.metric_total(MetricId(0)).0, "{path}");
        let counters = array(&json, "counters");
        assert_eq!(counters.len(), timeline.counters.len(), "{path}");
        for (counter, first) in counters.iter().zip(&timeline.counters) {
            let samples = &counter["samples"];
            let values = array(samples, "count").iter().map(|one| one.as_f64().unwrap());
            if counter["category"] == "Memory" {
                assert_eq!(Some(&values.sum()), first.values.last(), "{path}");
            } else {
                assert_eq!(values.collect::<Vec<_>>(), first.values, "{path}");
            }
            let times: Vec<i64> = array(samples, "time").iter().map(nanoseconds).collect();
            assert_eq!(times, first.times, "{path}");
        }
    }
}

/// The flame graph of a thread in time: stacks stand where they were.
#[test]
fn spans_are_samples_at_their_times() {
    let first = profile(
        r#"[{"ph":"X","pid":1,"tid":2,"ts":0,"dur":10,"name":"a"},
        {"ph":"X","pid":1,"tid":2,"ts":3,"dur":2,"name":"b","args":{"type":"x","n":1}},
        {"ph":"i","pid":1,"ts":4,"name":"gc","s":"p"},
        {"ph":"s","pid":1,"tid":2,"ts":1,"name":"w","id":1},
        {"ph":"f","pid":1,"tid":2,"ts":2,"name":"w","id":1}]"#,
    );
    let json = json(&first);
    let threads = array(&json, "threads");
    assert_eq!(threads.len(), 2);
    let samples = &threads[0]["samples"];
    let times: Vec<i64> = array(samples, "time").iter().map(nanoseconds).collect();
    let weights: Vec<i64> = array(samples, "weight").iter().map(nanoseconds).collect();
    assert_eq!((&times[..], &weights[..]), (&[0, 3000, 5000][..], &[3000, 2000, 5000][..]));
    assert_eq!(samples["stack"], serde_json::json!([0, 1, 0]));
    let data = &threads[0]["markers"]["data"][1];
    assert_eq!(data, &serde_json::json!({"type": "Span", "argument type": "x", "n": 1}));
    assert_eq!(threads[1]["name"], "process");
    let losses = formats::format_named("firefox").unwrap().losses(&first);
    let told: Vec<_> = losses.iter().map(|loss| loss.message.as_str()).collect();
    assert!(told.contains(&"flows"), "{told:?}");
    assert!(told.contains(&"tracks that are not threads, which become some"), "{told:?}");
    let places = "source files and lines of spans, which are markers";
    assert!(!told.contains(&places), "{told:?}");
    let placed = profile(
        r#"[{"ph":"X","pid":1,"tid":2,"ts":0,"dur":10,"name":"a",".file":"a.c",".line":3}]"#,
    );
    let losses = formats::format_named("firefox").unwrap().losses(&placed);
    assert!(losses.iter().any(|loss| loss.message == places && loss.count == 1));
}

/// By name, whether on a lane: how many spans and how long.
fn figures(found: &Profile) -> BTreeMap<(String, bool), (usize, i64)> {
    let mut all = BTreeMap::new();
    for (row, track) in found.timeline.tracks.iter().enumerate() {
        for row in found.timeline.spans.of_track(TrackId(row as u32)) {
            let key = (name_of(found, row), track.kind == TrackKind::Lane);
            let sums: &mut (usize, i64) = all.entry(key).or_default();
            let span = found.timeline.spans.get(row);
            // What never ends lasts as long as what tells of it.
            let length = if span.is_unfinished { 0 } else { span.length };
            *sums = (sums.0 + 1, sums.1 + length);
        }
    }
    all
}

/// What never ends.
fn unfinished(found: &Profile) -> Vec<(String, bool)> {
    let tracks = found.timeline.tracks.iter().enumerate();
    let of_track = tracks.flat_map(|(row, track)| {
        let rows = found.timeline.spans.of_track(TrackId(row as u32));
        rows.map(move |row| (row, track.kind == TrackKind::Lane))
    });
    let unfinished = of_track.filter(|(row, _)| found.timeline.spans.is_unfinished(*row));
    unfinished.map(|(row, is_lane)| (name_of(found, row), is_lane)).collect()
}

/// All values of counters.
fn series(found: &Profile) -> Vec<(Vec<i64>, Vec<f64>)> {
    let all = found.timeline.counters.iter();
    let mut all: Vec<_> = all.map(|one| (one.times.clone(), one.values.clone())).collect();
    all.sort_by(|one, other| one.partial_cmp(other).unwrap());
    all
}

/// Behind every writer operations come back beside their thread also where they do not overlap, what the
/// thread ran in it.
#[test]
fn spans_come_back_as_what_they_were() {
    let one = profile(
        r#"[{"ph":"b","pid":1,"tid":2,"ts":0,"cat":"net","id":1,"name":"get"},
        {"ph":"e","pid":1,"tid":2,"ts":4,"cat":"net","id":1,"name":"get"},
        {"ph":"X","pid":1,"tid":2,"ts":1,"dur":2,"name":"run"}]"#,
    );
    assert_eq!(
        figures(&one).keys().map(|(_, is_lane)| *is_lane).collect::<Vec<_>>(),
        [true, false]
    );
    let (mut asynchronous, mut timed) = (0, 0);
    let samples = [
        "trace-event/node.trace.json",
        "trace-event/detailed.trace.json",
        "chrome-trace/object.trace.json",
        "jfr/plain.jfr",
        "time/orders.jfr",
        "speedscope/pyinstrument.speedscope.json",
        "firefox/events.firefox.json.gz",
        "perf-script/sched.perf-script",
        "perfetto/bakery.perfetto-trace",
    ];
    let all = samples.map(|path| (path, sample(path))).into_iter().chain([("one", one)]);
    let writers = ["firefox", "perfetto", "trace-event"];
    for ((path, first), writer) in all.flat_map(|one| writers.map(|writer| (one.clone(), writer))) {
        let (again, _) = read(&written(writer, &first));
        let path = format!("{path} as {writer}");
        let of_time = |profile: &Profile| {
            let id = profile.origin.default_metric;
            (profile.metric(id).name == "time").then(|| profile.metric_total(id).0)
        };
        if writer == "firefox" && of_time(&first).is_some() {
            assert_eq!(of_time(&again), of_time(&first), "{path}");
            timed += 1;
        }
        let (mut found, mut wanted) = (figures(&again), figures(&first));
        // Where one inside of another never ends, Perfetto's form has no word for it.
        for name in unfinished(&first).into_iter().filter(|_| writer == "perfetto") {
            for figures in [&mut found, &mut wanted] {
                figures.get_mut(&name).unwrap().1 = 0;
            }
        }
        assert_eq!(found, wanted, "{path}");
        assert_eq!(again.timeline.marks.len(), first.timeline.marks.len(), "{path}");
        let (again, first_series) = (series(&again), series(&first));
        assert_eq!(again.len(), first_series.len(), "{path}");
        for ((times, values), (first_times, first_values)) in again.iter().zip(&first_series) {
            let shift = first_times[0] - times[0];
            assert!(
                times.iter().map(|time| time + shift).eq(first_times.iter().copied()),
                "{path}"
            );
            let near = |(one, other): (&f64, &f64)| (one - other).abs() < 1e-6;
            assert!(values.iter().zip(first_values).all(near), "{path}: {values:?}");
        }
        asynchronous += figures(&first).keys().filter(|(_, is_lane)| *is_lane).count();
    }
    assert!(asynchronous > 15 && timed > 3, "{asynchronous} and {timed}");
}
