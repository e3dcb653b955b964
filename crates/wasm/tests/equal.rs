//! The engine as WebAssembly answers every frame with the same bytes as the native one. Logarithms are
//! of another library there, so that real numbers of columns may differ in their last bits.
//!
//! `HOTFRAME_WASM` names the module, and `HOTFRAME_WASM_FIRST` that which a page begins with;
//! `cargo xtask test` builds them, and Node.js runs them.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]
#![allow(clippy::print_stderr, reason = "a check that is left out says so")]

mod calls;
mod page;

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufReader, Read, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use calls::{TestCall, requests};
use page::{engine, files_below, request, upload};
use protocol::{ColumnData, ErrorCode, Header};
use serde_json::{Value, json};

/// A document to be asked: its name, and the files that it consists of.
struct Document {
    name: String,
    files: Vec<(Option<String>, PathBuf)>,
}

/// Every file of the samples by itself, readable or not, and every folder in them as one.
fn samples() -> Vec<Document> {
    let mut all = vec![];
    for folder in sorted(&samples::testdata("")) {
        if !folder.is_dir() {
            continue;
        }
        for entry in sorted(&folder) {
            let name = entry.file_name().unwrap().to_str().unwrap().to_owned();
            if entry.is_dir() {
                all.push(Document { name, files: files_below(&entry) });
            } else if !name.ends_with(".golden") {
                all.push(Document { name, files: vec![(None, entry)] });
            }
        }
    }
    all.retain(|document| !document.files.iter().any(|(_, file)| is_parquet(file)));
    all
}

/// Every file of the corpus that is not too large to be asked everything, and databases as folders; but for
/// long tests one file of a folder and ending.
fn corpus() -> Vec<Document> {
    const MOST_BYTES: u64 = 30 << 20;
    let Some(corpus) = samples::corpus("") else { return vec![] };
    let databases = corpus.join("hpctoolkit-db");
    let folders = if databases.is_dir() { sorted(&databases) } else { vec![] };
    let folders = folders.into_iter().filter(|path| path.is_dir());
    let folders = folders.map(|path| Document {
        name: path.file_name().unwrap().to_str().unwrap().to_owned(),
        files: files_below(&path),
    });
    let mut kinds = BTreeMap::new();
    let files = files_below(&corpus).into_iter().filter_map(|(name, file)| {
        let kind = (file.parent().map(Path::to_owned), file.extension().map(ToOwned::to_owned));
        let before: &mut u32 = kinds.entry(kind).or_default();
        let is_chosen = *before < samples::cases(1, u32::MAX);
        *before += 1;
        let size = file.metadata().unwrap().len();
        let is_asked = is_chosen && size <= MOST_BYTES && !is_parquet(&file);
        is_asked.then(|| Document { name: name.unwrap(), files: vec![(None, file)] })
    });
    files.chain(folders).collect()
}

/// The module does not read Parquet, and this test only where it is built together with what does.
fn is_parquet(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "parquet")
}

fn sorted(folder: &Path) -> Vec<PathBuf> {
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    entries
}

fn frames(document: &Document, asked: &[TestCall]) -> Vec<Vec<u8>> {
    let numbered = (1..).zip(asked);
    numbered
        .map(|(id, (method, params))| match *method {
            "upload" => request(id, method, upload(1, &document.name)),
            method => request(id, method, params.clone()),
        })
        .collect()
}

