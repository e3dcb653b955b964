//! `hotframe show --view spans`, `marks` and `timeline`.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::PathBuf;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::{
    assert_close, command, fail, json as read_json, number, rows, sample, stdout, succeed, texts,
    write,
};

fn show(file: &str, more: &[&str]) -> Value {
    let path = sample(file);
    let mut arguments: Vec<&dyn AsRef<OsStr>> = vec![&"show", &path, &"--format", &"json"];
    arguments.extend(more.iter().map(|one| one as &dyn AsRef<OsStr>));
    read_json(&arguments)
}

/// Calls and self nanoseconds of the longest by thread and name, as the specification has them.
fn reported(name: &str) -> BTreeMap<(String, String), [i64; 2]> {
    let path = sample(&format!("trace-event/reports/{name}.trace.json.report.txt"));
    let report = std::fs::read_to_string(path).unwrap();
    let mut all = BTreeMap::new();
    for part in report.split("\n\npid ").skip(1) {
        let (head, rows) = part.split_once('\n').unwrap();
        let thread = head.split_once(" tid ").unwrap().1.split_once(' ').unwrap().0;
        for row in rows.lines().skip(1) {
            let words: Vec<_> = row.splitn(4, " | ").collect();
            let [calls, own, _, function] = words[..] else { continue };
            let time = |text: &str| (text.parse::<f64>().unwrap() * 1000.0).round() as i64;
            let function = function.rsplit_once(" (").map_or(function, |(name, _)| name);
            let sums = all.entry((thread.to_owned(), function.to_owned())).or_insert([0; 2]);
            let own = [calls.parse().unwrap(), time(own)];
            sums.iter_mut().zip(own).for_each(|(sum, value)| *sum += value);
        }
    }
    all
}

#[test]
fn spans_by_name_are_those_of_the_specification() {
    let mut compared = 0;
    for name in ["default", "file-info"] {
        let mut by_thread: BTreeMap<String, Vec<(String, [i64; 2])>> = BTreeMap::new();
        for ((thread, function), own) in reported(name) {
            by_thread.entry(thread).or_default().push((function, own));
        }
        for (thread, expected) in by_thread {
            let focus = format!("thread={thread}");
            let file = format!("trace-event/{name}.trace.json");
            let told = show(&file, &["--view", "spans", "--label-focus", &focus]);
            let mut found: BTreeMap<&str, [i64; 2]> = BTreeMap::new();
            for row in rows(&told) {
                let sums = found.entry(row["name"].as_str().unwrap()).or_insert([0; 2]);
                let own = ["count", "self_ns"].map(|key| row[key].as_i64().unwrap());
                sums.iter_mut().zip(own).for_each(|(sum, value)| *sum += value);
                let lengths = ["shortest_ns", "median_ns", "p95_ns", "p99_ns", "longest_ns"];
                let lengths = lengths.map(|key| row[key].as_i64().unwrap());
                assert!(lengths.is_sorted(), "{row}");
            }
            for (function, own) in expected {
                assert_eq!(found[&*function], own, "{name} {thread} {function}");
                compared += 1;
            }
        }
    }
    assert!(compared > 30, "{compared}");
}

#[test]
fn filters_choose_spans() {
    let file = "trace-event/default.trace.json";
    let all = show(file, &["--view", "spans"]);
    let one = show(file, &["--view", "spans", "--label-focus", "thread=bee two"]);
    let count =
        |told: &Value| -> u64 { rows(told).iter().map(|row| row["count"].as_u64().unwrap()).sum() };
    assert_eq!((count(&all), count(&one)), (344, 44));
    let tracks = show(file, &["--view", "timeline", "--label-focus", "thread=bee two"]);
    let spans: Vec<u64> = rows(&tracks).iter().map(|row| row["spans"].as_u64().unwrap()).collect();
    assert_eq!(spans, [0, 0, 44, 0]);
}

