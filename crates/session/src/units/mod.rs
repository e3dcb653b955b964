//! Values as people read them, the same in every host.
//!
//! `testdata/units.tsv` lists what reads how; the tests here and those of the page go through it.

mod digits;
mod quantity;
#[cfg(test)]
mod tests;
mod value;

pub use quantity::quantity_text;
pub use value::{Unit, count_text, share_text};
