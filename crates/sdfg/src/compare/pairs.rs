//! Pairs of elements that were found.

use std::collections::{BTreeSet, HashMap};
use std::hash::Hash;

use super::{Match, Matches, Sides};

/// Pairs that were found.
#[derive(Debug)]
pub(super) struct Pairs<I> {
    pub(super) new_of: HashMap<I, I>,
    taken: BTreeSet<I>,
}

impl<I: Copy + Ord + Hash> Pairs<I> {
    pub(super) fn new() -> Pairs<I> {
        Pairs { new_of: HashMap::new(), taken: BTreeSet::new() }
    }

    pub(super) fn add(&mut self, base: I, new: I) {
        self.new_of.insert(base, new);
        self.taken.insert(new);
    }

    /// Pairs what has the same key, in the order that it comes in, and gives the new pairs.
    pub(super) fn by_key<K: Eq + Hash>(
        &mut self,
        base: &[I],
        new: &[I],
        key: impl Fn(bool, I) -> Option<K>,
    ) -> Vec<Sides<I>> {
        let mut waiting: HashMap<K, Vec<I>> = HashMap::new();
        for &one in new.iter().rev().filter(|one| !self.taken.contains(one)) {
            if let Some(key) = key(true, one) {
                waiting.entry(key).or_default().push(one);
            }
        }
        let mut found = vec![];
        for &one in base.iter().filter(|one| !self.new_of.contains_key(one)) {
            let same = key(false, one).and_then(|key| waiting.get_mut(&key)?.pop());
            found.extend(same.map(|same| Sides { base: one, new: same }));
        }
        for pair in &found {
            self.add(pair.base, pair.new);
        }
        found
    }

    pub(super) fn finish(
        self,
        all: Sides<Vec<I>>,
        differs: impl Fn(Sides<I>) -> bool,
    ) -> Matches<I> {
        let mut matches = Matches { both: vec![], only_base: vec![], only_new: vec![] };
        for base in all.base {
            match self.new_of.get(&base) {
                Some(&new) => {
                    let at = Sides { base, new };
                    matches.both.push(Match { at, differs: differs(at) });
                }
                None => matches.only_base.push(base),
            }
        }
        matches.only_new = all.new;
        matches.only_new.retain(|new| !self.taken.contains(new));
        matches
    }
}
