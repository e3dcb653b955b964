//! Files that git moved since a profile was recorded.

use std::path::{Component, Path, PathBuf};
use std::time::Duration;

use super::git;

/// The programs that were measured may be older than the recording by so much, in seconds.
const OLDER: i64 = 30 * 24 * 3600;
/// A path is not moved more often.
const MOST_MOVES: usize = 20;

/// Moves of files in a repository, the first one first.
#[derive(Debug, Default)]
pub(super) struct Renames {
    /// From where to where.
    moves: Vec<(String, String)>,
}

impl Renames {
    /// The moves below the repository of a folder since a time, in seconds since 1970, those that are not
    /// committed yet last.
    pub(super) fn since(folder: &Path, seconds: i64, patience: Duration) -> Renames {
        let Some((root, moves)) = git::moves(folder, seconds.saturating_sub(OLDER), patience)
        else {
            return Renames::default();
        };
        let whole = |path: String| Some(root.join(path).to_str()?.to_owned());
        let moves = moves.into_iter().filter_map(|(from, to)| Some((whole(from)?, whole(to)?)));
        Renames { moves: moves.collect() }
    }

    /// The moves of several repositories.
    pub(super) fn of(all: impl Iterator<Item = Renames>) -> Renames {
        Renames { moves: all.flat_map(|one| one.moves).collect() }
    }

    /// Where a file is now that was at a path, if it was moved.
    pub(super) fn now(&self, path: &str) -> Option<&str> {
        let mut now = None;
        for (from, to) in &self.moves {
            if from == now.unwrap_or(path) {
                now = Some(to);
            }
        }
        now
    }

    /// Where a file was that is at a path, the last place first.
    pub(super) fn before(&self, path: &str) -> Vec<&str> {
        let mut before = vec![];
        for (from, to) in self.moves.iter().rev() {
            if to == before.last().unwrap_or(&path) && before.len() < MOST_MOVES {
                before.push(from);
            }
        }
        before
    }
}

/// A path as it is from a folder on: `../old/a.py` of `/w/old/a.py` from `/w/new`. Both begin at the root.
pub(super) fn relative(path: &Path, folder: &Path) -> PathBuf {
    let shared = path.components().zip(folder.components()).take_while(|(a, b)| a == b).count();
    let up = folder.components().skip(shared).map(|_| Component::ParentDir);
    up.chain(path.components().skip(shared)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn renames(moves: &[(&str, &str)]) -> Renames {
        let moves = moves.iter().map(|&(from, to)| (from.to_owned(), to.to_owned()));
        Renames { moves: moves.collect() }
    }

    #[test]
    fn moves_follow_each_other() {
        let all = renames(&[("/a", "/b"), ("/x", "/y"), ("/b", "/c"), ("/n", "/a")]);
        assert_eq!(all.now("/a"), Some("/c"));
        assert_eq!(all.now("/c"), None);
        assert_eq!(all.before("/c"), ["/b", "/a"]);
        // Another file has the old name now.
        assert_eq!(all.before("/a"), ["/n"]);
        assert_eq!(all.now("/n"), Some("/a"));
        let circle = renames(&[("/a", "/b"), ("/b", "/a")]);
        assert_eq!((circle.now("/a"), circle.before("/a")), (Some("/a"), vec!["/b", "/a"]));
    }

    #[test]
    fn paths_go_up_and_down_again() {
        let of = |path: &str, folder: &str| relative(Path::new(path), Path::new(folder));
        assert_eq!(of("/w/old/a.py", "/w/new"), Path::new("../old/a.py"));
        assert_eq!(of("/w/a.py", "/w"), Path::new("a.py"));
        assert_eq!(of("/v/a.py", "/w/x"), Path::new("../../v/a.py"));
    }
}
