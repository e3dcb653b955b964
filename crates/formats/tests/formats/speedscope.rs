//! speedscope files: their oddities, and sums by the specification as the measure.

use crate::measured::{
    corpus, folded, metric, profile, read, sample, self_values, stacks, text, total_values,
    warnings,
};
use profile::{MetricId, Profile, decimal_text};

/// A file of two frames with these profiles.
fn file(profiles: &str) -> String {
    format!(
        r#"{{"$schema":"https://www.speedscope.app/file-format-schema.json",
        "shared":{{"frames":[{{"name":"a","file":"a.c","line":3,"col":null}},{{"name":"b"}}]}},
        "profiles":[{profiles}]}}"#
    )
}

fn metrics(profile: &Profile) -> Vec<(&str, &str, String)> {
    let metrics = profile.metric_ids().zip(&profile.metrics);
    metrics
        .map(|(id, metric)| {
            let total = decimal_text(profile.metric_total(id).0, metric.decimals);
            (metric.name.as_str(), metric.unit.as_str(), total)
        })
        .collect()
}

fn times(profile: &Profile) -> Vec<Option<i64>> {
    (0..profile.points.len()).map(|row| profile.points.time(row)).collect()
}

fn threads(profile: &Profile) -> Vec<String> {
    (0..profile.threads.len() as u32)
        .map(|row| profile.thread_name(profile::ThreadId(row)))
        .collect()
}

#[test]
fn sums_are_those_of_the_specification() {
    let mut compared = 0;
    for name in ["austin", "memray", "py-spy", "py-spy-processes", "pyinstrument"] {
        let file = format!("{name}.speedscope.json");
        let found = sample(&format!("speedscope/{file}"));
        let report = text(&format!("speedscope/reports/{file}.report.txt"));
        for part in report.split("\n\n").skip(1) {
            let (head, rows) = part.split_once('\n').unwrap();
            let (title, _) = head.rsplit_once(": ").unwrap();
            let (metric_name, thread) = match title.split_once(" profile for ") {
                Some((metric, thread)) if name == "austin" => (metric, Some(thread)),
                _ if name == "memray" => (title, None),
                _ if name == "pyinstrument" => ("time", None),
                _ => ("time", Some(title)),
            };
            let metric = metric(&found, metric_name);
            let decimals = u32::from(found.metrics[metric.index()].decimals);
            let of_thread = of_thread(&found, thread);
            let (own, all) = (self_values(&of_thread, metric), total_values(&of_thread, metric));
            for row in rows.lines().skip(1) {
                let mut words = row.splitn(3, " | ");
                let mut value = || {
                    let word: f64 = words.next().unwrap().parse().unwrap();
                    (word * 1e6).round() as i64
                };
                let (self_value, total) = (value(), value());
                let function = words.next().unwrap();
                let micro = |value: Option<&i64>| {
                    let value = value.copied().unwrap_or(0) as f64;
                    (value * 1e6 / 10f64.powi(decimals as i32)).round() as i64
                };
                assert!((micro(own.get(function)) - self_value).abs() <= 1, "{title}: {function}");
                assert!((micro(all.get(function)) - total).abs() <= 1, "{title}: {function}");
                compared += 1;
            }
        }
    }
    assert!(compared > 100, "only {compared} rows were compared");
    check_real_files();
}

/// The profile with the points of one thread only.
fn of_thread(profile: &Profile, title: Option<&str>) -> Profile {
    let mut one = profile.clone();
    let Some(title) = title else { return one };
    for row in 0..one.points.len() {
        let thread = one.threads[one.points.thread(row).unwrap().index()];
        let (id, name) = (one.text(thread.id), one.text(thread.name));
        let is_it = title == id || title.ends_with(&format!("Thread {id} \"{name}\""));
        if !is_it {
            one.points.row_mut(profile::PointId(row as u32)).fill(0);
        }
    }
    one
}

#[test]
fn spans_become_self_times_and_calls() {
    let found = profile(file(
        r#"{"events":[{"type":"O","frame":0,"at":10},{"type":"O","frame":1,"at":12.5},
        {"type":"C","frame":1,"at":12.5},{"type":"C","frame":0,"at":20}],
        "type":"evented","name":"main","unit":"milliseconds","startValue":10,"endValue":21}"#,
    ));
    assert_eq!(
        metrics(&found),
        [("time", "milliseconds", "10".to_owned()), ("calls", "count", "2".to_owned())]
    );
    let expected = [("a", [100, 1]), ("a;b", [0, 1])];
    assert_eq!(stacks(&found), expected.map(|(stack, values)| (stack.to_owned(), values.to_vec())));
    assert_eq!(times(&found), [None; 2]);
    assert_eq!((found.origin.clock_ns, found.origin.duration_ns), (10_000_000, 11_000_000));
}

#[test]
fn samples_follow_each_other_in_time_and_profiles_are_threads() {
    let found = profile(file(
        r#"{"type":"sampled","name":"one","unit":"seconds","startValue":5,"endValue":8,
        "samples":[[0],[0,1],[]],"weights":[0.5,1,1.25]},
        {"type":"sampled","name":"two","unit":"seconds","startValue":6,"endValue":7,
        "samples":[[1]],"weights":[1]}"#,
    ));
    assert_eq!(threads(&found), ["one", "two"]);
    assert_eq!(times(&found), [0, 500_000_000, 1_500_000_000, 1_000_000_000].map(Some));
    assert_eq!(folded(&found, MetricId(0)), [" 125", "a 50", "a;b 100", "b 100"]);
    assert_eq!(metrics(&found), [("time", "seconds", "3.75".to_owned())]);
    assert_eq!(found.frames.line, [3, 0]);
}

