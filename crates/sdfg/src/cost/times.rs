//! How often things are reached, each time that their graph runs and in the whole run.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::components::strong_components;
use super::found::LoopBetween;
use super::reach::may_all_fail;
use crate::cost::analysis::Analysis;
use crate::cost::costs::Times;
use crate::expr::{Expr, TooLarge};
use crate::model::{
    BlockIndex, BlockKind, GraphIndex, NodeIndex, NodeKind, Program, Region, RegionIndex,
    RegionKind, State, StateIndex,
};

/// Scopes deeper in each other have no times: to sum over all of them takes too long.
const DEEPEST: usize = 64;

impl Analysis<'_> {
    /// How often a block runs each time that its graph does, at most.
    pub(super) fn executions_of(
        &mut self,
        region: RegionIndex,
        block: BlockIndex,
    ) -> Result<Expr, TooLarge> {
        self.repeated(Expr::integer(1), region, block)
    }

    pub(super) fn times(&mut self) -> Times {
        let program = self.program;
        let mut states = vec![];
        let mut insides = vec![];
        for (index, state) in program.states.iter().enumerate() {
            states.push(self.in_whole_run(Expr::integer(1), state.region, state.block).ok());
            let inside = (0..state.nodes.len()).map(|node| {
                let is_entry = state.nodes[node].kind.is_entry();
                is_entry.then(|| self.inside_times(StateIndex(index as u32), node)).flatten()
            });
            insides.push(inside.collect());
        }
        let all = (0..program.regions.len()).map(|region| RegionIndex(region as u32));
        let regions = all.clone();
        let regions =
            regions.map(|region| self.region_in_whole_run(Expr::integer(1), region).ok()).collect();
        let are_certain = program.states.iter();
        let are_certain = are_certain
            .map(|state| self.is_reached_for_certain(state.region, state.block))
            .collect();
        let regions_are_certain =
            all.map(|region| self.is_region_reached_for_certain(region)).collect();
        Times { states, insides, regions, are_certain, regions_are_certain }
    }

    /// See [`super::Costs::moved_by_container`].
    pub(super) fn moved_by_container(&mut self) -> BTreeMap<Arc<str>, Expr> {
        let program = self.program;
        let mut all = BTreeMap::<Arc<str>, Result<Expr, TooLarge>>::new();
        for (place, state) in program.states.iter().enumerate() {
            let index = StateIndex(place as u32);
            let graph = program.region(state.region).graph;
            let mut each = BTreeMap::<(Arc<str>, Option<NodeIndex>), Vec<Expr>>::new();
            for (edge, movement) in state.edges.iter().zip(&self.costs.edges[place]) {
                let (Some(movement), Some(name)) = (movement, self.counted(index, edge)) else {
                    continue;
                };
                let scope = state.scope_behind(edge.source);
                each.entry((name, scope)).or_default().push(movement.bytes.clone());
            }
            for ((name, scope), bytes) in each {
                let bytes = Expr::sum(bytes)
                    .and_then(|bytes| self.resolved(&bytes, graph))
                    .and_then(|bytes| self.sum_inside(&bytes, index, scope));
                let sum = all.entry(name).or_insert_with(|| Ok(Expr::default()));
                *sum = sum.clone().and_then(|sum| sum.plus(&bytes?));
            }
        }
        for (place, region) in program.regions.iter().enumerate() {
            let index = RegionIndex(place as u32);
            for block in (0..region.blocks.len() as u32).map(BlockIndex) {
                let reads = self.control_reads(index, block).unwrap_or_default();
                for read in reads {
                    let Some(name) = self.roots.named(region.graph, &read.data) else { continue };
                    let bytes = self.resolved(&read.bytes, region.graph);
                    let bytes = bytes.and_then(|bytes| self.in_whole_run(bytes, index, block));
                    let sum = all.entry(name).or_insert_with(|| Ok(Expr::default()));
                    *sum = sum.clone().and_then(|sum| sum.plus(&bytes?));
                }
            }
        }
        let named = all.into_iter().map(|(name, bytes)| {
            let bytes = self.or_unknown(bytes, &format!("{name}_bytes_in_all"));
            (name, bytes)
        });
        named.collect()
    }

    fn inside_times(&mut self, index: StateIndex, entry: usize) -> Option<Expr> {
        let once = Expr::integer(1);
        self.sum_inside(&once, index, Some(NodeIndex(entry as u32))).ok()
    }

    /// What happens each time that a block runs, in the whole run.
    pub(super) fn in_whole_run(
        &mut self,
        each: Expr,
        region: RegionIndex,
        block: BlockIndex,
    ) -> Result<Expr, TooLarge> {
        let all = self.repeated(each, region, block)?;
        self.graph_times(all, self.program.region(region).graph)
    }

    /// What happens each time that a region is reached, in the whole run.
    pub(super) fn region_in_whole_run(
        &mut self,
        each: Expr,
        index: RegionIndex,
    ) -> Result<Expr, TooLarge> {
        let region = self.program.region(index);
        let Some((around, block)) = region.holder else {
            return self.graph_times(each, region.graph);
        };
        let each = match &self.flow.branch_weights[index.place()] {
            Some(weight) => each.times(weight)?,
            None => each,
        };
        self.in_whole_run(each, around, block)
    }

    /// What happens each time that a graph runs, in the whole run.
    pub(super) fn graph_times(&mut self, each: Expr, graph: GraphIndex) -> Result<Expr, TooLarge> {
        let program = self.program;
        let (mut all, mut graph) = (each, graph);
        while let Some((index, node)) = program.graph(graph).holder {
            let state = program.state(index);
            let NodeKind::Nested { symbol_mapping, .. } = &state.nodes[node.place()].kind else {
                break;
            };
            all =
                all.substituted(&|name| symbol_mapping.get(name).map(|value| (**value).clone()))?;
            graph = program.region(state.region).graph;
            all = self.resolved(&all, graph)?;
            all = self.over_scopes(all, index, state.nodes[node.place()].scope)?.ok_or(TooLarge)?;
            all = self.repeated(all, state.region, state.block)?;
        }
        Ok(all)
    }

    /// What happens in each iteration of a scope, each time that its state runs; nothing where too
    /// many scopes are in each other.
    pub(super) fn over_scopes(
        &mut self,
        each: Expr,
        index: StateIndex,
        innermost: Option<NodeIndex>,
    ) -> Result<Option<Expr>, TooLarge> {
        let state: &State = self.program.state(index);
        let graph = self.program.region(state.region).graph;
        let (mut all, mut scope) = (each, innermost);
        for _ in 0..DEEPEST {
            let Some(entry) = scope else { return self.resolved(&all, graph).map(Some) };
            let node = &state.nodes[entry.place()];
            all = match &node.kind {
                NodeKind::MapEntry(map) => self.mapped(&all, map, index, entry)?,
                _ => all.times(&self.consumed(&node.label))?,
            };
            scope = node.scope;
        }
        Ok(None)
    }

    /// Whether it is known how often a block is reached in the whole run.
    pub(super) fn is_reached_for_certain(&self, region: RegionIndex, block: BlockIndex) -> bool {
        let program = self.program;
        let mut around = Some((region, block));
        while let Some((region, block)) = around {
            if !self.is_reach_known(region, block) {
                return false;
            }
            let holder = program.graph(program.region(region).graph).holder;
            around =
                holder.map(|(state, _)| (program.state(state).region, program.state(state).block));
        }
        true
    }

    fn is_region_reached_for_certain(&self, index: RegionIndex) -> bool {
        let region = self.program.region(index);
        let around = match region.holder {
            Some(around) if self.is_branch_known(index) => around,
            Some(_) => return false,
            None => match self.program.graph(region.graph).holder {
                Some((state, _)) => {
                    let state = self.program.state(state);
                    (state.region, state.block)
                }
                None => return true,
            },
        };
        self.is_reached_for_certain(around.0, around.1)
    }

    /// Whether a region is not a branch, or one that data does not decide.
    fn is_branch_known(&self, index: RegionIndex) -> bool {
        let is_branch = self.program.region(index).holder.is_some_and(|(around, block)| {
            let block = self.program.region(around).block(block);
            matches!(block.kind, BlockKind::Conditional { .. })
        });
        !is_branch || self.flow.branch_weights[index.place()].is_some()
    }

    /// Whether it is known how often a block is reached each time that its graph runs.
    pub(super) fn is_reach_known(&self, region: RegionIndex, block: BlockIndex) -> bool {
        let mut place = Some((region, block));
        while let Some((region, block)) = place {
            let inside = self.program.region(region);
            let around = &self.flow.loop_of[region.place()][block.place()];
            let mut inner = around.innermost;
            let mut is_known = around.weight.is_some();
            while let Some(index) = inner {
                let one = &self.flow.loops[region.place()][index];
                is_known &= one.weight.is_some();
                inner = one.around;
            }
            if !is_known || self.may_be_left_before(region, block) || !self.is_branch_known(region)
            {
                return false;
            }
            place = inside.holder;
        }
        true
    }

    /// Whether a break, a continue or a return may keep a block of a region from running.
    pub(super) fn may_be_left_before(&self, region: RegionIndex, block: BlockIndex) -> bool {
        self.flow.left_before[region.place()].get(block.place()).copied().unwrap_or(false)
    }

    /// What happens each time that a block runs, each time that its graph does.
    pub(super) fn repeated(
        &mut self,
        each: Expr,
        region: RegionIndex,
        block: BlockIndex,
    ) -> Result<Expr, TooLarge> {
        let mut all = each;
        let mut place = Some((region, block));
        while let Some((region, block)) = place {
            let around = self.flow.loop_of[region.place()][block.place()].clone();
            if !around.is_reached {
                return Ok(Expr::default());
            }
            if let Some(weight) = &around.weight {
                all = all.times(weight)?;
            }
            let mut inner = around.innermost;
            let mut is_header = around.is_header;
            while let Some(index) = inner {
                let LoopBetween { iterations, around, weight, asks_first } =
                    self.flow.loops[region.place()][index].clone();
                let once_more = if is_header && asks_first {
                    self.behind_last(&all, &iterations)?
                } else {
                    Expr::default()
                };
                all = self.summed(&all, &iterations)?.plus(&once_more)?;
                if let Some(weight) = &weight {
                    all = all.times(weight)?;
                }
                is_header = false;
                inner = around;
            }
            let inside: &Region = self.program.region(region);
            if let Some(iterations) = self.region_iterations(inside) {
                all = self.summed(&all, &iterations)?;
            }
            if let Some(weight) = &self.flow.branch_weights[region.place()] {
                all = all.times(weight)?;
            }
            place = inside.holder;
        }
        Ok(all)
    }
}

