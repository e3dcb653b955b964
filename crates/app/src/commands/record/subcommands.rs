//! The commands, and how they end.

use std::process::ExitCode;

use anyhow::Result;
use record::{Error, Status};

use super::ending::{self, ended_as};
use super::merge::merge;
use super::once::quick;
use super::series::{before, experiments, series};
use super::{list, messages, python, show};
use crate::arguments::{Record, RecordCommand};

/// Records, or tells of recordings.
pub(crate) fn record(arguments: Record) -> Result<ExitCode> {
    let done = |result: Result<()>| result.map(|()| ExitCode::SUCCESS);
    match arguments.command {
        Some(RecordCommand::Perf(perf)) if perf.list => done(list::list(&perf)),
        Some(RecordCommand::Perf(perf)) => recorded(series(&perf)),
        Some(RecordCommand::Python(python)) => recorded(python::record(&python)),
        Some(RecordCommand::Show(show)) => done(show::show(&show)),
        Some(RecordCommand::Merge(merge)) => done(self::merge(&merge)),
        None => match &arguments.plans.plan {
            Some(plan) => {
                let before = before(arguments.plans.resume, arguments.plans.replace);
                recorded(experiments(plan, before))
            }
            None => recorded(quick(&arguments.quick)),
        },
    }
}

/// Ends as the command did. One that is not there ends as in a shell.
pub(super) fn recorded(result: Result<Option<Status>>) -> Result<ExitCode> {
    match result {
        Ok(status) => Ok(status.map_or(ExitCode::SUCCESS, ended_as)),
        Err(error) => match error.downcast_ref::<Error>() {
            Some(Error::Command { what, code }) => {
                messages::line(what)?;
                Ok(ExitCode::from(*code))
            }
            Some(Error::Stopped) => Ok(ExitCode::from(ending::INTERRUPTED)),
            _ => Err(error),
        },
    }
}
