//! Bytes that move in the whole run, by container.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::context::Context;
use super::control_reads::control_reads;
use super::costs::Movement;
use super::found::Flow;
use super::repeated::{in_whole_run, sum_inside};
use super::state::counted;
use crate::expr::{Expr, TooLarge};
use crate::model::{BlockIndex, NodeIndex, RegionIndex, StateIndex};

/// Bytes of all accesses in the whole run, by the container that has the memory.
pub(super) fn moved_by_container(
    context: &mut Context<'_, '_>,
    flow: &Flow,
    edges: &[Vec<Option<Movement>>],
) -> BTreeMap<Arc<str>, Expr> {
    let program = context.known.program;
    let mut all = BTreeMap::<Arc<str>, Result<Expr, TooLarge>>::new();
    for (place, state) in program.states.iter().enumerate() {
        let index = StateIndex(place as u32);
        let graph = program.region(state.region).graph;
        let mut each = BTreeMap::<(Arc<str>, Option<NodeIndex>), Vec<Expr>>::new();
        for (edge, movement) in state.edges.iter().zip(&edges[place]) {
            let (Some(movement), Some(name)) = (movement, counted(context.known, index, edge))
            else {
                continue;
            };
            let scope = state.scope_behind(edge.source);
            each.entry((name, scope)).or_default().push(movement.bytes.clone());
        }
        for ((name, scope), bytes) in each {
            let bytes = Expr::sum(bytes)
                .and_then(|bytes| context.symbols.resolved(&bytes, graph))
                .and_then(|bytes| sum_inside(context, flow, &bytes, index, scope));
            let sum = all.entry(name).or_insert_with(|| Ok(Expr::default()));
            *sum = sum.clone().and_then(|sum| sum.plus(&bytes?));
        }
    }
    for (place, region) in program.regions.iter().enumerate() {
        let index = RegionIndex(place as u32);
        for block in (0..region.blocks.len() as u32).map(BlockIndex) {
            let reads = control_reads(context, index, block).unwrap_or_default();
            for read in reads {
                let Some(name) = context.known.roots.named(region.graph, &read.data) else {
                    continue;
                };
                let bytes = context.symbols.resolved(&read.bytes, region.graph);
                let bytes =
                    bytes.and_then(|bytes| in_whole_run(context, flow, bytes, index, block));
                let sum = all.entry(name).or_insert_with(|| Ok(Expr::default()));
                *sum = sum.clone().and_then(|sum| sum.plus(&bytes?));
            }
        }
    }
    let named = all.into_iter().map(|(name, bytes)| {
        let bytes = context.report.or_unknown(bytes, &format!("{name}_bytes_in_all"));
        (name, bytes)
    });
    named.collect()
}
