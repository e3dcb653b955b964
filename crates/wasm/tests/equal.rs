//! The engine as WebAssembly answers every frame with the same bytes as the native one. Logarithms are
//! of another library there, so that real numbers of columns may differ in their last bits.
//!
//! `HOTFRAME_WASM` names the module, which `cargo xtask test` builds; Node.js runs it.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]
#![allow(clippy::print_stderr, reason = "a check that is left out says so")]

mod page;

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use page::{engine, files_below, request, upload};
use protocol::ColumnData;
use serde_json::{Value, json};

/// A document to be asked: its name, and the files that it consists of.
struct Asked {
    name: String,
    files: Vec<(Option<String>, PathBuf)>,
}

/// What is asked of every document; what means nothing to its kind is an error on both sides.
fn requests() -> Vec<(&'static str, Value)> {
    let shaped = |shape: &str, granularity: &str| {
        json!({ "document": 0, "metric": 0, "shape": { "kind": shape }, "granularity": granularity,
            "filters": [], "order": "value", "collapse_recursion": false })
    };
    let view = || shaped("top_down", "function");
    let sort = json!({ "by": "total_value", "metric": 0, "reverse": false });
    let flame = |shape: &str| {
        json!({ "view": shaped(shape, "function"), "instance": null, "root": 0, "from": 0.0,
            "to": 1.0, "width": 1200.0, "first_row": 0, "rows": 40, "search": "a",
            "labels": "function" })
    };
    let rows = |granularity: &str| {
        json!({ "view": shaped("top_down", granularity), "instance": null, "root": 0,
            "expanded": [0, 1, 2], "sort": sort, "filter": "", "first": 0, "count": 60 })
    };
    let lanes = json!({ "view": view(), "from": 0.0, "to": 1e12, "width": 900.0, "search": "",
        "tracks": (0..4).map(|track| json!({ "track": track, "first_row": 0, "rows": 8,
            "group": false })).collect::<Vec<_>>() });
    let functions = json!({ "view": view(), "metrics": [0], "sort": sort, "filter": "",
        "direction": null, "first": 0, "count": 100 });
    let spans = json!({ "view": view(), "filter": "", "sort": "total", "reverse": true,
        "limit": 50 });
    let document = || json!({ "document": 0 });
    vec![
        ("upload", upload(1, "replaced")),
        ("documents", json!({})),
        ("wait", document()),
        ("documents", json!({})),
        ("summary", document()),
        ("flame", flame("top_down")),
        ("flame", flame("bottom_up")),
        ("rows", rows("function")),
        ("rows", rows("line")),
        ("functions", functions.clone()),
        ("bars", functions),
        ("details", json!({ "view": view(), "instance": null, "node": 1 })),
        ("distribution", json!({ "view": view(), "instance": null, "node": 1 })),
        ("search", json!({ "view": view(), "pattern": "e" })),
        ("scatter", json!({ "view": view(), "of": "total_value", "most": 500 })),
        ("tracks", document()),
        ("lanes", lanes),
        ("span_statistics", spans),
        ("graph_summary", document()),
        ("accesses_sizes", json!({ "document": 0, "element": null })),
    ]
}

/// Every file of the samples by itself, readable or not, and every folder in them as one; no Parquet,
/// which the module does not read, and this test only where it is built together with what does.
fn samples() -> Vec<Asked> {
    let mut all = vec![];
    for folder in sorted(&samples::testdata("")) {
        if !folder.is_dir() {
            continue;
        }
        for entry in sorted(&folder) {
            let name = entry.file_name().unwrap().to_str().unwrap().to_owned();
            let is_parquet =
                |path: &Path| path.extension().is_some_and(|ending| ending == "parquet");
            if is_parquet(&entry) {
                continue;
            }
            if entry.is_dir() {
                if !sorted(&entry).iter().any(|path| is_parquet(path)) {
                    all.push(Asked { name, files: files_below(&entry) });
                }
            } else if !name.ends_with(".golden") {
                all.push(Asked { name, files: vec![(None, entry)] });
            }
        }
    }
    all
}

fn sorted(folder: &Path) -> Vec<PathBuf> {
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    entries
}

