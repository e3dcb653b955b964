//! Memory that is alive.

use serde::{Deserialize, Serialize};

use crate::{GraphCost, SymbolSetting};

/// Parameters of [`crate::Request::GraphMemory`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GraphMemoryParams {
    /// The document.
    pub document: u32,
    /// Values of symbols.
    pub symbols: Vec<SymbolSetting>,
}

/// Result of [`crate::Request::GraphMemory`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GraphMemoryResult {
    /// The first states of the outermost graph, in its order.
    pub states: Vec<StateMemory>,
    /// How many more states there are.
    pub states_left_out: f64,
    /// Where most is alive; none where symbols are not set.
    pub peak: Option<StateMemory>,
    /// Containers that have memory of their own, the largest first; before them those whose size is not
    /// known.
    pub containers: Vec<ContainerMemory>,
    /// How many more containers there are.
    pub containers_left_out: f64,
}

/// What is alive while a state runs, graphs in its nodes included.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct StateMemory {
    /// The state.
    pub element: u32,
    /// Its label.
    pub label: String,
    /// Bytes of what is alive, but for what iterations have for themselves.
    pub alive: GraphCost,
    /// Bytes that each iteration of a scope has for itself, at most.
    pub iteration: GraphCost,
    /// It may run at these sizes.
    pub may_run: bool,
}

/// When a container has memory.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ContainerMemory {
    /// Its name.
    pub name: String,
    /// The inner graph that it is of; empty for the outermost one.
    pub graph: String,
    /// Its bytes.
    pub bytes: GraphCost,
    /// When its memory is there, in words.
    pub alive: String,
    /// First and last places in [`GraphMemoryResult::states`] of states one after the other that it is
    /// alive in. What iterations have is in none.
    pub spans: Vec<[u32; 2]>,
}
