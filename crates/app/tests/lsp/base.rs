//! Two profiles: one is told of, and compared with the other.

use super::*;

fn after() -> String {
    SAMPLE.replace("before-1", "after-1")
}

fn title_with(lenses: &[(u64, String)], text: &str) -> String {
    let lens = lenses.iter().find(|(_, title)| title.contains(text));
    lens.unwrap_or_else(|| panic!("no {text} in {lenses:?}")).1.clone()
}

/// The same editor with the later source and these profiles.
fn editor(options: Value) -> Editor {
    let mut editor = Editor::start(&[]);
    let path = editor.path("logsummary/main.go");
    std::fs::copy(SOURCE.replace("/before/", "/after/"), &path).unwrap();
    touch(&path, 1_000_000_000);
    std::fs::copy(SAMPLE, editor.path("main.pb.gz")).unwrap();
    editor.initialize(options);
    editor
}

#[test]
fn lenses_tell_the_change_against_the_first_profile() {
    let mut editor = editor(json!({ "profiles": ["main.pb.gz", after()] }));
    let lenses = editor.lenses();
    // 1.5 s before.
    let visitor = lenses.iter().find(|(line, _)| *line == 39).unwrap();
    assert!(visitor.1.starts_with("self "), "{visitor:?}");
    assert!(visitor.1.contains(" % vs main"), "{visitor:?}");
    assert!(visitor.1.contains(" · -"), "{visitor:?}");
    assert!(title_with(&lenses, "new vs main").starts_with("self"));
    assert!(title_with(&lenses, "gone: total ").contains(" in main"));
    // Hints are those of the active profile, one a line.
    let hints = editor.hints();
    let mut lines: Vec<u64> = hints.iter().map(|hint| hint.0).collect();
    lines.dedup();
    assert_eq!(lines.len(), hints.len());
    let hover = editor.hover_text(39);
    assert!(hover.contains("| in main | "), "{hover}");
    assert!(hover.contains("| 66.8 % (1.5 s) |"), "{hover}");
    assert!(hover.contains("| change | "), "{hover}");
    let summary = editor.run("hotframe.summary", json!([]));
    let summary = summary.as_str().unwrap();
    let (told, of_base) = summary.split_once("\n# ").expect("both profiles");
    assert!(told.contains("## Changes against main"), "{summary}");
    // What the first listed change is, is what its two values say.
    let changes = told.split("| change | function |").nth(1).unwrap();
    let row = changes.lines().nth(2).unwrap();
    assert!(row.starts_with("| ") && row.matches('|').count() == 5, "{row}");
    assert!(!of_base.contains("## Changes"), "{summary}");
}

#[test]
fn a_summary_tells_how_values_spread() {
    let mut editor = Editor::start(&[]);
    let labels = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/pprof/labels.pb.gz");
    editor.initialize(json!({ "profiles": [labels], "metric": "cpu" }));
    let summary = editor.run("hotframe.summary", json!([]));
    let summary = summary.as_str().unwrap();
    // As `go tool pprof -tags` has them.
    let tenants = summary.split("## Label tenant").nth(1).unwrap_or_else(|| panic!("{summary}"));
    let rows: Vec<&str> = tenants.lines().skip(4).take(3).collect();
    assert_eq!(rows, ["| 930 ms | south |", "| 870 ms | north |", "| 780 ms | west |"]);
    assert!(summary.contains("| 660 ms | archive |"), "{summary}");
}

#[test]
fn a_base_is_set_and_a_profile_is_not_its_own_base() {
    let mut editor = editor(json!({ "profiles": [after()], "base": "main.pb.gz" }));
    assert!(title_with(&editor.lenses(), "vs main").starts_with("self"));
    // What is opened is active, again too.
    editor.run("hotframe.open", json!(["main.pb.gz"]));
    let lenses = editor.lenses();
    assert!(!lenses.is_empty());
    assert!(lenses.iter().all(|(_, title)| !title.contains(" vs ")), "{lenses:?}");
    editor.run("hotframe.open", json!([SAMPLE]));
    let lenses = editor.lenses();
    assert!(lenses.iter().all(|(_, title)| title.contains(" · ±0 % vs main")), "{lenses:?}");
}

