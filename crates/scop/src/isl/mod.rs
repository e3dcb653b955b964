//! Sets and maps in isl's notation, as far as Polly writes them.

mod formula;
mod sets;
mod sum;
mod text;

pub(crate) use sets::{Piece, Relation, Tuple, Wrong};
pub(crate) use sum::Sum;
pub(crate) use text::relation;
