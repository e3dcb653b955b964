//! What programs allocate and hold, against tracemalloc in the same run and against what is known of them.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::interpreters::Interpreter;
use crate::{folder, interpreters, python, run, shown, texts};

/// Bytes or blocks by function of the program, all threads and processes together.
fn functions(folder: &Path, metric: &str) -> BTreeMap<String, i64> {
    let view = ["show", "run.memory", "--view", "flat", "--metric", metric, "--limit", "0"];
    let shown = shown(folder, &view);
    let mut all = BTreeMap::new();
    for row in shown["rows"].as_array().unwrap() {
        // Before 3.11 names are not qualified.
        let name = row["function"].as_str().unwrap().rsplit('.').next().unwrap().to_owned();
        *all.entry(name).or_default() += row["self"].as_i64().unwrap();
    }
    all
}

fn info(folder: &Path) -> Value {
    shown(folder, &["info", "run.memory"])
}

/// As people see it, with its comments.
fn info_text(folder: &Path) -> String {
    let mut hotframe = Command::new(env!("CARGO_BIN_EXE_hotframe"));
    texts(&hotframe.args(["info", "run.memory"]).current_dir(folder).output().unwrap()).0
}

/// Functions that each hold some megabytes in their own way, and what tracemalloc finds of them.
const HOLDERS: &str = r#"
import gc, json, sys, threading, tracemalloc
import hotframe

def blocks(out):
    for _ in range(80000):
        out.append(bytes(70))
def mixed(out):
    for n in range(4000):
        out.append(bytes(n))
def growing(out):
    one = []
    for n in range(1000000):
        one.append(None)
    out.append(one)
def lost(out):
    for _ in range(30000):
        bytes(300)
def some(count):
    for _ in range(count):
        yield bytes(900)
def generated(out):
    for one in some(9000):
        out.append(one)
def deep(out, depth):
    if depth == 0:
        for _ in range(20000):
            out.append(bytearray(400))
    else:
        deep(out, depth - 1)
def in_thread(out):
    for _ in range(9000):
        out.append(bytes(1000))

CODES = [one.__code__ for one in (blocks, mixed, growing, lost, some, generated, deep, in_thread)]
def function(line):
    before = [code for code in CODES if code.co_firstlineno <= line]
    return max(before, key=lambda code: code.co_firstlineno).co_name

sample = int(sys.argv[1]) or None
gc.disable()
out = []
tracemalloc.start()
recording = hotframe.memory("run.memory", sample=sample)
recording.start()
for one in (blocks, mixed, growing, lost, generated):
    one(out)
deep(out, 100)
thread = threading.Thread(target=in_thread, args=(out,), name="our thread")
thread.start()
thread.join()
samples = recording.stop()
snapshot = tracemalloc.take_snapshot()
tracemalloc.stop()
found = {}
for one in snapshot.statistics("lineno"):
    frame = one.traceback[0]
    if frame.filename == __file__ and CODES[0].co_firstlineno <= frame.lineno <= CODES[-1].co_firstlineno + 2:
        name = function(frame.lineno)
        found[name] = found.get(name, 0) + one.size
print(json.dumps([samples, found]))
"#;

fn held(
    interpreter: &Interpreter,
    sample: &str,
) -> (i64, BTreeMap<String, i64>, BTreeMap<String, i64>) {
    let folder = folder(&format!("memory-{}-{sample}", interpreter.minor));
    std::fs::write(folder.join("program.py"), HOLDERS).unwrap();
    let output = python(interpreter, &folder).args(["program.py", sample]).output().unwrap();
    let (out, err) = texts(&output);
    assert!(output.status.success(), "{}: {out}{err}", interpreter.version);
    let shown: (i64, BTreeMap<String, i64>) = serde_json::from_str(&out).unwrap();
    assert_eq!(info(&folder)["warnings"].to_string(), "[]", "{}", interpreter.version);
    (shown.0, shown.1, functions(&folder, "leaked"))
}

const HOLDING: [&str; 6] = ["blocks", "mixed", "growing", "some", "deep", "in_thread"];

/// Each allocation seen, what is held is what tracemalloc has, but for objects that were kept to be used again: those
/// are in tracemalloc where they were used last.
#[test]
fn what_is_held_is_what_tracemalloc_finds() {
    for interpreter in interpreters::some() {
        let (samples, wanted, found) = held(interpreter, "0");
        // From 3.14 on the interpreter keeps small numbers that are given back.
        let least = if interpreter.minor < 14 { 1_000_000 } else { 150_000 };
        assert!(samples > least, "{}: {samples}", interpreter.version);
        for name in HOLDING {
            assert!(wanted[name] > 7_000_000, "{}: {wanted:?}", interpreter.version);
            let off = found[name] - wanted[name];
            assert!(off.abs() < 8000, "{}: {name} is off by {off}", interpreter.version);
        }
        assert!(found.get("lost").is_none_or(|&held| held < 1000), "{found:?}");
    }
}

