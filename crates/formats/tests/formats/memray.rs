//! memray's exports, and its own reports as the measure.

use std::collections::{BTreeMap, BTreeSet};

use crate::measured::{
    folded, names, profile, read, sample, self_values, testdata, text, warnings,
};
use formats::ReadError;
use profile::{LabelValue, MetricId, Profile, StringId};

/// Bytes as memray's reports write them: `5.893MB`.
fn readable(bytes: i64) -> String {
    let mut number = bytes as f64;
    for unit in ["B", "kB", "MB"] {
        if number < 1000.0 {
            return format!("{number:.3}{unit}");
        }
        number /= 1000.0;
    }
    format!("{number:.3}GB")
}

/// Total size, own size and total number of allocations by function. The report leaves out a stack's
/// reallocations where the same stack allocated as well.
fn values(found: &Profile) -> BTreeMap<String, [i64; 3]> {
    let allocator = |row: usize| {
        let label = found.label_sets.get(found.points.labels(row)).next().unwrap();
        let LabelValue::Text(text) = label.value else { panic!("a number") };
        found.text(text)
    };
    let contexts = &found.points.context;
    let is_left_out = |row: usize| {
        let mut others = (0..found.points.len()).filter(|&other| contexts[other] == contexts[row]);
        allocator(row) == "REALLOC" && others.any(|other| allocator(other) != "REALLOC")
    };
    let mut sums = BTreeMap::<String, [i64; 3]>::new();
    for row in (0..found.points.len()).filter(|&row| !is_left_out(row)) {
        let mut stack = names(found, contexts[row]);
        if stack.is_empty() {
            stack.push(String::new());
        }
        let &[size, count] = found.points.row(row) else { panic!("two metrics") };
        for name in stack.iter().collect::<BTreeSet<_>>() {
            let sum = sums.entry(name.clone()).or_default();
            sum[0] += size;
            sum[1] += if stack.last() == Some(name) { size } else { 0 };
            sum[2] += count;
        }
    }
    sums
}

#[test]
fn values_are_those_of_the_summary() {
    let mut compared = 0;
    let found = sample("memray/peak.csv");
    let sums = values(&found);
    let report = text("memray/reports/all.bin.summary.txt");
    for row in report.lines().filter(|row| row.starts_with('│')) {
        let cells: Vec<_> = row.split('│').map(str::trim).collect();
        let Some((function, _)) = cells[1].split_once(" at") else { continue };
        // The report tells functions of one name apart by their files.
        let same = |name: &&StringId| found.text(**name) == function;
        if found.functions.name.iter().filter(same).count() > 1 {
            continue;
        }
        // What has no stack.
        let function = if function == "???" { "" } else { function };
        let [total, own, count] = sums[function];
        assert_eq!(readable(total), cells[2], "{function}");
        assert_eq!(readable(own), cells[4], "{function}");
        assert_eq!(count.to_string(), cells[6], "{function}");
        compared += 1;
    }
    assert!(compared > 15, "only {compared} functions were compared");
}

#[test]
fn the_peak_is_that_of_the_statistics() {
    let report: serde_json::Value =
        serde_json::from_str(&text("memray/reports/all.bin.stats.json")).unwrap();
    let peak = sample("memray/peak.csv").metric_total(MetricId(0)).0;
    assert_eq!(report["metadata"]["peak_memory"], peak);
    assert_eq!(sample("memray/native.csv").metric_total(MetricId(0)).0, peak);
    let found = sample("memray/all.stats.json");
    assert_eq!(report["total_bytes_allocated"], found.metric_total(MetricId(0)).0);
    assert_eq!(report["total_num_allocations"], found.metric_total(MetricId(1)).0);
    for (key, value, metric) in
        [("top_allocations_by_size", "size", 0), ("top_allocations_by_count", "count", 1)]
    {
        let own = self_values(&found, MetricId(metric));
        for row in report[key].as_array().unwrap() {
            let function = row["location"].as_str().unwrap().split(':').next().unwrap();
            assert_eq!(row[value], own[function], "{function}");
        }
    }
    assert_eq!(found.origin.duration_ns, 129_000_000);
    assert_eq!(found.origin.time_ns, 1_795_239_102_741_000_000);
}

const HEAD: &str = "allocator,num_allocations,size,tid,thread_name,stack_trace\r\n";

fn csv(rows: &str) -> Profile {
    profile(format!("{HEAD}{rows}"))
}

#[test]
fn stacks_stand_from_the_innermost_and_names_may_hold_anything() {
    let found = csv(
        "MALLOC,2,10,1,\"0x1 (Main, one)\",\"std::map<a, b>::operator|(\"\"x\"\");x.cpp;3|main;m.py;-1\"\r\n\
         MMAP,1,18446744073709551615,2,0x2,f;f.py;1\r\n\
         MMAP,1,9223372036854775807,-1,merged thread,\r\n",
    );
    assert_eq!(
        folded(&found, MetricId(0)),
        [" 9223372036854775807", "main;std::map<a, b>::operator|(\"x\") 10"]
    );
    let thread = found.points.thread(0).unwrap();
    assert_eq!(found.thread_name(thread), "Main, one (1)");
    assert_eq!(found.points.thread(1), None);
    let label = found.label_sets.get(found.points.labels(0)).next().unwrap();
    assert_eq!(found.text(label.key), "allocator");
    assert!(matches!(label.value, LabelValue::Text(text) if found.text(text) == "MALLOC"));
}

#[test]
fn damage_is_counted() {
    let found = warnings(format!(
        "{HEAD}MALLOC,x,10,1,0x1,f;f.py;1\r\nMALLOC,1,1,1,0x1,odd\r\nMALLOC,1,1,1,0x1,\"f;"
    ));
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found[0].starts_with("line 2 is not a whole record"), "{found:?}");
    assert!(found[1].starts_with("line 3 has a frame"), "{found:?}");
}

#[test]
fn statistics_of_other_versions_are_read() {
    let found = profile(
        r#"{"total_num_allocations":7,"total_memory_allocated":100,"allocation_size_histogram":[],
        "top_allocations_by_size":[{"location":"f:a.py:3","size":60},{"location":"<stack trace unavailable>","size":10}],
        "top_allocations_by_count":[{"location":"f:a.py:3","count":2},{"location":"g:b.py:1","count":4}]}"#,
    );
    assert_eq!(folded(&found, MetricId(0)), [" 40", "f 60"]);
    assert_eq!(folded(&found, MetricId(1)), [" 1", "f 2", "g 4"]);
}

#[test]
fn raw_captures_say_what_to_do() {
    for name in ["all", "aggregated", "native", "allocators"] {
        let bytes = std::fs::read(testdata(&format!("memray/record/{name}.bin"))).unwrap();
        let error = read(bytes).unwrap_err();
        assert!(matches!(&error, ReadError::Unsupported { .. }), "{error}");
        assert!(error.to_string().contains("memray transform csv"), "{error}");
    }
}
