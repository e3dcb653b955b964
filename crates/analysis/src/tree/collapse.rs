//! Which calls of functions from themselves are folded into the first one.

use hashbrown::HashMap;

use crate::FrameKey;

/// Which recursion is folded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Collapse {
    /// None: every call shows.
    #[default]
    None,
    /// Calls of a function by itself: `a > a > b` is `a > b`.
    Direct,
    /// Calls of a function from anything below it, too: where a path comes back to a function, it goes on
    /// from its first call, so that `a > b > a > c` is `a > c`, and no function is twice on a path. This is
    /// the loop erasure of the path (Lawler, *A self-avoiding random walk*, 1980), from the root of the tree
    /// on: callers are folded from the function on that they are callers of.
    All,
}

impl Collapse {
    /// Lets a path of keys go on to the next one.
    pub fn extend(self, path: &mut Vec<FrameKey>, next: FrameKey) {
        let again = match self {
            Collapse::None => None,
            Collapse::Direct => path.last().filter(|&&last| last == next).map(|_| path.len() - 1),
            Collapse::All => path.iter().position(|&key| key == next),
        };
        match again {
            Some(at) => path.truncate(at + 1),
            None => path.push(next),
        }
    }
}

/// Paths of keys on which no key is twice, each by a number: 0 is the path where all begin.
#[derive(Debug, Default)]
pub(crate) struct SimplePaths {
    /// By path, the one that is a key shorter; its own of the first.
    pub(super) parents: Vec<u32>,
    /// By path, its last key; that of the first counts where paths begin with a key.
    pub(super) keys: Vec<FrameKey>,
    begins_with_key: bool,
    known: HashMap<(u32, FrameKey), u32>,
}

/// Where a path went on to.
pub(super) struct Step {
    pub(super) path: u32,
    /// Whether it came back to a key that it had.
    pub(super) is_back: bool,
    pub(super) is_new: bool,
}

impl SimplePaths {
    /// Only the path where all begin, at a key or before the first one.
    pub(crate) fn new(first: Option<FrameKey>) -> SimplePaths {
        SimplePaths {
            parents: vec![0],
            keys: vec![first.unwrap_or_default()],
            begins_with_key: first.is_some(),
            known: HashMap::new(),
        }
    }

    /// Where a path goes on to by a key.
    pub(super) fn step(&mut self, from: u32, key: FrameKey) -> Step {
        // No path has a key twice: one that is known to go on has not had it.
        if let Some(&path) = self.known.get(&(from, key)) {
            return Step { path, is_back: false, is_new: false };
        }
        let mut at = from;
        while at != 0 || self.begins_with_key {
            if self.keys[at as usize] == key {
                return Step { path: at, is_back: true, is_new: false };
            }
            if at == 0 {
                break;
            }
            at = self.parents[at as usize];
        }
        let path = self.parents.len() as u32;
        self.known.insert((from, key), path);
        self.parents.push(from);
        self.keys.push(key);
        Step { path, is_back: false, is_new: true }
    }

    /// The same, where the number alone matters.
    pub(crate) fn next(&mut self, from: u32, key: FrameKey) -> u32 {
        self.step(from, key).path
    }
}
