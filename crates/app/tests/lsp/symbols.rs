//! Symbols of a document, and its hottest lines as diagnostics.

use super::*;

#[test]
fn functions_are_symbols_in_the_order_of_the_file() {
    let mut editor = Editor::start(&["--profile", SAMPLE]);
    let can = json!({
        "textDocument": { "documentSymbol": { "hierarchicalDocumentSymbolSupport": true } },
    });
    editor.initialize_as(Value::Null, can);
    editor.open_source();
    let document = editor.document();
    let symbols = editor.result("textDocument/documentSymbol", document);
    let symbols = symbols.as_array().unwrap();
    let lines: Vec<u64> =
        symbols.iter().map(|one| one["range"]["start"]["line"].as_u64().unwrap()).collect();
    assert!(lines.len() > 3 && lines.is_sorted(), "{lines:?}");
    let at = line_of("func (p *page) addVisitor");
    let visitor = symbols.iter().find(|one| one["range"]["start"]["line"] == at).unwrap();
    assert_eq!(visitor["name"], "main.(*page).addVisitor");
    assert_eq!(visitor["detail"], "self 11.1 % (248 ms) · total 66.8 % (1.5 s)");
    assert_eq!(visitor["selectionRange"], visitor["range"]);
    assert!(visitor["range"]["end"]["character"].as_u64().unwrap() > 20);
}

#[test]
fn older_editors_get_flat_symbols() {
    let mut editor = Editor::with_sample();
    let document = editor.document();
    let symbols = editor.result("textDocument/documentSymbol", document);
    let symbols = symbols.as_array().unwrap();
    let visitor = symbols.iter().find(|one| one["name"] == "main.(*page).addVisitor").unwrap();
    assert_eq!(visitor["containerName"], "self 11.1 % (248 ms) · total 66.8 % (1.5 s)");
    assert_eq!(visitor["location"]["uri"], editor.source());
    let none = json!({ "textDocument": { "uri": "file:///no/such.go" } });
    assert_eq!(editor.result("textDocument/documentSymbol", none), json!([]));
}

fn published(editor: &Editor) -> Vec<Value> {
    let all = editor.others.iter();
    let all = all.filter(|message| message["method"] == "textDocument/publishDiagnostics");
    all.map(|message| message["params"].clone()).collect()
}

#[test]
fn hot_lines_are_published_where_nobody_asks() {
    let options = json!({ "profiles": [SAMPLE], "diagnostics": 2 });
    let mut editor = Editor::with(&[], options);
    editor.open_source();
    // Waits until the profile is read.
    editor.lenses();
    let told = published(&editor).pop().unwrap();
    assert_eq!(told["uri"], editor.source());
    let hints = told["diagnostics"].as_array().unwrap();
    assert_eq!(hints.len(), 2, "{hints:?}");
    assert!(hints.iter().all(|hint| hint["severity"] == 4 && hint["source"] == "hotframe"));
    let hot = line_of("if known == visitor");
    let hint = hints.iter().find(|hint| hint["range"]["start"]["line"] == hot).unwrap();
    assert_eq!(hint["message"], "self 5.5 % (124 ms) · total 61.1 % (1.37 s)");
    // They move with what is typed, and end with the file.
    editor.others.clear();
    let text = std::fs::read_to_string(SOURCE).unwrap();
    editor.change_text(&format!("\n{text}"));
    editor.lenses();
    let told = published(&editor).pop().unwrap();
    let lines = told["diagnostics"].as_array().unwrap().iter();
    assert!(lines.map(|hint| &hint["range"]["start"]["line"]).any(|line| *line == hot + 1));
    let document = editor.document();
    editor.notify("textDocument/didClose", document);
    editor.lenses();
    assert_eq!(published(&editor).pop().unwrap()["diagnostics"], json!([]));
}

#[test]
fn an_editor_that_asks_is_answered_and_not_reported() {
    let mut editor = Editor::start(&["--profile", SAMPLE]);
    let can = json!({ "textDocument": { "diagnostic": {} } });
    let capabilities = editor.initialize_as(json!({ "diagnostics": 1 }), can);
    assert_eq!(capabilities["capabilities"]["diagnosticProvider"]["identifier"], "hotframe");
    editor.open_source();
    let document = editor.document();
    let report = editor.result("textDocument/diagnostic", document.clone());
    assert_eq!(report["kind"], "full");
    assert_eq!(report["items"].as_array().unwrap().len(), 1);
    assert!(published(&editor).is_empty());
    let off = json!({ "settings": { "hotframe": { "diagnostics": 0 } } });
    editor.notify("workspace/didChangeConfiguration", off);
    assert_eq!(editor.result("textDocument/diagnostic", document)["items"], json!([]));
}
