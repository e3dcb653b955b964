//! Calls against programs that count their own, and against Python's own profiler.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::{folder, functions, interpreters, run, shown, warnings};

/// Every kind of call; `count` is called once for each of them, by the function itself.
const PROGRAM: &str = r#"
import asyncio, collections, json, sys, threading
import hotframe

counts = collections.Counter()
lock = threading.Lock()

def count(name):
    counts[name] += 1

def fib(n):
    with lock:
        count("fib")
    return n if n < 2 else fib(n - 1) + fib(n - 2)

def numbers(n):
    count("numbers")
    for i in range(n):
        yield i

def delegating(n):
    count("delegating")
    yield from numbers(n)
    yield from numbers(n)

def left_early():
    count("left_early")
    try:
        yield 1
        yield 2
    finally:
        cleanup()

def cleanup():
    count("cleanup")

def raises(depth):
    count("raises")
    if depth == 0:
        raise KeyError(depth)
    raises(depth - 1)

class Thing:
    def __init__(self):
        count("__init__")
    def __enter__(self):
        count("__enter__")
        return self
    def __exit__(self, *what):
        count("__exit__")
        return True
    @property
    def size(self):
        count("size")
        return 3
    @staticmethod
    def still():
        count("still")

async def step(i):
    count("step")
    await asyncio.sleep(0.001 * i)
    await inner(i)
    return i

async def inner(i):
    count("inner")
    await asyncio.sleep(0)

async def ticks():
    count("ticks")
    for i in range(3):
        yield i
        await asyncio.sleep(0)

async def main():
    count("main")
    await asyncio.gather(*[step(i) for i in range(5)])
    async for _ in ticks():
        pass

def worker(n):
    with lock:
        count("worker")
    fib(n)

