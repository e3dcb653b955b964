//! What goes wrong around runs.

use std::fs;
use std::process::Command;

use crate::{Trial, children, lines, said, send, until};

/// Says that it began, and goes on for a while.
const SLOW: &str = "echo $1 >> $LOG\nsleep 0.3\n";

fn slow(test: &str) -> Trial {
    let trial = Trial::shell(test, SLOW, "");
    let log = trial.folder.join("log");
    trial.write(
        "plan.toml",
        &format!(
            "name = \"p\"\nrepeats = 0\ncommand = [\"sh\", \"p.sh\", \"{{size}}\"]\nruns = 3\n\
             recorder = \"time\"\nenvironment = {{ LOG = \"{}\" }}\n[matrix]\nsize = [1, 2]\n",
            log.display()
        ),
    );
    trial
}

#[test]
fn a_worker_that_is_killed_loses_nothing() {
    let trial = slow("killed");
    let log = trial.folder.join("log");
    let runner = trial.start(&["experiment", "run", "plan.toml", "--lease", "1"]);
    for count in [1, 3] {
        until("a run", || lines(&log) >= count);
        for worker in children(runner.id()) {
            send(worker, "-9");
        }
    }
    let output = runner.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", said(&output));
    let found = trial.found();
    found.holds(&["size=1", "size=2"], 3);
    let attempts: Vec<&str> =
        found.names().iter().filter_map(|run| found.fact(run, "attempt")).collect();
    assert!(attempts.iter().any(|&attempt| attempt != "1"), "{attempts:?}");
    assert!(lines(&log) >= 8);
}

/// As batch systems do at the end of a job.
#[test]
fn a_command_that_is_ended_with_its_worker_has_not_failed() {
    let trial = slow("together");
    let log = trial.folder.join("log");
    let runner = trial.start(&["experiment", "run", "plan.toml", "--lease", "1"]);
    until("a run", || lines(&log) >= 2);
    for worker in children(runner.id()) {
        for process in children(worker).into_iter().chain([worker]) {
            send(process, "-TERM");
        }
    }
    let output = runner.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", said(&output));
    trial.found().holds(&["size=1", "size=2"], 3);
}

#[test]
fn a_runner_that_is_stopped_or_killed_is_gone_on_with() {
    let trial = slow("stopped");
    let log = trial.folder.join("log");
    for signal in ["-INT", "-9"] {
        let before = lines(&log);
        let runner = trial.start(&["experiment", "run", "plan.toml", "--lease", "1"]);
        until("a run", || lines(&log) >= before + 2);
        let workers = children(runner.id());
        send(runner.id(), signal);
        let output = runner.wait_with_output().unwrap();
        assert!(!output.status.success(), "{}", said(&output));
        // Its workers end with it.
        until("the end of the worker", || {
            workers.iter().all(|worker| fs::metadata(format!("/proc/{worker}/exe")).is_err())
        });
    }
    let (ok, told) = trial.experiment(&["--lease", "1"]);
    assert!(ok, "{told}");
    trial.found().holds(&["size=1", "size=2"], 3);
}

#[test]
fn one_plan_has_one_runner() {
    let trial = slow("twice");
    let log = trial.folder.join("log");
    let runner = trial.start(&["experiment", "run", "plan.toml"]);
    until("a run", || lines(&log) >= 1);
    let (ok, told) = trial.experiment(&[]);
    assert!(!ok && told.contains("another process runs this experiment"), "{told}");
    assert!(runner.wait_with_output().unwrap().status.success());
    trial.found().holds(&["size=1", "size=2"], 3);
    assert_eq!(lines(&log), 6);
}

#[test]
fn a_plan_that_is_edited_meanwhile_is_run_as_it_was() {
    let trial = slow("edited");
    let log = trial.folder.join("log");
    let runner = trial.start(&["experiment", "run", "plan.toml"]);
    until("a run", || lines(&log) >= 1);
    trial.write("plan.toml", "nonsense");
    trial.write("p.sh", "exit 3\n");
    let output = runner.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", said(&output));
    trial.found().holds(&["size=1", "size=2"], 3);
    assert_eq!(lines(&log), 6);
}

#[test]
fn a_worker_that_is_late_counts_once() {
    let trial = slow("late-writer");
    let log = trial.folder.join("log");
    // Two workers that wait beside the runner's own: the first is held in the middle of a run.
    let runner = trial.start(&["experiment", "run", "plan.toml", "--lease", "0.5"]);
    until("a run", || lines(&log) >= 1);
    let held = children(runner.id());
    held.iter().for_each(|&worker| send(worker, "-STOP"));
    std::thread::sleep(std::time::Duration::from_millis(800));
    held.iter().for_each(|&worker| send(worker, "-CONT"));
    let output = runner.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", said(&output));
    trial.found().holds(&["size=1", "size=2"], 3);
}

/// As root, in a namespace of its own: a store on a disk that is too small.
#[test]
fn a_full_disk_is_reported_and_gone_on_from() {
    let trial = slow("full");
    trial.write("p.sh", "head -c 3000000 /dev/zero > big\necho 'a;b 1' > out.txt\n");
    let plan = fs::read_to_string(trial.path("plan.toml")).unwrap();
    trial.write("plan.toml", &plan.replace("\"time\"", "\"file\"\nfile = \"out.txt\""));
    let store = trial.folder.join("store");
    fs::create_dir_all(&store).unwrap();
    let script = format!(
        "mount -t tmpfs -o size=2m none '{0}' && head -c 1200000 /dev/zero > '{0}/filler' && \
         timeout 8 '{1}' experiment run plan.toml --lease 1; echo ended $?; rm '{0}/filler'; \
         mount -o remount,size=64m '{0}'; timeout 60 '{1}' experiment run plan.toml --lease 1",
        store.display(),
        env!("CARGO_BIN_EXE_hotframe")
    );
    let mut command = Command::new("unshare");
    command.args(["--user", "--map-root-user", "--mount", "sh", "-c", &script]);
    command.env("HOTFRAME_STORE", &store).current_dir(trial.folder.join("plan"));
    let output = command.output().unwrap();
    let told = said(&output);
    if told.contains("unshare:") || told.contains("mount:") {
        eprintln!("left out: a small disk cannot be made here: {told}");
        assert!(std::env::var_os("CI").is_none(), "{told}");
        return;
    }
    assert!(output.status.success(), "{told}");
    trial.found().holds(&["size=1", "size=2"], 3);
}
