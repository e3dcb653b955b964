//! What shells and people in them expect of a command.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

fn sample(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata").join(name)
}

fn hotframe(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hotframe"));
    command.args(arguments).stdin(Stdio::null()).output().unwrap()
}

fn text(arguments: &[&str]) -> String {
    let output = hotframe(arguments);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}

fn error(code: i32, arguments: &[&str]) -> String {
    let output = hotframe(arguments);
    assert_eq!(output.status.code(), Some(code), "{arguments:?}");
    String::from_utf8(output.stderr).unwrap()
}

const COMMANDS: [&str; 14] = [
    "open",
    "info",
    "show",
    "diff",
    "convert",
    "advice",
    "export",
    "lsp",
    "formats",
    "sdfg",
    "record",
    "events",
    "experiment",
    "run",
];

#[test]
fn shells_can_complete_every_command() {
    for (shell, check) in [("bash", &["-n"][..]), ("zsh", &["-n"]), ("fish", &["--no-execute"])] {
        let script = text(&["completions", shell]);
        for word in COMMANDS.into_iter().chain(["call-graph", "label-focus"]) {
            assert!(script.contains(word), "{shell} does not know {word}");
        }
        // The shell itself finds no fault with it, where it is installed.
        let mut command = Command::new(shell);
        let Ok(mut child) = command.args(check).stdin(Stdio::piped()).spawn() else {
            eprintln!("not checked: there is no {shell}");
            continue;
        };
        child.stdin.take().unwrap().write_all(script.as_bytes()).unwrap();
        assert!(child.wait().unwrap().success(), "{shell} does not take it");
    }
    assert!(error(2, &["completions", "tcsh"]).contains("bash"));
}

#[test]
fn every_command_has_a_manual_page() {
    let page = text(&["man"]);
    assert!(page.contains(".TH hotframe 1"), "{page}");
    for command in COMMANDS {
        assert!(page.contains(command), "{command} is not in the page");
        let page = text(&["man", command]);
        assert!(page.contains(&format!(".TH hotframe-{command} 1")), "{page}");
    }
    assert!(error(1, &["man", "nothing"]).contains("no command nothing"));
}

#[test]
fn a_mistyped_command_is_not_a_missing_file() {
    let file = sample("pprof/cpu.pb.gz");
    let told = error(2, &["shwo", file.to_str().unwrap()]);
    assert!(told.contains("did you mean 'show'?"), "{told}");
    assert!(!told.contains("No such file"), "{told}");
    // Nothing is like it: it was meant as a file.
    assert!(error(1, &["nosuchprofile"]).contains("No such file"));
}

#[test]
fn colours_are_chosen() {
    let file = sample("pprof/cpu.pb.gz");
    let show = |more: &[&str]| {
        text(&[&["show", file.to_str().unwrap()], more].concat()).contains('\u{1b}')
    };
    assert!(!show(&[]) && !show(&["--color", "never"]));
    assert!(show(&["--color", "always"]) && show(&["--color=always"]));
    let before = text(&["--color", "always", "show", file.to_str().unwrap()]);
    assert!(before.contains('\u{1b}'));
    assert!(error(2, &["show", "x", "--color", "sometimes"]).contains("never"));
}

fn rows(arguments: &[&str]) -> Vec<(String, f64, f64)> {
    let report: Value = serde_json::from_str(&text(arguments)).unwrap();
    let rows = report["rows"].as_array().unwrap().iter();
    rows.map(|row| {
        let number = |key: &str| row[key].as_f64().unwrap();
        (row["function"].as_str().unwrap().to_owned(), number("self"), number("total"))
    })
    .collect()
}

