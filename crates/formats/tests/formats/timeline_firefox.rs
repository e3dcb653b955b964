//! Markers and counters of Firefox's profiles, in both forms.

use profile::{MetricId, Profile, TrackId, TrackKind};

use crate::measured::{corpus, metric, profile, read, sample, total_values};
use crate::timeline::{labels, marks, spans, track_name};

/// A processed profile of one thread with these markers, and what else stands beside them.
fn processed(markers: &str, beside: &str) -> String {
    format!(
        r#"{{"meta":{{"interval":1,"startTime":1000,"preprocessedProfileVersion":60,"product":"Test",
        "categories":[{{"name":"Other"}},{{"name":"GC / CC"}}],
        "markerSchema":[{{"name":"Load","fields":[{{"key":"url","label":"URL","format":"unique-string"}},{{"key":"size","format":"bytes"}}]}}]}},
        "libs":[],"threads":[{{"name":"main","processName":"Web","pid":"7","tid":9,
        "stringArray":["load","run","GC","paint","https://a.b/c"],
        "funcTable":{{"length":1,"name":[1]}},"frameTable":{{"length":1,"func":[0]}},
        "stackTable":{{"length":1,"prefix":[null],"frame":[0]}},
        "samples":{{"length":2,"stack":[0,0],"time":[1,30]}},
        "markers":{markers}}}]{beside}}}"#
    )
}

fn spans_of_text(text: &str) -> Vec<(String, u64)> {
    let opened = read(text).unwrap();
    opened.warnings.iter().map(|one| (one.message.clone(), one.count)).collect()
}

/// By track and name, begins and lengths in microseconds.
fn found(profile: &Profile) -> Vec<String> {
    let all = spans(profile);
    let rows = all.iter().map(|((track, name), times)| {
        let times: Vec<_> =
            times.iter().map(|(begin, length)| (begin / 1000, length / 1000)).collect();
        format!("{track}: {name} {times:?}")
    });
    rows.collect()
}

#[test]
fn markers_become_marks_and_spans() {
    let text = processed(
        r#"{"length":6,"name":[0,1,2,2,3,1],"category":[0,0,1,1,0,0],
        "startTime":[2,1.5,4,null,3,6],"endTime":[10,20,null,5,0,8],"phase":[1,1,2,3,0,1],
        "data":[{"type":"Load","url":4,"size":4,"done":true,"at":[1]},null,{"why":"full"},{"share":0.5},{"type":"Paint"}]}"#,
        "",
    );
    let profile = profile(&text);
    assert_eq!(spans_of_text(&text), []);
    // They nest: run around load around GC and run.
    assert_eq!(
        found(&profile),
        [
            "main (9): GC [(4000, 1000)]",
            "main (9): load [(2000, 8000)]",
            "main (9): run [(1500, 18500), (6000, 2000)]"
        ]
    );
    let (time, count) = (metric(&profile, "marker time"), metric(&profile, "markers"));
    let values = |metric| -> Vec<(String, i64)> {
        let totals = total_values(&profile, metric);
        totals.into_iter().collect()
    };
    let named = |rows: [(&str, i64); 3]| rows.map(|(name, value)| (name.to_owned(), value));
    assert_eq!(values(time), named([("GC", 1_000_000), ("load", 8_000_000), ("run", 18_500_000)]));
    assert_eq!(values(count), named([("GC", 1), ("load", 3), ("run", 4)]));
    assert_eq!(profile.metric_total(count).0, 4);
    // Samples are what they were, and come first.
    assert_eq!(profile.metric_total(MetricId(0)).0, 2);
    assert_eq!(profile.origin.default_metric, MetricId(0));
    let arguments: Vec<_> = (0..4)
        .map(|row| labels(&profile, profile.timeline.spans.get(row).arguments).join(" "))
        .collect();
    assert_eq!(
        arguments,
        ["", "type=Load url=https://a.b/c size=4 done=true", "why=full share=0.5", ""]
    );
    assert_eq!(marks(&profile), [("main (9)".to_owned(), "paint".to_owned(), 3_000_000)]);
    let fields = profile.timeline.marks.get(profile::TrackId(1), 0).fields;
    assert_eq!(labels(&profile, fields), ["category=Other", "type=Paint"]);
    assert_eq!(profile.origin.duration_ns, 29_000_000);
    let kinds: Vec<_> = profile.timeline.tracks.iter().map(|track| track.kind).collect();
    assert_eq!(kinds, [TrackKind::Process, TrackKind::Thread]);
}