#[test]
fn tracks_and_marks_are_reported() {
    let told = show("trace-event/detailed.trace.json", &["--view", "timeline"]);
    let found: Vec<Vec<&Value>> = rows(&told)
        .iter()
        .map(|row| {
            ["track", "kind", "depth", "spans", "marks", "counters"].map(|key| &row[key]).into()
        })
        .collect();
    let expected = json!([
        ["MainProcess (25517)", "process", 0, 0, 1, 4],
        ["MainThread (25517)", "thread", 1, 113, 0, 0],
        ["bee two (25519)", "thread", 1, 18, 0, 0],
        ["bee \"one\" (25518)", "thread", 1, 3, 0, 0],
        ["brood (25520)", "process", 0, 0, 0, 0],
        ["MainThread (25517)", "thread", 1, 34, 0, 0],
    ]);
    assert_eq!(json!(found), expected);
    let told = show("trace-event/detailed.trace.json", &["--view", "marks"]);
    let mark = &told["rows"][0];
    assert_eq!((&mark["kind"], &mark["count"]), (&json!("swarm"), &json!(1)));
    assert_eq!(mark["first_ns"], mark["last_ns"]);
    let node = sample("trace-event/node.trace.json");
    let text = stdout(&[&"show", &node, &"--view", &"spans", &"-n", &"2"]);
    assert!(text.contains("MESSAGEPORT  asynchronous") && text.contains("more names"), "{text}");
}

/// Two threads that work, and collections of one and of all. Times in microseconds.
fn working(folder: &TempDir) -> PathBuf {
    let span = |thread: u32, from: u32, to: u32| json!({"ph": "X", "name": "work", "pid": 1, "tid": thread, "ts": from, "dur": to - from});
    let mark = |scope: &str, at: u32| json!({"ph": "i", "name": "GC", "pid": 1, "tid": 1, "ts": at, "s": scope});
    let events = [
        span(1, 0, 100),
        span(1, 150, 200),
        span(1, 200, 260),
        span(2, 50, 250),
        mark("t", 120),
        mark("p", 10),
    ];
    write(folder, "working.json", json!({"traceEvents": events}).to_string())
}

#[test]
fn gaps_concurrency_and_rates_are_reported() {
    let folder = TempDir::new().unwrap();
    let path = working(&folder);
    let of = |view: &str, more: &[&str]| {
        let mut arguments: Vec<&dyn AsRef<OsStr>> =
            vec![&"show", &path, &"--view", &view, &"--format", &"json"];
        arguments.extend(more.iter().map(|one| one as &dyn AsRef<OsStr>));
        read_json(&arguments)
    };
    let gaps = of("gaps", &[]);
    let expected = json!([{
        "name": "work", "file": "", "asynchronous": false, "total_ns": 50_000, "count": 1,
        "shortest_ns": 50_000, "median_ns": 50_000, "p95_ns": 50_000, "p99_ns": 50_000,
        "longest_ns": 50_000, "longest_at_ns": 100_000, "longest_track": "1",
    }]);
    assert_eq!(gaps["rows"], expected);
    assert_eq!(gaps["counted_ns"], 260_000);
    let half = of("concurrency", &["--time", "..100us"]);
    let row = |of: &str, name: &str, mean: f64| {
        json!({
            "kind": of, "name": name, "file": "", "peak": 2, "peak_at_ns": 50_000,
            "time_at_peak_ns": 50_000, "mean": mean, "busy_ns": 100_000,
        })
    };
    assert_eq!(half["rows"], json!([row("threads", "1", 1.5), row("spans", "work", 1.5)]));
    let whole = of("concurrency", &[]);
    let first = &whole["rows"][0];
    let values = ["peak", "peak_at_ns", "time_at_peak_ns", "busy_ns"].map(|key| &first[key]);
    assert_eq!(json!(values), json!([2, 50_000, 150_000, 260_000]));
    assert!((first["mean"].as_f64().unwrap() - 410.0 / 260.0).abs() < 1e-12);
    let marks = of("marks", &["--time", "..130us"]);
    assert_eq!(marks["rows"][0]["count"], 2);
    assert!((marks["rows"][0]["per_second"].as_f64().unwrap() - 2.0 / 130e-6).abs() < 1e-6);
    for (view, words) in
        [("gaps", "between spans of"), ("concurrency", "peak at"), ("marks", "per second")]
    {
        for format in ["text", "markdown"] {
            let told = stdout(&[&"show", &path, &"--view", &view, &"--format", &format]);
            assert!(told.contains(words), "{told}");
        }
        let csv = stdout(&[&"show", &path, &"--view", &view, &"--format", &"csv"]);
        assert!(csv.lines().count() > 1, "{csv}");
    }
}

