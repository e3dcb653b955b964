//! What git knows of a file's past. Where there is no git, or no answer in time, nothing is known.

use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc::channel;
use std::thread;
use std::time::{Duration, Instant};

use super::renames::{Moves, relative};

/// Longer files have no past.
const MOST_BYTES: u64 = 16 << 20;

/// A file as a commit has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Committed {
    /// The commit's hash.
    pub(super) commit: String,
    pub(super) text: String,
}

/// Commits of a file before a time that are looked at.
const MOST_BEFORE: usize = 8;
/// And after it.
const MOST_AFTER: usize = 3;

/// Tells of the file as it was committed around a time, in seconds since 1970: the last commits
/// before it, the newest first, then the first ones after it; with whether it is one before. `before`
/// are the paths at which it was earlier. `take` tells whether that is enough.
pub(super) fn around(
    path: &Path,
    before: &[String],
    seconds: i64,
    patience: Duration,
    mut take: impl FnMut(Committed, bool) -> bool,
) {
    let until = Instant::now() + patience;
    let Some(folder) = path.parent() else { return };
    let all = [path].into_iter().chain(before.iter().map(Path::new));
    let names: Vec<String> =
        all.filter_map(|path| Some(relative(path, folder).to_str()?.to_owned())).collect();
    // A time is at the end of its second; the settings of the user may want signatures shown.
    let log = |limit: &str, most: &str| -> Vec<String> {
        let mut arguments = vec!["log", most, "--no-show-signature", "--format=%H", limit, "--"];
        arguments.extend(names.iter().map(String::as_str));
        let out = output(folder, &arguments, until).and_then(|out| String::from_utf8(out).ok());
        out.unwrap_or_default().lines().map(str::to_owned).collect()
    };
    let before = log(&format!("--before=@{seconds} +0000"), &format!("-{MOST_BEFORE}"));
    let after = || log(&format!("--after=@{} +0000", seconds.saturating_add(1)), "-100");
    let mut tell = |commit: String, is_before| {
        let blob = |name: &String| {
            let object = format!("{commit}:./{name}");
            output(folder, &["cat-file", "blob", &object], until)
        };
        // Another file may have had the name before.
        let found =
            if is_before { names.iter().rev().find_map(blob) } else { names.iter().find_map(blob) };
        let Some(bytes) = found else { return false };
        let text = String::from_utf8_lossy(&bytes).into_owned();
        take(Committed { commit, text }, is_before)
    };
    if before.into_iter().any(|commit| tell(commit, true)) {
        return;
    }
    after().into_iter().rev().take(MOST_AFTER).any(|commit| tell(commit, false));
}

/// The moves of a commit and its time, in seconds since 1970; none of what is not committed.
pub(super) type CommittedMoves = (Option<i64>, Moves);

/// The root of the repository of a folder, and the moves of files in it since a time, in seconds since
/// 1970, the first ones first; paths are from the root on.
pub(super) fn moves(
    folder: &Path,
    seconds: i64,
    patience: Duration,
) -> Option<(PathBuf, Vec<CommittedMoves>)> {
    let until = Instant::now() + patience;
    let root = output(folder, &["rev-parse", "--show-toplevel"], until)?;
    let root = PathBuf::from(String::from_utf8(root).ok()?.trim_end_matches('\n'));
    let since = format!("--since=@{} +0000", seconds.max(0));
    // Files that changed places are moves, too: those that have both paths before and after.
    let what = ["--break-rewrites", "--find-renames", "--diff-filter=R", "--name-status", "-z"];
    let what = [&what[..], &["--no-ext-diff"]].concat();
    let log = ["log", "--reverse", "--no-show-signature", "--format=%ct", &since];
    let committed = output(&root, &[&log[..], &what].concat(), until)?;
    // None where nothing was committed so far.
    let now = output(&root, &[&["diff", "HEAD"][..], &what].concat(), until).unwrap_or_default();
    let mut moves: Vec<CommittedMoves> = vec![];
    for (told, is_committed) in [(committed, true), (now, false)] {
        let told = String::from_utf8_lossy(&told).into_owned();
        if !is_committed {
            moves.push((None, vec![]));
        }
        let mut fields = told.split('\0').map(|field| field.trim_start_matches('\n'));
        while let Some(field) = fields.next() {
            // The time of a commit, or `R100`, from where, to where.
            if let Ok(time) = field.parse() {
                moves.push((Some(time), vec![]));
            } else if field.starts_with('R') {
                let (Some(from), Some(to)) = (fields.next(), fields.next()) else { break };
                if let Some((_, last)) = moves.last_mut() {
                    last.push((from.to_owned(), to.to_owned()));
                }
            }
        }
    }
    Some((root, moves))
}

/// Whether a repository has one of these commits.
pub(super) fn knows_one_of(folder: &Path, commits: &[String], patience: Duration) -> bool {
    let until = Instant::now() + patience;
    let mut arguments = vec!["rev-list", "--no-walk", "--ignore-missing", "--max-count=1"];
    arguments.extend(commits.iter().map(String::as_str));
    let found = || output(folder, &arguments, until);
    !commits.is_empty() && found().is_some_and(|printed| !printed.is_empty())
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
