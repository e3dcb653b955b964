//! What commands leave: files that are read, and folders that are removed.

use std::fs;

use crate::{Trial, children, said, send, until};

const FILE: &str =
    "command = [\"sh\", \"p.sh\"]\nruns = 1\nrecorder = \"file\"\nfile = \"out.gz\"\n";

/// Four gigabytes of stacks in as many megabytes.
const BOMB: &str = "yes 'main;work 1' | head -c 8000000 | gzip > part\n\
                    for i in $(seq 500); do cat part; done > out.gz\n";

/// The process that reads what a run left.
fn reader(runner: u32) -> Option<(u32, u32)> {
    children(runner).into_iter().find_map(|worker| {
        let is_reader = |&process: &u32| {
            let words = fs::read_to_string(format!("/proc/{process}/cmdline"));
            words.is_ok_and(|words| words.contains("--record-run"))
        };
        Some((worker, children(worker).into_iter().find(is_reader)?))
    })
}

#[test]
fn whoever_reads_what_takes_long_ends_with_its_worker() {
    let trial = Trial::shell("bomb", BOMB, FILE);
    for is_killed in [true, false] {
        let runner = trial.start(&["experiment", "run", "plan.toml", "--lease", "1"]);
        until("a reader", || reader(runner.id()).is_some());
        let (worker, reader) = reader(runner.id()).unwrap();
        if is_killed {
            send(worker, "-9");
        }
        send(runner.id(), "-INT");
        let output = runner.wait_with_output().unwrap();
        assert!(!output.status.success(), "{}", said(&output));
        for process in [worker, reader] {
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
            assert!(!ok && told.contains("does not lead out of it"), "{told}");
            assert_eq!(fs::read_to_string(&victim).unwrap(), "main;work 1\n");
        }
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
