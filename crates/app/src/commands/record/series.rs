//! Several runs into a folder, and experiments that take turns.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use experiment::PlanFile;
use record::{Before, Place, RecordOptions, Series, Status};

use super::ending::Signals;
use super::{ask, messages, plan};
use crate::arguments::RecordPerf;

/// Several runs into a folder.
pub(super) fn series(arguments: &RecordPerf) -> Result<Option<Status>> {
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

pub(super) fn before(resume: bool, replace: bool) -> Before {
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
pub(super) fn experiments(file: &Path, before: Before) -> Result<Option<Status>> {
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
pub(super) fn folder_of(folder: &Path) -> PathBuf {
    if folder.as_os_str().is_empty() { PathBuf::from(".") } else { folder.to_owned() }
}
