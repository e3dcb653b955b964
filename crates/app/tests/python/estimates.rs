//! Functions that were switched off: what samples tell against what the program counts itself.

use std::process::Command;

use serde_json::Value;

use crate::{folder, interpreters, shown, texts, warnings};

/// Calls that are traced of each function.
const LIMIT: u64 = 100;

/// Two functions that one calls by turns, and how long their calls took by the program's own clock: those that
/// are not traced any more, and how many.
const PROGRAM: &str = r#"
import time
clock = time.perf_counter_ns
def spin(end):
    while clock() < end:
        pass
def short(begin):
    s = 0
    while clock() < begin + 150_000:
        s += 1
    return s
def long(begin):
    s = 0
    while clock() < begin + 450_000:
        s += 1
    return s
def parent(calls):
    took = {short: 0, long: 0}
    for number in range(calls):
        for function in (short, long):
            begin = clock()
            function(begin)
            if number >= 100:
                took[function] += clock() - begin
    return took
took = parent(3000)
with open("took", "w") as file:
    print(took[short], took[long], file=file)
"#;

#[test]
fn later_calls_are_estimated_and_the_true_time_is_in_the_interval() {
    for interpreter in interpreters::some() {
        let folder = folder(&format!("estimates-{}", interpreter.minor));
        std::fs::write(folder.join("program.py"), PROGRAM).unwrap();
        let record = |options: &[&str]| {
            let _ = std::fs::remove_file(folder.join("trace.calls"));
            let mut hotframe = Command::new(env!("CARGO_BIN_EXE_hotframe"));
            hotframe.args(["record", "python", "--trace", "-o", "trace.calls"]);
            hotframe.args(["--no-c-functions"]).args(options).arg("--").arg(&interpreter.path);
            hotframe.arg("program.py").current_dir(&folder).env_remove("PYTHONPATH");
            let output = hotframe.output().unwrap();
            assert!(output.status.success(), "{}", texts(&output).1);
        };
        let rows = |metric: &str| {
            let view = ["show", "trace.calls", "--view", "flat", "--metric", metric];
            let rows = shown(&folder, &view)["rows"].clone();
            rows.as_array().unwrap().clone()
        };
        let row = |rows: &[Value], name: &str| {
            rows.iter().find(|row| row["function"] == name).unwrap().clone()
        };
        let mut attempt = 0;
        loop {
            attempt += 1;
            record(&["--limit", &LIMIT.to_string()]);
            let took = std::fs::read_to_string(folder.join("took")).unwrap();
            let took: Vec<f64> = took.split_whitespace().map(|one| one.parse().unwrap()).collect();
            let times = rows("time");
            let mut is_within = true;
            for (name, truth) in ["short", "long"].into_iter().zip(took) {
                let row = row(&times, name);
                let exactness = &row["exactness"];
                assert_eq!(exactness["exact_calls"], LIMIT, "{}: {row}", interpreter.version);
                let of = |key: &str| exactness[key].as_f64().unwrap_or_else(|| panic!("{row}"));
                let (time, half) = (of("estimated_ns"), of("plus_minus_ns"));
                // In one of 20 recordings it is further off than the interval says, in none twice as far.
                // Where other programs keep the sampler from its turns it may be, but not each time.
                let off = (time - truth).abs() / half;
                is_within &= off < 2.0 && half < 0.5 * truth;
                let shown = format!("{} {name}: {time} ± {half}, and {truth}", interpreter.version);
                assert!(off < 2.0 || attempt < 3, "{shown}");
                assert!(half < 0.5 * truth || attempt < 3, "{shown}");
            }
            if is_within {
                break;
            }
        }
        // Nobody counts later calls: there are at least as many as were traced.
        let calls = shown(&folder, &["show", "trace.calls", "--view", "flat", "--metric", "calls"]);
        assert_eq!(calls["metric"]["name"], "calls (at least)");
        for name in ["short", "long"] {
            let counted = row(calls["rows"].as_array().unwrap(), name);
            assert_eq!(counted["self"], LIMIT, "{} {name}", interpreter.version);
        }
        assert!(warnings(&folder).contains("is estimated by samples"));
        record(&["--exact"]);
        let times = rows("time");
        assert!(times.iter().all(|row| row["exactness"].is_null()), "{}", interpreter.version);
        assert_eq!(row(&rows("calls"), "short")["self"], 3000);
    }
}

/// A program that traces itself has no samples, and says so.
#[test]
fn without_a_recorder_later_calls_are_not_measured() {
    let interpreter = interpreters::all().last().unwrap();
    let folder = folder("estimates-none");
    let program = "import hotframe\ndef f():\n    pass\nwith hotframe.trace('trace.calls', limit=5):\n    \
                   for _ in range(9):\n        f()\n";
    std::fs::write(folder.join("program.py"), program).unwrap();
    let mut python = Command::new(&interpreter.path);
    python.arg("program.py").current_dir(&folder).env("PYTHONPATH", crate::package());
    let output = python.output().unwrap();
    assert!(output.status.success(), "{}", texts(&output).1);
    let mut hotframe = Command::new(env!("CARGO_BIN_EXE_hotframe"));
    let show = hotframe.args(["show", "trace.calls", "--view", "flat"]).current_dir(&folder);
    let (out, _) = texts(&show.output().unwrap());
    assert!(out.contains("(exact to call 5, then not measured"), "{out}");
}

/// Stacks change while they are read: no sample may tell of a call that there cannot be.
#[test]
fn a_leaf_calls_nothing_in_samples_either() {
    const LEAF: &str = r#"
import time
def spin():
    end = time.perf_counter() + 0.00002
    while time.perf_counter() < end:
        pass
def down(n):
    if n:
        spin()
        down(n - 1)
until = time.perf_counter() + 2
while time.perf_counter() < until:
    down(50)
"#;
    let interpreter = crate::interpreters::all().last().unwrap();
    let folder = crate::folder("leaf");
    std::fs::write(folder.join("program.py"), LEAF).unwrap();
    let run = |arguments: &[&str]| {
        let mut hotframe = std::process::Command::new(env!("CARGO_BIN_EXE_hotframe"));
        crate::texts(&hotframe.args(arguments).current_dir(&folder).output().unwrap())
    };
    let path = interpreter.path.to_str().unwrap();
    let record = ["record", "python", "--trace", "--no-open", "-o", "leaf.calls"];
    let (_, shown) = run(&[&record[..], &["--", path, "program.py"]].concat());
    let (stacks, err) = run(&["convert", "leaf.calls", "--to", "collapsed", "-o", "-"]);
    assert!(stacks.contains("down;spin"), "{shown}{err}{stacks}");
    assert!(!stacks.contains("spin;down") && !stacks.contains("spin;spin"), "{stacks}");
}
