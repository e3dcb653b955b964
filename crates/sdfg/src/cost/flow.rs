//! Costs of control flow: paths between blocks, and loops of both kinds.
//!
//! Old files write a loop as edges that lead back, with the variable assigned on edges and the
//! condition on the way in or back (guard states); new ones as a region with a header. Loops between
//! blocks are strongly connected components with one entry, found from the outermost to the
//! innermost; what has several entries runs an unknown number of times.

use std::collections::HashMap;

use super::components::{reached_from, strong_components};
use super::iterations::{GuardLoop, NOT_UNDERSTOOD};
use super::reach::{Components, may_all_fail};
use crate::cost::analysis::Analysis;
use crate::cost::certainty::{AtMost, Excess};
use crate::cost::costs::Cost;
use crate::cost::found::Around;
use crate::cost::found::LoopBetween;
use crate::cost::unknown::Unknown;
use crate::expr::{Expr, TooLarge};
use crate::model::{BlockIndex, BlockKind, Code, GraphIndex, Program, Region, RegionIndex};

/// Deeper loops between blocks run an unknown number of times: finding them calls itself.
const DEEPEST: usize = 32;

/// The blocks of a region with their costs.
struct Blocks {
    region: RegionIndex,
    costs: Vec<Cost>,
    successors: Vec<Vec<usize>>,
    predecessors: Vec<Vec<usize>>,
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

impl Analysis<'_> {
    /// Fills in everything of a region whose inner regions are done.
    pub(super) fn region(&mut self, index: RegionIndex) {
        let region = self.program.region(index);
        let count = region.blocks.len();
        let mut costs: Vec<Cost> = (0..count).map(|block| self.block(region, block)).collect();
        for (place, cost) in costs.iter_mut().enumerate() {
            let label = &region.blocks[place].label;
            let with =
                self.with_control_reads(std::mem::take(cost), index, BlockIndex(place as u32));
            *cost = self.cost_or_unknown(with, label);
        }
        for (place, (block, cost)) in region.blocks.iter().zip(&costs).enumerate() {
            if matches!(block.kind, BlockKind::Conditional { .. }) {
                self.flow.conditionals.insert((index, BlockIndex(place as u32)), cost.clone());
            }
        }
        let mut successors = vec![vec![]; count];
        let mut predecessors = vec![vec![]; count];
        for edge in &region.edges {
            successors[edge.source.place()].push(edge.target.place());
            predecessors[edge.target.place()].push(edge.source.place());
        }
        self.flow.loop_of[index.place()] = vec![Around::default(); count];
        let blocks = Blocks { region: index, costs, successors, predecessors };
        let reached = reached_from(region.start, &blocks.successors);
        let body = self.paths(&blocks, &reached, (None, None), None, 0);
        let cost = body.and_then(|body| match self.region_iterations(region) {
            Some(iterations) => self.summed_cost(&body, &iterations),
            None => Ok(body),
        });
        self.costs.regions[index.place()] = self.cost_or_unknown(cost, &region.label);
    }

    fn block(&mut self, region: &Region, block: usize) -> Cost {
        let block = &region.blocks[block];
        match &block.kind {
            BlockKind::State(state) => self.state(*state),
            BlockKind::Region(inner) => self.costs.regions[inner.place()].clone(),
            BlockKind::Conditional { branches, .. } => {
                let cost = self.conditional(region.graph, branches);
                self.cost_or_unknown(cost, &block.label)
            }
            BlockKind::Break | BlockKind::Continue | BlockKind::Return => {
                self.note("break, continue and return are ignored: costs are upper bounds");
                Cost { at_most: AtMost::all(Excess::EarlyExit), ..Cost::default() }
            }
            BlockKind::Opaque(name) => {
                let why = Unknown::count(format!("costs of a block of the unknown kind {name}"));
                Cost {
                    work: self.unknown(&format!("{}_work", block.label), why.clone()),
                    depth: self.unknown(&format!("{}_depth", block.label), why.clone()),
                    moved: self.unknown(&format!("{}_bytes", block.label), why),
                    at_most: AtMost::default(),
                }
            }
        }
    }

    /// Each branch as often as its condition holds; the most expensive one where data decides.
    fn conditional(
        &mut self,
        graph: GraphIndex,
        branches: &[(Option<Code>, RegionIndex)],
    ) -> Result<Cost, TooLarge> {
        let Some(weights) = self.branch_weights(graph, branches) else {
            let is_any = branches.iter().any(|(condition, _)| condition.is_none());
            let nothing = Some(Cost::default()).filter(|_| !is_any && self.rules.is_exact());
            let branches = branches.iter().map(|(_, branch)| &self.costs.regions[branch.place()]);
            return Cost::largest(branches.chain(&nothing));
        };
        let mut sum = Cost::default();
        for ((_, branch), weight) in branches.iter().zip(weights) {
            sum = sum.plus(&self.costs.regions[branch.place()].weighted(&weight)?)?;
            self.flow.branch_weights[branch.place()] = Some(weight);
        }
        Ok(sum)
    }

