//! Commits of the project under test.

use std::io::Write;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::Error;
use crate::interpreter::bounded_output;

/// A commit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Revision {
    /// Its whole name.
    pub commit: String,
    /// When it was committed, seconds since 1970.
    pub time_s: i64,
    /// The first line of its message.
    pub subject: String,
}

/// git in a folder; of what its repository may have git run, none runs that is not asked for.
pub(crate) fn command(folder: &Path) -> Command {
    let mut command = Command::new("git");
    command.args(["-c", "core.fsmonitor=false", "-c", "log.showSignature=false", "-C"]).arg(folder);
    command.env("GIT_TERMINAL_PROMPT", "0").env("GIT_NO_LAZY_FETCH", "1");
    command
}

fn git(folder: &Path, arguments: &[&str]) -> Result<Vec<u8>, Error> {
    let mut command = command(folder);
    command.args(arguments);
    bounded_output(&mut command, Duration::from_secs(300)).map_err(|error| Error::Tool {
        program: format!("git {}", arguments.join(" ")),
        output: error.to_string(),
        what: format!("revisions are commits of the repository around {}", folder.display()),
    })
}

impl Revision {
    /// The commit that a name means in the repository around a folder.
    ///
    /// # Errors
    /// There is no such commit or no repository.
    pub fn meant(name: &str, folder: &Path) -> Result<Revision, Error> {
        if name.starts_with('-') {
            let what = format!("'{name}' is not a revision");
            return Err(Error::refused(what, "name commits, tags or branches"));
        }
        let commit = format!("{name}^{{commit}}");
        let told = git(folder, &["log", "-1", "--format=%H%n%ct%n%s", &commit, "--"])?;
        let told = String::from_utf8_lossy(&told).into_owned();
        let mut lines = told.lines();
        let mut next = || lines.next().unwrap_or_default().to_owned();
        Ok(Revision { commit: next(), time_s: next().parse().unwrap_or(0), subject: next() })
    }

    /// Writes the archive of a folder as it was.
    pub(crate) fn pack(&self, folder: &Path, to: &mut dyn Write) -> Result<(), Error> {
        // From the folder, so that names are told from there. Its tar has the commit's time, so that it
        // is the same whenever it is made.
        let mut command = command(folder);
        command.args(["archive", "--format=tar", &self.commit, "."]);
        command.stdin(std::process::Stdio::null());
        command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
        let failed = |output: String| Error::Tool {
            program: format!("git archive {}", self.commit),
            output,
            what: "the folder of the source is not in that commit".to_owned(),
        };
        let mut child = command.spawn().map_err(|error| failed(error.to_string()))?;
        if let Some(mut out) = child.stdout.take() {
            std::io::copy(&mut out, to).map_err(|error| failed(error.to_string()))?;
        }
        let ended = child.wait_with_output().map_err(|error| failed(error.to_string()))?;
        if !ended.status.success() {
            return Err(failed(String::from_utf8_lossy(&ended.stderr).trim().to_owned()));
        }
        Ok(())
    }
}
