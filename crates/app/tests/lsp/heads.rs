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

/// As V8 wrote it: one function of an array has the name of the array, the others have none.
#[test]
fn functions_without_names_have_lenses_and_lines_of_their_own() {
    let mut editor = Editor::start(&[]);
    let text = "const work = [\n  function (n) {\n    let s = 0;\n    while (n--) s += n;\n    return s;\n  },\n  (n) => {\n    return n * n;\n  },\n];\nwork.forEach(function (f) {\n  f(1e6);\n});\n";
    let path = editor.path("app.js");
    std::fs::write(&path, text).unwrap();
    touch(&path, 1_000_000_000);
    let url = editor.uri("app.js");
    let frame = |name: &str, line: i32, column: i32| {
        json!({
            "functionName": name, "scriptId": "1", "url": url, "lineNumber": line,
            "columnNumber": column,
        })
    };
    let profile = json!({
        "nodes": [
            { "id": 1, "callFrame": frame("(root)", -1, -1), "children": [2] },
            { "id": 2, "callFrame": frame("", 0, 0), "children": [3] },
            { "id": 3, "callFrame": frame("", 10, 13), "children": [4, 5] },
            { "id": 4, "callFrame": frame("", 1, 11),
              "positionTicks": [{ "line": 3, "ticks": 1 }, { "line": 4, "ticks": 3 }] },
            { "id": 5, "callFrame": frame("work", 6, 2),
              "positionTicks": [{ "line": 8, "ticks": 2 }] },
        ],
        "samples": [4, 4, 5, 4, 5, 4], "timeDeltas": [0, 10, 10, 10, 10, 10],
        "startTime": 0, "endTime": 60,
    });
    std::fs::write(editor.path("p.cpuprofile"), profile.to_string()).unwrap();
    editor.initialize(json!({ "profiles": ["p.cpuprofile"], "metric": "samples" }));
    let params = json!({ "textDocument": { "uri": url } });
    let lenses = editor.result("textDocument/codeLens", params.clone());
    let lenses: Vec<_> = (lenses.as_array().unwrap().iter())
        .map(|one| (one["range"]["start"]["line"].as_u64(), one["command"]["title"].as_str()))
        .collect();
    let wanted = [
        (Some(0), Some("self 0 · total 100.0 % (6)")),
        (Some(1), Some("self 66.7 % (4) · total 66.7 % (4)")),
        (Some(6), Some("self 33.3 % (2) · total 33.3 % (2)")),
        (Some(10), Some("self 0 · total 100.0 % (6)")),
    ];
    assert_eq!(lenses, wanted);
    let told = editor.result("hotframe/lines", params);
    let own: Vec<_> = (told["lines"].as_array().unwrap().iter())
        .filter(|line| line["self"] != 0.0)
        .map(|line| (line["line"].as_u64().unwrap(), line["text"].as_str().unwrap()))
        .collect();
    let wanted = [
        (2, "self 16.7 % (1) · total 16.7 % (1)"),
        (3, "self 50.0 % (3) · total 50.0 % (3)"),
        (7, "self 33.3 % (2) · total 33.3 % (2)"),
    ];
    assert_eq!(own, wanted);
}
