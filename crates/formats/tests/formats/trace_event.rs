//! Trace Event files: their oddities, and sums by the specification as the measure.

use std::collections::BTreeMap;

use crate::measured::{corpus, folded, metric, profile, sample, stacks, text, warnings};
use profile::{FrameId, MetricId, Profile};

/// Self time and calls by thread and function, functions as VizTracer names them.
fn by_thread(profile: &Profile) -> BTreeMap<(String, String), [i64; 2]> {
    let mut sums = BTreeMap::<_, [i64; 2]>::new();
    for (row, &at) in profile.points.context.iter().enumerate() {
        let frame = FrameId(profile.frames_of(at).last().unwrap());
        let (name, file) = (profile.frame_name(frame), profile.frame_file(frame));
        let name = match (file, profile.frames.line[frame.index()]) {
            ("", _) => name.into_owned(),
            (file, line) => format!("{name} ({file}:{line})"),
        };
        let thread = profile.points.thread(row).unwrap();
        let process = profile.threads[thread.index()].process.unwrap();
        let thread = format!("{} {}", profile.process_name(process), profile.thread_name(thread));
        let sum = sums.entry((thread, name)).or_default();
        sum[0] += profile.points.row(row)[0];
        sum[1] += profile.points.row(row)[1];
    }
    sums
}

#[test]
fn sums_are_those_of_the_specification() {
    let mut compared = 0;
    for name in ["default", "detailed", "file-info"] {
        let found = by_thread(&sample(&format!("trace-event/{name}.trace.json")));
        let report = text(&format!("trace-event/reports/{name}.trace.json.report.txt"));
        for part in report.split("\n\npid ").skip(1) {
            let (head, rows) = part.split_once('\n').unwrap();
            assert!(head.ends_with("0 not nested"), "{head}");
            // `25514 MainProcess tid 25514 MainThread: 296 calls`
            let (process, thread) = head.rsplit_once(": ").unwrap().0.split_once(" tid ").unwrap();
            let named = |text: &str| {
                let (id, name) = text.split_once(' ').unwrap();
                format!("{name} ({id})")
            };
            let thread = format!("{} {}", named(process), named(thread));
            for row in rows.lines().skip(1) {
                let words: Vec<_> = row.splitn(4, " | ").collect();
                let [calls, own, _, function] = words[..] else { continue };
                let found = found[&(thread.clone(), function.to_owned())];
                let own: f64 = own.parse().unwrap();
                assert_eq!(found[1].to_string(), calls, "{thread} {function}");
                assert_eq!(found[0], (own * 1000.0).round() as i64, "{thread} {function}");
                compared += 1;
            }
        }
    }
    assert!(compared > 60, "only {compared} rows were compared");
    check_real_files();
}

/// Stacks with their times in microseconds and calls.
fn spans(events: &str) -> Vec<(String, i64, i64)> {
    let found = profile(events);
    let rows = stacks(&found).into_iter();
    rows.map(|(stack, values)| (stack, values[0] / 1000, values[1])).collect()
}

fn owned(rows: &[(&str, i64, i64)]) -> Vec<(String, i64, i64)> {
    rows.iter().map(|&(stack, time, calls)| (stack.to_owned(), time, calls)).collect()
}

#[test]
fn begins_ends_and_complete_events_nest() {
    let events = r#"[{"pid":0,"tid":0,"ph":"B","name":"alpha","ts":0},
        {"pid":0,"tid":0,"ph":"B","name":"beta","ts":1},
        {"pid":0,"tid":0,"ph":"X","name":"gamma","ts":2,"dur":5,"args":{"detail":"x"}},
        {"pid":0,"tid":0,"ph":"X","name":"epsilon","ts":7,"tdur":4},
        {"pid":0,"tid":0,"ph":"E","name":"beta","ts":13},{"pid":0,"tid":0,"ph":"E","ts":14}"#;
    let expected = owned(&[
        ("alpha", 2, 1),
        ("alpha;beta", 3, 1),
        ("alpha;beta;gamma", 5, 1),
        ("alpha;beta;epsilon", 4, 1),
    ]);
    for end in ["]", ",]", "", ",", "\n", ",\n{\"pid\":0,\"ph"] {
        assert_eq!(spans(&format!("{events}{end}")), expected, "{end}");
    }
    assert!(warnings(format!("{events},{{\"pid\""))[0].contains("the file ends"));
    let whole = format!("{{\"displayTimeUnit\":\"ms\",\"traceEvents\":{events}]}}");
    assert_eq!(spans(&whole), expected);
}

