//! V8's CPU profiles: their oddities, and sums by the protocol's definition as the measure.

use std::collections::BTreeMap;

use crate::measured::{both, folded, metric, names, profile, sample, stacks, text, warnings};
use profile::{MetricId, Profile, decimal_text};

/// Self values by name with place, as the reports name functions.
fn by_place(profile: &Profile, metric: usize) -> BTreeMap<String, i64> {
    let mut sums = BTreeMap::new();
    for (row, &at) in profile.points.context.iter().enumerate() {
        let name = match profile.frames_of(at).last().map(profile::FrameId) {
            None => "(root)".to_owned(),
            Some(frame) => {
                let (name, file) = (profile.frame_name(frame), profile.frame_file(frame));
                let start = profile.frames.function(frame).map(|function| {
                    let (lines, columns) =
                        (&profile.functions.start_line, &profile.functions.start_column);
                    (lines[function.index()], columns[function.index()])
                });
                match (file, start) {
                    ("", _) | (_, None) => name.into_owned(),
                    (file, Some((line, column))) => format!("{name} {file}:{line}:{column}"),
                }
            }
        };
        *sums.entry(name).or_default() += profile.points.row(row)[metric];
    }
    sums
}

#[test]
fn sums_are_those_of_the_protocol() {
    let mut compared = 0;
    for name in ["main", "worker", "inspector", "browser"] {
        let found = sample(&format!("cpuprofile/{name}.cpuprofile"));
        let report = text(&format!("cpuprofile/reports/{name}.cpuprofile.report.txt"));
        let negative = !report.contains(" negative 0");
        let (times, counts) = (by_place(&found, 0), by_place(&found, 1));
        for row in report.lines().skip_while(|line| !line.starts_with("self:")).skip(1) {
            let (own, rest) = row.split_once(" | ").unwrap();
            let function = rest.split_once(" | ").unwrap().1;
            let own: Vec<i64> = own.split(' ').map(|n| n.parse().unwrap()).collect();
            assert_eq!(counts.get(function).copied().unwrap_or(0), own[0], "{name}: {function}");
            if !negative {
                let time = times.get(function).copied().unwrap_or(0);
                assert_eq!(time, own[2] * 1000, "{name}: {function}");
            }
            compared += 1;
        }
        let sum = report.lines().find_map(|line| line.strip_prefix("sum of until_next ")).unwrap();
        assert_eq!(found.metric_total(MetricId(0)).0, sum.parse::<i64>().unwrap() * 1000, "{name}");
    }
    assert!(compared > 100, "only {compared} functions were compared");
}

/// Samples on the lines of a profile's functions: by name and line.
fn samples_by_line(profile: &Profile) -> BTreeMap<(String, u32), i64> {
    let mut sums = BTreeMap::new();
    for (row, &at) in profile.points.context.iter().enumerate() {
        if let Some(frame) = profile.frames_of(at).last().map(profile::FrameId) {
            let line = profile.frames.line[frame.index()];
            let name = profile.frame_name(frame).into_owned();
            *sums.entry((name, line)).or_default() += profile.points.row(row)[1];
        }
    }
    sums
}

#[test]
fn samples_are_on_the_lines_that_have_the_hits() {
    let text = r#"{"startTime":0,"endTime":70,"nodes":[
        {"id":1,"callFrame":{"functionName":"(root)","url":"","lineNumber":-1,"columnNumber":-1},"children":[2,3]},
        {"id":2,"callFrame":{"functionName":"a","url":"a.js","lineNumber":2,"columnNumber":4},
         "positionTicks":[{"line":4,"ticks":3},{"line":5,"ticks":0},{"line":7,"ticks":1},{"line":8,"ticks":-1}]},
        {"id":3,"callFrame":{"functionName":"b","url":"a.js","lineNumber":20,"columnNumber":4}}],
        "samples":[2,2,3,2,2,3,2],"timeDeltas":[0,10,10,10,10,10,10]}"#;
    let found = profile(text);
    let by_line = samples_by_line(&found);
    let at = |name: &str, line| by_line.get(&(name.to_owned(), line)).copied();
    // Five samples of four hits: one hit is taken twice.
    let (four, seven) = (at("a", 4).unwrap(), at("a", 7).unwrap());
    assert!((four, seven) == (4, 1) || (four, seven) == (3, 2), "{by_line:?}");
    assert_eq!(at("b", 21), Some(2));
    assert_eq!(by_line.len(), 3);
    assert_eq!(folded(&found, MetricId(1)), ["a 5", "b 2"]);
}

