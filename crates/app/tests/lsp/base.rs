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
    let window = json!({ "window": { "showMessage": {}, "showDocument": { "support": true } } });
    editor.initialize_as(options, window);
    editor
}

/// What the editor asks the user about comparing.
fn offers(editor: &Editor) -> Vec<&Value> {
    let asked = editor.others.iter().filter(|one| one["method"] == "window/showMessageRequest");
    asked.filter(|one| one["params"]["message"].to_string().contains("an older profile")).collect()
}

/// What lenses say of a change.
fn compared(lenses: &[(u64, String)]) -> bool {
    lenses.iter().any(|(_, title)| title.contains(" vs ") || title.contains("same as "))
}

#[test]
fn lenses_tell_the_change_against_the_base() {
    let options = json!({ "profiles": ["main.pb.gz", after()], "base": "main.pb.gz" });
    let mut editor = editor(options);
    let lenses = editor.lenses();
    // 1.5 s before.
    let visitor = lenses.iter().find(|(line, _)| *line == 39).unwrap();
    assert!(visitor.1.starts_with("self "), "{visitor:?}");
    assert!(visitor.1.contains(" · -"), "{visitor:?}");
    assert!(visitor.1.ends_with(" % vs main, 1 run"), "{visitor:?}");
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
    let changes = told.split("| change | verdict | function |").nth(1).unwrap();
    let row = changes.lines().nth(2).unwrap();
    assert!(row.contains("| unknown: 1 run on a side |"), "{row}");
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
    assert!(!compared(&lenses), "{lenses:?}");
    editor.run("hotframe.open", json!([SAMPLE]));
    let lenses = editor.lenses();
    let is_same = |(_, title): &(u64, String)| title.contains(" · 0 % vs main, 1 run");
    assert!(lenses.iter().all(is_same), "{lenses:?}");
    let itself = json!({ "command": "hotframe.setBase", "arguments": [after(), after()] });
    let refused = editor.request("workspace/executeCommand", itself);
    assert!(refused["error"]["message"].as_str().unwrap().contains("with itself"), "{refused}");
    assert!(compared(&editor.lenses()), "nothing else changed");
}

#[test]
fn other_metrics_are_not_compared() {
    let mut editor = editor(json!({ "profiles": [] }));
    let other = cpu_profile(["/a/logsummary/main.go", "/b/x.js"]);
    std::fs::write(editor.path("p.cpuprofile"), other).unwrap();
    editor.run("hotframe.open", json!(["main.pb.gz", "p.cpuprofile"]));
    let lenses = editor.lenses();
    assert_eq!(lenses.len(), 1, "{lenses:?}");
    assert!(!compared(&lenses), "{lenses:?}");
    assert_eq!(offers(&editor), [&Value::Null; 0]);
    // Asked for it, the editor says why not.
    editor.run("hotframe.setBase", json!(["main.pb.gz"]));
    assert!(!compared(&editor.lenses()));
    assert!(editor.has_message("main.pb.gz has no metric"), "{:?}", editor.messages());
}

#[test]
fn an_older_profile_is_offered_and_never_compared_by_itself() {
    let mut editor = editor(json!({ "profiles": [after(), "main.pb.gz"] }));
    // What is told of is the older one.
    assert!(!compared(&editor.lenses()));
    assert_eq!(offers(&editor).len(), 0);
    editor.run("hotframe.open", json!([after()]));
    assert!(!compared(&editor.lenses()));
    let asked = offers(&editor)[0].clone();
    let message = asked["params"]["message"].as_str().unwrap();
    assert_eq!(message, "main.pb.gz is an older profile of the same program.");
    let [action] = &asked["params"]["actions"].as_array().unwrap()[..] else { panic!("{asked}") };
    assert_eq!(action["title"], "Compare after-1.pb.gz with it");
    // Nobody is asked twice.
    editor.run("hotframe.open", json!([after()]));
    editor.lenses();
    assert_eq!(offers(&editor).len(), 1);
    let answer = json!({ "jsonrpc": "2.0", "id": asked["id"], "result": action });
    editor.write(&framed(&answer));
    assert!(title_with(&editor.lenses(), "vs main").starts_with("self"));
    let loaded = editor.result("hotframe/profiles", json!({}));
    assert_eq!(loaded["base_is_chosen"], true);
    // The sides are swapped in one step.
    editor.run("hotframe.setBase", json!([after(), "main.pb.gz"]));
    assert!(title_with(&editor.lenses(), "vs after-1").starts_with("self"));
    editor.run("hotframe.setBase", json!([null]));
    assert!(!compared(&editor.lenses()));
}

#[test]
fn a_profile_whose_picture_was_closed_is_not_offered() {
    let mut editor = editor(json!({ "profiles": [] }));
    editor.run("hotframe.open", json!(["main.pb.gz"]));
    editor.lenses();
    editor.run("hotframe.putAside", json!(["main.pb.gz"]));
    editor.run("hotframe.open", json!([after()]));
    editor.lenses();
    assert_eq!(offers(&editor).len(), 0);
}

#[test]
fn a_folder_of_runs_is_compared_by_its_mean() {
    let mut editor = Editor::start(&[]);
    std::fs::create_dir(editor.path("runs")).unwrap();
    for run in 1..=5 {
        std::fs::copy(SAMPLE, editor.path(&format!("runs/{run}.pb.gz"))).unwrap();
    }
    std::fs::copy(SAMPLE, editor.path("one.pb.gz")).unwrap();
    editor.initialize(json!({ "profiles": ["runs", "one.pb.gz"], "base": "runs" }));
    let lenses = editor.lenses();
    let is_same = |(_, title): &(u64, String)| title.contains(" · 0 % vs runs (5 runs), 1 run");
    assert!(lenses.iter().all(is_same), "{lenses:?}");
    let hover = editor.hover_text(line_of("if known == visitor"));
    let row = "| in runs \\(5 runs\\), mean of 5 runs | 5.5 % (124 ms) | 61.1 % (1.37 s) | 11.1 % (248 ms) |";
    assert!(hover.contains(&row.replace('\\', "")) || hover.contains(row), "{hover}");
    // And the other way round.
    editor.run("hotframe.open", json!(["runs"]));
    editor.run("hotframe.setBase", json!(["one.pb.gz"]));
    let lenses = editor.lenses();
    let mean = "self 11.1 % (248 ms) · total 66.8 % (1.5 s) · mean of 5 runs · 0 % vs one, 1 run";
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
fn lenses_say_what_runs_show() {
    let runs = |side: &str| {
        let file = |run: usize| SAMPLE.replace("before-1", &format!("{side}-{run}"));
        [1, 2, 3].map(file)
    };
    let mut editor = editor(json!({ "profiles": [] }));
    editor.run("hotframe.open", json!([runs("before"), runs("after")]));
    let paths = editor.result("hotframe/profiles", json!({}));
    let path = |at: usize| paths["profiles"][at]["path"].clone();
    editor.run("hotframe.setBase", json!([path(0), path(1)]));
    let lenses = editor.lenses();
    let words = ["more: +", "less: -", "unknown: ", "same as ", "more: new vs", "gone: "];
    let says = |title: &String| words.iter().any(|word| title.contains(word));
    assert!(lenses.iter().all(|(_, title)| says(title)), "{lenses:?}");
    assert!(lenses.iter().any(|(_, title)| title.contains("less: -")), "{lenses:?}");
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
