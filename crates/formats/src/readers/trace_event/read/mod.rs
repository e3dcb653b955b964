//! Reading a trace: spans and samples by thread, or the profiles of DevTools.

mod finish;
mod happenings;
mod spans;
mod trace;

pub(super) use spans::has_place_in;
pub(super) use trace::read;
