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
        (&["--set", "H=64,W=48", "--cache", "1K:3"], "not a multiple of its ways"),
        (&["--set", "H=64,W=48", "--line", "48"], "power of two"),
        (&["--set", "H=64,W=48,N=3"], "the graph has no symbol N"),
        (&["--set", "H=64,W=-4"], "W cannot be -4"),
        (&["--set", "H=64,W=48", "--scope", "nothing"], "no map, loop, state or graph nothing"),
        (&["--set", "H=64,W=48", "--what-if", "turn image 1"], "is not a change"),
        (&["--set", "H=64,W=48", "--what-if", "pad nothing 8"], "no container nothing"),
        (&["--set", "H=64,W=48", "--cache", "large"], "SIZE or SIZE:WAYS"),
    ] {
        let (code, _, told) = run(&[&["sdfg", "simulate", &*file], arguments].concat(), "");
        assert_ne!(code, Some(0), "{arguments:?}");
        assert!(told.contains(expected), "{arguments:?}: {told}");
    }
}

fn loops(name: &str, more: &[&str]) -> (Option<i32>, String, String) {
    let file = samples::testdata(format!("jscop/{name}.jscop")).display().to_string();
    run(&[&["sdfg", "simulate", &*file], more].concat(), "")
}

#[test]
fn loops_of_c_are_simulated() {
    let arguments = ["--set", "n=20,m=24,p=8", "--cache", "1K:2,8K:4", "--format", "json"];
    let (code, out, error) = loops("gemm", &arguments);
    assert_eq!(code, Some(0), "{error}");
    let told: Value = serde_json::from_str(&out).unwrap();
    // Two for each element of C, four for each product.
    assert_eq!(told["totals"]["accesses"], 20 * 24 * (2 + 4 * 8));
    // Rows are whole lines: C and A and B, eight elements each.
    assert_eq!(told["totals"]["lines"], 20 * 3 + 20 + 8 * 3);
    for table in ["containers", "statements"] {
        let rows = told[table].as_array().unwrap();
        assert_eq!(rows.iter().map(misses).sum::<i64>(), misses(&told["totals"]), "{table}");
    }
    assert!(told.get("edges").is_none());
    let names: Vec<&str> = told["containers"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["MemRef_C", "MemRef_A", "MemRef_B"]);
    // From standard input, too, and a statement alone.
    let text = std::fs::read_to_string(samples::testdata("jscop/gemm.jscop")).unwrap();
    let (_, again, _) = run(&[&["sdfg", "simulate", "-"], &arguments[..]].concat(), &text);
    assert_eq!(again, out);
    let (_, out, error) = loops("gemm", &[&arguments[..], &["--scope", "Stmt_for_body4"]].concat());
    let told: Value = serde_json::from_str(&out).expect(&error);
    assert_eq!(told["totals"]["accesses"], 20 * 24 * 2);
    assert_eq!(told["totals"]["lines"], 20 * 3);
}

#[test]
fn loops_that_cannot_be_simulated_say_why() {
    let all = "n=4,m=4,p=4";
    for (arguments, expected) in [
        (&["--set", "n=4"][..], "m has no value: --set m=NUMBER"),
        (&["--set", "n=1000000000000,m=4,p=4"], "at most 1099511627776"),
        (&["--set", "n=100000000000000000000,m=4,p=4"], "too large"),
        (&["--set", all, "--scope", "S"], "there are Stmt_for_body4, Stmt_for_body9"),
        (&["--set", all, "--what-if", "pad A 8"], "no container A"),
        (&["--set", all, "--what-if", "order i2,i1"], "no loops of these names"),
        (&["--set", all, "--combining-reads"], "is for graphs"),
        (&["--set", "n=4,m=4,p=4,q=4"], "no parameter q; they have m, n, p"),
    ] {
        let (code, _, told) = loops("gemm", arguments);
        assert_ne!(code, Some(0), "{arguments:?}");
        assert!(told.contains(expected), "{arguments:?}: {told}");
    }
    let (code, out, _) = loops("solve", &["--set", "n=0"]);
    assert_eq!(code, Some(0));
    assert!(out.contains("0  all"), "{out}");
}

#[test]
fn full_sizes_do_not_take_long() {
    // What no cache keeps is forgotten, so that the other loops repeat: 4.3 billion accesses.
    let (code, out, error) =
        loops("gemm", &["--set", "n=1024,m=1024,p=1024", "--cache", "32K:8", "--format", "json"]);
    assert_eq!(code, Some(0), "{error}");
    let told: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(told["totals"]["accesses"], 4_297_064_448u64);
    assert!(told["simulated"].as_u64().unwrap() < 100_000_000, "{}", told["simulated"]);
    // Gone through one by one, they were as many.
    assert_eq!(misses(&told["totals"]), 1_076_357_120);
    assert_eq!(told["totals"]["misses"]["capacity"], 1_207_697_408);
}

