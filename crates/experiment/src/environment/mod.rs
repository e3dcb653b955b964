//! Environments of Python: an interpreter and locked packages, built once into a folder that is
//! called by what is in it.

mod build;
mod lock;
mod spec;
mod tool;

pub(crate) use build::{Built, build};
pub(crate) use lock::{Wanted, lock, requirement};
pub use spec::EnvironmentSpec;
pub(crate) use spec::programs;
pub use tool::Installer;
