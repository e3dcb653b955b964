//! gprof2dot's JSON.

use std::collections::BTreeMap;

use crate::measured::{folded, profile, sample, self_values, total_values, warnings};
use profile::{FrameId, MetricId};

#[test]
fn memray_writes_the_same_as_its_csv() {
    let (json, csv) = (sample("gprof2dot-json/memray.gprof2dot.json"), sample("memray/peak.csv"));
    // Allocations without a stack are in the CSV only.
    let without_root = |mut values: BTreeMap<String, i64>| {
        values.remove("");
        values
    };
    assert_eq!(self_values(&json, MetricId(0)), without_root(self_values(&csv, MetricId(0))));
    assert_eq!(total_values(&json, MetricId(0)), without_root(total_values(&csv, MetricId(0))));
    assert_eq!(json.metrics[0].unit, "bytes");
    assert!(!json.origin.estimated_paths);
}

#[test]
fn all_costs_are_kept_whatever_the_order_of_the_tables() {
    let found = profile(
        r#"{"events":[{"callchain":[1,0],"cost":[1.25,-3]},{"cost":[7],"callchain":[0]},{"callchain":[],"cost":[1,1]}],
        "functions":[{"name":"main","module":"a.out","process":"p"},{"name":"f","module":"x.py"}],
        "costs":[{"description":"Time","unit":"ms"},{"description":"Calls"}],"version":0}"#,
    );
    assert_eq!(folded(&found, MetricId(0)), [" 100", "main 700", "main;f 125"]);
    assert_eq!(folded(&found, MetricId(1)), [" 1", "main;f -3"]);
    let metrics: Vec<_> =
        found.metrics.iter().map(|m| (m.name.as_str(), m.unit.as_str(), m.decimals)).collect();
    assert_eq!(metrics, [("Time", "milliseconds", 2), ("Calls", "count", 0)]);
    let label = found.label_sets.get(found.points.labels(1)).next().unwrap();
    assert_eq!(found.text(label.key), "process");
    assert_eq!(found.label_sets.get(found.points.labels(0)).len(), 0);
    let files: Vec<_> = (0..2).map(|row| found.frame_file(FrameId(row))).collect();
    assert_eq!(files, ["x.py", ""]);
}

#[test]
fn recursion_is_kept() {
    let found = profile(
        r#"{"version":0,"costs":[{}],"functions":[{"name":"a"},{"name":"b"}],
        "events":[{"callchain":[0,1,0],"cost":[2]}]}"#,
    );
    assert_eq!(folded(&found, MetricId(0)), ["a;b;a 2"]);
    assert_eq!(found.metrics[0].name, "cost");
}

#[test]
fn what_is_missing_is_counted() {
    let found = warnings(
        r#"{"version":1,"costs":[{}],"functions":[],
        "events":[{"callchain":[18446744073709551615],"cost":[1e40]},{"callchain":[5],"cost":[1,2]}]}"#,
    );
    assert_eq!(found.len(), 4, "{found:?}");
}

#[test]
fn an_empty_file_has_its_costs() {
    let found = profile(
        r#"{"version":0,"costs":[{"description":"m","unit":"s"}],"functions":[],"events":[]}"#,
    );
    assert_eq!((found.points.len(), found.metrics[0].unit.as_str()), (0, "seconds"));
}
