//! What if a program were laid out or run otherwise.
//!
//! A change is a line of text and a value, and each is the other. Layouts are changed by indices, so what
//! sees a container as something else forbids that. Loops are changed as long as no element is read or
//! written in another order than before ([`check`]): that is asked of the accesses themselves.

mod build;
mod changes;
mod check;
mod layout;
mod loops;
mod parallel;
pub(crate) mod prove;
mod text;

pub use changes::{Change, ChangeError, Changed, Program, Smaller, apply};
pub(crate) use check::run;
pub use check::{Dependence, Instance};
pub(crate) use layout::order_of;
pub(crate) use loops::{is_apart_in, path};
pub use parallel::is_parallel;
