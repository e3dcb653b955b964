//! DevTools traces: profiles in chunks, and sums by the protocol's definition as the measure.

use crate::measured::{both, folded, profile, sample, self_values, text, warnings};
use profile::{MetricId, Profile};

/// The profile with the points of one thread only.
fn of_thread(profile: &Profile, name: &str) -> Profile {
    let mut one = profile.clone();
    for row in 0..one.points.len() {
        let thread = one.threads[one.points.thread(row).unwrap().index()];
        if one.text(thread.name) != name {
            one.points.row_mut(profile::PointId(row as u32)).fill(0);
        }
    }
    one
}

#[test]
fn sums_are_those_of_the_protocol() {
    let mut compared = 0;
    for name in ["object", "array"] {
        let all = sample(&format!("chrome-trace/{name}.trace.json"));
        let report = text(&format!("chrome-trace/reports/{name}.trace.json.report.txt"));
        for part in report.split("\n\nprofile ").skip(1) {
            let (_, thread) = part.lines().next().unwrap().split_once(" of ").unwrap();
            let one = of_thread(&all, thread.split_once(": ").unwrap().0);
            let in_order = part.contains(" negative 0");
            let rows = part.lines().skip_while(|line| !line.starts_with("self:")).skip(1);
            let mut expected = std::collections::BTreeMap::<String, [i64; 2]>::new();
            for row in rows.filter(|row| !row.is_empty()) {
                let (own, rest) = row.split_once(" | ").unwrap();
                let name = rest.split_once(" | ").unwrap().1;
                let name = match name.split(" http").next().unwrap() {
                    "(root)" => "",
                    name => name,
                };
                let own: Vec<i64> = own.split(' ').map(|n| n.parse().unwrap()).collect();
                let sum = expected.entry(name.to_owned()).or_default();
                (sum[0], sum[1]) = (sum[0] + own[0], sum[1] + own[1] * 1000);
            }
            let (times, counts) = (self_values(&one, MetricId(0)), self_values(&one, MetricId(1)));
            for (name, [count, time]) in expected {
                assert_eq!(counts.get(&name).copied().unwrap_or(0), count, "{thread}: {name}");
                if in_order {
                    assert_eq!(times.get(&name).copied().unwrap_or(0), time, "{thread}: {name}");
                }
                compared += 1;
            }
        }
    }
    assert!(compared > 40, "only {compared} functions were compared");
}

#[test]
fn chunks_are_put_together_by_process_and_id() {
    let text = r#"[{"ph":"M","pid":1,"tid":2,"name":"thread_name","args":{"name":"main"}},
        {"ph":"M","pid":1,"tid":9,"name":"thread_name","args":{"name":"sampler"}},
        {"ph":"X","pid":1,"tid":2,"name":"RunTask","ts":5,"dur":9},
        {"args":{"data":{"startTime":100}},"cat":"c","id":"0x1","name":"Profile","ph":"P","pid":1,"tid":2,"ts":1},
        {"args":{"data":{"startTime":90}},"cat":"c","id":"0x1","name":"Profile","ph":"P","pid":5,"tid":6,"ts":1},
        {"args":{"data":{"cpuProfile":{"nodes":[{"callFrame":{"codeType":"other","functionName":"(root)","scriptId":0},"id":1},
        {"callFrame":{"functionName":"a","url":"a.js","lineNumber":4,"columnNumber":1,"scriptId":3},"id":2,"parent":1}],
        "samples":[2,2]},"lines":[6,7],"timeDeltas":[10,20]}},"id":"0x1","name":"ProfileChunk","ph":"P","pid":1,"tid":9,"ts":2},
        {"args":{"data":{"cpuProfile":{"nodes":[{"callFrame":{"functionName":"b"},"id":1}],"samples":[1]},
        "timeDeltas":[5]}},"id":"0x1","name":"ProfileChunk","ph":"P","pid":5,"tid":6,"ts":2},
        {"args":{},"id":"0x1","name":"ProfileChunk","ph":"P","pid":1,"tid":9,"ts":2},
        {"args":{"data":{"cpuProfile":{"nodes":[{"callFrame":{"functionName":"c"},"id":3,"parent":2}],"samples":[3,2]},
        "lines":[1,6],"timeDeltas":[5,5],"endTime":150}},"id":"0x1","name":"ProfileChunk","ph":"P","pid":1,"tid":9,"ts":3}]"#;
    let found = profile(text);
    assert_eq!(found.origin.format, "chrome-trace");
    assert_eq!(folded(&found, MetricId(0)), ["a 35000", "a;c 5000"]);
    assert_eq!(folded(&found, MetricId(1)), ["a 3", "a;c 1", "b 1"]);
    let threads: Vec<_> = (found.threads.iter()).map(|thread| found.text(thread.name)).collect();
    assert_eq!(threads, ["main", ""]);
    let times: Vec<_> = (0..5).map(|row| found.points.time(row).unwrap()).collect();
    // After the first event of the trace.
    assert_eq!(times, [105_000, 125_000, 130_000, 135_000, 90_000]);
    assert_eq!(found.frames.line.iter().filter(|&&line| line == 6 || line == 7).count(), 2);
    assert_eq!(warnings(text), Vec::<String>::new());
    assert_eq!(found.origin.default_metric, MetricId(0));
    let names: Vec<_> = found.metrics.iter().map(|metric| metric.name.as_str()).collect();
    assert_eq!(names, ["time", "samples", "event time", "events"]);
    assert_eq!(folded(&found, MetricId(2)), ["RunTask 9000"]);
    assert_eq!(found.timeline.spans.extent(), Some([0, 9000]));
}

