//! Whether a file of another folder is one of the same repository: of a worktree, a clone or a copy.
//!
//! The other folder may be anybody's, so git is not run there: a repository can name programs that git
//! runs. Its files are looked at instead, and the workspace's git is asked whether it knows their commits.

use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::git;

/// Bytes that are read of a file of the other repository.
const MOST_BYTES: u64 = 1 << 20;
/// Commits that are asked for.
const MOST_COMMITS: usize = 64;
const PATIENCE: Duration = Duration::from_millis(500);

/// Whether `other` is the file at `own` in another copy of its repository.
pub(super) fn is_copy(own: &Path, other: &Path) -> bool {
    let (Some(own_root), Some(other_root)) = (root_of(own), root_of(other)) else { return false };
    let has_same_place = own.strip_prefix(own_root) == other.strip_prefix(other_root);
    if own_root == other_root || !has_same_place {
        return false;
    }
    let (Some(own_git), Some(other_git)) = (git_folder(own_root), git_folder(other_root)) else {
        return false;
    };
    own_git == other_git || git::knows_one_of(own_root, &commits(&other_git), PATIENCE)
}

/// The folder of a repository that holds a file.
fn root_of(file: &Path) -> Option<&Path> {
    file.ancestors().skip(1).find(|folder| folder.join(".git").symlink_metadata().is_ok())
}

/// Where a repository has its commits, which worktrees share.
fn git_folder(root: &Path) -> Option<PathBuf> {
    let git = root.join(".git");
    if git.symlink_metadata().ok()?.is_dir() {
        return fs::canonicalize(git).ok();
    }
    let text = read(&git)?;
    let folder = root.join(text.strip_prefix("gitdir:")?.trim());
    // `.git/worktrees/name` of the repository that it is a worktree of.
    let worktrees = folder.parent().filter(|parent| parent.ends_with("worktrees"));
    fs::canonicalize(worktrees.and_then(Path::parent).unwrap_or(&folder)).ok()
}

/// Commits that a repository knows by name or has been at, the last ones.
fn commits(git: &Path) -> Vec<String> {
    let texts = ["HEAD", "ORIG_HEAD", "packed-refs", "logs/HEAD"].map(|name| read(&git.join(name)));
    let words = texts.iter().flatten().flat_map(|text| text.split_whitespace().rev());
    let mut found: Vec<String> = words.filter(|word| is_commit(word)).map(str::to_owned).collect();
    found.dedup();
    found.truncate(MOST_COMMITS);
    found
}

/// Whether a text is the whole name of a commit, and not that of none.
fn is_commit(text: &str) -> bool {
    [40, 64].contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_hexdigit())
        && text.bytes().any(|byte| byte != b'0')
}

/// The text of a file that may be anybody's: no link is followed, and nothing waits.
fn read(path: &Path) -> Option<String> {
    #[cfg(target_os = "linux")]
    let file = beneath::open_regular(path).ok()?;
    #[cfg(not(target_os = "linux"))]
    let file = fs::File::open(path)
        .ok()
        .filter(|_| path.symlink_metadata().is_ok_and(|it| it.is_file()))?;
    let mut bytes = vec![];
    file.take(MOST_BYTES).read_to_end(&mut bytes).ok()?;
    String::from_utf8(bytes).ok()
}
