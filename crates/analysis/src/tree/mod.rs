//! Trees of frames, unfolded only where someone looks.
//!
//! A node stands for a group of equal frames under equal paths. It knows the places in the calling
//! context tree that it merges (its *occurrences*); unfolding it groups the places one step
//! further. A profile of twenty million contexts therefore costs what its visible part costs.

mod bottom_up;
mod collapse;
mod flat;
mod folded;
mod marks;
mod nodes;
mod order;
mod paths;
mod top_down;
mod values;
mod widths;

pub use collapse::Collapse;
pub(crate) use collapse::SimplePaths;
pub use marks::Marks;
pub use nodes::{Node, NodeId, Shape, Tree};
pub use order::Order;
