//! `hotframe record`: runs a command and measures it.

mod ask;
mod check;
mod ending;
mod list;
mod messages;
mod plan;
mod python;
mod show;

use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context as _, Result, bail};
use experiment::PlanFile;
use record::{Before, Error, Manifest, Place, RecordOptions, Series, Status};

use super::output::write_output;
use crate::arguments::{MergeRecordings, QuickRecording, Record, RecordCommand, RecordPerf};
use ending::{Signals, ended_as};

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
fn recorded(result: Result<Option<Status>>) -> Result<ExitCode> {
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

/// A command under perf, to be looked at.
fn quick(arguments: &QuickRecording) -> Result<Option<Status>> {
    let asked = ask::quick(arguments, ask::name_of(&arguments.command, arguments.process.pid)?);
    once(&asked, arguments.output.as_deref(), "perf.data", !arguments.no_open)
}

/// One run, which is opened.
fn once(
    asked: &RecordOptions,
    output: Option<&Path>,
    ending: &str,
    is_opened: bool,
) -> Result<Option<Status>> {
    let file = match output {
        Some(file) if file.as_os_str() == "-" => {
            bail!("a recording is a file, and standard output is the command's: name one with -o")
        }
        Some(file) => file.to_owned(),
        None => record::free_name(Path::new(""), &asked.name, ending),
    };
    let folder = file.parent().unwrap_or(Path::new(""));
    let place = Place { folder: folder_of(folder), file: Some(file), before: Before::Replace };
    let signals = Signals::new()?;
    let mut series = Series::new(asked, place)?;
    messages::findings(&series.plan().findings)?;
    let status = series.run(&signals)?;
    messages::recorded(&series)?;
    let is_seen = std::io::stdout().is_terminal() && std::io::stderr().is_terminal();
    if is_seen && is_opened {
        for file in series.recordings() {
            open(&file)?;
        }
    }
    Ok(status)
}

/// A process of its own serves the page, so that Ctrl+C ends it as always.
fn open(file: &Path) -> Result<()> {
    let own = std::env::current_exe().context("cannot find this program")?;
    Command::new(own).arg("open").arg("--").arg(file).status().context("cannot open the page")?;
    Ok(())
}

/// Several runs into a folder.
fn series(arguments: &RecordPerf) -> Result<Option<Status>> {
    let series = &arguments.series;
    if let ([], [first, ..]) = (&arguments.command[..], &series.add[..]) {
        return join(arguments, first);
    }
    let asked = ask::perf(arguments)?;
    let place = Place {
        folder: series.output.clone(),
        file: None,
        before: before(series.resume, series.replace),
    };
    if arguments.dry_run {
        plan::tell(&asked, place, arguments.format)?;
        return Ok(None);
    }
    run(&asked, place, &series.add, &Signals::new()?)
}

/// Recordings that were made before, and none that is made.
fn join(arguments: &RecordPerf, first: &Path) -> Result<Option<Status>> {
    let options = &arguments.series;
    let name = first.file_name().map(|name| name.to_string_lossy());
    let name =
        name.unwrap_or_default().trim_end_matches(".data").trim_end_matches(".perf").to_owned();
    let name = options.name.clone().unwrap_or(name);
    let before = before(options.resume, options.replace);
    let place = Place { folder: options.output.clone(), file: None, before };
    let mut series = Series::of_recordings(&name, first, place)?;
    for file in &options.add {
        series.add(file)?;
    }
    messages::recorded(&series)?;
    Ok(None)
}

fn before(resume: bool, replace: bool) -> Before {
    match (resume, replace) {
        (true, _) => Before::Resume,
        (_, true) => Before::Replace,
        _ => Before::Keep,
    }
}

fn run(
    asked: &RecordOptions,
    place: Place,
    add: &[PathBuf],
    signals: &Signals,
) -> Result<Option<Status>> {
    let mut series = Series::new(asked, place)?;
    messages::plan(&series)?;
    for file in add {
        series.add(file)?;
    }
    let status = series.run(signals)?;
    messages::recorded(&series)?;
    Ok(status)
}

/// The experiments of a plan, which take turns, once all of them can be recorded. The first run that
/// does not end well decides how this ends; one that is stopped is the last.
fn experiments(file: &Path, before: Before) -> Result<Option<Status>> {
    let plan = PlanFile::read(file)?;
    let signals = Signals::new()?;
    if let Some(more) = plan.experiments.iter().find(|one| !one.is_plain()) {
        bail!(
            "experiment '{}' is more than a recording: `hotframe experiment run {}` runs it",
            more.asked.name,
            file.display()
        );
    }
    let experiments: Vec<&RecordOptions> = plan.experiments.iter().map(|one| &one.asked).collect();
    let prepared = experiments.iter().map(|asked| {
        let place = Place { folder: folder_of(&plan.output), file: None, before };
        let series = Series::new(asked, place);
        series.with_context(|| format!("experiment '{}' cannot be recorded", asked.name))
    });
    let mut prepared: Vec<Series> = prepared.collect::<Result<_>>()?;
    for (asked, series) in experiments.iter().zip(&prepared) {
        messages::line(&format!("{}: {}", asked.name, asked.command.join(" ")))?;
        messages::plan(series)?;
    }
    let ended = record::run_by_turns(&mut prepared, &signals)?;
    for series in &prepared {
        messages::recorded(series)?;
    }
    Ok(ended)
}

/// The folder where this runs has no name in a path.
fn folder_of(folder: &Path) -> PathBuf {
    if folder.as_os_str().is_empty() { PathBuf::from(".") } else { folder.to_owned() }
}

fn merge(arguments: &MergeRecordings) -> Result<()> {
    // That of `-` is where this runs.
    let folder = folder_of(arguments.output.parent().unwrap_or(Path::new("")));
    let merged = Manifest::merged(&arguments.manifests, &folder)?;
    write_output(&arguments.output, |out| Ok(out.write_all(&merged.bytes())?))
}