#[test]
fn loops_of_c_take_changes() {
    let all = ["--set", "n=20,m=24,p=8", "--cache", "1K", "--format", "json"];
    let told = |more: &[&str]| {
        let (code, out, error) = loops("gemm", &[&all[..], more].concat());
        assert_eq!(code, Some(0), "{error}");
        serde_json::from_str::<Value>(&out).unwrap()
    };
    let plain = told(&[]);
    let padded = told(&["--what-if", "pad MemRef_B 25"]);
    assert_eq!(padded["as_it_is"], plain["totals"]);
    assert_eq!(padded["totals"]["accesses"], plain["totals"]["accesses"]);
    // Eight rows of 25 elements are one line more than eight of 24.
    assert_eq!(
        padded["totals"]["lines"].as_u64(),
        plain["totals"]["lines"].as_u64().map(|n| n + 1)
    );
    let dealt = told(&["--schedule", "static:3"]);
    assert_eq!(dealt["totals"]["accesses"], plain["totals"]["accesses"]);
    assert_eq!(dealt["totals"]["misses"]["cold"], plain["totals"]["misses"]["cold"]);
    assert!(
        dealt["assumed"]
            .to_string()
            .contains("static:3: iterations of i0 are divided among threads"),
        "{dealt}"
    );
    assert_eq!(
        dealt["statements"].as_array().unwrap().len(),
        plain["statements"].as_array().unwrap().len()
    );
}

#[test]
fn searches_tell_what_misses_least() {
    let told = simulated(&["--cache", "1K", "--search", "3"]);
    let rows = told["variants"].as_array().unwrap();
    assert!(rows.len() <= 3 && !rows.is_empty());
    let counts: Vec<u64> = rows.iter().map(|row| row["misses"].as_u64().unwrap()).collect();
    assert!(counts.is_sorted() && counts[0] <= told["misses_as_it_is"][0].as_u64().unwrap());
    assert!(told["simulated"].as_u64().unwrap() > 3);
    // Each is what --what-if makes of it.
    let best = rows[0]["changes"].as_str().unwrap();
    let changes: Vec<&str> = best.split("; ").filter(|one| *one != "as it is").collect();
    let changes: Vec<&str> = changes.into_iter().flat_map(|one| ["--what-if", one]).collect();
    let again = simulated(&[&["--cache", "1K"], &changes[..]].concat());
    assert_eq!(misses(&again["totals"]) as u64, counts[0]);
    let file = sample();
    for (language, expected) in
        [("c", "aligned_alloc"), ("numpy", "np.zeros"), ("dace", ".strides")]
    {
        let arguments =
            ["--set", "H=64,W=48", "--what-if", "permute image 1,0", "--export", language];
        let (code, out, error) = run(&[&["sdfg", "simulate", &*file], &arguments[..]].concat(), "");
        assert_eq!(code, Some(0), "{error}");
        assert!(out.contains("permute image 1,0") && out.contains(expected), "{out}");
    }
}

/// What happens at the elements of a container is what happens at the container.
#[test]
fn elements_add_up_to_their_container() {
    for more in [&["--cache", "2K"][..], &["--cache", "2K", "--what-if", "permute image 1,0"]] {
        let whole = simulated(more);
        let containers = whole["containers"].as_array().unwrap();
        let own = containers.iter().find(|one| one["name"] == "image").unwrap();
        let told = simulated(&[more, &["--elements", "image"]].concat());
        let rows = told["elements"].as_array().unwrap();
        let sum = |key: &str| rows.iter().map(|row| row[key].as_i64().unwrap()).sum::<i64>();
        assert_eq!(told["shape"], serde_json::json!([64, 48]));
        assert_eq!(rows.len(), 64 * 48);
        assert_eq!(
            (&rows[49]["indices"], sum("accesses")),
            (&"1,1".into(), own["accesses"].as_i64().unwrap())
        );
        assert_eq!(sum("cold"), own["misses"]["cold"].as_i64().unwrap());
        assert_eq!(sum("capacity"), own["misses"]["capacity"].as_i64().unwrap());
    }
    for (container, why) in [("nothing", "no container nothing"), ("image", "without ways")] {
        let file = sample();
        let cache = if container == "image" { "2K:2" } else { "2K" };
        let all = [
            "sdfg",
            "simulate",
            &file,
            "--set",
            "H=64,W=48",
            "--cache",
            cache,
            "--elements",
            container,
        ];
        let (code, _, error) = run(&all, "");
        assert_eq!(code, Some(1));
        assert!(error.contains(why), "{error}");
    }
}
