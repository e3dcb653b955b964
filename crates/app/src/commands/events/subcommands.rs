//! The commands.

use std::process::ExitCode;

use anyhow::Result;

use super::{compare, migrations, summary, timeline};
use crate::arguments::{Events, EventsCommand};

/// Tells what events there were.
pub(crate) fn events(arguments: &Events) -> Result<ExitCode> {
    match &arguments.command {
        EventsCommand::Summary(arguments) => {
            summary::summary(arguments)?;
            Ok(ExitCode::SUCCESS)
        }
        EventsCommand::Compare(arguments) => compare::compare(arguments),
        EventsCommand::Timeline(arguments) => {
            timeline::timeline(arguments)?;
            Ok(ExitCode::SUCCESS)
        }
        EventsCommand::Migrations(arguments) => {
            migrations::migrations(arguments)?;
            Ok(ExitCode::SUCCESS)
        }
    }
}
