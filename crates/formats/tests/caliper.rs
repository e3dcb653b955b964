//! Caliper's split JSON.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use measured::{corpus, folded, profile};

mod measured;

#[test]
fn rows_name_nodes_and_ranks() {
    let found = profile(
        r#"{"data":[[10.5,0,7.25,null,1],[3,1,3,1,null]],"columns":["inclusive#sum#time.duration","mpi.rank",
        "sum#time.duration","path","kernel"],"column_metadata":[{"is_value":true},{"is_value":true},
        {"is_value":true},{"is_value":false},{"is_value":false}],
        "nodes":[{"column":"path","label":"main"},{"column":"path","label":"solve","parent":0}]}"#,
    );
    assert_eq!(folded(&found, 0), [" 725", "main;solve 300"]);
    let metric = &found.metrics[0];
    assert_eq!(
        (metric.name.as_str(), metric.unit.as_str(), metric.decimals),
        ("sum#time.duration", "microseconds", 2)
    );
    assert_eq!((found.metrics.len(), found.processes.len()), (1, 2));
    assert_eq!(found.label_sets.len(), 2);
}

#[test]
fn real_files_open() {
    let Some(bytes) = corpus("caliper/lulesh.json") else { return };
    let json: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
    let rows = json["data"].as_array().unwrap();
    let sum: f64 = rows.iter().filter_map(|row| row[2].as_f64()).sum();
    let found = profile(bytes);
    assert_eq!(found.metric_total(0).0, sum as i64);
    assert_eq!(found.processes.len(), 8);
}