#[test]
fn events_come_in_any_order_and_times_as_texts() {
    let found = spans(
        r#"[{"pid":"p","tid":"t","ph":"B","name":"B","ts":"1.5"},{"pid":"p","tid":"t","ph":"E","name":"B","ts":9},
        {"pid":"p","tid":"t","ph":"B","name":"A","ts":0},{"pid":"p","tid":"t","ph":"E","name":"A","ts":10},
        {"pid":"p","tid":"t","ph":"X","name":"short","ts":2,"dur":1},
        {"pid":"p","tid":"t","ph":"X","name":"long","ts":2,"dur":6}]"#,
    );
    let expected =
        owned(&[("A", 2, 1), ("A;B", 1, 1), ("A;B;long", 5, 1), ("A;B;long;short", 1, 1)]);
    assert_eq!(found, expected);
}

#[test]
fn calls_without_time_do_not_vanish() {
    let found = spans(
        r#"[{"pid":0,"tid":0,"ph":"B","name":"A","ts":0},{"pid":0,"tid":0,"ph":"B","name":"B","ts":1},
        {"pid":0,"tid":0,"ph":"E","name":"B","ts":1},{"pid":0,"tid":0,"ph":"E","name":"C","ts":2},
        {"pid":0,"tid":0,"ph":"B","name":"C","ts":2},{"pid":0,"tid":0,"ph":"X","name":"D","ts":3,"dur":0},
        {"pid":0,"tid":0,"ph":"E","name":"A","ts":10}]"#,
    );
    let calls: Vec<_> = found.iter().filter(|row| row.2 > 0).map(|r| (r.0.as_str(), r.1)).collect();
    assert_eq!(calls, [("A", 10), ("A;B", 0), ("A;C", 0), ("A;D", 0)]);
    assert_eq!(found.iter().map(|row| row.1).sum::<i64>(), 10);
}

#[test]
fn spans_that_overlap_keep_their_time() {
    let overlapping = r#"[{"pid":0,"tid":0,"ph":"X","ts":0,"dur":10,"name":"alpha"},
        {"pid":0,"tid":0,"ph":"X","ts":5,"dur":10,"name":"beta"}]"#;
    assert_eq!(spans(overlapping), owned(&[("alpha", 10, 1), ("beta", 10, 1)]));
    assert!(warnings(overlapping)[0].contains("overlap"));

    let crossed = r#"[{"pid":0,"tid":0,"ph":"B","name":"a","ts":0},{"pid":0,"tid":0,"ph":"B","name":"b","ts":1},
        {"pid":0,"tid":0,"ph":"E","name":"a","ts":9},{"pid":0,"tid":0,"ph":"E","name":"b","ts":10}]"#;
    assert_eq!(spans(crossed), owned(&[("a", 9, 1), ("b", 9, 1)]));
}

#[test]
fn begins_without_ends_and_ends_without_begins() {
    let open = r#"[{"pid":0,"tid":0,"ph":"B","name":"a","ts":0},{"pid":0,"tid":0,"ph":"E","name":"b","ts":10}]"#;
    assert_eq!(spans(open), owned(&[("a", 0, 1)]));
    assert_eq!(warnings(open).len(), 2);
    let early = r#"[{"pid":0,"tid":0,"ph":"B","name":"a","ts":0},{"pid":0,"tid":0,"ph":"E","name":"a","ts":14},
        {"pid":0,"tid":0,"ph":"E","name":"g","ts":5}]"#;
    assert_eq!(spans(early).iter().map(|row| row.1).sum::<i64>(), 14);
}

