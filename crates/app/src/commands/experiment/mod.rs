//! `hotframe experiment`: one command in many conditions.

mod by_itself;
mod compare;
mod history;
mod init;
mod living;
mod plan;
mod query;
mod queue;
mod run;
mod status;
mod subcommands;
mod summary;
mod worker;

pub(crate) use by_itself::begun_by_itself;
pub(crate) use living::launcher;
pub(crate) use subcommands::experiment;