fn frames(asked: &Asked) -> Vec<Vec<u8>> {
    let numbered = (1..).zip(requests());
    numbered
        .map(|(id, (method, params))| match method {
            "upload" => request(id, method, upload(1, &asked.name)),
            method => request(id, method, params),
        })
        .collect()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// What the module answers, document by document.
fn answers(module: &Path, all: &[Asked]) -> Vec<Vec<String>> {
    let told: Vec<Value> = all
        .iter()
        .map(|asked| {
            json!({
                "files": asked.files,
                "frames": frames(asked).iter().map(|frame| hex(frame)).collect::<Vec<_>>(),
            })
        })
        .collect();
    let tests = samples::testdata("").join("../web/tests");
    let mut node = Command::new("node")
        .args(["--import", "tsx", "src/wasm/answers.ts"])
        .arg(module)
        .current_dir(tests)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = node.stdin.take().unwrap();
    let writer = std::thread::spawn(move || {
        for document in told {
            writeln!(input, "{document}").unwrap();
        }
    });
    let output = node.wait_with_output().unwrap();
    writer.join().unwrap();
    assert!(output.status.success(), "the module was not run: {:?}", output.status);
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn every_answer_is_that_of_the_native_engine() {
    let Some(module) = std::env::var_os("HOTFRAME_WASM") else {
        eprintln!("left out: the module is not built (HOTFRAME_WASM)");
        return;
    };
    let all = samples();
    let answered = answers(Path::new(&module), &all);
    assert_eq!(answered.len(), all.len());
    let mut differ = vec![];
    let mut results = 0;
    for (asked, theirs) in all.iter().zip(answered) {
        let native = engine();
        native.hand(1, &asked.files, None);
        for ((method, _), (frame, theirs)) in
            requests().iter().zip(frames(asked).iter().zip(theirs))
        {
            let ours = native.ask(frame);
            results += usize::from(is_result(&ours));
            let (ours, theirs) = (uncounted(ours), uncounted(bytes_of(&theirs)));
            let (ours, theirs) = (settled(&ours, &ours), settled(&theirs, &ours));
            if ours != theirs {
                differ.push(format!("{}: {method}: {}", asked.name, difference(&ours, &theirs)));
            }
        }
    }
    assert!(results > 3000, "only {results} answers were no errors");
    assert!(differ.is_empty(), "{} differ:\n{}", differ.len(), differ.join("\n"));
}

fn is_result(frame: &[u8]) -> bool {
    matches!(protocol::decode(frame).unwrap().header, protocol::Header::Response { .. })
}

/// An answer without the number of a tree, which is another one in every process, and with real
/// numbers of another answer where they differ in the last bits alone.
fn settled(frame: &[u8], other: &[u8]) -> Vec<u8> {
    let Ok(mut frame) = protocol::decode(frame) else { return frame.to_owned() };
    if let protocol::Header::Response { result: Value::Object(result), .. } = &mut frame.header {
        result.remove("instance");
    }
    let other = protocol::decode(other).unwrap();
    for (column, other) in frame.columns.iter_mut().zip(&other.columns) {
        if let (ColumnData::F64(values), ColumnData::F64(others)) = (&mut column.data, &other.data)
        {
            for (value, other) in values.iter_mut().zip(others) {
                if (*value - other).abs() <= 1e-14 * other.abs().max(1.0) {
                    *value = *other;
                }
            }
        }
    }
    protocol::encode(&frame)
}

/// An answer that does not tell how many formats there are: the module has no Parquet, which this test
/// has where it is built together with what has it.
fn uncounted(mut frame: Vec<u8>) -> Vec<u8> {
    const BEFORE: &[u8] = b"`hotframe formats` lists the ";
    let mut from = 0;
    while let Some(at) = frame[from..].windows(BEFORE.len()).position(|part| part == BEFORE) {
        from += at + BEFORE.len();
        let digits = frame[from..].iter_mut().take_while(|byte| byte.is_ascii_digit());
        digits.for_each(|byte| *byte = b'0');
    }
    frame
}

fn bytes_of(hex: &str) -> Vec<u8> {
    let pairs = (0..hex.len()).step_by(2).filter_map(|at| hex.get(at..at + 2));
    pairs.filter_map(|pair| u8::from_str_radix(pair, 16).ok()).collect()
}

/// Where two answers part.
fn difference(ours: &[u8], theirs: &[u8]) -> String {
    let same = ours.iter().zip(theirs).take_while(|(a, b)| a == b).count();
    let around = |bytes: &[u8]| {
        let part = &bytes[same.saturating_sub(60).min(bytes.len())..bytes.len().min(same + 60)];
        part.escape_ascii().to_string()
    };
    format!("at byte {same}: {} instead of {}", around(theirs), around(ours))
}
