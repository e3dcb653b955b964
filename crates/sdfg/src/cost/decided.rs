//! Symbols whose value conditions on sizes decide.
//!
//! ```text
//! if N < M: k = N - 1      k = (N < M)*(N - 1) + not (N < M)*M
//! else:     k = M
//! ```
//!
//! Each way that leads to a block has a factor, which is 1 where that way was taken and 0 elsewhere: of
//! the ways to a block that is reached, one was taken. What a symbol holds is followed from block to
//! block; it is defined where it holds the same wherever it is used.

use std::collections::{BTreeSet, HashMap};

use super::components::{reached_from, strong_components};
use super::conditions::{is_opposite, may_all_fail};
use super::dominance::{At, Uses};
use crate::expr::{Expr, Function};
use crate::model::{BlockKind, Code, InterstateEdge, Program, RegionIndex, RegionKind};

/// Values of more factors than this are not known: each decision may double them.
const MOST_FACTORS: usize = 64;
/// Deeper loops and regions are not followed: doing so calls itself.
const DEEPEST: usize = 32;

/// Why the value of a symbol is not followed on.
struct Undefined;

/// What a symbol holds, and which way led there: 1 or 0. Nothing for what is not known.
#[derive(Clone)]
struct Way {
    taken: Option<Expr>,
    held: Option<Expr>,
}

/// The value that a symbol has wherever it is used in a graph.
pub(super) fn value_of(
    program: &Program,
    region: RegionIndex,
    name: &str,
    uses: &Uses<'_>,
) -> Option<Expr> {
    let mut follower = Follower {
        program,
        name,
        inside: uses.inside_blocks(name),
        setting: around(program, &uses.regions_that_set(name)),
        value: None,
        left: uses.left(),
    };
    let end = follower.region(region, None, 0);
    uses.set_left(follower.left);
    end.ok()?;
    follower.value
}

/// These regions and all around them.
fn around(program: &Program, regions: &BTreeSet<RegionIndex>) -> BTreeSet<RegionIndex> {
    let mut all = BTreeSet::new();
    for &region in regions {
        let mut one = Some(region);
        while let Some(index) = one
            && all.insert(index)
        {
            one = program.region(index).holder.map(|(outer, _)| outer);
        }
    }
    all
}

struct Follower<'a> {
    program: &'a Program,
    name: &'a str,
    /// Blocks that use it, whatever edges do.
    inside: BTreeSet<At>,
    /// Regions in which it is set, at any depth.
    setting: BTreeSet<RegionIndex>,
    /// What it holds at all uses so far.
    value: Option<Expr>,
    /// Blocks and edges that may still be looked at.
    left: usize,
}