/// An end is of what began without a length: a complete event has its own.
#[test]
fn ends_are_of_begins_alone() {
    for (name, inner) in [("", "draw"), ("frame", "draw"), ("frame", "frame")] {
        let text = format!(
            r#"[{{"pid":1,"tid":1,"ph":"B","name":"frame","ts":0}},
            {{"pid":1,"tid":1,"ph":"X","name":"{inner}","ts":2,"dur":9}},
            {{"pid":1,"tid":1,"ph":"E","name":"{name}","ts":10}},
            {{"pid":1,"tid":1,"ph":"X","name":"later","ts":1000,"dur":5}}]"#
        );
        let mut wanted = vec![("frame", 10, 1), (inner, 9, 1), ("later", 5, 1)];
        if inner == "frame" {
            wanted = vec![("frame", 19, 2), ("later", 5, 1)];
        }
        let mut found = spans(&text);
        found.sort();
        let mut wanted = owned(&wanted);
        wanted.sort();
        assert_eq!(found, wanted, "{name} {inner}");
        assert_eq!(warnings(&text).len(), 1, "{:?}", warnings(&text));
        // The whole length of each, as it was recorded.
        let found = profile(&text);
        let first = found.timeline.spans.get(0);
        assert_eq!(first.length, 10_000);
    }
    // An end without a begin ends nothing.
    let text = r#"[{"pid":1,"tid":1,"ph":"X","name":"a","ts":0,"dur":10},{"pid":1,"tid":1,"ph":"E","ts":5}]"#;
    assert_eq!(spans(text), owned(&[("a", 10, 1)]));
    assert!(warnings(text)[0].contains("did not begin"));
}

/// An id is one of all processes, but where it says that it is local.
#[test]
fn operations_go_from_process_to_process() {
    let lengths = |id: &str| {
        let event = |phase: char, time: u32, process: u32, number: u32| {
            format!(
                r#"{{"name":"req","cat":"ipc","ph":"{phase}","ts":{time},"pid":{process},"tid":1,{}}}"#,
                id.replace('N', &number.to_string())
            )
        };
        let events = [
            event('b', 0, 1, 1),
            event('b', 50, 2, 2),
            event('e', 80, 1, 2),
            event('e', 200, 2, 1),
        ];
        let found = profile(format!("[{}]", events.join(",")));
        let rows = 0..found.timeline.spans.len();
        rows.map(|row| found.timeline.spans.get(row).length / 1000).collect::<Vec<_>>()
    };
    for global in [r#""id":"0xN""#, r#""id":N"#, r#""id2":{"global":"0xN"}"#] {
        assert_eq!(lengths(global), [200, 30], "{global}");
    }
    // What begins here and ends there did not end: it lasts as long as there are events of its process.
    assert_eq!(lengths(r#""id2":{"local":"0xN"}"#), [80, 150]);
}

#[test]
fn values_of_counters_may_be_texts() {
    let text = r#"[{"name":"c","ph":"C","ts":1,"pid":1,"args":{"v":"7.5"}},
        {"name":"c","ph":"C","ts":2,"pid":1,"args":{"v":3}},
        {"name":"c","ph":"C","ts":3,"pid":1,"args":{"v":"n/a","w":true}}]"#;
    let found = profile(text);
    let counters: Vec<_> = found.timeline.counters.iter().map(|one| one.values.clone()).collect();
    assert_eq!(counters, [vec![7.5, 3.0]]);
    let told: Vec<_> =
        crate::measured::read(text).unwrap().warnings.iter().map(|w| w.count).collect();
    assert_eq!(told, [2]);
}

#[test]
fn processes_and_threads_have_names_and_order() {
    let found = profile(
        r#"[{"pid":7,"tid":1,"ph":"X","name":"a","ts":0,"dur":1},{"pid":7,"tid":2,"ph":"X","name":"b","ts":0,"dur":1},
        {"pid":7,"tid":1,"ph":"M","name":"process_name","args":{"name":"shop"}},
        {"pid":7,"tid":2,"ph":"M","name":"thread_name","args":{"name":"till"}},
        {"pid":7,"tid":2,"ph":"M","name":"thread_sort_index","args":{"sort_index":-1}},
        {"pid":9,"tid":9,"ph":"M","name":"process_name","args":{"name":"empty"}}]"#,
    );
    let threads: Vec<_> = (0..found.threads.len() as u32)
        .map(|row| found.thread_name(profile::ThreadId(row)))
        .collect();
    assert_eq!(threads, ["till (2)", "1"]);
    assert_eq!(found.process_name(profile::ProcessId(0)), "shop (7)");
}

