//! `hotframe record python`, against the Python of this machine. Shares are compared and not times,
//! so that a busy machine changes nothing.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::{json, names, texts};

/// A Python, if there is one whose stacks may be read; where the project wants it to, there must.
fn python() -> Option<PathBuf> {
    let mut find = Command::new("python3");
    find.args(["-c", "import sys, os; print(os.path.realpath(sys.executable))"]);
    let found = find.output().ok().filter(|output| output.status.success());
    let path = found.map(|output| PathBuf::from(texts(&output).0.trim()));
    let is_wanted = std::env::var_os("HOTFRAME_PYTHON").is_some();
    assert!(path.is_some() || !is_wanted, "there is no python3, and the project wants one");
    if path.is_none() {
        eprintln!("not checked: there is no python3 on this machine");
    }
    path
}

/// A folder with a program.
struct Place {
    folder: TempDir,
    python: PathBuf,
}

impl Place {
    fn with(program: &str) -> Option<Place> {
        let place = Place { folder: tempfile::tempdir().unwrap(), python: python()? };
        fs::write(place.file("prog.py"), program).unwrap();
        Some(place)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// `hotframe record python OPTIONS`.
    fn record(&self, options: &[&str]) -> Command {
        let mut command = hotframe(&["record", "python"]);
        command.args(options).current_dir(self.folder.path()).stdin(Stdio::null());
        command
    }

    /// The same of the program, which runs to its end.
    fn record_program(&self, options: &[&str]) -> Output {
        let mut command = self.record(options);
        command.arg("--").arg(&self.python).arg("prog.py").output().unwrap()
    }

    fn start_program(&self) -> Child {
        let mut command = Command::new(&self.python);
        command.arg("prog.py").current_dir(self.folder.path()).stdout(Stdio::null());
        let child = command.spawn().unwrap();
        wait_until("the program does not start", || self.file("ready").exists());
        child
    }

    /// The only run.
    fn run(&self) -> serde_json::Value {
        json(&self.file("prog.hotframe.json"))["experiments"][0]["runs"][0].clone()
    }

    /// Self values of functions by a metric.
    fn functions(&self, metric: &str) -> Vec<(String, f64)> {
        let shown = show(&self.file("prog.hotframe"), &["--metric", metric, "--limit", "0"]);
        let rows = shown["rows"].as_array().unwrap().iter();
        let row = |row: &serde_json::Value| {
            (row["function"].as_str().unwrap().to_owned(), row["self"].as_f64().unwrap())
        };
        rows.map(row).collect()
    }
}

fn hotframe(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hotframe"));
    command.args(arguments);
    command
}

fn show(file: &Path, options: &[&str]) -> serde_json::Value {
    let output = hotframe(&["show", "--format", "json"]).args(options).arg(file).output().unwrap();
    let (out, err) = texts(&output);
    assert!(output.status.success(), "{err}");
    serde_json::from_str(&out).unwrap()
}

fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < Duration::from_secs(60), "{what}");
        thread::sleep(Duration::from_millis(20));
    }
}

#[track_caller]
fn succeeded(output: &Output) -> String {
    let (_, err) = texts(output);
    assert!(output.status.success(), "{err}");
    assert!(!err.contains("panicked"), "{err}");
    err
}

/// Spends its time in two functions, and writes down how much in each, waiting for a processor too:
/// samples are of that time. Calls are long, so that what is between them does not count.
const SPLIT: &str = "
import time
def work(steps):
    total = 0
    for step in range(steps):
        total += step * step
    return total
def often():
    work(140000)
def seldom():
    work(60000)
spent = [0.0, 0.0]
start = time.process_time()
while time.process_time() - start < 2.5:
    for place, function in enumerate([often, seldom]):
        before = time.perf_counter()
        function()
        spent[place] += time.perf_counter() - before
open('split', 'w').write(str(spent[0] / sum(spent)))
";