    /// What a way through some blocks costs, the most where data decides which; edges into `header`
    /// are left out. A loop of blocks may be left at the block `leaves`.
    fn paths(
        &mut self,
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
        let sorted = Components { all: &components, members, of: &component_of, header, leaves };
        let weights = self.weights(self.program.region(blocks.region), &sorted);
        let weight_of = |index: usize| weights.as_ref().and_then(|weights| weights[index].clone());
        let are_decided =
            weights.as_ref().is_some_and(|weights| weights.iter().all(Option::is_some));
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
                    self.flow.loop_of[blocks.region.place()][block] = Around {
                        innermost: around,
                        is_reached: true,
                        is_header: header == Some(block),
                        weight: weight_of(index),
                    };
                    blocks.costs[block].clone()
                }
                _ => self.loop_between(blocks, &inside, (around, weight_of(index)), depth)?,
            };
            if are_decided && let Some(weight) = weight_of(index) {
                sum = sum.plus(&own.weighted(&weight)?)?;
                continue;
            }
            let before = self.largest_of(&std::mem::take(&mut best[index]))?;
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
        let mut cost = self.largest_of(&ends)?;
        // Branches that data decides are told so where their costs differ.
        let is_early =
            is_left_early(blocks, members, leaves) || ends_anywhere(blocks, members, self.program);
        if self.rules.is_exact() && is_early {
            cost.at_most = cost.at_most.or(AtMost::all(Excess::EarlyExit));
        }
        Ok(cost)
    }

    fn largest_of(&mut self, all: &[Cost]) -> Result<Cost, TooLarge> {
        let part = |part: fn(&Cost) -> &Expr| all.iter().map(|cost| part(cost).clone()).collect();
        Ok(Cost {
            work: self.largest(part(|cost| &cost.work), "work")?,
            depth: self.largest(part(|cost| &cost.depth), "depth")?,
            moved: self.largest(part(|cost| &cost.moved), "moved")?,
            at_most: AtMost::of_branches(all.iter()),
        })
    }

    /// Blocks that lead back to themselves.
    fn loop_between(
        &mut self,
        blocks: &Blocks,
        inside: &[usize],
        (around, weight): (Option<usize>, Option<Expr>),
        depth: usize,
    ) -> Result<Cost, TooLarge> {
        let region = self.program.region(blocks.region);
        let is_inside = |block: usize| inside.binary_search(&block).is_ok();
        let mut entries = inside.iter().copied().filter(|&block| {
            region.start == Some(BlockIndex(block as u32))
                || blocks.predecessors[block].iter().any(|&from| {
                    !is_inside(from) && self.flow.loop_of[blocks.region.place()][from].is_reached
                })
        });
        let header = match (entries.next(), entries.next()) {
            (Some(header), None) if depth < DEEPEST => Some(header),
            _ => None,
        };
        drop(entries);
        let program = self.program;
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
            Some((found, asks_first)) => (self.known_iterations(region, found, label)?, asks_first),
            None => (self.unknown_iterations((label, NOT_UNDERSTOOD), "", 0), header.is_some()),
        };
        let loops = &mut self.flow.loops[blocks.region.place()];
        let index = loops.len();
        loops.push(LoopBetween { iterations: iterations.clone(), around, weight, asks_first });
        let Some(header) = header else {
            self.note("control flow that jumps into loops, or loops too deep: all of it counts");
            let mut sum = Cost { at_most: AtMost::all(Excess::Jumps), ..Cost::default() };
            for &block in inside {
                self.flow.loop_of[blocks.region.place()][block] =
                    Around { innermost: Some(index), is_reached: true, ..Around::default() };
                sum = sum.plus(&blocks.costs[block])?;
            }
            return self.summed_cost(&sum, &iterations);
        };
        // A loop that asks at its end is left where it leads back.
        let back = inside.iter().find(|&&block| blocks.successors[block].contains(&header));
        let leaves = if asks_first { Some(header) } else { back.copied() };
        let body = self.paths(blocks, inside, (Some(header), leaves), Some(index), depth + 1)?;
        let all = self.summed_cost(&body, &iterations)?;
        if !asks_first || !self.rules.is_exact() {
            return Ok(all);
        }
        // The block that asks runs once more, behind the last iteration.
        let once_more = blocks.costs[header].each(|part| self.behind_last(part, &iterations))?;
        all.plus(&once_more)
    }
}

/// Whether a loop of blocks may be left elsewhere than where it asks.
fn is_left_early(blocks: &Blocks, members: &[usize], leaves: Option<usize>) -> bool {
    members.iter().any(|&block| {
        Some(block) != leaves
            && blocks.successors[block].iter().any(|next| members.binary_search(next).is_err())
    })
}

/// Whether there is a block where no condition may hold, so that the program ends there.
fn ends_anywhere(blocks: &Blocks, members: &[usize], program: &Program) -> bool {
    let region = program.region(blocks.region);
    members.iter().any(|&block| {
        let edges = region.edges.iter().filter(|edge| edge.source.place() == block);
        may_all_fail(&edges.map(|edge| edge.condition.as_deref()).collect::<Vec<_>>())
    })
}
