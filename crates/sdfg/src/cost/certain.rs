//! Whether it is known how often parts are reached.

use super::found::Flow;
use super::known::Known;
use crate::model::{BlockIndex, BlockKind, RegionIndex};

/// Whether it is known how often a block is reached in the whole run.
pub(super) fn is_reached_for_certain(
    known: &Known<'_>,
    flow: &Flow,
    region: RegionIndex,
    block: BlockIndex,
) -> bool {
    let program = known.program;
    let mut around = Some((region, block));
    while let Some((region, block)) = around {
        if !is_reach_known(known, flow, region, block) {
            return false;
        }
        let holder = program.graph(program.region(region).graph).holder;
        around = holder.map(|(state, _)| (program.state(state).region, program.state(state).block));
    }
    true
}

/// Whether it is known how often a region is reached in the whole run.
pub(super) fn is_region_reached_for_certain(
    known: &Known<'_>,
    flow: &Flow,
    index: RegionIndex,
) -> bool {
    let region = known.program.region(index);
    let around = match region.holder {
        Some(around) if is_branch_known(known, flow, index) => around,
        Some(_) => return false,
        None => match known.program.graph(region.graph).holder {
            Some((state, _)) => {
                let state = known.program.state(state);
                (state.region, state.block)
            }
            None => return true,
        },
    };
    is_reached_for_certain(known, flow, around.0, around.1)
}

/// Whether a region is not a branch, or one that data does not decide.
fn is_branch_known(known: &Known<'_>, flow: &Flow, index: RegionIndex) -> bool {
    let is_branch = known.program.region(index).holder.is_some_and(|(around, block)| {
        let block = known.program.region(around).block(block);
        matches!(block.kind, BlockKind::Conditional { .. })
    });
    !is_branch || flow.branch_weight(index).is_some()
}

/// Whether it is known how often a block is reached each time that its graph runs.
pub(super) fn is_reach_known(
    known: &Known<'_>,
    flow: &Flow,
    region: RegionIndex,
    block: BlockIndex,
) -> bool {
    let mut place = Some((region, block));
    while let Some((region, block)) = place {
        let inside = known.program.region(region);
        let around = flow.around(region, block);
        let mut inner = around.innermost;
        let mut is_known = around.weight.is_some();
        while let Some(index) = inner {
            let one = &flow.loops[region.place()].loops[index];
            is_known &= one.weight.is_some();
            inner = one.around;
        }
        if !is_known
            || known.may_be_left_before(region, block)
            || !is_branch_known(known, flow, region)
        {
            return false;
        }
        place = inside.holder;
    }
    true
}
