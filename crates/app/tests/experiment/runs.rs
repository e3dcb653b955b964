//! Plans that run as they should.

use std::fs;

use crate::{Trial, lines};

const PLAN: &str = "command = [\"sh\", \"p.sh\", \"{size}\"]\nruns = 3\nrecorder = \"time\"\n\
                    [matrix]\nsize = [1, 2]\n";

#[test]
fn every_run_is_in_the_result_and_none_is_made_twice() {
    let trial = Trial::shell("once", "echo $1 >> $LOG\n", PLAN);
    let log = trial.folder.join("log");
    let plan = format!("{}[matrix.environment]\nLOG = [\"{}\"]\n", PLAN, log.display());
    trial.write("plan.toml", &format!("name = \"p\"\nrepeats = 0\n{plan}"));
    let (ok, told) = trial.experiment(&[]);
    assert!(ok && told.contains("has 6 runs; 6 were requested"), "{told}");
    // Cells take turns: each of them once in every round, and the second round goes backwards.
    let order = fs::read_to_string(&log).unwrap().replace('\n', "");
    assert!(["122112", "122121"].contains(&order.as_str()), "{order}");
    let log_of = format!("LOG={}", log.display());
    let cells = ["1", "2"].map(|size| format!("size={size} {log_of}"));
    let cells = [cells[0].as_str(), &cells[1]];
    trial.found().holds(&cells, 3);
    let (ok, told) = trial.experiment(&[]);
    assert!(ok && lines(&log) == 6, "{told}");
    // More runs are added to those that are there.
    trial.write(
        "plan.toml",
        &format!("name = \"p\"\nrepeats = 0\n{}", plan.replace("runs = 3", "runs = 4")),
    );
    assert!(trial.experiment(&[]).0);
    assert_eq!(lines(&log), 8);
    let found = trial.found();
    found.holds(&cells, 4);
    let run = format!("{} #2", cells[0]);
    let wall: i64 = found.fact(&run, "wall time").unwrap().parse().unwrap();
    assert!((1..20_000_000_000).contains(&wall), "{wall}");
    for (name, value) in [("size", "1"), ("run", "2"), ("exit code", "0"), ("attempt", "1")] {
        assert_eq!(found.fact(&run, name), Some(value), "{name}");
    }
    for name in ["kernel", "host", "load before", "job", "command", "worker"] {
        assert!(found.fact(&run, name).is_some(), "{name}");
    }
    // Every run knows what else the machine did, where the kernel tells.
    if fs::read_to_string("/proc/stat").is_ok_and(|text| text.starts_with("cpu ")) {
        let runnable: u64 = found.fact(&run, "runnable before").unwrap().parse().unwrap();
        assert!(runnable < 1_000_000, "{runnable}");
    }
    assert!(found.profile.origin.comments[0].contains("runs = 4"));
    let (ok, told) = trial.experiment(&["--again"]);
    assert!(ok && lines(&log) == 16, "{told}");
    assert_eq!(trial.found().runs.len(), 16);
}

/// A neighbour that is there for as long as the run, and of which the run waits until it has had a
/// third of a second on processors.
#[test]
fn a_busy_neighbour_is_seen_as_other_programs() {
    let script = "ticks() { set -- $(cat /proc/$BUSY/stat); echo ${14}; }\n\
                  end=$(($(ticks) + 33))\n\
                  while [ $(ticks) -lt $end ]; do sleep 0.05; done\n";
    let trial = Trial::new("neighbour");
    trial.write("p.sh", script);
    let mut busy =
        std::process::Command::new("sh").args(["-c", "while :; do :; done"]).spawn().unwrap();
    let plan = format!(
        "name = \"p\"\nrepeats = 0\ncommand = [\"sh\", \"p.sh\"]\nrecorder = \"time\"\n\
         environment = {{ BUSY = \"{}\" }}\n",
        busy.id()
    );
    trial.write("plan.toml", &plan);
    let (ok, told) = trial.experiment(&[]);
    busy.kill().unwrap();
    busy.wait().unwrap();
    assert!(ok, "{told}");
    let found = trial.found();
    let number = |name: &str| -> u64 { found.fact("all #1", name).unwrap().parse().unwrap() };
    // The kernel keeps its accounts by samples: half of it is seen at the very least.
    let others = number("other programs' processor time");
    assert!(others >= 165_000_000, "{others}");
    assert!(others <= number("machine's processor time") + 60_000_000, "{others}");
    assert!(found.fact("all #1", "stolen processor time").is_some());
}

