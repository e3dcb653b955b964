//! What this machine can do at most: measured, and remembered from one run to the next.

pub(crate) mod caches;
mod limits;
mod measure;
mod remembered;

pub(crate) use limits::{Limits, limits, measured, threads};
pub(crate) use measure::ROUNDS;
pub(crate) use remembered::remember;