#[test]
fn samples_and_series_are_reported() {
    let of = |more: &[&str]| -> Value {
        let mut arguments = vec!["--view", "timeline"];
        arguments.extend(more);
        let told = show("perf-script/default.perf-script", &arguments);
        let keys = ["track", "samples", "first_ns", "last_ns"];
        rows(&told).iter().map(|row| json!(keys.map(|key| &row[key]))).take(2).collect()
    };
    let expected = json!([
        ["orchard (22797)", 8, 0, 359_221_000],
        ["apple picker (22799)", 20, 4_318_000, 361_861_000],
    ]);
    assert_eq!(of(&[]), expected);
    let expected = json!([
        ["orchard (22797)", 7, 0, 4_514_000],
        ["apple picker (22799)", 1, 4_318_000, 4_318_000],
    ]);
    assert_eq!(of(&["--time", "..5ms"]), expected);
    let info =
        read_json(&[&"info", &sample("perfetto/bakery.perfetto-trace"), &"--format", &"json"]);
    let timeline = &info["timeline"];
    assert_eq!(
        timeline["flows"][0],
        json!({"name": "take order", "count": 8, "total_ns": 200_000})
    );
    let till = json!({"track": "bakery (40)", "name": "till", "unit": "bytes", "values": 8, "sum": 14_000.0});
    assert_eq!(timeline["counters"][0], till);
    let text = stdout(&[&"info", &sample("perfetto/bakery.perfetto-trace")]);
    assert!(text.contains("13 tracks, 44 spans, 5 marks, 4 counters"), "{text}");
}

#[test]
fn what_was_near_marks_is_kept() {
    let folder = TempDir::new().unwrap();
    let path = working(&folder);
    let around = |margin: &str| {
        let told = read_json(&[
            &"show",
            &path,
            &"--view",
            &"spans",
            &"--format",
            &"json",
            &"--around",
            &margin,
        ]);
        let row = &told["rows"][0];
        [row["count"].clone(), row["total_ns"].clone()]
    };
    // The mark of the process counts on both threads, that of the thread on its own.
    assert_eq!(around("^GC$=20us"), [json!(1), json!(30_000)]);
    // Of thread 1 what was in 0..60 and 70..170, of thread 2 in 0..60.
    assert_eq!(around("gc=50us"), [json!(3), json!(60_000 + 30_000 + 20_000 + 10_000)]);
    for (wrong, why) in [
        ("GC", "names no marks with a margin"),
        ("GC=fast", "'fast' is not a time"),
        ("GC=0s", "must be more than 0"),
    ] {
        let said = fail(1, &[&"show", &path, &"--around", &wrong]);
        assert!(said.contains(why), "{said}");
    }
}

#[test]
fn reports_the_way_through_a_span() {
    let folder = TempDir::new().unwrap();
    let span = |name: &str, thread: u32, from: u32, to: u32| json!({"ph": "X", "name": name, "pid": 1, "tid": thread, "ts": from, "dur": to - from});
    let flow = |phase: &str, id: u32, thread: u32, at: u32| json!({"ph": phase, "name": "ask", "cat": "c", "id": id, "pid": 1, "tid": thread, "ts": at, "bp": "e"});
    let events = [
        span("request", 1, 0, 100),
        span("answer", 2, 20, 60),
        span("idle", 2, 200, 210),
        flow("s", 1, 1, 10),
        flow("f", 1, 2, 25),
        flow("s", 2, 2, 50),
        flow("f", 2, 1, 80),
    ];
    let path = write(&folder, "asked.json", json!({"traceEvents": events}).to_string());
    let told = read_json(&[&"show", &path, &"--view", &"critical-path", &"--format", &"json"]);
    assert_eq!(
        [&told["span"], &told["begin_ns"], &told["end_ns"]],
        [&json!("request"), &json!(0), &json!(100_000)]
    );
    let pieces: Vec<_> = rows(&told)
        .iter()
        .map(|row| ["track", "kind", "name", "begin_ns", "end_ns"].map(|key| row[key].clone()))
        .collect();
    let expected = json!([
        ["1", "span", "request", 0, 10_000],
        ["2", "flow", "ask", 10_000, 25_000],
        ["2", "span", "answer", 25_000, 50_000],
        ["1", "flow", "ask", 50_000, 80_000],
        ["1", "span", "request", 80_000, 100_000],
    ]);
    assert_eq!(json!(pieces), expected);
    let told = read_json(&[
        &"show",
        &path,
        &"--view",
        &"critical-path",
        &"--during",
        &"idle",
        &"--format",
        &"json",
    ]);
    assert_eq!((&told["span"], rows(&told).len()), (&json!("idle"), 1));
    let said = fail(1, &[&"show", &path, &"--view", &"critical-path", &"--during", &"nothing"]);
    assert!(said.contains("--during nothing matches nothing"), "{said}");
    let text = stdout(&[&"show", &path, &"--view", &"critical-path"]);
    assert!(text.contains("request on 1: 100") && text.contains("ask  flow to 2"), "{text}");
}