#[test]
fn a_failed_run_is_reported_and_the_others_go_on() {
    let script = "echo something is wrong >&2\n[ $1 = 1 ] || exit 7\n";
    let trial = Trial::shell("fails", script, PLAN);
    let (ok, told) = trial.experiment(&[]);
    assert!(!ok && told.contains("size=2 #1 failed: it ended with code 7"), "{told}");
    let found = trial.found();
    found.holds(&["size=1", "size=2"], 3);
    assert_eq!(found.fact("size=1 #1", "failure"), None);
    assert_eq!(found.fact("size=2 #1", "failure"), Some("user"));
    assert_eq!(found.fact("size=2 #1", "failed"), Some("it ended with code 7"));
    assert_eq!(found.fact("size=2 #1", "output"), Some("something is wrong\n"));
    let status = crate::said(&trial.run(&["experiment", "status", "plan.toml"]));
    assert!(
        status.contains("3 done, 3 failed") && status.contains("ended with code 7"),
        "{status}"
    );
    let json = trial.run(&["experiment", "status", "plan.toml", "--format", "json"]);
    let json: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!((json["done"].as_i64(), json["failed"].as_i64()), (Some(3), Some(3)));
    assert_eq!(json["rows"].as_array().unwrap().len(), 6);
}

/// Bounds are not part of what a run is: only what they ended is run again under others.
#[test]
fn other_bounds_run_what_they_ended_again() {
    let plan = format!("timeout_s = 1\n{PLAN}").replace("runs = 3", "runs = 1");
    let trial = Trial::shell("bounds", "echo $1 >> \"$LOG\"; [ $1 = 1 ] || sleep 2\n", &plan);
    let log = trial.folder.join("log");
    let plan = format!("{plan}[matrix.environment]\nLOG = [\"{}\"]\n", log.display());
    let run = |plan: &str| {
        trial.write("plan.toml", &format!("name = \"p\"\nrepeats = 0\n{plan}"));
        trial.experiment(&[])
    };
    let (ok, told) = run(&plan);
    assert!(!ok && told.contains("#1 failed: it took longer than 1 s"), "{told}");
    assert_eq!(fs::read_to_string(&log).unwrap(), "1\n2\n");
    let longer = plan.replace("timeout_s = 1", "timeout_s = 60\nlimits = { processes = 9 }");
    let (ok, told) = run(&longer.replace("repeats = 0", "repeats = 1"));
    assert!(ok, "{told}");
    assert_eq!(fs::read_to_string(&log).unwrap(), "1\n2\n2\n");
    // What ended well since is what counts, whatever the bound becomes.
    for bound in ["60", "7", "1", "0.5"] {
        let (ok, told) = run(&longer.replace("timeout_s = 60", &format!("timeout_s = {bound}")));
        assert!(ok && lines(&log) == 3, "{bound}: {told}");
    }
    assert_eq!(trial.found().runs.len(), 3);
}

/// The kernel counts the memory of who starts a program as the program's own.
#[test]
fn memory_that_is_reported_is_that_of_the_program() {
    let script = "import sys\nlarge = b'x' * (int(sys.argv[1]) << 20)\n";
    let trial = Trial::new("memory");
    trial.write("p.py", script);
    trial.write(
        "plan.toml",
        "name = \"p\"\nrepeats = 0\ncommand = [\"python3\", \"-S\", \"p.py\", \"{size}\"]\nruns = 1\n\
         recorder = \"time\"\n[matrix]\nsize = [0, 200, 300]\n",
    );
    let (ok, told) = trial.experiment(&[]);
    assert!(ok, "{told}");
    let found = trial.found();
    let peak = |size: u32| -> Option<u64> {
        found.fact(&format!("size={size} #1"), "peak memory").map(|bytes| bytes.parse().unwrap())
    };
    let (less, more) = (peak(200).unwrap(), peak(300).unwrap());
    assert!((200 << 20..240 << 20).contains(&less), "{less}");
    assert!((95 << 20..105 << 20).contains(&(more - less)), "{less} {more}");
    // `python3 -S` has some 10 MB; where a worker has more, nothing is told.
    let interpreter = less - (200 << 20);
    assert!(peak(0).is_none_or(|bytes| bytes < interpreter + (4 << 20)), "{:?}", peak(0));
}

