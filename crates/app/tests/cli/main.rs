//! The commands of `hotframe`, run as a person or a script runs them.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

mod bad_input;
mod comparisons;
mod conversions;
mod deep_stacks;
mod events;
mod exports;
mod formats;
mod guides;
mod info;
mod json_reference;
mod licenses;
#[path = "../experiment/made.rs"]
mod made;
mod merges;
mod parquet;
mod parse;
mod parts;
mod pruning;
mod scripts;
mod show;
mod states;
mod streams;
mod time_oracle;
mod timeline;
mod tours;

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

const VIEWS: [&str; 3] = ["flat", "top-down", "bottom-up"];

fn sample(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata").join(name)
}

/// The samples of a folder that have a golden file, with its lines.
fn samples(folder: &str) -> Vec<(PathBuf, Vec<String>)> {
    let mut found = vec![];
    for entry in std::fs::read_dir(sample(folder)).unwrap() {
        let path = entry.unwrap().path();
        let name = path.to_string_lossy().into_owned();
        if let Some(data) = name.strip_suffix(".golden") {
            let golden = std::fs::read_to_string(&path).unwrap();
            found.push((PathBuf::from(data), golden.lines().map(str::to_owned).collect()));
        }
    }
    found.sort();
    assert!(found.len() >= 7, "the samples of {folder} are missing");
    found
}

/// Samples whose values add up: none is negative or beyond 64 bits.
fn additive_samples() -> Vec<PathBuf> {
    let all = samples("pprof").into_iter().chain(samples("collapsed"));
    all.map(|(path, _)| path)
        .filter(|path| {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            !["bad-lines.collapsed", "huge-counts.collapsed"].contains(&name.as_str())
        })
        .collect()
}

fn command(arguments: &[&dyn AsRef<OsStr>]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hotframe"));
    command.args(arguments.iter().map(|argument| argument.as_ref()));
    command
}

/// Standard output and standard error of a run that succeeds.
fn succeed(arguments: &[&dyn AsRef<OsStr>]) -> (String, String) {
    let mut command = command(arguments);
    let output = command.stdin(Stdio::null()).output().unwrap();
    let (out, err) = texts(&output);
    assert_eq!(output.status.code(), Some(0), "{command:?} failed: {err}");
    (out, err)
}

fn stdout(arguments: &[&dyn AsRef<OsStr>]) -> String {
    succeed(arguments).0
}

fn json(arguments: &[&dyn AsRef<OsStr>]) -> Value {
    serde_json::from_str(&stdout(arguments)).unwrap()
}

/// Standard error of a run that ends with `code`.
fn fail(code: i32, arguments: &[&dyn AsRef<OsStr>]) -> String {
    let mut command = command(arguments);
    let output = command.stdin(Stdio::null()).output().unwrap();
    let (_, err) = texts(&output);
    assert_eq!(output.status.code(), Some(code), "{command:?}: {err}");
    assert!(!err.contains("panicked"), "{command:?}: {err}");
    assert!(!err.trim().is_empty(), "{command:?} failed without a word");
    err
}

fn texts(output: &Output) -> (String, String) {
    (
        String::from_utf8(output.stdout.clone()).unwrap(),
        String::from_utf8(output.stderr.clone()).unwrap(),
    )
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is not a number"))
}

fn assert_close(a: f64, b: f64, what: &str) {
    assert!((a - b).abs() <= 1e-9 * a.abs().max(b.abs()), "{what}: {a} and {b}");
}

fn keys(value: &Value) -> BTreeSet<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

fn rows(report: &Value) -> &Vec<Value> {
    report["rows"].as_array().unwrap()
}

fn write(folder: &TempDir, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).unwrap();
    path
}

/// Names that try to break out of whatever they are written into, and one of 5,000 characters.
fn hostile(folder: &TempDir) -> (PathBuf, Vec<String>) {
    let names = vec![
        "<script>&\"".to_owned(),
        "</text></svg><!--".to_owned(),
        "=HYPERLINK(1),2".to_owned(),
        "\u{1b}[31mred\u{7}".to_owned(),
        "]]>'\\ é 漢 🦀".to_owned(),
        "n".repeat(5_000),
    ];
    let lines: String = names.iter().map(|name| format!("main;{name} 3\n")).collect();
    (write(folder, "hostile.collapsed", lines), names)
}
