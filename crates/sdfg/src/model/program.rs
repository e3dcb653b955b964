//! The program as a whole.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::container::{Container, ElementType};
use super::control_flow::Region;
use super::dataflow::State;
use super::id::{BlockIndex, ElementId, GraphIndex, NodeIndex, RegionIndex, StateIndex};
use crate::expr::Expr;

/// What a file holds.
#[derive(Debug, Clone, Default)]
pub struct Program {
    /// The outermost graph is the first; a nested one stands behind the one that holds it.
    pub graphs: Vec<Graph>,
    /// A region stands behind the one that holds it.
    pub regions: Vec<Region>,
    /// All states of all regions.
    pub states: Vec<State>,
    /// The version of DaCe that wrote the file, as it says.
    pub dace_version: Option<String>,
    /// Paths that [`SourcePlace::file`] counts.
    pub source_files: Vec<String>,
    /// What could not be read or had to be repaired, with how often.
    pub warnings: BTreeMap<String, u64>,
}

/// One SDFG: containers and control flow.
#[derive(Debug, Clone)]
pub struct Graph {
    /// Its name.
    pub name: Arc<str>,
    /// Its blocks.
    pub region: RegionIndex,
    /// The state and the node that hold it; none for the outermost.
    pub holder: Option<(StateIndex, NodeIndex)>,
    /// Data containers by name.
    pub containers: BTreeMap<Arc<str>, Container>,
    /// Symbols that it declares, with their types.
    pub symbols: BTreeMap<Arc<str>, ElementType>,
    /// Constants that are one number; arrays of constants are containers only.
    pub constants: BTreeMap<Arc<str>, Arc<Expr>>,
    /// Names of the arguments, in order, as far as the file says.
    pub arguments: Vec<Arc<str>>,
    /// DaCe's fingerprint of the graph, which instrumentation reports repeat.
    pub hash: Option<String>,
}

/// Where in a source something was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SourcePlace {
    /// A place in [`Program::source_files`].
    pub file: u32,
    /// From 1.
    pub line: u32,
}

impl Program {
    /// The outermost graph; a program that was read has one.
    pub fn root(&self) -> Option<&Graph> {
        self.graphs.first()
    }

    /// Whether a nested graph's name is all of the container that it is connected to, and the edge says what of
    /// it is accessed: so it is from the first beta of DaCe 2.0 on. Before, the name begins where the part
    /// begins that the edge says.
    pub fn hands_on_whole_containers(&self) -> bool {
        let Some(version) = &self.dace_version else { return false };
        let mut numbers = version.splitn(3, '.');
        let major = numbers.next().and_then(|number| number.parse::<u32>().ok());
        let is_alpha = numbers.next() == Some("0")
            && numbers.next().is_some_and(|rest| rest.starts_with("0a"));
        major.is_some_and(|major| major > 2 || (major == 2 && !is_alpha))
    }

    /// A graph by its index.
    pub fn graph(&self, index: GraphIndex) -> &Graph {
        &self.graphs[index.0 as usize]
    }

    /// A region by its index.
    pub fn region(&self, index: RegionIndex) -> &Region {
        &self.regions[index.0 as usize]
    }

    /// A state by its index.
    pub fn state(&self, index: StateIndex) -> &State {
        &self.states[index.0 as usize]
    }

    /// The graph that a state belongs to.
    pub fn graph_of(&self, state: StateIndex) -> &Graph {
        self.graph(self.region(self.state(state).region).graph)
    }

    /// How DaCe names a region's block, or a node or an edge in a state.
    pub fn id_of_block(&self, region: RegionIndex, block: BlockIndex) -> ElementId {
        ElementId::block(self.region(region).list_id, block)
    }

    /// How DaCe names a state.
    pub fn id_of_state(&self, state: StateIndex) -> ElementId {
        let state = self.state(state);
        self.id_of_block(state.region, state.block)
    }

    /// How many nodes all states have together.
    pub fn node_count(&self) -> usize {
        self.states.iter().map(|state| state.nodes.len()).sum()
    }

    /// How many dataflow edges all states have together.
    pub fn edge_count(&self) -> usize {
        self.states.iter().map(|state| state.edges.len()).sum()
    }
}
