//! Trees that are cut or collapsed, and pictures of roles and of comparisons.

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
    let views = ["top-down", "bottom-up", "all-callers"];
    for (number, file) in additive_samples().into_iter().enumerate() {
        // Each file has another view, or all of them in long tests.
        let views = views.iter().cycle().skip(number).take(samples::cases(1, 3) as usize);
        for view in views {
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
                // What a limit leaves out is not cut off.
                let text =
                    stdout(&[&"show", &file, &"--view", &view, &by, &words[0], &words[1], &"-n3"]);
                let calls = if cut == 1 {
                    "1 call was cut off"
                } else {
                    &format!("{} calls were cut off", cut)
                };
                assert!(text.contains(calls), "{file:?} {view} {words:?} {cut} {text}");
                cut_any += cut;
            }
        }
    }
    assert!(cut_any > 100, "{cut_any} rows were cut off");
}

#[test]
fn functions_by_total_have_the_totals_of_the_list() {
    let mut seen = 0;
    for file in additive_samples() {
        let of = |view: &str| {
            let told = json(&[&"show", &file, &"--view", &view, &"--format", &"json"]);
            let rows = told["rows"].as_array().unwrap().iter();
            let rows = rows.filter(|row| row["depth"].as_u64().is_none_or(|depth| depth == 0));
            // Lists leave out what has no value.
            let rows = rows.filter(|row| row["total"] != 0);
            let mut rows: Vec<String> =
                rows.map(|row| format!("{} {}", row["total"], row["function"])).collect();
            rows.sort();
            rows
        };
        let all = of("all-callers");
        assert!(all == of("flat"), "{file:?}");
        seen += all.len();
    }
    assert!(seen > 100, "{seen} functions");
}

#[test]
fn recursion_is_collapsed_where_it_is_direct_or_wherever_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("r.collapsed");
    std::fs::write(&file, "a;b;a;b;c 5\na;b 3\na;a;d 2\n").unwrap();
    let of = |view: &str, options: &[&str]| {
        let mut words: Vec<&dyn AsRef<std::ffi::OsStr>> =
            vec![&"show", &file, &"--format", &"json", &"--view", &view];
        words.extend(options.iter().map(|option| option as &dyn AsRef<std::ffi::OsStr>));
        let told = json(&words);
        let path = |row: &Value| {
            let names = row["path"].as_array().unwrap().iter().map(|name| name.as_str().unwrap());
            format!("{} {}", names.collect::<Vec<_>>().join(";"), row["total"])
        };
        told["rows"].as_array().unwrap().iter().map(path).collect::<Vec<_>>()
    };
    let direct = ["a 10", "a;b 8", "a;b;a 5", "a;b;a;b 5", "a;b;a;b;c 5", "a;d 2"];
    assert_eq!(of("top-down", &["--collapse-recursion"]), direct);
    let all = ["a 10", "a;b 8", "a;b;c 5", "a;d 2"];
    assert_eq!(of("top-down", &["--collapse-recursion=all"]), all);
    let callers = ["c 5", "c;b 5", "c;b;a 5", "b 3", "b;a 3", "d 2", "d;a 2"];
    assert_eq!(of("bottom-up", &["--collapse-recursion=all"]), callers);
}

#[test]
fn lists_and_formulas_are_not_cut() {
    let file = sample("pprof/cpu.pb.gz");
    assert!(fail(1, &[&"show", &file, &"--prune", &"5%"]).contains("cut trees"));
    let formula = "cpu / samples";
    let words: [&dyn AsRef<std::ffi::OsStr>; 8] =
        [&"show", &file, &"--view", &"top-down", &"--prune", &"5%", &"--metric", &formula];
    assert!(fail(1, &words).contains("--prune needs shares of the program"));
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
