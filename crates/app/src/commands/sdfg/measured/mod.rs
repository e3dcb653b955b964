//! What DaCe's reports measured, beside what was worked out.

mod columns;
mod rows;
mod runs;
mod sides;

pub(super) use rows::{Measured, per_second};
pub(super) use runs::read_reports;
pub(super) use sides::MeasuredSides;
