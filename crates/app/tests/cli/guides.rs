//! Every command of a guide runs, in a folder that has the files it names.
//!
//! What serves a page is ended once it serves. What needs something that may not be here, such as a server or
//! a counter of the processor, succeeds or ends with the error that says so.

use std::fs::{self, File};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use super::made::{Made, write};

/// No command of a guide takes longer on a machine whose processors are busy.
const LONGEST: Duration = Duration::from_secs(240);

/// Files that guides name, and the samples that stand for them.
const FILES: [(&str, &str); 16] = [
    ("p.pb.gz", "pprof/cpu.pb.gz"),
    ("cpu.pb.gz", "pprof/cpu.pb.gz"),
    ("a.pb.gz", "runs/before-1.pb.gz"),
    ("b.pb.gz", "runs/after-1.pb.gz"),
    ("old.pb.gz", "runs/before-1.pb.gz"),
    ("new.pb.gz", "runs/after-1.pb.gz"),
    ("base.pb.gz", "runs/before-1.pb.gz"),
    ("before.pb.gz", "runs/before-1.pb.gz"),
    ("after.pb.gz", "runs/after-1.pb.gz"),
    ("before-1.pb.gz", "runs/before-1.pb.gz"),
    ("before-2.pb.gz", "runs/before-2.pb.gz"),
    ("after-1.pb.gz", "runs/after-1.pb.gz"),
    ("after-2.pb.gz", "runs/after-2.pb.gz"),
    ("trace.json", "trace-event/default.trace.json"),
    ("alder.perf.data", "perf-data/switches.perf.data"),
    ("birch.perf.data", "perf-data/sched.perf.data"),
];

/// Files of the corpus that guides name.
const OF_THE_CORPUS: [&str; 2] = ["fig4_memory_flow.ezview", "fig7_lulesh_reuse_distance.ezview"];

/// A part of a command that need not succeed here, and what the error says then.
type Allowed = (&'static str, &'static str);

/// Commands of a guide, as a shell takes them: one a line, or several lines with backslashes.
fn commands(guide: &Path) -> Vec<String> {
    let text = fs::read_to_string(guide).unwrap();
    let mut commands: Vec<String> = vec![];
    let mut blocks = text.split("\n```").skip(1);
    while let (Some(block), Some(_)) = (blocks.next(), blocks.next()) {
        let Some(("sh", lines)) = block.split_once('\n') else { continue };
        let mut goes_on = false;
        for line in lines.lines().filter(|line| !line.starts_with('#')) {
            match commands.last_mut().filter(|_| goes_on) {
                Some(last) => last.push_str(&format!("\n{line}")),
                None => commands.push(line.to_owned()),
            }
            goes_on = line.ends_with('\\');
        }
    }
    commands.retain(|command| command.starts_with("hotframe "));
    commands
}

/// A folder in which the commands of a guide run.
struct Stage {
    folder: TempDir,
    path: std::ffi::OsString,
}

/// How a command ended, and what it wrote.
#[derive(Debug)]
struct Ended {
    /// None of what served a page.
    code: Option<i32>,
    written: String,
}

impl Stage {
    fn new() -> Stage {
        let folder = tempfile::tempdir().unwrap();
        let program = Path::new(env!("CARGO_BIN_EXE_hotframe")).parent().unwrap().to_owned();
        let path = std::env::var_os("PATH").unwrap();
        let path =
            std::env::join_paths(std::iter::once(program).chain(std::env::split_paths(&path)));
        let stage = Stage { folder, path: path.unwrap() };
        for (name, sample) in FILES {
            fs::copy(samples::testdata(sample), stage.file(name)).unwrap();
        }
        std::os::unix::fs::symlink(samples::testdata(""), stage.file("testdata")).unwrap();
        stage
    }

