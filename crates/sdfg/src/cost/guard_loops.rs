//! Loops between blocks: guard states with edges that lead back.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use super::conditions::is_opposite;
use super::found::Iterations;
use super::steps::{Step, iteration_count, set_in_blocks, set_inside_blocks};
use crate::expr::{Expr, Function};
use crate::model::{InterstateEdge, Program, Region};

/// A loop between blocks, to be understood.
pub(super) struct GuardLoop<'a> {
    pub(super) program: &'a Program,
    pub(super) region: &'a Region,
    pub(super) is_inside: &'a dyn Fn(usize) -> bool,
    pub(super) header: usize,
    /// Whether what a block costs depends on a name.
    pub(super) depends: &'a dyn Fn(usize, &str) -> bool,
}

/// Names that are looked at for whether they are a loop's variable; each costs a walk through the loop.
const MOST_CANDIDATES: usize = 64;

impl<'a> GuardLoop<'a> {
    fn inside(&self) -> impl Iterator<Item = &'a InterstateEdge> {
        let is_inside = self.is_inside;
        let edges = self.region.edges.iter();
        edges.filter(|edge| is_inside(edge.source.place()) && is_inside(edge.target.place()))
    }

    /// The variable, its values and its end, from assignments and conditions on edges, and whether the
    /// condition is asked before each iteration.
    pub(super) fn iterations(&self) -> Option<(Iterations, bool)> {
        // A variable that changes at one place, by a fixed step.
        let mut changes: HashMap<&Arc<str>, Vec<(&InterstateEdge, &Expr)>> = HashMap::new();
        for edge in self.inside() {
            for (name, value) in &edge.assignments {
                changes.entry(name).or_default().push((edge, value));
            }
        }
        let stepped = changes.into_iter().filter_map(|(name, values)| match values[..] {
            [(edge, value)] => Step::new(name, value).map(|step| (name, edge, step)),
            _ => None,
        });
        let mut stepped: Vec<_> = stepped.collect();
        stepped.sort_by(|a, b| a.0.cmp(b.0));
        let ends = [
            (self.inside().filter(|edge| edge.source.place() == self.header).collect(), false),
            (self.inside().filter(|edge| edge.target.place() == self.header).collect(), true),
        ];
        let ways = self.ways();
        let set_inside = set_inside_blocks(self.program, self.region, self.is_inside);
        let changed = set_in_blocks(self.program, self.region, self.is_inside);
        for (name, edge, step) in stepped.into_iter().take(MOST_CANDIDATES) {
            let Some(first) = self.first_of(name) else { continue };
            if !self.is_once_each(edge, name, &ways) || set_inside.contains(&**name) {
                continue;
            }
            for (asking, is_asked_after) in &ends {
                let asking: &Vec<&InterstateEdge> = asking;
                let [asking] = asking[..] else { continue };
                let Some(condition) = asking.condition.as_deref() else { continue };
                let Some(count) = iteration_count(condition, name, first, &step) else { continue };
                let symbols = condition.symbols().into_iter().chain(step.symbols());
                let symbols: BTreeSet<&str> = symbols.filter(|symbol| *symbol != &**name).collect();
                if !self.leaves_by(asking) || symbols.iter().any(|name| changed.contains(name)) {
                    continue;
                }
                let at_least = vec![count.clone(), Expr::integer(1)];
                let count =
                    if *is_asked_after { Expr::call(Function::Max, at_least).ok()? } else { count };
                let values = step.clone().values(first.clone(), count);
                return Some((Iterations { variable: name.clone(), values }, !is_asked_after));
            }
        }
        None
    }

    /// The value of a name on all ways into the loop, where it is one.
    fn first_of(&self, name: &str) -> Option<&'a Expr> {
        let mut first = None;
        if self.region.start.is_some_and(|start| start.place() == self.header) {
            return None;
        }
        for edge in self.region.edges.iter().filter(|edge| edge.target.place() == self.header) {
            if (self.is_inside)(edge.source.place()) {
                continue;
            }
            let (_, value) = edge.assignments.iter().find(|(known, _)| **known == *name)?;
            if first.is_some_and(|first| first != &**value) {
                return None;
            }
            first = Some(&**value);
        }
        first
    }

    /// The edges inside by the block that they come from.
    fn ways(&self) -> Ways<'a> {
        let mut ways = HashMap::<usize, Vec<&InterstateEdge>>::new();
        for edge in self.inside() {
            ways.entry(edge.source.place()).or_default().push(edge);
        }
        ways
    }

    /// Whether an edge is taken once in each iteration, with nothing behind it that depends on the name
    /// that it sets.
    fn is_once_each(&self, edge: &InterstateEdge, name: &str, ways: &Ways<'a>) -> bool {
        let is_other = |one: &&InterstateEdge| !std::ptr::eq(*one, edge);
        // Without it there is no way back to the header.
        let without = reached(self.header, ways, |one| is_other(&one));
        let mut back =
            self.inside().filter(is_other).filter(|one| one.target.place() == self.header);
        if back.any(|one| without.contains(&one.source.place())) {
            return false;
        }
        if edge.target.place() == self.header {
            return true;
        }
        // What is behind it, up to the header.
        let header = self.header;
        let behind = reached(edge.target.place(), ways, |one| one.target.place() != header);
        !behind.contains(&edge.source.place())
            && behind.iter().all(|&block| !(self.depends)(block, name))
    }

    /// Whether the loop goes on by an edge if its condition holds, and is left there if not.
    fn leaves_by(&self, asking: &InterstateEdge) -> bool {
        let leaving = self.region.edges.iter().filter(|edge| edge.source == asking.source);
        let mut leaving = leaving.filter(|edge| !std::ptr::eq(*edge, asking));
        leaving.all(|edge| {
            let is_rest = edge.condition.is_none() && asking.condition.is_some();
            !(self.is_inside)(edge.target.place())
                && (is_rest || is_opposite(asking.condition.as_deref(), edge.condition.as_deref()))
        })
    }
}

type Ways<'a> = HashMap<usize, Vec<&'a InterstateEdge>>;

/// Blocks on ways of some edges from one of them on, with it.
fn reached(from: usize, ways: &Ways<'_>, by: impl Fn(&InterstateEdge) -> bool) -> BTreeSet<usize> {
    let mut reached = BTreeSet::from([from]);
    let mut open = vec![from];
    while let Some(block) = open.pop() {
        for edge in ways.get(&block).into_iter().flatten().filter(|edge| by(edge)) {
            if reached.insert(edge.target.place()) {
                open.push(edge.target.place());
            }
        }
    }
    reached
}
