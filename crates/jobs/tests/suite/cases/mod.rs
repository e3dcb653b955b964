//! The cases, by what they are about.

pub(crate) mod adding;
pub(crate) mod cancelling;
pub(crate) mod claiming;
pub(crate) mod ending;
pub(crate) mod keeping;
pub(crate) mod processes;
