//! `hotframe record`: runs a command and measures it.

mod ask;
mod check;
mod ending;
mod list;
mod merge;
mod messages;
mod once;
mod plan;
mod python;
mod series;
mod show;
mod subcommands;

pub(crate) use subcommands::record;