/// Two requests, each with two asynchronous spans that are longer.
fn with_operations(folder: &TempDir, name: &str) -> PathBuf {
    let operation = |phase: &str, id: u32, at: u32| json!({"ph": phase, "name": "fetch", "cat": "net", "id": id, "pid": 1, "tid": 1, "ts": at});
    let span = |from: u32, to: u32| json!({"ph": "X", "name": "request", "pid": 1, "tid": 1, "ts": from, "dur": to - from});
    let events = [
        span(0, 40),
        span(60, 90),
        operation("b", 1, 0),
        operation("e", 1, 500),
        operation("b", 2, 100),
        operation("e", 2, 400),
    ];
    write(folder, name, json!({"traceEvents": events}).to_string())
}

#[test]
fn the_path_tells_which_spans_it_leaves_out() {
    let folder = TempDir::new().unwrap();
    let path = with_operations(&folder, "one.json");
    let path_of = |more: &[&str]| {
        let mut arguments: Vec<&dyn AsRef<OsStr>> =
            vec![&"show", &path, &"--view", &"critical-path", &"--format", &"json"];
        arguments.extend(more.iter().map(|one| one as &dyn AsRef<OsStr>));
        read_json(&arguments)
    };
    let told = path_of(&[]);
    assert_eq!(told["span"], "request");
    let notes = told["warnings"].to_string();
    assert!(notes.contains("2 asynchronous spans are not considered"), "{notes}");
    assert!(notes.contains("the path stays on one track"), "{notes}");
    let told = path_of(&["--during", "fetch"]);
    assert_eq!((&told["span"], &told["end_ns"]), (&json!("fetch"), &json!(500_000)));
    let notes = told["warnings"].to_string();
    assert!(!notes.contains("asynchronous") && notes.contains("do not cut the path"), "{notes}");
}

#[test]
fn rows_of_several_recordings_name_theirs() {
    let folder = TempDir::new().unwrap();
    let files = ["one.json", "two.json"].map(|name| with_operations(&folder, name));
    let of = |view: &str| {
        let json: Vec<&dyn AsRef<OsStr>> =
            vec![&"show", &files[0], &files[1], &"--view", &view, &"--format", &"json"];
        read_json(&json)
    };
    let told = of("concurrency");
    let of_lanes = rows(&told).iter().filter(|row| row["kind"] == "operations");
    let names: Vec<&str> = of_lanes.map(|row| row["name"].as_str().unwrap()).collect();
    assert_eq!(names.len(), 2);
    assert!(names[0].ends_with(" of one.json") && names[1].ends_with(" of two.json"), "{names:?}");
    let of_threads = rows(&told).iter().filter(|row| row["kind"] == "threads");
    assert!(of_threads.clone().count() == 2, "{told}");
    assert_eq!(of("gaps")["rows"][0]["longest_track"], "1 of one.json");
    assert_eq!(of("critical-path")["rows"][0]["track"], "1 of one.json");
    assert_eq!(of("critical-path")["track"], "1 of one.json");
    let tracks = of("timeline");
    let named = |row: &serde_json::Value| row["track"].as_str().unwrap().contains(" of ");
    assert!(rows(&tracks).iter().all(named), "{tracks}");
}

