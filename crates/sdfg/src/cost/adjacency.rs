//! Edges by the nodes at their ends.

use crate::model::{Edge, EdgeIndex, State};

/// The edges of a state by the nodes at their ends.
pub(crate) struct Adjacency {
    pub(crate) incoming: Vec<Vec<EdgeIndex>>,
    pub(crate) outgoing: Vec<Vec<EdgeIndex>>,
}

impl Adjacency {
    pub(crate) fn new(state: &State) -> Adjacency {
        let mut incoming = vec![vec![]; state.nodes.len()];
        let mut outgoing = vec![vec![]; state.nodes.len()];
        for (place, Edge { source, target, .. }) in state.edges.iter().enumerate() {
            outgoing[source.place()].push(EdgeIndex(place as u32));
            incoming[target.place()].push(EdgeIndex(place as u32));
        }
        Adjacency { incoming, outgoing }
    }
}
