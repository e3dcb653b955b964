//! Accesses as they were recorded, instead of loops.
//!
//! Memory grows with the lines that are touched, not with the accesses: lines get numbers in the order in
//! which they are touched first.

mod at_elements;
mod each;
mod lackey;
mod ranges;
mod recording;
mod regions;
mod tracing;

pub use at_elements::Watched;
pub use each::EachTraced;
pub use lackey::{Lackey, LackeyError, Line, is_lackey};
pub use ranges::{Range, RangeError};
pub use recording::{MOST_RECORDED, Recording, RecordingError};
pub use regions::Regions;
pub use tracing::{Access, MOST_RANGES, Seen, Traced, Tracing, Wanted};
