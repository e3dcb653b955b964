//! The lists of a profile: one file per list, with its analysis and its columns.

mod concurrency;
mod critical_path;
pub(super) mod functions;
mod gaps;
mod kept;
mod list;
mod longest_spans;
mod marks;
mod places;
mod span_changes;
mod span_name;
mod spans;
mod thread_states;
mod tracks;

pub(super) use concurrency::concurrency_chart;
pub(super) use critical_path::critical_path;
pub use critical_path::{PathHead, critical_path_head};
pub(super) use list::MOST_ROWS;
pub(super) use list::lists_of;
pub use list::{ProfileList, list, list_in, list_of};
pub(super) use places::after;
pub(super) use thread_states::thread_bars;