#[test]
fn profiles_of_the_same_samples_in_other_units_are_metrics() {
    let two = r#"{"type":"sampled","name":"Memory","unit":"bytes","startValue":0,"endValue":3,
        "samples":[[0],[0,1]],"weights":[1,2]},
        {"type":"sampled","name":"Allocations","unit":"none","startValue":0,"endValue":9,
        "samples":[[0],[0,1]],"weights":[4,5]}"#;
    let found = profile(file(two).replace("\"profiles\"", "\"activeProfileIndex\":1,\"profiles\""));
    assert_eq!(
        metrics(&found),
        [("Memory", "bytes", "3".to_owned()), ("Allocations", "count", "9".to_owned())]
    );
    assert_eq!((found.points.len(), found.threads.len()), (2, 0));
    assert_eq!(found.origin.default_metric, MetricId(1));
    assert!(!found.points.has_times());

    let other = profile(file(&two.replacen("[0,1]", "[1]", 1)));
    assert_eq!(threads(&other), ["Memory", "Allocations"]);
}

#[test]
fn what_hotframe_writes_comes_back() {
    for name in
        ["pprof/heap.pb.gz", "collapsed/float-counts.collapsed", "callgrind/plain.callgrind"]
    {
        let bytes = std::fs::read(crate::measured::testdata(name)).unwrap();
        let file_name = name.rsplit('/').next().unwrap();
        let source = formats::Source { bytes: Box::new(bytes.as_slice()), file_name };
        let first = formats::read(source, &formats::ReadOptions::default()).unwrap().profile;
        let mut written = vec![];
        formats::format_named("speedscope").unwrap().write(&first, &mut written).unwrap();
        let again = profile(&written);
        assert_eq!(stacks(&again), stacks(&first), "{name}");
        let names = |p: &Profile| p.metrics.iter().map(|m| m.name.clone()).collect::<Vec<_>>();
        assert_eq!(names(&again), names(&first), "{name}");
        assert_eq!(again.origin.default_metric, first.origin.default_metric, "{name}");
        assert!(!again.points.has_times() && again.threads.is_empty(), "{name}");
    }
}

#[test]
fn unbalanced_spans_are_repaired_and_reported() {
    let events = |events: &str| {
        file(&format!(
            r#"{{"type":"evented","name":"x","unit":"none","startValue":0,"endValue":10,
            "events":[{events}]}}"#
        ))
    };
    let open = events(r#"{"type":"O","frame":0,"at":0}"#);
    assert_eq!(folded(&profile(&open), MetricId(0)), ["a 10"]);
    assert!(warnings(&open)[0].contains("never close"));

    let crossed = events(
        r#"{"type":"O","frame":0,"at":0},{"type":"O","frame":1,"at":2},{"type":"C","frame":0,"at":5},
        {"type":"C","frame":1,"at":6}"#,
    );
    assert_eq!(folded(&profile(&crossed), MetricId(0)), ["a 2", "a;b 3"]);
    assert_eq!(warnings(&crossed).len(), 2);

    let back = events(
        r#"{"type":"O","frame":0,"at":4},{"type":"O","frame":1,"at":2},{"type":"C","frame":1,"at":5},
        {"type":"C","frame":0,"at":6}"#,
    );
    assert_eq!(folded(&profile(&back), MetricId(0)), ["a 1", "a;b 1"]);
    assert!(warnings(&back)[0].contains("go back"));

    let missing = events(r#"{"type":"O","frame":7,"at":0},{"type":"C","frame":7,"at":1}"#);
    assert_eq!(folded(&profile(&missing), MetricId(0)), ["frame 7 1"]);
    assert!(warnings(&missing)[0].contains("frame 7 is not"));
}

#[test]
fn large_times_and_missing_weights() {
    let clock = file(
        r#"{"type":"evented","name":"x","unit":"nanoseconds","startValue":1700000000000000000,
        "endValue":1700000000000000100,"events":[{"type":"O","frame":0,"at":1700000000000000001},
        {"type":"C","frame":0,"at":1700000000000000004}]}"#,
    );
    let found = profile(&clock);
    assert_eq!(folded(&found, MetricId(0)), ["a 3"]);
    assert_eq!(found.origin.clock_ns, 1_700_000_000_000_000_000);
    assert_eq!(found.timeline.spans.extent(), Some([1, 4]));

    let short = file(
        r#"{"type":"sampled","name":"x","unit":"none","startValue":0,"endValue":1,
        "samples":[[0],[1],[1]],"weights":[1]}"#,
    );
    assert_eq!(folded(&profile(&short), MetricId(0)), ["a 1"]);
    assert!(warnings(&short)[0].contains("3 samples but 1 weights"));
}

/// The same of real files, where they are.
fn check_real_files() {
    for (path, expected) in [
        ("simple.speedscope.json", "14"),
        ("simple-sampled.speedscope.json", "14"),
        ("invalid-incomplete-trace.json", "100"),
    ] {
        let Some(bytes) = corpus(&format!("speedscope/{path}")) else { continue };
        assert_eq!(metrics(&profile(bytes))[0].2, expected, "{path}");
    }
    let Some(bytes) = corpus("speedscope/invalid-out-of-order-events.json") else { return };
    assert!(!read(bytes).unwrap().warnings.is_empty());
}