#[test]
fn other_metrics_are_not_compared() {
    let mut editor = editor(json!({ "profiles": [] }));
    let other = cpu_profile(["/a/logsummary/main.go", "/b/x.js"]);
    std::fs::write(editor.path("p.cpuprofile"), other).unwrap();
    editor.run("hotframe.open", json!(["main.pb.gz", "p.cpuprofile"]));
    let lenses = editor.lenses();
    assert_eq!(lenses.len(), 1, "{lenses:?}");
    assert!(!lenses[0].1.contains("vs"), "{lenses:?}");
}

#[test]
fn the_older_profile_is_the_base_in_whatever_order_they_are_opened() {
    let mut editor = editor(json!({ "profiles": [after(), "main.pb.gz"] }));
    // What is told of is the older one.
    assert!(editor.lenses().iter().all(|(_, title)| !title.contains(" vs ")));
    editor.run("hotframe.open", json!([after()]));
    assert!(title_with(&editor.lenses(), "vs main").starts_with("self"));
    // A profile whose picture was closed is a base only by choice; those of the settings stay.
    let other = SAMPLE.to_owned();
    editor.run("hotframe.putAside", json!(["main.pb.gz"]));
    assert!(title_with(&editor.lenses(), "vs main").starts_with("self"));
    editor.run("hotframe.close", json!(["main.pb.gz"]));
    editor.run("hotframe.open", json!([other]));
    editor.run("hotframe.open", json!([after()]));
    assert!(title_with(&editor.lenses(), "vs before-1").starts_with("self"));
    editor.run("hotframe.putAside", json!([other]));
    assert!(editor.lenses().iter().all(|(_, title)| !title.contains(" vs ")));
    // Pictures show what somebody chose.
    let loaded = editor.result("hotframe/profiles", json!({}));
    assert_eq!(loaded["base_is_chosen"], false);
    editor.run("hotframe.setBase", json!([other]));
    let loaded = editor.result("hotframe/profiles", json!({}));
    assert_eq!(loaded["base_is_chosen"], true);
    assert!(title_with(&editor.lenses(), "vs before-1").starts_with("self"));
    // The sides are swapped in one step.
    editor.run("hotframe.setBase", json!([after(), other]));
    assert!(title_with(&editor.lenses(), "vs after-1").starts_with("self"));
}

#[test]
fn a_folder_of_runs_is_compared_by_its_mean() {
    let mut editor = Editor::start(&[]);
    std::fs::create_dir(editor.path("runs")).unwrap();
    for run in 1..=5 {
        std::fs::copy(SAMPLE, editor.path(&format!("runs/{run}.pb.gz"))).unwrap();
    }
    std::fs::copy(SAMPLE, editor.path("one.pb.gz")).unwrap();
    editor.initialize(json!({ "profiles": ["runs", "one.pb.gz"] }));
    let lenses = editor.lenses();
    assert!(
        lenses.iter().all(|(_, title)| title.contains(" · ±0 % vs runs (5 runs)")),
        "{lenses:?}"
    );
    let hover = editor.hover_text(line_of("if known == visitor"));
    let row = "| in runs \\(5 runs\\), mean of 5 runs | 5.5 % (124 ms) | 61.1 % (1.37 s) | 11.1 % (248 ms) |";
    assert!(hover.contains(&row.replace('\\', "")) || hover.contains(row), "{hover}");
    // And the other way round.
    editor.run("hotframe.open", json!(["runs"]));
    editor.run("hotframe.setBase", json!(["one.pb.gz"]));
    let lenses = editor.lenses();
    assert!(lenses.iter().all(|(_, title)| title.contains(" · ±0 % vs one")), "{lenses:?}");
    let mean = "self 11.1 % (248 ms) · total 66.8 % (1.5 s) · mean of 5 runs · ±0 % vs one";
    assert!(title_with(&lenses, "(1.5 s)").starts_with(mean), "{lenses:?}");
    let hover = editor.hover_text(line_of("if known == visitor"));
    assert!(hover.contains("| cpu, mean of 5 runs | 5.5 % (124 ms) |"), "{hover}");
    let loaded = editor.result("hotframe/profiles", json!({}));
    assert_eq!(loaded["profiles"][0]["title"], "runs (5 runs)");
    // One of them is recorded again.
    let after = after();
    std::fs::copy(after, editor.path("runs/3.pb.gz")).unwrap();
    let again = editor.hover_text(line_of("if known == visitor"));
    assert!(again.contains("| cpu, mean of 5 runs |") && again != hover, "{again}");
}