    /// Puts the guide's files of the corpus there; whether they are on this machine.
    fn with_corpus(&self) -> bool {
        OF_THE_CORPUS.iter().all(|name| {
            let found = samples::corpus(&format!("ezview/{name}"));
            found.is_some_and(|file| fs::copy(file, self.file(name)).is_ok())
        })
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.file(name), text).unwrap();
    }

    /// A program, as guides call theirs.
    fn program(&self, name: &str, text: &str) {
        use std::os::unix::fs::PermissionsExt as _;
        self.write(name, text);
        fs::set_permissions(self.file(name), fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// Runs a command until it ends or serves a page.
    fn run(&self, command: &str) -> Ended {
        let file = self.file(".written");
        let written = File::create(&file).unwrap();
        let mut child = Command::new("sh")
            // The shell becomes the program, which can be ended then.
            .args(["-c", &format!("exec {command}")])
            .current_dir(self.folder.path())
            .env("PATH", &self.path)
            .env("BROWSER", "true")
            // A group of its own, for what it serves may be a process of its own.
            .process_group(0)
            .stdin(Stdio::null())
            .stdout(written.try_clone().unwrap())
            .stderr(written)
            .spawn()
            .unwrap();
        let code = Self::wait(&mut child, &file, command);
        Ended { code, written: text(&file) }
    }

    fn wait(child: &mut Child, written: &Path, command: &str) -> Option<i32> {
        let begun = Instant::now();
        loop {
            if let Some(status) = child.try_wait().unwrap() {
                return Some(status.code().unwrap_or_else(|| panic!("{command}: {status}")));
            }
            let serves = text(written).contains("/?token=");
            if serves || begun.elapsed() > LONGEST {
                end_group(child.id());
                child.wait().unwrap();
                assert!(serves, "{command} takes longer than {LONGEST:?}: {}", text(written));
                return None;
            }
            sleep(Duration::from_millis(20));
        }
    }

    /// Runs what a guide shows, in its order; all succeeds but for the errors that are allowed.
    fn runs(&self, guide: &str, allowed: &[Allowed]) {
        let commands = commands(&root().join(guide));
        assert!(!commands.is_empty(), "{guide} has no command");
        let mut used = vec![];
        for command in commands {
            let Ended { code, written } = self.run(&command);
            let error = allowed.iter().find(|(part, _)| command.contains(part));
            used.extend(error);
            let is_right = matches!(code, None | Some(0))
                || error.is_some_and(|(_, error)| written.contains(error));
            assert!(is_right, "{command}: {code:?}, {written}");
        }
        assert!(allowed.iter().all(|one| used.contains(&one)), "{guide}: {used:?}");
    }
}

/// Ends all that a command started.
fn end_group(id: u32) {
    let ended = Command::new("kill").args(["-KILL", "--", &format!("-{id}")]).status();
    assert!(ended.unwrap().success());
}

fn root() -> PathBuf {
    samples::testdata("").parent().unwrap().to_owned()
}

fn text(file: &Path) -> String {
    String::from_utf8_lossy(&fs::read(file).unwrap()).into_owned()
}

/// A program that is busy for a moment.
const PIPELINE: &str = "#!/bin/sh\ni=0; while [ $i -lt 100000 ]; do i=$((i+1)); done\n";

/// A program of Python that calls functions for a while.
const PROGRAM: &str = "\
import time

class Totals:
    def add(self, counts):
        return sum(counts)

def parse(end):
    totals = Totals()
    while time.monotonic() < end:
        totals.add(range(20000))

parse(time.monotonic() + 0.3)
";

#[test]
fn of_the_readme() {
    let stage = Stage::new();
    stage.program("pipeline", PIPELINE);
    stage.write("prog.py", PROGRAM);
    stage.runs("README.md", &[]);
}

#[test]
fn of_the_tour_of_time() {
    let stage = Stage::new();
    stage.runs("docs/tour-time.md", &[]);
    // Its simulations take a minute.
    if samples::cases(0, 1) == 1 {
        stage.runs("docs/tour-data-movement.md", &[]);
    }
}

#[test]
fn of_sharing() {
    let stage = Stage::new();
    stage.write("clean.py", "profile.show()\n");
    stage.runs("docs/sharing.md", &[]);
}

#[test]
fn of_advice() {
    let stage = Stage::new();
    stage.write("team.toml", "[[rule]]\ntitle = 'Ours'\nname = '^main'\ntext = 'Ours.'\n");
    stage.runs("docs/advice.md", &[]);
}

#[test]
fn of_python() {
    let stage = Stage::new();
    stage.write("script.py", "profile.show()\n");
    stage.runs("docs/python.md", &[]);
}

#[test]
fn of_data_movement() {
    let stage = Stage::new();
    stage.runs("docs/data-movement.md", &[]);
}

#[test]
fn of_recording() {
    let stage = Stage::new();
    stage.program("pipeline", PIPELINE);
    stage.write("Makefile", "all:\n\tsh pipeline\n");
    stage.write("events.txt", "cpu-clock,page-faults\n");
    let guide = fs::read_to_string(root().join("docs/recording.md")).unwrap();
    let plan = guide.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next());
    stage.write("plan.toml", plan.unwrap());
    for program in ["prog.py", "program.py"] {
        stage.write(program, PROGRAM);
    }
    stage.runs(
        "docs/recording.md",
        &[("--pid 4711", "4711"), ("pytest", "pytest"), ("--event IPC", "IPC")],
    );
}

#[test]
fn of_experiments() {
    let stage = Stage::new();
    let runs: Vec<Made> = (0..36u8)
        .map(|at| Made {
            factors: vec![
                ("interpreter", ["3.11", "3.12"][usize::from(at) % 2].to_owned()),
                ("numpy", ["1.26", "2.0", "2.2"][usize::from(at) / 2 % 3].to_owned()),
                ("seconds", ["1", "2"][usize::from(at) / 6 % 2].to_owned()),
            ],
            wall_ns: 1_000_000_000 + i64::from(at),
            functions: vec![("work", 900_000_000 + i64::from(at))],
            ..Made::default()
        })
        .collect();
    write(&stage.file("result.hotframe"), &runs);
    stage.runs(
        "docs/experiments.md",
        &[
            ("nats://queue:4222", "queue"),
            ("--repository ~/project", "there are no revisions"),
            ("misses / instructions", "there is no metric \"misses\""),
        ],
    );
}

#[test]
fn of_the_tour() {
    let stage = Stage::new();
    if stage.with_corpus() {
        for side in ["before", "after"] {
            fs::create_dir(stage.file(side)).unwrap();
            for run in (1..=5).map(|number| format!("{side}-{number}.pb.gz")) {
                let sample = samples::testdata(format!("runs/{run}"));
                fs::copy(sample, stage.file(side).join(run)).unwrap();
            }
        }
        stage.runs("docs/tour.md", &[]);
    }
}

#[test]
fn of_walks() {
    let stage = Stage::new();
    if stage.with_corpus() {
        stage.runs("docs/walks.md", &[]);
    }
}

/// What is recorded for minutes, or takes packages from a network, ends without its files, and not because
/// the program knows no such option.
#[test]
fn of_tours_that_take_minutes_are_commands() {
    for tour in ["docs/tour-perf.md", "docs/tour-python.md", "docs/tour-experiments.md"] {
        let stage = Stage::new();
        for command in commands(&root().join(tour)) {
            let Ended { code, written } = stage.run(&command);
            // 127 where the program that it starts is missing, as in a shell.
            assert!(matches!(code, Some(1 | 127)), "{command}: {code:?}, {written}");
        }
    }
}
