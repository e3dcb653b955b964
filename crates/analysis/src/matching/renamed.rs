//! Functions of another name at the same place of the call graph.
//!
//! ```text
//! main --> word_count --> is_space        main --> count_words --> is_space
//!                    \--> add                                 \--> add
//! ```
//! The score of two functions that nothing matched, from 0 to 1, is
//!
//! - four tenths for *neighbours*: of the callers of both that are known, the share that both have
//!   (Jaccard's index); likewise of the callees; the mean of both. Calls that are less than a
//!   twentieth of the function's total in both do not count, for samples find them in one run and
//!   not in the other. Known are functions that are matched, or whose name both profiles have;
//! - two tenths for *names*: the pairs of letters that the last parts of both names share (Dice's
//!   coefficient), without case and underscores;
//! - two tenths for *values*: of the self value and of what callees cost, the smaller ones over the
//!   larger ones; absolute or as shares of the program, whichever is closer;
//! - two tenths for the same file, or module where no file is known.
//!
//! They are a match if a caller is common, neighbours are at least one half, names one half or
//! values seven tenths, the score six tenths, and for neither any other function comes within one
//! tenth. One common neighbour is not evidence by itself: then file and name must be alike, too.
//! Functions below half a percent of the program are left alone: what samples hit in one run and
//! miss in the other looks like a rename. What was found makes more neighbours, so the search goes
//! on until nothing is found.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::compiled_names::Compiled;
use super::generic_names::without_arguments;
use super::matches::Side;
use super::values::{PROGRAM, Values, calls};
use super::{Matching, Rule};
use crate::identity::Place;

const NEIGHBOURS: f64 = 0.4;
const NAMES: f64 = 0.2;
const VALUES: f64 = 0.2;
const PLACE: f64 = 0.2;
const LEAST_NEIGHBOURS: f64 = 0.5;
const LEAST_NAME: f64 = 0.5;
const LEAST_VALUE: f64 = 0.7;
const LEAST_SCORE: f64 = 0.6;
const LEAD: f64 = 0.1;
/// One function in so many of the program is small.
const SMALL: u64 = 200;
/// One call in so many of a function's total is small.
const SMALL_CALL: u64 = 20;
/// The program's name as a caller: no function has none.
const THE_PROGRAM: &str = "";
/// No chain of renames is longer.
const MOST_ROUNDS: usize = 16;

/// Matches what is found.
pub(super) fn find(matching: &mut Matching<'_>) {
    let large = |side: &Side<'_>| -> Vec<u32> {
        let values = side.values();
        let is_large = |&number: &u32| {
            let total = values.total[number as usize].unsigned_abs();
            total != 0 && total.saturating_mul(SMALL) >= values.program.unsigned_abs()
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

/// The other end of a call, and whether the call is not a small part of the function.
type Call = (u32, bool);

/// The functions of one profile that are looked for.
struct Unknown {
    numbers: BTreeSet<u32>,
    /// By function: last part of its name, ready to be compared.
    names: HashMap<u32, String>,
    callers: HashMap<u32, Vec<Call>>,
    callees: HashMap<u32, Vec<Call>>,
}

impl Unknown {
    fn new(side: &Side<'_>, numbers: Vec<u32>) -> Unknown {
        let numbers = BTreeSet::from_iter(numbers);
        let name = |&number: &u32| (number, last_part(side.function(number).name));
        let names = numbers.iter().map(name).collect();
        let (mut callers, mut callees) = (HashMap::<_, Vec<_>>::new(), HashMap::<_, Vec<_>>::new());
        for ((caller, callee), value) in calls(side.profile, &side.functions) {
            if caller == callee {
                continue;
            }
            let is_large = |number: u32| {
                let total = side.values().total[number as usize].unsigned_abs();
                value.unsigned_abs().saturating_mul(SMALL_CALL) >= total
            };
            if numbers.contains(&callee) {
                callers.entry(callee).or_default().push((caller, is_large(callee)));
            }
            if numbers.contains(&caller) {
                callees.entry(caller).or_default().push((callee, is_large(caller)));
            }
        }
        Unknown { numbers, names, callers, callees }
    }

    /// Callers and callees of a function, by what `known` calls them.
    fn neighbours<'a>(
        &self,
        number: u32,
        known: impl Fn(u32) -> Option<&'a str>,
    ) -> Neighbours<'a> {
        let of = |list: &HashMap<u32, Vec<Call>>| -> HashMap<&'a str, bool> {
            let calls = list.get(&number).into_iter().flatten();
            calls.filter_map(|&(other, is_large)| Some((known(other)?, is_large))).collect()
        };
        Neighbours { callers: of(&self.callers), callees: of(&self.callees) }
    }
}

