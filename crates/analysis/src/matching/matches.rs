//! Functions of two profiles, matched.

use std::cell::OnceCell;
use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::hash::Hash;

use profile::Profile;

use super::compiled_names::Compiled;
use super::functions::{Function, Functions};
use super::rule::{Rule, Rules};
use super::values::Values;
use super::{generic_names, renamed, rewrite};
use crate::identity::Place;

/// A function of the base and the one that it is in the new profile.
#[derive(Debug, Clone, PartialEq)]
pub struct Match {
    /// As the base has it.
    pub base: MatchedFunction,
    /// As the new profile has it; views show both under this name.
    pub new: MatchedFunction,
    /// The rule that matched them.
    pub rule: Rule,
    /// How sure that is, from 0 to 1: less than 1 for [`Rule::Renamed`] only.
    pub score: f64,
}

/// A function as one of the profiles has it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MatchedFunction {
    /// Its name.
    pub name: String,
    /// Its source file; its module where no file is known; may be empty.
    pub place: String,
    /// Where it starts, if its file has several functions of its name; else 0.
    pub start_line: u32,
}

/// Functions of a base matched with those of a new profile.
pub(crate) struct Matching<'a> {
    pub(super) base: Side<'a>,
    pub(super) new: Side<'a>,
    /// Names that only one profile has, and at one place only: those that may get another. Views
    /// tell functions of one name no further apart.
    pub(super) loose: HashSet<&'a str>,
    pairs: Vec<Pair>,
}

/// Numbers of matched functions.
#[derive(Debug, Clone, Copy)]
struct Pair {
    base: u32,
    new: u32,
    rule: Rule,
    score: f64,
}

/// One of the profiles.
pub(super) struct Side<'a> {
    pub(super) profile: &'a Profile,
    pub(super) functions: Functions<'a>,
    /// By function: what it is matched with.
    pub(super) partner: Vec<Option<u32>>,
    values: OnceCell<Values>,
}

impl<'a> Side<'a> {
    fn new(profile: &'a Profile) -> Side<'a> {
        let functions = Functions::new(profile);
        let partner = vec![None; functions.list.len()];
        Side { profile, functions, partner, values: OnceCell::new() }
    }

    pub(super) fn function(&self, number: u32) -> &Function<'a> {
        &self.functions.list[number as usize]
    }

    fn numbers(&self) -> std::ops::Range<u32> {
        0..self.functions.list.len() as u32
    }

    /// Those that nothing matched yet.
    fn unmatched(&self) -> impl Iterator<Item = u32> + '_ {
        self.numbers().filter(|&number| self.partner[number as usize].is_none())
    }

    pub(super) fn values(&self) -> &Values {
        self.values.get_or_init(|| Values::new(self.profile, &self.functions))
    }
}

/// Functions of both profiles that a rule takes for the same.
#[derive(Default)]
struct Group {
    base: Vec<u32>,
    new: Vec<u32>,
}