/// V8 counts a function that it inlined by its own lines, in the file of who calls it.
#[test]
fn lines_before_a_function_are_none_of_its_own() {
    let text = r#"{"startTime":0,"endTime":40,"nodes":[
        {"id":1,"callFrame":{"functionName":"(root)","url":"","lineNumber":-1,"columnNumber":-1},"children":[2]},
        {"id":2,"callFrame":{"functionName":"a","url":"a.js","lineNumber":20,"columnNumber":4},"hitCount":4,
         "positionTicks":[{"line":5,"ticks":1},{"line":22,"ticks":3}]}]SAMPLES}"#;
    for samples in [r#","samples":[2,2,2,2],"timeDeltas":[0,10,10,10]"#, ""] {
        let found = profile(text.replace("SAMPLES", samples));
        assert_eq!(found.points.len() > 2, !samples.is_empty());
        let mut lines = BTreeMap::new();
        let count = metric(&found, "samples").index();
        for (row, &at) in found.points.context.iter().enumerate() {
            let frame = found.frames_of(at).last().unwrap();
            let line = found.frames.line[frame as usize];
            *lines.entry(line).or_insert(0) += found.points.row(row)[count];
        }
        // It starts on line 21.
        assert_eq!(lines, BTreeMap::from([(21, 1), (22, 3)]), "{samples}");
    }
}

#[test]
fn lines_of_recordings_have_their_hits() {
    let mut compared = 0;
    for name in ["main", "worker", "inspector", "browser"] {
        let raw: serde_json::Value =
            serde_json::from_str(&text(&format!("cpuprofile/{name}.cpuprofile"))).unwrap();
        let mut hits = BTreeMap::<(String, u32), i64>::new();
        for node in raw["nodes"].as_array().unwrap() {
            for tick in node["positionTicks"].as_array().into_iter().flatten() {
                let name = node["callFrame"]["functionName"].as_str().unwrap();
                let name = if name.is_empty() { "(anonymous)" } else { name };
                let line = tick["line"].as_u64().unwrap() as u32;
                *hits.entry((name.to_owned(), line)).or_default() +=
                    tick["ticks"].as_i64().unwrap();
            }
        }
        let found = samples_by_line(&sample(&format!("cpuprofile/{name}.cpuprofile")));
        for (place, hits) in hits {
            let found = found.get(&place).copied().unwrap_or(0);
            // V8 takes the sample that starts a recording without a hit.
            assert!((hits..=hits + 2).contains(&found), "{name}: {place:?} {found} for {hits}");
            compared += 1;
        }
    }
    assert!(compared > 50, "only {compared} lines were compared");
}

#[test]
fn a_sample_lasts_until_the_next_and_the_collector_works_for_whoever_ran_before() {
    let text = r#"{"startTime":1000,"endTime":1100,"nodes":[
        {"id":1,"callFrame":{"functionName":"(root)","url":"","lineNumber":-1,"columnNumber":-1},"children":[2,4,5,6]},
        {"id":2,"callFrame":{"functionName":"main","url":"a.js","lineNumber":0,"columnNumber":4},"children":[3]},
        {"id":3,"callFrame":{"functionName":"","url":"a.js","lineNumber":9,"columnNumber":0}},
        {"id":4,"callFrame":{"functionName":"(garbage collector)","url":"","lineNumber":-1,"columnNumber":-1}},
        {"id":5,"callFrame":{"functionName":"(idle)","url":"","lineNumber":-1,"columnNumber":-1}},
        {"id":6,"callFrame":{"functionName":"(program)","url":"","lineNumber":-1,"columnNumber":-1}}],
        "samples":[2,3,4,6,5,4,9],"timeDeltas":[10,20,5,5,10,10,1]}"#;
    let found = profile(text);
    let expected = [
        ("main", 20_000),
        ("main;(anonymous)", 5_000),
        ("main;(anonymous);(garbage collector)", 5_000),
        ("main;(anonymous);(program)", 10_000),
        ("(idle)", 10_000),
        ("(garbage collector)", 1_000),
        ("", 39_000),
    ];
    assert_eq!(stacks(&found), expected.map(|(stack, time)| (stack.to_owned(), vec![time, 1])));
    let times: Vec<_> = (0..7).map(|row| found.points.time(row).unwrap() / 1000).collect();
    assert_eq!(times, [10, 30, 35, 40, 50, 60, 61]);
    assert_eq!((found.origin.clock_ns, found.origin.duration_ns), (1_000_000, 100_000));
    assert!(warnings(text)[0].contains("not in the tree"));
    let main = (0..found.frames.len() as u32).map(profile::FrameId);
    let main = main.into_iter().find(|&frame| found.frame_name(frame) == "main").unwrap();
    assert_eq!((found.frames.line[main.index()], found.frames.column[main.index()]), (1, 5));
}

