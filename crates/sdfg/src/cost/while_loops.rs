//! Loop regions whose header has a condition alone: `while i < N`, with `i = i + 2` in the body.

use std::collections::BTreeSet;

use super::components::reached_from;
use super::conditions::may_all_fail;
use super::dominance::Uses;
use super::found::Iterations;
use super::known::Known;
use super::steps::{Step, iteration_count, set_in_blocks, set_inside_blocks};
use crate::expr::{Expr, Function, parse};
use crate::model::{BlockKind, InterstateEdge, Loop, Program, Region, RegionIndex};

/// Blocks before a loop that are looked at for what its variable begins with.
const MOST_BEFORE: usize = 64;

/// The variable that the body moves by one step in each iteration, where the loop is left by its
/// condition alone.
pub(super) fn while_iterations(
    known: &Known<'_>,
    region: &Region,
    header: &Loop,
) -> Option<Iterations> {
    let (None, Some(condition), false) = (&header.update, &header.condition, header.is_inverted)
    else {
        return None;
    };
    let condition = parse(&condition.text).ok()?;
    if header.init.is_some() || !known.rules.is_exact() || is_left(known.program, region) {
        return None;
    }
    let changed = set_in_blocks(known.program, region, &|_| true);
    let inner = set_inside_blocks(known.program, region, &|_| true);
    let names = condition.symbols();
    let mut changing = names.into_iter().filter(|name| changed.contains(name));
    let (Some(name), None) = (changing.next(), changing.next()) else { return None };
    if inner.contains(name) {
        return None;
    }
    let sets = |edge: &&InterstateEdge| edge.assignments.iter().any(|(set, _)| **set == *name);
    let mut setting = region.edges.iter().filter(sets);
    let (Some(edge), None) = (setting.next(), setting.next()) else { return None };
    let (_, value) = edge.assignments.iter().find(|(set, _)| **set == *name)?;
    let step = Step::new(name, value)?;
    if step.symbols().iter().any(|symbol| changed.contains(symbol))
        || !is_once_at_the_end(known.program, region, edge, name)
    {
        return None;
    }
    let first = first_of(known.program, region, name)?;
    let count = iteration_count(&condition, name, first, &step)?;
    let count = Expr::call(Function::Max, vec![Expr::default(), count]).ok()?;
    let values = step.values(first.clone(), count);
    Some(Iterations { variable: name.into(), values })
}

/// Whether every way through a body takes an edge, behind which nothing uses what it sets.
pub(super) fn is_once_at_the_end(
    program: &Program,
    region: &Region,
    edge: &InterstateEdge,
    name: &str,
) -> bool {
    let mut successors = vec![vec![]; region.blocks.len()];
    let mut conditions: Vec<Vec<Option<&Expr>>> = vec![vec![]; region.blocks.len()];
    for one in &region.edges {
        conditions[one.source.place()].push(one.condition.as_deref());
        if !std::ptr::eq(one, edge) {
            successors[one.source.place()].push(one.target.place());
        }
    }
    // Where no condition may hold, the body ends.
    let may_end =
        |block: &usize| conditions[*block].is_empty() || may_all_fail(&conditions[*block]);
    if reached_from(region.start, &successors).iter().any(may_end) {
        return false;
    }
    let behind = reached_from(Some(edge.target), &successors);
    let Some(region_index) = index_of(program, region) else { return false };
    let uses = Uses::new(program, region.graph, &BTreeSet::from([name]));
    !behind.contains(&edge.source.place())
        && behind.iter().all(|&block| !uses.is_used_in(name, (region_index, block)))
}

fn index_of(program: &Program, region: &Region) -> Option<RegionIndex> {
    let place = program.regions.iter().position(|one| std::ptr::eq(one, region))?;
    Some(RegionIndex(place as u32))
}

/// Whether something leaves a loop, or its iteration, before its end.
pub(super) fn is_left(program: &Program, region: &Region) -> bool {
    let mut open = vec![region];
    while let Some(region) = open.pop() {
        for block in &region.blocks {
            match &block.kind {
                BlockKind::Break | BlockKind::Continue | BlockKind::Return => return true,
                BlockKind::Opaque(_) => return true,
                BlockKind::Region(inner) => open.push(program.region(*inner)),
                BlockKind::Conditional { branches, .. } => {
                    open.extend(branches.iter().map(|(_, inner)| program.region(*inner)));
                }
                BlockKind::State(_) => {}
            }
        }
    }
    false
}

/// What a name holds where a loop begins: what the only way there sets it to.
pub(super) fn first_of<'p>(program: &'p Program, region: &Region, name: &str) -> Option<&'p Expr> {
    let (around, holder) = region.holder?;
    let around = program.region(around);
    let mut block = holder.place();
    for _ in 0..MOST_BEFORE {
        let mut before = around.edges.iter().filter(|edge| edge.target.place() == block);
        let (Some(edge), None) = (before.next(), before.next()) else { return None };
        if let Some((_, value)) = edge.assignments.iter().find(|(set, _)| **set == *name) {
            return Some(&**value).filter(|value| !value.symbols().contains(name));
        }
        block = edge.source.place();
        if set_inside_blocks(program, around, &|one| one == block).contains(name) {
            return None;
        }
    }
    None
}