/// Known functions, by their names in the new profile, and whether their calls are not a small part of
/// the function.
struct Neighbours<'a> {
    callers: HashMap<&'a str, bool>,
    callees: HashMap<&'a str, bool>,
}

/// How many callers, or callees, both functions have, and how many either: of those that count for
/// either.
fn common(a: &HashMap<&str, bool>, b: &HashMap<&str, bool>) -> (usize, usize) {
    let large = |calls: &HashMap<&str, bool>, name: &str| calls.get(name) == Some(&true);
    let all: HashSet<&str> = a.keys().chain(b.keys()).copied().collect();
    let counting = all.iter().filter(|name| large(a, name) || large(b, name));
    let is_common = |name: &&&str| a.contains_key(**name) && b.contains_key(**name);
    (counting.clone().filter(is_common).count(), counting.count())
}

/// The matches of one round: those that are best for both, by some distance.
fn best<'a>(matching: &Matching<'a>, base: &Unknown, new: &Unknown) -> Vec<(u32, u32, f64)> {
    let known = |side: &Side<'a>, number: u32| {
        let name = side.function(number).name;
        (!matching.loose.contains(name)).then_some(name)
    };
    let of_base = |number: u32| match number {
        PROGRAM => Some(THE_PROGRAM),
        number => match matching.base.partner[number as usize] {
            Some(partner) => Some(matching.new.function(partner).name),
            None => known(&matching.base, number),
        },
    };
    let of_new = |number: u32| match number {
        PROGRAM => Some(THE_PROGRAM),
        number if matching.new.partner[number as usize].is_some() => {
            Some(matching.new.function(number).name)
        }
        number => known(&matching.new, number),
    };
    let mut by_caller = HashMap::<&str, Vec<u32>>::new();
    let mut around = HashMap::new();
    for &number in &new.numbers {
        let neighbours = new.neighbours(number, of_new);
        for &caller in neighbours.callers.keys() {
            by_caller.entry(caller).or_default().push(number);
        }
        around.insert(number, neighbours);
    }
    let mut scores = vec![];
    for &left in &base.numbers {
        let neighbours = base.neighbours(left, of_base);
        let others: BTreeSet<u32> = neighbours
            .callers
            .keys()
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
    (around, other): (&Neighbours<'_>, &Neighbours<'_>),
) -> Option<Score> {
    let callers = common(&around.callers, &other.callers);
    let callees = common(&around.callees, &other.callees);
    let share = |(common, all): (usize, usize)| common as f64 / all.max(1) as f64;
    let neighbours = match callees {
        (_, 0) => share(callers),
        _ => (share(callers) + share(callees)) / 2.0,
    };
    if neighbours < LEAST_NEIGHBOURS {
        return None;
    }
    let name = name_likeness(&base.names[&left], &new.names[&right]);
    let value = value_likeness(matching, left, right);
    let place = &matching.base.function(left).place;
    let same_place = *place == matching.new.function(right).place;
    let in_place = if same_place && *place != Place::Module("") { 1.0 } else { 0.0 };
    let score = NEIGHBOURS * neighbours + NAMES * name + VALUES * value + PLACE * in_place;
    let is_enough = score >= LEAST_SCORE
        && (name >= LEAST_NAME || value >= LEAST_VALUE)
        && (callers.0 + callees.0 >= 2 || same_place && name >= LEAST_NAME);
    Some(Score { value: score, is_enough })
}

fn value_likeness(matching: &Matching<'_>, left: u32, right: u32) -> f64 {
    let (base, new) = (matching.base.values(), matching.new.values());
    let parts = |values: &Values, row: u32| {
        let (own, total) = (values.own[row as usize] as f64, values.total[row as usize] as f64);
        [own, total - own]
    };
    let (parts_base, parts_new) = (parts(base, left), parts(new, right));
    let scaled = |parts: [f64; 2], by: i64| parts.map(|part| part * by as f64);
    let shares = likeness(scaled(parts_base, new.program), scaled(parts_new, base.program));
    likeness(parts_base, parts_new).max(shares)
}

/// The smaller parts over the larger ones; 0 where a part is negative.
fn likeness(a: [f64; 2], b: [f64; 2]) -> f64 {
    let sum = |pick: fn(f64, f64) -> f64| pick(a[0], b[0]) + pick(a[1], b[1]);
    let is_negative = a.into_iter().chain(b).any(|part| part < 0.0);
    let (smaller, larger) = (sum(f64::min), sum(f64::max));
    if is_negative || larger == 0.0 { 0.0 } else { smaller / larger }
}

/// The part of a name after its class, module or package, in lower case without underscores.
fn last_part(name: &str) -> String {
    let name = without_arguments(&Compiled::new(name).name);
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
