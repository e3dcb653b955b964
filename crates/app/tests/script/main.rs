//! Scripts over profiles: `hotframe run`, and the Python package's columns, trees and changes.
//!
//! What is checked is written in Python beside this file; oracles are sums over the profile's own tables by
//! brute force, the engine's own views, and NumPy.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]
#![allow(clippy::print_stderr, reason = "a check that is left out says so")]

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn testdata(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata").join(name);
    path.canonicalize().unwrap().to_str().unwrap().to_owned()
}

fn here(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/script").join(name)
}

fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../python/examples").join(name)
}

/// The Python that has NumPy and the like.
fn science() -> Option<OsString> {
    let named = std::env::var_os("HOTFRAME_SCIENCE_PYTHON");
    if named.is_none() {
        eprintln!("notice: no Python with NumPy here (HOTFRAME_SCIENCE_PYTHON): left out");
    }
    named
}

fn hotframe(arguments: &[&str], folder: &Path) -> Output {
    let mut hotframe = Command::new(env!("CARGO_BIN_EXE_hotframe"));
    hotframe.args(arguments).current_dir(folder).env_remove("PYTHONPATH").output().unwrap()
}

/// What a command prints, and what it says on standard error.
fn texts(output: &Output) -> (String, String) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (text(&output.stdout), text(&output.stderr))
}

/// Runs a script of the command line, which has to end well; what it prints, and what it says.
fn run(script: &Path, files: &[&str], options: &[&str]) -> (String, String) {
    let folder = tempfile::tempdir().unwrap();
    let output =
        hotframe(&[&["run", script.to_str().unwrap()], files, options].concat(), folder.path());
    let (out, err) = texts(&output);
    assert!(output.status.success(), "{out}{err}");
    (out, err)
}

#[test]
fn trees_are_what_the_tables_add_up_to() {
    // In Python a file takes seconds.
    let most = samples::cases(1, u32::MAX) as usize;
    for name in ["runs/before-1.pb.gz", "recursion", "memory", "pprof", "collapsed", "perf-script"]
    {
        for file in files(&testdata(name)).into_iter().take(most) {
            let (out, _) = run(&here("brute_force.py"), &[&file], &[]);
            assert!(out.contains("nodes are equal"), "{file}: {out}");
        }
    }
}

/// A profile with cycles and instructions, which the counters of a virtual machine may not have.
fn counted(folder: &Path) -> String {
    let file = folder.join("counted.hotframe").to_str().unwrap().to_owned();
    let package = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../python/src");
    let mut python = Command::new("python3");
    python.arg(here("counted.py")).arg(&file).env("PYTHONPATH", package);
    assert!(python.status().unwrap().success());
    file
}

/// A file, or those in a folder that open.
fn files(path: &str) -> Vec<String> {
    if Path::new(path).is_file() {
        return vec![path.to_owned()];
    }
    let mut files: Vec<String> = fs::read_dir(path)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|file| file.is_file())
        .map(|file| file.to_str().unwrap().to_owned())
        .filter(|file| !file.ends_with(".golden") && !file.ends_with(".md"))
        .filter(|file| hotframe(&["info", file], Path::new("/")).status.success())
        .collect();
    files.sort();
    assert!(!files.is_empty(), "{path}");
    files
}

#[test]
fn lists_have_the_cells_of_the_command_line() {
    let trace = testdata("chrome-trace/object.trace.json");
    let (out, _) = run(&here("lists.py"), &[&trace], &[]);
    let (lists, errors) = out.split_once("! ").unwrap();
    let mut cells = 0;
    for list in lists.split("= ").skip(1) {
        let (name, csv) = list.split_once('\n').unwrap();
        let view = if name == "tracks" { "timeline" } else { name };
        let show = ["show", &trace, "--view", view, "--format", "csv"];
        let (shown, _) = texts(&hotframe(&show, Path::new("/")));
        let rows = |csv: &str| -> Vec<Vec<String>> {
            csv.lines().map(|row| row.split(',').map(str::to_owned).collect()).collect()
        };
        let (rows, shown) = (rows(csv), rows(&shown));
        assert_eq!(rows.len(), shown.len(), "{name}");
        for (row, shown) in rows.iter().zip(&shown) {
            assert_eq!(row.len(), shown.len(), "{name}: {row:?} {shown:?}");
            for (cell, shown) in row.iter().zip(shown) {
                let number = |text: &str| match text {
                    "true" => Some(1.0),
                    "false" => Some(0.0),
                    _ => text.parse::<f64>().ok(),
                };
                let is_same = match (number(cell), number(shown)) {
                    (Some(a), Some(b)) => a == b,
                    _ => cell == shown,
                };
                assert!(is_same, "{name}: {cell} is not {shown}");
                cells += 1;
            }
        }
    }
    assert!(cells > 300, "{cells} cells were compared");
    assert!(errors.contains("unknown variant `nothing`"), "{errors}");
    assert!(errors.contains("no column nothing to sort by; it has"), "{errors}");
}

