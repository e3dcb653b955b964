//! Call graphs, trees and stacks: what readers make contexts of.

pub(crate) mod call_graph;
pub(crate) mod frame_tree;
pub(crate) mod id_index;
pub(crate) mod inclusive;
pub(crate) mod parents;
pub(crate) mod path;
pub(crate) mod stack_walker;
pub(crate) mod v8_nodes;
