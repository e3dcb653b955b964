//! Costs of ways through blocks, and of loops between them.
//!
//! Old files write a loop as edges that lead back, with the variable assigned on edges and the
//! condition on the way in or back (guard states). Loops between blocks are strongly connected
//! components with one entry, found from the outermost to the innermost; what has several entries runs
//! an unknown number of times.

use std::collections::HashMap;

use super::certainty::{AtMost, Excess};
use super::components::strong_components;
use super::conditions::may_all_fail;
use super::context::Context;
use super::costs::Cost;
use super::found::{Around, BlockLoops, LoopBetween};
use super::guard_loops::GuardLoop;
use super::iterations::{NOT_UNDERSTOOD, known_iterations, unknown_iterations};
use super::reach::{Components, weights};
use super::report::Report;
use super::sums::{behind_last, summed_cost};
use crate::expr::{Expr, TooLarge};
use crate::model::{BlockIndex, Region, RegionIndex};

/// Deeper loops between blocks run an unknown number of times: finding them calls itself.
const DEEPEST: usize = 32;

/// The blocks of a region with their costs.
pub(super) struct Blocks {
    pub(super) region: RegionIndex,
    pub(super) costs: Vec<Cost>,
    pub(super) successors: Vec<Vec<usize>>,
    pub(super) predecessors: Vec<Vec<usize>>,
}

impl Blocks {
    /// By place among some blocks, the places that they lead to, but for edges into `header`.
    fn successors_among(&self, members: &[usize], header: Option<usize>) -> Vec<Vec<usize>> {
        let place_of: HashMap<usize, usize> =
            members.iter().enumerate().map(|(place, &block)| (block, place)).collect();
        let successors_of = |&block: &usize| {
            let inner = self.successors[block].iter().filter(|next| Some(**next) != header);
            inner.filter_map(|next| place_of.get(next).copied()).collect()
        };
        members.iter().map(successors_of).collect()
    }
}

/// What a way through some blocks costs, the most where data decides which; edges into `header`
/// are left out. A loop of blocks may be left at the block `leaves`.
pub(super) fn paths(
    context: &mut Context<'_, '_>,
    loops: &mut BlockLoops,
    blocks: &Blocks,
    members: &[usize],
    (header, leaves): (Option<usize>, Option<usize>),
    around: Option<usize>,
    depth: usize,
) -> Result<Cost, TooLarge> {
    let successors = blocks.successors_among(members, header);
    let components = strong_components(&successors);
    let mut component_of = vec![0; members.len()];
    for (index, component) in components.iter().enumerate() {
        for &place in component {
            component_of[place] = index;
        }
    }
    let region = context.known.program.region(blocks.region);
    let sorted = Components { all: &components, members, of: &component_of, header, leaves };
    let weights = weights(context.known, context.symbols, region, &sorted);
    let weight_of = |index: usize| weights.as_ref().and_then(|weights| weights[index].clone());
    let are_decided = weights.as_ref().is_some_and(|weights| weights.iter().all(Option::is_some));
    let mut sum = Cost::default();
    let mut best: Vec<Vec<Cost>> = vec![vec![]; components.len()];
    let mut ends = vec![];
    // What comes later in the list comes first in the program.
    for index in (0..components.len()).rev() {
        let component = &components[index];
        let is_loop = component.len() > 1 || successors[component[0]].contains(&component[0]);
        let inside: Vec<usize> = component.iter().map(|&place| members[place]).collect();
        let own = match (is_loop, &inside[..]) {
            (false, &[block]) => {
                loops.around[block] = Around {
                    innermost: around,
                    is_reached: true,
                    is_header: header == Some(block),
                    weight: weight_of(index),
                };
                blocks.costs[block].clone()
            }
            _ => loop_between(context, loops, blocks, &inside, (around, weight_of(index)), depth)?,
        };
        if are_decided && let Some(weight) = weight_of(index) {
            sum = sum.plus(&own.weighted(&weight)?)?;
            continue;
        }
        let before = largest_of(context.report, &std::mem::take(&mut best[index]))?;
        let cost = before.plus(&own)?;
        let mut is_end = true;
        for &place in component {
            for &next in &successors[place] {
                let next = component_of[next];
                if next != index {
                    is_end = false;
                    best[next].push(cost.clone());
                }
            }
        }
        if is_end {
            ends.push(cost);
        }
    }
    if are_decided {
        return Ok(sum);
    }
    let mut cost = largest_of(context.report, &ends)?;
    // Branches that data decides are told so where their costs differ.
    let is_early = is_left_early(blocks, members, leaves) || ends_anywhere(region, members);
    if context.known.rules.is_exact() && is_early {
        cost.at_most = cost.at_most.or(AtMost::all(Excess::EarlyExit));
    }
    Ok(cost)
}

