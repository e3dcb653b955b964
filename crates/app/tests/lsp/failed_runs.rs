//! Runs that failed: they enter no comparison, and what is said of the others says so.

use super::*;

/// A folder of runs that took so many milliseconds, and its manifest: which of them ended with an error.
fn side(editor: &Editor, name: &str, runs: &[u64], failed: &[usize]) -> PathBuf {
    let folder = editor.path(name);
    std::fs::create_dir(&folder).unwrap();
    let source = editor.path("m.py");
    let mut told = vec![];
    for (at, run) in runs.iter().enumerate() {
        let file = format!("{name}-{}.speedscope.json", at + 1);
        let frame = json!({ "name": "work", "file": source, "line": 1 });
        let profile = json!({
            "$schema": "https://www.speedscope.app/file-format-schema.json",
            "shared": { "frames": [frame] },
            "profiles": [{
                "type": "sampled", "name": "t", "unit": "milliseconds", "startValue": 0,
                "endValue": run, "samples": [[0]], "weights": [run],
            }],
        });
        let text = profile.to_string();
        told.push(json!({
            "number": at + 1, "kind": "sampled", "file": file, "size": text.len(),
            "status": { "exit": u8::from(failed.contains(&at)) }, "events": [], "findings": [],
            "course": {
                "started": "2026-01-01T00:00:00Z", "duration_ns": 1, "cpu_ns": 1,
                "recorder_cpu_ns": 1, "descriptors": 1,
            },
        }));
        std::fs::write(folder.join(file), text).unwrap();
    }
    let manifest = json!({
        "hotframe_recording": 1,
        "experiments": [{
            "name": name,
            "asked": {
                "name": name, "command": ["work"], "recorder": "perf", "runs": runs.len(),
                "warm_up_ms": 0, "threads": { "log": false }, "overhead": { "runs": 0 },
            },
            "recorder": { "name": "perf", "version": "6.1" },
            "machine": {
                "host": "h", "kernel": "6.1", "architecture": "x86_64", "cpus": 2,
                "processor": "p", "memory_bytes": 1,
            },
            "findings": [],
            "events": { "opened": [], "not_supported": [] },
            "runs": told,
        }],
    });
    std::fs::write(folder.join(format!("{name}.json")), manifest.to_string()).unwrap();
    folder
}

/// An editor with both sides.
fn editor(base: (&[u64], &[usize]), new: (&[u64], &[usize])) -> Editor {
    let mut editor = Editor::start(&[]);
    std::fs::write(editor.path("m.py"), "def work():\n    return 1\n").unwrap();
    touch(&editor.path("m.py"), 1_000_000_000);
    let [base, new] = [("base", base), ("new", new)]
        .map(|(name, (runs, failed))| side(&editor, name, runs, failed));
    editor.initialize(json!({ "profiles": [new], "base": base }));
    editor
}

fn lens(editor: &mut Editor) -> String {
    let params = json!({ "textDocument": { "uri": editor.uri("m.py") } });
    let lenses = editor.result("textDocument/codeLens", params);
    lenses[0]["command"]["title"].as_str().unwrap_or_default().to_owned()
}

fn messages(editor: &Editor) -> String {
    let told = editor.others.iter().filter(|one| one["method"] == "window/showMessage");
    told.map(|one| one["params"]["message"].to_string()).collect()
}

#[test]
fn what_is_left_out_is_reported_and_nothing_contradicts_it() {
    let runs: &[u64] = &[1000, 1001, 1002, 1003];
    let mut editor = editor((runs, &[]), (&[1000, 1001, 10, 1003], &[2]));
    let lens = lens(&mut editor);
    assert!(
        lens.contains("same as base (4 runs) (") && lens.ends_with(", without failed runs"),
        "{lens}"
    );
    let told = messages(&editor);
    assert!(told.contains("new: 1 of 4 runs failed and is left out"), "{told}");
    let position = json!({ "line": 0, "character": 0 });
    let params = json!({ "textDocument": { "uri": editor.uri("m.py") }, "position": position });
    let hover = editor.result("textDocument/hover", params)["contents"]["value"].to_string();
    assert!(!hover.contains("-24"), "{hover}");
    let summary = editor.run("hotframe.summary", json!([]));
    let summary = summary.as_str().unwrap();
    assert!(summary.contains("1 of 4 runs failed and is left out"), "{summary}");
    // A run is one, and no quarter of one.
    assert!(summary.contains("| 1 s | new/new-1"), "{summary}");
}

#[test]
fn reports_why_nothing_is_compared() {
    let mut editor = editor((&[1000, 1001], &[]), (&[10, 11], &[0, 1]));
    assert!(!lens(&mut editor).contains(" vs "));
    let summary = editor.run("hotframe.summary", json!([]));
    let summary = summary.as_str().unwrap();
    assert!(summary.contains("all 2 runs of new failed"), "{summary}");
}
