//! Processes that start others, and that end in every way there is.

use std::path::Path;

use crate::{folder, functions, interpreters, package, python, run, texts, warnings};

/// `python -m hotframe record` follows what a program starts.
#[test]
fn processes_of_a_program_are_one_trace() {
    const PARENT: &str = r#"
import multiprocessing, os, subprocess, sys, threading
def work(n):
    return sum(abs(i) for i in range(n))
def child(queue):
    queue.put(work(5))
if __name__ == "__main__":
    for method in ("fork", "spawn"):
        context = multiprocessing.get_context(method)
        queue = context.Queue()
        process = context.Process(target=child, args=(queue,))
        process.start()
        queue.get()
        process.join()
    subprocess.check_call([sys.executable, "-c", "def hello(): pass\nhello()"])
    process = os.fork()
    if process == 0:
        work(3)
        os._exit(0)
    os.waitpid(process, 0)
    thread = threading.Thread(target=work, args=(2,))
    thread.start()
    thread.join()
"#;
    for interpreter in interpreters::some() {
        let folder = folder(&format!("processes-{}", interpreter.minor));
        let record = ["-m", "hotframe", "record", "--exact", "-o", "trace.calls"];
        run(interpreter, &folder, &record, PARENT);
        let own = functions(&folder, "calls");
        let count = |name: &str| -> i64 {
            let ours = own.iter().filter(|(_, file, _)| !file.is_empty());
            ours.filter(|(shown, ..)| shown == name).map(|(.., count)| count).sum()
        };
        let shown = (count("work"), count("child"), count("hello"));
        assert_eq!(shown, (4, 2, 1), "{}", interpreter.version);
        let shown = warnings(&folder);
        assert!(!shown.contains("ended from outside"), "{}: {shown}", interpreter.version);
    }
}

/// A killed process leaves what it did up to a moment before.
#[test]
fn what_a_killed_process_did_is_there() {
    const KILLED: &str = r#"
import os, signal, time
import hotframe
def early():
    return 1
hotframe.trace("trace.calls", limit=None).start()
for _ in range(1000):
    early()
time.sleep(0.5)
os.kill(os.getpid(), signal.SIGKILL)
"#;
    for interpreter in interpreters::all() {
        let folder = folder(&format!("killed-{}", interpreter.minor));
        std::fs::write(folder.join("program.py"), KILLED).unwrap();
        let output = python(interpreter, &folder).arg("program.py").output().unwrap();
        assert!(!output.status.success());
        let own = functions(&folder, "calls");
        let early = own.iter().find(|(name, ..)| name == "early").unwrap();
        assert_eq!(early.2, 1000, "{}", interpreter.version);
        let shown = warnings(&folder);
        assert!(shown.contains("was ended from outside"), "{}: {shown}", interpreter.version);
    }
}

/// Whole sections alone are put together, so that what a killed process left ends no other's.
#[test]
fn a_killed_child_spoils_nothing() {
    const PARENT: &str = r#"
import os, signal, subprocess, sys, time
def the_parent():
    return 1
code = "import os, signal, time\ndef the_child(): pass\n[the_child() for _ in range(500)]\ntime.sleep(0.4)\nos.kill(os.getpid(), signal.SIGKILL)"
subprocess.call([sys.executable, "-c", code])
the_parent()
"#;
    for interpreter in interpreters::all() {
        let folder = folder(&format!("killed-child-{}", interpreter.minor));
        run(interpreter, &folder, &["-m", "hotframe", "record", "-o", "trace.calls"], PARENT);
        let own = functions(&folder, "calls");
        let count =
            |name: &str| own.iter().find(|(shown, ..)| shown == name).map(|(.., count)| *count);
        assert_eq!(
            (count("the_parent"), count("the_child")),
            (Some(1), Some(500)),
            "{}",
            interpreter.version
        );
    }
}

/// A disk that is full ends the trace and not the program; what was written is read.
#[test]
fn reports_a_full_disk() {
    const FULL: &str = r#"
import resource
import hotframe
def f(n):
    return n
resource.setrlimit(resource.RLIMIT_FSIZE, (40000, resource.getrlimit(resource.RLIMIT_FSIZE)[1]))
trace = hotframe.trace("trace.calls", limit=None)
trace.start()
for n in range(400000):
    f(n)
try:
    trace.stop()
except OSError as error:
    print("told:", error)
"#;
    for interpreter in interpreters::all() {
        let folder = folder(&format!("full-{}", interpreter.minor));
        let shown = run(interpreter, &folder, &[], FULL);
        assert!(
            shown.contains("told: the trace is not complete"),
            "{}: {shown}",
            interpreter.version
        );
        let shown = warnings(&folder);
        assert!(shown.contains("ends at byte"), "{}: {shown}", interpreter.version);
        let (_, err) = texts(&python(interpreter, &folder).arg("--version").output().unwrap());
        assert_eq!(err, "");
    }
}

