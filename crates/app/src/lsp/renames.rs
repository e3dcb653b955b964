//! Files that git moved since a profile was recorded.

use std::path::{Component, Path, PathBuf};
use std::time::Duration;

use super::git;

/// The programs that were measured may be older than the recording by so much, in seconds.
const OLDER: i64 = 30 * 24 * 3600;
/// A path is not moved more often.
const MOST_MOVES: usize = 20;

/// Moves that were made at once, from where to where: files may have changed places.
pub(super) type Moves = Vec<(String, String)>;

/// Moves of files in a repository, the first ones first.
#[derive(Debug, Default)]
pub(super) struct Renames {
    /// Before the recording: the program that was measured may be older.
    earlier: Vec<Moves>,
    /// Since the recording.
    later: Vec<Moves>,
}

/// Where a file was when the profile was recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Origin {
    /// Where it is.
    Same,
    /// At another path.
    Moved(String),
    /// Nowhere: what had its path then is elsewhere.
    New,
}

impl Renames {
    /// The moves below the repository of a folder around a recording, in seconds since 1970; those that
    /// are not committed yet come last.
    pub(super) fn since(folder: &Path, seconds: i64, patience: Duration) -> Renames {
        let Some((root, told)) = git::moves(folder, seconds.saturating_sub(OLDER), patience) else {
            return Renames::default();
        };
        let whole = |path: &str| Some(root.join(path).to_str()?.to_owned());
        let mut renames = Renames::default();
        for (time, moves) in told {
            let moves = moves.iter().filter_map(|(from, to)| Some((whole(from)?, whole(to)?)));
            let is_later = time.is_none_or(|time| time > seconds);
            let of = if is_later { &mut renames.later } else { &mut renames.earlier };
            of.push(moves.collect());
        }
        renames
    }

    /// The moves of several repositories.
    pub(super) fn new(all: impl Iterator<Item = Renames>) -> Renames {
        let mut together = Renames::default();
        for one in all {
            together.earlier.extend(one.earlier);
            together.later.extend(one.later);
        }
        together
    }

    /// Where a file was at the recording that is at a path.
    pub(super) fn origin(&self, path: &str) -> Origin {
        let mut at = path;
        for moves in self.later.iter().rev() {
            match moves.iter().find(|(_, to)| to == at) {
                Some((from, _)) => at = from,
                None if moves.iter().any(|(from, _)| from == at) => return Origin::New,
                None => {}
            }
        }
        if at == path { Origin::Same } else { Origin::Moved(at.to_owned()) }
    }

    /// Where a file may have been that is at a path, the last place first.
    pub(super) fn before(&self, path: &str) -> Vec<&str> {
        let mut before: Vec<&str> = vec![];
        for moves in self.later.iter().rev().chain(self.earlier.iter().rev()) {
            let at = before.last().copied().unwrap_or(path);
            if let Some((from, _)) = moves.iter().find(|(_, to)| to == at)
                && before.len() < MOST_MOVES
            {
                before.push(from);
            }
        }
        before
    }

    /// Where a file may be now that was at a path: since the recording, else since the program was made.
    pub(super) fn now(&self, path: &str) -> Vec<&str> {
        let follow = |all: &mut dyn Iterator<Item = &'_ Moves>| {
            let mut now: Option<String> = None;
            for moves in all {
                let at = now.as_deref().unwrap_or(path);
                if let Some((_, to)) = moves.iter().find(|(from, _)| from == at) {
                    now = Some(to.clone());
                }
            }
            now
        };
        let later = follow(&mut self.later.iter());
        let all = follow(&mut self.earlier.iter().chain(&self.later));
        let known = self.later.iter().chain(&self.earlier).flatten().map(|(_, to)| to.as_str());
        let found: Vec<String> = later.into_iter().chain(all).collect();
        let mut places: Vec<&str> =
            found.iter().filter_map(|one| known.clone().find(|to| to == one)).collect();
        places.dedup();
        places
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

    fn renames(earlier: &[&[(&str, &str)]], later: &[&[(&str, &str)]]) -> Renames {
        let all = |all: &[&[(&str, &str)]]| -> Vec<Moves> {
            let owned = |&(from, to): &(&str, &str)| (from.to_owned(), to.to_owned());
            all.iter().map(|moves| moves.iter().map(owned).collect()).collect()
        };
        Renames { earlier: all(earlier), later: all(later) }
    }

    fn moved(to: &str) -> Origin {
        Origin::Moved(to.to_owned())
    }

    #[test]
    fn moves_follow_each_other() {
        let all =
            renames(&[], &[&[("/a", "/b")], &[("/x", "/y")], &[("/b", "/c")], &[("/n", "/a")]]);
        assert_eq!(all.now("/a"), ["/c"]);
        assert_eq!(all.now("/c"), [""; 0]);
        assert_eq!((all.origin("/c"), all.before("/c")), (moved("/a"), vec!["/b", "/a"]));
        // Another file has the old name now.
        assert_eq!((all.origin("/a"), all.now("/n")), (moved("/n"), vec!["/a"]));
        assert_eq!((all.origin("/b"), all.origin("/z")), (Origin::New, Origin::Same));
        let back = renames(&[], &[&[("/a", "/b")], &[("/b", "/a")]]);
        assert_eq!((back.now("/a"), back.origin("/a")), (vec!["/a"], Origin::Same));
    }

    #[test]
    fn files_that_change_places_are_distinguished() {
        let swap: &[(&str, &str)] = &[("/a", "/b"), ("/b", "/a")];
        let all = renames(&[], &[swap]);
        assert_eq!((all.origin("/a"), all.origin("/b")), (moved("/b"), moved("/a")));
        assert_eq!((all.now("/a"), all.before("/a")), (vec!["/b"], vec!["/b"]));
        let chain: &[(&str, &str)] = &[("/a", "/c"), ("/b", "/a")];
        let all = renames(&[], &[chain]);
        assert_eq!((all.origin("/a"), all.origin("/c")), (moved("/b"), moved("/a")));
        assert_eq!(all.origin("/b"), Origin::New);
    }

    #[test]
    fn what_was_moved_before_the_recording_is_where_it_is() {
        let all = renames(&[&[("/a", "/b")]], &[&[("/b", "/c")]]);
        assert_eq!((all.origin("/c"), all.before("/c")), (moved("/b"), vec!["/b", "/a"]));
        assert_eq!((all.now("/b"), all.now("/a")), (vec!["/c"], vec!["/c"]));
        let earlier = renames(&[&[("/a", "/b")]], &[]);
        assert_eq!((earlier.origin("/b"), earlier.origin("/a")), (Origin::Same, Origin::Same));
    }

    #[test]
    fn paths_go_up_and_down_again() {
        let of = |path: &str, folder: &str| relative(Path::new(path), Path::new(folder));
        assert_eq!(of("/w/old/a.py", "/w/new"), Path::new("../old/a.py"));
        assert_eq!(of("/w/a.py", "/w"), Path::new("a.py"));
        assert_eq!(of("/v/a.py", "/w/x"), Path::new("../../v/a.py"));
    }
}
