//! How many events there were: sums of what samples stand for, by run and by where they were.
//!
//! A sample stands for as many events as its period says (or as its counters counted since they
//! were read before), so a count is a sum of values, never a mean, and a ratio of counts is a ratio
//! of sums.

mod bins;
mod column;
mod context_sums;
mod copies;
mod frames;
mod groups;
mod index;
mod loads;
mod migrations;
mod sample_bins;
mod table;

pub use bins::{BinAxis, BinSum, EventBins};
pub use copies::{copies, measured};
pub use frames::{FrameEvents, FrameSums, frame_sums};
pub use groups::{EventsBy, FramesBy, NoGroups};
pub use index::{EventIndex, Source};
pub use loads::{Load, LoadOf, loads, threads_of};
pub use migrations::{Migration, MigrationMetrics, MigrationSource, Migrations};
pub use table::{Columns, EventSum, EventTable, LEAST_SAMPLES, Samples};
