//! Running one test runner: its lines are passed on, its report is read.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context;

use super::results::{self, Outcome, Test};
use crate::command;

/// How long a runner may print nothing before it is taken to hang: the slowest single test takes a
/// minute on two busy cores.
const QUIET: Duration = Duration::from_mins(8);

/// How long the pipes of an ended runner may stay open.
const CLOSING: Duration = Duration::from_secs(5);

/// A command that runs tests and writes a report.
pub(crate) struct Runner {
    /// What it tests, for people.
    pub(crate) name: &'static str,
    pub(crate) command: Command,
    /// Where its report will be.
    pub(crate) report: PathBuf,
    /// Whether it may find nothing to run: what was chosen for a change may be no test of its.
    pub(crate) may_be_empty: bool,
}

impl Runner {
    /// Runs it to its end, and passes what it prints on to `out`, a line at a time behind its name.
    /// A run that fails without a failed test, that reports no test, or that is ended because it
    /// printed nothing for minutes, is one failed test.
    pub(crate) fn run(self, out: &mut dyn Write) -> anyhow::Result<Vec<Test>> {
        self.run_within(QUIET, out)
    }

    fn run_within(mut self, quiet: Duration, out: &mut dyn Write) -> anyhow::Result<Vec<Test>> {
        // An old report is not a result of this run.
        if self.report.exists() {
            std::fs::remove_file(&self.report)
                .with_context(|| format!("cannot remove {}", self.report.display()))?;
        }
        writeln!(out, "{}: $ {}", self.name, command::line(&self.command))?;
        let mut child = self
            .command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot start {}", command::line(&self.command)))?;
        let started = Instant::now();
        let lines = lines_of([child.stdout.take().map(boxed), child.stderr.take().map(boxed)]);
        let mut hangs = false;
        loop {
            let line = match lines.recv_timeout(if hangs { CLOSING } else { quiet }) {
                Ok(line) => line,
                Err(RecvTimeoutError::Timeout) if !hangs => {
                    hangs = true;
                    end(&mut child)?;
                    continue;
                }
                // What it started and left alone may keep its pipes.
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => break,
            };
            writeln!(out, "{}: {line}", self.name)?;
        }
        let status = child.wait()?;
        writeln!(out, "{}: took {} s", self.name, started.elapsed().as_secs())?;
        let (mut tests, problem) = match results::read(self.name, &self.report) {
            Ok(tests) if tests.is_empty() && !(self.may_be_empty && status.success()) => {
                (tests, Some("no test was run".to_owned()))
            }
            Ok(tests) => (tests, None),
            Err(error) => (vec![], Some(format!("{error:#}"))),
        };
        let has_failed = tests.iter().any(|test| test.outcome == Outcome::Failed);
        let problem = if hangs {
            Some(format!("ended, because it printed nothing for {} s", quiet.as_secs()))
        } else if !status.success() && !has_failed {
            Some(problem.unwrap_or_else(|| format!("the run itself failed: {status}")))
        } else {
            problem
        };
        if let Some(message) = problem {
            tests.push(Test {
                suite: self.name,
                name: "the run".to_owned(),
                seconds: 0.0,
                outcome: Outcome::Failed,
                message,
            });
        }
        Ok(tests)
    }
}

/// Ends a child with all that it started and what these started. They stay in the terminal's process
/// group, so that an interrupt there reaches them, too.
fn end(child: &mut Child) -> anyhow::Result<()> {
    let all = descendants(child.id()).unwrap_or_default();
    // What stands in front of its children has to be gone before it can start more.
    child.kill()?;
    if !all.is_empty() {
        let all = all.iter().map(u32::to_string);
        // Some may have ended with it.
        let _ = Command::new("kill").arg("-KILL").args(all).output();
    }
    Ok(())
}

/// Processes that a process started, those that they started, and so on.
fn descendants(of: u32) -> anyhow::Result<Vec<u32>> {
    let list = Command::new("ps").args(["-A", "-o", "pid=,ppid="]).output()?;
    let list = String::from_utf8_lossy(&list.stdout);
    let pairs: Vec<(u32, u32)> = list
        .lines()
        .filter_map(|line| {
            let mut numbers = line.split_whitespace().map(str::parse);
            Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
        })
        .collect();
    let (mut all, mut done) = (vec![of], 0);
    while let Some(&parent) = all.get(done) {
        done += 1;
        all.extend(pairs.iter().filter(|(_, from)| *from == parent).map(|(own, _)| *own));
    }
    all.remove(0);
    Ok(all)
}