#[test]
fn reports_what_filters_of_time_leave_out() {
    let folder = TempDir::new().unwrap();
    let path = working(&folder);
    for (filter, pattern, note) in [
        ("--time", "1s..2s", "nothing was recorded in 1s..2s: the recording is 0ns..260us"),
        ("--during", "rest", "no span has a frame that matches rest"),
        ("--around", "rest=1s", "no mark is of a kind that rest=1s matches"),
    ] {
        for view in ["flat", "spans"] {
            let output = command(&[
                &"show",
                &path,
                &"--view",
                &view,
                &filter,
                &pattern,
                &"--format",
                &"json",
            ])
            .output()
            .unwrap();
            let (out, err) = texts(&output);
            if filter == "--time" {
                let told: Value = serde_json::from_str(&out).unwrap();
                assert_eq!(told["warnings"], json!([note]), "{err}");
                assert_eq!(err, format!("hotframe: {note}\n"));
            } else {
                let why = format!("hotframe: {filter} {pattern} matches nothing in working.json\n");
                assert_eq!(err, why);
                assert_eq!((output.status.code(), out), (Some(1), String::new()));
            }
        }
    }
    let pprof = sample("pprof/cpu.pb.gz");
    let err = fail(1, &[&"show", &pprof, &"--time", &"0s..1s"]);
    assert!(err.contains("cpu.pb.gz has no times: --time cannot be used"), "{err}");
}

#[test]
fn profiles_without_time_say_so() {
    let path = sample("pprof/cpu.pb.gz");
    for view in ["spans", "gaps", "concurrency", "marks", "timeline"] {
        let said = fail(1, &[&"show", &path, &"--view", &view]);
        assert!(said.contains("has no timestamps"), "{said}");
    }
}

/// What `info` lists as labels of spans can be filtered and split by, and all views agree.
#[test]
fn arguments_of_spans_are_labels() {
    let folder = TempDir::new().unwrap();
    // A request of each route, with a query inside, and one that does not tell its route.
    let file = write(
        &folder,
        "requests.json",
        r#"[{"ph":"X","pid":1,"tid":1,"ts":0,"dur":1000,"name":"handle","args":{"route":"/a","size":5000}},
            {"ph":"X","pid":1,"tid":1,"ts":100,"dur":400,"name":"query"},
            {"ph":"X","pid":1,"tid":1,"ts":2000,"dur":50,"name":"handle","args":{"route":"/b","size":10}},
            {"ph":"X","pid":1,"tid":1,"ts":2010,"dur":20,"name":"query","args":{"size":7000}},
            {"ph":"X","pid":1,"tid":2,"ts":0,"dur":300,"name":"handle"}]"#,
    );
    let info = stdout(&[&"info", &file]);
    assert!(info.contains("route, size"), "{info}");
    let file = file.to_str().unwrap();
    let values = |arguments: &[&str]| -> Vec<(String, f64)> {
        let report = show(file, &[arguments, &["--view", "flat"]].concat());
        let row =
            |row: &Value| (row["function"].as_str().unwrap().to_owned(), number(&row["self"]));
        let mut all: Vec<_> = rows(&report).iter().map(row).collect();
        all.sort_by(|a, b| a.0.cmp(&b.0));
        all
    };
    let of = |handle: f64, query: f64| vec![("handle".into(), handle), ("query".into(), query)];
    assert_eq!(values(&["--label-focus", "route=/a"]), of(600e3, 400e3));
    assert_eq!(values(&["--label-focus", "route=/b"]), of(30e3, 20e3));
    assert_eq!(values(&["--label-ignore", "route=/a"]), of(330e3, 20e3));
    // The innermost size counts.
    assert_eq!(values(&["--label-focus", "size=1000:"]), of(600e3, 420e3));
    assert_eq!(values(&["--label-focus", "route=/a", "--metric", "calls"]), of(1.0, 1.0));
    for (route, expected) in [("/a", 1e6), ("/b", 50e3), ("(no label route)", 300e3)] {
        let member = format!("member=^{}$", route.replace('(', "[(]").replace(')', "[)]"));
        let arguments = ["--view", "flat", "--members-by", "route", "--label-focus", &member];
        let report = show(file, &arguments);
        let sum: f64 = rows(&report).iter().map(|row| number(&row["self"])).sum();
        assert_close(sum, expected, route);
    }
    let spans = show(file, &["--view", "spans", "--label-focus", "route=/a"]);
    let told: Vec<_> = rows(&spans)
        .iter()
        .map(|row| (row["name"].as_str().unwrap(), number(&row["total_ns"]), number(&row["count"])))
        .collect();
    assert_eq!(told, [("handle", 1e6, 1.0), ("query", 400e3, 1.0)]);
}

