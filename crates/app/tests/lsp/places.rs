//! Where files of a profile are in the workspace.

use super::*;

/// An editor with these empty files and a profile that names these.
fn editor(here: &[&str], named: [&str; 2]) -> Editor {
    let mut editor = Editor::start(&[]);
    for file in here {
        let path = editor.path(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, "1\n2\n3\n").unwrap();
        touch(&path, 1_000_000_000);
    }
    std::fs::create_dir(editor.path("profiles")).unwrap();
    std::fs::write(editor.path("profiles/p.cpuprofile"), cpu_profile(named)).unwrap();
    let window = json!({ "window": { "showMessage": {}, "showDocument": { "support": true } } });
    editor.initialize_as(json!({ "profiles": ["profiles/p.cpuprofile"] }), window);
    editor
}

/// The function that has a lens in a file, if one has.
fn function_in(editor: &mut Editor, file: &str) -> Option<String> {
    let params = json!({ "textDocument": { "uri": editor.uri(file) } });
    let lenses = editor.result("textDocument/codeLens", params);
    lenses[0]["command"]["arguments"][0].as_str().map(str::to_owned)
}

fn asked(editor: &mut Editor, method: &str) -> Vec<Value> {
    let (found, others) = editor.others.drain(..).partition(|one| one["method"] == method);
    editor.others = others;
    found
}

fn questions(editor: &mut Editor) -> Vec<Value> {
    asked(editor, "window/showMessageRequest")
}

/// Clicks on a frame of a file.
fn click(editor: &mut Editor, file: &str) -> Value {
    let profile = editor.path("profiles/p.cpuprofile");
    let params = json!({ "command": "hotframe.openSource", "arguments": [profile, file, 2] });
    editor.request("workspace/executeCommand", params)
}

fn answer(editor: &mut Editor, to: &Value, result: Value) {
    editor.write(&framed(&json!({ "jsonrpc": "2.0", "id": to["id"], "result": result })));
    editor.result("hotframe/profiles", json!({}));
}

#[test]
fn a_name_alone_is_believed_where_it_is_the_only_one() {
    let mut one = editor(&["deep/er/main.py"], ["main.py", "other.py"]);
    assert_eq!(function_in(&mut one, "deep/er/main.py").as_deref(), Some("first"));
    assert_eq!(questions(&mut one), [Value::Null; 0]);
    let mut two = editor(&["a/main.py", "b/main.py"], ["main.py", "other.py"]);
    assert_eq!(function_in(&mut two, "a/main.py"), None);
    assert_eq!(questions(&mut two).len(), 1);
    // From where the profile was made.
    let mut at_root = editor(&["main.py", "b/main.py"], ["main.py", "other.py"]);
    assert_eq!(function_in(&mut at_root, "main.py").as_deref(), Some("first"));
    assert_eq!(function_in(&mut at_root, "b/main.py"), None);
    assert_eq!(questions(&mut at_root), [Value::Null; 0]);
}

#[test]
fn a_frame_asks_once_where_its_file_is() {
    let files = ["/app/main.py", "/app/lib/util.py"];
    let mut editor = editor(&["a/main.py", "b/main.py", "b/lib/util.py"], files);
    let refused = click(&mut editor, files[0]);
    assert!(refused["error"]["message"].as_str().unwrap().contains("asks for it"), "{refused}");
    let question = questions(&mut editor).remove(0);
    let titles = json!([
        { "title": editor.path("a/main.py") }, { "title": editor.path("b/main.py") },
        { "title": "Locate…" },
    ]);
    let mut actions = question["params"]["actions"].as_array().unwrap().clone();
    actions.sort_by_key(Value::to_string);
    assert_eq!(json!(actions), titles);
    let chosen = json!({ "title": editor.path("b/main.py") });
    answer(&mut editor, &question, chosen);
    let shown = asked(&mut editor, "window/showDocument");
    assert_eq!(shown[0]["params"]["uri"], editor.uri("b/main.py"));
    assert_eq!(function_in(&mut editor, "b/main.py").as_deref(), Some("first"));
    assert_eq!(function_in(&mut editor, "a/main.py"), None);
    // The rest of the folder is beside it.
    assert_eq!(function_in(&mut editor, "b/lib/util.py").as_deref(), Some("second"));
    assert!(click(&mut editor, files[0]).get("error").is_none());
    assert!(click(&mut editor, files[1]).get("error").is_none());
    assert_eq!(questions(&mut editor), [Value::Null; 0]);
}

#[test]
fn a_file_is_located_in_a_dialog() {
    let mut editor = editor(&["x/renamed.py"], ["/gone/main.py", "/gone/other.py"]);
    click(&mut editor, "/gone/main.py");
    let question = questions(&mut editor).remove(0);
    assert_eq!(question["params"]["actions"], json!([{ "title": "Locate…" }]));
    answer(&mut editor, &question, json!({ "title": "Locate…" }));
    let dialog = asked(&mut editor, "hotframe/locate").remove(0);
    assert_eq!(dialog["params"]["file"], "/gone/main.py");
    let chosen = json!(editor.uri("x/renamed.py"));
    answer(&mut editor, &dialog, chosen);
    let shown = asked(&mut editor, "window/showDocument");
    assert_eq!(shown[0]["params"]["uri"], editor.uri("x/renamed.py"));
    assert_eq!(function_in(&mut editor, "x/renamed.py").as_deref(), Some("first"));
}

#[test]
fn one_of_several_folders_alike_is_asked_and_the_one_more_alike_is_it() {
    let mut alike = editor(&["api/src/x.py", "web/src/x.py"], ["/app/src/x.py", "/y.py"]);
    assert_eq!(function_in(&mut alike, "api/src/x.py"), None);
    assert_eq!(questions(&mut alike).len(), 1);
    let mut more = editor(&["api/src/x.py", "web/src/x.py"], ["/build/api/src/x.py", "/y.py"]);
    assert_eq!(function_in(&mut more, "api/src/x.py").as_deref(), Some("first"));
    assert_eq!(function_in(&mut more, "web/src/x.py"), None);
    assert_eq!(questions(&mut more), [Value::Null; 0]);
    let symbols = more.result("workspace/symbol", json!({ "query": "first" }));
    assert_eq!(symbols[0]["location"]["uri"], more.uri("api/src/x.py"));
}

#[test]
fn paths_of_go_modules_are_found() {
    let files = ["example.org/team/server/main.go", "example.org/other/v2@v2.1.0/main.go"];
    let mut editor = editor(&["backend/main.go", "tool/main.go"], files);
    let module = "module example.org/team/server\n";
    std::fs::write(editor.path("backend/go.mod"), module).unwrap();
    assert_eq!(function_in(&mut editor, "backend/main.go").as_deref(), Some("first"));
    assert!(click(&mut editor, files[0]).get("error").is_none());
    let shown = asked(&mut editor, "window/showDocument");
    assert_eq!(shown[0]["params"]["uri"], editor.uri("backend/main.go"));
}