#[test]
fn markers_that_overlap_stand_on_lanes() {
    let text = processed(
        r#"{"length":4,"name":[0,0,2,1],"category":[0,0,1,null],
        "startTime":[2,5,4,1],"endTime":[10,20,5,30],"phase":[1,1,1,1]}"#,
        "",
    );
    let profile = profile(&text);
    let lanes: Vec<_> = profile
        .timeline
        .tracks
        .iter()
        .filter(|track| track.kind == TrackKind::Lane)
        .map(|track| (profile.text(track.name), track.parent.unwrap().0, track.thread.is_some()))
        .collect();
    assert_eq!(lanes, [("run", 1, true), ("Other", 1, true), ("GC / CC", 1, true)]);
    let time = metric(&profile, "marker time");
    assert_eq!(
        total_values(&profile, time).into_values().collect::<Vec<_>>(),
        [1_000_000, 23_000_000, 29_000_000]
    );
    assert_eq!(profile.metric_total(time).0, 53_000_000);
    assert_eq!(profile.timeline.spans.len(), 4);
}

#[test]
fn reports_damaged_markers() {
    // An end that never began, two begins without an end, a negative length, markers without times,
    // times out of 64 bits, a name and a category that are not there.
    let text = processed(
        r#"{"length":9,"name":[0,1,1,2,3,3,0,99,0],"category":[0,0,0,0,0,0,0,99,0],
        "startTime":[null,20,25,9,null,9300000000000000,1,2,9200000000000],
        "endTime":[3,null,null,4,null,0,null,3,9e12],"phase":[3,2,2,1,0,0,1,1,1]}"#,
        "",
    );
    let profile = profile(&text);
    let spans_of_text = spans_of_text(&text);
    let has = |part: &str, count: u64| {
        assert!(
            spans_of_text.iter().any(|(one, n)| one.contains(part) && *n == count),
            "{part} in {spans_of_text:?}"
        );
    };
    has("did not begin", 1);
    has("never end", 2);
    has("before they begin", 2);
    has("without a time", 3);
    let names: Vec<String> = spans(&profile).into_keys().map(|(_, name)| name).collect();
    assert_eq!(names, ["(unnamed)", "GC", "load", "run"]);
    assert!(profile.timeline.spans.extent().unwrap()[1] >= 9_200_000_000_000_000_000);
    // Of one name, the last begin gets the first end.
    assert!(marks(&profile).is_empty());
}

#[test]
fn fields_beyond_bounds_and_screenshots_are_reported() {
    let fields: Vec<String> = (0..70).map(|number| format!("\"a{number}\":{number}")).collect();
    let text = processed(
        &format!(
            r#"{{"length":2,"name":[0,1],"startTime":[1,2],"endTime":[0,0],"phase":[0,0],
            "data":[{{{}}},{{"type":"CompositorScreenshot","url":4}}]}}"#,
            fields.join(",")
        ),
        "",
    );
    let profile = profile(&text);
    assert_eq!(marks(&profile).len(), 1);
    let fields = profile.timeline.marks.get(profile::TrackId(1), 0).fields;
    assert_eq!(labels(&profile, fields).len(), 64);
    let expected =
        [("fields beyond 64 of one marker are left out", 6), ("screenshots are not shown", 1)];
    assert_eq!(spans_of_text(&text), expected.map(|(one, count)| (one.to_owned(), count)));
    assert!(profile.metrics.iter().all(|metric| metric.name != "markers"));
}

#[test]
fn counters_are_series_of_their_process() {
    let text = processed(
        r#"{"length":0}"#,
        r#","counters":[
        {"name":"malloc","category":"Memory","pid":"7","mainThreadIndex":0,
         "samples":{"length":4,"time":[1,2,4,3],"count":[9007199254741,-5,20,null],"number":[1,1,1,1]}},
        {"name":"CPU power","category":"power","pid":"8","samples":{"length":2,"timeDeltas":[1,2],"count":[2.5,7]}},
        {"name":"old","category":"x","mainThreadIndex":0,"sampleGroups":[{"id":0,"samples":{"time":[5,4],"count":[1,2]}},{"id":1,"samples":{"time":[6],"count":[3]}}]},
        {"name":"none","category":"Memory","pid":"7","samples":{"length":0,"time":[],"count":[]}}]"#,
    );
    let profile = profile(&text);
    let series: Vec<_> = profile
        .timeline
        .counters
        .iter()
        .map(|one| {
            let of = track_name(&profile, one.track);
            let names = [one.name, one.unit].map(|text| profile.text(text));
            (of, names, &one.times[..], &one.values[..])
        })
        .collect();
    let of = |name: &str| name.to_owned();
    assert_eq!(
        series,
        [
            (
                of("Web (7)"),
                ["malloc", "bytes"],
                &[1_000_000, 2_000_000, 4_000_000][..],
                &[9_007_199_254_741.0, 9_007_199_254_736.0, 9_007_199_254_756.0][..]
            ),
            (
                of("8"),
                ["CPU power", "picowatt hours"],
                &[1_000_000, 3_000_000][..],
                &[2.5, 7.0][..]
            ),
            (of("Web (7)"), ["old", ""], &[4_000_000, 5_000_000][..], &[2.0, 1.0][..]),
            (of("Web (7)"), ["old [1]", ""], &[6_000_000][..], &[3.0][..]),
        ]
    );
    let counts: Vec<u64> = spans_of_text(&text).into_iter().map(|(_, count)| count).collect();
    assert_eq!(counts, [1, 1], "a value that is none, a clock that goes back");
}

