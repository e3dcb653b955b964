//! `hotframe sdfg simulate`.

use serde_json::Value;

use super::run;

fn sample() -> String {
    samples::testdata("sdfg/sharpen.fused.sdfg").display().to_string()
}

fn simulated(more: &[&str]) -> Value {
    let file = sample();
    let all = ["sdfg", "simulate", &file, "--set", "H=64,W=48", "--format", "json"];
    let (code, out, error) = run(&[&all[..], more].concat(), "");
    assert_eq!(code, Some(0), "{error}");
    serde_json::from_str(&out).unwrap()
}

fn misses(of: &Value) -> i64 {
    ["cold", "capacity", "conflict"].iter().map(|kind| of["misses"][kind].as_i64().unwrap()).sum()
}

#[test]
fn totals_are_those_of_containers_and_edges() {
    let told = simulated(&["--cache", "1K:2,8K:4"]);
    let totals = &told["totals"];
    assert_eq!(totals["bytes"].as_i64().unwrap(), misses(totals) * 64);
    assert_eq!(told["method"], "exact");
    for table in ["containers", "edges"] {
        let rows = told[table].as_array().unwrap();
        let sum = |pick: &dyn Fn(&Value) -> i64| rows.iter().map(pick).sum::<i64>();
        assert_eq!(sum(&misses), misses(totals), "{table}");
        let accesses = |row: &Value| row["accesses"].as_i64().unwrap();
        assert_eq!(sum(&accesses), accesses(totals), "{table}");
    }
    let levels = told["levels"].as_array().unwrap();
    assert_eq!(levels.len(), 2);
    // The second level is asked for what the first has not got.
    assert_eq!(levels[1]["accesses"].as_i64().unwrap(), misses(&levels[0]));
    // Larger caches of this kind miss less; what no cache can help is the same.
    let large = simulated(&["--cache", "1M"]);
    assert_eq!(large["totals"]["misses"]["capacity"], 0);
    assert_eq!(large["totals"]["misses"]["cold"], totals["misses"]["cold"]);
    assert!(misses(&large["totals"]) < misses(totals));
}

#[test]
fn a_change_stands_beside_what_is() {
    let plain = simulated(&["--cache", "1K"]);
    let changed = simulated(&["--cache", "1K", "--what-if", "permute image 1,0"]);
    assert_eq!(changed["as_it_is"], plain["totals"]);
    assert!(misses(&changed["totals"]) > misses(&plain["totals"]), "rows are read across");
    let again = simulated(&[
        "--cache",
        "1K",
        "--what-if",
        "permute image 1,0",
        "--what-if",
        "permute image 0,1",
    ]);
    assert_eq!(again["totals"], plain["totals"], "the last change of a container counts");
}

#[test]
fn what_cannot_be_simulated_says_why() {
    let file = sample();
    for (arguments, expected) in [
        (&["--set", "H=64"][..], "W has no value: --set W=NUMBER"),
        (&["--set", "H=1000000000000,W=4"], "at most"),
        (&["--set", "H=64,W=48", "--cache", "1K:3"], "no multiple of its ways"),
        (&["--set", "H=64,W=48", "--line", "48"], "power of two"),
        (&["--set", "H=64,W=48", "--scope", "nothing"], "no map, loop, state or graph nothing"),
        (&["--set", "H=64,W=48", "--what-if", "turn image 1"], "is no change"),
        (&["--set", "H=64,W=48", "--what-if", "pad nothing 8"], "no container nothing"),
        (&["--set", "H=64,W=48", "--cache", "large"], "SIZE or SIZE:WAYS"),
    ] {
        let (code, _, told) = run(&[&["sdfg", "simulate", &*file], arguments].concat(), "");
        assert_ne!(code, Some(0), "{arguments:?}");
        assert!(told.contains(expected), "{arguments:?}: {told}");
    }
}
