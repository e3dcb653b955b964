//! An SDFG in memory: graphs, control flow, states, dataflow.
//!
//! ```text
//! Program -- Graph (the outermost first) -- Region -- Block -- State -- Node, Edge
//!                                              ^        |                |
//!                                              +--------+                +-- Graph (nested)
//! ```
//!
//! Everything stands in tables of the [`Program`] and is named by its index; what is nested stands
//! behind what holds it. So nothing recurses, however deep a file nests.

mod container;
mod control_flow;
mod dataflow;
mod id;
mod names;
mod program;

pub use container::{Container, ContainerKind, ElementType, Lifetime};
pub use control_flow::{Block, BlockKind, InterstateEdge, Loop, Region, RegionKind};
pub use dataflow::{
    Code, Consume, Dimension, Edge, Language, Library, Map, Memlet, Node, NodeKind, State, Subset,
};
pub use id::{BlockIndex, EdgeIndex, ElementId, GraphIndex, NodeIndex, RegionIndex, StateIndex};
pub use program::{Graph, Program, SourcePlace};
