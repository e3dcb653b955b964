//! What stands beside the sampled profiles in traces of DevTools, with sums over the JSON alone as
//! the measure.

use profile::{MetricId, Profile, Timing, TrackId, TrackKind};

use crate::measured::{both, folded, metric, profile, warnings};
use crate::timeline::{labels, marks};

/// Numbers and lengths of spans, on lanes or on other tracks.
fn spans(found: &Profile, on_lanes: bool) -> (usize, i64) {
    let spans = &found.timeline.spans;
    let tracks = found.timeline.tracks.iter().enumerate();
    let tracks = tracks.filter(|(_, track)| (track.kind == TrackKind::Lane) == on_lanes);
    let rows = tracks.flat_map(|(row, _)| spans.of_track(TrackId(row as u32)));
    rows.fold((0, 0), |(count, sum), row| (count + 1, sum + spans.length(row)))
}

#[test]
fn tasks_instants_counters_and_flows_are_beside_the_profile() {
    let files = both(
        &["chrome-trace/object.trace.json"],
        &["chrome-trace/trace-116.json", "chrome-trace/worker-70.json"],
    );
    // Complete and begun events with their nanoseconds, asynchronous ones, instants, values of counters
    // with their sum, flows.
    let expected = [
        ((62, 547_245_000), 0, 12, (0, 0.0), 0),
        ((2456, 348_473_000), 234, 106, (16, 6_276_463.0), 13),
        ((2178, 0), 8, 74, (91, 188_084_098.0), 0),
    ];
    for ((path, bytes), (tasks, asynchronous, instants, values, flows)) in files.zip(expected) {
        let found = profile(&bytes);
        let own = spans(&found, false);
        assert!(own.0 >= tasks.0 && (tasks.1 == 0 || own.1 == tasks.1), "{path}: {own:?}");
        assert_eq!(spans(&found, true).0, asynchronous, "{path}");
        assert_eq!(marks(&found).len(), instants, "{path}");
        let counters = found.timeline.counters.iter().flat_map(|one| &one.values);
        let told = counters.fold((0, 0.0), |(count, sum), value| (count + 1, sum + value));
        assert_eq!(told, values, "{path}");
        assert_eq!(found.timeline.flows.len(), flows, "{path}");
        // Every event counts once, and the profile is what is shown first.
        let events = found.metric_total(metric(&found, "events")).0;
        assert_eq!(events, (tasks.0 + asynchronous) as i64, "{path}");
        assert_eq!(found.origin.default_metric, MetricId(0), "{path}");
        assert_eq!(found.metrics[0].timing, Timing::Length, "{path}");
        let first = found.points.first_time().unwrap();
        assert!(first >= 0 && found.points.last_time().unwrap() <= found.origin.duration_ns);
        // Samples are on a track, as what their thread did.
        let sampled = (0..found.points.len()).find(|&row| found.points.time(row).is_some());
        let thread = found.points.thread(sampled.unwrap());
        assert!(found.timeline.tracks.iter().any(|track| track.thread == thread), "{path}");
    }
}

const HEAD: &str = r#"{"args":{"data":{"startTime":100}},"id":1,"name":"Profile","ph":"P","pid":1,"tid":2,"ts":1},
    {"args":{"data":{"cpuProfile":{"nodes":[{"callFrame":{"functionName":"a"},"id":1}],"samples":[1,1]},
    "timeDeltas":[5,7],"endTime":120}},"id":1,"name":"ProfileChunk","ph":"P","pid":1,"tid":2,"ts":2}"#;

