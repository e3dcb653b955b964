//! Stacks that were read while they changed, and lack their outer part.
//!
//! A generator that yields is no longer linked to its caller: who goes along the frames then comes to an end
//! too early. The outermost function of a thread stays the same, or is one that nothing else calls there; what
//! was seen inside of others before is not an outermost function.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher as _, RandomState};

use py_spy::Frame;

/// What each thread has called.
#[derive(Debug, Default)]
pub(super) struct Inner {
    threads: HashMap<u64, Called>,
    hasher: RandomState,
}

#[derive(Debug, Default)]
struct Called {
    /// Functions that something called.
    functions: HashSet<u64>,
    /// Stacks in a row that lacked something.
    torn: u32,
}

/// So many torn stacks in a row are not an accident: another thread has the number now.
const MOST_TORN: u32 = 50;
/// More functions are not kept of a thread.
const MOST_FUNCTIONS: usize = 100_000;

impl Inner {
    /// Whether a stack (innermost first) lacks its outer part.
    pub(super) fn is_torn(&mut self, thread: u64, frames: &[Frame]) -> bool {
        let Some((outermost, inner)) = frames.split_last() else { return false };
        let hash = |frame: &Frame| self.hasher.hash_one((&frame.name, &frame.filename));
        let called = self.threads.entry(thread).or_default();
        if called.functions.contains(&hash(outermost)) {
            called.torn += 1;
            if called.torn <= MOST_TORN {
                return true;
            }
            called.functions.clear();
        }
        called.torn = 0;
        if called.functions.len() < MOST_FUNCTIONS {
            called.functions.extend(inner.iter().map(hash));
            // One that calls itself is both.
            called.functions.remove(&hash(outermost));
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frames(names: &str) -> Vec<Frame> {
        let frame = |name: char| Frame {
            name: name.to_string(),
            filename: "x.py".to_owned(),
            module: None,
            short_filename: None,
            line: 1,
            locals: None,
            is_entry: false,
            is_shim_entry: false,
        };
        names.chars().rev().map(frame).collect()
    }

    #[test]
    fn what_is_called_is_not_outermost() {
        let mut inner = Inner::default();
        let mut is_torn = |thread, names: &str| inner.is_torn(thread, &frames(names));
        assert!(!is_torn(1, "mfg"));
        assert!(is_torn(1, "fg") && is_torn(1, "g"));
        assert!(!is_torn(1, "mg") && !is_torn(1, "m") && !is_torn(1, ""));
        assert!(!is_torn(2, "fg"), "another thread may begin there");
        assert!(!is_torn(2, "fgf") && !is_torn(2, "f"), "and call itself");
    }

    #[test]
    fn a_number_may_be_anothers() {
        let mut inner = Inner::default();
        inner.is_torn(1, &frames("mf"));
        let torn = (0..100).filter(|_| inner.is_torn(1, &frames("fg"))).count();
        assert_eq!(torn, MOST_TORN as usize);
    }
}