#[test]
fn values_of_several_runs_are_their_mean_everywhere() {
    let mut editor = Editor::start(&[]);
    for run in 1..=5 {
        std::fs::copy(SAMPLE, editor.path(&format!("run-{run}.pb.gz"))).unwrap();
    }
    editor.initialize(json!({ "profiles": [], "diagnostics": 3 }));
    // As one profile, in one step.
    let files: Vec<String> = (1..=5).map(|run| format!("run-{run}.pb.gz")).collect();
    let opened = editor.run("hotframe.open", json!([files]));
    assert_eq!(opened["documents"].as_array().unwrap().len(), 1);
    let lenses = editor.lenses();
    let visitor = lenses.iter().find(|(line, _)| *line == 39).unwrap();
    assert_eq!(visitor.1, "self 11.1 % (248 ms) · total 66.8 % (1.5 s) · mean of 5 runs");
    let uri = editor.source();
    let document = json!({ "textDocument": { "uri": uri } });
    let lines = editor.result("hotframe/lines", document);
    let hot = lines["lines"].as_array().unwrap().iter().map(|line| line["text"].as_str().unwrap());
    let hot: Vec<&str> = hot.filter(|text| text.contains("61.1 % (1.37 s)")).collect();
    assert!(!hot.is_empty() && hot.iter().all(|text| text.ends_with("mean of 5 runs")), "{lines}");
    assert!(editor.hints().iter().any(|hint| hint.1.contains("mean total 61.1 % (1.37 s)")));
    let hover = editor.hover_text(line_of("if known == visitor"));
    assert!(hover.contains("| cpu, mean of 5 runs | 5.5 % (124 ms) |"), "{hover}");
    let loaded = editor.result("hotframe/profiles", json!({}));
    let profile = &loaded["profiles"][0];
    assert_eq!(profile["title"], "run (5 runs)");
    let metric = &profile["metrics"][profile["metric"].as_u64().unwrap() as usize];
    assert_eq!((&metric["total"], &metric["runs"]), (&json!("2.24 s"), &json!(5)));
    assert!(profile["functions"].to_string().contains("66.8 % (1.5 s)"), "{profile}");
    let summary = editor.run("hotframe.summary", json!([]));
    assert!(summary.as_str().unwrap().contains("- Values: mean of 5 runs"), "{summary}");
    // Formulas too: their mean where they have one, else what they are worked out from is told.
    let path = profile["path"].as_str().unwrap().to_owned();
    for (formula, expected) in [
        ("cpu / 2", "self 124 ms · total 748 ms · mean of 5 runs"),
        ("max(cpu - 100 ms, 0)", "self 1.14 s · total 7.38 s · of the sum of 5 runs"),
        ("ratio(cpu, cpu)", "self 1 · total 1"),
    ] {
        editor.run("hotframe.setMetric", json!([path, formula]));
        let lenses = editor.lenses();
        let visitor = lenses.iter().find(|(line, _)| *line == 39).unwrap();
        assert_eq!(visitor.1, expected, "{formula}");
    }
    editor.run("hotframe.setMetric", json!([path, "cpu"]));
    // One is recorded again, and one is gone.
    std::fs::copy(after(), editor.path("run-3.pb.gz")).unwrap();
    let again = editor.hover_text(line_of("if known == visitor"));
    assert!(again.contains("mean of 5 runs") && again != hover, "{again}");
    assert_eq!(editor.run("hotframe.close", json!([path])), json!(1));
    // A folder of runs counts as many as are in it.
    std::fs::create_dir(editor.path("two")).unwrap();
    for run in [1, 2] {
        std::fs::copy(SAMPLE, editor.path(&format!("two/{run}.pb.gz"))).unwrap();
    }
    editor.run("hotframe.open", json!([["two", "run-1.pb.gz"]]));
    editor.lenses();
    let loaded = editor.result("hotframe/profiles", json!({}));
    let cpu = &loaded["profiles"][0]["metrics"][1];
    assert_eq!((&cpu["total"], &cpu["runs"]), (&json!("2.24 s"), &json!(3)), "{loaded}");
    std::fs::remove_file(editor.path("run-2.pb.gz")).unwrap();
    let opened = editor.run("hotframe.open", json!([files]));
    assert_eq!(opened["documents"], json!([]));
}

#[test]
fn functions_with_next_to_no_share_have_no_lens() {
    let mut all = editor(json!({ "profiles": [after()], "lensPercent": 0 }));
    let mut some = editor(json!({ "profiles": [after()], "lensPercent": 50 }));
    let (all, some) = (all.lenses(), some.lenses());
    assert!(!some.is_empty() && some.len() < all.len(), "{some:?} of {all:?}");
}
