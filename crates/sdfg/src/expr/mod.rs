//! Symbolic expressions over integers: sums of products with exact rational coefficients.
//!
//! They are always in normal form: products are multiplied out, equal terms are added up, so that
//! equal polynomials are equal values. What is not a polynomial (a rounding, a minimum, a quotient of
//! sums) is an [`Atom`] in a product. Symbols stand for integers, as those of SDFGs do.

mod batch;
mod boxes;
mod divide;
mod evaluate;
mod facts;
mod functions;
mod linear;
mod parse;
mod power;
mod print;
mod rewrite;
mod series;
mod sum;
mod terms;

pub use batch::{Batch, Slot, Values};
pub(crate) use boxes::elements_of_boxes;
pub use evaluate::{Bindings, Unknown, Value};
pub use facts::Facts;
pub use functions::Function;
pub use parse::{ParseError, parse};
pub(crate) use series::leave_no_gap;
pub use sum::Progression;
pub use terms::{Expr, Number, TooLarge};