/// Of samples, close to it: 5 % is six standard errors or more.
#[test]
fn samples_are_close_to_what_tracemalloc_finds() {
    for interpreter in interpreters::some() {
        let (samples, wanted, found) = held(interpreter, "512");
        assert!(samples < 500_000, "{}: {samples}", interpreter.version);
        for name in HOLDING {
            let off = found[name] as f64 / wanted[name] as f64 - 1.0;
            assert!(off.abs() < 0.05, "{}: {name} is off by {off}", interpreter.version);
        }
        let lost = found.get("lost").copied().unwrap_or_default();
        assert!(lost < 50_000, "{}: {lost}", interpreter.version);
    }
}

/// Sums, counts and the peak of a program that is known.
#[test]
fn a_known_program_is_reported_exactly() {
    const KNOWN: &str = r#"
import hotframe, itertools, zlib
def first(count):
    return [bytes(10000) for _ in itertools.repeat(None, count)]
def second():
    return bytes(30000000)
def third(old):
    return old.ljust(20000000)
def outside(packed):
    return zlib.decompress(packed)
packed = zlib.compress(bytes(range(256)) * 20000)
@hotframe.memory("run.memory", sample=None)
def main():
    one = first(1000)
    del one
    two = second()
    one = first(10)
    del two
    outside(packed)
    return one, third(b"x")
kept = main()
"#;
    for interpreter in interpreters::all() {
        let version = &interpreter.version;
        let folder = folder(&format!("memory-known-{}", interpreter.minor));
        run(interpreter, &folder, &[], KNOWN);
        let of = |metric: &str, name: &str| {
            let all = functions(&folder, metric);
            let listed = if name == "first" { all.get("<listcomp>") } else { None };
            all.get(name).copied().unwrap_or(0) + listed.copied().unwrap_or(0)
        };
        // 33 bytes are what an object of bytes has besides; lists have little.
        let near = |found: i64, wanted: i64| (wanted..wanted + wanted / 50 + 100).contains(&found);
        let check = |metric: &str, name: &str, wanted: i64| {
            let found = of(metric, name);
            assert!(near(found, wanted), "{version}: {metric} of {name} is {found}, not {wanted}");
        };
        check("allocated", "first", 1010 * 10033);
        check("allocations", "first", 1010);
        check("peak", "first", 10 * 10033);
        check("leaked", "first", 10 * 10033);
        check("allocated", "second", 30_000_033);
        check("peak", "second", 30_000_033);
        check("leaked", "second", 0);
        check("leaked", "third", 20_000_033);
        check("peak", "third", 0);
        // The library unpacks while others may run Python.
        check("allocated", "(without the interpreter)", 32768);
        let comments = info_text(&folder);
        assert!(comments.contains("every allocation was seen: values are exact"), "{comments}");
    }
}

/// The command starts processes in every way, and ends some of them.
#[test]
fn processes_of_a_command_are_one_recording() {
    const PARENT: &str = r#"
import os, signal, subprocess, sys, threading, time
def work(count):
    return [bytearray(10000) for _ in range(count)]
def forked():
    kept = work(20)
    os._exit(0)
if len(sys.argv) == 1:
    kept = work(10)
    child = os.fork()
    if child == 0:
        forked()
    os.waitpid(child, 0)
    subprocess.check_call([sys.executable, __file__, "child"])
    subprocess.call([sys.executable, __file__, "killed"])
    subprocess.call([sys.executable, __file__, "ended"])
    thread = threading.Thread(target=lambda: kept.append(work(3)), name="our thread")
    thread.start()
    thread.join()
elif sys.argv[1] == "child":
    kept = work(40)
elif sys.argv[1] == "killed":
    kept = work(80)
    time.sleep(0.4)
    os.kill(os.getpid(), signal.SIGKILL)
else:
    kept = work(160)
    os.kill(os.getpid(), signal.SIGTERM)
"#;
    for interpreter in interpreters::all() {
        let version = &interpreter.version;
        let folder = folder(&format!("memory-processes-{}", interpreter.minor));
        std::fs::write(folder.join("program.py"), PARENT).unwrap();
        let mut hotframe = Command::new(env!("CARGO_BIN_EXE_hotframe"));
        hotframe.args(["record", "python", "--memory", "--exact", "-o", "run.memory", "--"]);
        hotframe.arg(&interpreter.path).args(["-W", "ignore", "program.py"]);
        let output = hotframe.current_dir(&folder).env_remove("PYTHONPATH").output().unwrap();
        let (_, err) = texts(&output);
        assert!(output.status.success(), "{version}: {err}");
        let all = functions(&folder, "leaked");
        let held = ["work", "<listcomp>"].iter().filter_map(|name| all.get(*name)).sum::<i64>();
        let wanted = (10 + 20 + 40 + 80 + 160 + 3) * 10_000;
        assert!((wanted..wanted + wanted / 50).contains(&held), "{version}: {held}: {all:?}");
        let shown = info(&folder);
        let warnings = shown["warnings"].to_string();
        assert_eq!(warnings.matches("ended from outside").count(), 1, "{version}: {warnings}");
        assert!(!all.keys().any(|name| name.contains("name_thread")), "{version}: {all:?}");
        let threads = ["show", "run.memory", "--metric", "leaked", "--thread", "our thread"];
        let rows = printed_rows(&folder, &threads);
        assert!(rows.contains("work"), "{version}: {rows}");
    }
}

