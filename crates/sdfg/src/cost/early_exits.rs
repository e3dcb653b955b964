//! Blocks that may not run because something leaves a loop or a graph early.

use super::components::strong_components;
use super::conditions::may_all_fail;
use crate::model::{BlockKind, Program, Region, RegionKind};

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
