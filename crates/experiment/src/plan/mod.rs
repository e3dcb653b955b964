//! What is to be run, as people write it: TOML, one experiment at the top or several in
//! `[[experiment]]`.
#![allow(
    clippy::disallowed_methods,
    reason = "folders of the user and of this worker; untrusted programs do not write there"
)]

mod experiment;
mod file;
mod template;

pub use experiment::{Experiment, Manner, PlanFile, SourceOptions};
pub use template::TEMPLATE;