#[test]
fn builds_of_environments_are_no_runs() {
    let trial = Trial::shell("built", "", "");
    trial.write("p.py", "print(1)\n");
    trial.write(
        "plan.toml",
        "name = \"p\"\nrepeats = 0\ncommand = [\"python3\", \"p.py\"]\nruns = 2\n\
         recorder = \"time\"\n[matrix]\ninterpreter = [\"/usr/bin/python3\"]\n",
    );
    let (ok, told) = trial.experiment(&[]);
    assert!(ok, "{told}");
    let status = crate::said(&trial.run(&["experiment", "status", "plan.toml"]));
    assert!(status.contains(" 2 done, 0 failed"), "{status}");
    assert!(status.contains("environments: 1 built"), "{status}");
    let plan = crate::said(&trial.run(&["experiment", "plan", "plan.toml"]));
    assert!(plan.contains("is not in git"), "{plan}");
    trial.write(
        "plan.toml",
        "name = \"p\"\ncommand = [\"python3\", \"p.py\"]\n[source]\nfiles = [\"p.py\"]\n",
    );
    let plan = crate::said(&trial.run(&["experiment", "plan", "plan.toml"]));
    assert!(plan.contains("1 runs") && !plan.contains("is not in git"), "{plan}");
}

/// A large program takes a while to end, and who holds it for a sample then is told of its end.
#[test]
fn reports_how_a_sampled_program_ended() {
    let trial = Trial::new("ends");
    trial.write(
        "p.py",
        "import sys\nprint('so far')\nlarge = b'x' * 400_000_000\nfor i in range(4_000_000): pass\nsys.exit(3)\n",
    );
    trial.write(
        "plan.toml",
        "name = \"p\"\nrepeats = 0\ncommand = [\"python3\", \"p.py\"]\nruns = 8\n\
         recorder = \"python\"\n[python]\npausing = \"always\"\n",
    );
    let (ok, told) = trial.experiment(&[]);
    assert!(!ok, "{told}");
    let found = trial.found();
    let runs = found.names();
    assert_eq!(runs.len(), 8);
    for run in runs {
        // On a busy machine it may end before it is read.
        let failed = found.fact(run, "failed").unwrap();
        assert!(failed.contains("ended with code 3"), "{run}: {failed}");
        assert_eq!(found.fact(run, "output"), Some("so far\n"));
        if let Some(cpu) = found.fact(run, "processor time") {
            assert!(cpu.parse::<u64>().unwrap() > 50_000_000, "{run}: {cpu}");
        }
    }
}

/// Who is held does not wait for a thread that cannot be held.
#[test]
fn a_program_that_waits_for_itself_while_it_starts_another_goes_on() {
    // What is started opens a pipe before it is a program, and the main thread opens the other end.
    const WAITS: &str = r#"
import ctypes, os, threading, time
os.mkfifo("pipe")
libc = ctypes.CDLL(None)
actions = ctypes.create_string_buffer(512)
libc.posix_spawn_file_actions_init(actions)
libc.posix_spawn_file_actions_addopen(actions, 0, b"pipe", os.O_RDONLY, 0)
def start():
    words = (ctypes.c_char_p * 2)(b"cat", None)
    libc.posix_spawn(ctypes.byref(ctypes.c_int()), b"/bin/cat", actions, None, words, None)
time.sleep(0.5)
thread = threading.Thread(target=start)
thread.start()
end = time.monotonic() + 1
while time.monotonic() < end:
    sum(range(1000))
os.close(os.open("pipe", os.O_WRONLY))
thread.join()
"#;
    let trial = Trial::shell("waits", "", "");
    trial.write("p.py", WAITS);
    // Some looks come just when it begins to wait.
    trial.write(
        "plan.toml",
        "name = \"p\"\nrepeats = 0\ncommand = [\"python3\", \"p.py\"]\nruns = 1\n\
         recorder = \"python\"\ntimeout_s = 20\n[python]\npausing = \"always\"\nfrequency = 999\n",
    );
    let (ok, told) = trial.experiment(&[]);
    assert!(ok, "{told}");
}

#[test]
fn what_takes_too_long_is_ended() {
    let plan = "command = [\"sh\", \"p.sh\"]\nruns = 1\nrecorder = \"time\"\ntimeout_s = 0.5\n";
    let trial = Trial::shell("late", "trap '' TERM INT\nsleep 60 & wait; sleep 60 & wait\n", plan);
    let (ok, told) = trial.experiment(&[]);
    assert!(!ok && told.contains("all #1 failed: it took longer than 0.5 s"), "{told}");
    assert_eq!(trial.found().fact("all #1", "failure"), Some("timeout"));
}

