//! `hotframe record python --trace`, which needs no package in the interpreter.

use std::path::Path;
use std::process::{Command, Output};

use crate::{folder, functions, interpreters, texts, warnings};

const PROGRAM: &str = r#"
import subprocess, sys
def ours(n):
    return n
def main():
    for n in range(30):
        ours(n)
    return len([1])
if len(sys.argv) == 1:
    main()
    subprocess.check_call([sys.executable, __file__, "child"])
    sys.exit(3)
main()
"#;

fn record(folder: &Path, options: &[&str], command: &[&str]) -> Output {
    let mut hotframe = Command::new(env!("CARGO_BIN_EXE_hotframe"));
    hotframe.args(["record", "python", "--trace", "-o", "trace.calls"]).args(options).arg("--");
    hotframe.args(command).current_dir(folder).env_remove("PYTHONPATH").output().unwrap()
}

#[test]
fn a_command_is_traced_with_what_it_starts() {
    for interpreter in interpreters::all() {
        let folder = folder(&format!("recorder-{}", interpreter.minor));
        std::fs::write(folder.join("program.py"), PROGRAM).unwrap();
        let python = interpreter.path.to_str().unwrap();
        let output = record(&folder, &["--exact"], &[python, "program.py"]);
        let (_, err) = texts(&output);
        assert_eq!(output.status.code(), Some(3), "{}: {err}", interpreter.version);
        let own = functions(&folder, "calls");
        let count =
            |name: &str| own.iter().find(|(shown, ..)| shown == name).map(|(.., count)| *count);
        assert_eq!((count("ours"), count("main")), (Some(60), Some(2)), "{}", interpreter.version);
        assert!(!folder.join("trace.calls.parts").exists());
        let left: Vec<_> =
            std::fs::read_dir(&folder).unwrap().map(|one| one.unwrap().file_name()).collect();
        assert!(!left.iter().any(|name| name.to_string_lossy().contains("parts")), "{left:?}");
    }
}

#[test]
fn what_is_left_out_is_chosen() {
    let interpreter = interpreters::all().last().unwrap();
    let folder = folder("recorder-limits");
    std::fs::write(folder.join("program.py"), PROGRAM).unwrap();
    let python = interpreter.path.to_str().unwrap();
    record(&folder, &["--limit", "10", "--no-c-functions"], &[python, "program.py"]);
    let own = functions(&folder, "calls");
    let count = |name: &str| own.iter().find(|(shown, ..)| shown == name).map(|(.., count)| *count);
    // A sample may tell of a later one.
    assert!(count("ours").is_some_and(|count| count >= 20) && count("len").is_none(), "{own:?}");
    // Warnings name some, the comments all.
    assert!(warnings(&folder).contains("no longer traced after call 10"));
    let mut hotframe = Command::new(env!("CARGO_BIN_EXE_hotframe"));
    let info = hotframe.args(["info", "trace.calls"]).current_dir(&folder).output().unwrap();
    assert!(texts(&info).0.contains("ours (exact to call 10)"));
}

#[test]
fn reports_commands_that_are_no_python() {
    let folder = folder("recorder-none");
    let output = record(&folder, &[], &["true"]);
    let (_, err) = texts(&output);
    assert_eq!(output.status.code(), Some(1), "{err}");
    assert!(err.contains("nothing was traced: the command started no Python from 3.8 on"), "{err}");
    assert!(err.contains("-I, -E or -S"), "{err}");
    assert!(!folder.join("trace.calls").exists());
}

/// A process that is killed has no counts, which is told; so is that nobody had any.
#[test]
fn reports_killed_processes_that_counted() {
    let interpreter = interpreters::all().last().unwrap();
    let folder = folder("recorder-killed");
    let killed = "import os, signal, sys, subprocess\ndef ours(): pass\nours()\n\
                  if len(sys.argv) == 1: subprocess.call([sys.executable, __file__, 'child'])\n\
                  else: os.kill(os.getpid(), signal.SIGKILL)\n";
    std::fs::write(folder.join("program.py"), killed).unwrap();
    let python = interpreter.path.to_str().unwrap();
    let count = |arguments: &[&str]| {
        let mut hotframe = Command::new(env!("CARGO_BIN_EXE_hotframe"));
        hotframe.args(["record", "python", "--counts", "-o", "counts.prof", "--", python]);
        texts(&hotframe.args(arguments).current_dir(&folder).output().unwrap()).1
    };
    let shown = count(&["program.py"]);
    assert!(shown.contains("was killed: its calls are not counted"), "{shown}");
    assert!(folder.join("counts.prof").exists(), "{shown}");
    std::fs::remove_file(folder.join("counts.prof")).unwrap();
    let shown = count(&["program.py", "itself"]);
    assert!(shown.contains("nothing was counted: every process was killed"), "{shown}");
}

/// The sitecustomize of a program runs, and an error in it is no reason not to trace.
#[test]
fn what_a_site_does_stays() {
    for interpreter in interpreters::all() {
        let folder = folder(&format!("site-{}", interpreter.minor));
        std::fs::write(folder.join("program.py"), PROGRAM).unwrap();
        let site = "print('our site', flush=True)\nraise ImportError('broken')\n";
        std::fs::write(folder.join("sitecustomize.py"), site).unwrap();
        let mut hotframe = Command::new(env!("CARGO_BIN_EXE_hotframe"));
        hotframe.args(["record", "python", "--trace", "-o", "trace.calls", "--"]);
        hotframe.arg(&interpreter.path).args(["program.py", "child"]);
        let output = hotframe.current_dir(&folder).env("PYTHONPATH", &folder).output().unwrap();
        let (out, err) = texts(&output);
        assert!(output.status.success(), "{}: {err}", interpreter.version);
        assert!(out.contains("our site"), "{}: {out}", interpreter.version);
        let own = functions(&folder, "calls");
        assert!(own.iter().any(|(name, ..)| name == "ours"), "{}: {err}", interpreter.version);
    }
}
