//! Programs that run already, and tasks as they are seen from outside.

use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::{folder, functions, interpreters, python, texts};

/// From 3.14 on an interpreter tells where it keeps what.
const TELLS: u32 = 14;

/// A trace of a process that runs, whose main thread waits: begun and ended twice.
#[test]
fn a_process_that_runs_is_traced() {
    const WAITS: &str = r#"
import os, threading
def leaf():
    pass
def step():
    leaf()
    leaf()
def work():
    while not os.path.exists("stop"):
        step()
thread = threading.Thread(target=work)
thread.start()
print(os.getpid(), flush=True)
thread.join()
print("whole")
"#;
    for interpreter in interpreters::all() {
        let folder = folder(&format!("attached-{}", interpreter.minor));
        std::fs::write(folder.join("program.py"), WAITS).unwrap();
        let mut command = python(interpreter, &folder);
        let mut process = command
            .arg("program.py")
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut out = BufReader::new(process.stdout.take().unwrap());
        let mut pid = String::new();
        out.read_line(&mut pid).unwrap();
        for _ in 0..2 {
            let output = attach(&folder, pid.trim(), "300ms");
            if interpreter.minor < TELLS {
                assert!(
                    output.contains("not CPython of 3.14"),
                    "{}: {output}",
                    interpreter.version
                );
                continue;
            }
            let own = functions(&folder, "calls");
            let count = |name: &str| -> i64 {
                let shown = own.iter().filter(|(shown, ..)| shown == name);
                shown.map(|(.., count)| count).sum()
            };
            let (leaf, step) = (count("leaf"), count("step"));
            let is_whole = step > 10 && (leaf - 2 * step).abs() <= 2;
            assert!(is_whole, "{}: {leaf}, {step}: {output}", interpreter.version);
        }
        std::fs::write(folder.join("stop"), "").unwrap();
        let mut rest = String::new();
        out.read_to_string(&mut rest).unwrap();
        let output = process.wait_with_output().unwrap();
        assert_eq!((rest.trim(), &*texts(&output).1), ("whole", ""), "{}", interpreter.version);
    }
}

fn attach(folder: &Path, pid: &str, duration: &str) -> String {
    let asks = ["record", "python", "--trace", "--exact", "--no-open", "-o", "trace.calls"];
    let mut hotframe = Command::new(env!("CARGO_BIN_EXE_hotframe"));
    let hotframe = hotframe.args(asks).args(["--pid", pid, "--duration", duration]);
    texts(&hotframe.current_dir(folder).output().unwrap()).1
}

/// Who waits for the task that runs is around it, where the interpreter tells of tasks.
#[test]
fn tasks_stand_below_those_that_wait_for_them() {
    const TASKS: &str = r#"
import asyncio, time
def work():
    until = time.perf_counter() + 0.005
    while time.perf_counter() < until:
        pass
async def leaf():
    for _ in range(300):
        work()
        await asyncio.sleep(0)
async def middle():
    await asyncio.create_task(leaf(), name="the leaf")
async def main():
    await asyncio.gather(asyncio.create_task(middle()))
asyncio.run(main())
"#;
    for interpreter in interpreters::all() {
        let folder = folder(&format!("sampled-tasks-{}", interpreter.minor));
        std::fs::write(folder.join("program.py"), TASKS).unwrap();
        let run = |arguments: &[&str]| {
            let mut hotframe = Command::new(env!("CARGO_BIN_EXE_hotframe"));
            texts(&hotframe.args(arguments).current_dir(&folder).output().unwrap())
        };
        let path = interpreter.path.to_str().unwrap();
        let record =
            ["record", "python", "--no-open", "-o", "tasks.hotframe", "--", path, "program.py"];
        let (_, shown) = run(&record);
        let (stacks, err) = run(&["convert", "tasks.hotframe", "--to", "collapsed", "-o", "-"]);
        let at_work: Vec<&str> = stacks.lines().filter(|line| line.contains("leaf;work")).collect();
        assert!(!at_work.is_empty(), "{}: {shown}{err}{stacks}", interpreter.version);
        // A stack, and its time.
        let time = |lines: &[&str]| -> u64 {
            let of_line = |line: &&str| line.rsplit(' ').next().unwrap().parse::<u64>().unwrap();
            lines.iter().map(of_line).sum()
        };
        let with_tasks: Vec<&str> =
            at_work.iter().copied().filter(|line| line.contains("main;middle;leaf;work")).collect();
        let is_told = time(&with_tasks) * 10 > time(&at_work) * 9;
        assert_eq!(is_told, interpreter.minor >= TELLS, "{}: {stacks}", interpreter.version);
    }
}
