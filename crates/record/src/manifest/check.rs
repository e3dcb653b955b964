//! What must hold in a manifest that somebody may have edited.

use std::collections::BTreeSet;

use super::recording::VERSION;
use super::{Experiment, Manifest, Run, RunKind};
use crate::threads::Rules;

/// The first thing that cannot be, with its place.
pub(super) fn first_fault(manifest: &Manifest) -> Option<(String, String)> {
    let version = manifest.hotframe_recording;
    if version != VERSION {
        let what = format!("version {version} is not known; this program writes {VERSION}");
        return Some(("hotframe_recording".to_owned(), what));
    }
    let mut names = BTreeSet::new();
    manifest.experiments.iter().enumerate().find_map(|(place, experiment)| {
        let place = format!("experiments[{place}]");
        if experiment.name.trim().is_empty() {
            return Some((format!("{place}.name"), "it is empty".to_owned()));
        }
        if !names.insert(&experiment.name) {
            let what = format!("another experiment is called '{}', too", experiment.name);
            return Some((format!("{place}.name"), what));
        }
        of_experiment(experiment).map(|(at, what)| (format!("{place}.{at}"), what))
    })
}

fn of_experiment(experiment: &Experiment) -> Option<(String, String)> {
    if let Err(error) = Rules::new(&experiment.asked.threads) {
        return Some(("asked.threads.rules".to_owned(), error.to_string()));
    }
    let measured: BTreeSet<&str> =
        experiment.runs.iter().flat_map(|run| &run.events).map(String::as_str).collect();
    let mut numbers = BTreeSet::new();
    for (place, run) in experiment.runs.iter().enumerate() {
        if !numbers.insert(run.number) {
            let what = format!("another run has the number {}, too", run.number);
            return Some((format!("runs[{place}].number"), what));
        }
        if let Some((at, what)) = of_run(run) {
            return Some((format!("runs[{place}].{at}"), what));
        }
    }
    let has_unknown = experiment.runs.iter().any(|run| run.kind == RunKind::Added);
    let mut events = BTreeSet::new();
    for (place, event) in experiment.events.opened.iter().enumerate() {
        let at = || format!("events.opened[{place}].name");
        if !events.insert(&event.name) {
            return Some((at(), format!("'{}' is there twice", event.name)));
        }
        // A recording that was added may have any event.
        if !measured.contains(event.name.as_str()) && !has_unknown && !experiment.runs.is_empty() {
            return Some((at(), format!("no run measured '{}'", event.name)));
        }
    }
    None
}

fn of_run(run: &Run) -> Option<(String, String)> {
    let has_file = matches!(run.kind, RunKind::Sampled | RunKind::Counted | RunKind::Added);
    let fault = |at: &str, what: &str| Some((at.to_owned(), what.to_owned()));
    if run.number == 0 {
        return fault("number", "runs are numbered from 1");
    }
    if has_file && run.file.is_none() {
        return fault("file", "a run of this kind has one");
    }
    for (place, count) in run.counts.iter().enumerate() {
        if !run.events.contains(&count.event) {
            return fault(&format!("counts[{place}].event"), "the run did not measure it");
        }
        if !(0.0..=1.0).contains(&count.coverage) {
            return fault(&format!("counts[{place}].coverage"), "it is a share from 0 to 1");
        }
    }
    None
}