/// Numbers that are not whole are in ranges, ends tell the last value, and operations keep apart.
#[test]
fn labels_of_spans_are_as_the_file_tells() {
    let folder = TempDir::new().unwrap();
    let kept = |text: &str, filter: &str| -> f64 {
        let file = write(&folder, "trace.json", text);
        let report = show(file.to_str().unwrap(), &["--view", "spans", "--label-focus", filter]);
        rows(&report).iter().map(|row| number(&row["total_ns"])).sum()
    };
    let fractions = r#"[{"ph":"X","pid":1,"tid":1,"ts":0,"dur":1,"name":"A","args":{"ms":12}},
        {"ph":"X","pid":1,"tid":1,"ts":10,"dur":2,"name":"B","args":{"ms":12.5}},
        {"ph":"X","pid":1,"tid":1,"ts":20,"dur":4,"name":"C","args":{"ms":15.0}},
        {"ph":"X","pid":1,"tid":1,"ts":30,"dur":8,"name":"D","args":{"ms":1e1}},
        {"ph":"X","pid":1,"tid":1,"ts":40,"dur":16,"name":"E","args":{"ms":25.5}}]"#;
    assert_close(kept(fractions, "ms=10:20"), 15e3, "all but the last");
    assert_close(kept(fractions, "ms=10.5:13"), 3e3, "A and B");
    let changed = r#"[{"ph":"B","pid":1,"tid":1,"ts":0,"name":"A","args":{"status":"pending"}},
        {"ph":"E","pid":1,"tid":1,"ts":10,"name":"A","args":{"status":"ok"}},
        {"ph":"X","pid":1,"tid":1,"ts":20,"dur":5,"name":"A","args":{"status":"new","status":"ok"}}]"#;
    assert_close(kept(changed, "status=ok"), 15e3, "the last value");
    assert_close(kept(changed, "status=."), 15e3, "any value");
    let operations = r#"[{"ph":"b","cat":"c","id":"1","name":"req","pid":1,"tid":1,"ts":0,"args":{"route":"/a"}},
        {"ph":"b","cat":"c","id":"2","name":"req","pid":1,"tid":1,"ts":10,"args":{"route":"/b"}},
        {"ph":"b","cat":"c","id":"1","name":"db","pid":1,"tid":1,"ts":20},
        {"ph":"e","cat":"c","id":"1","name":"db","pid":1,"tid":1,"ts":50},
        {"ph":"b","cat":"c","id":"2","name":"db","pid":1,"tid":1,"ts":60},
        {"ph":"e","cat":"c","id":"2","name":"db","pid":1,"tid":1,"ts":67},
        {"ph":"e","cat":"c","id":"1","name":"req","pid":1,"tid":1,"ts":90},
        {"ph":"e","cat":"c","id":"2","name":"req","pid":1,"tid":1,"ts":100}]"#;
    assert_close(kept(operations, "route=/a"), 120e3, "90 and 30");
    assert_close(kept(operations, "route=/b"), 97e3, "90 and 7");
    // Copies in all formats that hold operations say the same.
    let file = write(&folder, "operations.json", operations);
    for format in ["hotframe", "trace-event", "perfetto"] {
        let copy = folder.path().join(format!("copy.{format}"));
        succeed(&[&"convert", &file, &"--to", &format, &"-o", &copy]);
        let report =
            show(copy.to_str().unwrap(), &["--view", "spans", "--label-focus", "route=/b"]);
        let sum: f64 = rows(&report).iter().map(|row| number(&row["total_ns"])).sum();
        assert_close(sum, 97e3, format);
    }
}
