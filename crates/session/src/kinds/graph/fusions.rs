//! What fusing neighbouring maps saves.

use protocol::{
    FusedContainer, GraphFusion, GraphFusionsParams, GraphFusionsResult, ProtocolError, Reply,
};
use sdfg::cost::Certainty;
use sdfg::fusion::{self, Fusion};
use sdfg::outline::Element;

use super::overlay::bindings;
use super::{GraphDocument, search};

/// The ranking.
pub(crate) fn fusions(
    document: &GraphDocument,
    params: &GraphFusionsParams,
) -> Result<Reply<GraphFusionsResult>, ProtocolError> {
    let at = bindings(&params.symbols);
    let teller = document.teller(&at);
    let all = fusion::rank(&document.program, &document.costs, &at);
    let left_out = all.len().saturating_sub(params.limit as usize) as f64;
    let told = all.into_iter().take(params.limit as usize).map(|found| {
        let Fusion { state, first, second, obstacle, between, saved, saved_in_all, .. } = found;
        let map = |node| search::described(document, Element::Node(state, node));
        let (name, saved) = match &saved_in_all {
            Some(saved) => ("saved", saved),
            None => ("saved each time", &saved),
        };
        let excess = match saved.certainty {
            Certainty::AtMost(excess) => Some(excess),
            Certainty::Exact | Certainty::Unknown => None,
        };
        let between = between
            .into_iter()
            .map(|one| FusedContainer { name: one.data.to_string(), is_private: one.is_private });
        GraphFusion {
            first: map(first),
            second: map(second),
            between: between.collect(),
            obstacle: obstacle.map(|obstacle| obstacle.to_string()).unwrap_or_default(),
            saved: teller.of_expr(name, "bytes", &saved.bytes, excess),
        }
    });
    Ok(Reply::from(GraphFusionsResult { fusions: told.collect(), left_out }))
}
