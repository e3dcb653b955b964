//! What lenses say of changes, against `hotframe diff` of the same files.

use std::collections::BTreeMap;
use std::fs;

use super::*;

const TESTDATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata");
const CASES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/cases/editor");

/// What `hotframe diff` says of functions, by name and place: total in the base and in the new file.
fn diffed(base: &Path, new: &Path) -> Vec<Value> {
    let said = Command::new(env!("CARGO_BIN_EXE_hotframe"))
        .args(["diff", "--format", "json", "--limit", "0", "--view", "flat"])
        .args([base, new])
        .output()
        .unwrap();
    assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stderr));
    let report: Value = serde_json::from_slice(&said.stdout).unwrap();
    report["rows"].as_array().unwrap().clone()
}

/// `+24.3 %`, as lenses have it.
fn size(row: &Value) -> Option<String> {
    let total = &row["total"];
    let [base, new] = ["base", "new"].map(|side| total[side].as_f64());
    let (base, new) = (base?, new?);
    Some(match (base, new) {
        (0.0, _) => "new vs".to_owned(),
        (_, 0.0) if base > 0.0 => "gone: ".to_owned(),
        _ if base > 0.0 => {
            let (ratio, percent) = (new / base, (new / base - 1.0) * 100.0);
            match ratio {
                10.0.. => format!("×{ratio:.1} vs"),
                _ if percent.abs() < 0.05 => "0 % vs".to_owned(),
                _ => format!("{percent:+.1} % vs"),
            }
        }
        _ => return None,
    })
}

/// An editor with a folder of its own, in which `new` is compared with `base`.
fn comparing(folder: TempDir, base: &Path, new: &Path) -> Editor {
    let mut editor = Editor::in_folder(folder, &[]);
    let named = [base, new].map(|path| path.to_str().unwrap().to_owned());
    editor.initialize(json!({ "profiles": named, "base": named[0], "lensPercent": 0 }));
    editor
}

/// The lenses of a file that lead to functions: title and key.
fn lenses_of(editor: &mut Editor, uri: &str) -> Vec<(String, u64, u64)> {
    let lenses = editor.result("textDocument/codeLens", json!({ "textDocument": { "uri": uri } }));
    let all = lenses.as_array().unwrap().iter();
    let of_functions = all.filter(|lens| lens["command"]["command"] == "hotframe.showFunction");
    of_functions
        .map(|lens| {
            let command = &lens["command"];
            let line = lens["range"]["start"]["line"].as_u64().unwrap();
            let title = command["title"].as_str().unwrap().to_owned();
            (title, line, command["arguments"][2].as_u64().unwrap())
        })
        .collect()
}

/// Every change that `hotframe diff` tells of the functions of a file is one that its lenses have, and the
/// other way round.
fn agrees(editor: &mut Editor, file: &str, rows: &[Value], uri: &str) -> usize {
    let mut wanted = BTreeMap::<String, usize>::new();
    let mut here = 0;
    for row in rows.iter().filter(|row| row["file"] == file) {
        let has_value = |side: &str| row["total"][side].as_f64().is_some_and(|value| value != 0.0);
        if has_value("base") || has_value("new") {
            here += 1;
            *wanted.entry(size(row).unwrap_or_default()).or_default() += 1;
        }
    }
    let lenses = lenses_of(editor, uri);
    assert_eq!(lenses.len(), here, "{file}: {lenses:?} against {wanted:?}");
    for (size, times) in &wanted {
        let found = lenses.iter().filter(|(title, ..)| title.contains(size.as_str())).count();
        assert!(found >= *times, "{file}: {times} times {size} in {lenses:?}");
    }
    here
}

fn case(name: &str) -> Option<(TempDir, PathBuf)> {
    let cases = Path::new(CASES).join(name);
    if !cases.is_dir() {
        eprintln!("{} is absent: this case is not tested", cases.display());
        return None;
    }
    let folder = tempfile::tempdir().unwrap();
    // Profiles name their files by this folder.
    let path = folder.path().join(name);
    fs::create_dir(&path).unwrap();
    for entry in fs::read_dir(&cases).unwrap() {
        let entry = entry.unwrap();
        let copy = path.join(entry.file_name());
        fs::copy(entry.path(), &copy).unwrap();
        // As old as it can be: no file was written after its profile.
        touch(&copy, 1_000_000_000);
    }
    Some((folder, path))
}

#[test]
fn methods_of_one_name_are_compared_each_with_itself() {
    let Some((folder, path)) = case("lens-base") else { return };
    let [base, new] = ["base.pstats", "new.pstats"].map(|name| path.join(name));
    let rows = diffed(&base, &new);
    let file = rows.iter().find(|row| row["file"].to_string().ends_with("m.py\"")).unwrap();
    let file = file["file"].as_str().unwrap().to_owned();
    let mut editor = comparing(folder, &base, &new);
    let uri = editor.uri("lens-base/m.py");
    assert!(agrees(&mut editor, &file, &rows, &uri) >= 3);
}

#[test]
fn functions_without_a_name_are_compared_each_with_itself() {
    let Some((folder, path)) = case("lens-anon") else { return };
    let [base, new] = ["base.cpuprofile", "new.cpuprofile"].map(|name| path.join(name));
    let rows = diffed(&base, &new);
    let file = rows.iter().find(|row| row["file"].to_string().ends_with("a.js\"")).unwrap();
    let file = file["file"].as_str().unwrap().to_owned();
    let mut editor = comparing(folder, &base, &new);
    let uri = editor.uri("lens-anon/a.js");
    assert!(agrees(&mut editor, &file, &rows, &uri) >= 2);
}

#[test]
fn a_function_that_is_new_is_not_compared_with_one_of_a_library() {
    let Some((folder, path)) = case("lens-name") else { return };
    let [base, new] = ["base.hotframe", "new.hotframe"].map(|name| path.join(name));
    let rows = diffed(&base, &new);
    let mut editor = comparing(folder, &base, &new);
    let uri = editor.uri("lens-name/app.py");
    assert_eq!(agrees(&mut editor, "app.py", &rows, &uri), 2);
    let lenses = lenses_of(&mut editor, &uri);
    assert!(lenses.iter().any(|(title, line, _)| *line == 4 && title.contains("new vs base")));
}

#[test]
fn a_profile_against_each_of_its_kind() {
    let samples = [
        ("runs/before-1.pb.gz", "runs/after-1.pb.gz"),
        ("runs/after-2.pb.gz", "runs/before-2.pb.gz"),
        ("pstats/cellar-3.13.prof", "pstats/cellar-3.11.prof"),
        ("pstats/cellar-2.7.prof", "pstats/cellar-3.8.prof"),
        ("pstats/orchard-2.7.prof", "pstats/orchard-3.13.prof"),
        ("cpuprofile/main.cpuprofile", "cpuprofile/worker.cpuprofile"),
    ];
    let mut compared = 0;
    for (base, new) in samples {
        let [base, new] = [base, new].map(|name| Path::new(TESTDATA).join(name));
        let rows = diffed(&base, &new);
        let mut files: Vec<&str> =
            rows.iter().map(|row| row["file"].as_str().unwrap_or_default()).collect();
        files.sort_unstable();
        files.dedup();
        let mut editor = comparing(tempfile::tempdir().unwrap(), &base, &new);
        for file in files.into_iter().filter(|file| file.contains("/") && !file.contains("://")) {
            let uri = format!("file:///{}", file.trim_start_matches('/'));
            compared += agrees(&mut editor, file, &rows, &uri);
        }
    }
    assert!(compared > 20, "{compared}");
}
