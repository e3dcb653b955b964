//! Loops of plain C: what Polly exports of them (JSCoP) becomes loops around accesses, for
//! [`locality`].
//!
//! Polly writes JSON whose sets and maps are texts in isl's notation: a statement has a domain (its
//! iterations), a schedule (when each is) and accesses. [`read`] reads them; [`Scop::nest`] gives
//! parameters values and scans the statements in the order of their schedules. Nothing is
//! approximated: loops may go further than a statement does, then what is in them asks first. What
//! cannot be scanned exactly is left out, and named.

mod error;
mod isl;
mod nest;
mod read;
mod size;
mod system;

pub use error::{NestError, ReadError};
pub use nest::{Nested, Origin};
pub use read::{Access, Array, Limits, Scop, Size, Statement, is_scop, read};