#[test]
fn changed_trees_keep_their_sums_and_are_what_the_engine_makes() {
    for file in ["runs/before-1.pb.gz", "runs/after-1.pb.gz"] {
        let (out, _) = run(&here("changes.py"), &[&testdata(file)], &[]);
        assert!(out.contains("all changes hold"), "{out}");
    }
}

#[test]
fn examples_give_what_the_engine_gives() {
    let folder = tempfile::tempdir().unwrap();
    let [before, after] = ["runs/before-1.pb.gz", "runs/after-1.pb.gz"].map(testdata);
    let merged = folder.path().join("merged.hotframe");
    let shown = ["-o", merged.to_str().unwrap()];
    let (out, _) = run(&example("merge_lines.py"), &[&before], &shown);
    // As many as the tree by line has.
    let lines = hotframe(&["run", here("lines.py").to_str().unwrap(), &before], folder.path());
    let (lines, _) = texts(&lines);
    assert_eq!(out, lines, "instructions by line");
    let (total, _) = texts(&hotframe(&["info", "--format", "json", shown[1]], folder.path()));
    assert!(total.contains("2240000000"), "{total}");

    let ratios = folder.path().join("ratios.hotframe");
    run(&example("ratio.py"), &[&before, &after], &["-o", ratios.to_str().unwrap()]);
    let (out, _) = run(&here("ratios.py"), &[ratios.to_str().unwrap(), &before, &after], &[]);
    assert!(out.contains("ratios are equal"), "{out}");

    let counted = counted(folder.path());
    let cpi = folder.path().join("cpi.hotframe");
    let shown = ["-o", cpi.to_str().unwrap()];
    run(&example("cycles_per_instruction.py"), &[&counted], &shown);
    let (out, _) = run(&here("per_instruction.py"), &[&counted], &[]);
    assert!(out.contains("as the formula gives them"), "{out}");

    let runs = folder.path().join("runs.hotframe");
    let all: Vec<String> = (1..=5)
        .flat_map(|run| [format!("runs/before-{run}.pb.gz"), format!("runs/after-{run}.pb.gz")])
        .map(|name| testdata(&name))
        .collect();
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    let runs = runs.to_str().unwrap();
    assert!(
        hotframe(&[&["convert", "-o", runs], &all[..]].concat(), folder.path()).status.success()
    );
    let (out, _) = run(&example("cluster_members.py"), &[runs], &[]);
    let first =
        "cluster 1: after-1.pb.gz, after-2.pb.gz, after-3.pb.gz, after-4.pb.gz, after-5.pb.gz\n";
    assert!(out.starts_with(first), "{out}");
}

