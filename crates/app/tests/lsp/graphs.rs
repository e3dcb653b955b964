//! Dataflow graphs in an editor: they have pages, and their elements lead to lines.

use super::*;

/// A container that was written in a file of the folder, in a graph of one state.
fn graph(source: &Path) -> Value {
    let debuginfo = json!({
        "type": "DebugInfo", "filename": source, "start_line": 3, "end_line": 3,
        "start_column": 0, "end_column": 1
    });
    json!({
        "type": "SDFG", "cfg_list_id": 0,
        "attributes": { "name": "g", "_arrays": {
            "A": { "type": "Array", "attributes": { "dtype": "float64", "shape": ["N"] } }
        } },
        "nodes": [{ "type": "SDFGState", "label": "s", "edges": [], "nodes": [
            { "type": "AccessNode", "label": "A",
              "attributes": { "data": "A", "debuginfo": debuginfo } }
        ] }],
        "edges": []
    })
}

fn graphs(editor: &mut Editor) -> Vec<Value> {
    // Lenses wait until everything is read.
    editor.lenses();
    let loaded = editor.result("hotframe/profiles", json!({}));
    assert_eq!(loaded["profiles"], json!([]));
    loaded["graphs"].as_array().unwrap().clone()
}

#[test]
fn a_graph_is_opened_read_again_and_closed() {
    let mut editor = Editor::with(&[], Value::Null);
    editor.open_source();
    let (path, source) = (editor.path("g.sdfg"), editor.path("program.py"));
    std::fs::write(&source, "a\nb\nc\n").unwrap();
    std::fs::write(&path, graph(&source).to_string()).unwrap();
    let opened = editor.run("hotframe.open", json!([path]));
    let number = &opened["documents"][0]["document"];
    let known = graphs(&mut editor);
    assert_eq!(known, [json!({ "path": path, "document": number, "title": "g.sdfg" })]);
    assert_eq!(editor.run("hotframe.open", json!([path]))["documents"][0]["document"], *number);

    // A graph says nothing of lines.
    assert_eq!(editor.lenses(), []);

    editor.others.clear();
    editor.run("hotframe.openSource", json!([path, source, 3]));
    let shown = editor.others[0].clone();
    assert_eq!(shown["method"], "window/showDocument");
    assert_eq!(shown["params"]["uri"], editor.uri("program.py"));
    assert_eq!(shown["params"]["selection"]["start"]["line"], 2);

    touch(&path, 1000);
    let again = editor.run("hotframe.open", json!([path]));
    assert_ne!(again["documents"][0]["document"], *number);
    assert_eq!(graphs(&mut editor)[0]["document"], again["documents"][0]["document"]);
    assert_eq!(editor.run("hotframe.close", json!([path])), 1);
    assert_eq!(graphs(&mut editor), [Value::Null; 0]);
    assert_eq!(editor.messages(), [""; 0]);
}

#[test]
fn reports_a_broken_graph() {
    let mut editor = Editor::with(&[], Value::Null);
    editor.open_source();
    let path = editor.path("g.sdfg");
    std::fs::write(&path, "{\"type\": \"SDFG\", ").unwrap();
    touch(&path, 1000);
    editor.run("hotframe.open", json!([path]));
    assert_eq!(graphs(&mut editor), [Value::Null; 0]);
    assert!(editor.has_message("no SDFG"), "{:?}", editor.messages());
}
