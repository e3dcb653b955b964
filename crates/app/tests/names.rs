//! Names from files do nothing to a terminal but show.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::path::PathBuf;
use std::process::{Command, Stdio};

use tempfile::TempDir;

/// Standard output, then standard error, whatever the exit code.
fn said(arguments: &[&str]) -> [String; 2] {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hotframe"));
    let output = command.args(arguments).stdin(Stdio::null()).output().unwrap();
    [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap())
}

const HOSTILE: &str =
    "x\u{1b}]52;c;ZXZpbA==\u{7}\u{1b}[2J\u{9b}31m\nfake\r\u{202e}evil\u{1b}[8mhidden";

/// A profile in which everything that can have a name has a hostile one.
fn hostile(folder: &TempDir, name: &str, value: i64) -> PathBuf {
    let event = |name: &str, thread: i64, at: i64| {
        serde_json::json!({"name": name, "ph": "X", "ts": at, "dur": value, "pid": 1, "tid": thread,
                           "cat": HOSTILE, "args": {HOSTILE: HOSTILE}})
    };
    let meta = |kind: &str| serde_json::json!({"name": kind, "ph": "M", "pid": 1, "tid": 1, "args": {"name": HOSTILE}});
    let events = [
        event(HOSTILE, 1, 0),
        event(&format!("second{HOSTILE}"), 2, 0),
        meta("thread_name"),
        meta("process_name"),
    ];
    let path = folder.path().join(name);
    std::fs::write(&path, serde_json::json!({"traceEvents": events}).to_string()).unwrap();
    path
}

/// A profile in our own format, with hostile texts where no other format has any.
fn hostile_own(folder: &TempDir) -> PathBuf {
    let field = |number: u8, payload: &[u8]| -> Vec<u8> {
        let mut out = vec![number << 3 | 2];
        let mut len = payload.len();
        while len >= 0x80 {
            out.push(len as u8 | 0x80);
            len >>= 7;
        }
        out.push(len as u8);
        out.extend(payload);
        out
    };
    let text = HOSTILE.as_bytes();
    let metric = [field(1, text), field(2, text)].concat();
    let origin = [field(1, text), field(2, text), field(13, text)].concat();
    let member = [field(1, text), field(3, text)].concat();
    let block = [
        field(1, text),
        field(2, &origin),
        field(3, &metric),
        field(5, &[8, 1, 18, 1, 1, 34, 1, 1]),
        field(6, &[8, 1, 58, 1, 1]),
        field(7, &[8, 1, 18, 1, 1, 26, 1, 0]),
        field(11, &member),
        field(13, &[8, 1, 18, 1, 2, 26, 3, 10, 1, 4]),
    ];
    let bytes = [field(1, b"hotframe profile"), vec![16, 1], field(3, &block.concat())].concat();
    let path = folder.path().join("own.hotframe");
    std::fs::write(&path, bytes).unwrap();
    path
}

#[track_caller]
fn check(arguments: &[&str]) {
    for text in said(arguments) {
        let harmful = text.chars().find(|&c| {
            c.is_control() && c != '\n'
                || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
        });
        assert_eq!(harmful, None, "{arguments:?}: {text:?}");
        let fake = text.lines().find(|line| line.trim_start().starts_with("fake"));
        assert_eq!(fake, None, "{arguments:?}: a name begins a line of its own");
        assert!(!text.contains("panicked"), "{text}");
    }
}

#[test]
fn no_text_carries_control_characters_of_names() {
    let folder = TempDir::new().unwrap();
    let (base, new) = (hostile(&folder, "base.json", 10), hostile(&folder, "new.json", 30));
    let own = hostile_own(&folder);
    for path in [&base, &own] {
        let path = path.to_str().unwrap();
        check(&["info", path]);
        for view in ["flat", "top-down", "bottom-up", "call-graph", "pairs"] {
            check(&["show", path, "--view", view]);
        }
        check(&["show", path, "--metric", "no such metric"]);
        check(&["show", path, "--role", "no such role"]);
        check(&[
            "convert",
            path,
            "--to",
            "collapsed",
            "-o",
            folder.path().join("out").to_str().unwrap(),
        ]);
    }
    let (base, new) = (base.to_str().unwrap(), new.to_str().unwrap());
    for view in ["flat", "top-down", "bottom-up"] {
        check(&["diff", base, new, "--view", view, "--fail-if", "self > 1%"]);
    }
    check(&["convert", base, new, "-o", folder.path().join("both.hotframe").to_str().unwrap()]);
    let strange = folder.path().join(HOSTILE.replace('/', "_"));
    std::fs::copy(base, &strange).unwrap();
    check(&["show", strange.to_str().unwrap()]);
    check(&["info", strange.with_extension("absent").to_str().unwrap()]);
    // What escapes show is there to be seen.
    assert!(said(&["show", base])[0].contains("\\u{1b}]52;c;"));
}

#[test]
fn our_own_colours_are_all_that_is_let_through() {
    let folder = TempDir::new().unwrap();
    let base = hostile(&folder, "base.json", 10);
    let [text, _] = said(&["show", base.to_str().unwrap(), "--color", "always"]);
    assert!(text.contains("\u{1b}[1m"));
    for sequence in text.split('\u{1b}').skip(1) {
        let ours = ["[0m", "[1m", "[2m", "[33m"].iter().any(|own| sequence.starts_with(own));
        assert!(ours, "{sequence:?}");
    }
}

#[test]
fn data_stays_exact() {
    let folder = TempDir::new().unwrap();
    let base = hostile(&folder, "base.json", 10);
    let [json, _] = said(&["show", base.to_str().unwrap(), "--format", "json"]);
    let report: serde_json::Value = serde_json::from_str(&json).unwrap();
    let names: Vec<_> =
        report["rows"].as_array().unwrap().iter().map(|r| r["function"].as_str()).collect();
    assert!(names.contains(&Some(HOSTILE)), "{names:?}");
    let [csv, _] = said(&["show", base.to_str().unwrap(), "--format", "csv"]);
    assert!(csv.contains(HOSTILE));
}

#[test]
fn names_of_a_file_are_harmless() {
    let folder = TempDir::new().unwrap();
    let ours = hostile(&folder, "ours.json", 10);
    let case = samples::corpus("cases/terminal-escape.speedscope.json");
    for path in std::iter::once(ours).chain(case) {
        check(&["show", path.to_str().unwrap()]);
        check(&["show", path.to_str().unwrap(), "--view", "top-down"]);
    }
}

#[test]
fn long_names_keep_package_and_function() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("long.collapsed");
    let name = format!("github.com/example/{}/pkg.(*Type).Serve", "deep/".repeat(60));
    std::fs::write(&path, format!("main;{name} 5\n")).unwrap();
    let [text, _] = said(&["show", path.to_str().unwrap()]);
    let line = text.lines().find(|line| line.contains("github")).unwrap();
    assert!(line.contains("github.com/…") && line.ends_with("pkg.(*Type).Serve"), "{line}");
}
