//! Where things stand: boxes of flame graphs and rows of tree tables, as numbers in view units.
//!
//! A view unit is what one thing must be wide to be worth drawing: for a page a CSS pixel, for a
//! terminal a column. Nothing here knows pixels, fonts or colours.

mod flame;
mod rows;

pub use flame::{FlameBox, FlameLayout, FlameView, flame};
pub use rows::{Row, RowSort, RowsLayout, RowsView, rows};
