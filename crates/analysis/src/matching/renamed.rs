//! Functions of another name at the same place of the call graph.
//!
//! ```text
//! main --> word_count --> is_space        main --> count_words --> is_space
//!                    \--> add                                 \--> add
//! ```
//! The score of two functions that nothing matched, from 0 to 1, is
//!
//! - one half for *neighbours*: of the callers and callees of both that are matched, the share that
//!   both have (Jaccard's index);
//! - three tenths for *names*: the pairs of letters that the last parts of both names share (Dice's
//!   coefficient), without case and underscores;
//! - two tenths for *values*: the smaller over the larger, of self values and of totals, in the mean;
//!   absolute or as a share of the program, whichever is closer.
//!
//! They are a match if a caller is common, neighbours are at least one half, names one half or
//! values four fifths, the score six tenths, and for neither any other function comes within one
//! tenth. One common neighbour is no evidence by itself: then file and name must be alike, too.
//! Functions below half a percent of the program are left alone: what samples hit in one run and
//! miss in the other looks like a rename. What was found makes more neighbours, so the search goes
//! on until nothing is found.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::compiled_names::Compiled;
use super::generic_names::without_arguments;
use super::values::{PROGRAM, Values, calls};
use super::{Matching, Rule, Side};

const NEIGHBOURS: f64 = 0.5;
const NAMES: f64 = 0.3;
const VALUES: f64 = 0.2;
const LEAST_NEIGHBOURS: f64 = 0.5;
const LEAST_NAME: f64 = 0.5;
const LEAST_VALUE: f64 = 0.8;
const LEAST_SCORE: f64 = 0.6;
const LEAD: f64 = 0.1;
/// One function in so many of the program is small.
const SMALL: i64 = 200;
/// No chain of renames is longer.
const MOST_ROUNDS: usize = 16;

/// Matches what is found.
pub(super) fn find(matching: &mut Matching<'_>) {
    let large = |side: &Side<'_>| -> Vec<u32> {
        let values = side.values();
        let is_large = |&number: &u32| {
            let total = values.total[number as usize].unsigned_abs();
            total != 0 && total.saturating_mul(SMALL as u64) >= values.program.unsigned_abs()
        };
        matching.candidates(side).filter(is_large).collect()
    };
    if matching.candidates(&matching.base).next().is_none()
        || matching.candidates(&matching.new).next().is_none()
    {
        return;
    }
    let mut base = Unknown::new(&matching.base, large(&matching.base));
    let mut new = Unknown::new(&matching.new, large(&matching.new));
    for _ in 0..MOST_ROUNDS {
        let found = best(matching, &base, &new);
        if found.is_empty() {
            return;
        }
        for (left, right, score) in found {
            matching.pair(left, right, Rule::Renamed, score);
            base.numbers.remove(&left);
            new.numbers.remove(&right);
        }
    }
}

/// The functions of one profile that are looked for.
struct Unknown {
    numbers: BTreeSet<u32>,
    /// By function: last part of its name, ready to be compared.
    names: HashMap<u32, String>,
    callers: HashMap<u32, Vec<u32>>,
    callees: HashMap<u32, Vec<u32>>,
}

impl Unknown {
    fn new(side: &Side<'_>, numbers: Vec<u32>) -> Unknown {
        let numbers = BTreeSet::from_iter(numbers);
        let name = |&number: &u32| (number, last_part(side.function(number).name));
        let names = numbers.iter().map(name).collect();
        let (mut callers, mut callees) = (HashMap::<_, Vec<_>>::new(), HashMap::<_, Vec<_>>::new());
        for (caller, callee) in calls(side.profile, &side.functions) {
            if caller == callee {
                continue;
            }
            if numbers.contains(&callee) {
                callers.entry(callee).or_default().push(caller);
            }
            if numbers.contains(&caller) {
                callees.entry(caller).or_default().push(callee);
            }
        }
        Unknown { numbers, names, callers, callees }
    }

    /// Matched callers and callees of a function, by what `known` says that they are.
    fn neighbours(&self, number: u32, known: impl Fn(u32) -> Option<u32>) -> Neighbours {
        let of = |list: &HashMap<u32, Vec<u32>>| -> HashSet<u32> {
            list.get(&number).into_iter().flatten().filter_map(|&other| known(other)).collect()
        };
        Neighbours { callers: of(&self.callers), callees: of(&self.callees) }
    }
}

/// Matched functions, by their numbers in the new profile.
struct Neighbours {
    callers: HashSet<u32>,
    callees: HashSet<u32>,
}

/// The matches of one round: those that are best for both, by some distance.
fn best(matching: &Matching<'_>, base: &Unknown, new: &Unknown) -> Vec<(u32, u32, f64)> {
    let of_base = |number: u32| match number {
        PROGRAM => Some(PROGRAM),
        number => matching.base.partner[number as usize],
    };
    let of_new = |number: u32| {
        let is_known = number == PROGRAM || matching.new.partner[number as usize].is_some();
        is_known.then_some(number)
    };
    let mut by_caller = HashMap::<u32, Vec<u32>>::new();
    let mut around = HashMap::new();
    for &number in &new.numbers {
        let neighbours = new.neighbours(number, of_new);
        for &caller in &neighbours.callers {
            by_caller.entry(caller).or_default().push(number);
        }
        around.insert(number, neighbours);
    }
    let mut scores = vec![];
    for &left in &base.numbers {
        let neighbours = base.neighbours(left, of_base);
        let others: BTreeSet<u32> = neighbours
            .callers
            .iter()
            .flat_map(|caller| by_caller.get(caller).into_iter().flatten().copied())
            .collect();
        for right in others {
            let pair = (left, right);
            if let Some(score) = score(matching, pair, (base, new), (&neighbours, &around[&right]))
            {
                scores.push((left, right, score));
            }
        }
    }
    let mut of_left = HashMap::<u32, Best>::new();
    let mut of_right = HashMap::<u32, Best>::new();
    for &(left, right, score) in &scores {
        of_left.entry(left).or_default().add(score.value);
        of_right.entry(right).or_default().add(score.value);
    }
    let is_best = |&(left, right, score): &(u32, u32, Score)| {
        score.is_enough && of_left[&left].is(score.value) && of_right[&right].is(score.value)
    };
    scores
        .into_iter()
        .filter(is_best)
        .map(|(left, right, score)| (left, right, score.value))
        .collect()
}

