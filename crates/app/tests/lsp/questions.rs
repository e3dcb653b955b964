//! Which file of a profile a file is: asked, and remembered.

use super::*;

const FILES: [&str; 2] = ["/build/a/src/app.js", "/build/b/src/app.js"];

/// An editor that shows questions, with a state folder that outlives it.
fn editor(state: &Path) -> Editor {
    let mut editor = Editor::start(&[]);
    std::fs::write(editor.path("p.cpuprofile"), cpu_profile(FILES)).unwrap();
    let kept = editor.path("state/hotframe/paths.json");
    if let Ok(text) = std::fs::read_to_string(state) {
        std::fs::create_dir_all(kept.parent().unwrap()).unwrap();
        std::fs::write(&kept, text).unwrap();
    }
    let window = json!({ "window": { "showMessage": {} } });
    editor.initialize_as(json!({ "profiles": ["p.cpuprofile"] }), window);
    editor
}

/// An address that does not depend on the editor's folder.
const URI: &str = "file:///somewhere/src/app.js";

fn lenses(editor: &mut Editor) -> Value {
    let params = json!({ "textDocument": { "uri": URI } });
    editor.result("textDocument/codeLens", params)
}

fn question(editor: &Editor) -> Option<Value> {
    let all = editor.others.iter();
    all.rev().find(|message| message["method"] == "window/showMessageRequest").cloned()
}

fn answer(editor: &mut Editor, to: &Value, result: Value) {
    editor.write(&framed(&json!({ "jsonrpc": "2.0", "id": to["id"], "result": result })));
}

#[test]
fn what_the_user_says_is_used_and_remembered() {
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().join("paths.json");
    let mut first = editor(&state);
    assert_eq!(lenses(&mut first), json!([]));
    let asked = question(&first).unwrap();
    let titles = json!([
        { "title": FILES[0] }, { "title": FILES[1] }, { "title": "None of these" },
    ]);
    assert_eq!(asked["params"]["actions"], titles);
    assert!(asked["params"]["message"].as_str().unwrap().contains("/somewhere/src/app.js"));
    first.others.clear();
    answer(&mut first, &asked, json!({ "title": FILES[1] }));
    assert_eq!(lenses(&mut first)[0]["command"]["arguments"][0], "second");
    let methods: Vec<&Value> = first.others.iter().map(|message| &message["method"]).collect();
    assert!(methods.contains(&&json!("workspace/codeLens/refresh")), "{methods:?}");
    std::fs::copy(first.path("state/hotframe/paths.json"), &state).unwrap();
    let mut second = editor(&state);
    assert_eq!(lenses(&mut second)[0]["command"]["arguments"][0], "second");
    assert_eq!(question(&second), None);
}

#[test]
fn none_of_these_is_remembered_and_no_answer_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let mut editor = editor(&folder.path().join("none"));
    lenses(&mut editor);
    let asked = question(&editor).unwrap();
    editor.others.clear();
    answer(&mut editor, &asked, Value::Null);
    lenses(&mut editor);
    assert_eq!(question(&editor), None);
    assert!(!editor.path("state/hotframe/paths.json").exists());
    // Too late: the question is answered.
    answer(&mut editor, &asked, json!({ "title": FILES[0] }));
    assert_eq!(lenses(&mut editor), json!([]));

    let uri = "file:///elsewhere/src/app.js";
    let params = json!({ "textDocument": { "uri": uri } });
    editor.result("textDocument/codeLens", params.clone());
    let asked = question(&editor).unwrap();
    answer(&mut editor, &asked, json!({ "title": "None of these" }));
    assert_eq!(editor.result("textDocument/codeLens", params), json!([]));
    let kept = std::fs::read_to_string(editor.path("state/hotframe/paths.json")).unwrap();
    let kept: Value = serde_json::from_str(&kept).unwrap();
    assert_eq!(kept["paths"]["/elsewhere/src/app.js"]["isNot"], json!(FILES));
    // Answers that make no sense.
    for result in [json!(7), json!({ "title": 7 }), json!({ "title": "else" }), json!([])] {
        answer(&mut editor, &asked, result);
    }
    assert_eq!(editor.leave(), Some(0));
}

#[test]
fn names_of_a_profile_are_no_links_in_messages() {
    let files = ["/[a](command:workbench.action.quit)/src/app.js", "/b/src/app.js"];
    for can in [json!({}), json!({ "window": { "showMessage": {} } })] {
        let mut editor = Editor::start(&[]);
        std::fs::write(editor.path("p.cpuprofile"), cpu_profile(files)).unwrap();
        editor.initialize_as(json!({ "profiles": ["p.cpuprofile"] }), can);
        lenses(&mut editor);
        let asked =
            question(&editor).map(|asked| asked["params"]["message"].as_str().unwrap().to_owned());
        let told = asked.into_iter().chain(editor.messages()).collect::<Vec<_>>().join("\n");
        assert!(told.contains("workbench.action.quit"), "{told}");
        assert!(!told.contains("]("), "{told}");
    }
}
