//! Counts without a trace, against Python's own profiler.

use std::process::Command;

use serde_json::Value;

use crate::{folder, interpreters, python, run, shown, texts};

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

def even(n):
    return n == 0 or odd(n - 1)

def odd(n):
    return n > 0 and even(n - 1)

def raises(n):
    if n == 0:
        raise KeyError(n)
    try:
        raises(n - 1)
    finally:
        norm(" A ")

def work():
    rows = [{"mail": " User%d@host%d " % (i, i % 7)} for i in range(300)]
    for row in json.loads(json.dumps(rows)):
        parse(row["mail"])
    fact(20)
    even(9)
    odd(4)
    try:
        raises(5)
    except KeyError:
        pass
"#;

/// Prints what differs, and how many figures were compared.
const PROGRAM: &str = r#"
import cProfile, json, os, pstats, time
import hotframe, module
package = os.path.dirname(hotframe.__file__) + os.sep
module.work()
profile = cProfile.Profile()
profile.enable()
module.work()
profile.disable()
start = time.perf_counter()
with hotframe.count("ours.prof"):
    module.work()
took = time.perf_counter() - start
theirs = pstats.Stats(profile).stats
ours = {key[:2]: (key, row) for key, row in pstats.Stats("ours.prof").stats.items() if key[0] != "~"}
wrong, compared = [], 0
for key, (primitive, calls, own, cumulative, callers) in theirs.items():
    if key[0] == "~" or key[0].startswith(package):
        continue
    compared += 1
    if key[:2] not in ours:
        wrong.append(["missing", key])
        continue
    name, row = ours[key[:2]]
    if name[2].rsplit(".", 1)[-1] != key[2]:
        wrong.append(["name", key, name])
    if row[:2] != (primitive, calls):
        wrong.append(["counts", key, row[:2], (primitive, calls)])
    if not 0 <= row[2] <= row[3] <= took:
        wrong.append(["times", key, row[2:4], took])
    pairs = {caller[:2]: figures[:2] for caller, figures in row[4].items() if caller[0] != "~"}
    expected = {caller[:2]: figures[:2] for caller, figures in callers.items() if caller[0] != "~"}
    if pairs != expected:
        wrong.append(["callers", key, str(pairs), str(expected)])
own = sum(row[2] for row in pstats.Stats("ours.prof").stats.values())
work = max(row[3] for key, row in pstats.Stats("ours.prof").stats.items() if key[2] == "work")
print(json.dumps({"wrong": wrong, "compared": compared, "own": own / took, "of_work": own / work}))
"#;

#[test]
fn counts_primitive_calls_and_callers_are_those_of_cprofile() {
    for interpreter in interpreters::all() {
        let folder = folder(&format!("pstats-{}", interpreter.minor));
        std::fs::write(folder.join("module.py"), MODULE).unwrap();
        let out = run(interpreter, &folder, &[], PROGRAM);
        let out: Value = serde_json::from_str(&out).unwrap();
        let version = &interpreter.version;
        assert_eq!(out["wrong"], serde_json::json!([]), "{version}");
        assert!(out["compared"].as_i64().unwrap() >= 12, "{version}: {out}");
        // Own times are all the time of what was called, and none besides.
        let [own, of_work] = ["own", "of_work"].map(|key| out[key].as_f64().unwrap());
        assert!(own <= 1.0 && (0.999..1.2).contains(&of_work), "{version}: {out}");
        // And we read the file as pstats does.
        let view = ["show", "ours.prof", "--view", "flat", "--metric", "primitive calls"];
        let rows = shown(&folder, &[&view[..], &["--limit", "0"]].concat());
        let of = |name: &str| {
            let rows = rows["rows"].as_array().unwrap().iter();
            rows.filter(|row| row["function"].as_str().unwrap().ends_with(name))
                .map(|row| row["self"].as_i64().unwrap())
                .sum::<i64>()
        };
        assert_eq!((of("fact"), of("even"), of("raises")), (1, 2, 1), "{version}");
    }
}