fn largest_of(report: &mut Report, all: &[Cost]) -> Result<Cost, TooLarge> {
    let part = |part: fn(&Cost) -> &Expr| all.iter().map(|cost| part(cost).clone()).collect();
    Ok(Cost {
        work: report.largest(part(|cost| &cost.work), "work")?,
        depth: report.largest(part(|cost| &cost.depth), "depth")?,
        moved: report.largest(part(|cost| &cost.moved), "moved")?,
        at_most: AtMost::of_branches(all.iter()),
    })
}

/// Blocks that lead back to themselves.
fn loop_between(
    context: &mut Context<'_, '_>,
    loops: &mut BlockLoops,
    blocks: &Blocks,
    inside: &[usize],
    (around, weight): (Option<usize>, Option<Expr>),
    depth: usize,
) -> Result<Cost, TooLarge> {
    let region = context.known.program.region(blocks.region);
    let is_inside = |block: usize| inside.binary_search(&block).is_ok();
    let mut entries = inside.iter().copied().filter(|&block| {
        region.start == Some(BlockIndex(block as u32))
            || blocks.predecessors[block]
                .iter()
                .any(|&from| !is_inside(from) && loops.around[from].is_reached)
    });
    let header = match (entries.next(), entries.next()) {
        (Some(header), None) if depth < DEEPEST => Some(header),
        _ => None,
    };
    drop(entries);
    let program = context.known.program;
    let depends = |block: usize, name: &str| {
        let Cost { work, depth, moved, .. } = &blocks.costs[block];
        [work, depth, moved].into_iter().any(|part| part.symbols().contains(name))
    };
    let found = header.and_then(|header| {
        let is_inside = &is_inside;
        GuardLoop { program, region, is_inside, header, depends: &depends }.iterations()
    });
    let label = &region.blocks[header.unwrap_or(inside[0])].label;
    let (iterations, asks_first) = match found {
        Some((found, asks_first)) => (known_iterations(context, region, found, label)?, asks_first),
        None => {
            (unknown_iterations(context.report, (label, NOT_UNDERSTOOD), "", 0), header.is_some())
        }
    };
    let index = loops.loops.len();
    loops.loops.push(LoopBetween { iterations: iterations.clone(), around, weight, asks_first });
    let Some(header) = header else {
        context
            .report
            .note("control flow that jumps into loops, or loops too deep: all of it counts");
        let mut sum = Cost { at_most: AtMost::all(Excess::Jumps), ..Cost::default() };
        for &block in inside {
            loops.around[block] =
                Around { innermost: Some(index), is_reached: true, ..Around::default() };
            sum = sum.plus(&blocks.costs[block])?;
        }
        return summed_cost(context.known, &sum, &iterations);
    };
    // A loop that asks at its end is left where it leads back.
    let back = inside.iter().find(|&&block| blocks.successors[block].contains(&header));
    let leaves = if asks_first { Some(header) } else { back.copied() };
    let body =
        paths(context, loops, blocks, inside, (Some(header), leaves), Some(index), depth + 1)?;
    let all = summed_cost(context.known, &body, &iterations)?;
    if !asks_first || !context.known.rules.is_exact() {
        return Ok(all);
    }
    // The block that asks runs once more, behind the last iteration.
    let once_more =
        blocks.costs[header].each(|part| behind_last(context.known, part, &iterations))?;
    all.plus(&once_more)
}

/// Whether a loop of blocks may be left elsewhere than where it asks.
fn is_left_early(blocks: &Blocks, members: &[usize], leaves: Option<usize>) -> bool {
    members.iter().any(|&block| {
        Some(block) != leaves
            && blocks.successors[block].iter().any(|next| members.binary_search(next).is_err())
    })
}

/// Whether there is a block where no condition may hold, so that the program ends there.
fn ends_anywhere(region: &Region, members: &[usize]) -> bool {
    members.iter().any(|&block| {
        let edges = region.edges.iter().filter(|edge| edge.source.place() == block);
        may_all_fail(&edges.map(|edge| edge.condition.as_deref()).collect::<Vec<_>>())
    })
}
