//! Formulas: metrics that are worked out from others.
//!
//! ```text
//! formula    = sum [("<" | "<=" | ">" | ">=" | "==" | "!=") sum]      1 if it holds, else 0
//! sum        = product {("+" | "-") product}
//! product    = signed {("*" | "/") signed}
//! signed     = {"-"} value
//! value      = number [unit] | name | "(" formula ")" | function "(" formula {"," formula} ")"
//! name       = letters, digits and _, not beginning with a digit; or anything between two ` or two "
//!              (where a backslash takes the next character as it is)
//! ```
//! | function | what it is |
//! |---|---|
//! | `min(a, b, ..)`, `max(a, b, ..)` | the smallest, the largest |
//! | `abs(a)` | without its sign |
//! | `ratio(a, b)` | `a / b`, of two that measure the same |
//! | `per_thousand(a, b)` | `1000 * ratio(a, b)`, such as misses per thousand instructions |
//! | `self(metric)`, `total(metric)` | the self, the total value, whichever column the formula stands in |
//! | `mean_of(a)`, `sum_of(a)`, `min_of(a)`, `max_of(a)`, `median_of(a)` | of `a` over the parts of a node: the members of a profile |
//! | `deviation_of(a)`, `percentile_of(a, 95)` | its standard deviation, its percentile over the parts |
//! | `first_of(a)`, `last_of(a)` | that of the first, of the last part |
//! | `count_of(a)` | in how many parts `a` is not 0 |
//! | `slope_of(a)`, `rise_of(a)` | its change from part to part; the same, but 0 where it may be chance, see [`crate::statistics::Figure`] |
//!
//! **Of sums, not of parts.** A formula is worked out from the values of a node as it is shown,
//! summed over all that it stands for: `instructions / cycles` is the ratio of the totals, in which
//! long parts weigh more. `mean_of(instructions / cycles)` works it out for each part (member)
//! alone and takes the mean over those where it has a value, in which all weigh
//! the same.
//!
//! **Units** are carried along. Times, and sizes, are brought to one unit, so that milliseconds can
//! be added to seconds; bytes cannot, nor can a bare number, unless it is 0: `time > 5 ms`,
//! `max(time - waiting, 0)`. The unit of a number is a time, a size, a count, or part of the unit
//! of a metric. Counts have a name but no dimension: `cycles / instructions` of two counts is a
//! ratio, `misses * 64 bytes` is in bytes. See [`Unit`].
//!
//! **No value** is an answer: of a division by zero, of anything that is not a finite number, and of
//! whatever contains them or a metric that has no value.
//!
//! **Precision.** Values are 64-bit floats: whole numbers up to 2^53 are exact. A formula that only
//! adds and subtracts metrics of one unit is exact to all 64 bits, and rounded once at the end.

mod check;
mod definition;
mod degree;
mod error;
mod evaluate;
mod lexer;
mod nearest;
mod parser;
mod print;
mod unit;

pub use definition::{Formula, Input, OfTwo, Which};
pub use error::{FormulaError, Problem};
pub use lexer::quoted_name as quoted;
pub use unit::{Unit, quantity_of};
