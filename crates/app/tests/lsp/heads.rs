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

/// An editor with a source file and samples by call stack; the lenses of the file.
fn sampled(name: &str, source: &str, stacks: &str) -> (Editor, Vec<(u64, String)>) {
    let mut editor = Editor::start(&[]);
    std::fs::write(editor.path(name), source).unwrap();
    touch(&editor.path(name), 1_000_000_000);
    std::fs::write(editor.path("a.collapsed"), stacks).unwrap();
    editor.initialize(json!({ "profiles": ["a.collapsed"], "lensPercent": 0 }));
    let params = json!({ "textDocument": { "uri": editor.uri(name) } });
    let lenses = editor.result("textDocument/codeLens", params);
    let lens = |lens: &Value| {
        let title = lens["command"]["title"].as_str().unwrap().to_owned();
        (lens["range"]["start"]["line"].as_u64().unwrap(), title)
    };
    let lenses = lenses.as_array().unwrap().iter().map(lens).collect();
    (editor, lenses)
}

/// As py-spy and its like write them: a name, a file and the line that ran.
#[test]
fn reports_functions_of_one_name_that_a_profile_has_as_one_as_such() {
    let classes = ["A", "B", "C", "D"].map(|name| {
        format!("class {name}:\n    def __init__(self):\n        self.x = sum(range(300))\n\n\n")
    });
    let stacks = "work (x.py:1);__init__ (m.py:3) 100\nwork (x.py:1);__init__ (m.py:8) 5\n\
                  work (x.py:1);__init__ (m.py:13) 20\n";
    let (mut editor, lenses) = sampled("m.py", &classes.concat(), stacks);
    let said = "self 100.0 % (125) · total 100.0 % (125) · of 3 functions with this name";
    // The fourth was not measured.
    let wanted = [1, 6, 11].map(|line| (line, said.to_owned()));
    assert_eq!(lenses, wanted);
    let symbols = editor.result(
        "textDocument/documentSymbol",
        json!({ "textDocument": { "uri": editor.uri("m.py") } }),
    );
    assert_eq!(symbols.as_array().unwrap().len(), 3, "{symbols}");
    let position = json!({ "line": 7, "character": 0 });
    let params = json!({ "textDocument": { "uri": editor.uri("m.py") }, "position": position });
    let hover = editor.result("textDocument/hover", params)["contents"]["value"].to_string();
    assert!(hover.contains("3 functions here have this name"), "{hover}");
}

#[test]
fn a_function_that_tells_no_start_is_the_one_above_its_lines() {
    let classes = ["A", "B"].map(|name| {
        format!("class {name}:\n    def __init__(self):\n        self.x = sum(range(300))\n\n\n")
    });
    let (_, lenses) = sampled("m.py", &classes.concat(), "__init__ (m.py:8) 5\n");
    assert_eq!(lenses, [(6, "self 100.0 % (5) · total 100.0 % (5)".to_owned())]);
}

/// The lines of a macro's definition are where compilers have the code that is made of it.
#[test]
fn a_function_that_was_measured_in_its_macro_makes_no_file_stale() {
    let source = "macro_rules! twice {\n    ($x:expr) => {\n        $x + $x\n    };\n}\n\n\
                  pub fn hot(x: u64) -> u64 {\n    twice!(x)\n}\n\npub fn cold(x: u64) -> u64 {\n    x\n}\n";
    let stacks = "main (main.rs:1);hot (lib.rs:3) 50\nmain (main.rs:1);cold (lib.rs:12) 50\n";
    let (_, lenses) = sampled("lib.rs", source, stacks);
    let said = "self 50.0 % (50) · total 50.0 % (50)".to_owned();
    assert_eq!(lenses, [(6, said.clone()), (10, said)]);
    // Where there is no macro, the text is another one.
    let other = source.replace("macro_rules! twice", "const TWICE: u64 =");
    let (_, lenses) = sampled("lib.rs", &other, stacks);
    assert!(lenses.iter().all(|(_, title)| title.ends_with(" · lines do not fit")), "{lenses:?}");
}

/// As V8 writes functions whose code it has thrown away.
#[test]
fn a_function_on_line_0_takes_no_lens_from_others() {
    let mut editor = Editor::start(&[]);
    let text = "function kept() {\n  return 1;\n}\n";
    std::fs::write(editor.path("app.js"), text).unwrap();
    touch(&editor.path("app.js"), 1_000_000_000);
    let url = editor.uri("app.js");
    let call = |name: &str, line: i32| {
        json!({ "functionName": name, "scriptId": "1", "url": url, "lineNumber": line,
            "columnNumber": 0 })
    };
    let profile = json!({
        "nodes": [
            { "id": 1, "callFrame": call("(root)", -1), "children": [2, 3] },
            { "id": 2, "callFrame": call("kept", 0) },
            { "id": 3, "callFrame": call("lost", -1) },
        ],
        "samples": [2, 3], "timeDeltas": [10, 10], "startTime": 0, "endTime": 30,
    });
    std::fs::write(editor.path("p.cpuprofile"), profile.to_string()).unwrap();
    editor.initialize(json!({ "profiles": ["p.cpuprofile"] }));
    let params = json!({ "textDocument": { "uri": url } });
    let lenses = editor.result("textDocument/codeLens", params.clone());
    let lines: Vec<_> = (lenses.as_array().unwrap().iter())
        .map(|lens| lens["range"]["start"]["line"].as_u64().unwrap())
        .collect();
    assert_eq!(lines, [0]);
    let symbols = editor.result("textDocument/documentSymbol", params);
    assert_eq!(symbols.as_array().unwrap().len(), 1);
}
