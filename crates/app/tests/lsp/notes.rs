//! What analyses say of a function, in its hover.

use super::*;

/// Functions on lines of their own, as a tree of names; each leaf has a time in microseconds.
fn profile_of(paths: &[(&[&str], i64)]) -> String {
    let names = ["main", "load", "check", "parse", "get_*"];
    let mut nodes = vec![];
    let (mut samples, mut deltas) = (vec![], vec![]);
    let mut roots = vec![];
    for (path, time) in paths {
        let first = nodes.len() + 2;
        roots.push(first);
        for (depth, name) in path.iter().enumerate() {
            let id = first + depth;
            let line = names.iter().position(|known| known == name).unwrap();
            let frame = json!({
                "functionName": name, "scriptId": "1", "url": "file:///build/src/app.js",
                "lineNumber": line * 10, "columnNumber": 0,
            });
            let children = if depth + 1 < path.len() { json!([id + 1]) } else { json!([]) };
            nodes.push(json!({ "id": id, "callFrame": frame, "children": children }));
        }
        samples.push(first + path.len() - 1);
        deltas.push(*time);
    }
    let frame = json!({
        "functionName": "(root)", "scriptId": "0", "url": "", "lineNumber": -1, "columnNumber": -1,
    });
    nodes.insert(0, json!({ "id": 1, "callFrame": frame, "children": roots }));
    let end: i64 = deltas.iter().sum();
    // A delta is the time before its sample, which is that of the sample before.
    deltas.pop();
    deltas.insert(0, 0);
    json!({
        "nodes": nodes, "samples": samples, "timeDeltas": deltas,
        "startTime": 0, "endTime": end,
    })
    .to_string()
}

#[test]
fn hovers_have_the_notes_of_analyses() {
    let mut editor = Editor::start(&[]);
    let paths: [(&[&str], i64); 3] = [
        (&["main", "load", "parse", "get_*"], 80),
        (&["main", "check", "parse", "get_*"], 20),
        (&["main"], 100),
    ];
    std::fs::write(editor.path("p.cpuprofile"), profile_of(&paths)).unwrap();
    editor.initialize(json!({ "profiles": ["p.cpuprofile"] }));
    let uri = editor.uri("src/app.js");
    let hover = |editor: &mut Editor, line: u32| {
        let position = json!({ "line": line, "character": 0 });
        let params = json!({ "textDocument": { "uri": uri }, "position": position });
        editor.result("textDocument/hover", params)["contents"]["value"].to_string()
    };
    let get = hover(&mut editor, 40);
    let end = r"\n\n**Hottest path**\n\n80 % of the total comes through load.\n";
    assert!(get.contains(end), "{get}");
    // All comes through its caller: no note.
    let load = hover(&mut editor, 10);
    assert!(load.contains("**load**") && !load.contains("Hottest path"), "{load}");
}