/// Calls of functions of the program, of a recording of `hotframe record python`.
fn recorded(folder: &Path, name: &str) -> i64 {
    let own = functions(folder, "calls");
    own.iter().filter(|(shown, file, _)| shown == name && !file.is_empty()).map(|(.., n)| n).sum()
}

/// A pool ends its workers by a signal, at once: what they did is there all the same, in traces and in counts.
#[test]
fn workers_that_a_signal_ends_lose_nothing() {
    const POOLS: &str = r#"
import multiprocessing
def leaf():
    pass
def work(n):
    for _ in range(n):
        leaf()
    return n
if __name__ == "__main__":
    for method in ("fork", "spawn"):
        with multiprocessing.get_context(method).Pool(2) as pool:
            assert sum(pool.map(work, [10] * 10, chunksize=1)) == 100
"#;
    for interpreter in interpreters::some() {
        let folder = folder(&format!("pools-{}", interpreter.minor));
        run(interpreter, &folder, &["-m", "hotframe", "record", "-o", "trace.calls"], POOLS);
        assert_eq!(recorded(&folder, "leaf"), 200, "{}", interpreter.version);
        let shown = warnings(&folder);
        assert!(!shown.contains("ended from outside"), "{}: {shown}", interpreter.version);
        std::fs::remove_file(folder.join("trace.calls")).unwrap();
        // The reader goes by what is inside.
        let counts = ["-m", "hotframe", "record", "--counts", "-o", "trace.calls"];
        run(interpreter, &folder, &counts, POOLS);
        assert_eq!(recorded(&folder, "leaf"), 200, "{}", interpreter.version);
    }
}

/// A process that a signal ends ends by it, and programs that handle the signal do so themselves.
#[test]
fn signals_do_as_they_did() {
    const ENDED: &str = r#"
import os, signal, sys
import hotframe
def handled(*_):
    print("handled", flush=True)
def early():
    pass
if len(sys.argv) > 1:
    signal.signal(signal.SIGTERM, handled)
hotframe.trace("trace.calls", limit=None).start()
early()
os.kill(os.getpid(), signal.SIGTERM)
print("goes on", flush=True)
"#;
    use std::os::unix::process::ExitStatusExt as _;
    for interpreter in interpreters::all() {
        let folder = folder(&format!("signals-{}", interpreter.minor));
        std::fs::write(folder.join("program.py"), ENDED).unwrap();
        let output = python(interpreter, &folder).arg("program.py").output().unwrap();
        let by = output.status.signal().or(output.status.code().map(|code| code - 128));
        assert_eq!((by, texts(&output).0.as_str()), (Some(15), ""), "{}", interpreter.version);
        assert_eq!(recorded(&folder, "early"), 1, "{}", interpreter.version);
        let output = python(interpreter, &folder).args(["program.py", "handles"]).output().unwrap();
        assert!(output.status.success(), "{}", interpreter.version);
        assert_eq!(texts(&output).0, "handled\ngoes on\n", "{}", interpreter.version);
    }
}

/// A process that a thread made by `fork` ends with that thread, and one that becomes another program leaves what
/// it did before.
#[test]
fn forks_of_threads_end_and_programs_follow_each_other() {
    const FORKS: &str = r#"
import os, sys, threading
def inside():
    pass
def before():
    pass
def fork():
    child = os.fork()
    if child == 0:
        inside()
        sys.exit(0)
    os.waitpid(child, 0)
if len(sys.argv) == 1:
    thread = threading.Thread(target=fork)
    thread.start()
    thread.join()
    before()
    try:
        os.execvp("no-program-of-this-name", ["none"])
    except OSError:
        before()
    os.execv(sys.executable, [sys.executable, __file__, "again"])
inside()
"#;
    for interpreter in interpreters::all() {
        let folder = folder(&format!("forks-{}", interpreter.minor));
        let record = ["-W", "ignore", "-m", "hotframe", "record", "-o", "trace.calls"];
        run(interpreter, &folder, &record, FORKS);
        let shown = (recorded(&folder, "inside"), recorded(&folder, "before"));
        assert_eq!(shown, (2, 2), "{}", interpreter.version);
        let shown = warnings(&folder);
        assert!(!shown.contains("ended from outside"), "{}: {shown}", interpreter.version);
        // The tracer's own functions are not part of it.
        let tracer = package().join("hotframe");
        let traced = functions(&folder, "calls");
        assert!(traced.iter().any(|(_, file, _)| file.ends_with("program.py")), "{traced:?}");
        let own = traced.iter().find(|(_, file, _)| Path::new(file).starts_with(&tracer));
        assert_eq!(own, None, "{}", interpreter.version);
    }
}