#[test]
fn lists_are_ordered_as_requested() {
    let file = sample("pprof/cpu.pb.gz");
    let list = |sort: &[&str]| {
        rows(&[&["show", file.to_str().unwrap(), "--format", "json"], sort].concat())
    };
    let plain = list(&[]);
    assert!(plain.len() > 20);
    assert_eq!(list(&["--sort", "self"]), plain);
    assert!(plain.windows(2).all(|two| two[0].1 >= two[1].1));
    let by_total = list(&["--sort", "total"]);
    assert!(by_total.windows(2).all(|two| two[0].2 >= two[1].2));
    assert_ne!(by_total, plain);
    let by_name = list(&["--sort", "name"]);
    assert!(by_name.windows(2).all(|two| two[0].0 <= two[1].0));
    assert_eq!((by_total.len(), by_name.len()), (plain.len(), plain.len()));
    // The first of all, not all of the first.
    assert_eq!(list(&["--sort", "total", "-n", "3"]), by_total[..3]);
    let calls = ["show", file.to_str().unwrap(), "--view", "call-graph", "--sort", "self"];
    assert!(error(1, &calls).contains("ordered by total"));
}

#[test]
fn siblings_are_ordered_as_requested() {
    let folder = tempfile::TempDir::new().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let base = write("base.collapsed", "main;c;x 8\nmain;c 1\nmain;a 3\nmain;b 5\n");
    let new = write("new.collapsed", "main;c;x 8\nmain;c 1\nmain;a 6\nmain;b 3\n");
    let names = |arguments: &[&str]| -> String {
        let arguments = [arguments, &["--view", "top-down", "--format", "json"]].concat();
        let report: Value = serde_json::from_str(&text(&arguments)).unwrap();
        let rows = report["rows"].as_array().unwrap().iter();
        rows.filter(|row| row["depth"] == 1).map(|row| row["function"].as_str().unwrap()).collect()
    };
    for (sort, expected) in [("total", "cba"), ("self", "bac"), ("name", "abc")] {
        assert_eq!(names(&["show", &base, "--sort", sort]), expected, "{sort}");
    }
    let changes = [("change", "abc"), ("total", "cab"), ("self", "abc"), ("name", "abc")];
    for (sort, expected) in changes {
        assert_eq!(names(&["diff", &base, &new, "--sort", sort]), expected, "{sort}");
    }
    let swapped = [("change", "abc"), ("total", "cba"), ("self", "bac"), ("name", "abc")];
    for (sort, expected) in swapped {
        assert_eq!(names(&["diff", &new, &base, "--sort", sort]), expected, "{sort}");
    }
    assert_eq!(names(&["diff", &base, &new]), "abc");
}

#[test]
fn comparisons_are_ordered_as_requested() {
    let folder = tempfile::TempDir::new().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let base = write("base.collapsed", "main;b 10\nmain;a 5\nmain;c 50\n");
    let new = write("new.collapsed", "main;b 12\nmain;a 20\nmain;c 51\n");
    let list = |sort: &[&str]| -> Vec<String> {
        let arguments = [&["diff", &base, &new, "--format", "json"], sort].concat();
        let report: Value = serde_json::from_str(&text(&arguments)).unwrap();
        let rows = report["rows"].as_array().unwrap().iter();
        rows.map(|row| row["function"].as_str().unwrap().to_owned())
            .filter(|name| name != "main")
            .collect()
    };
    assert_eq!(list(&[]), ["a", "b", "c"]);
    assert_eq!(list(&["--sort", "change"]), ["a", "b", "c"]);
    assert_eq!(list(&["--sort", "self"]), ["c", "a", "b"]);
    assert_eq!(list(&["--sort", "name"]), ["a", "b", "c"]);
    assert_eq!(list(&["--sort", "total", "-n", "2"]), ["c"]);
}

#[test]
fn formats_are_listed_for_programs() {
    let formats: Value = serde_json::from_str(&text(&["formats", "--format", "json"])).unwrap();
    let formats = formats.as_array().unwrap();
    let listed = text(&["formats"]);
    for format in formats {
        let name = format["name"].as_str().unwrap();
        assert!(listed.contains(&format!("\n{name} ")), "{name}");
        assert_eq!(format["kept"].is_null(), !format["writes"].as_bool().unwrap(), "{name}");
    }
    let named = |name: &str| formats.iter().find(|format| format["name"] == name).unwrap();
    assert_eq!(named("hotframe")["reads"], true);
    assert!(named("jfr")["extensions"].as_array().unwrap().contains(&"jfr".into()));
}