#[test]
fn shares_of_functions_are_what_the_program_measures_itself() {
    for pause in ["never", "always"] {
        let Some(place) = Place::with(SPLIT) else { return };
        succeeded(&place.record_program(&["--pause", pause, "-F", "499"]));
        let shown = show(&place.file("prog.hotframe"), &["--metric", "samples", "--limit", "0"]);
        let rows = shown["rows"].as_array().unwrap();
        let total = |name: &str| {
            let row = rows.iter().find(|row| row["function"] == name);
            row.map_or(0.0, |row| row["total"].as_f64().unwrap())
        };
        let (often, seldom) = (total("often"), total("seldom"));
        let samples = often + seldom;
        assert!(samples > 100.0, "{samples} samples");
        let wanted: f64 = fs::read_to_string(place.file("split")).unwrap().parse().unwrap();
        let found = often / samples;
        // Four standard errors of a share: once in 16,000 runs by chance. A sample each period has
        // less than that, but on a busy machine samples are late together.
        let error = 4.0 * (wanted * (1.0 - wanted) / samples).sqrt() + 0.02;
        assert!((found - wanted).abs() < error, "{pause}: {found} {wanted} {samples}");
        // All that was taken is in the file, which says how.
        let run = place.run();
        assert_eq!(shown["total"].as_u64(), run["holds"]["samples"]["wall time"].as_u64());
        let info = texts(&hotframe(&["info"]).arg(place.file("prog.hotframe")).output().unwrap()).0;
        let told =
            if pause == "never" { "on the program's processor" } else { "was stopped while" };
        for words in ["are estimates", "499 samples a second were requested", "late by", told] {
            assert!(info.contains(words), "no '{words}' in {info}");
        }
        // `prog.hotframe*` names the manifest, too, which tells of the recording.
        let [file, manifest] = ["prog.hotframe", "prog.hotframe.json"].map(|name| place.file(name));
        let both =
            show(&file, &["--metric", "samples", "--limit", "0", manifest.to_str().unwrap()]);
        assert_eq!(both["total"], shown["total"]);
        assert_eq!(both["rows"].as_array().unwrap().len(), rows.len());
        assert!(both["warnings"].to_string().contains("is read once"), "{}", both["warnings"]);
        let twice = show(&file, &["--metric", "samples", file.to_str().unwrap()]);
        assert_eq!(twice["total"].as_u64(), shown["total"].as_u64().map(|total| 2 * total));
        assert!(twice["warnings"].to_string().contains("counts twice"), "{}", twice["warnings"]);
    }
}

#[test]
fn threads_have_names_states_and_the_lock_that_they_hold() {
    let program = "
import threading, time
end = time.monotonic() + 1.5
def busy():
    while time.monotonic() < end:
        sum(range(10000))
def idle():
    time.sleep(1.5)
threads = [threading.Thread(target=busy, name='worker'), threading.Thread(target=idle, name='sleeper')]
for thread in threads: thread.start()
for thread in threads: thread.join()
";
    let Some(place) = Place::with(program) else { return };
    succeeded(&place.record_program(&["--pause", "never"]));
    let total = |thread: &str, metric: &str| {
        let filter = format!("thread=^{thread}");
        let options = ["--metric", metric, "--label-focus", &filter, "--limit", "0"];
        let shown = show(&place.file("prog.hotframe"), &options);
        let rows = shown["rows"].as_array().unwrap().iter();
        rows.map(|row| row["self"].as_f64().unwrap()).sum::<f64>()
    };
    let share = |thread: &str, metric: &str| total(thread, metric) / total(thread, "wall time");
    // Processors are others' as well; the worker has all that the program gets.
    assert!(total("worker", "CPU time") > 10.0 * total("sleeper", "CPU time"));
    assert!(total("worker", "CPU time") > 1e7, "{}", total("worker", "CPU time"));
    // Who is put to sleep in between holds it as long as the machine likes.
    assert!(share("worker", "GIL time") > 0.5, "{}", share("worker", "GIL time"));
    assert!(share("sleeper", "CPU time") < 0.2, "{}", share("sleeper", "CPU time"));
    assert!(share("sleeper", "GIL time") < 0.1, "{}", share("sleeper", "GIL time"));
    // What waits takes next to no room.
    let points = |thread: &str| {
        let filter = format!("thread=^{thread}");
        let options = ["--label-focus", &*filter, "--view", "flat"];
        show(&place.file("prog.hotframe"), &options)["rows"].as_array().unwrap().len()
    };
    assert!(points("sleeper") < 20);
}

/// What keeps processors busy until it is dropped.
struct Load(Vec<Child>);

impl Load {
    fn new(programs: usize) -> Load {
        let spin = |_| Command::new("sh").args(["-c", "while :; do :; done"]).spawn().unwrap();
        Load((0..programs).map(spin).collect())
    }
}

impl Drop for Load {
    fn drop(&mut self) {
        for child in &mut self.0 {
            child.kill().unwrap();
            child.wait().unwrap();
        }
    }
}

/// Two threads share the interpreter's lock for all of the time; the main one waits for them.
const SHARED_LOCK: &str = "
import threading, time
def burn():
    end = time.perf_counter() + 2
    while time.perf_counter() < end:
        sum(number for number in range(500))
threads = [threading.Thread(target=burn) for _ in range(2)]
for thread in threads: thread.start()
for thread in threads: thread.join()
";

