//! Running one test runner, passing its output on while counting.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Instant;

use anyhow::Context;

use super::count::{Count, Dialect};
use crate::command;

/// A command that runs tests.
pub(crate) struct Runner {
    /// What it tests, for people.
    pub(crate) name: &'static str,
    pub(crate) command: Command,
    pub(crate) dialect: Dialect,
}

impl Runner {
    /// Runs it to its end, and passes what it prints on to `out`. A run that fails without a failed
    /// test, or that counts no test, counts as one failed test.
    pub(crate) fn run(mut self, out: &mut dyn Write) -> anyhow::Result<Count> {
        writeln!(out, "\n== {} ==\n$ {}", self.name, command::line(&self.command))?;
        let mut child = self
            .command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot start {}", command::line(&self.command)))?;
        let started = Instant::now();
        let lines = lines_of([child.stdout.take().map(boxed), child.stderr.take().map(boxed)]);
        let mut count = Count::default();
        for line in lines {
            writeln!(out, "{line}")?;
            if let Some(more) = self.dialect.read(&line) {
                count += more;
            }
        }
        let succeeded = child.wait()?.success();
        writeln!(out, "{}: {} s", self.name, started.elapsed().as_secs())?;
        if !succeeded && count.failed == 0 {
            writeln!(out, "{}: the run itself failed", self.name)?;
            count.failed = 1;
        } else if count == Count::default() {
            writeln!(out, "{}: no test was run", self.name)?;
            count.failed = 1;
        }
        Ok(count)
    }
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
        let count = Runner { name: "a script", command, dialect }.run(&mut out).unwrap();
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
    fn no_count_and_no_test_are_failures() {
        check("echo all is well", Dialect::Cargo, 0, 1);
        check("echo '# pass 0'", Dialect::Node, 0, 1);
        check("true", Dialect::Vitest, 0, 1);
    }
}
