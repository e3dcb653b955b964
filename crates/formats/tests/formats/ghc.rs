//! GHC's reports, and their own flat tables as the measure.

use std::collections::BTreeMap;

use crate::measured::{folded, profile, read, sample, self_values, text};
use profile::{FrameId, MetricId};

/// The flat table: cost centre with its numbers as they are printed.
fn flat(report: &str) -> BTreeMap<String, Vec<String>> {
    let table = report.split("COST CENTRE").nth(1).unwrap();
    let rows = table.lines().skip(1).skip_while(|line| line.trim().is_empty());
    let mut found = BTreeMap::new();
    for line in rows.take_while(|line| !line.trim().is_empty()) {
        let words: Vec<_> = line.split_whitespace().map(str::to_owned).collect();
        // Cost centres without a place of their own share a name.
        if !words[2].starts_with('<') {
            found.insert(words[0].clone(), words[3..].to_vec());
        }
    }
    assert!(found.len() > 4);
    found
}

#[test]
fn trees_sum_up_to_the_flat_table() {
    for name in ["time", "detailed", "all"] {
        let path = format!("ghc/{name}.prof");
        let (found, report) = (sample(&path), text(&path));
        let exact = found.metrics[0].name == "ticks";
        assert_eq!(exact, name != "time");
        let (time, allocated) =
            (self_values(&found, MetricId(0)), self_values(&found, MetricId(1)));
        for (centre, numbers) in flat(&report) {
            if exact {
                assert_eq!(time[&centre].to_string(), numbers[2], "{name}: {centre}");
                assert_eq!(allocated[&centre].to_string(), numbers[3], "{name}: {centre}");
            } else {
                let tenths = |text: &str| text.replace('.', "").parse::<i64>().unwrap();
                assert!((time[&centre] - tenths(&numbers[0])).abs() <= 2, "{name}: {centre}");
            }
        }
        assert_eq!(found.origin.period, 1_000_000);
        assert!(found.origin.comments.iter().any(|comment| comment.starts_with("command: loom")));
    }
    let detailed = sample("ghc/detailed.prof");
    let report = text("ghc/detailed.prof");
    let ticks = report.split_once("secs   (").unwrap().1.split(' ').next().unwrap();
    assert_eq!(detailed.metric_total(MetricId(0)).0.to_string(), ticks);
}

#[test]
fn columns_of_any_version() {
    let head = "\tSun Jan  1 00:00 2012 Time and Allocation Profiling Report  (Final)\n\n\t   a +RTS -p -RTS\n\n\
                \ttotal time  =        0.02 secs   (1 ticks @ 20 ms)\n\ttotal alloc =   5 bytes  (excludes profiling overheads)\n\n";
    let found = profile(format!(
        "{head}COST CENTRE MODULE               %time %alloc\n\nf           Main                  100.0  100.0\n\n\
         \x20                                             individual    inherited\n\
         COST CENTRE MODULE    no.    entries  %time %alloc   %time %alloc\n\n\
         MAIN        MAIN       1           0    0.0    0.0   100.0  100.0\n\
         \x20my centre  Main       2           3   99.5    0.5   100.0  100.0\n\
         \x20 a_very_long_centre Main 3       1    0.5   99.5     0.5   99.5\n"
    ));
    assert_eq!(
        folded(&found, MetricId(0)),
        ["MAIN;my centre 995", "MAIN;my centre;a_very_long_centre 5"]
    );
    assert_eq!(
        folded(&found, MetricId(2)),
        ["MAIN;my centre 3", "MAIN;my centre;a_very_long_centre 1"]
    );
    assert_eq!((found.origin.period, found.origin.duration_ns), (20_000_000, 20_000_000));
    let nothing = read(format!("{head}nothing\n")).unwrap_err().to_string();
    assert!(nothing.contains("nothing of this ghc file") && nothing.contains("tree"), "{nothing}");
}

#[test]
fn places_in_the_source() {
    let found = sample("ghc/time.prof");
    let frames = 0..found.frames.len() as u32;
    let of = |name: &str| {
        let frame =
            frames.clone().map(FrameId).find(|&frame| found.frame_name(frame) == name).unwrap();
        let row = frame.index();
        (
            found.frame_file(frame),
            found.frames.line[row],
            found.frames.column[row],
            found.frame_module(frame),
        )
    };
    assert_eq!(of("weft"), ("Loom.hs", 15, 1, "Main"));
    assert_eq!(of("weave.\\"), ("Loom.hs", 19, 30, "Main"));
    assert_eq!(of("MAIN"), ("", 0, 0, "MAIN"));
}

#[test]
fn the_json_has_a_tree_of_cost_centres_by_id() {
    let found = crate::measured::profile(
        r#"{"program":"loom","arguments":["./loom","60"],"rts_arguments":["-pj"],"total_time":0.13,
        "total_ticks":132,"tick_interval":1000,"total_alloc":9,"cost_centres":[
        {"id":1,"label":"MAIN","module":"MAIN","src_loc":"<built-in>","is_caf":false},
        {"id":2,"label":"weave","module":"Loom","src_loc":"Loom.hs:12:3-9","is_caf":false}],
        "profile":{"id":1,"entries":0,"alloc":4,"ticks":0,"children":[
        {"id":2,"entries":3,"alloc":5,"ticks":7,"children":[]},{"id":9,"entries":0,"alloc":0,"ticks":1,"children":[]}]}}"#,
    );
    assert_eq!(
        crate::measured::folded(&found, MetricId(0)),
        ["MAIN;cost centre 9 1", "MAIN;weave 7"]
    );
    assert_eq!(crate::measured::folded(&found, MetricId(1)), ["MAIN 4", "MAIN;weave 5"]);
    assert!(found.frames.line.contains(&12));
    let sample = crate::measured::sample("ghc/time.prof.json");
    assert_eq!(sample.metric_total(MetricId(0)).0, 132);
}
