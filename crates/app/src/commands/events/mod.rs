//! `hotframe events`: events of recordings, by run.

mod cells;
mod compare;
mod migrations;
mod reading;
mod subcommands;
mod summary;
mod timeline;

pub(crate) use subcommands::events;