#[test]
fn times_that_go_back_are_put_in_order() {
    let text = r#"{"nodes":[{"id":1,"callFrame":{"functionName":"(root)"}},
        {"id":2,"parent":1,"callFrame":{"functionName":"a"}},
        {"id":3,"parent":1,"callFrame":{"functionName":"b"}}],
        "startTime":0,"endTime":40,"samples":[2,3,2],"timeDeltas":[10,20,-15]}"#;
    let found = profile(text);
    assert_eq!(folded(&found, MetricId(0)), ["a 20000", "b 10000"]);
    assert!(warnings(text)[0].contains("order"));
}

#[test]
fn without_samples_hits_count_with_their_lines() {
    let found = profile(
        r#"{"nodes":[{"id":1,"callFrame":{"functionName":"(root)"},"hitCount":0,"children":[2]},
        {"id":2,"callFrame":{"functionName":"a","url":"a.js","lineNumber":2,"columnNumber":0},"hitCount":5,
        "positionTicks":[{"line":4,"ticks":3},{"line":7,"ticks":1}]}],"startTime":0,"endTime":9}"#,
    );
    assert_eq!(folded(&found, metric(&found, "samples")), ["a 5"]);
    let lines: Vec<_> = (0..found.points.len())
        .map(|row| {
            let frame = found.frames_of(found.points.context[row]).last().unwrap();
            (found.frames.line[frame as usize], found.points.row(row)[0])
        })
        .collect();
    assert_eq!(lines, [(4, 3), (7, 1), (3, 1)]);
}

#[test]
fn the_old_form_is_a_tree_with_absolute_times() {
    let found = profile(
        r#"{"head":{"functionName":"(root)","url":"","lineNumber":0,"callUID":1,"hitCount":0,"id":1,
        "children":[{"functionName":"a","url":"a.js","lineNumber":3,"columnNumber":1,"hitCount":2,"id":2,
        "children":[{"functionName":"b","url":"a.js","lineNumber":5,"id":3,"children":[]}]}]},
        "startTime":1.5,"endTime":1.50004,"samples":[2,3,2],
        "timestamps":[1500010,1500020,1500030]}"#,
    );
    assert_eq!(folded(&found, MetricId(0)), ["a 20000", "a;b 10000"]);
    assert_eq!(found.frames.line, [5, 3, 0]);
    assert_eq!(found.origin.duration_ns, 40_000);
}

#[test]
fn circles_of_nodes_end() {
    let found = profile(
        r#"{"nodes":[{"id":1,"parent":2,"callFrame":{"functionName":"a"}},
        {"id":2,"parent":1,"callFrame":{"functionName":"b"}},
        {"id":3,"parent":3,"callFrame":{"functionName":"c"}}],
        "startTime":0,"endTime":3,"samples":[1,2,3],"timeDeltas":[0,1,1]}"#,
    );
    assert_eq!(found.points.len(), 3);
}

#[test]
fn real_files_open() {
    let ours = ["cpuprofile/main.cpuprofile", "cpuprofile/inspector.cpuprofile"];
    let others = [
        "cpuprofile/simple.cpuprofile",
        "cpuprofile/sucrase.cpuprofile",
        "firefox-fixtures/hello.cjs-20231120T211435.cpuprofile",
    ];
    for (path, bytes) in both(&ours, &others) {
        let json: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
        let deltas: Vec<i64> =
            json["timeDeltas"].as_array().unwrap().iter().map(|d| d.as_i64().unwrap()).collect();
        let start = json["startTime"].as_i64().unwrap() + deltas[0];
        let end = json["endTime"].as_i64().unwrap();
        let found = profile(bytes);
        assert_eq!(found.metric_total(MetricId(0)).0, (end - start) * 1000, "{path}");
        assert_eq!(found.points.len(), deltas.len());
        // Time until the next sample, and the number of samples.
        if path == "cpuprofile/simple.cpuprofile" {
            let time = decimal_text(found.metric_total(MetricId(0)).0, 0);
            assert_eq!((time.as_str(), found.points.len()), ("36317000", 29));
        }
        assert!(!names(&found, found.points.context[0]).contains(&"(root)".to_owned()));
    }
}

#[test]
fn reports_times_beyond_64_bits() {
    let text = r#"{"startTime":0,"endTime":30,"nodes":[
        {"id":1,"callFrame":{"functionName":"(root)","url":"","lineNumber":-1,"columnNumber":-1},"children":[2]},
        {"id":2,"callFrame":{"functionName":"a","url":"a.js","lineNumber":2,"columnNumber":4}}],
        "samples":[2,2,2],"timeDeltas":[0,DELTA,10]}"#;
    let told = |delta: &str| warnings(text.replace("DELTA", delta)).concat();
    assert!(told("9000000000000000000").contains("times beyond 64 bits are held at the limit"));
    assert_eq!(told("10"), "");
}
