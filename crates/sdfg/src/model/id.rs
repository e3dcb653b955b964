//! Indices, and the ids that DaCe writes.

use std::fmt;

macro_rules! index {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl $name {
            /// As a place in a list.
            pub fn place(self) -> usize {
                self.0 as usize
            }
        }
    };
}

index! {
    /// A place in [`super::Program::graphs`].
    GraphIndex
}
index! {
    /// A place in [`super::Program::regions`].
    RegionIndex
}
index! {
    /// A place in [`super::Program::states`].
    StateIndex
}
index! {
    /// A place in [`super::Region::blocks`].
    BlockIndex
}
index! {
    /// A place in [`super::State::nodes`].
    NodeIndex
}
index! {
    /// A place in [`super::State::edges`] or [`super::Region::edges`], as the file lists them.
    EdgeIndex
}

/// An element as DaCe's viewer, reports and analyses name it: `cfg_list_id/state/node/edge`, -1 for
/// what does not apply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ElementId {
    /// The `cfg_list_id` of the region.
    pub region: i64,
    /// The block in the region.
    pub block: i64,
    /// The node in the state.
    pub node: i64,
    /// The edge in the state, or in the region where there is no block.
    pub edge: i64,
}

impl ElementId {
    /// A region as a whole.
    pub fn region(list_id: i64) -> ElementId {
        ElementId { region: list_id, block: -1, node: -1, edge: -1 }
    }

    /// A block of a region.
    pub fn block(list_id: i64, block: BlockIndex) -> ElementId {
        ElementId { block: block.0.into(), ..ElementId::region(list_id) }
    }

    /// A node of this state.
    pub fn with_node(self, node: NodeIndex) -> ElementId {
        ElementId { node: node.0.into(), ..self }
    }

    /// An edge of this state or region.
    pub fn with_edge(self, edge: EdgeIndex) -> ElementId {
        ElementId { edge: edge.0.into(), ..self }
    }
}

impl fmt::Display for ElementId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}/{}/{}", self.region, self.block, self.node, self.edge)
    }
}
