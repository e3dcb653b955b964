//! `hotframe experiment` and `hotframe experiment worker`: every run of a plan ends once in the result, whatever
//! happens meanwhile.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]
#![allow(clippy::print_stderr, reason = "a check that is left out says so")]
#![cfg(target_os = "linux")]

mod environments;
mod faults;
mod hostile;
mod left;
mod made;
mod nats;
mod reading;
mod result;
mod runs;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use result::Found;

/// A folder with a plan, and a store of its own.
struct Trial {
    folder: PathBuf,
    store: PathBuf,
}

impl Trial {
    fn new(test: &str) -> Trial {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("experiment").join(test);
        let _ = Command::new("chmod").args(["-R", "u+w"]).arg(&folder).output();
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(folder.join("plan")).unwrap();
        let store = folder.join("store");
        Trial { folder, store }
    }

    /// With a store where isolated programs can see folders of it: they have a `/work` of their own.
    fn stored_in(self, folder: &tempfile::TempDir) -> Trial {
        Trial { store: folder.path().to_owned(), ..self }
    }

    /// With a plan of a shell script `p.sh`, which gets the rest of `command`.
    fn shell(test: &str, script: &str, plan: &str) -> Trial {
        let trial = Trial::new(test);
        trial.write("p.sh", script);
        trial.write("plan.toml", &format!("name = \"p\"\nrepeats = 0\n{plan}"));
        trial
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.join("plan").join(name)
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).unwrap();
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hotframe"));
        command.args(arguments).current_dir(self.folder.join("plan"));
        command.env("HOTFRAME_STORE", &self.store);
        // Packages of tests are in folders.
        command.env("PIP_NO_INDEX", "1").env("UV_NO_INDEX", "1");
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    fn start(&self, arguments: &[&str]) -> Child {
        self.command(arguments).spawn().unwrap()
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// Runs the plan to its end; what it said.
    fn experiment(&self, more: &[&str]) -> (bool, String) {
        let output = self.run(&[&["experiment", "run", "plan.toml"], more].concat());
        (output.status.success(), said(&output))
    }

    /// The same with a program in front of `PATH`.
    fn experiment_with(&self, more: &[&str], program: Option<&Path>) -> (bool, String) {
        let mut command = self.command(&[&["experiment", "run", "plan.toml"], more].concat());
        if let Some(folder) = program.and_then(Path::parent) {
            let path = std::env::var_os("PATH").unwrap_or_default();
            let paths = std::iter::once(folder.to_owned()).chain(std::env::split_paths(&path));
            command.env("PATH", std::env::join_paths(paths).unwrap());
        }
        let output = command.output().unwrap();
        (output.status.success(), said(&output))
    }

    /// The result.
    fn found(&self) -> Found {
        Found::read(&self.path("p.hotframe"))
    }
}

fn said(output: &Output) -> String {
    let both = [&output.stdout, &output.stderr].map(|part| String::from_utf8_lossy(part));
    both.concat()
}

/// Waits until something is so.
fn until(what: &str, is_so: impl Fn() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < Duration::from_secs(60), "{what} did not come");
        std::thread::sleep(Duration::from_millis(10));
    }
}

fn send(process: u32, signal: &str) {
    let sent = Command::new("kill").args([signal, &process.to_string()]).status().unwrap();
    assert!(sent.success());
}

/// The workers that a process started.
fn children(process: u32) -> Vec<u32> {
    let listed = fs::read_to_string(format!("/proc/{process}/task/{process}/children"));
    let listed = listed.unwrap_or_default();
    listed.split_whitespace().map(|word| word.parse().unwrap()).collect()
}

fn lines(file: &Path) -> usize {
    fs::read_to_string(file).map_or(0, |text| text.lines().count())
}
