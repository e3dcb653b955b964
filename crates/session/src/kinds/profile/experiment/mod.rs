//! Experiments: profiles whose members ran in several conditions.
//!
//! ```text
//! Runs, found once a document --+-- matrix       what a quantity was in each cell
//! a quantity, a value a run ----+-- effects      what factors do, apart and together
//!                               +-- differences  which functions make the difference
//!                               \-- history      a quantity by the levels of one factor
//! ```
//! A quantity is a figure of whole runs, a metric of what filters leave of them, or a function in that
//! metric. Filters say nothing about figures of whole runs.

mod differences;
mod effects;
mod failures;
mod history;
mod matrix;
mod quantity;
mod runs;
mod sides;
mod values;

pub use differences::{BELIEVED, DifferenceReport, DifferenceRow, OnlyRow, differences};
pub use effects::{EffectReport, factor_effects};
pub use failures::{Trouble, TroubledRun, troubled_runs};
pub use history::{HistoryLine, HistoryReport, HistoryStep, history};
pub use matrix::{Matrix, MatrixCell, matrix};
pub use quantity::{
    Measured, Quantity, function_named, measured, ratio_interval, ratio_text, usual_quantity,
    zero_note,
};
pub use runs::{experiment_runs, runs_of_experiment};
