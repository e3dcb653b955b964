//! Profiles of Firefox in both forms: their oddities, and sums by the format's definition as the
//! measure.

use crate::measured::{corpus, folded, metric, profile, sample, stacks, text, warnings};
use profile::{FrameId, MetricId, Profile};

fn times(profile: &Profile) -> Vec<i64> {
    (0..profile.points.len()).map(|row| profile.points.time(row).unwrap()).collect()
}

#[test]
fn sums_are_those_of_the_definition() {
    for name in ["events", "per-cpu", "inlined"] {
        let found = sample(&format!("firefox/{name}.firefox.json.gz"));
        let report = text(&format!("firefox/reports/{name}.firefox.json.gz.report.txt"));
        let mut threads = 0;
        for line in report.lines().filter(|line| line.contains("): samples ")) {
            let (head, rest) = line
                .split_once(": samples ")
                .filter(|_| !line.contains(": b [x]"))
                .or(line.rsplit_once(": samples "))
                .unwrap();
            let tid = head.rsplit_once("tid ").unwrap().1.trim_end_matches(')');
            let number = |key: &str| -> i64 {
                let rest = format!("samples {rest}");
                let after = rest.split(&format!("{key} ")).nth(1).unwrap().to_owned();
                after.split([',', ' ']).next().unwrap().parse().unwrap()
            };
            let samples = metric(&found, "samples");
            let rows = (0..found.points.len()).filter(|&row| {
                let thread = found.points.thread(row).unwrap();
                found.text(found.threads[thread.index()].id) == tid
            });
            let sum: i64 = rows.map(|row| found.points.value(row, samples)).sum();
            assert_eq!(sum, number("weight"), "{name}: {head}");
            threads += 1;
        }
        assert!(threads > 1, "{name}");
    }
    let cpu = sample("firefox/events.firefox.json.gz");
    let cpu_metric = metric(&cpu, "cpu");
    assert_eq!(cpu.metric_total(cpu_metric).0, (101_010 + 80_808 + 181_818) * 1000);
    check_real_files();
}

/// A processed profile with these members beside the usual ones.
fn processed(meta: &str, tables: &str, samples: &str) -> String {
    format!(
        r#"{{"meta":{{"interval":1,"startTime":1000.5,"preprocessedProfileVersion":60,"product":"Test",
        "categories":[{{"name":"Other","color":"grey"}},{{"name":"JavaScript"}}]{meta}}},
        "libs":[{{"name":"lib.so","path":"/usr/lib.so","breakpadId":"B","codeId":"C"}}],
        "threads":[{{"name":"main","processName":"Web","pid":"7","tid":9,"samples":{samples}{tables}}}]}}"#
    )
}

const TABLES: &str = r#","stringArray":["run","0x10","inner","a.js"],
    "funcTable":{"length":3,"name":[0,1,2],"resource":[-1,0,0],"fileName":[3,null,3],"lineNumber":[5,null,2],"columnNumber":[1,null,null]},
    "resourceTable":{"length":1,"lib":[0],"name":[1],"type":[1]},
    "frameTable":{"length":4,"address":[-1,16,16,32],"inlineDepth":[0,0,1,0],"category":[1,null,null,0],"func":[0,1,2,2],"line":[6,null,4,8],"column":[null,null,null,null]},
    "stackTable":{"length":4,"prefix":[null,0,1,null],"frame":[0,1,2,3]}"#;

#[test]
fn inlined_functions_are_part_of_their_location() {
    let found = profile(processed(
        "",
        TABLES,
        r#"{"length":3,"stack":[2,null,3],"timeDeltas":[1.5,1,1],"weight":[2,1,1],"weightType":"samples"}"#,
    ));
    assert_eq!(folded(&found, MetricId(0)), [" 1", "inner 1", "run;lib.so+0x10;inner 2"]);
    assert_eq!(times(&found), [1_500_000, 2_500_000, 3_500_000]);
    assert!((0..found.frames.len() as u32).any(|frame| found.is_inlined(FrameId(frame))));
    assert_eq!(found.contexts.len(), 5);
    let module = &found.modules[0];
    assert_eq!((found.text(module.name), found.text(module.build_id)), ("/usr/lib.so", "C"));
    let labels: Vec<_> = (0..3).map(|row| found.points.labels(row).0).collect();
    assert!(labels[0] > 0 && labels[1] == 0 && labels[2] > 0 && labels[0] != labels[2]);
    assert_eq!(found.origin.time_ns, 1_000_500_000);
    assert_eq!(found.thread_name(profile::ThreadId(0)), "main (9)");
    assert_eq!(found.process_name(profile::ProcessId(0)), "Web (7)");
}

