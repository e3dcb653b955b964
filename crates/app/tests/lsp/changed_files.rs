//! Files that changed since the profile was recorded.

use std::process::Command;

use super::*;

const HOT: &str = "if known == visitor";

fn source_text() -> String {
    std::fs::read_to_string(SOURCE).unwrap()
}

pub(super) const BEFORE: &str = "2001-01-01T00:00:00Z";
const AFTER: &str = "2096-01-01T00:00:00Z";

/// Runs git in the workspace at a time; tells whether there is a git.
pub(super) fn git(editor: &Editor, date: &str, arguments: &[&str]) -> bool {
    let ended = Command::new("git")
        .args(["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"])
        .args(arguments)
        .current_dir(&editor.folder)
        .env("GIT_COMMITTER_DATE", date)
        .env("GIT_AUTHOR_DATE", date)
        .stdout(Stdio::null())
        .status();
    if ended.is_err() {
        eprintln!("git is missing: files with a past are not tested");
        return false;
    }
    assert!(ended.unwrap().success());
    true
}

#[test]
fn marks_move_with_what_is_typed() {
    let mut editor = Editor::with_sample();
    let (lenses, hints) = (editor.lenses(), editor.hints());
    let hot = line_of(HOT);
    let hover = editor.hover_text(hot);
    editor.change_text(&format!("// one\n// two\n{}", source_text()));
    let moved = |all: &[(u64, String)]| -> Vec<(u64, String)> {
        all.iter().map(|(line, text)| (line + 2, text.clone())).collect()
    };
    assert_eq!(editor.lenses(), moved(&lenses));
    assert_eq!(editor.hints(), moved(&hints));
    // So do the places that it links to.
    assert!(hover.contains("main.go#L75)"), "{hover}");
    assert_eq!(editor.hover_text(hot + 2), hover.replace("main.go#L75)", "main.go#L77)"));
    // A line that is another has no value; a function keeps its lens.
    let other = source_text().replace(HOT, "if visitor == known");
    editor.change_text(&other.replace("addVisitor(", "addOne("));
    assert_eq!(editor.lenses(), lenses);
    let without: Vec<_> =
        hints.iter().filter(|(line, _)| *line != u64::from(hot)).cloned().collect();
    assert!(without.len() < hints.len());
    assert_eq!(editor.hints().iter().filter(|(line, _)| *line == u64::from(hot)).count(), 0);
    // What is written to the disk is what was typed, and no other past.
    let path = editor.path("logsummary/main.go");
    std::fs::write(&path, format!("// one\n{}", source_text())).unwrap();
    editor.change_text(&format!("// one\n{}", source_text()));
    assert_eq!(editor.hover_text(hot + 1), hover.replace("main.go#L75)", "main.go#L76)"));
}

#[test]
fn what_changed_and_has_no_past_is_marked() {
    let mut editor = Editor::with(&["--profile", SAMPLE], Value::Null);
    touch(&editor.path("logsummary/main.go"), 4_000_000_000);
    editor.open_source();
    let at = u64::from(line_of("func (p *page) addVisitor"));
    let lenses = editor.lenses();
    let lens = lenses.iter().find(|(line, _)| *line == at).unwrap();
    assert!(lens.1.starts_with("self 11.1 % (248 ms) · total 66.8 % (1.5 s) · "), "{lens:?}");
    assert!(lens.1.ends_with(" · file changed since"), "{lens:?}");
    assert!(editor.hints().iter().all(|(_, label)| label.ends_with(" · stale")));
    let hover = editor.hover_text(line_of(HOT));
    assert!(hover.contains("changed 2096-10-02 07:06:40 UTC"), "{hover}");
    assert!(hover.contains("recorded 20"), "{hover}");
    let symbols = editor.result("workspace/symbol", json!({ "query": "addVisitor" }));
    let told = symbols[0]["containerName"].as_str().unwrap();
    assert!(told.ends_with("file changed since"), "{told}");
}

#[test]
fn lines_are_brought_through_git() {
    let before = Editor::with(&["--profile", SAMPLE], Value::Null).lenses();
    let mut editor = Editor::start(&["--profile", SAMPLE]);
    let path = editor.path("logsummary/main.go");
    if !git(&editor, BEFORE, &["init", "-q"]) {
        return;
    }
    git(&editor, BEFORE, &["add", "logsummary"]);
    git(&editor, BEFORE, &["commit", "-q", "-m", "first"]);
    // Written later, and still what was committed.
    touch(&path, 4_000_000_000);
    editor.initialize(Value::Null);
    assert_eq!(editor.lenses(), before);
    std::fs::write(&path, format!("// one\n// two\n{}", source_text())).unwrap();
    let after: Vec<_> = before.iter().map(|(line, text)| (line + 2, text.clone())).collect();
    assert_eq!(editor.lenses(), after);
    let hover = editor.hover_text(line_of(HOT) + 2);
    assert!(hover.contains("The lines are those of commit "), "{hover}");
    assert_eq!(editor.hover_text(0), "");
    let at = line_of("func (p *page) addVisitor") + 2;
    let symbols = editor.result("workspace/symbol", json!({ "query": "addVisitor" }));
    assert_eq!(symbols[0]["location"]["range"]["start"]["line"], at);
    // What was committed later is not past, and what has none is marked.
    let mut editor = Editor::with(&["--profile", SAMPLE], Value::Null);
    let path = editor.path("logsummary/main.go");
    std::fs::write(&path, source_text().replacen("\nfunc", "\n// one\nfunc", 1)).unwrap();
    git(&editor, BEFORE, &["init", "-q"]);
    git(&editor, BEFORE, &["commit", "-q", "--allow-empty", "-m", "empty"]);
    git(&editor, AFTER, &["add", "logsummary"]);
    git(&editor, AFTER, &["commit", "-q", "-m", "later"]);
    touch(&path, 4_000_000_000);
    assert!(editor.lenses().iter().all(|(_, title)| title.ends_with(" · file changed since")));
    assert_eq!(editor.leave(), Some(0));
}
