//! Symbols that loops move by a step beside their own variable: `q = q + r` on an edge of the body.
//!
//! ```text
//! q = q0 -> [ for i = first; ...; i += step:   x[q]   --q = q + r--> ] -> y[q]
//!                                  q0 + r*(i - first)/step              q0 + r*count
//! ```
//! One expression stands for a symbol in a graph: so it is used in the loop alone, before it moves, or behind the
//! loop alone.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use super::components::reached_from;
use super::dominance::Uses;
use super::found::Iterations;
use super::known::Known;
use super::steps::{Step, header_iterations, set_in_blocks};
use super::while_loops::{first_of, is_left, is_once_at_the_end};
use crate::expr::{Expr, Function};
use crate::model::{GraphIndex, InterstateEdge, Program, Region, RegionIndex, RegionKind};

/// Their values in a graph, in terms of the variables of the loops that move them.
pub(super) fn moved_by_loops<'p>(known: &Known<'p>, graph: GraphIndex) -> HashMap<&'p str, Expr> {
    let program = known.program;
    let regions = || program.regions.iter().filter(move |region| region.graph == graph);
    // How often names are set, and whether an edge asks for them.
    let mut set: HashMap<&str, u32> = HashMap::new();
    for (name, _) in regions().flat_map(|region| &region.edges).flat_map(|edge| &edge.assignments) {
        *set.entry(name).or_default() += 1;
    }
    let mut all = HashMap::new();
    if !known.rules.is_exact() {
        return all;
    }
    for (place, region) in program.regions.iter().enumerate() {
        let RegionKind::Loop(header) = &region.kind else { continue };
        if region.graph != graph || is_left(program, region) {
            continue;
        }
        let changed = set_in_blocks(program, region, &|_| true);
        let Some(loops) = header_iterations(header, &changed) else { continue };
        for edge in &region.edges {
            for (name, value) in &edge.assignments {
                if set.get(&**name) != Some(&2) || changed_in(value, name, &changed) {
                    continue;
                }
                let index = RegionIndex(place as u32);
                if let Some(value) = moved(program, index, edge, (name, value), &loops) {
                    all.insert(&**name, value);
                }
            }
        }
    }
    all
}

fn moved<'p>(
    program: &'p Program,
    index: RegionIndex,
    edge: &'p InterstateEdge,
    (name, value): (&'p Arc<str>, &Expr),
    loops: &Iterations,
) -> Option<Expr> {
    let region = program.region(index);
    let Some(Step::By(by)) = Step::new(name, value) else { return None };
    let changed = set_in_blocks(program, region, &|_| true);
    let is_fixed = |expr: &Expr| {
        let mut symbols = expr.symbols().into_iter();
        symbols.all(|one| one != &*loops.variable && !changed.contains(one))
            && !expr.has_unknown_function()
    };
    let first = first_of(program, region, name)?;
    if !is_fixed(&by) || !is_fixed(first) || !is_once_at_the_end(program, region, edge, name) {
        return None;
    }
    let graph = region.graph;
    let asks = |one: &&InterstateEdge| {
        let values = one.assignments.iter().map(|(_, value)| value).chain(&one.condition);
        !std::ptr::eq(*one, edge)
            && values.into_iter().any(|value| value.symbols().contains(&**name))
    };
    let mut regions = program.regions.iter().filter(|region| region.graph == graph);
    if regions.any(|region| region.edges.iter().any(|edge| asks(&edge))) {
        return None;
    }
    let uses = Uses::new(program, graph, &BTreeSet::from([&**name]));
    let blocks = uses.inside_blocks(name);
    let is_inside = |at: RegionIndex| is_within(program, at, index);
    if blocks.iter().all(|(at, _)| is_inside(*at)) {
        let turns = Expr::symbol(&loops.variable).minus(&loops.values.first).ok()?;
        let turns = turns.divided_by(&loops.values.step).ok()?;
        return first.plus(&by.times(&turns).ok()?).ok();
    }
    let (around, holder) = region.holder?;
    let behind = behind(program.region(around), holder.place());
    let is_behind = |&(at, block): &(RegionIndex, usize)| {
        let (mut at, mut block) = (at, block);
        while at != around {
            let Some((outer, holder)) = program.region(at).holder else { return false };
            (at, block) = (outer, holder.place());
        }
        behind.contains(&block) && block != holder.place()
    };
    if behind.contains(&holder.place()) || !blocks.iter().all(is_behind) {
        return None;
    }
    let count =
        Expr::call(Function::Max, vec![Expr::default(), loops.values.count.clone()]).ok()?;
    first.plus(&by.times(&count).ok()?).ok()
}

/// Whether a step is made of what a loop changes.
fn changed_in(value: &Expr, name: &str, changed: &BTreeSet<&str>) -> bool {
    value.symbols().into_iter().any(|one| one != name && changed.contains(one))
}

/// Whether a region is another one, or in it.
fn is_within(program: &Program, region: RegionIndex, outer: RegionIndex) -> bool {
    let mut at = Some(region);
    while let Some(index) = at {
        if index == outer {
            return true;
        }
        at = program.region(index).holder.map(|(around, _)| around);
    }
    false
}

/// Blocks that a block leads to.
fn behind(region: &Region, block: usize) -> BTreeSet<usize> {
    let mut successors = vec![vec![]; region.blocks.len()];
    for edge in &region.edges {
        successors[edge.source.place()].push(edge.target.place());
    }
    let next = successors[block].clone();
    let from = |next: usize| reached_from(Some(crate::model::BlockIndex(next as u32)), &successors);
    next.into_iter().flat_map(from).collect()
}