#[test]
fn files_that_commands_leave_are_read() {
    let script = "printf 'main;work %s\\n' $1 > out.txt\n";
    let plan = PLAN.replace("\"time\"", "\"file\"\nfile = \"out.txt\"");
    let trial = Trial::shell("left", script, &plan);
    let (ok, told) = trial.experiment(&[]);
    assert!(ok, "{told}");
    let found = trial.found();
    found.holds(&["size=1", "size=2"], 3);
    assert_eq!(found.profile.metric_total(profile::MetricId(0)).0, 9);
    // What the command leaves is not the user's folder.
    assert!(!trial.path("out.txt").exists());
}

#[test]
fn commits_of_a_project_are_run_as_they_were() {
    let plan = "command = [\"sh\", \"p.sh\"]\nruns = 1\nrecorder = \"file\"\nfile = \"out.txt\"\n\
                [matrix]\nrevision = [\"one\", \"two\"]\n";
    let trial = Trial::shell("revisions", "", plan);
    let git = |arguments: &[&str]| {
        let mut git = std::process::Command::new("git");
        git.args(["-c", "user.name=a", "-c", "user.email=a@b"]).args(arguments);
        let output = git.current_dir(trial.folder.join("plan")).output().unwrap();
        assert!(output.status.success(), "{}", crate::said(&output));
    };
    git(&["init", "-q"]);
    for (tag, value) in [("one", 5), ("two", 7)] {
        trial.write("p.sh", &format!("echo 'main;work {value}' > out.txt\n"));
        git(&["add", "."]);
        git(&["commit", "-q", "-m", &format!("Takes {value}")]);
        git(&["tag", tag]);
    }
    trial.write("p.sh", "exit 1\n");
    let (ok, told) = trial.experiment(&[]);
    assert!(ok, "{told}");
    let found = trial.found();
    found.holds(&["revision=one", "revision=two"], 1);
    assert_eq!(found.profile.metric_total(profile::MetricId(0)).0, 12);
    assert_eq!(found.fact("revision=two #1", "commit subject"), Some("Takes 7"));
    assert_eq!(found.fact("revision=two #1", "commit").unwrap().len(), 40);
    let unknown = trial.path("plan.toml");
    let text = fs::read_to_string(&unknown).unwrap().replace("\"one\"", "\"three\"");
    trial.write("plan.toml", &text);
    let (ok, told) = trial.experiment(&[]);
    assert!(!ok && told.contains("revisions are commits of the repository"), "{told}");
}

#[test]
fn plans_tell_what_would_run() {
    let trial = Trial::shell("plan", "", PLAN);
    let told = crate::said(&trial.run(&["experiment", "plan", "plan.toml"]));
    assert!(told.contains("p: 2 cells, 6 runs") && told.contains("size=2"), "{told}");
    assert!(told.contains("known once each cell has run"), "{told}");
    assert!(trial.experiment(&[]).0);
    let json = trial.run(&["experiment", "plan", "plan.toml", "--format", "json"]);
    let json: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
    assert!(json["seconds"].as_f64().unwrap() > 0.0, "{json}");
    assert_eq!(json["rows"][0]["cell"], "size=1");
    let made = trial.run(&["experiment", "init", "new.toml"]);
    assert!(made.status.success());
    assert!(!trial.run(&["experiment", "init", "new.toml"]).status.success());
    let told = crate::said(&trial.run(&["experiment", "plan", "new.toml"]));
    assert!(told.contains("example: 2 cells, 6 runs"), "{told}");
}

#[test]
fn a_result_of_something_else_is_not_written_over() {
    let trial = Trial::shell("else", "", PLAN);
    assert!(trial.experiment(&[]).0);
    let plan = PLAN.replace("\"{size}\"]", "\"{size}\", \"more\"]");
    trial.write("plan.toml", &format!("name = \"p\"\nrepeats = 0\n{plan}"));
    let (ok, told) = trial.experiment(&[]);
    assert!(!ok && told.contains("holds something else than this experiment"), "{told}");
    assert!(trial.experiment(&["--replace"]).0);
    trial.found().holds(&["size=1", "size=2"], 3);
    trial.write("p.hotframe", "somebody's notes");
    assert!(!trial.experiment(&["--replace"]).0);
    assert_eq!(fs::read_to_string(trial.path("p.hotframe")).unwrap(), "somebody's notes");
}
