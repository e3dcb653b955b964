//! One command a file.

mod advice;
mod convert;
mod diff;
mod engine;
mod events;
#[cfg(target_os = "linux")]
mod experiment;
mod export;
mod filters;
mod formats;
mod info;
mod licenses;
mod machine;
mod notes;
mod open;
mod output;
#[cfg(target_os = "linux")]
mod record;
mod run;
mod sdfg;
mod shell;
mod show;

pub(crate) use advice::advice;
pub(crate) use convert::convert;
pub(crate) use diff::diff;
pub(crate) use engine::engine;
pub(crate) use events::events;
#[cfg(target_os = "linux")]
pub(crate) use experiment::{begun_by_itself, experiment, launcher};
pub(crate) use export::export;
pub(crate) use formats::formats;
pub(crate) use info::info;
pub(crate) use licenses::licenses;
pub(crate) use open::open;
#[cfg(target_os = "linux")]
pub(crate) use record::record;
pub(crate) use run::run;
pub(crate) use sdfg::sdfg;
pub(crate) use shell::{completions, man};
pub(crate) use show::show;
