//! Which neighbouring maps are worth fusing: what the second reads of what the first writes need not
//! move when one map does both, and neither need the writes where nothing else reads them.
//!
//! ```text
//! first entry ... first exit -- container -- second entry ... second exit
//! ```
//!
//! Two maps can be one where their ranges are the same but for names and order, and where everything
//! that both touch is touched by one iteration alone: the second reads exactly the elements that the
//! same iteration of the first writes. A reduction, a stencil or a detour through another node on the
//! way between them says no. What memory of an iteration's own saves is not counted, as its accesses
//! are none of the [movement](crate::cost).

mod elements;
mod gain;
mod neighbours;
mod ranges;

pub use gain::{Fusion, Intermediate, Obstacle, Saved, rank};
pub use ranges::Ranges;
