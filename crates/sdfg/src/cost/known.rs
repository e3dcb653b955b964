//! What is known of a program before any cost.

use std::collections::HashMap;
use std::sync::Arc;

use super::changing::changing_names;
use super::early_exits::left_before;
use super::roots::Roots;
use super::rules::Rules;
use crate::expr::Facts;
use crate::model::{BlockIndex, NodeIndex, Program, RegionIndex, StateIndex};

/// What is known of a program before any cost.
pub(super) struct Known<'p> {
    pub(super) program: &'p Program,
    pub(super) rules: Rules,
    pub(super) facts: Facts,
    /// By graph: its states.
    pub(super) states_of: Vec<Vec<StateIndex>>,
    /// Where the memory of containers is.
    pub(super) roots: Roots,
    /// What decides the ranges of maps while the program runs.
    pub(super) dynamic: HashMap<(StateIndex, NodeIndex), Inputs<'p>>,
    /// See [`left_before`].
    left_before: Vec<Vec<bool>>,
}

/// What decides the range of a map while the program runs: connectors, with the container that they
/// read.
pub(super) type Inputs<'p> = Vec<(&'p Arc<str>, &'p Arc<str>)>;

impl<'p> Known<'p> {
    /// Looks at a program.
    pub(super) fn new(program: &'p Program, rules: Rules) -> Known<'p> {
        let mut states_of = vec![vec![]; program.graphs.len()];
        for (place, state) in program.states.iter().enumerate() {
            let graph = program.region(state.region).graph;
            states_of[graph.place()].push(StateIndex(place as u32));
        }
        let changing = changing_names(program).into_iter().map(Arc::from).collect();
        Known {
            program,
            rules,
            facts: Facts::all_sizes_but(changing),
            states_of,
            roots: Roots::new(program),
            dynamic: dynamic_inputs(program),
            left_before: left_before(program),
        }
    }

    /// Whether a break, a continue or a return may keep a block of a region from running.
    pub(super) fn may_be_left_before(&self, region: RegionIndex, block: BlockIndex) -> bool {
        self.left_before[region.place()].get(block.place()).copied().unwrap_or(false)
    }
}

/// Those of all maps that have some.
fn dynamic_inputs(program: &Program) -> HashMap<(StateIndex, NodeIndex), Inputs<'_>> {
    let mut all = HashMap::<(StateIndex, NodeIndex), Inputs<'_>>::new();
    for (place, state) in program.states.iter().enumerate() {
        for edge in &state.edges {
            let (Some(connector), Some(memlet)) = (&edge.target_connector, &edge.memlet) else {
                continue;
            };
            let is_entry = state.nodes[edge.target.place()].kind.is_entry();
            if is_entry && !connector.starts_with("IN_") {
                let of = (StateIndex(place as u32), edge.target);
                all.entry(of).or_default().push((connector, &memlet.data));
            }
        }
    }
    all
}
