//! Events of recordings, counted by run: how many there were of each and where, metrics that are made
//! of them, and two sets of runs side by side.

mod bins;
mod cells;
mod compare;
mod division;
mod formulas;
mod frames;
mod knowledge;
mod machine;
mod migrations;
mod query;
mod report;
mod sets;

pub use bins::{BinsQuery, EventCell, EventTimeline, event_timeline};
pub use compare::{EventChange, EventChanges, compare_events};
pub use division::{Division, MOST_BINS};
pub use frames::{FrameLimits, events_of_both, events_of_frames};
pub use knowledge::Better;
pub use migrations::{MigrationsOfSet, level_name, migrations};
pub(crate) use report::events_by_set;
pub use report::{EventReport, EventRow, events};
pub use sets::SetsBy;
