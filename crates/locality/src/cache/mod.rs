//! Caches as they are built: sets and ways, levels, what is replaced, what is written where.

mod description;
mod full;
mod hierarchy;
mod level;
mod misses;
mod run;
mod sets;

pub use description::{Cache, Caches, Inclusion, Replacement};
pub use hierarchy::{Counts, Hierarchy, LevelCounts};
pub use misses::misses;
pub use run::{CacheRun, simulate};
