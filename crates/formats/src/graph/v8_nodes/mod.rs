//! The call tree that V8 writes, as a table of nodes or as nodes inside nodes, and the samples
//! that name its nodes: of `.cpuprofile`, `.heapprofile` and the traces of Chrome's DevTools.

mod read;
mod resolved;
mod samples;
mod tree;

pub(crate) use crate::graph::v8_nodes::samples::{Samples, unknown_node};
pub(crate) use tree::{NodeKind, NodeTree};
