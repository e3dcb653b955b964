//! What git knows of a file's past. Where there is no git, or no answer in time, nothing is known.

use std::io::Read as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc::channel;
use std::thread;
use std::time::{Duration, Instant};

/// Longer files have no past.
const MOST_BYTES: u64 = 16 << 20;

/// A file as a commit has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Committed {
    /// The commit's hash.
    pub(super) commit: String,
    pub(super) text: String,
}

/// The file as it was committed last before a time, in seconds since 1970.
pub(super) fn committed_before(path: &Path, seconds: i64, patience: Duration) -> Option<Committed> {
    let until = Instant::now() + patience;
    let (folder, name) = (path.parent()?, path.file_name()?.to_str()?);
    let before = format!("--before=@{seconds} +0000");
    // The settings of the user may want signatures to be shown.
    let log = ["log", "-1", "--no-show-signature", "--format=%H", &before, "--", name];
    let commit = String::from_utf8(output(folder, &log, until)?).ok()?.trim().to_owned();
    if commit.is_empty() {
        return None;
    }
    let object = format!("{commit}:./{name}");
    let bytes = output(folder, &["cat-file", "blob", &object], until)?;
    Some(Committed { commit, text: String::from_utf8_lossy(&bytes).into_owned() })
}

/// What git prints, if it ends well and in time.
fn output(folder: &Path, arguments: &[&str], until: Instant) -> Option<Vec<u8>> {
    let mut git = Command::new("git")
        .args(["--literal-pathspecs", "--no-optional-locks", "-c", "core.fsmonitor=false", "-C"])
        .arg(folder)
        .args(arguments)
        .env("GIT_TERMINAL_PROMPT", "0")
        .env("GIT_NO_LAZY_FETCH", "1")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let out = git.stdout.take()?;
    let (sender, receiver) = channel();
    thread::spawn(move || {
        let mut bytes = vec![];
        let result = out.take(MOST_BYTES + 1).read_to_end(&mut bytes);
        // Nobody listens any more where it took too long.
        let _ = sender.send(result.map(|_| bytes));
    });
    let bytes = receiver.recv_timeout(until.saturating_duration_since(Instant::now()));
    let bytes = bytes.ok().and_then(Result::ok).filter(|it| it.len() as u64 <= MOST_BYTES);
    if bytes.is_none() {
        // It may have ended meanwhile.
        let _ = git.kill();
    }
    let ended = git.wait().ok()?;
    bytes.filter(|_| ended.success())
}
