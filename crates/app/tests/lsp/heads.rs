//! Functions whose first line is not what it was.

use super::*;

/// A line that was measured, and what stands in its place.
fn rewritten(from: &str, to: &str) -> String {
    let text = std::fs::read_to_string(SOURCE).unwrap();
    assert!(text.contains(from), "{from}");
    text.replacen(from, to, 1)
}

#[test]
fn a_function_with_another_head_keeps_its_lens() {
    let mut editor = Editor::with_sample();
    let count = editor.lenses().len();
    let head = "func (p *page) addVisitor(visitor string) {\n";
    let at = u64::from(line_of(head.trim_end()));
    // One line became three.
    editor.change_text(&rewritten(
        head,
        "// adds\nfunc (p *page) addVisitor(\n\tvisitor string,\n) {\n",
    ));
    let lenses = editor.lenses();
    assert_eq!(lenses.len(), count, "{lenses:?}");
    let lens = lenses.iter().find(|(_, title)| title.starts_with("self 11.1 % (248 ms)"));
    assert_eq!(lens.map(|lens| lens.0), Some(at + 1), "{lenses:?}");
    // And where its name is another, too, where the rest of it is.
    editor.change_text(&rewritten(head, "func (p *page) addOne(\n\tone string,\n) {\n"));
    let lenses = editor.lenses();
    assert_eq!(lenses.len(), count, "{lenses:?}");
}
