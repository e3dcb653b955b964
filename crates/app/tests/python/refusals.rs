//! What cannot be traced, in one clear line.

use std::process::Command;

use crate::{folder, interpreters, python, run, texts};

#[test]
fn reports_what_is_in_the_way() {
    for interpreter in interpreters::all() {
        let folder = folder(&format!("refusals-{}", interpreter.minor));
        let version = &interpreter.version;
        let shown = run(
            interpreter,
            &folder,
            &[],
            r#"
import hotframe, sys
def refused(what, kind):
    try:
        what()
    except kind as error:
        print(error)
    else:
        print("nothing")
with hotframe.trace("trace.calls"):
    refused(hotframe.trace("other.calls").start, RuntimeError)
refused(lambda: hotframe.trace(limit=0), ValueError)
refused(hotframe.trace("no/such/folder/trace.calls").start, OSError)
if hasattr(sys, "monitoring"):
    for tool in (3, 4):
        sys.monitoring.use_tool_id(tool, "another")
    refused(hotframe.trace("trace.calls").start, RuntimeError)
"#,
        );
        let lines: Vec<&str> = shown.lines().collect();
        assert!(lines[0].starts_with("a recording runs already, into "), "{version}: {shown}");
        assert_eq!(lines[1], "limit: a number of calls from 1 on, or None for all calls");
        assert!(lines[2].ends_with("No such file or directory (os error 2)"), "{version}: {shown}");
        if interpreter.minor >= 12 {
            let wanted = "hotframe cannot trace: no place of sys.monitoring is free (3 by another, 4 by another); \
                          stop the other tools first";
            assert_eq!(lines[3], wanted, "{version}");
        }
    }
}

#[test]
fn reports_programs_that_take_no_path() {
    let interpreter = &interpreters::all()[0];
    let folder = folder("isolated");
    let record = ["-m", "hotframe", "record", "-o", "trace.calls", "--", "-I", "-c", "pass"];
    let output = python(interpreter, &folder).args(record).output().unwrap();
    let (_, err) = texts(&output);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        err.starts_with("hotframe: nothing was traced: the command started no Python"),
        "{err}"
    );
    assert!(!folder.join("trace.calls").exists());
}

/// The status of the program is that of the command; an error in it is its own.
#[test]
fn the_status_is_that_of_the_program() {
    for interpreter in interpreters::all() {
        let folder = folder(&format!("status-{}", interpreter.minor));
        let record =
            ["-m", "hotframe", "record", "-o", "trace.calls", "--", "-c", "raise SystemExit(7)"];
        let output = python(interpreter, &folder).args(record).output().unwrap();
        assert_eq!(output.status.code(), Some(7), "{}", interpreter.version);
        assert!(folder.join("trace.calls").exists());
    }
}

/// The package is read, and its help printed, by interpreters that cannot be traced.
#[test]
fn a_package_without_its_compiled_part_says_so() {
    let interpreter = &interpreters::all()[0];
    let folder = folder("uncompiled");
    let source = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../python/src/hotframe");
    let copied = Command::new("cp").arg("-R").args([&source, &folder]).status().unwrap();
    assert!(copied.success());
    let _ = std::fs::remove_file(folder.join("hotframe/_native.abi3.so"));
    let mut command = python(interpreter, &folder);
    command.env("PYTHONPATH", &folder);
    let output =
        command.args(["-c", "import hotframe; hotframe.trace().start()"]).output().unwrap();
    let (_, err) = texts(&output);
    assert!(
        err.contains("the package is here without its compiled part: install it with pip"),
        "{err}"
    );
}