impl Follower<'_> {
    fn used(&mut self, held: Option<&Expr>) -> Result<(), Undefined> {
        let held = held.ok_or(Undefined)?;
        match &self.value {
            Some(known) if known != held => Err(Undefined),
            Some(_) => Ok(()),
            None => {
                self.value = Some(held.clone());
                Ok(())
            }
        }
    }

    /// What it holds behind a region.
    fn region(
        &mut self,
        index: RegionIndex,
        before: Option<Expr>,
        depth: usize,
    ) -> Result<Option<Expr>, Undefined> {
        let region = self.program.region(index);
        let is_changing_loop =
            matches!(region.kind, RegionKind::Loop(_)) && self.setting.contains(&index);
        // What an iteration has set, the next one finds.
        let before = before.filter(|_| !is_changing_loop);
        let Some(first) = region.start else { return Ok(before) };
        let mut successors = vec![vec![]; region.blocks.len()];
        for edge in &region.edges {
            successors[edge.source.place()].push(edge.target.place());
        }
        let members = reached_from(region.start, &successors);
        let begin = Way { taken: Some(Expr::integer(1)), held: before };
        let ends = self.blocks(index, &members, (first.place(), begin), depth + 1)?;
        Ok(merged(ends).and_then(|way| way.held).filter(|_| !is_changing_loop))
    }

    /// Through blocks from the first one on, but for edges back to it; gives the ways on which they
    /// end.
    fn blocks(
        &mut self,
        index: RegionIndex,
        members: &[usize],
        (first, begin): (usize, Way),
        depth: usize,
    ) -> Result<Vec<Way>, Undefined> {
        let region = self.program.region(index);
        let looks = region.edges.len() + members.len();
        self.left = self.left.checked_sub(looks).filter(|_| depth < DEEPEST).ok_or(Undefined)?;
        let place_of: HashMap<usize, usize> =
            members.iter().enumerate().map(|(place, &block)| (block, place)).collect();
        let mut outgoing: Vec<Vec<&InterstateEdge>> = vec![vec![]; members.len()];
        let mut successors = vec![vec![]; members.len()];
        for edge in &region.edges {
            let Some(&from) = place_of.get(&edge.source.place()) else { continue };
            outgoing[from].push(edge);
            let to = place_of.get(&edge.target.place()).filter(|&&to| members[to] != first);
            successors[from].extend(to);
        }
        let mut arriving: HashMap<usize, Vec<Way>> = HashMap::from([(first, vec![begin])]);
        let mut ends = vec![];
        for component in strong_components(&successors).iter().rev() {
            let entries: Vec<usize> = component
                .iter()
                .map(|&place| members[place])
                .filter(|block| arriving.contains_key(block))
                .collect();
            let [entry] = entries[..] else {
                if entries.is_empty() {
                    continue;
                }
                return Err(Undefined);
            };
            let Some(way) = arriving.remove(&entry).and_then(merged) else { continue };
            let is_loop = component.len() > 1 || successors[component[0]].contains(&component[0]);
            let leaving: Vec<(&InterstateEdge, Option<Expr>, bool)>;
            let held;
            if is_loop {
                let inner: Vec<usize> = component.iter().map(|&place| members[place]).collect();
                held = self.between(index, (&inner, entry), way.held, depth)?;
                let out = component.iter().flat_map(|&place| &outgoing[place]);
                let out: Vec<&InterstateEdge> =
                    out.copied().filter(|edge| !inner.contains(&edge.target.place())).collect();
                let taken = way.taken.filter(|_| out.len() == 1);
                leaving = out.into_iter().map(|edge| (edge, taken.clone(), false)).collect();
            } else {
                held = self.block((index, entry), way.held, depth)?;
                let edges = &outgoing[component[0]];
                let conditions: Vec<Option<&Expr>> =
                    edges.iter().map(|edge| edge.condition.as_deref()).collect();
                if edges.is_empty() || may_all_fail(&conditions) {
                    let taken = way.taken.clone().filter(|_| edges.is_empty());
                    ends.push(Way { taken, held: held.clone() });
                }
                let is_inside = |edge: &InterstateEdge| {
                    edge.target.place() != first && place_of.contains_key(&edge.target.place())
                };
                leaving = ways_out(edges, is_inside, way.taken.as_ref())
                    .into_iter()
                    .map(|(edge, taken)| (edge, taken, true))
                    .collect();
            }
            for (edge, taken, is_new) in leaving {
                let held = self.along(edge, held.clone(), is_new)?;
                let (target, way) = (edge.target.place(), Way { taken, held });
                if !place_of.contains_key(&target) {
                    ends.push(way);
                } else if target != first {
                    arriving.entry(target).or_default().push(way);
                }
            }
        }
        Ok(ends)
    }

    /// Through a loop of blocks.
    fn between(
        &mut self,
        index: RegionIndex,
        (members, entry): (&[usize], usize),
        before: Option<Expr>,
        depth: usize,
    ) -> Result<Option<Expr>, Undefined> {
        let region = self.program.region(index);
        let is_set_between = region.edges.iter().any(|edge| {
            let is_inside = |block: usize| members.contains(&block);
            is_inside(edge.source.place())
                && is_inside(edge.target.place())
                && edge.assignments.iter().any(|(name, _)| **name == *self.name)
        });
        let is_set_in = |block: &usize| match &region.blocks[*block].kind {
            BlockKind::Region(inner) => self.setting.contains(inner),
            BlockKind::Conditional { branches, .. } => {
                branches.iter().any(|(_, inner)| self.setting.contains(inner))
            }
            _ => false,
        };
        let is_set = is_set_between || members.iter().any(is_set_in);
        let before = before.filter(|_| !is_set);
        let begin = Way { taken: Some(Expr::integer(1)), held: before.clone() };
        self.blocks(index, members, (entry, begin), depth + 1)?;
        Ok(before)
    }

    /// What it holds behind a block.
    fn block(
        &mut self,
        at: At,
        held: Option<Expr>,
        depth: usize,
    ) -> Result<Option<Expr>, Undefined> {
        if self.inside.contains(&at) {
            self.used(held.as_ref())?;
        }
        match &self.program.region(at.0).blocks[at.1].kind {
            BlockKind::Region(inner) => {
                // A header asks again after what an iteration has set.
                let is_loop = matches!(self.program.region(*inner).kind, RegionKind::Loop(_));
                if is_loop && self.inside.contains(&at) && self.setting.contains(inner) {
                    return Err(Undefined);
                }
                self.region(*inner, held, depth + 1)
            }
            BlockKind::Conditional { branches, .. } => self.branches(branches, held, depth),
            _ => Ok(held),
        }
    }

    fn branches(
        &mut self,
        branches: &[(Option<Code>, RegionIndex)],
        before: Option<Expr>,
        depth: usize,
    ) -> Result<Option<Expr>, Undefined> {
        let mut rest = Some(Expr::integer(1));
        let mut ends = vec![];
        for (condition, branch) in branches {
            let taken = match condition {
                None => rest.take(),
                Some(code) => {
                    let condition = crate::expr::parse(&code.text).ok();
                    let (taken, other) = split(rest.as_ref(), condition.as_ref());
                    rest = other;
                    taken
                }
            };
            let held = self.region(*branch, before.clone(), depth + 1)?;
            ends.push(Way { taken, held });
        }
        if branches.iter().all(|(condition, _)| condition.is_some()) {
            ends.push(Way { taken: rest, held: before });
        }
        Ok(merged(ends).and_then(|way| way.held))
    }

    /// What it holds behind an edge; what is new is asked whether it uses it.
    fn along(
        &mut self,
        edge: &InterstateEdge,
        held: Option<Expr>,
        is_new: bool,
    ) -> Result<Option<Expr>, Undefined> {
        let values = edge.assignments.iter().map(|(_, value)| value);
        let mut all = values.chain(&edge.condition);
        if is_new && all.any(|expr| expr.symbols().contains(self.name)) {
            self.used(held.as_ref())?;
        }
        let set = edge.assignments.iter().find(|(name, _)| **name == *self.name);
        Ok(set.map_or(held, |(_, value)| Some((**value).clone())))
    }
}