#[test]
fn arguments_counters_and_pictures_of_devtools() {
    let text = format!(
        r#"[{{"ph":"X","pid":1,"tid":2,"ts":50,"dur":4,"name":"EventDispatch","args":{{"data":{{"type":"click","stackTrace":[1]}}}}}},
        {{"ph":"I","s":"t","pid":1,"tid":2,"ts":60,"name":"UpdateCounters","args":{{"data":{{"jsHeapSizeUsed":7,"nodes":3}}}}}},
        {{"ph":"I","pid":1,"tid":2,"ts":61,"name":"Screenshot","args":{{"snapshot":"AAAA"}}}},
        {{"ph":"b","pid":1,"tid":2,"ts":62,"cat":"net","id":4,"name":"load"}},
        {{"ph":"e","pid":1,"tid":2,"ts":72,"cat":"net","id":4,"name":"load"}},{HEAD}]"#
    );
    let found = profile(&text);
    assert_eq!(labels(&found, found.timeline.spans.get(0).arguments), ["type=click"]);
    let counters: Vec<_> = found
        .timeline
        .counters
        .iter()
        .map(|one| (found.text(one.name), one.times[0], one.values[0]))
        .collect();
    let used = ("UpdateCounters: jsHeapSizeUsed", 10_000, 7.0);
    assert_eq!(counters, [used, ("UpdateCounters: nodes", 10_000, 3.0)]);
    assert_eq!(warnings(&text), ["screenshots are not shown"]);
    let names: Vec<_> = found.metrics.iter().map(|metric| metric.name.as_str()).collect();
    assert_eq!(names, ["time", "samples", "event time", "events", "asynchronous event time"]);
    assert_eq!(folded(&found, MetricId(0)), ["a 15000"]);
    assert_eq!(folded(&found, MetricId(4)), ["load 10000"]);
    // All times have one zero.
    let times: Vec<_> = (0..2).map(|row| found.points.time(row)).collect();
    assert_eq!(times, [Some(55_000), Some(62_000)]);
}

/// What an event tells as its place wins over arguments of such names, in whatever order.
#[test]
fn places_of_events_win_over_arguments() {
    for event in [
        r#"".file":"a.rs",".line":7,"args":{"filename":"out","line":9}"#,
        r#""args":{"line":9,"filename":"out"},".line":7,".file":"a.rs""#,
    ] {
        let found =
            profile(format!(r#"[{{"ph":"X","pid":1,"tid":2,"ts":1,"dur":1,"name":"x",{event}}}]"#));
        assert_eq!((found.frame_file(profile::FrameId(0)), found.frames.line[0]), ("a.rs", 7));
        let mut told = labels(&found, found.timeline.spans.get(0).arguments);
        told.sort();
        assert_eq!(told, ["filename=out", "line=9"]);
    }
    let found = profile(
        r#"[{"ph":"X","pid":1,"tid":2,"ts":1,"dur":1,"name":"x","args":{"filename":"b.py","line":3}}]"#,
    );
    assert_eq!((found.frame_file(profile::FrameId(0)), found.frames.line[0]), ("b.py", 3));
    assert!(labels(&found, found.timeline.spans.get(0).arguments).is_empty());
}

#[test]
fn reports_damage_beside_a_profile() {
    let text = format!(
        r#"[{{"ph":"E","pid":1,"tid":2,"ts":50,"name":"never"}},{{"ph":"B","pid":1,"tid":2,"ts":51,"name":"open"}},
        {{"ph":"X","pid":1,"tid":2,"ts":52,"dur":-3,"name":"back"}},{{"ph":"X","pid":1,"tid":2,"ts":9300000000000000000,"name":"far"}},
        {{"ph":"C","pid":1,"ts":53,"name":"k","args":{{"v":1e999}}}},{}]"#,
        HEAD.replace("\"startTime\":100", "\"startTime\":470029996751")
            .replace("\"endTime\":120", "\"endTime\":470029996771")
    );
    let found = profile(&text);
    let told = warnings(&text).join("; ");
    for part in [
        "did not begin",
        "never end",
        "below 0",
        "without a time",
        "not finite",
        "far from those of all events",
    ] {
        assert!(told.contains(part), "{part} in {told}");
    }
    // The clock of the profile is another: it begins with the first event.
    assert_eq!(found.points.first_time(), Some(5000));
    assert_eq!(found.metric_total(MetricId(1)).0, 2);
}
