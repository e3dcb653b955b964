//! What elements cost in the whole run.

use super::costs::{Cost, Costs, Movement};
use crate::expr::{Expr, TooLarge};
use crate::model::{EdgeIndex, NodeIndex, Program, RegionIndex, StateIndex};

impl Costs {
    /// What a node costs in the whole run; nothing where it is not known how often it is reached.
    pub fn node_in_all(
        &self,
        program: &Program,
        state: StateIndex,
        node: NodeIndex,
    ) -> Option<Cost> {
        let each = &self.nodes[state.place()][node.place()];
        let times = self.times.of_node(program, state, node);
        one_or_repeated(self.differing.nodes.get(&(state, node)), each, times)
    }

    /// What a state costs in the whole run.
    pub fn state_in_all(&self, state: StateIndex) -> Option<Cost> {
        let times = self.times.states[state.place()].as_ref();
        one_or_repeated(self.differing.states.get(&state), &self.states[state.place()], times)
    }

    /// What a region costs in the whole run.
    pub fn region_in_all(&self, region: RegionIndex) -> Option<Cost> {
        let times = self.times.regions[region.place()].as_ref();
        one_or_repeated(self.differing.regions.get(&region), &self.regions[region.place()], times)
    }

    /// What an edge moves in the whole run; nothing where it orders only.
    pub fn edge_in_all(
        &self,
        program: &Program,
        state: StateIndex,
        edge: EdgeIndex,
    ) -> Option<Movement> {
        if let Some(differing) = self.differing.edges.get(&(state, edge)) {
            return Some(differing.clone());
        }
        let each = self.edges[state.place()][edge.place()].as_ref()?;
        let inside = program.state(state);
        let scope = inside.scope_behind(inside.edges[edge.place()].source);
        let times = self.times.inside(state, scope)?;
        let (elements, bytes) = (each.elements.times(times).ok()?, each.bytes.times(times).ok()?);
        Some(Movement { elements, bytes, ..each.clone() })
    }
}

fn one_or_repeated(differing: Option<&Cost>, each: &Cost, times: Option<&Expr>) -> Option<Cost> {
    differing.cloned().or_else(|| each.repeated(times?).ok())
}

impl Cost {
    /// Work and movement of all times together; what runs several times is as deep as each.
    pub(super) fn repeated(&self, times: &Expr) -> Result<Cost, TooLarge> {
        Ok(Cost { work: self.work.times(times)?, moved: self.moved.times(times)?, ..self.clone() })
    }
}