/// The ways out of a block that is not a loop: with one way inside, whoever is there took it.
fn ways_out<'e>(
    edges: &[&'e InterstateEdge],
    is_inside: impl Fn(&InterstateEdge) -> bool,
    taken: Option<&Expr>,
) -> Vec<(&'e InterstateEdge, Option<Expr>)> {
    let count = edges.iter().filter(|edge| is_inside(edge)).count();
    let mut rest = taken.cloned();
    let mut first: Option<&Expr> = None;
    let mut ways = vec![];
    for &edge in edges {
        if !is_inside(edge) {
            ways.push((edge, None));
            continue;
        }
        let condition = edge.condition.as_deref();
        let is_last = count == 1 || count == 2 && is_opposite(first, condition);
        let way = match condition {
            Some(condition) if !is_last => {
                let (way, other) = split(rest.as_ref(), Some(condition));
                rest = other;
                way
            }
            _ => rest.clone(),
        };
        first = first.or(condition);
        ways.push((edge, way));
    }
    ways
}

/// Where a condition holds, and where it does not.
fn split(rest: Option<&Expr>, condition: Option<&Expr>) -> (Option<Expr>, Option<Expr>) {
    let parts = || {
        let (rest, condition) = (rest?, condition?);
        // Twice the opposite is a truth.
        let not = Expr::call(Function::Not, vec![condition.clone()]).ok()?;
        let truth = Expr::call(Function::Not, vec![not]).ok()?;
        let taken = rest.times(&truth).ok()?;
        let other = rest.minus(&taken).ok()?;
        Some((taken, other)).filter(|(_, other)| other.factor_count() <= MOST_FACTORS)
    };
    parts().map_or((None, None), |(taken, other)| (Some(taken), Some(other)))
}

/// Several ways as one.
fn merged(ways: Vec<Way>) -> Option<Way> {
    let first = ways.first()?.held.clone();
    let sum = |parts: Option<Vec<Expr>>| {
        let sum = Expr::sum(parts?).ok()?;
        Some(sum).filter(|sum| sum.factor_count() <= MOST_FACTORS)
    };
    let taken = sum(ways.iter().map(|way| way.taken.clone()).collect());
    if ways.iter().all(|way| way.held == first) {
        return Some(Way { taken, held: first });
    }
    let part = |way: &Way| way.held.as_ref()?.times(way.taken.as_ref()?).ok();
    Some(Way { taken, held: sum(ways.iter().map(part).collect()) })
}
