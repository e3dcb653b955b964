//! Profiles as tables for DuckDB, pandas, Spark and spreadsheets: contexts, frames, values, the
//! linked contexts of points that have several, and what values belong to: metrics, threads and
//! members. Each is a file of its own; read together they are the profile again.
//!
//! ```text
//! values.context       --> contexts.context        contexts.location --> frames.location
//! values.metric_number --> metrics.metric_number   contexts.parent   --> contexts.context
//! values.thread_number --> threads.thread_number   links.point       --> values.point
//! values.member_number --> members.member_number   links.context     --> contexts.context
//! ```
//! Columns that others follow from (names beside numbers, depths, own and total values) are for
//! queries; reading leaves them alone.

mod cells;
mod code;
mod columns;
mod csv;
mod format;
mod labels;
#[cfg(feature = "parquet")]
mod parquet;
mod read;
mod runs;

pub(crate) use format::CSV;
#[cfg(feature = "parquet")]
pub(crate) use format::PARQUET;
