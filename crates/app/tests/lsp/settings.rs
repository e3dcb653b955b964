//! Settings that change, folders that come and go, and what is chosen by command.

use super::*;

fn set(editor: &mut Editor, settings: Value) {
    editor.notify("workspace/didChangeConfiguration", json!({ "settings": settings }));
}

#[test]
fn settings_change_while_the_editor_runs() {
    let mut editor = Editor::with(&["--profile", SAMPLE], Value::Null);
    let before = editor.lenses();
    assert!(before.iter().any(|(_, title)| title.contains("1.5 s")));
    set(&mut editor, json!({ "hotframe": { "metric": "samples", "hotLinePercent": 50 } }));
    let lenses = editor.lenses();
    assert!(lenses.iter().any(|(_, title)| title.contains("66.8 % (374)")), "{lenses:?}");
    assert_eq!(editor.hints().len(), 3);
    // Without a name, a formula, and a profile and base that are new.
    let base = SAMPLE.replace("before-1", "after-1");
    set(&mut editor, json!({ "metric": "cpu / samples" }));
    assert!(editor.lenses().iter().all(|(_, title)| !title.contains('%')));
    set(&mut editor, json!({ "hotframe": { "profiles": [SAMPLE], "base": base } }));
    let lenses = editor.lenses();
    assert!(lenses.iter().any(|(_, title)| title.contains(" vs after-1")), "{lenses:?}");
    assert_eq!(editor.messages(), [""; 0]);
}

#[test]
fn bad_settings_are_reported_and_the_old_stay() {
    let mut editor = Editor::with(&[], json!({ "profiles": [SAMPLE], "metric": "samples" }));
    let before = editor.lenses();
    set(&mut editor, json!({ "hotframe": { "hotLinePercent": "many" } }));
    assert_eq!(editor.lenses(), before);
    assert!(editor.has_message("the new settings are not used"));
    set(&mut editor, json!({ "hotframe": { "metric": "watts" } }));
    assert_eq!(editor.lenses(), before);
    assert!(editor.has_message("no metric watts"), "{:?}", editor.messages());
    editor.others.clear();
    for nothing in [json!({}), json!([]), Value::Null] {
        set(&mut editor, nothing);
    }
    editor.notify("workspace/didChangeConfiguration", Value::Null);
    editor.notify("workspace/didChangeConfiguration", json!([7]));
    assert_eq!(editor.lenses(), before);
    assert_eq!(editor.messages(), [""; 0]);
}

#[test]
fn rules_of_new_settings_decide() {
    let files = ["file:///build/a/src/app.js", "file:///build/b/src/app.js"];
    let mut editor = Editor::start(&[]);
    std::fs::write(editor.path("p.cpuprofile"), cpu_profile(files)).unwrap();
    editor.initialize(json!({ "profiles": ["p.cpuprofile"] }));
    let uri = editor.uri("work/src/app.js");
    let params = json!({ "textDocument": { "uri": uri } });
    assert_eq!(editor.result("textDocument/codeLens", params.clone()), json!([]));
    let rule = json!({ "from": "/build/a", "to": editor.path("work") });
    set(&mut editor, json!({ "hotframe": { "paths": [rule] } }));
    let lenses = editor.result("textDocument/codeLens", params);
    assert_eq!(lenses[0]["command"]["arguments"][0], "first");
}

#[test]
fn folders_come_and_go() {
    let mut editor = Editor::with(&["--profile", SAMPLE], Value::Null);
    let find = |editor: &mut Editor| {
        let symbols = editor.result("workspace/symbol", json!({ "query": "addVisitor" }));
        symbols.as_array().unwrap().len()
    };
    assert_eq!(find(&mut editor), 1);
    let folder = json!({ "uri": editor.uri(""), "name": "work" });
    let folder =
        json!({ "uri": folder["uri"].as_str().unwrap().trim_end_matches('/'), "name": "" });
    let change =
        |added: Value, removed: Value| json!({ "event": { "added": added, "removed": removed } });
    let gone = change(json!([]), json!([folder]));
    editor.notify("workspace/didChangeWorkspaceFolders", gone);
    assert_eq!(find(&mut editor), 0);
    let back = change(json!([folder]), json!([]));
    editor.notify("workspace/didChangeWorkspaceFolders", back);
    assert_eq!(find(&mut editor), 1);
    editor.notify("workspace/didChangeWorkspaceFolders", json!({ "event": 7 }));
    assert_eq!(find(&mut editor), 1);
}

