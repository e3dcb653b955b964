//! `hotframe experiment`: one command in many conditions.

mod compare;
mod history;
mod living;
mod plan;
mod query;
mod queue;
mod run;
mod status;
mod summary;
mod worker;

use std::process::ExitCode;

use anyhow::{Context as _, Result, bail};
use experiment::{Experiment, PlanFile, TEMPLATE};

use crate::arguments::{self, ExperimentCommand, ExperimentInit};

pub(crate) use living::launcher;

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

/// What this program begins itself for, with a first word that no user writes: isolated programs, and
/// recorders of one run.
pub(crate) fn begun_by_itself() -> Option<ExitCode> {
    let mut words = std::env::args_os().skip(1);
    let word = words.next()?;
    if word == living::ISOLATED {
        return Some(isolation::launch(words));
    }
    let serve = || {
        crate::access::from_environment()?;
        let stop = living::Stop::on_signals()?;
        Ok::<(), anyhow::Error>(experiment::Task::serve(living::read, || stop.is_requested())?)
    };
    (word == living::RECORDS).then(|| serve().map_or(ExitCode::FAILURE, |()| ExitCode::SUCCESS))
}

/// The experiments of a plan, or the one of a name.
fn chosen<'a>(plan: &'a PlanFile, name: Option<&str>) -> Result<Vec<&'a Experiment>> {
    let is_meant = |one: &&Experiment| name.is_none_or(|name| name == one.asked.name);
    let found: Vec<&Experiment> = plan.experiments.iter().filter(is_meant).collect();
    if found.is_empty() {
        let names: Vec<&str> = plan.experiments.iter().map(|one| one.asked.name.as_str()).collect();
        bail!("the plan has no such experiment, it has: {}", names.join(", "));
    }
    Ok(found)
}

/// Writes a plan to begin with, unless there is something.
fn init(arguments: &ExperimentInit) -> Result<()> {
    use std::io::Write as _;
    let file = &arguments.file;
    if file.as_os_str() == "-" {
        return Ok(crate::text::stdout().write_all(TEMPLATE.as_bytes())?);
    }
    let made = std::fs::OpenOptions::new().write(true).create_new(true).open(file);
    match made {
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
            bail!("{} exists already: name another file, or remove it", file.display())
        }
        made => {
            let mut made = made.with_context(|| format!("cannot write {}", file.display()))?;
            made.write_all(TEMPLATE.as_bytes())?;
        }
    }
    let mut out = crate::text::stderr();
    writeln!(out, "hotframe: {} is written: hotframe experiment run {0}", file.display())?;
    Ok(())
}
