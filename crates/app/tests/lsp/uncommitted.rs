//! Files whose text was in no commit when the profile was recorded.

use super::changed_files::{BEFORE, git};
use super::*;

/// The sample's source with lines before its first function, which moves all that was measured.
fn moved(lines: &str) -> String {
    std::fs::read_to_string(SOURCE).unwrap().replacen("\nfunc ", &format!("\n{lines}func "), 1)
}

const RECORDED: u64 = 1_500_000_000;

/// An editor whose file was committed with another text than the one that was recorded.
fn editor_after_commit() -> Option<Editor> {
    let editor = Editor::start(&["--profile", SAMPLE]);
    std::fs::write(editor.path("logsummary/main.go"), moved("// one\n// two\n// three\n")).unwrap();
    if !git(&editor, BEFORE, &["init", "-q"]) {
        return None;
    }
    git(&editor, BEFORE, &["add", "logsummary"]);
    git(&editor, BEFORE, &["commit", "-q", "-m", "not what was recorded"]);
    Some(editor)
}

#[test]
fn a_commit_that_does_not_fit_is_not_asserted() {
    let Some(mut editor) = editor_after_commit() else { return };
    // Neither is what was written later.
    let path = editor.path("logsummary/main.go");
    std::fs::write(&path, moved("// only one\n")).unwrap();
    touch(&path, 4_000_000_000);
    editor.initialize(Value::Null);
    let lenses = editor.lenses();
    assert!(!lenses.is_empty());
    assert!(lenses.iter().all(|(_, title)| title.ends_with(" · file changed since")), "{lenses:?}");
    assert!(editor.hints().iter().all(|(_, label)| label.ends_with(" · stale")));
    let hover = editor.hover_text(line_of("if known == visitor"));
    assert!(hover.contains("may be at wrong lines"), "{hover}");
    assert!(!hover.contains("commit"), "{hover}");
    // A function is still found by its name.
    let at = u64::from(line_of("func (p *page) addVisitor")) + 1;
    assert!(lenses.iter().any(|(line, _)| *line == at), "{at} in {lenses:?}");
}

#[test]
fn an_older_or_later_commit_that_fits_is_taken() {
    let hot = line_of("if known == visitor");
    for date in [BEFORE, "2096-01-01T00:00:00Z"] {
        let Some(mut editor) = editor_after_commit() else { return };
        let path = editor.path("logsummary/main.go");
        std::fs::copy(SOURCE, &path).unwrap();
        git(&editor, date, &["commit", "-q", "-a", "-m", "recorded"]);
        std::fs::write(&path, moved("// another\n")).unwrap();
        git(&editor, date, &["commit", "-q", "-a", "-m", "later"]);
        touch(&path, 4_000_000_000);
        editor.initialize(Value::Null);
        let hover = editor.hover_text(hot + 1);
        assert!(hover.contains("The lines are those of commit "), "{date}: {hover}");
        assert!(hover.contains("addVisitor"), "{date}: {hover}");
    }
}

#[test]
fn what_was_saved_before_the_recording_is_known() {
    let Some(mut editor) = editor_after_commit() else { return };
    editor.initialize(Value::Null);
    let path = editor.path("logsummary/main.go");
    let text = std::fs::read_to_string(SOURCE).unwrap();
    std::fs::write(&path, &text).unwrap();
    touch(&path, RECORDED);
    editor.open_text(&text);
    // It has looked at the file, and not yet at the profile.
    editor.result("hotframe/profiles", json!({}));
    let later = moved("// only one\n");
    editor.change_text(&later);
    std::fs::write(&path, &later).unwrap();
    touch(&path, 4_000_000_000);
    let document = editor.document();
    editor.notify("textDocument/didSave", document);
    let hover = editor.hover_text(line_of("if known == visitor") + 1);
    assert!(hover.contains("those of the text of 2017-07-14 02:40:00 UTC"), "{hover}");
}

#[test]
fn what_was_seen_beside_the_profile_is_kept() {
    let Some(mut editor) = editor_after_commit() else { return };
    let path = editor.path("logsummary/main.go");
    std::fs::copy(SOURCE, &path).unwrap();
    touch(&path, RECORDED);
    editor.initialize(Value::Null);
    // Nobody opened the file.
    editor.result("workspace/symbol", json!({ "query": "no such function" }));
    let texts = editor.path("state/hotframe/texts");
    for _ in 0..100 {
        let written = std::fs::read_dir(&texts).is_ok_and(|mut all| {
            all.any(|file| file.unwrap().path().extension().is_some_and(|it| it == "txt"))
        });
        if written {
            break;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    std::fs::write(&path, moved("// only one\n")).unwrap();
    touch(&path, 4_000_000_000);
    let mut next = editor.again(&["--profile", SAMPLE]);
    next.initialize(Value::Null);
    let hover = next.hover_text(line_of("if known == visitor") + 1);
    assert!(hover.contains("those of the text of 2017-07-14 02:40:00 UTC"), "{hover}");
    assert!(hover.contains("addVisitor"), "{hover}");
}

#[test]
fn a_text_that_cannot_be_the_one_is_none_whatever_the_clock_says() {
    let mut editor = Editor::start(&["--profile", SAMPLE]);
    let path = editor.path("logsummary/main.go");
    std::fs::write(&path, moved("// one\n// two\n// three\n")).unwrap();
    touch(&path, 1_000_000_000);
    editor.initialize(Value::Null);
    let lenses = editor.lenses();
    assert!(lenses.iter().all(|(_, title)| title.ends_with(" · lines do not fit")), "{lenses:?}");
    let hover = editor.hover_text(line_of("if known == visitor"));
    assert!(hover.contains("recorded from another version"), "{hover}");
}

/// Few lines of a file need to be impossible, however old it is: here one function has moved by a
/// line, so that something would stand on a blank line.
#[test]
fn one_blank_line_that_was_measured_is_enough() {
    let text = std::fs::read_to_string(SOURCE).unwrap();
    let hot = line_of("if known == visitor") as usize;
    let mut lines: Vec<&str> = text.lines().collect();
    lines.remove(hot - 1);
    lines.insert(hot, "");
    let mut editor = Editor::start(&["--profile", SAMPLE]);
    let path = editor.path("logsummary/main.go");
    let other = lines.join("\n");
    std::fs::write(&path, &other).unwrap();
    touch(&path, 1_000_000_000);
    editor.initialize(Value::Null);
    editor.open_text(&other);
    let lenses = editor.lenses();
    assert!(!lenses.is_empty());
    assert!(lenses.iter().all(|(_, title)| title.ends_with(" · lines do not fit")), "{lenses:?}");
    assert!(editor.hints().iter().all(|(_, label)| label.ends_with(" · stale")));
}