#[test]
fn commands_choose_profile_and_base() {
    let after = SAMPLE.replace("before-1", "after-1");
    let mut editor = Editor::with(&[], json!({ "profiles": [SAMPLE, after], "base": SAMPLE }));
    let states = |editor: &mut Editor| {
        // Waits until both are read.
        editor.lenses();
        let told = editor.result("hotframe/profiles", json!({}))["profiles"].clone();
        let state = |one: &Value| (one["is_active"] == true, one["is_base"] == true);
        told.as_array().unwrap().iter().map(state).collect::<Vec<_>>()
    };
    assert_eq!(states(&mut editor), [(false, true), (true, false)]);
    editor.run("hotframe.open", json!([SAMPLE]));
    assert_eq!(states(&mut editor), [(true, false), (false, false)]);
    // What cannot be read changes nothing.
    std::fs::write(editor.path("bad.pb.gz"), "no profile").unwrap();
    editor.run("hotframe.open", json!(["none.pb.gz", "bad.pb.gz"]));
    assert_eq!(states(&mut editor), [(true, false), (false, false)]);
    editor.run("hotframe.setBase", json!([after]));
    assert_eq!(states(&mut editor), [(true, false), (false, true)]);
    editor.run("hotframe.open", json!([after]));
    editor.run("hotframe.setBase", json!([null]));
    assert_eq!(states(&mut editor), [(false, false), (true, false)]);
    let params = json!({ "command": "hotframe.setBase", "arguments": ["none.pb.gz"] });
    let answer = editor.request("workspace/executeCommand", params);
    assert_eq!(answer["error"]["code"], -32602);
}

#[test]
fn texts_change_in_part() {
    let mut editor = Editor::start(&["--profile", SAMPLE]);
    let sync = &editor.initialize(Value::Null)["capabilities"]["textDocumentSync"];
    assert_eq!(sync, &json!({ "openClose": true, "change": 2, "save": true }));
    editor.open_source();
    let before = editor.lenses();
    let insert = |line: u32, text: &str| {
        let place = json!({ "line": line, "character": 0 });
        json!({ "range": { "start": place, "end": place }, "text": text })
    };
    let document = json!({ "uri": editor.source(), "version": 2 });
    let changes = json!([insert(0, "// two\n"), insert(0, "// one\n")]);
    let params = json!({ "textDocument": document, "contentChanges": changes });
    editor.notify("textDocument/didChange", params);
    let moved: Vec<_> = before.iter().map(|(line, text)| (line + 2, text.clone())).collect();
    assert_eq!(editor.lenses(), moved);
}

#[test]
fn only_the_file_itself_has_marks() {
    let mut editor = Editor::with_sample();
    let path = editor.path("logsummary/main.go");
    let path = path.display();
    let text = std::fs::read_to_string(SOURCE).unwrap();
    for uri in [
        format!("git:{path}?%7B%22ref%22%3A%22HEAD%22%7D"),
        format!("git://{path}"),
        format!("file://{path}?ref=HEAD"),
        format!("file://{path}#old"),
        format!("untitled:{path}"),
        format!("vscode-remote://host{path}"),
        format!("gitlens://{path}"),
    ] {
        let document = json!({ "uri": uri, "languageId": "go", "version": 1, "text": text });
        editor.notify("textDocument/didOpen", json!({ "textDocument": document }));
        let params = json!({ "textDocument": { "uri": uri } });
        assert_eq!(editor.result("textDocument/codeLens", params.clone()), json!([]), "{uri}");
        assert_eq!(editor.result("hotframe/lines", params), Value::Null, "{uri}");
        // Nor is it where frames lead to.
        let symbols = editor.result("workspace/symbol", json!({ "query": "addVisitor" }));
        assert_eq!(symbols[0]["location"]["uri"], editor.source(), "{uri}");
    }
    assert!(!editor.lenses().is_empty());
}
