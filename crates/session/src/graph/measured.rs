//! What was measured, laid over the graph.

use protocol::GraphCost;
use sdfg::outline::Element;

use super::GraphDocument;

impl GraphDocument {
    /// A measured metric of an element in the whole run.
    pub(super) fn measured(&self, _: Element, _: &str) -> Option<f64> {
        None
    }

    pub(super) fn measured_unit(&self, _: &str) -> String {
        String::new()
    }

    /// Seconds measured in the whole run.
    pub(super) fn measured_seconds(&self, _: Element) -> Option<f64> {
        None
    }

    pub(super) fn measured_costs(&self, _: Element) -> Vec<GraphCost> {
        vec![]
    }
}
