//! Running one test runner, passing its output on while counting.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context;

use super::count::{Count, Dialect};
use crate::command;

/// How long a runner may print nothing before it is taken to hang: the slowest single test takes a
/// minute on two busy cores.
const QUIET: Duration = Duration::from_mins(8);

/// How long the pipes of an ended runner may stay open.
const CLOSING: Duration = Duration::from_secs(5);

/// Lines that are kept of what a failed test says.
const REASON: usize = 8;

/// A command that runs tests.
pub(crate) struct Runner {
    /// What it tests, for people.
    pub(crate) name: &'static str,
    pub(crate) command: Command,
    pub(crate) dialect: Dialect,
}

/// What came of a run.
#[derive(Default)]
pub(crate) struct Outcome {
    pub(crate) count: Count,
    /// Tests that failed, as far as lines tell them.
    pub(crate) failed: Vec<Failed>,
    /// Tests that failed beside others and passed alone.
    pub(crate) unstable: Vec<Failed>,
    /// Runners, and the seconds that they took.
    pub(crate) took: Vec<(&'static str, u64)>,
}

/// A test that failed.
pub(crate) struct Failed {
    /// What ran it.
    pub(crate) runner: &'static str,
    pub(crate) test: String,
    /// What was printed right after that.
    pub(crate) reason: Vec<String>,
}

impl Outcome {
    pub(crate) fn add(&mut self, other: Outcome) {
        self.count += other.count;
        self.failed.extend(other.failed);
        self.unstable.extend(other.unstable);
        self.took.extend(other.took);
    }
}

impl Runner {
    /// Runs it to its end, and passes what it prints on to `out`, a line at a time behind `label`. A
    /// run that fails without a failed test, that counts no test, or that is ended because it printed
    /// nothing for minutes, counts as one failed test.
    pub(crate) fn run(self, label: &str, out: &mut dyn Write) -> anyhow::Result<Outcome> {
        self.run_within(QUIET, label, out)
    }

    fn run_within(
        mut self,
        quiet: Duration,
        label: &str,
        out: &mut dyn Write,
    ) -> anyhow::Result<Outcome> {
        writeln!(out, "\n== {} ==\n$ {}", self.name, command::line(&self.command))?;
        let mut child = self
            .command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot start {}", command::line(&self.command)))?;
        let started = Instant::now();
        let lines = lines_of([child.stdout.take().map(boxed), child.stderr.take().map(boxed)]);
        let mut count = Count::default();
        let mut failed: Vec<Failed> = vec![];
        // Which failed test the lines are about.
        let mut told = None;
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
            writeln!(out, "{label}{line}")?;
            if let Some(more) = self.dialect.read(&line) {
                count += more;
            }
            if let Some(test) = self.dialect.failed(&line) {
                failed.push(Failed { runner: self.name, test, reason: vec![] });
            }
            match self.dialect.explained(&line) {
                Some(test) => told = failed.iter().rposition(|failed| failed.test == test),
                None => failed
                    .get_mut(told.unwrap_or(usize::MAX))
                    .filter(|failed| failed.reason.len() < REASON)
                    .into_iter()
                    .for_each(|failed| failed.reason.push(line.clone())),
            }
        }
        let succeeded = child.wait()?.success();
        let took = started.elapsed().as_secs();
        writeln!(out, "{}: {took} s", self.name)?;
        if hangs {
            let quiet = quiet.as_secs();
            writeln!(out, "{}: ended, for nothing was printed for {quiet} s", self.name)?;
            count.failed += 1;
        } else if !succeeded && count.failed == 0 {
            writeln!(out, "{}: the run itself failed", self.name)?;
            count.failed = 1;
        } else if count == Count::default() {
            writeln!(out, "{}: no test was run", self.name)?;
            count.failed = 1;
        }
        Ok(Outcome { count, failed, unstable: vec![], took: vec![(self.name, took)] })
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

    #[track_caller]
    fn check(script: &str, dialect: Dialect, passed: u64, failed: u64) {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        let mut out = vec![];
        let count =
            Runner { name: "a script", command, dialect }.run("| ", &mut out).unwrap().count;
        assert!(String::from_utf8(out).unwrap().starts_with("\n== a script ==\n$ sh -c "));
        assert_eq!(count, Count { passed, failed });
    }

    #[test]
    fn counts_both_streams() {
        check("echo '# pass 2'; echo '# fail 1' >&2; exit 1", Dialect::Node, 2, 1);
    }

    #[test]
    fn a_crash_is_a_failure() {
        check("echo '# pass 2'; exit 1", Dialect::Node, 2, 1);
        check("exit 1", Dialect::Vitest, 0, 1);
    }

    #[test]
    #[cfg(unix)]
    fn a_run_that_hangs_is_ended_with_what_it_started() {
        let mut command = Command::new("sh");
        command.args(["-c", "echo '# pass 2'; sleep 600 & echo $!; wait"]);
        let mut out = vec![];
        let runner = Runner { name: "a script", command, dialect: Dialect::Node };
        let count = runner.run_within(Duration::from_secs(1), "| ", &mut out).unwrap().count;
        assert_eq!(count, Count { passed: 2, failed: 1 });
        let out = String::from_utf8(out).unwrap();
        assert!(out.contains("\n| # pass 2\n"), "{out}");
        assert!(out.ends_with("\na script: ended, for nothing was printed for 1 s\n"), "{out}");
        let mut told = out.lines().filter_map(|line| line.strip_prefix("| ")?.parse::<u32>().ok());
        let started = told.next().unwrap().to_string();
        let state = Command::new("ps").args(["-o", "state=", "-p", &started]).output().unwrap();
        let state = String::from_utf8(state.stdout).unwrap();
        assert!(["", "Z"].contains(&state.trim()), "what it started still runs: {state}");
    }

    #[test]
    fn failed_tests_say_why() {
        let script = "echo 'test a ... FAILED'; echo 'test b ... FAILED'; echo 'test c ... ok'; \
            echo '---- b stdout ----'; echo 'left: 1'; echo '---- a stdout ----'; echo 'right: 2'; \
            echo 'test result: FAILED. 1 passed; 2 failed'; exit 1";
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        let runner = Runner { name: "a script", command, dialect: Dialect::Cargo };
        let outcome = runner.run("| ", &mut vec![]).unwrap();
        let told: Vec<_> =
            outcome.failed.iter().map(|test| (&*test.test, &*test.reason[0])).collect();
        assert_eq!(told, [("a", "right: 2"), ("b", "left: 1")]);
    }

    #[test]
    fn no_count_and_no_test_are_failures() {
        check("echo all is well", Dialect::Cargo, 0, 1);
        check("echo '# pass 0'", Dialect::Node, 0, 1);
        check("true", Dialect::Vitest, 0, 1);
    }
}
