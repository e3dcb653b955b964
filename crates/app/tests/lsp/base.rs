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
