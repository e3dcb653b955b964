//! Scalene's JSON, and what `scalene view` prints as the measure.

use std::collections::BTreeMap;

use crate::measured::{both, folded, metric, names, profile, sample, text};
use profile::MetricId;

#[test]
fn lines_are_those_of_the_view() {
    let mut compared = 0;
    for name in ["cpu", "memory", "stacks"] {
        let found = sample(&format!("scalene/{name}.scalene.json"));
        let report = text(&format!("scalene/reports/{name}.scalene.json.view.txt"));
        let python = metric(&found, "Python time");
        let mut shares = BTreeMap::<u32, i64>::new();
        for (row, &context) in found.points.context.iter().enumerate() {
            if let Some(frame) = found.frames_of(context).last() {
                *shares.entry(found.frames.line[frame as usize]).or_default() +=
                    found.points.value(row, python);
            }
        }
        for line in report.lines() {
            let mut cells = line.split('\u{2502}').map(str::trim);
            let (Some(number), Some(share)) = (cells.next(), cells.next()) else { continue };
            let Ok(number) = number.parse::<u32>() else { continue };
            let Some(share) = share.strip_suffix('%') else { continue };
            let Ok(share) = share.parse::<i64>() else { continue };
            let found = shares.get(&number).copied().unwrap_or(0);
            assert!((found - share * 1_000_000_000).abs() <= 1_000_000_000, "{name} line {number}");
            compared += 1;
        }
    }
    assert!(compared > 3, "only {compared} lines were compared");
}

#[test]
fn lines_stand_in_their_function_and_file() {
    let found = profile(
        r#"{"alloc_samples":0,"args":[],"elapsed_time_sec":2.5,"files":{"/a.py":{"functions":[{"line":"work","lineno":3}],
        "lines":[{"lineno":1,"line":"import x\n","n_cpu_percent_python":10.5,"n_cpu_percent_c":0},
        {"lineno":5,"line":"    y()\n","n_cpu_percent_python":20,"n_cpu_percent_c":30.25,"n_peak_mb":1.5}]}},
        "stacks":[[[["/a.py","<module>",9],["/a.py","work",5]],[7,0.1,0.2,0.3]],[["/a.py rest:46;"],{"count":13}]]}"#,
    );
    assert_eq!(
        folded(&found, MetricId(0)),
        ["/a.py;<module>;<module> 10500000000", "/a.py;work;work 20000000000"]
    );
    assert_eq!(folded(&found, MetricId(1)), ["/a.py;work;work 30250000000"]);
    assert_eq!(folded(&found, metric(&found, "stack samples")), ["<module>;work 7", "rest 13"]);
    assert_eq!(folded(&found, metric(&found, "peak")), ["/a.py;work;work 1500000000"]);
    assert_eq!(found.origin.duration_ns, 2_500_000_000);
    assert_eq!(names(&found, found.points.context[0]).len(), 3);
}

#[test]
fn real_files_open() {
    let ours = ["scalene/cpu.scalene.json", "scalene/memory.scalene.json"];
    let others = ["scalene/pystone.json", "python/recurse.scalene.json"];
    for (path, bytes) in both(&ours, &others) {
        let json: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
        let files = json["files"].as_object().unwrap().values();
        let lines = files.flat_map(|file| file["lines"].as_array().unwrap());
        let sum: f64 = lines.filter_map(|line| line["n_cpu_percent_python"].as_f64()).sum();
        let found = profile(bytes).metric_total(MetricId(0)).0 as f64 / 1e9;
        assert!((found - sum).abs() < 1e-5, "{path}: {found} and {sum}");
    }
}