fn printed_rows(folder: &Path, arguments: &[&str]) -> String {
    shown(folder, arguments)["rows"].to_string()
}

/// What is held is there at each time, beside what the kernel says.
#[test]
fn reports_what_is_held_over_time() {
    const STEPS: &str = r#"
import hotframe, time
def step():
    time.sleep(0.2)
    return bytes(50_000_000)
with hotframe.memory("run.memory"):
    one = step()
    time.sleep(2)
    del one
    one = step()
    two = step()
    time.sleep(0.1)
"#;
    let interpreter = interpreters::all().last().unwrap();
    let folder = folder("memory-times");
    run(interpreter, &folder, &[], STEPS);
    let held = |range: &str| {
        let all = ["show", "run.memory", "--view", "flat", "--metric", "leaked", "--time", range];
        let shown = shown(&folder, &all);
        shown["rows"].as_array().unwrap().iter().filter_map(|row| row["self"].as_i64()).sum::<i64>()
            / 50_000_000
    };
    assert_eq!(["0ms..150ms", "0ms..1500ms", "0ms..60s"].map(held), [0, 1, 2]);
    let shown = info_text(&folder);
    assert!(shown.contains("are estimates"), "{shown}");
}

#[test]
fn reports_what_is_held_for_a_moment() {
    const SPIKES: &str = r#"
import hotframe, time
def spike():
    data = [bytes(1_000_000) for _ in range(60)]
    time.sleep(0.005)
with hotframe.memory("run.memory"):
    for _ in range(5):
        time.sleep(0.137)
        spike()
    time.sleep(0.1)
"#;
    let interpreter = interpreters::all().last().unwrap();
    let folder = folder("memory-spikes");
    run(interpreter, &folder, &[], SPIKES);
    let mut convert = Command::new(env!("CARGO_BIN_EXE_hotframe"));
    convert.args(["convert", "run.memory", "--to", "trace-event", "-o", "run.json"]);
    assert!(convert.current_dir(&folder).output().unwrap().status.success());
    let text = std::fs::read_to_string(folder.join("run.json")).unwrap();
    let trace: Value = serde_json::from_str(&text).unwrap();
    let events = trace.get("traceEvents").unwrap_or(&trace).as_array().unwrap().iter();
    let held: Vec<f64> = events
        .filter(|event| event["ph"] == "C" && event["name"] == "held")
        .filter_map(|event| event["args"].as_object()?.values().next()?.as_f64())
        .collect();
    assert!(held.iter().filter(|&&bytes| bytes > 5.95e7).count() >= 5, "{held:?}");
    let peak = shown(&folder, &["show", "run.memory", "--view", "flat", "--metric", "peak"]);
    let most = held.iter().copied().fold(0.0, f64::max);
    assert!((peak["total"].as_f64().unwrap() - most).abs() < 1.0, "{} {most}", peak["total"]);
}

#[test]
fn reports_what_is_in_the_way_of_memory() {
    const REFUSED: &str = r#"
import hotframe
def refused(what):
    try:
        what()
    except (RuntimeError, ValueError, OSError, TypeError) as error:
        print(error)
with hotframe.trace("a.calls"):
    refused(hotframe.memory("b.memory").start)
with hotframe.memory("b.memory"):
    refused(hotframe.trace("a.calls").start)
    refused(hotframe.memory("c.memory").start)
refused(lambda: hotframe.memory(sample=0))
refused(hotframe.memory("no/such/folder").start)
with hotframe.memory("b.memory"):
    pass
"#;
    for interpreter in interpreters::all() {
        let folder = folder(&format!("memory-refusals-{}", interpreter.minor));
        let shown = run(interpreter, &folder, &[], REFUSED);
        let lines: Vec<&str> = shown.lines().collect();
        for line in &lines[..3] {
            assert!(line.starts_with("a recording runs already, into "), "{shown}");
        }
        assert_eq!(lines[3], "sample: a number of bytes from 1 on, or None for all allocations");
        assert!(lines[4].ends_with("No such file or directory (os error 2)"), "{shown}");
    }
}
