//! Where the lines of an older text are in a newer one.

use std::collections::HashMap;
use std::ops::Range;

use imara_diff::{Algorithm, Diff, InternedInput};

/// Lines of a text, from 1, in another text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum LineMap {
    /// Every line is where it was.
    Same,
    /// By line of the one text, the line of the other; 0 where it is gone.
    Moved {
        /// From old to new.
        now: Vec<u32>,
        /// From new to old.
        then: Vec<u32>,
        /// By old line that was replaced along with as many as replaced them: its replacement.
        replaced: HashMap<u32, u32>,
    },
}

impl LineMap {
    /// Compares two texts line by line; how lines end does not count. The answer depends on the
    /// texts alone, never on the speed of the machine: what bounds the effort is the count of steps
    /// in the library's histogram diff.
    pub(super) fn new(old: &str, new: &str) -> LineMap {
        let (old, new) = (lines(old), lines(new));
        if old == new {
            return LineMap::Same;
        }
        let (mut now, mut then) = (vec![0; old.len()], vec![0; new.len()]);
        let mut replaced = HashMap::new();
        let mut input = InternedInput::default();
        input.update_before(old.into_iter());
        input.update_after(new.into_iter());
        let mut keep = |old: Range<u32>, new: Range<u32>| {
            for (old, new) in old.zip(new) {
                (now[old as usize], then[new as usize]) = (new + 1, old + 1);
            }
        };
        let (mut old, mut new) = (0, 0);
        for hunk in Diff::compute(Algorithm::Histogram, &input).hunks() {
            keep(old..hunk.before.start, new..hunk.after.start);
            (old, new) = (hunk.before.end, hunk.after.end);
            if hunk.before.len() == hunk.after.len() {
                replaced.extend(hunk.before.zip(hunk.after).map(|(old, new)| (old + 1, new + 1)));
            }
        }
        keep(old..input.before.len() as u32, new..input.after.len() as u32);
        LineMap::Moved { now, then, replaced }
    }

    /// Where an old line is now.
    pub(super) fn now(&self, old: u32) -> Option<u32> {
        match self {
            LineMap::Same => Some(old),
            LineMap::Moved { now, .. } => at(now, old),
        }
    }

    /// Where a new line was.
    pub(super) fn then(&self, new: u32) -> Option<u32> {
        match self {
            LineMap::Same => Some(new),
            LineMap::Moved { then, .. } => at(then, new),
        }
    }

    /// Where an old line, or what was written in its place, is now: a function stays one when its
    /// first line changes.
    pub(super) fn near(&self, old: u32) -> Option<u32> {
        match self {
            LineMap::Same => Some(old),
            LineMap::Moved { replaced, .. } => {
                self.now(old).or_else(|| replaced.get(&old).copied())
            }
        }
    }
}

fn lines(text: &str) -> Vec<&str> {
    text.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line)).collect()
}

fn at(lines: &[u32], line: u32) -> Option<u32> {
    let place = (line as usize).checked_sub(1)?;
    lines.get(place).copied().filter(|&line| line != 0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::LineMap;

    #[test]
    fn lines_move_with_their_text() {
        let map = LineMap::new("a\nb\nc\nd", "new\na\r\nb2\nc\n");
        assert_eq!(
            [1, 2, 3, 4, 5, 0].map(|line| map.now(line)),
            [Some(2), None, Some(4), None, None, None]
        );
        assert_eq!([1, 2, 3, 4].map(|line| map.then(line)), [None, Some(1), None, Some(3)]);
        assert_eq!(map.near(2), Some(3));
        assert_eq!(map.near(1), Some(2));
    }

    #[test]
    fn equal_texts_are_the_same_whatever_ends_their_lines() {
        assert_eq!(LineMap::new("a\nb\n", "a\r\nb\r\n"), LineMap::Same);
        assert_eq!(LineMap::Same.then(7), Some(7));
    }

    /// Ten thousand lines, every tenth of them changed.
    #[test]
    fn long_texts_keep_what_is_unchanged() {
        let text = |changed: bool| {
            let line = |number: u32| {
                if changed && number.is_multiple_of(10) {
                    format!("changed {number}\n")
                } else {
                    format!("line {number}\n")
                }
            };
            (0..10_000).map(line).collect::<String>()
        };
        let map = LineMap::new(&text(false), &text(true));
        assert_eq!([map.now(12), map.now(11)], [Some(12), None]);
        assert_eq!(map.near(11), Some(11));
    }

    #[test]
    fn zz_worst() {
        let text = |seed: u64, kinds: u64| { let mut x = seed; (0..200_000).map(|_| { x = x.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407); format!("{}\n", (x >> 40) % kinds) }).collect::<String>() };
        for kinds in [2, 10, 100, 100_000] { let t = std::time::Instant::now(); LineMap::new(&text(1, kinds), &text(2, kinds)); eprintln!("{kinds} {:?}", t.elapsed()); }
    }

    proptest! {
        /// What a line is mapped to has its text, in order, and back it is the line itself.
        #[test]
        fn mapped_lines_are_equal(
            old in prop::collection::vec("[abc]", 0..30),
            new in prop::collection::vec("[abc]", 0..30),
        ) {
            let map = LineMap::new(&old.join("\n"), &new.join("\n"));
            let mut last = 0;
            for (place, text) in old.iter().enumerate() {
                let line = place as u32 + 1;
                if let Some(now) = map.now(line) {
                    prop_assert_eq!(&new[now as usize - 1], text);
                    prop_assert_eq!(map.then(now), Some(line));
                    prop_assert!(now > last);
                    last = now;
                }
                if let Some(near) = map.near(line) {
                    // An empty text has one line.
                    prop_assert!((1..=new.len().max(1) as u32).contains(&near));
                }
            }
        }

        #[test]
        fn inserted_lines_move_the_rest(
            lines in prop::collection::btree_set("[a-z]{2,5}", 1..30),
            at in any::<prop::sample::Index>(),
        ) {
            let lines: Vec<String> = lines.into_iter().collect();
            let at = at.index(lines.len());
            let mut longer = lines.clone();
            longer.insert(at, "INSERTED".to_owned());
            let map = LineMap::new(&lines.join("\n"), &longer.join("\n"));
            for line in 1..=lines.len() as u32 {
                prop_assert_eq!(map.now(line), Some(line + u32::from(line as usize > at)));
            }
        }
    }
}