#[test]
fn asynchronous_spans_are_a_metric_of_their_own() {
    let found = profile(
        r#"[{"ph":"b","pid":1,"tid":1,"cat":"net","id":1,"name":"get","ts":0},
        {"ph":"b","pid":1,"tid":1,"cat":"net","id":"0x2","name":"get","ts":5},
        {"ph":"n","pid":1,"tid":1,"cat":"net","id":1,"name":"redirect","ts":6},
        {"ph":"b","pid":1,"tid":1,"cat":"net","id":1,"name":"dns","ts":6},
        {"ph":"e","pid":1,"tid":1,"cat":"net","id":1,"name":"dns","ts":8},
        {"ph":"e","pid":1,"tid":1,"cat":"net","id":1,"name":"get","ts":10},
        {"ph":"e","pid":1,"tid":1,"cat":"net","id":"0x2","name":"get","ts":25},
        {"ph":"S","pid":1,"tid":1,"cat":"old","id":3,"name":"job","ts":0},
        {"ph":"F","pid":1,"tid":1,"cat":"old","id":3,"name":"job","ts":4},
        {"ph":"C","pid":1,"tid":1,"name":"heap","ts":4,"args":{"bytes":4}},
        {"ph":"X","pid":1,"tid":1,"name":"run","ts":0,"dur":3}]"#,
    );
    let time = metric(&found, "asynchronous time");
    assert_eq!(folded(&found, time), ["get 28000", "get;dns 2000", "job 4000"]);
    assert_eq!(folded(&found, MetricId(0)), ["run 3000"]);
    assert_eq!(found.origin.default_metric, MetricId(0));
}

#[test]
fn what_is_not_shown_is_counted() {
    let found = warnings(
        r#"[{"ph":"C","pid":1,"tid":1,"name":"heap","ts":4,"args":{"bytes":4}},{"ph":"i","pid":1,"tid":1,"ts":1},
        {"ph":"f","pid":1,"tid":1,"ts":1,"id":1},{"ph":"N","pid":1,"tid":1,"ts":1,"id":1},{"ph":"?"},5,
        {"ph":"B","pid":1,"tid":1,"name":"no time"}]"#,
    );
    assert_eq!(found.len(), 5, "{found:?}");
    assert!(found.iter().any(|told| told.contains("arrive and never left")), "{found:?}");
}

/// One event a line, and whole traces one behind the other, as tools and `cat` write them.
#[test]
fn events_need_no_list() {
    let both = owned(&[("a", 5, 1), ("b", 7, 1)]);
    let [a, b] = [("a", 0, 5), ("b", 6, 7)].map(|(name, time, length)| {
        format!(r#"{{"name":"{name}","ph":"X","ts":{time},"dur":{length},"pid":1,"tid":1}}"#)
    });
    for text in [
        format!("{a}\n{b}\n"),
        format!("{a},\n{b},\n"),
        format!("[,{a}\n,{b}\n"),
        format!("[{a}]\n[{b}]\n"),
        format!(r#"{{"traceEvents":[{a}]}}{{"traceEvents":[{b}]}}"#),
        format!(r#"{{"traceEvents":[{a}]}}[{b}"#),
    ] {
        let mut found = spans(&text);
        found.sort();
        assert_eq!(found, both, "{text}");
    }
    let cut = format!("{a}\n{}", &b[..40]);
    assert_eq!(spans(&cut), owned(&[("a", 5, 1)]));
    assert!(warnings(&cut)[0].contains("the file ends"), "{:?}", warnings(&cut));
    let error = crate::measured::read(format!("[{a}] and more")).unwrap_err().to_string();
    assert!(error.contains("the end of the file"), "{error}");
}

/// What samples weigh is what their writer measured; how many they are is told beside it.
#[test]
fn samples_have_weights() {
    let text = |weights: [&str; 2], name: &str| {
        let [first, second] = weights;
        format!(
            r#"{{"traceEvents":[],"samples":[
            {{"tid":1,"ts":100,"name":"{name}","sf":2,"weight":{first}}},
            {{"tid":1,"ts":200,"name":"{name}","sf":1,"weight":{second}}}],
            "stackFrames":{{"1":{{"name":"a"}},"2":{{"name":"b","parent":1}}}}}}"#
        )
    };
    for (name, told) in [("cycles", "cycles"), ("", "weight")] {
        let found = profile(text(["5", "3"], name));
        let metric = metric(&found, told);
        assert_eq!(found.origin.default_metric, metric);
        assert_eq!(folded(&found, metric), ["a 3", "a;b 5"]);
        assert_eq!(found.metric_total(self::metric(&found, "samples")).0, 2);
    }
    let found = profile(text(["1", "1"], "cycles"));
    assert_eq!(found.metrics.len(), 2);
}