/// The two highest scores.
#[derive(Debug, Default)]
struct Best {
    first: f64,
    second: f64,
}

impl Best {
    fn add(&mut self, score: f64) {
        self.second = self.second.max(score.min(self.first));
        self.first = self.first.max(score);
    }

    fn is(&self, score: f64) -> bool {
        score >= self.first && self.first - self.second >= LEAD
    }
}

#[derive(Debug, Clone, Copy)]
struct Score {
    value: f64,
    /// Whether it would do if no other came near.
    is_enough: bool,
}

fn score(
    matching: &Matching<'_>,
    (left, right): (u32, u32),
    (base, new): (&Unknown, &Unknown),
    (around, other): (&Neighbours, &Neighbours),
) -> Option<Score> {
    let common = around.callers.intersection(&other.callers).count()
        + around.callees.intersection(&other.callees).count();
    let all =
        around.callers.union(&other.callers).count() + around.callees.union(&other.callees).count();
    let neighbours = common as f64 / all.max(1) as f64;
    if neighbours < LEAST_NEIGHBOURS {
        return None;
    }
    let name = name_likeness(&base.names[&left], &new.names[&right]);
    let value = value_likeness(matching, left, right);
    let score = NEIGHBOURS * neighbours + NAMES * name + VALUES * value;
    let same_place = matching.base.function(left).place == matching.new.function(right).place;
    let is_enough = score >= LEAST_SCORE
        && (name >= LEAST_NAME || value >= LEAST_VALUE)
        && (common >= 2 || same_place && name >= LEAST_NAME);
    Some(Score { value: score, is_enough })
}

fn value_likeness(matching: &Matching<'_>, left: u32, right: u32) -> f64 {
    let (base, new) = (matching.base.values(), matching.new.values());
    let ratio = |of: fn(&Values, usize) -> i64| {
        let (a, b) = (of(base, left as usize) as f64, of(new, right as usize) as f64);
        let (in_a, in_b) = (base.program as f64, new.program as f64);
        likeness(a, b).max(likeness(a * in_b, b * in_a))
    };
    (ratio(|values, row| values.own[row]) + ratio(|values, row| values.total[row])) / 2.0
}

/// The smaller over the larger; 1 for equal numbers, 0 for different signs.
fn likeness(a: f64, b: f64) -> f64 {
    match a == b {
        true => 1.0,
        false if a * b <= 0.0 => 0.0,
        false => a.abs().min(b.abs()) / a.abs().max(b.abs()),
    }
}

/// The part of a name after its class, module or package, in lower case without underscores.
fn last_part(name: &str) -> String {
    let name = without_arguments(&Compiled::of(name).name);
    let name = name.split('(').find(|part| part.ends_with(|c: char| c.is_alphanumeric()));
    let part = name.unwrap_or_default().rsplit([':', '.', '/', ')', '>', ' ']).next();
    part.unwrap_or_default().chars().filter(|&c| c != '_').flat_map(char::to_lowercase).collect()
}

/// Twice the pairs of letters that both have, over the pairs of both.
fn name_likeness(a: &str, b: &str) -> f64 {
    let pairs = |text: &str| {
        let mut pairs: Vec<(char, char)> = text.chars().zip(text.chars().skip(1)).collect();
        pairs.sort_unstable();
        pairs
    };
    let (a, b) = (pairs(a), pairs(b));
    let all = a.len() + b.len();
    let (mut a, mut b) = (a.into_iter().peekable(), b.into_iter().peekable());
    let mut common = 0;
    while let (Some(left), Some(right)) = (a.peek(), b.peek()) {
        match left.cmp(right) {
            std::cmp::Ordering::Less => drop(a.next()),
            std::cmp::Ordering::Greater => drop(b.next()),
            std::cmp::Ordering::Equal => {
                common += 1;
                a.next();
                b.next();
            }
        }
    }
    if all == 0 { 0.0 } else { 2.0 * common as f64 / all as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn last_parts() {
        for (name, part) in [
            ("main.countWords", "countwords"),
            ("app::text::word_count::h0123456789abcdef", "wordcount"),
            ("void ns::Parser<int>::parse_line(std::string const&)", "parseline"),
            ("main.(*Counter).Add", "add"),
            ("net/http.(*conn).serve", "serve"),
        ] {
            assert_eq!(last_part(name), part, "{name}");
        }
    }

    #[test]
    fn names_are_alike_by_pairs_of_letters() {
        assert_eq!(name_likeness("night", "night"), 1.0);
        assert_eq!(name_likeness("night", "nacht"), 0.25);
        assert_eq!(name_likeness("a", "b"), 0.0);
        assert!(name_likeness("countwords", "wordcount") > 0.7);
        assert!(name_likeness("tokenize", "tally") < 0.3);
    }
}