/// A command whose processes are counted together, by the program and by the package.
#[test]
fn processes_of_a_command_are_added_up() {
    const COMMAND: &str = r#"
import subprocess, sys
def ours(n):
    return n
for n in range(30):
    ours(n)
if len(sys.argv) == 1:
    subprocess.check_call([sys.executable, __file__, "child"])
"#;
    let interpreter = interpreters::all().last().unwrap();
    let folder = folder("pstats-command");
    std::fs::write(folder.join("program.py"), COMMAND).unwrap();
    let path = interpreter.path.to_str().unwrap();
    let mut hotframe = Command::new(env!("CARGO_BIN_EXE_hotframe"));
    hotframe.args(["record", "python", "--counts", "--", path, "program.py"]);
    let output = hotframe.current_dir(&folder).env_remove("PYTHONPATH").output().unwrap();
    assert!(output.status.success(), "{}", texts(&output).1);
    let mut package = python(interpreter, &folder);
    package.args(["-m", "hotframe", "record", "--counts", "-o", "package.prof", "program.py"]);
    let output = package.output().unwrap();
    assert!(output.status.success(), "{}", texts(&output).1);
    let mut both = python(interpreter, &folder);
    both.args(["-m", "hotframe", "record", "--counts", "--limit", "5", "program.py"]);
    let (_, err) = texts(&both.output().unwrap());
    assert!(err.contains("--counts counts all calls: leave --exact and --limit out"), "{err}");
    for file in ["program.prof", "package.prof"] {
        let rows = shown(&folder, &["show", file, "--view", "flat", "--metric", "calls"]);
        let rows = rows["rows"].as_array().unwrap();
        let ours = rows.iter().find(|row| row["function"] == "ours").unwrap();
        assert_eq!(ours["self"], 60, "{file}");
    }
}

/// What IPython does with a magic, in so far as it is used.
const SHELL: &str = r#"
import hotframe, os
class Result:
    def __init__(self, error):
        self.error = error
    def raise_error(self):
        if self.error is not None:
            raise self.error
class Shell:
    magics = {}
    names = {}
    def register_magic_function(self, function, magic_kind, magic_name):
        self.magics[magic_kind, magic_name] = function
    def run_cell(self, text):
        try:
            exec(compile(text, "<cell>", "exec"), self.names)
        except Exception as error:
            return Result(error)
        return Result(None)
shell = Shell()
hotframe.load_ipython_extension(shell)
cell = shell.magics["cell", "hotframe"]
cell("", "def f():\n    return 3\nx = f() + f()")
assert shell.names["x"] == 6
cell("--counts -o cell.prof", "f()")
try:
    cell("--exact", "1 / 0")
except ZeroDivisionError:
    print("raised")
try:
    cell("--limt 3", "f()")
except ValueError as error:
    print(error)
cell("--help", "never()")
print(sorted(name for name in os.listdir(".") if name.startswith("cell")))
"#;

#[test]
fn cells_of_notebooks_are_traced() {
    let interpreter = interpreters::all().last().unwrap();
    let folder = folder("magic");
    let out = run(interpreter, &folder, &[], SHELL);
    assert!(out.contains("hotframe: cell.calls (hotframe open cell.calls shows it)"), "{out}");
    assert!(out.contains("raised\n"), "{out}");
    assert!(out.contains("%%hotframe: unrecognized arguments: --limt 3"), "{out}");
    assert!(out.contains("no longer trace a function after so many calls"), "{out}");
    assert!(out.ends_with("['cell-2.calls', 'cell.calls', 'cell.prof']\n"), "{out}");
    let rows = shown(&folder, &["show", "cell.calls", "--view", "flat", "--metric", "calls"]);
    let of = |name: &str| {
        rows["rows"].as_array().unwrap().iter().find(|row| row["function"] == name).cloned()
    };
    assert_eq!(of("f").unwrap()["self"], 2);
}