/// By region and block, whether a break, a continue or a return may keep it from running, or a loop
/// between blocks that may end where no condition holds: all blocks of a loop that has one, else those
/// behind it. Regions without any have no blocks here.
pub(super) fn left_before(program: &Program) -> Vec<Vec<bool>> {
    // Of each region, whether it has a break or a continue of a loop around it, and a return.
    let mut of = vec![(false, false); program.regions.len()];
    let mut all = vec![vec![]; program.regions.len()];
    // Those inside come later.
    for (place, region) in program.regions.iter().enumerate().rev() {
        let mut leaving = vec![];
        for (index, block) in region.blocks.iter().enumerate() {
            let (leaves_loop, returns) = match &block.kind {
                BlockKind::Break | BlockKind::Continue => (true, false),
                BlockKind::Return => (false, true),
                BlockKind::Region(inner) => of[inner.place()],
                BlockKind::Conditional { branches, .. } => {
                    branches.iter().fold((false, false), |known, (_, branch)| {
                        let (leaves_loop, returns) = of[branch.place()];
                        (known.0 || leaves_loop, known.1 || returns)
                    })
                }
                BlockKind::State(_) | BlockKind::Opaque(_) => (false, false),
            };
            if leaves_loop || returns {
                leaving.push(index);
                of[place] = (of[place].0 || leaves_loop, of[place].1 || returns);
            }
        }
        let is_loop = matches!(region.kind, RegionKind::Loop(_));
        if is_loop {
            of[place].0 = false;
        }
        leaving.extend(ends_in_loops(region));
        if !leaving.is_empty() {
            all[place] =
                if is_loop { vec![true; region.blocks.len()] } else { behind(region, leaving) };
        }
    }
    all
}