#[test]
fn samples_name_stack_frames() {
    let found = profile(
        r#"{"traceEvents":[{"name":"thread_name","ph":"M","pid":7,"tid":"9","args":{"name":"js"}}],
        "samples":[{"cpu":"-1","name":"","ts":"100","pid":7,"tid":"9","weight":"1","sf":2},
        {"cpu":"1","name":"","ts":"150","pid":7,"tid":"9","weight":"1","sf":1}],
        "stackFrames":{"1":{"name":"[root]","category":"root"},
        "2":{"name":"run(http://h/i.bundle?a=b:17:3)","category":"JavaScript","parent":1}}}"#,
    );
    let expected = [("[root];run", [50_000, 1]), ("[root]", [0, 1])];
    assert_eq!(stacks(&found), expected.map(|(stack, values)| (stack.to_owned(), values.to_vec())));
    assert_eq!(found.frames.column, [0, 3]);
    assert_eq!((found.points.cpu(0), found.points.cpu(1)), (None, Some(1)));
}

/// The same of real files, where they are.
fn check_real_files() {
    for (path, total) in [
        ("trace-event/simple.json", 14_000),
        ("trace-event/simple-object.json", 14_000),
        ("trace-event/multiprocess.json", 8_000),
        ("trace-event/matching-x.json", 10_000),
        ("trace-event/invalid-x-nesting.json", 20_000),
        ("trace-event/too-many-end-events.json", 14_000),
        // The outer span never ends: its time is in no sum.
        ("trace-event/not-enough-end-events.json", 1_000),
    ] {
        let Some(bytes) = corpus(path) else { continue };
        assert_eq!(profile(bytes).metric_total(MetricId(0)).0, total, "{path}");
    }
    let Some(bytes) = corpus("python/recurse.viztracer.json") else { return };
    let json: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
    let events = json["traceEvents"].as_array().unwrap();
    let complete = events.iter().filter(|event| event["ph"] == "X").count();
    let found = profile(bytes);
    assert_eq!(found.metric_total(MetricId(1)).0, complete as i64);
    assert!(found.origin.producer.starts_with("VizTracer"));
}

#[test]
fn spans_and_samples_in_one_file() {
    let found = crate::measured::profile(
        r#"{"traceEvents":[{"ph":"X","name":"a","ts":1,"dur":2,"pid":1,"tid":1},
        {"ph":"b","cat":"c","id":1,"name":"w","ts":1,"pid":1,"tid":1},
        {"ph":"e","cat":"c","id":1,"name":"w","ts":5,"pid":1,"tid":1}],
        "samples":[{"ts":1,"sf":"1","pid":1,"tid":1}],"stackFrames":{"1":{"name":"main"}}}"#,
    );
    let names: Vec<_> = found.metrics.iter().map(|metric| metric.name.as_str()).collect();
    assert_eq!(names, ["time", "calls", "asynchronous time", "sampled time", "samples"]);
    assert_eq!(found.metric_total(MetricId(0)).0, 2000);
}