#[test]
fn real_files_open() {
    let ours = ["chrome-trace/object.trace.json", "chrome-trace/array.trace.json"];
    let others = ["chrome-trace/trace-116.json", "chrome-trace/worker-70.json"];
    for (path, bytes) in both(&ours, &others) {
        let json: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
        let events = json.as_array().or(json["traceEvents"].as_array()).unwrap();
        let chunks = events.iter().filter(|event| event["name"] == "ProfileChunk");
        let samples =
            chunks.filter_map(|chunk| chunk["args"]["data"]["cpuProfile"]["samples"].as_array());
        let samples: usize = samples.map(Vec::len).sum();
        let found = profile(bytes);
        assert_eq!(found.origin.format, "chrome-trace", "{path}");
        assert_eq!(found.metric_total(MetricId(1)).0, samples as i64, "{path}");
        assert!(samples > 50, "{path}: {samples}");
    }
}

#[test]
fn chunks_may_tell_times_twice_and_heads_no_start() {
    let found = profile(
        r#"[{"args":{"data":{"startTime":0}},"id":1,"name":"Profile","ph":"P","pid":1,"tid":2,"ts":1},
        {"args":{"data":{"cpuProfile":{"nodes":[{"callFrame":{"functionName":"a"},"id":1}],"samples":[1,1],
        "timeDeltas":[5,7],"startTime":100,"endTime":120},"timeDeltas":[5,7]}},"id":1,"name":"ProfileChunk",
        "ph":"P","pid":1,"tid":2,"ts":2}]"#,
    );
    assert_eq!(folded(&found, MetricId(0)), ["a 15000"]);
    assert_eq!((found.origin.clock_ns, found.origin.duration_ns), (100_000, 20_000));
}

/// A trace that begins while a profile goes on lacks its head: no sample lasts from the clock's zero.
#[test]
fn profiles_that_began_before_the_trace_begin_with_their_first_part() {
    let text = r#"[{"ph":"X","pid":1,"tid":2,"name":"RunTask","ts":428579650000,"dur":20000},
        {"args":{"data":{"cpuProfile":{"nodes":[{"callFrame":{"functionName":"a"},"id":1}],"samples":[1,1]},
        "timeDeltas":[100,50]}},"id":"0x3","name":"ProfileChunk","ph":"P","pid":1,"tid":9,"ts":428579660104},
        {"args":{"data":{"endTime":428579660164}},"id":"0x3","name":"ProfileChunk","ph":"P","pid":1,"tid":9,
        "ts":428579660170}]"#;
    let found = profile(text);
    // The last one lasts until the end of the profile.
    assert_eq!(folded(&found, MetricId(0)), ["a 110000"]);
    let times: Vec<_> = (0..2).map(|row| found.points.time(row).unwrap()).collect();
    assert_eq!(times, [10_054_000, 10_104_000]);
    assert_eq!(
        warnings(text),
        ["profiles that began before the trace are shown from their first part"]
    );
}
