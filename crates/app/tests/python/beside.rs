//! Other profilers beside the tracer, interpreters inside of a process, and what a decorator is put on.

use crate::{folder, functions, interpreters, python, run, texts, warnings};

fn calls(folder: &std::path::Path, name: &str) -> i64 {
    functions(folder, "calls").iter().filter(|(shown, ..)| shown == name).map(|(.., n)| n).sum()
}

/// Where interpreters have one profile function, whoever takes it is told of; who gives it back loses nothing more.
#[test]
fn other_profilers_are_reported_or_traced_beside() {
    const TAKES: &str = r#"
import cProfile, sys
def f():
    pass
for _ in range(10):
    f()
before = sys.getprofile()
sys.setprofile(lambda *_: None)
for _ in range(5):
    f()
sys.setprofile(before)
for _ in range(20):
    f()
if len(sys.argv) > 1:
    profile = cProfile.Profile()
    profile.enable()
    f()
    profile.disable()
    for _ in range(100):
        f()
    assert sum(one.callcount for one in profile.getstats() if getattr(one.code, "co_name", "") == "f") == 1
"#;
    for interpreter in interpreters::all() {
        let folder = folder(&format!("beside-{}", interpreter.minor));
        let version = &interpreter.version;
        let has_places = interpreter.minor >= 12;
        let record = ["-m", "hotframe", "record", "-o", "trace.calls"];
        run(interpreter, &folder, &record, TAKES);
        assert_eq!(calls(&folder, "f"), if has_places { 35 } else { 30 }, "{version}");
        assert!(!warnings(&folder).contains("another profiler"), "{version}");
        std::fs::remove_file(folder.join("trace.calls")).unwrap();
        let mut command = python(interpreter, &folder);
        let output = command.args(record).args(["program.py", "more"]).output().unwrap();
        let (_, err) = texts(&output);
        assert!(output.status.success(), "{version}: {err}");
        assert_eq!(calls(&folder, "f"), if has_places { 136 } else { 30 }, "{version}");
        let shown = warnings(&folder).contains("another profiler");
        assert_eq!(shown, !has_places, "{version}");
        assert_eq!(err.contains("another profiler took the tracer's place"), !has_places, "{err}");
    }
}

/// A profiler that runs already is not stopped by a trace that begins.
#[test]
fn a_profiler_that_runs_is_left_alone() {
    const RUNS: &str = r#"
import sys
import hotframe
seen = []
sys.setprofile(lambda frame, what, _: seen.append(frame.f_code.co_name))
def f():
    pass
try:
    with hotframe.trace("trace.calls"):
        f()
except RuntimeError as error:
    print(error)
f()
assert "f" in seen
"#;
    for interpreter in interpreters::all() {
        let folder = folder(&format!("profiled-{}", interpreter.minor));
        let shown = run(interpreter, &folder, &[], RUNS);
        let is_refused = shown.contains("is the profile function: stop that one first");
        assert_eq!(is_refused, interpreter.minor < 12, "{}: {shown}", interpreter.version);
    }
}

#[test]
fn decorated_coroutines_are_traced_and_generators_refused() {
    const DECORATED: &str = r#"
import asyncio, inspect
import hotframe
def leaf():
    pass
@hotframe.trace("trace.calls")
async def whole(n):
    leaf()
    await asyncio.sleep(0.01)
    leaf()
    return n
assert inspect.iscoroutinefunction(whole)
assert asyncio.run(whole(7)) == 7
def generator():
    yield 1
async def generator_of_tasks():
    yield 1
for function in (generator, generator_of_tasks):
    try:
        hotframe.trace("trace.calls")(function)
    except TypeError as error:
        print(error)
"#;
    for interpreter in interpreters::all() {
        let folder = folder(&format!("decorated-{}", interpreter.minor));
        let shown = run(interpreter, &folder, &[], DECORATED);
        assert_eq!(shown.matches("is a generator").count(), 2, "{}: {shown}", interpreter.version);
        let counts = (calls(&folder, "leaf"), calls(&folder, "whole"));
        assert_eq!(counts, (2, 1), "{}", interpreter.version);
        let times = functions(&folder, "task time");
        let whole = times.iter().find(|(name, ..)| name == "whole").map_or(0, |(.., time)| *time);
        assert!(whole < 10_000_000, "it waited: {}: {times:?}", interpreter.version);
    }
}

/// A process is not called untraced since an interpreter inside of it is not traced.
#[test]
fn reports_interpreters_inside_of_a_process() {
    const INSIDE: &str = r#"
import importlib
for name in ("_interpreters", "_xxsubinterpreters"):
    try:
        inner = importlib.import_module(name)
        break
    except ImportError:
        continue
def outer():
    pass
outer()
interpreter = inner.create()
inner.run_string(interpreter, "def inner(): pass\ninner()")
inner.destroy(interpreter)
outer()
"#;
    for interpreter in interpreters::all() {
        let folder = folder(&format!("inside-{}", interpreter.minor));
        std::fs::write(folder.join("program.py"), INSIDE).unwrap();
        let record = ["-m", "hotframe", "record", "-o", "trace.calls", "program.py"];
        let (_, err) = texts(&python(interpreter, &folder).args(record).output().unwrap());
        assert_eq!(calls(&folder, "outer"), 2, "{}: {err}", interpreter.version);
        assert_eq!(calls(&folder, "inner"), 0, "{}", interpreter.version);
        assert!(err.contains("hotframe: an interpreter inside of process "), "{err}");
    }
}
