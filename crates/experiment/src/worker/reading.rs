//! Reading what a run left, in a process of its own: a file that is made to take long, to need much memory or
//! to break its reader ends that process, and not the worker.

#![allow(
    clippy::disallowed_methods,
    reason = "folders of the user and of this worker; untrusted programs do not write there"
)]

use std::fs::{self, File};
use std::io::{BufWriter, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use profile::Profile;
use serde::{Deserialize, Serialize};

use crate::result;

/// A recording that is to be brought into the form that all have.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Reading {
    /// The recording.
    pub from: PathBuf,
    /// The profile, which is written.
    pub into: PathBuf,
    /// Folders as the command saw them, and where the user has them.
    pub moves: Vec<(PathBuf, PathBuf)>,
}

/// A recording that was read.
#[derive(Debug)]
pub struct Readings {
    /// The profile.
    pub profile: Profile,
    /// What readers repaired or skipped.
    pub warnings: Vec<String>,
}

/// Why nothing came of it.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Unread {
    /// Nobody wants it any more.
    Stopped,
    /// Why it cannot be read.
    Because(String),
}

/// What the process tells: warnings, or why it cannot be read.
type Answer = Result<Vec<String>, String>;

impl Reading {
    /// What the process does: takes one of these from its input, reads as `read` does, writes the profile,
    /// and tells its output of it. It ends when whoever began it is gone.
    ///
    /// # Errors
    /// Nothing can be told.
    pub fn serve(read: impl FnOnce(&Path) -> Result<Readings, String>) -> std::io::Result<()> {
        let mut line = String::new();
        let mut input = std::io::stdin();
        std::io::BufRead::read_line(&mut input.lock(), &mut line)?;
        thread::spawn(move || {
            // It is kept open, and nothing more is written into it.
            let _ = input.read(&mut [0]);
            std::process::exit(1);
        });
        let reading: Reading = serde_json::from_str(&line)?;
        let answer: Answer = reading.carry_out(read);
        serde_json::to_writer(std::io::stdout(), &answer)?;
        Ok(())
    }

    fn carry_out(&self, read: impl FnOnce(&Path) -> Result<Readings, String>) -> Answer {
        let Readings { mut profile, warnings } = read(&self.from)?;
        for (seen, home) in &self.moves {
            result::move_files(&mut profile, seen, home);
        }
        let written = File::create(&self.into).and_then(|file| {
            let mut file = BufWriter::new(file);
            result::write(&profile, &mut file)?;
            file.flush()
        });
        written.map_err(|error| format!("cannot write {}: {error}", self.into.display()))?;
        Ok(warnings)
    }

    /// Has a process do it, which is ended where it takes longer than it may, or nobody wants it any more.
    /// `program` and its arguments begin what calls [`Reading::serve`].
    pub(super) fn run(
        &self,
        program: &[String],
        longest: Duration,
        is_stopped: impl Fn() -> bool,
    ) -> Result<Vec<String>, Unread> {
        let because = |error: std::io::Error| Unread::Because(error.to_string());
        let Some((program, arguments)) = program.split_first() else {
            return Err(Unread::Because("there is no program that reads".to_owned()));
        };
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = Ended(command.spawn().map_err(because)?);
        let (input, output) = (child.0.stdin.take(), child.0.stdout.take());
        let (Some(mut input), Some(output)) = (input, output) else {
            return Err(Unread::Because("its reader has no pipes".to_owned()));
        };
        let mut line = serde_json::to_vec(self).unwrap_or_default();
        line.push(b'\n');
        // Whoever ended already is told of below.
        let _ = input.write_all(&line);
        let said = thread::spawn(move || {
            let mut said = vec![];
            output.take(MOST_SAID).read_to_end(&mut said).map(|_| said)
        });
        let end = Instant::now() + longest;
        let status = loop {
            if let Some(status) = child.0.try_wait().map_err(because)? {
                break status;
            }
            if is_stopped() {
                return Err(Unread::Stopped);
            }
            if Instant::now() >= end {
                let what = format!("reading it took longer than {} s", longest.as_secs());
                return Err(Unread::Because(what));
            }
            thread::sleep(LOOK);
        };
        let said = said.join().ok().and_then(Result::ok).unwrap_or_default();
        match serde_json::from_slice::<Answer>(&said) {
            Ok(answer) => answer.map_err(Unread::Because),
            Err(_) => Err(Unread::Because(format!("its reader ended with {status}"))),
        }
    }

    /// Removes what was written.
    pub(super) fn discard(&self) {
        let _ = (fs::remove_file(&self.into), fs::remove_file(&self.from));
    }
}

/// Warnings are few lines.
const MOST_SAID: u64 = 16 << 20;
/// How often it is looked at: most recordings are read in less.
const LOOK: Duration = Duration::from_millis(2);

/// A process that ends with the one that began it.
struct Ended(Child);

impl Drop for Ended {
    fn drop(&mut self) {
        let _ = (self.0.kill(), self.0.wait());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(script: &str, longest: Duration, is_stopped: bool) -> Result<Vec<String>, Unread> {
        let reading = Reading { from: "from".into(), into: "into".into(), moves: vec![] };
        let program = ["sh", "-c", script].map(str::to_owned);
        reading.run(&program, longest, || is_stopped)
    }

    #[test]
    fn a_reader_is_ended_and_its_end_is_told() {
        let long = Duration::from_secs(600);
        let because = |text: &str| Err(Unread::Because(text.to_owned()));
        let says = |text: &str| run(&format!("read line; echo '{text}'"), long, false);
        assert_eq!(says(r#"{"Ok":["a warning"]}"#), Ok(vec!["a warning".to_owned()]));
        assert_eq!(says(r#"{"Err":"no profile"}"#), because("no profile"));
        assert_eq!(says("x"), because("its reader ended with exit status: 0"));
        let killed = run("kill -9 $$", long, false);
        assert_eq!(killed, because("its reader ended with signal: 9 (SIGKILL)"));
        assert_eq!(
            run("sleep 600", Duration::ZERO, false),
            because("reading it took longer than 0 s")
        );
        assert_eq!(run("sleep 600", long, true), Err(Unread::Stopped));
    }
}