impl<'a> Matching<'a> {
    /// Asks the rules in their order.
    pub(crate) fn new(base: &'a Profile, new: &'a Profile, rules: Rules) -> Matching<'a> {
        let (base, new) = (Side::new(base), Side::new(new));
        let mut places = HashMap::<&str, u32>::new();
        for function in base.functions.list.iter().chain(&new.functions.list) {
            *places.entry(function.name).or_default() += 1;
        }
        let loose = places.into_iter().filter(|&(_, places)| places == 1).map(|(name, _)| name);
        let loose = loose.collect();
        let mut matching = Matching { base, new, loose, pairs: vec![] };
        for rule in Rule::ALL.into_iter().filter(|&rule| rules.contains(rule)) {
            match rule {
                Rule::Exact => matching.exact(),
                Rule::Line => matching.same_place(),
                Rule::Moved => matching.moved(),
                Rule::Clone => matching.clones(),
                Rule::Template => matching.templates(rules.contains(Rule::Clone)),
                Rule::Renamed => renamed::find(&mut matching),
            }
        }
        matching
    }

    /// The matches, by rule and then by name.
    pub(crate) fn matches(&self) -> Vec<Match> {
        let told = |function: &Function<'_>| MatchedFunction {
            name: function.name.to_owned(),
            place: function.told_place.to_owned(),
            start_line: function.start.0,
        };
        let told = |pair: &Pair| Match {
            base: told(self.base.function(pair.base)),
            new: told(self.new.function(pair.new)),
            rule: pair.rule,
            score: pair.score,
        };
        let mut matches: Vec<Match> = self.pairs.iter().map(told).collect();
        matches.sort_by(|a, b| (a.rule, &a.new, &a.base).cmp(&(b.rule, &b.new, &b.base)));
        matches
    }

    /// The base with names, files and lines of the new profile; none where all are the same.
    pub(crate) fn rewritten_base(&self) -> Option<Profile> {
        let sides = |pair: &Pair| (self.base.function(pair.base), self.new.function(pair.new));
        // Equal functions may still stand under another folder.
        let differs = |pair: &&Pair| {
            let (base, new) = sides(pair);
            pair.rule != Rule::Exact || base.told_place != new.told_place
        };
        let pairs = self.pairs.iter().filter(differs).map(sides);
        rewrite::rewritten(self.base.profile, self.new.profile, pairs)
    }

    pub(super) fn pair(&mut self, base: u32, new: u32, rule: Rule, score: f64) {
        self.base.partner[base as usize] = Some(new);
        self.new.partner[new as usize] = Some(base);
        self.pairs.push(Pair { base, new, rule, score });
    }

    /// Functions of the same name and place that start at the same lines.
    fn exact(&mut self) {
        let key = |function: &Function<'a>| {
            (function.name, function.place.clone(), function.start, function.lines.clone())
        };
        let new: HashMap<_, u32> =
            self.new.unmatched().map(|number| (key(self.new.function(number)), number)).collect();
        let partner = |number: u32| Some((number, *new.get(&key(self.base.function(number)))?));
        let found: Vec<_> = self.base.unmatched().filter_map(partner).collect();
        found.into_iter().for_each(|(base, new)| self.pair(base, new, Rule::Exact, 1.0));
    }

    /// Functions of the same name and place that start at any lines: as many on both sides are
    /// paired in the order of their lines.
    fn same_place(&mut self) {
        let mut groups = HashMap::<_, Group>::new();
        let key = |function: &Function<'a>| (function.name, function.place.clone());
        for number in self.base.unmatched() {
            groups.entry(key(self.base.function(number))).or_default().base.push(number);
        }
        for number in self.new.unmatched() {
            groups.entry(key(self.new.function(number))).or_default().new.push(number);
        }
        let even = groups.into_values().filter(|group| group.base.len() == group.new.len());
        let mut found: Vec<_> =
            even.flat_map(|group| group.base.into_iter().zip(group.new)).collect();
        found.sort_unstable();
        found.into_iter().for_each(|(base, new)| self.pair(base, new, Rule::Line, 1.0));
    }

    /// The only functions of their name.
    fn moved(&mut self) {
        let named = |side: &Side<'a>| {
            let mut only = HashMap::<&'a str, Option<u32>>::new();
            for number in side.numbers() {
                let name = side.function(number).name;
                only.entry(name).and_modify(|only| *only = None).or_insert(Some(number));
            }
            only
        };
        let new = named(&self.new);
        let mut found = vec![];
        for (name, number) in named(&self.base) {
            if let (Some(base), Some(&Some(new))) = (number, new.get(name))
                && self.base.partner[base as usize].is_none()
                && self.base.function(base).place != self.new.function(new).place
            {
                found.push((base, new));
            }
        }
        found.sort_unstable();
        found.into_iter().for_each(|(base, new)| self.pair(base, new, Rule::Moved, 1.0));
    }

    /// Functions whose names differ by what the compiler appends. Several are paired in the order
    /// of their numbers, those without in the order of their totals.
    fn clones(&mut self) {
        let compiled = |side: &Side<'a>| -> Vec<Compiled> {
            side.functions.list.iter().map(|function| Compiled::new(function.name)).collect()
        };
        let (base, new) = (compiled(&self.base), compiled(&self.new));
        // Where a closure kept its number, the others' numbers tell different closures.
        let settled: HashSet<String> = [(&self.base, &base), (&self.new, &new)]
            .into_iter()
            .flat_map(|(side, names)| side.partner.iter().zip(names))
            .filter(|(partner, name)| partner.is_some() && name.is_numbered)
            .map(|(_, name)| name.name.clone())
            .collect();
        let name = |name: &Compiled| {
            let is_settled = name.is_numbered && settled.contains(&name.name);
            (!is_settled).then(|| name.name.clone())
        };
        let rank = |names: &[Compiled], number: u32| names[number as usize].numbers.clone();
        self.pair_groups(
            Rule::Clone,
            (|number| name(&base[number as usize]), |number| name(&new[number as usize])),
            (|number| rank(&base, number), |number| rank(&new, number)),
        );
    }

    /// Functions whose names differ by what stands in their brackets. Several are paired in the
    /// order of their totals.
    fn templates(&mut self, clones: bool) {
        let name = |name: &str| {
            let compiled = if clones { Compiled::new(name).name } else { name.to_owned() };
            Some(generic_names::without_arguments(&compiled))
        };
        let names = |side: &Side<'a>| -> Vec<Option<String>> {
            side.functions.list.iter().map(|function| name(function.name)).collect()
        };
        let (base, new) = (names(&self.base), names(&self.new));
        self.pair_groups(
            Rule::Template,
            (|number| base[number as usize].clone(), |number| new[number as usize].clone()),
            (|_| (), |_| ()),
        );
    }

    /// Pairs loose functions by a name that a rule gives them: first those of the same place, then those of any. As many of one
    /// name on both sides are paired in the order of rank, total and name; of other numbers
    /// nobody knows which is which, so they stay alone.
    fn pair_groups<R: Ord>(
        &mut self,
        rule: Rule,
        name: (impl Fn(u32) -> Option<String>, impl Fn(u32) -> Option<String>),
        rank: (impl Fn(u32) -> R, impl Fn(u32) -> R),
    ) {
        for by_place in [true, false] {
            let place =
                |side: &Side<'a>, number| by_place.then(|| side.function(number).place.clone());
            let mut groups = HashMap::<(Option<Place<'a>>, String), Group>::new();
            for number in self.candidates(&self.base) {
                if let Some(name) = name.0(number) {
                    groups.entry((place(&self.base, number), name)).or_default().base.push(number);
                }
            }
            for number in self.candidates(&self.new) {
                if let Some(name) = name.1(number) {
                    groups.entry((place(&self.new, number), name)).or_default().new.push(number);
                }
            }
            let mut found = vec![];
            for Group { mut base, mut new } in groups.into_values() {
                if base.len() != new.len() {
                    continue;
                }
                if base.len() > 1 {
                    sort_by_rank(&self.base, &mut base, &rank.0);
                    sort_by_rank(&self.new, &mut new, &rank.1);
                }
                found.extend(base.into_iter().zip(new));
            }
            found.sort_unstable();
            found.into_iter().for_each(|(base, new)| self.pair(base, new, rule, 1.0));
        }
    }

    /// Those that nothing matched and that may get another name.
    pub(super) fn candidates<'b>(&'b self, side: &'b Side<'a>) -> impl Iterator<Item = u32> + 'b {
        side.unmatched().filter(|&number| self.loose.contains(side.function(number).name))
    }
}

fn sort_by_rank<R: Ord>(side: &Side<'_>, numbers: &mut [u32], rank: impl Fn(u32) -> R) {
    numbers.sort_by_cached_key(|&number| {
        let Function { name, ref place, .. } = *side.function(number);
        let total = side.values().total[number as usize];
        (rank(number), Reverse(total), name, place.clone())
    });
}
