//! Which layouts and orders of loops miss least.
//!
//! Every variant is simulated at the sizes of the program, so that its misses are exact; which are tried is a
//! choice. First all orders of loops, each with the layouts as they are, with each container laid out as the
//! loops then go through it, and with containers of as many dimensions all permuted alike. Then, from the
//! best on, one container at a time: its permutations and paddings of its rows. The best that were tried need
//! not be the best that there are.

use std::collections::{BTreeSet, HashSet};

use crate::change::order_of;
use crate::nest::Step;
use crate::{
    Caches, Change, ChangeError, Error, Misses, Options, Placement, Program, Smaller, Space, apply,
    distances, misses,
};

/// Chains of more loops are ordered by their last ones alone.
const MOST_LOOPS: usize = 4;

/// So many of the best are what others are tried from.
const WIDTH: usize = 3;

/// Where and how much is searched.
#[derive(Clone, Copy)]
pub struct Searching<'a> {
    /// What misses count; the first level's, those of others where it is even.
    pub caches: &'a Caches,
    /// How containers are placed.
    pub placement: Placement,
    /// Bytes of a line.
    pub line: u64,
    /// No more variants are simulated.
    pub most: usize,
    /// Asked now and then, with how many were simulated; false stops, and what was found is told.
    pub goes_on: &'a dyn Fn(usize) -> bool,
}

/// A variant of a program.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Variant {
    /// By level.
    pub misses: Vec<u64>,
    /// How it comes about; nothing is the program as it is.
    pub changes: Vec<Change>,
    /// Whether it is not proven that the order of loops may be so: only smaller sizes were looked at.
    pub is_unproven: bool,
}

/// What a search found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The program as it is.
    pub plain: Variant,
    /// All variants that were simulated, those that miss least first; of those that miss as much, those of
    /// fewer changes, and then those that were tried sooner.
    pub variants: Vec<Variant>,
    /// Orders of loops that what depends on what forbids, and variants that cannot be simulated.
    pub refused: usize,
    /// Variants that were not simulated to their end, because they already miss more than the best: in a fully
    /// associative cache, or in sets.
    pub skipped: usize,
    /// Whether it came to its end before it had simulated as many as it may.
    pub has_ended: bool,
}

/// Orders by chain of loops, and layouts by container.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
struct Choice {
    orders: Vec<Option<Vec<String>>>,
    /// Dimensions in memory, and a multiple of elements for rows.
    layouts: Vec<(Vec<usize>, Option<u64>)>,
}

struct Search<'a> {
    program: &'a Program,
    smaller: Smaller<'a>,
    searching: &'a Searching<'a>,
    known: HashSet<Choice>,
    done: Vec<(Variant, Choice)>,
    refused: usize,
    skipped: usize,
    is_full: bool,
}

/// Searches variants of a program.
pub fn search(
    program: &Program,
    smaller: Smaller<'_>,
    searching: &Searching<'_>,
) -> Result<Found, ChangeError> {
    let mut chains = vec![];
    named(&program.nest.body, &program.variables, &mut vec![], &mut chains);
    let layouts: Vec<(Vec<usize>, Option<u64>)> =
        program.containers.iter().map(|one| (order_of(&one.strides), None)).collect();
    let plain = Choice { orders: vec![None; chains.len()], layouts };
    let mut search = Search {
        program,
        smaller,
        searching,
        known: HashSet::from([plain.clone()]),
        done: vec![],
        refused: 0,
        skipped: 0,
        is_full: false,
    };
    let misses = search.misses(program, u64::MAX, None)?;
    let own = Variant { misses, changes: vec![], is_unproven: false };
    search.done.push((own.clone(), plain.clone()));
    for orders in search.orders(&chains) {
        for layouts in search.layouts(&plain, &orders) {
            search.attempt(Choice { orders: orders.clone(), layouts });
        }
    }
    let mut from = BTreeSet::new();
    loop {
        search.sort();
        let best: Vec<Choice> =
            search.done.iter().take(WIDTH).map(|(_, choice)| choice.clone()).collect();
        let mut is_new = false;
        for choice in best {
            if search.is_full || !from.insert(format!("{choice:?}")) {
                continue;
            }
            is_new = true;
            for next in search.near(&choice) {
                search.attempt(next);
            }
        }
        if !is_new {
            break;
        }
    }
    let Search { done, refused, skipped, is_full, .. } = search;
    let variants = done.into_iter().map(|(variant, _)| variant).collect();
    Ok(Found { plain: own, variants, refused, skipped, has_ended: !is_full })
}