/// Processes of a gecko profile have their own zero; rows may come before their schema.
#[test]
fn gecko_markers_stand_where_their_process_was() {
    let thread = |markers: &str| {
        format!(
            r#"[{{"name":"GeckoMain","processType":"tab","tid":5,"pid":4,
            "samples":{{"schema":{{"stack":0,"time":1}},"data":[[null,1],[null,9]]}},
            "stackTable":{{"schema":{{"prefix":0,"frame":1}},"data":[]}},
            "frameTable":{{"schema":{{"location":0}},"data":[]}},
            "markers":{markers},"stringTable":["load","GC","net"]}}]"#
        )
    };
    let schema = r#""schema":{"name":0,"startTime":1,"endTime":2,"phase":3,"category":4,"data":5}"#;
    let data = r#""data":[[0,1.5,4,1,0,{"type":"Net","host":2,"name":"x"}],[1,2,null,0,0],[2,3,null,2,0],[2,null,3.5,3,0]]"#;
    let of = |markers: &str| {
        let own = thread(markers).replace("\"tid\":5,\"pid\":4", "\"tid\":6,\"pid\":5");
        profile(format!(
            r#"{{"meta":{{"version":30,"interval":1,"startTime":1000,"categories":[{{"name":"JS"}}],
            "markerSchema":[{{"name":"Net","data":[{{"key":"host","format":"unique-string"}}]}}]}},
            "libs":[],"threads":{},"counters":[{{"name":"c","category":"Memory","samples":{{"schema":{{"time":0,"count":1}},"data":[[1,5],[2,5]]}}}}],
            "processes":[{{"meta":{{"version":30,"startTime":1100}},"libs":[],"threads":{own},
            "counters":[{{"name":"c","category":"Memory","sample_groups":[{{"id":0,"samples":{{"schema":{{"time":0,"count":1}},"data":[[1,7]]}}}}]}}],"processes":[]}}]}}"#,
            thread(markers),
        ))
    };
    let first = of(&format!("{{{schema},{data}}}"));
    assert_eq!(
        found(&first),
        [
            "GeckoMain (5): load [(1500, 2500)]",
            "GeckoMain (5): net [(3000, 500)]",
            "GeckoMain (6): load [(101500, 2500)]",
            "GeckoMain (6): net [(103000, 500)]"
        ]
    );
    let rows = marks(&first);
    assert_eq!(rows.iter().map(|mark| mark.2).collect::<Vec<_>>(), [2_000_000, 102_000_000]);
    let load = first.timeline.spans.get(0);
    assert_eq!(labels(&first, load.arguments), ["type=Net", "host=net", "name=x"]);
    let times: Vec<_> =
        first.timeline.counters.iter().map(|one| (&one.times[..], &one.values[..])).collect();
    assert_eq!(
        times,
        [(&[1_000_000, 2_000_000][..], &[5.0, 10.0][..]), (&[101_000_000][..], &[7.0][..])]
    );
    assert!(of(&format!("{{{data},{schema}}}")) == first);
}