/// The blocks of loops between blocks at which no condition may hold. Outside of loops, the weights of
/// what follows say how often that is so.
fn ends_in_loops(region: &Region) -> Vec<usize> {
    let mut conditions = vec![vec![]; region.blocks.len()];
    let mut ways = vec![vec![]; region.blocks.len()];
    for edge in &region.edges {
        conditions[edge.source.place()].push(edge.condition.as_deref());
        ways[edge.source.place()].push(edge.target.place());
    }
    let mut ends: Vec<usize> =
        (0..region.blocks.len()).filter(|&block| may_all_fail(&conditions[block])).collect();
    if !ends.is_empty() {
        let mut is_in_loop = vec![false; region.blocks.len()];
        for component in strong_components(&ways).iter().filter(|one| one.len() > 1) {
            component.iter().for_each(|&block| is_in_loop[block] = true);
        }
        ends.retain(|&block| is_in_loop[block] || ways[block].contains(&block));
    }
    ends
}

/// The blocks at the end of ways from some of them.
fn behind(region: &Region, from: Vec<usize>) -> Vec<bool> {
    let mut ways = vec![vec![]; region.blocks.len()];
    for edge in &region.edges {
        ways[edge.source.place()].push(edge.target.place());
    }
    let mut is_behind = vec![false; region.blocks.len()];
    let mut open = from;
    while let Some(block) = open.pop() {
        for &next in &ways[block] {
            if !std::mem::replace(&mut is_behind[next], true) {
                open.push(next);
            }
        }
    }
    is_behind
}
