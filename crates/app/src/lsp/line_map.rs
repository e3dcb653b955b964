//! Where the lines of an older text are in a newer one.

use std::collections::HashMap;
use std::ops::Range;

use super::line_diff::hunks;

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
    /// texts alone, never on the speed of the machine.
    pub(super) fn new(old: &str, new: &str) -> LineMap {
        let (old, new) = (lines(old), lines(new));
        if old == new {
            return LineMap::Same;
        }
        let (mut now, mut then) = (vec![0; old.len()], vec![0; new.len()]);
        let mut replaced = HashMap::new();
        let mut keep = |old: Range<usize>, new: Range<usize>| {
            for (old, new) in old.zip(new) {
                (now[old], then[new]) = (new as u32 + 1, old as u32 + 1);
            }
        };
        let (mut old_at, mut new_at) = (0, 0);
        for hunk in hunks(&old, &new) {
            keep(old_at..hunk.old.start, new_at..hunk.new.start);
            (old_at, new_at) = (hunk.old.end, hunk.new.end);
            if hunk.old.len() == hunk.new.len() {
                let pairs = hunk.old.zip(hunk.new);
                replaced.extend(pairs.map(|(old, new)| (old as u32 + 1, new as u32 + 1)));
            }
        }
        keep(old_at..old.len(), new_at..new.len());
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
