//! Trees of calls and lists of functions: what filters leave of a profile, kept by view.

pub(super) mod linked;
pub(super) mod report;
pub(super) mod values;
pub(super) mod views;
