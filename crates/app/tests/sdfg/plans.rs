//! `sdfg fusions` and `sdfg memory`.

use std::path::PathBuf;

use serde_json::Value;

use crate::{graph, run};

fn recorded(name: &str) -> String {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../testdata/sdfg");
    folder.join(name).to_str().unwrap().to_owned()
}

fn plan(arguments: &[&str]) -> Value {
    let arguments = [&["sdfg"], arguments, &["--format", "json"]].concat();
    let (code, out, err) = run(&arguments, "");
    assert_eq!(code, Some(0), "{err}");
    serde_json::from_str(&out).unwrap()
}

const SIZES: &str = "B=2,H=4,T=16,C=8,D=32";

#[test]
fn pairs_of_maps_are_ranked() {
    for version in ["1.0.2", "2.0.0b1"] {
        let file = recorded(&format!("dace-{version}/glance.sdfgz"));
        let plan = plan(&["fusions", &file, "--set", SIZES]);
        let rows = plan["fusions"].as_array().unwrap();
        let is_able = |row: &&Value| row["obstacle"].is_null();
        let saved: Vec<i64> = rows
            .iter()
            .filter(is_able)
            .map(|row| row["saved_bytes"]["value"].as_i64().unwrap())
            .collect();
        // Written once and read once, floats of 4 bytes.
        let (b, h, t, d) = (2, 4, 16, 32);
        assert_eq!(saved, [2 * 4 * b * h * t * d, 2 * 4 * b * h * t * t]);
        assert!(rows[1]["first"].as_str().unwrap().starts_with("_Sub__map"), "{rows:?}");
        assert!(rows.iter().rev().take(rows.len() - saved.len()).all(|row| !is_able(&row)));
        let (_, text, _) = run(&["sdfg", "fusions", &file, "--set", SIZES], "");
        assert!(text.contains("_numpy_exp__map") && text.contains("through "), "{text}");
        assert!(text.contains("not as they are: "), "{text}");
    }
}

#[test]
fn reports_memory_by_state() {
    let file = recorded("dace-2.0.0b1/glance.sdfgz");
    let plan = plan(&["memory", &file, "--set", SIZES]);
    let containers = plan["containers"].as_array().unwrap();
    let own = containers.iter().filter(|one| one["alive"] != "another one's memory");
    let sum: i64 = own.map(|one| one["bytes"]["value"].as_i64().unwrap()).sum();
    // All is in one state.
    assert_eq!(plan["peak"]["bytes"]["value"].as_i64(), Some(sum));
    assert_eq!(plan["peak"]["certainty"], "exact");
    assert_eq!(plan["states"].as_array().unwrap().len(), 1);
    let (_, text, _) = run(&["sdfg", "memory", "-"], &graph());
    assert!(text.contains("the peak is not known at these sizes"), "{text}");
    let (_, text, _) = run(&["sdfg", "memory", "-", "--set", "N=100"], &graph());
    assert!(text.contains("1,600  s  0/0/-1/-1  = 16*N (peak)"), "{text}");
}

#[test]
fn reports_wrong_uses() {
    for command in ["fusions", "memory"] {
        let (code, _, err) = run(&["sdfg", command, "-", "--set", "K=3"], &graph());
        assert!(code == Some(1) && err.contains("the graph has no symbol K; it has N"), "{err}");
        let (code, _, err) = run(&["sdfg", command, "-"], "{");
        assert!(code == Some(1) && err.contains("cannot read -"), "{err}");
    }
    let (_, text, _) = run(&["sdfg", "fusions", "-"], &graph());
    assert!(text.contains("no two maps are connected"), "{text}");
}

#[test]
fn operations_are_chosen() {
    let file = recorded("dace-2.0.0b1/rectified.sdfgz");
    let work = |operations: &str| {
        let plan = plan(&["cost", &file, "--operations", operations]);
        plan["totals"]["work"]["expression"].as_str().unwrap().to_owned()
    };
    assert_ne!(work("dace"), work("every"));
    let plan = plan(&["compare", &file, &file, "--operations", "every"]);
    assert!(plan["totals"].is_object() || plan["totals"].is_array());
}