#[test]
fn sums_are_those_of_the_clock_and_of_the_kernel_on_a_busy_machine_too() {
    for programs in [0, 8] {
        let Some(place) = Place::with(SHARED_LOCK) else { return };
        let load = Load::new(programs);
        succeeded(&place.record_program(&[]));
        drop(load);
        let course = place.run()["course"].clone();
        let sum = |metric: &str, options: &[&str]| {
            let options = [&["--metric", metric, "--limit", "0"], options].concat();
            let shown = show(&place.file("prog.hotframe"), &options);
            let rows = shown["rows"].as_array().unwrap().iter();
            rows.map(|row| row["self"].as_f64().unwrap()).sum::<f64>()
        };
        let close = |found: f64, wanted: f64, what: &str| {
            assert!((found / wanted - 1.0).abs() < 0.02, "{programs} {what}: {found} {wanted}");
        };
        close(sum("CPU time", &[]), course["cpu_ns"].as_f64().unwrap(), "CPU time");
        // The first thread is there from the beginning to the end.
        let main = sum("wall time", &["--label-focus", "thread=^MainThread"]);
        assert_eq!(Some(main), course["duration_ns"].as_f64(), "{programs}");
        let lost = sum("wall time", &["--label-focus", "state=not observed"]);
        let lock = sum("GIL time", &["--label-focus", "GIL=held"]);
        // One of the two threads holds it in these two seconds, seen or not.
        assert!(lock + lost > 1.6e9 && lock <= main, "{programs}: {lock}, {lost} not observed");
        let all = sum("wall time", &[]);
        // How often the sampler gets a processor is up to the machine where others want it, as other tests do.
        let most = if programs == 0 { 0.3 } else { 0.6 };
        assert!(lost < most * all, "{programs}: {lost} of {all} is not observed");
    }
}

/// Functions that call each other in two ways only, and never rest.
const FLUTTER: &str = "
import time
def leaf_a(): return sum(range(50))
def leaf_b(): return sum(range(50))
def hot_a(): return leaf_a()
def hot_b(): return leaf_b()
end = time.monotonic() + 4
while time.monotonic() < end:
    for _ in range(1000):
        hot_a(); hot_b()
";

#[test]
fn no_stack_is_a_mixture_of_two() {
    for pause in ["auto", "never", "always"] {
        let Some(place) = Place::with(FLUTTER) else { return };
        succeeded(&place.record_program(&["-F", "5000", "--pause", pause]));
        let folded = place.file("prog.folded");
        let mut convert = hotframe(&["convert", "--metric", "samples", "-o"]);
        let converted = convert.arg(&folded).arg(place.file("prog.hotframe")).output().unwrap();
        assert!(converted.status.success(), "{}", texts(&converted).1);
        let text = fs::read_to_string(&folded).unwrap();
        let stacks = text.lines().filter_map(|line| {
            let (stack, samples) = line.rsplit_once(' ')?;
            Some((stack.split(';').collect::<Vec<_>>(), samples.parse::<u64>().unwrap()))
        });
        let mut good = 0;
        for (stack, samples) in stacks {
            let Some(at) =
                stack.iter().position(|name| name.starts_with("hot_") || name.starts_with("leaf_"))
            else {
                continue;
            };
            let is_possible = matches!(
                stack[at..],
                ["hot_a"] | ["hot_b"] | ["hot_a", "leaf_a"] | ["hot_b", "leaf_b"]
            );
            assert!(is_possible && at == 1, "{pause}: {samples} of {stack:?}");
            good += samples;
        }
        // How many there are is up to the machine.
        assert!(good > 200, "{pause}: {good} samples");
    }
}

#[test]
fn processes_that_are_started_are_sampled_too() {
    let program = "
import subprocess, sys
code = 'def below():\\n for i in range(60): sum(range(200000))\\nbelow()'
subprocess.run(['sh', '-c', f'\"{sys.executable}\" -c \"{code}\"; exit 0'])
";
    let Some(place) = Place::with(program) else { return };
    succeeded(&place.record_program(&["--pause", "never"]));
    let has_below = |place: &Place| {
        place
            .functions("samples")
            .iter()
            .any(|(function, samples)| function == "below" && *samples > 10.0)
    };
    assert!(has_below(&place));
    succeeded(&place.record_program(&["--pause", "never", "--no-children", "-o", "prog.hotframe"]));
    assert!(!has_below(&place));
}

/// Tells that it is there, and does something for long.
const ENDLESS: &str = "
import time
def forever():
    end = time.monotonic() + 100
    while time.monotonic() < end:
        sum(range(1000))
open('ready', 'w').close()
forever()
";

