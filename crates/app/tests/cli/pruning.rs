//! Trees that are cut, and pictures of roles and of comparisons.

use std::collections::HashSet;

use serde_json::Value;

use super::{additive_samples, fail, json, sample, stdout};

/// The rows that are left by what the whole tree says: all calls around them have the share and the depth.
fn left(whole: &Value, least: f64, depth: u64) -> (Vec<Value>, usize) {
    let total = whole["total"].as_f64().unwrap();
    let mut kept: HashSet<Vec<Value>> = HashSet::from([vec![]]);
    let (mut rows, mut cut) = (vec![], 0);
    for row in whole["rows"].as_array().unwrap() {
        let path = row["path"].as_array().unwrap().clone();
        if !kept.contains(&path[..path.len() - 1]) {
            continue;
        }
        let share = row["total"].as_f64().unwrap() / total;
        if share >= least && row["depth"].as_u64().unwrap() < depth {
            kept.insert(path);
            rows.push(row.clone());
        } else {
            cut += 1;
        }
    }
    (rows, cut)
}

#[test]
fn what_is_cut_off_is_what_is_small_or_deep_and_it_is_counted() {
    let mut cut_any = 0;
    for file in additive_samples() {
        for view in ["top-down", "bottom-up"] {
            // Names that two functions share would be one path.
            let by = "--granularity=name";
            let whole = json(&[&"show", &file, &"--view", &view, &by, &"--format", &"json"]);
            if whole["total"].as_f64().unwrap() <= 0.0 {
                continue;
            }
            for (prune, depth, least) in [("7%", 100, 0.07), ("0%", 3, 0.0)] {
                let words = [format!("--prune={prune}"), format!("--depth={depth}")];
                let pruned = json(&[
                    &"show",
                    &file,
                    &"--view",
                    &view,
                    &by,
                    &words[0],
                    &words[1],
                    &"--format",
                    &"json",
                ]);
                let (rows, cut) = left(&whole, least, depth);
                assert_eq!(pruned["rows"].as_array().unwrap(), &rows, "{file:?} {view} {words:?}");
                assert_eq!(pruned["cut_off"], cut, "{file:?} {view} {words:?}");
                cut_any += cut;
            }
        }
    }
    assert!(cut_any > 100, "{cut_any} rows were cut off");
}

#[test]
fn lists_and_formulas_are_not_cut() {
    let file = sample("pprof/cpu.pb.gz");
    assert!(fail(1, &[&"show", &file, &"--prune", &"5%"]).contains("cut trees"));
    let formula = "cpu / samples";
    let words: [&dyn AsRef<std::ffi::OsStr>; 8] =
        [&"show", &file, &"--view", &"top-down", &"--prune", &"5%", &"--metric", &formula];
    assert!(fail(1, &words).contains("no shares of the program"));
}

#[test]
fn pictures_are_of_a_role_or_of_both_sides() {
    let folder = tempfile::tempdir().unwrap();
    let out = |name: &str| folder.path().join(name);
    let reuse = sample("ezview/reuse.ezview");
    let mut pictures = HashSet::new();
    for role in ["allocation", "use", "reuse"] {
        let picture = out("role.svg");
        stdout(&[&"export", &reuse, &"--role", &role, &"-o", &picture]);
        let svg = std::fs::read_to_string(&picture).unwrap();
        let shown = json(&[
            &"show",
            &reuse,
            &"--role",
            &role,
            &"--view",
            &"top-down",
            &"--format",
            &"json",
        ]);
        for row in shown["rows"].as_array().unwrap() {
            assert!(svg.contains(row["function"].as_str().unwrap()), "{role}: {row}");
        }
        pictures.insert(svg);
    }
    assert_eq!(pictures.len(), 3, "each role has a picture of its own");
    let [old, new] = ["before-1", "after-1"].map(|name| sample(&format!("runs/{name}.pb.gz")));
    let (one, other) = (out("diff.svg"), out("export.svg"));
    let words: [&dyn AsRef<std::ffi::OsStr>; 7] =
        [&"diff", &old, &new, &"--view", &"top-down", &"-o", &one];
    stdout(&words);
    let words: [&dyn AsRef<std::ffi::OsStr>; 6] = [&"export", &new, &"--base", &old, &"-o", &other];
    stdout(&words);
    let svg = std::fs::read_to_string(&one).unwrap();
    assert_eq!(svg, std::fs::read_to_string(&other).unwrap());
    let compared = json(&[&"diff", &old, &new, &"--view", &"top-down", &"--format", &"json"]);
    // The widest is wide enough for its name.
    let rows = compared["rows"].as_array().unwrap();
    for tag in ["[A]", "[D]"] {
        let of = rows.iter().filter(|row| row["total"]["tag"] == tag);
        let row = of.max_by_key(|row| row["total"]["difference"].as_i64().map(i64::abs));
        let row = row.expect("something is only on one side");
        assert!(svg.contains(row["function"].as_str().unwrap()), "{row}");
    }
}