/// Has a module answer about all documents, each as if it were the only one; `compare` gets them with
/// what was asked and answered.
fn ask(
    module: &Path,
    all: &[Document],
    asked: &[TestCall],
    mut compare: impl FnMut(&Document, Vec<Vec<u8>>, Vec<Vec<u8>>),
) {
    let mut node = Command::new("node")
        .args(["--import", "tsx", "src/wasm/answers.ts"])
        .arg(module)
        .current_dir(samples::testdata("").join("../web/tests"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = node.stdin.take().unwrap();
    let mut output = BufReader::new(node.stdout.take().unwrap());
    for document in all {
        let frames = frames(document, asked);
        writeln!(input, "{}", json!({ "files": document.files, "frames": frames.len() })).unwrap();
        for frame in &frames {
            input.write_all(&u32::try_from(frame.len()).unwrap().to_le_bytes()).unwrap();
            input.write_all(frame).unwrap();
        }
        let answers = frames.iter().map(|_| sized(&mut output)).collect();
        compare(document, frames, answers);
    }
    drop(input);
    assert!(node.wait().unwrap().success(), "the module was not run to its end");
}

/// Reads bytes that follow their number.
fn sized(input: &mut impl Read) -> Vec<u8> {
    let mut count = [0; 4];
    input.read_exact(&mut count).expect("the module was not run");
    let mut bytes = vec![0; u32::from_le_bytes(count) as usize];
    input.read_exact(&mut bytes).unwrap();
    bytes
}

/// The module that a variable names; none, which is told, where it is not built.
fn module(variable: &str) -> Option<PathBuf> {
    let module = std::env::var_os(variable);
    if module.is_none() {
        eprintln!("left out: the module is not built ({variable})");
        assert!(std::env::var_os("CI").is_none(), "{variable} is not set");
    }
    module.map(PathBuf::from)
}

/// Checks that the module answers as the native engine does; gives how many answers were no errors.
fn check(all: &[Document]) -> usize {
    let Some(module) = module("HOTFRAME_WASM") else { return 0 };
    let asked = requests();
    let mut differ = vec![];
    let mut results = 0;
    ask(&module, all, &asked, |document, frames, answers| {
        let native = engine();
        native.hand(1, &document.files, None);
        for ((method, _), (frame, theirs)) in asked.iter().zip(frames.iter().zip(answers)) {
            let ours = native.ask(frame);
            results += usize::from(is_result(&ours));
            if ours == theirs {
                continue;
            }
            let (ours, theirs) = (uncounted(ours), uncounted(theirs));
            let (ours, theirs) = (settled(&ours, &ours), settled(&theirs, &ours));
            if ours != theirs {
                differ.push(format!("{}: {method}: {}", document.name, difference(&ours, &theirs)));
            }
        }
    });
    assert!(differ.is_empty(), "{} differ:\n{}", differ.len(), differ.join("\n"));
    results
}

#[test]
fn every_answer_is_that_of_the_native_engine() {
    if module("HOTFRAME_WASM").is_some() {
        let results = check(&samples());
        assert!(results > 8000, "only {results} answers were no errors");
    }
}

#[test]
fn every_answer_about_the_corpus_is_that_of_the_native_engine() {
    check(&corpus());
}

/// What the engine that a page begins with leaves out is told as that, never as a fault of the file;
/// all else is as the whole engine has it.
#[test]
fn the_first_engine_says_what_it_leaves_out() {
    let Some(module) = module("HOTFRAME_WASM_FIRST") else { return };
    let asked = &requests()[..5];
    let mut left_out = BTreeSet::new();
    let all: Vec<Document> = samples().into_iter().chain(corpus()).collect();
    ask(&module, &all, asked, |document, frames, answers| {
        let native = engine();
        native.hand(1, &document.files, None);
        for (frame, theirs) in frames.iter().zip(answers) {
            let ours = native.ask(frame);
            if code(&theirs) == Some(ErrorCode::LeftOut) {
                let (_, file) = &document.files[0];
                let folder = file.parent().unwrap().file_name().unwrap();
                left_out.insert(folder.to_str().unwrap().to_owned());
                return;
            }
            assert_eq!(code(&ours), code(&theirs), "{}", document.name);
        }
    });
    for taken in ["sdfg", "jfr", "heaptrack", "austin"] {
        assert!(left_out.contains(taken), "{taken} is read: {left_out:?}");
    }
    for usual in ["pprof", "collapsed", "speedscope", "cpuprofile", "callgrind"] {
        assert!(!left_out.contains(usual), "{usual} is left out: {left_out:?}");
    }
}

fn code(frame: &[u8]) -> Option<ErrorCode> {
    match protocol::decode(frame).unwrap().header {
        Header::Error { error, .. } => Some(error.code),
        _ => None,
    }
}

fn is_result(frame: &[u8]) -> bool {
    matches!(protocol::decode(frame).unwrap().header, Header::Response { .. })
}

/// An answer without the number of a tree, which is another one in every process, and with real
/// numbers of another answer where they differ in the last bits alone.
fn settled(frame: &[u8], other: &[u8]) -> Vec<u8> {
    let Ok(mut frame) = protocol::decode(frame) else { return frame.to_owned() };
    let other = protocol::decode(other).unwrap();
    if let Header::Response { result, .. } = &mut frame.header {
        if let Value::Object(result) = result {
            result.remove("instance");
        }
        if let Header::Response { result: other, .. } = &other.header {
            settle(result, other);
        }
    }
    for (column, other) in frame.columns.iter_mut().zip(&other.columns) {
        if let (ColumnData::F64(values), ColumnData::F64(others)) = (&mut column.data, &other.data)
        {
            for (value, other) in values.iter_mut().zip(others) {
                if is_close(*value, *other) {
                    *value = *other;
                }
            }
        }
    }
    protocol::encode(&frame)
}

/// Whether real numbers differ in the last bits alone, as logarithms of two libraries do.
fn is_close(one: f64, other: f64) -> bool {
    (one - other).abs() <= 1e-14 * other.abs().max(1.0)
}

/// Gives real numbers of a result those of another one that they are close to.
fn settle(value: &mut Value, other: &Value) {
    match (value, other) {
        (Value::Array(values), Value::Array(others)) => {
            values.iter_mut().zip(others).for_each(|(value, other)| settle(value, other));
        }
        (Value::Object(values), Value::Object(others)) => {
            for (key, value) in values {
                if let Some(other) = others.get(key) {
                    settle(value, other);
                }
            }
        }
        (value, other) => {
            if let (Some(one), Some(of_other)) = (value.as_f64(), other.as_f64())
                && is_close(one, of_other)
            {
                value.clone_from(other);
            }
        }
    }
}

/// An answer that does not tell how many formats there are: the module has no Parquet, which this test
/// has where it is built together with what has it.
fn uncounted(mut frame: Vec<u8>) -> Vec<u8> {
    const BEFORE: &[u8] = b"`hotframe formats` lists the ";
    let mut from = 0;
    while let Some(at) = memchr::memmem::find(&frame[from..], BEFORE) {
        from += at + BEFORE.len();
        let digits = frame[from..].iter_mut().take_while(|byte| byte.is_ascii_digit());
        digits.for_each(|byte| *byte = b'0');
    }
    frame
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
