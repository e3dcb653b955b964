//! What runs in several conditions tell.
//!
//! ```text
//! members with facts -- Runs: factors, cells, rounds
//!                         |
//! values of a metric, a function or a figure of the run, one a run
//!                         |
//!        Pairs: cells that differ in one respect, side by side
//!                         +-- contrast: ratio and difference with intervals
//!                         +-- effects: of each factor apart, and how two act together
//!                         +-- differences: the same for each function, those that are believed
//!                         +-- changes: where a history of values jumps
//! ```
//! Cells are compared within the levels of all other factors and then averaged, so that what another
//! factor does is not taken for this one's. The scatter is that of runs within cells.

mod changes;
mod contrast;
mod differences;
mod effects;
mod means;
mod pairs;
mod runs;
mod values;

pub use changes::{ChangePoint, History, Step, changes};
pub use contrast::{Contrast, Estimate, contrast, noise_floor};
pub use differences::{Difference, Differences, Existing, differences};
pub use effects::{Effect as FactorEffect, Effects, Interaction, effects};
pub use means::{CellMean, cell_mean};
pub use pairs::{Pairs, Selection};
pub use runs::{Cell, Factor, Run, Runs, Usable};
pub use values::{GroupValues, Values, Which as RunQuantity};