#[test]
fn tables_may_be_shared_and_parents_be_reported_by_distance() {
    let own = processed(
        "",
        TABLES,
        r#"{"length":1,"stack":[2],"time":[3],"weight":null,"weightType":"samples"}"#,
    );
    let shared = format!(
        r#"{{"meta":{{"preprocessedProfileVersion":70}},"threads":[{{"tid":1,"samples":{{"stack":[2],"time":[3]}}}}],
        "libs":[{{"name":"lib.so","path":"/usr/lib.so"}}],"shared":{{{}}}}}"#,
        TABLES
            .trim_start_matches(',')
            .replace(r#""prefix":[null,0,1,null]"#, r#""prefixOffset":[0,1,1,0]"#)
            .replace("\"lib\":[0],", "")
            .replace("\"func\":[0", "\"lib\":[-1,0,0,-1],\"func\":[0")
            .replace(r#""fileName":[3,null,3]"#, r#""source":[0,null,0]"#)
            + r#","sources":{"length":1,"id":[null],"filename":[3]}"#
    );
    let (own, shared) = (profile(own), profile(shared));
    assert_eq!(folded(&own, MetricId(0)), ["run;lib.so+0x10;inner 1"]);
    assert_eq!(folded(&shared, MetricId(0)), folded(&own, MetricId(0)));
    assert_eq!(shared.frame_file(FrameId(0)), own.frame_file(FrameId(0)));
}

#[test]
fn weights_cpu_time_and_allocations_are_metrics() {
    let samples = r#"{"length":2,"stack":[0,0],"time":[1,2],"weight":[0.25,-1.5],"weightType":"tracing-ms",
        "threadCPUDelta":[null,12.5]},"jsAllocations":{"time":[1],"stack":[0],"weight":[48],"weightType":"bytes","length":1},
        "nativeAllocations":{"time":[1,2],"stack":[0,1],"weight":[100,-40],"weightType":"bytes","length":2},
        "markers":{"length":3,"data":[null,null,null],"name":[0,0,0]}"#;
    let text = processed(r#","sampleUnits":{"threadCPUDelta":"µs"}"#, TABLES, samples);
    let found = profile(&text);
    let totals: Vec<_> = found
        .metric_ids()
        .map(|id| (found.metric(id).name.as_str(), found.metric_total(id).0))
        .collect();
    assert_eq!(
        totals,
        [
            ("time", -1_250_000),
            ("cpu", 12_500),
            ("JS allocations", 48),
            ("native allocations", 100),
            ("native deallocations", 40)
        ]
    );
    assert!(warnings(&text)[0].contains("markers"));
}

#[test]
fn gecko_processes_stand_inside_each_other() {
    let thread = |stack: u32| {
        format!(
            r#"[{{"name":"GeckoMain","processType":"tab","tid":5,"pid":{stack}4,
        "samples":{{"schema":{{"stack":0,"time":1,"responsiveness":2}},"data":[[{stack},1.5],[null,2]]}},
        "stackTable":{{"schema":{{"prefix":0,"frame":1}},"data":[[null,0],[0,1],[1,2],[2,3]]}},
        "frameTable":{{"schema":{{"location":0,"relevantForJS":1,"innerWindowID":2,"implementation":3,"line":4,"column":5,"category":6}},
        "data":[[0],[1,null,null,null,7,3,0],[2],[3]]}},
        "markers":{{"schema":{{"name":0}},"data":[[0]]}},
        "stringTable":["(root)","draw (http://a/b.js:5:9)[3]","0x1010","XRE (in XUL) + 12"]}}]"#
        )
    };
    let text = format!(
        r#"{{"meta":{{"version":30,"interval":1,"startTime":1000,"categories":[{{"name":"JS"}}]}},
        "libs":[{{"start":4096,"end":8192,"name":"XUL","path":"/XUL"}}],"threads":{},
        "processes":[{{"meta":{{"version":30,"startTime":1100}},"libs":[],"threads":{},"processes":[]}}]}}"#,
        thread(3),
        thread(2)
    );
    let found = profile(&text);
    let rows: Vec<_> = stacks(&found).into_iter().map(|(stack, _)| stack).collect();
    assert_eq!(rows, ["(root);draw;XUL+0x10;XRE", "", "(root);draw;0x1010", ""]);
    assert_eq!(times(&found), [1_500_000, 2_000_000, 101_500_000, 102_000_000]);
    assert_eq!(found.processes.len(), 2);
    let draw = (0..found.frames.len() as u32)
        .map(FrameId)
        .find(|&f| found.frame_name(f) == "draw")
        .unwrap();
    assert_eq!((found.frame_file(draw), found.frames.line[draw.index()]), ("http://a/b.js", 7));
}

