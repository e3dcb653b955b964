//! Which events are measured in the same runs.
//!
//! A processor has few counters. Events that do not have one each share them by turns, and their
//! figures become estimates. So events are dealt out to several sets, each of which fits:
//!
//! ```text
//! cycles instructions | a b c d e        counters for four
//! set 1: cycles instructions a b
//! set 2: cycles instructions c d
//! set 3: cycles instructions e           what the kernel counts is in all of them
//! ```

/// Something to be measured as one: an event, or a group of them.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Item {
    /// How many counters of the processor it needs.
    pub(crate) counters: usize,
    /// Cycles or instructions, by which others are divided: in all sets.
    pub(crate) is_base: bool,
}

/// What came of it: items by their places.
#[derive(Debug, PartialEq)]
pub(crate) struct Sets {
    pub(crate) sets: Vec<Vec<usize>>,
    /// Items that do not fit even without others.
    pub(crate) too_large: Vec<usize>,
}

/// Deals items out to as few sets as come of putting each into the first that takes it.
pub(crate) fn deal(items: &[Item], mut fits: impl FnMut(&[usize]) -> bool) -> Sets {
    let places = |wanted: &dyn Fn(&Item) -> bool| -> Vec<usize> {
        (0..items.len()).filter(|&place| wanted(&items[place])).collect()
    };
    let free = places(&|item| item.counters == 0);
    let all = places(&|item| item.counters > 0);
    let mut too_large = vec![];
    let mut sets: Vec<Vec<usize>> = vec![];
    if all.len() < 2 || fits(&all) {
        sets.push(all);
    } else {
        let base = places(&|item| item.counters > 0 && item.is_base);
        for place in all.into_iter().filter(|place| !base.contains(place)) {
            let with = |set: &[usize]| [set, &[place]].concat();
            if let Some(set) = sets.iter_mut().find(|set| fits(&with(set))) {
                set.push(place);
            } else if fits(&with(&base)) {
                sets.push(with(&base));
            } else {
                if items[place].counters > 1 && !fits(&[place]) {
                    too_large.push(place);
                }
                // Without the base rather than not at all.
                sets.push(vec![place]);
            }
        }
        if sets.is_empty() {
            sets.extend(base.into_iter().map(|place| vec![place]));
        }
    }
    for set in &mut sets {
        set.extend(&free);
        set.sort_unstable();
    }
    Sets { sets, too_large }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Letters are events, capitals the base, digits software; brackets are groups.
    #[track_caller]
    fn check(letters: &str, counters: usize, expected: &[&str], too_large: usize) {
        let letters: Vec<char> = letters.chars().collect();
        let items: Vec<Item> = letters
            .iter()
            .map(|c| Item {
                counters: match c {
                    '0'..='9' => 0,
                    'g' => 3,
                    _ => 1,
                },
                is_base: c.is_uppercase(),
            })
            .collect();
        let fits = |set: &[usize]| {
            set.iter().map(|&place| items[place].counters).sum::<usize>() <= counters
        };
        let dealt = deal(&items, fits);
        let names: Vec<String> = dealt
            .sets
            .iter()
            .map(|set| set.iter().map(|&place| letters[place]).collect())
            .collect();
        assert_eq!(names, expected);
        assert_eq!(dealt.too_large.len(), too_large);
    }

    #[test]
    fn nothing_is_split_that_fits() {
        check("CIab", 4, &["CIab"], 0);
        check("12", 0, &["12"], 0);
        check("C1", 0, &["C1"], 0);
        check("", 4, &[""], 0);
    }

    #[test]
    fn cycles_and_instructions_are_in_each_set() {
        check("CIabcde1", 4, &["CIab1", "CIcd1", "CIe1"], 0);
        check("CIgab", 5, &["CIg", "CIab"], 0);
        check("CI", 1, &["C", "I"], 0);
        check("abc", 2, &["ab", "c"], 0);
    }

    #[test]
    fn what_does_not_fit_beside_them_is_alone() {
        check("CIga", 3, &["g", "CIa"], 0);
        check("CIga", 2, &["g", "a"], 1);
    }
}