#[test]
fn reports_what_goes_wrong_in_a_script_at_its_line() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("wrong.py");
    let file = testdata("runs/before-1.pb.gz");
    let ran = |text: &str, options: &[&str]| {
        fs::write(&script, text).unwrap();
        let output = hotframe(&[&["run", "wrong.py", &file], options].concat(), folder.path());
        let (out, err) = texts(&output);
        (output.status.code(), out, err)
    };
    let (code, _, err) = ran("\n\nprofile.metric('no')\n", &[]);
    assert_eq!(code, Some(1));
    assert!(err.contains("wrong.py\", line 3") && err.contains("there are samples, cpu"), "{err}");
    assert!(!err.contains("document.py"), "only the script's own frames: {err}");
    let (code, _, err) = ran("x = (\n", &[]);
    assert!(code == Some(1) && err.contains("SyntaxError"), "{err}");
    let (code, _, err) = ran("\nprofile.define('x', 'cpu /')\n", &[]);
    assert!(code == Some(1) && err.contains("wrong.py:2: "), "{err}");
    let (code, out, _) = ran("import sys\nprint(sys.argv[1:])\nsys.exit(7)\n", &[]);
    assert_eq!((code, out), (Some(7), format!("['{file}']\n")));
    let (code, _, err) = ran("pass\n", &["-o", "out.hotframe"]);
    assert!(code == Some(1) && err.contains("has shown nothing"), "{err}");
    let (code, _, err) = ran("pass\n", &["--python", "no-such-python"]);
    assert!(code == Some(1) && err.contains("--python names an interpreter"), "{err}");
    let (code, _, err) = ran("profile.top_down(most=10)\n", &[]);
    assert!(code == Some(1) && err.contains("more than 10 nodes"), "{err}");
    let output = hotframe(&["run", "wrong.py", "no-such-file"], folder.path());
    assert!(texts(&output).1.contains("cannot open no-such-file"));
}

#[test]
fn scripts_are_read_in_the_coding_that_they_say() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("coded.py");
    let file = testdata("runs/before-1.pb.gz");
    let ran = |text: &[u8]| {
        fs::write(&script, text).unwrap();
        let output = hotframe(&["run", "coded.py", &file], folder.path());
        let (out, err) = texts(&output);
        (output.status.success(), out, err)
    };
    let (ok, out, err) = ran("\u{feff}print(ascii('é'))\n".as_bytes());
    assert!(ok && out == "'\\xe9'\n", "{out}{err}");
    let (ok, out, err) =
        ran(b"#!/usr/bin/python3\n# -*- coding: latin-1 -*-\nprint(ascii('\xe9'))\n");
    assert!(ok && out == "'\\xe9'\n", "{out}{err}");
    for wrong in [&b"print('\xe9')\n"[..], b"# coding: nonsense\n"] {
        let (ok, _, err) = ran(wrong);
        assert!(!ok && err.contains("coded.py") && err.contains("SyntaxError"), "{err}");
    }
}

/// A command of the Python that has NumPy and the like.
fn scientist(script: &str) -> Option<Command> {
    let mut command = Command::new(science()?);
    let package = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../python/src");
    command.arg(here(script)).env("PYTHONPATH", package.canonicalize().unwrap());
    command.env("HOTFRAME_ENGINE", env!("CARGO_BIN_EXE_hotframe"));
    Some(command)
}

#[test]
fn columns_are_arrays_of_numpy_and_arrow_and_compute_as_numpy_does() {
    let Some(mut command) = scientist("science.py") else { return };
    let output = command.arg(testdata("runs/before-1.pb.gz")).output().unwrap();
    let (out, err) = texts(&output);
    assert!(output.status.success() && out.contains("all columns hold"), "{out}{err}");
}

#[test]
fn a_notebook_gives_what_the_command_line_gives_and_has_the_live_page() {
    let folder = tempfile::tempdir().unwrap();
    let [before, after] = ["runs/before-1.pb.gz", "runs/after-1.pb.gz"].map(testdata);
    let counted = counted(folder.path());
    let cases: [(&str, &[&str]); 3] = [
        ("merge_lines.py", &[&before]),
        ("ratio.py", &[&before, &after]),
        ("cycles_per_instruction.py", &[&counted]),
    ];
    for (name, files) in cases {
        let Some(mut command) = scientist("notebook.py") else { return };
        let (expected, _) = run(&example(name), files, &[]);
        assert!(expected.lines().count() > 0, "{name}");
        let told = folder.path().join("expected");
        fs::write(&told, expected).unwrap();
        let output = command.arg(example(name)).arg(&told).args(files).output().unwrap();
        let (out, err) = texts(&output);
        assert!(
            output.status.success() && out.contains("the notebook holds"),
            "{name}: {out}{err}"
        );
    }
}
