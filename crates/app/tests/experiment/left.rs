//! What commands leave: files that are read, and folders that are removed.

use std::fs;
use std::path::Path;

use crate::{Trial, children, said, send, until};

const FILE: &str =
    "command = [\"sh\", \"p.sh\"]\nruns = 1\nrecorder = \"file\"\nfile = \"out.gz\"\n";

/// Four gigabytes of stacks in as many megabytes.
const BOMB: &str = "yes 'main;work 1' | head -c 8000000 | gzip > part\n\
                    for i in $(seq 500); do cat part; done > out.gz\n";

/// The process that records a run and reads what it left, and its worker.
fn recorder(runner: u32) -> Option<(u32, u32)> {
    children(runner).into_iter().find_map(|worker| {
        let is_recorder = |&process: &u32| {
            let words = fs::read_to_string(format!("/proc/{process}/cmdline"));
            words.is_ok_and(|words| words.contains("--record-run"))
        };
        Some((worker, children(worker).into_iter().find(is_recorder)?))
    })
}

/// Whether a file of a name stands in a folder or below it.
fn is_there(folder: &Path, name: &str) -> bool {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths = entries.map(|entry| entry.path());
    paths.any(|path| path.ends_with(name) || path.is_dir() && is_there(&path, name))
}

#[test]
fn whoever_reads_what_takes_long_ends_with_its_worker() {
    let trial = Trial::shell("bomb", BOMB, FILE);
    for is_killed in [true, false] {
        let runner = trial.start(&["experiment", "run", "plan.toml", "--lease", "1"]);
        // Where one records, what a killed worker left is gone.
        let work = trial.store.join("work");
        until("reading", || recorder(runner.id()).is_some() && is_there(&work, "run-0"));
        let (worker, recorder) = recorder(runner.id()).unwrap();
        if is_killed {
            send(worker, "-9");
        }
        send(runner.id(), "-INT");
        let output = runner.wait_with_output().unwrap();
        assert!(!output.status.success(), "{}", said(&output));
        for process in [worker, recorder] {
            until("its end", || fs::metadata(format!("/proc/{process}/exe")).is_err());
        }
    }
}

#[test]
fn files_are_below_the_folder_of_the_command() {
    let outside = tempfile::tempdir().unwrap();
    let victim = outside.path().join("victim");
    fs::write(&victim, "main;work 1\n").unwrap();
    let up = format!("../../../../../../../../../../../../../..{}", victim.display());
    for file in [victim.to_str().unwrap(), &up, "folder/../../out.gz"] {
        for isolated in ["", "isolated = true\n"] {
            let plan = FILE.replace("out.gz", file);
            let trial = Trial::shell("outside", "true\n", &format!("{isolated}{plan}"));
            let (ok, told) = trial.experiment(&[]);
            assert!(!ok && told.contains("must not leave it"), "{told}");
            assert_eq!(fs::read_to_string(&victim).unwrap(), "main;work 1\n");
        }
    }
}

/// Its name is not a pattern.
#[test]
fn files_with_odd_names_are_read() {
    for isolated in ["", "isolated = true\n"] {
        let plan = FILE.replace("out.gz", "out[1]*.txt");
        let script = "echo 'main;work 3' > 'out[1]*.txt'; echo 'main;other 5' > out1.txt\n";
        let trial = Trial::shell("odd", script, &format!("{isolated}{plan}"));
        let (ok, told) = trial.experiment(&[]);
        assert!(ok, "{told}");
        assert_eq!(trial.found().names(), ["all #1"]);
    }
}

#[test]
fn folders_that_commands_leave_are_removed_however_deep_they_are() {
    let script = "import os\nfor _ in range(3000):\n    os.mkdir('d')\n    os.chdir('d')\n";
    let plan = "command = [\"python3\", \"p.py\"]\nruns = 1\nrecorder = \"time\"\n";
    let trial = Trial::shell("deep", "", plan);
    trial.write("p.py", script);
    let (ok, told) = trial.experiment(&[]);
    assert!(ok, "{told}");
    let left: Vec<_> = fs::read_dir(trial.store.join("work")).unwrap().collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn a_command_ends_with_what_records_it() {
    // One that is started by this program, and one that py-spy starts.
    let sleeps = "import os, time\nopen(os.environ['LOG'], 'w').write(f'{os.getpid()}\\n')\n\
                  time.sleep(60)\n";
    for (recorder, command) in [("time", "sh p.sh"), ("python", "python3 p.py")] {
        let trial = Trial::shell("orphan", "echo $$ > $LOG; exec sleep 60\n", "");
        trial.write("p.py", sleeps);
        let log = trial.folder.join("log");
        let words: Vec<&str> = command.split(' ').collect();
        let plan = format!(
            "name = \"p\"\nrepeats = 0\ncommand = {words:?}\nruns = 1\nrecorder = {recorder:?}\n\
             environment = {{ LOG = {log:?} }}\n"
        );
        trial.write("plan.toml", &plan);
        ends_with_its_recorder(&trial, &log);
    }
}

fn ends_with_its_recorder(trial: &Trial, log: &Path) {
    let runner = trial.start(&["experiment", "run", "plan.toml"]);
    let command = || fs::read_to_string(log).ok()?.trim().parse::<u32>().ok();
    until("the command", || command().is_some());
    send(recorder(runner.id()).unwrap().1, "-9");
    let told = said(&runner.wait_with_output().unwrap());
    assert!(told.contains("its recorder ended with signal: 9 (SIGKILL)"), "{told}");
    let command = command().unwrap();
    until("its end", || fs::metadata(format!("/proc/{command}/exe")).is_err());
}

#[test]
fn a_command_that_stops_its_recorder_ends_in_its_time() {
    let plan = "command = [\"sh\", \"p.sh\"]\nruns = 1\nrecorder = \"time\"\ntimeout_s = 1\n";
    let script = "trap '' TERM; echo $$ > $LOG; kill -STOP $PPID; while :; do sleep 1; done\n";
    let trial = Trial::shell("stops", script, "");
    let log = trial.folder.join("log");
    let environment = format!("environment = {{ LOG = {log:?} }}\n");
    trial.write("plan.toml", &format!("name = \"p\"\nrepeats = 0\n{plan}{environment}"));
    let (ok, told) = trial.experiment(&[]);
    assert!(!ok && told.contains("longer than 1 s and was ended with its recorder"), "{told}");
    let command = fs::read_to_string(&log).unwrap();
    until("its end", || fs::metadata(format!("/proc/{}/exe", command.trim())).is_err());
}