/// Names of loops that stand directly within each other, two at least, each list once.
fn named(steps: &[Step], names: &[String], chain: &mut Vec<String>, out: &mut Vec<Vec<String>>) {
    for step in steps {
        let Step::Loop(one) = step else { continue };
        chain.push(names[one.variable as usize].clone());
        if let [Step::Loop(_)] = one.body[..] {
            named(&one.body, names, chain, out);
        } else {
            let last = chain.len().saturating_sub(MOST_LOOPS);
            let own = chain[last..].to_vec();
            let different: BTreeSet<&String> = own.iter().collect();
            let sorted = |list: &Vec<String>| {
                let mut list = list.clone();
                list.sort();
                list
            };
            let is_known = out.iter().any(|known| sorted(known) == sorted(&own));
            if different.len() == own.len() && own.len() > 1 && !is_known {
                out.push(own);
            }
            named(&one.body, names, &mut vec![], out);
        }
        chain.pop();
    }
}

/// All orders of a list, that of the list first.
fn permutations<T: Clone>(list: &[T]) -> Vec<Vec<T>> {
    if list.is_empty() {
        return vec![vec![]];
    }
    let mut all = vec![];
    for place in 0..list.len() {
        let mut rest = list.to_vec();
        let first = rest.remove(place);
        for mut more in permutations(&rest) {
            more.insert(0, first.clone());
            all.push(more);
        }
    }
    all
}

