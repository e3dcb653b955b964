//! The commands.

use std::process::ExitCode;

use anyhow::Result;

use super::init::init;
use super::{compare, history, plan, run, status, summary, worker};
use crate::arguments::{self, ExperimentCommand};

pub(crate) fn experiment(arguments: &arguments::Experiment) -> Result<ExitCode> {
    match &arguments.command {
        ExperimentCommand::Init(arguments) => init(arguments)?,
        ExperimentCommand::Plan(arguments) => plan::plan(arguments)?,
        ExperimentCommand::Run(arguments) => return run::run(arguments),
        ExperimentCommand::Status(arguments) => status::status(arguments)?,
        ExperimentCommand::Summary(arguments) => summary::summary(arguments)?,
        ExperimentCommand::Compare(arguments) => return compare::compare(arguments),
        ExperimentCommand::History(arguments) => history::history(arguments)?,
        ExperimentCommand::Worker(arguments) => return worker::worker(arguments),
    }
    Ok(ExitCode::SUCCESS)
}