def everything():
    count("everything")
    fib(10)
    sum(numbers(7))
    list(delegating(3))
    for _ in left_early():
        break
    one = left_early()
    next(one)
    one.close()
    if sys.version_info >= (3, 12):
        # Earlier ones tell of it as of a call that an exception leaves at once.
        never_started = numbers(3)
        del never_started
    for _ in range(3):
        try:
            raises(4)
        except KeyError:
            pass
    with Thing() as thing:
        thing.size
        Thing.still()
        raise ValueError
    threads = [threading.Thread(target=worker, args=(6,), name=f"worker {i}") for i in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    words = []
    for i in range(11):
        words.append(str.upper("a"))
    asyncio.run(main())
    sorted([3, 1, 2], key=lambda one: -one)

with hotframe.trace("trace.calls", limit=None):
    everything()
counts["list.append"] = 11
counts["str.upper"] = 11
print(json.dumps(counts))
"#;

#[test]
fn calls_are_as_many_as_the_program_counts() {
    for interpreter in interpreters::all() {
        let folder = folder(&format!("counts-{}", interpreter.minor));
        let version = &interpreter.version;
        let counted = run(interpreter, &folder, &[], PROGRAM);
        let counted: BTreeMap<String, i64> = serde_json::from_str(&counted).unwrap();
        let own = functions(&folder, "calls");
        for (name, &count) in &counted {
            // Names are qualified from 3.11 on.
            let ends = |shown: &str| shown == name || shown.ends_with(&format!(".{name}"));
            let rows = own.iter().filter(|(shown, file, _)| {
                let is_c = file.is_empty();
                if name.contains('.') {
                    is_c && shown == name
                } else {
                    !is_c && ends(shown) && file.ends_with("program.py")
                }
            });
            let sum: i64 = rows.map(|(_, _, count)| count).sum();
            if name.contains('.') {
                // Modules of the interpreter append, too.
                assert!(sum >= count, "{version}: {name}: {sum} of {count}");
            } else {
                assert_eq!(sum, count, "{version}: {name}");
            }
        }
        assert_eq!(warnings(&folder), "[]", "{version}");
        // What tracing took is taken from the callers and the called: something is left, and not all.
        let sum = |metric| functions(&folder, metric).iter().map(|(.., time)| time).sum::<i64>();
        let (time, corrected) = (sum("time"), sum("corrected time"));
        assert!(0 < corrected && corrected < time, "{version}: {corrected} of {time} ns");
        let info = shown(&folder, &["info", "trace.calls"]);
        assert!(info["threads"].as_i64().unwrap() >= 4, "{version}: {info}");
    }
}

/// Names and counts of the tasks that ran.
#[test]
fn tasks_have_tracks_with_their_names() {
    const TASKS: &str = r#"
import asyncio, hotframe, sys
async def work(i):
    await asyncio.sleep(0.01)
async def main():
    kinds = [asyncio.ensure_future(work(i)) for i in range(3)]
    await asyncio.gather(*kinds)
asyncio.run(asyncio.sleep(0))
with hotframe.trace("trace.calls", limit=None):
    asyncio.run(main())
"#;
    for interpreter in interpreters::all() {
        let folder = folder(&format!("tasks-{}", interpreter.minor));
        run(interpreter, &folder, &[], TASKS);
        let tasks = functions(&folder, "task time");
        let waited: i64 =
            tasks.iter().filter(|(name, ..)| name == "(waiting)").map(|(.., time)| time).sum();
        // Three times a hundredth of a second, and the one that waits for them.
        assert!(waited >= 40_000_000, "{}: {tasks:?}", interpreter.version);
        let tracks = &shown(&folder, &["info", "trace.calls"])["timeline"]["tracks"];
        let is_all = tracks.as_i64().unwrap() >= 6;
        assert!(is_all, "{}: a process, a thread, four tasks: {tracks}", interpreter.version);
    }
}

/// The same program under cProfile and traced: as many calls of each function, generators aside, which
/// cProfile counts each time that they go on.
#[test]
fn counts_are_those_of_cprofile() {
    const MODULE: &str = r#"
import json, re

PATTERN = re.compile(r"(\w+)@(\w+)")

def norm(text):
    return text.strip().lower()

def parse(line):
    found = PATTERN.search(line)
    return norm(found.group(1)) if found else None

def fact(n):
    return 1 if n == 0 else n * fact(n - 1)

def work():
    rows = [{"mail": " User%d@host%d " % (i, i % 7)} for i in range(300)]
    text = json.dumps(rows)
    for row in json.loads(text):
        parse(row["mail"])
    fact(20)
    sorted((len(str(i)) for i in range(40)), key=abs)
"#;
    const PROGRAM: &str = r#"
import cProfile, json, pstats, sys
import hotframe, module
module.work()
profile = cProfile.Profile()
profile.enable()
module.work()
profile.disable()
with hotframe.trace("trace.calls", limit=None):
    module.work()
counts = {}
for (file, line, name), (primitive, calls, *_) in pstats.Stats(profile).stats.items():
    counts["%s|%s" % (name, line)] = calls
print(json.dumps(counts))
"#;
    for interpreter in interpreters::all() {
        let folder = folder(&format!("cprofile-{}", interpreter.minor));
        std::fs::write(folder.join("module.py"), MODULE).unwrap();
        let counted = run(interpreter, &folder, &[], PROGRAM);
        let counted: BTreeMap<String, i64> = serde_json::from_str(&counted).unwrap();
        let own = functions(&folder, "calls");
        let mut compared = 0;
        for (name, &count) in &counted {
            let (name, _) = name.rsplit_once('|').unwrap();
            // As cProfile writes functions of C.
            let plain =
                match name.strip_prefix("<method '").and_then(|rest| rest.split_once("' of '")) {
                    Some((method, rest)) => {
                        let kind = rest.split('\'').next().unwrap();
                        format!("{}.{method}", kind.rsplit('.').next().unwrap())
                    }
                    None => match name.strip_prefix("<built-in method ") {
                        Some(rest) => rest.trim_end_matches('>').replace("builtins.", ""),
                        None => name.to_owned(),
                    },
                };
            let is_ours = !name.starts_with('<')
                || name.starts_with("<method")
                || name.starts_with("<built-in");
            let is_python = !name.starts_with('<');
            let rows = own.iter().filter(|(shown, file, _)| {
                file.is_empty() != is_python
                    && (*shown == plain || is_python && shown.ends_with(&format!(".{plain}")))
            });
            let sum: i64 = rows.map(|(.., count)| count).sum();
            // What ends the measurement is seen by the one that does it.
            let ends = name.contains("disable") || name.contains("Profiler");
            if is_ours && !ends {
                assert_eq!(sum, count, "{}: {name}", interpreter.version);
                compared += 1;
            }
        }
        assert!(compared > 15, "{}: {compared} functions in {counted:?}", interpreter.version);
    }
}

/// Calls beyond the limit are not told, and that is said; what goes on being called costs little.
#[test]
fn a_bounded_trace_says_what_it_left_out() {
    const BOUNDED: &str = r#"
import hotframe
def often():
    return len("a")
def seldom():
    return 1
with hotframe.trace("trace.calls", limit=100):
    for i in range(5000):
        often()
        if i % 100 == 0:
            seldom()
"#;
    for interpreter in interpreters::all() {
        let folder = folder(&format!("bounded-{}", interpreter.minor));
        run(interpreter, &folder, &[], BOUNDED);
        let own: BTreeMap<_, _> =
            functions(&folder, "calls").into_iter().map(|(name, _, count)| (name, count)).collect();
        assert_eq!(
            (own["often"], own["seldom"], own["len"]),
            (100, 50, 100),
            "{}",
            interpreter.version
        );
        let shown = warnings(&folder);
        assert!(shown.contains("often (exact to call 100)"), "{}: {shown}", interpreter.version);
        assert!(!shown.contains("seldom"), "{}: {shown}", interpreter.version);
    }
}

/// A trace may be stopped and another one begun: nothing is left switched off.
#[test]
fn traces_follow_one_another() {
    const TWICE: &str = r#"
import hotframe
def f():
    return 1
@hotframe.trace("trace.calls", limit=10)
def decorated():
    for _ in range(20):
        f()
decorated()
decorated()
with hotframe.trace("trace.calls", limit=None):
    for _ in range(20):
        f()
"#;
    for interpreter in interpreters::all() {
        let folder = folder(&format!("twice-{}", interpreter.minor));
        run(interpreter, &folder, &[], TWICE);
        let own = functions(&folder, "calls");
        let count = |name: &str| -> i64 {
            own.iter().filter(|(shown, ..)| shown == name).map(|(.., count)| count).sum()
        };
        assert_eq!(count("f"), 40, "{}", interpreter.version);
        let _: Value = shown(&folder, &["info", "trace.calls"]);
    }
}

/// Threads may be in the middle of anything when a trace begins or ends.
#[test]
fn traces_begin_and_end_while_threads_run() {
    const OFTEN: &str = r#"
import os, threading
import hotframe
def f(n):
    return n
def load():
    for n in range(2000):
        f(n)
for round in range(30):
    trace = hotframe.trace("trace.calls", limit=50 if round % 2 else None)
    trace.start()
    threads = [threading.Thread(target=load) for _ in range(3)]
    for thread in threads:
        thread.start()
    load()
    trace.stop()
    for thread in threads:
        thread.join()
    if round < 29:
        os.remove("trace.calls")
"#;
    for interpreter in interpreters::some() {
        let folder = folder(&format!("often-{}", interpreter.minor));
        run(interpreter, &folder, &[], OFTEN);
        let own = functions(&folder, "calls");
        let f = own.iter().find(|(name, ..)| name == "f").map(|(.., count)| *count);
        assert_eq!(f, Some(50), "{}", interpreter.version);
    }
}
