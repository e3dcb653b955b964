//! Cells of a notebook, against what the command line says of the files that the kernel named.

use std::collections::BTreeMap;

use super::*;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/editor/notebook");

/// The texts of the cells with code, by the address that VS Code gives them.
fn cells() -> Vec<(String, String)> {
    let text = std::fs::read_to_string(format!("{FOLDER}/primes.ipynb")).unwrap();
    let notebook: Value = serde_json::from_str(&text).unwrap();
    let cells = notebook["cells"].as_array().unwrap().iter().enumerate();
    let code = cells.filter(|(_, cell)| cell["cell_type"] == "code");
    let text = |cell: &Value| -> String {
        cell["source"].as_array().unwrap().iter().map(|line| line.as_str().unwrap()).collect()
    };
    code.map(|(at, cell)| (format!("vscode-notebook-cell:/n/primes.ipynb#W{at}"), text(cell)))
        .collect()
}

/// Self and total by function of the cells that begin with a `def`.
fn expected_values() -> BTreeMap<String, (u64, u64)> {
    let profile = format!("{FOLDER}/primes.hotframe");
    let words = ["show", &profile, "--format", "json", "--limit", "0"];
    let output = Command::new(env!("CARGO_BIN_EXE_hotframe")).args(words).output().unwrap();
    let expected_values: Value = serde_json::from_slice(&output.stdout).unwrap();
    let rows = expected_values["rows"].as_array().unwrap().iter();
    let of_cells = rows.filter(|row| row["file"].as_str().unwrap().contains("/ipykernel_"));
    let number = |value: &Value| value.as_u64().unwrap();
    let entry = |row: &Value| {
        let name = row["function"].as_str().unwrap().to_owned();
        (name, (number(&row["self"]), number(&row["total"])))
    };
    of_cells.map(entry).collect()
}

fn editor() -> Editor {
    let profile = format!("{FOLDER}/primes.hotframe");
    let mut editor = Editor::start(&["--profile", &profile]);
    let window = json!({ "window": { "showDocument": { "support": true } } });
    editor.initialize_as(Value::Null, window);
    editor
}

fn open(editor: &mut Editor, uri: &str, text: &str) {
    let document = json!({ "uri": uri, "languageId": "python", "version": 1, "text": text });
    editor.notify("textDocument/didOpen", json!({ "textDocument": document }));
}

/// Line and function of each lens.
fn lenses(editor: &mut Editor, uri: &str) -> Vec<(u64, String)> {
    let params = json!({ "textDocument": { "uri": uri } });
    let all = editor.result("textDocument/codeLens", params);
    let lens = |lens: &Value| {
        let name = lens["command"]["arguments"][0].as_str().unwrap().to_owned();
        (lens["range"]["start"]["line"].as_u64().unwrap(), name)
    };
    all.as_array().unwrap().iter().map(lens).collect()
}

#[test]
fn cells_have_the_marks_of_the_code_that_the_kernel_ran() {
    let mut editor = editor();
    let expected_values = expected_values();
    let mut seen = vec![];
    for (uri, text) in &cells() {
        open(&mut editor, uri, text);
        for (line, name) in lenses(&mut editor, uri) {
            let code = text.lines().nth(line as usize).unwrap();
            assert!(expected_values.contains_key(&name), "{name}");
            if !name.contains('<') {
                assert_eq!(code, format!("def {name}({}):", &code[5 + name.len()..code.len() - 2]));
            }
            seen.push(name);
        }
    }
    seen.sort();
    // All that are large enough: a tenth of a percent of the program.
    let whole: u64 = expected_values["<module>"].1.max(expected_values["by_trial"].1);
    let large = expected_values.iter().filter(|(_, values)| values.1 * 100 > whole);
    let large: Vec<&String> = large.map(|(name, _)| name).collect();
    assert!(large.len() >= 4 && large.iter().all(|name| seen.contains(name)), "{large:?} {seen:?}");
}

#[test]
fn a_cell_that_was_changed_has_no_marks_until_it_is_as_it_was() {
    let mut editor = editor();
    let (uri, text) = &cells()[0];
    open(&mut editor, uri, text);
    let before = lenses(&mut editor, uri);
    assert!(!before.is_empty());
    for (changed, expected) in [(format!("{text} "), vec![]), (text.clone(), before)] {
        let changes = json!([{ "text": changed }]);
        let document = json!({ "uri": uri, "version": 2 });
        let params = json!({ "textDocument": document, "contentChanges": changes });
        editor.notify("textDocument/didChange", params);
        assert_eq!(lenses(&mut editor, uri), expected);
    }
    // The same text in a file is that file's.
    let file = editor.uri("cell.py");
    open(&mut editor, &file, text);
    assert_eq!(lenses(&mut editor, &file), vec![]);
}

#[test]
fn a_frame_leads_to_its_cell() {
    let mut editor = editor();
    for (uri, text) in &cells() {
        open(&mut editor, uri, text);
    }
    let symbols = editor.result("workspace/symbol", json!({ "query": "is_prime" }));
    let location = &symbols[0]["location"];
    assert_eq!((&location["uri"], &symbols[0]["name"]), (&json!(cells()[0].0), &json!("is_prime")));
    assert_eq!(location["range"]["start"]["line"], 0);
}