impl Search<'_> {
    /// Orders of all chains that are allowed; where those together are many, of one chain at a time.
    fn orders(&mut self, chains: &[Vec<String>]) -> Vec<Vec<Option<Vec<String>>>> {
        let mut allowed = vec![];
        for chain in chains {
            let mut own = vec![None];
            for order in permutations(chain).into_iter().skip(1) {
                let change = Change::Order(order.clone());
                match apply(self.program, self.smaller, &[change]) {
                    Ok(_) => own.push(Some(order)),
                    Err(_) => self.refused += 1,
                }
            }
            allowed.push(own);
        }
        let plain = vec![None; chains.len()];
        let together = allowed.iter().fold(1usize, |all, own| all.saturating_mul(own.len()));
        if together > self.searching.most / 2 {
            let mut all = vec![plain.clone()];
            for (place, own) in allowed.iter().enumerate() {
                for order in own.iter().skip(1) {
                    let mut next = plain.clone();
                    next[place].clone_from(order);
                    all.push(next);
                }
            }
            return all;
        }
        allowed.iter().enumerate().fold(vec![plain], |all, (place, own)| {
            let with = |before: &Vec<Option<Vec<String>>>, order: &Option<Vec<String>>| {
                let mut next = before.clone();
                next[place].clone_from(order);
                next
            };
            all.iter().flat_map(|before| own.iter().map(|order| with(before, order))).collect()
        })
    }

    /// Layouts to try with an order.
    fn layouts(
        &self,
        plain: &Choice,
        orders: &[Option<Vec<String>>],
    ) -> Vec<Vec<(Vec<usize>, Option<u64>)>> {
        let mut all = vec![plain.layouts.clone()];
        let changes: Vec<Change> = orders.iter().flatten().cloned().map(Change::Order).collect();
        if let Ok(done) = apply(self.program, self.smaller, &changes) {
            all.push(as_loops_go(&done.program, &plain.layouts));
        }
        let sizes: BTreeSet<usize> = plain.layouts.iter().map(|(order, _)| order.len()).collect();
        for size in sizes.into_iter().filter(|size| (2..=MOST_LOOPS).contains(size)) {
            let dimensions: Vec<usize> = (0..size).collect();
            for order in permutations(&dimensions) {
                let own = plain.layouts.iter().map(|(old, row)| {
                    (if old.len() == size { order.clone() } else { old.clone() }, *row)
                });
                all.push(own.collect());
            }
        }
        all
    }

    /// Choices in which one container is laid out otherwise.
    fn near(&self, choice: &Choice) -> Vec<Choice> {
        let mut all = vec![];
        for (number, container) in self.program.containers.iter().enumerate() {
            let (order, row) = &choice.layouts[number];
            let Some(&innermost) = order.last().filter(|_| order.len() > 1) else { continue };
            let mut with = |layout: (Vec<usize>, Option<u64>)| {
                let mut next = choice.clone();
                next.layouts[number] = layout;
                all.push(next);
            };
            if order.len() <= MOST_LOOPS {
                let dimensions: Vec<usize> = (0..order.len()).collect();
                permutations(&dimensions).into_iter().for_each(|order| with((order, *row)));
            } else {
                for place in 1..order.len() {
                    let mut order = order.clone();
                    order.swap(place - 1, place);
                    with((order, *row));
                }
            }
            // Rows of whole lines, and of one line more.
            let each = (self.searching.line / container.element.max(1)).max(1);
            let whole = container.shape[innermost].next_multiple_of(each);
            for row in [each, whole.saturating_add(each)] {
                with((order.clone(), Some(row)));
            }
        }
        all
    }

    fn attempt(&mut self, choice: Choice) {
        if self.is_full || !self.known.insert(choice.clone()) {
            return;
        }
        if self.done.len() > self.searching.most || !(self.searching.goes_on)(self.done.len()) {
            self.is_full = true;
            return;
        }
        let changes = self.changes(&choice);
        let changed = apply(self.program, self.smaller, &changes);
        let measured = changed.and_then(|done| {
            let misses = self.misses_if_few(&done.program)?;
            Ok(misses.map(|misses| (misses, done.is_unproven)))
        });
        match measured {
            Ok(None) => self.skipped += 1,
            Ok(Some((misses, is_unproven))) => {
                self.done.push((Variant { misses, changes, is_unproven }, choice));
            }
            Err(ChangeError::Program(Error::Stopped)) => self.is_full = true,
            Err(_) => self.refused += 1,
        }
    }

    fn changes(&self, choice: &Choice) -> Vec<Change> {
        let mut changes = vec![];
        for (own, (order, row)) in self.program.containers.iter().zip(&choice.layouts) {
            if *order != order_of(&own.strides) {
                let container = own.name.clone();
                changes.push(Change::Permute { container, order: order.clone() });
            }
            if let Some(multiple) = *row {
                changes.push(Change::Pad { container: own.name.clone(), multiple });
            }
        }
        changes.extend(choice.orders.iter().flatten().cloned().map(Change::Order));
        changes
    }

    fn sort(&mut self) {
        self.done.sort_by(|(one, _), (other, _)| {
            let by = |variant: &Variant| (variant.misses.clone(), variant.changes.len());
            // What was tried sooner stays in front: layouts that are alike, as the loops go.
            by(one).cmp(&by(other))
        });
    }

    /// Misses of a fully associative cache with as many lines as the first level has; more than so many are not counted
    /// to their end.
    fn anywhere(&self, program: &Program, most_misses: u64) -> Result<Misses, Error> {
        let Searching { caches, placement, line, goes_on, .. } = *self.searching;
        let space = Space::new(program.containers.clone(), placement, line)?;
        let depth = caches.levels.first().map_or(1, |one| one.size / line);
        let count = self.done.len();
        let goes_on = |_| goes_on(count);
        let options = Options { depth, goes_on: &goes_on, most_misses, ..Options::default() };
        Ok(distances(&program.nest, &space, &options)?.total().misses(depth))
    }

    /// Misses; none where it is told sooner that they are many, for sets take longer to simulate.
    fn misses_if_few(&self, program: &Program) -> Result<Option<Vec<u64>>, Error> {
        if self.searching.caches.has_stack_distances() {
            return self.misses(program, u64::MAX, None).map(Some);
        }
        let all = self.done.iter().filter_map(|(variant, _)| variant.misses.first().copied());
        let best = all.min().unwrap_or(u64::MAX);
        let few = match self.anywhere(program, best) {
            Ok(anywhere) if anywhere.all() > best => return Ok(None),
            Ok(anywhere) => self.misses(program, best, Some(anywhere.cold)),
            Err(error) => Err(error),
        };
        match few {
            Err(Error::Beyond(_)) => Ok(None),
            few => few.map(Some),
        }
    }

    fn misses(
        &self,
        program: &Program,
        most_misses: u64,
        lines: Option<u64>,
    ) -> Result<Vec<u64>, Error> {
        let Searching { caches, placement, line, goes_on, .. } = *self.searching;
        caches.check(line)?;
        if caches.has_stack_distances() {
            return Ok(vec![self.anywhere(program, most_misses)?.all()]);
        }
        let space = Space::new(program.containers.clone(), placement, line)?;
        let count = self.done.len();
        let goes_on = |_| goes_on(count);
        let options = Options { depth: 1, goes_on: &goes_on, most_misses, ..Options::default() };
        misses(&program.nest, &space, caches, &options, lines)
    }
}

/// Each container so that what the innermost loop moves is innermost.
fn as_loops_go(
    program: &Program,
    plain: &[(Vec<usize>, Option<u64>)],
) -> Vec<(Vec<usize>, Option<u64>)> {
    let mut paths = vec![vec![]; program.nest.references.len()];
    crate::change::path(&program.nest.body, &mut vec![], &mut paths);
    let mut layouts = plain.to_vec();
    for (number, (order, _)) in layouts.iter_mut().enumerate() {
        let own = program.nest.references.iter().zip(&paths);
        let mut own = own.filter(|(one, _)| one.container as usize == number);
        let Some((one, path)) = own.next() else { continue };
        let Some(indices) = one.indices.as_ref().filter(|all| all.len() == order.len()) else {
            continue;
        };
        let depth = |dimension: usize| {
            path.iter().rposition(|&variable| indices[dimension].factor(variable) != 0)
        };
        order.sort_by_key(|&dimension| depth(dimension));
    }
    layouts
}