#[test]
fn a_process_that_held_another_one_is_sampled_once_it_is_python() {
    let Some(place) = Place::with(SPLIT) else { return };
    // As what isolates is found between `fork` and `exec`.
    fs::copy("/bin/sh", place.file("bwrap")).unwrap();
    let python = place.python.display();
    let script = format!("(sleep 0.3; exec {python} prog.py); exit $?");
    let mut record = place.record(&["-o", "prog.hotframe"]);
    let recorded = record.arg("--").arg("./bwrap").args(["-c", &script]).output().unwrap();
    let told = succeeded(&recorded);
    assert!(!told.contains("left out"), "{told}");
    assert!(place.functions("samples").iter().any(|(name, _)| name.contains("work")), "{told}");
}

#[test]
fn a_process_that_runs_is_recorded_for_a_while_and_goes_on() {
    let Some(place) = Place::with(ENDLESS) else { return };
    let mut program = place.start_program();
    let pid = program.id().to_string();
    for pause in ["never", "always"] {
        let options =
            ["--pid", &pid, "--duration", "700ms", "--pause", pause, "-o", "prog.hotframe"];
        succeeded(&place.record(&options).output().unwrap());
        assert!(program.try_wait().unwrap().is_none(), "the program has ended");
        assert!(place.functions("samples").iter().any(|(function, _)| function == "forever"));
        assert!(place.run()["status"].is_null());
    }
    program.kill().unwrap();
    program.wait().unwrap();
}

#[test]
fn what_was_recorded_of_a_program_that_is_killed_stays() {
    let Some(place) = Place::with(ENDLESS) else { return };
    for pause in ["never", "always"] {
        // A busy machine takes longer to begin, and says that nothing was recorded.
        let recorded = [1200, 5000, 20_000].into_iter().any(|milliseconds| {
            let _ = fs::remove_file(place.file("ready"));
            let mut program = place.start_program();
            let pid = program.id().to_string();
            let mut recording = place
                .record(&["--pid", &pid, "--pause", pause, "-o", "prog.hotframe"])
                .spawn()
                .unwrap();
            thread::sleep(Duration::from_millis(milliseconds));
            program.kill().unwrap();
            program.wait().unwrap();
            recording.wait().unwrap().success()
        });
        assert!(recorded, "nothing is recorded in 20 s");
        assert!(place.functions("samples").iter().any(|(function, _)| function == "forever"));
    }
}

#[test]
fn the_end_of_a_command_is_passed_on_with_its_samples() {
    let program = "
import os, signal
for i in range(300): sum(range(100000))
os.kill(os.getpid(), signal.SIGKILL)
";
    let Some(place) = Place::with(program) else { return };
    let output = place.record_program(&["--pause", "never", "-o", "prog.hotframe"]);
    let (_, err) = texts(&output);
    assert_eq!(output.status.code(), Some(137), "{err}");
    assert_eq!(place.run()["status"]["signal"], 9);
    assert!(place.run()["holds"]["samples"]["wall time"].as_u64() > Some(5), "{err}");
}

#[test]
fn a_command_that_takes_its_time_is_ended_when_that_is_over() {
    let Some(place) = Place::with(ENDLESS) else { return };
    let start = Instant::now();
    succeeded(&place.record_program(&["--duration", "1s"]));
    assert!(start.elapsed() < Duration::from_secs(60));
    assert!(place.run()["course"].get("is_stopped").is_none());
}

#[test]
fn reports_what_cannot_be_recorded_with_what_to_do() {
    let Some(place) = Place::with("") else { return };
    let refused = |command: &mut Command, words: &[&str]| {
        let output = command.output().unwrap();
        let (_, err) = texts(&output);
        assert_eq!(output.status.code(), Some(1), "{err}");
        words.iter().for_each(|word| assert!(err.contains(word), "no '{word}' in {err}"));
    };
    let mut ends = place.record(&["--"]);
    refused(ends.args(["sh", "-c", ":"]), &["nothing was recorded", "ended with code 0"]);
    let mut other = place.record(&["--"]);
    refused(other.args(["sleep", "0.5"]), &["it is not Python", "hotframe record PROGRAM"]);
    let mut sleep = Command::new("sleep").arg("60").spawn().unwrap();
    let pid = sleep.id().to_string();
    refused(&mut place.record(&["--pid", &pid]), &["(sleep 60) is not Python", "pgrep"]);
    sleep.kill().unwrap();
    sleep.wait().unwrap();
    refused(&mut place.record(&["--pid", "4194304"]), &["there is no process 4194304"]);
    assert_eq!(names(place.folder.path()), ["prog.py"]);
}