/// Stacks are texts among the fields, in both forms; of a long one the innermost frames.
#[test]
fn reports_stacks_of_markers() {
    let text = processed(
        r#"{"length":4,"name":[0,3,3,3],"startTime":[2,3,4,5],"endTime":[10,null,null,null],"phase":[1,0,0,0],
        "data":[{"type":"Load","cause":{"time":1,"stack":0}},{"cause":{"stack":7}},{"cause":{}},{"stack":"mine"}]}"#,
        "",
    );
    let found = profile(&text);
    let span = found.timeline.spans.get(0);
    assert_eq!(labels(&found, span.arguments), ["type=Load", "stack=run"]);
    let own = TrackId(1);
    let fields: Vec<_> = found
        .timeline
        .marks
        .of_track(own)
        .map(|row| labels(&found, found.timeline.marks.get(own, row).fields))
        .collect();
    assert_eq!(fields, [vec![], vec![], vec!["stack=mine".to_owned()]]);
    let spans_of_text = spans_of_text(&text);
    assert_eq!(spans_of_text, [("stacks of markers that are not in the table".to_owned(), 1)]);

    let deep: Vec<String> = (0..20).map(|row| format!("[{},0]", row - 1)).collect();
    let deep = deep.join(",").replace("[-1,", "[null,");
    let of = |samples: &str| {
        let text = format!(
            r#"{{"meta":{{"version":30,"interval":1,"startTime":1000,"categories":[]}},"libs":[],"threads":[
            {{"name":"GeckoMain","processType":"tab","tid":5,"pid":4,
            "samples":{{"schema":{{"stack":0,"time":1}},"data":[[0,1]]}},
            "stackTable":{{"schema":{{"prefix":0,"frame":1}},"data":[{deep}]}},
            "frameTable":{{"schema":{{"location":0}},"data":[[1]]}},
            "markers":{{"schema":{{"name":0,"startTime":1,"endTime":2,"phase":3,"category":4,"data":5}},
            "data":[[0,1.5,4,1,0,{{"type":"Net","stack":{{"name":"SyncProfile","samples":{samples}}}}}]]}},
            "stringTable":["load","f"]}}],"processes":[]}}"#
        );
        let found = profile(text);
        labels(&found, found.timeline.spans.get(0).arguments)
    };
    let schema = r#""schema":{"stack":0,"time":1}"#;
    assert_eq!(of(&format!(r#"{{{schema},"data":[[1,1.5],[0,2]]}}"#)), ["type=Net", "stack=f > f"]);
    let long = of(&format!(r#"{{"data":[[19,1.5]],{schema}}}"#));
    assert_eq!(long[1], format!("stack=… > {}", ["f"; 16].join(" > ")));
    assert_eq!(of(&format!(r#"{{"data":[],{schema}}}"#)), ["type=Net"]);
}

#[test]
fn processors_that_threads_use_are_series() {
    let text = |unit: &str, samples: &str| {
        format!(
            r#"{{"meta":{{"interval":1,"startTime":1000,"preprocessedProfileVersion":60,"product":"Test","categories":[],
            "sampleUnits":{{"time":"ms","eventDelay":"ms","threadCPUDelta":"{unit}"}}}},
            "libs":[],"threads":[{{"name":"main","pid":"7","tid":9,"stringArray":["run"],
            "funcTable":{{"length":1,"name":[0]}},"frameTable":{{"length":1,"func":[0]}},
            "stackTable":{{"length":1,"prefix":[null],"frame":[0]}},"samples":{samples}}}]}}"#
        )
    };
    let samples = r#"{"length":5,"stack":[0,0,0,0,0],"time":[1,3,3,7,8],"threadCPUDelta":[5,1000,9,null,2000]}"#;
    let of = |unit: &str| {
        let found = profile(text(unit, samples));
        let [series] = &found.timeline.counters[..] else { return None };
        assert_eq!(found.text(series.name), "CPU use");
        assert_eq!(track_name(&found, series.track), "main (9)");
        let unit = found.text(series.unit).to_owned();
        Some((unit, series.times.clone(), series.values.clone()))
    };
    // The delta of a sample is of the time since the one before.
    let times = vec![1_000_000, 7_000_000];
    assert_eq!(of("µs"), Some(("ratio".to_owned(), times.clone(), vec![0.5, 2.0])));
    assert_eq!(of("ns"), Some(("ratio".to_owned(), times.clone(), vec![0.0005, 0.002])));
    let cycles = vec![500_000.0, 2_000_000.0];
    assert_eq!(of("variable CPU cycles"), Some(("hertz".to_owned(), times, cycles)));
    assert_eq!(of("bananas"), None);
}

/// Numbers of marks and spans and the sum of their lengths, counted by a program that reads the
/// JSON alone, with the same rules for begins and ends that lack the other.
#[test]
fn real_files_have_what_was_counted() {
    let ours = sample("firefox/events.firefox.json.gz");
    assert_eq!((ours.timeline.marks.len(), ours.timeline.spans.len()), (20, 0));
    for (path, expected) in CORPUS {
        let Some(bytes) = corpus(path) else { continue };
        let profile = profile(bytes);
        let spans = &profile.timeline.spans;
        let sum: i64 = (0..spans.len()).map(|row| spans.length(row)).sum();
        let found = (profile.timeline.marks.len(), spans.len(), sum);
        assert_eq!(found, expected, "{path}");
    }
}

/// Marks, spans, nanoseconds.
const CORPUS: [(&str, (usize, usize, i64)); 4] = [
    ("firefox/gecko-59.json", (1, 2, 74_598)),
    ("firefox-fixtures/gecko-1.json", (3, 12, 27_000_000)),
    ("firefox-fixtures/processed-1.json", (3, 12, 27_000_000)),
    ("python/recurse.tachyon.gecko.json", (0, 4, 360_000_000)),
];
