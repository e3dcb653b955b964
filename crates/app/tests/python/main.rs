//! The Python package's tracer, in every interpreter of this machine that it is for, and what Hotframe reads of
//! its traces.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]
#![cfg(target_os = "linux")]

mod attached;
mod beside;
mod counts;
mod endings;
mod estimates;
mod interpreters;
mod logged;
mod memory;
mod pstats;
mod recorder;
mod refusals;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use interpreters::Interpreter;
use serde_json::Value;

/// A folder for a test, empty.
fn folder(test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("python").join(test);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// The folder that holds the package with its compiled part.
fn package() -> &'static Path {
    static PACKAGE: OnceLock<PathBuf> = OnceLock::new();
    PACKAGE.get_or_init(|| {
        let built =
            Path::new(env!("CARGO_BIN_EXE_hotframe")).with_file_name("libhotframe_native.so");
        let there = built.exists();
        assert!(there, "{} is not there: cargo build -p hotframe-python makes it", built.display());
        // Tests may be processes that run beside each other: whoever is first puts the folder in place.
        let file = built.metadata().unwrap();
        let age = file.modified().unwrap().duration_since(std::time::UNIX_EPOCH).unwrap();
        let whole = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!(
            "python-package-{}-{}",
            file.len(),
            age.as_nanos()
        ));
        if whole.exists() {
            return whole;
        }
        let ours = folder(&format!("package-{}", std::process::id()));
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../python/src/hotframe");
        let copied = Command::new("cp").arg("-R").args([&source, &ours]).status().unwrap();
        assert!(copied.success());
        std::fs::copy(built, ours.join("hotframe/_native.abi3.so")).unwrap();
        if std::fs::rename(&ours, &whole).is_err() {
            assert!(whole.exists(), "{} cannot be made", whole.display());
            std::fs::remove_dir_all(&ours).unwrap();
        }
        whole
    })
}

/// An interpreter with the package on its path.
fn python(interpreter: &Interpreter, folder: &Path) -> Command {
    let mut command = Command::new(&interpreter.path);
    command.current_dir(folder).env("PYTHONPATH", package()).env("PYTHONDONTWRITEBYTECODE", "1");
    command.env_remove("PYTHONHOME");
    command
}

/// Runs a program that is given as text, whole and without an error.
fn run(interpreter: &Interpreter, folder: &Path, before: &[&str], program: &str) -> String {
    std::fs::write(folder.join("program.py"), program).unwrap();
    let mut command = python(interpreter, folder);
    let output = command.args(before).arg("program.py").output().unwrap();
    let (out, err) = texts(&output);
    assert!(output.status.success(), "{}: {out}{err}", interpreter.version);
    out
}

fn texts(output: &Output) -> (String, String) {
    let [out, err] = [&output.stdout, &output.stderr];
    (String::from_utf8_lossy(out).into_owned(), String::from_utf8_lossy(err).into_owned())
}

/// What `hotframe show` or `info` tells of a trace, as JSON.
fn shown(folder: &Path, arguments: &[&str]) -> Value {
    let mut hotframe = Command::new(env!("CARGO_BIN_EXE_hotframe"));
    let output = hotframe.args(arguments).args(["--format", "json"]).current_dir(folder).output();
    let (out, err) = texts(&output.unwrap());
    serde_json::from_str(&out).unwrap_or_else(|_| panic!("{arguments:?}: {out}{err}"))
}

/// Functions with a metric's self values, all of them.
fn functions(folder: &Path, metric: &str) -> Vec<(String, String, i64)> {
    let view = ["show", "trace.calls", "--view", "flat", "--metric", metric, "--limit", "0"];
    let shown = shown(folder, &view);
    let row = |row: &Value| {
        let text = |key: &str| row[key].as_str().unwrap_or_default().to_owned();
        (text("function"), text("file"), row["self"].as_i64().unwrap())
    };
    shown["rows"].as_array().unwrap().iter().map(row).collect()
}

/// What the reader warns of.
fn warnings(folder: &Path) -> String {
    shown(folder, &["info", "trace.calls"])["warnings"].to_string()
}