fn boxed(stream: impl Read + Send + 'static) -> Box<dyn Read + Send> {
    Box::new(stream)
}

/// The lines of both streams as they come.
fn lines_of(streams: [Option<Box<dyn Read + Send>>; 2]) -> mpsc::Receiver<String> {
    let (sender, receiver) = mpsc::channel();
    for stream in streams.into_iter().flatten() {
        let sender = sender.clone();
        thread::spawn(move || {
            let mut stream = BufReader::new(stream);
            let mut line = Vec::new();
            while stream.read_until(b'\n', &mut line).is_ok_and(|length| length > 0) {
                let text = String::from_utf8_lossy(&line);
                if sender.send(text.trim_end_matches(['\n', '\r']).to_owned()).is_err() {
                    return;
                }
                line.clear();
            }
        });
    }
    receiver
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder that is removed with it.
    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Folder {
            let folder = std::env::temp_dir().join(format!("xtask-{name}-{}", std::process::id()));
            std::fs::create_dir_all(&folder).unwrap();
            Folder(folder)
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    const PASSES: &str = "<testsuites><testcase name='a' classname='c'/></testsuites>";
    const FAILS: &str = "<testsuites><testcase name='a' classname='c'><failure message='no'/></testcase></testsuites>";

    /// Runs a script that finds its report's name in `$REPORT`; gives the tests and what was printed.
    fn run(name: &str, quiet: Duration, script: &str) -> (Vec<Test>, String) {
        let folder = Folder::new(name);
        let report = folder.0.join("report.xml");
        let mut command = Command::new("sh");
        command.args(["-c", script]).env("REPORT", &report);
        let mut out = vec![];
        let runner = Runner { name: "a script", command, report, may_be_empty: false };
        let tests = runner.run_within(quiet, &mut out).unwrap();
        (tests, String::from_utf8(out).unwrap())
    }

    #[track_caller]
    fn check(name: &str, script: &str, outcomes: &[(&str, Outcome)]) {
        let (tests, out) = run(name, QUIET, script);
        let found: Vec<_> = tests.iter().map(|test| (&*test.name, test.outcome.clone())).collect();
        assert_eq!(found, outcomes);
        assert!(out.starts_with("a script: $ sh -c "), "{out}");
    }

    #[test]
    fn reads_the_report() {
        check("passes", &format!("echo \"{PASSES}\" > $REPORT"), &[("c: a", Outcome::Passed)]);
        let fails = format!("echo \"{FAILS}\" > $REPORT; exit 1");
        check("fails", &fails, &[("c: a", Outcome::Failed)]);
    }

    #[test]
    fn a_crash_is_a_failure() {
        let script = format!("echo \"{PASSES}\" > $REPORT; exit 1");
        check("crash", &script, &[("c: a", Outcome::Passed), ("the run", Outcome::Failed)]);
        check("no-report", "true", &[("the run", Outcome::Failed)]);
        check("no-test", "echo '<testsuites/>' > $REPORT", &[("the run", Outcome::Failed)]);
    }

    #[test]
    #[cfg(unix)]
    fn a_run_that_hangs_is_ended_with_what_it_started() {
        let script = "echo begins; sleep 600 & echo $!; wait";
        let (tests, out) = run("hangs", Duration::from_secs(1), script);
        assert_eq!(tests.len(), 1);
        assert_eq!(tests[0].message, "ended, because it printed nothing for 1 s");
        assert!(out.contains("\na script: begins\n"), "{out}");
        let mut numbers =
            out.lines().filter_map(|line| line.strip_prefix("a script: ")?.parse().ok());
        let started: u32 = numbers.next().unwrap();
        let mut ps = Command::new("ps");
        let state = ps.args(["-o", "state=", "-p", &started.to_string()]).output().unwrap();
        let state = String::from_utf8(state.stdout).unwrap();
        assert!(["", "Z"].contains(&state.trim()), "what it started still runs: {state}");
    }
}