/// The same of real files, where they are.
fn check_real_files() {
    for (path, format, samples) in [
        ("firefox-fixtures/processed-1.json", "firefox", 21),
        ("firefox-fixtures/gecko-1.json", "gecko", 21),
        ("firefox/gecko-59.json", "gecko", 38),
        ("python/recurse.tachyon.gecko.json", "firefox", 46),
    ] {
        let Some(bytes) = corpus(path) else { continue };
        let found = profile(bytes);
        assert_eq!(found.origin.format, format, "{path}");
        assert_eq!(found.metric_total(MetricId(0)).0, samples, "{path}");
        assert!(found.contexts.len() > 5 && found.points.has_times(), "{path}");
    }
}

#[test]
fn rows_may_come_before_their_schema() {
    let with = |table: &str| {
        format!(
            r#"{{"meta":{{"version":24,"startTime":0,"interval":1,"product":"Firefox"}},"libs":[],
            "threads":[{{"name":"Main","tid":1,"pid":1,
            "samples":{{{table}}},
            "stackTable":{{"data":[[null,0]],"schema":{{"prefix":0,"frame":1}}}},
            "frameTable":{{"data":[[0]],"schema":{{"location":0}}}},
            "markers":{{"schema":{{"name":0}},"data":[]}},
            "stringTable":["main"]}}],"processes":[]}}"#
        )
    };
    let (data, schema) =
        (r#""data":[[0,1.0],[0,2.0],[0,3.0]]"#, r#""schema":{"stack":0,"time":1}"#);
    let after = crate::measured::profile(with(&format!("{schema},{data}")));
    let before = crate::measured::profile(with(&format!("{data},{schema}")));
    assert_eq!(crate::measured::folded(&before, MetricId(0)), ["main 3"]);
    assert!(before == after);
}

#[test]
fn functions_named_by_addresses_are_distinguished() {
    let text = r#"{"meta":{"preprocessedProfileVersion":40,"version":24,"startTime":0,"interval":1,"product":"x"},
        "libs":[{"name":"liba.so","path":"/liba.so","arch":""}],
        "threads":[{"name":"Main","tid":1,"pid":1,
        "samples":{"length":3,"stack":[0,1,2],"time":[1,2,3],"weight":null,"weightType":"samples"},
        "stackTable":{"length":3,"frame":[0,1,2],"prefix":[null,null,null]},
        "frameTable":{"length":3,"func":[0,1,2],"address":[-1,-1,-1],"line":[null,null,null]},
        "funcTable":{"length":3,"name":[0,1,2],"resource":[0,0,-1],"fileName":[null,null,null]},
        "resourceTable":{"length":1,"lib":[0],"name":[3],"type":[1]},
        "stringArray":["0x1f40","0x2a10","0x1f40","liba.so"]}]}"#;
    let found = crate::measured::profile(text);
    let mut names: Vec<_> = crate::measured::folded(&found, MetricId(0));
    names.sort();
    names.dedup();
    assert_eq!(names.len(), 3, "{names:?}");
    assert!(names.iter().any(|name| name.contains("2a10")), "{names:?}");
    let mut places: Vec<_> = found.locations.address.clone();
    places.sort_unstable();
    assert_eq!(places, [0x1f40, 0x1f40, 0x2a10]);
}
