//! An experiment that is recorded: run after run, with a manifest that is whole after each.

#![allow(
    clippy::disallowed_methods,
    reason = "folders of the user and of this worker; untrusted programs do not write there"
)]

use std::fs;
use std::path::{Path, PathBuf};

use crate::files::{self, Partial};
use crate::manifest::{Course, Experiment, Manifest, Run, RunKind, Status};
use crate::plan::{Forecast, Plan, PlannedRun};
use crate::process::{Progress, Watch};
use crate::recorder::Recorder;
use crate::recorders::recorder;
use crate::{Error, Finding, Machine, RecordOptions, turns};

/// Where recordings go.
#[derive(Debug, Clone)]
pub struct Place {
    /// Folder of all files.
    pub folder: PathBuf,
    /// The file of the only run; otherwise they are named after the experiment.
    pub file: Option<PathBuf>,
    /// What is done where a manifest is there already.
    pub before: Before,
}

/// What is done with what was recorded before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Before {
    /// It stays, and nothing is recorded.
    Keep,
    /// It is replaced.
    Replace,
    /// Runs that are complete stay, the others run.
    Resume,
}

impl Place {
    /// The file that tells of all others.
    pub fn manifest(&self, name: &str) -> PathBuf {
        match &self.file {
            Some(file) => {
                let mut own = file.as_os_str().to_owned();
                own.push(".json");
                own.into()
            }
            None => self.folder.join(format!("{name}.json")),
        }
    }
}

/// Runs that are to be recorded.
pub struct Series {
    recorder: &'static dyn Recorder,
    plan: Plan,
    place: Place,
    experiment: Experiment,
}

impl Series {
    /// Looks what works here and plans the runs. Nothing of the command runs yet.
    ///
    /// # Errors
    /// What was asked for cannot be done here, or something is in its place.
    pub fn new(asked: &RecordOptions, place: Place) -> Result<Series, Error> {
        let recorder = recorder(&asked.recorder)?;
        if place.file.is_none() {
            fs::create_dir_all(&place.folder).map_err(Error::writing(&place.folder))?;
        }
        let manifest = place.manifest(&asked.name);
        let before = earlier(&manifest, &place, asked)?;
        let mut plan = recorder.prepare(asked, &place.folder)?;
        let mut experiment = Experiment {
            name: asked.name.clone(),
            asked: asked.clone(),
            recorder: plan.tool.clone(),
            machine: Machine::here(),
            events: plan.events.clone(),
            runs: vec![],
            findings: plan.findings.clone(),
        };
        experiment.runs = before.map_or(vec![], |before| complete(before, &mut plan, &place));
        Ok(Series { recorder, plan, place, experiment })
    }

    /// Recordings that were made before, without any that is to be made: those of a manifest that
    /// is there already, or of a new one that tells what `first` does.
    ///
    /// # Errors
    /// The manifest or the file cannot be read.
    pub fn of_recordings(name: &str, first: &Path, place: Place) -> Result<Series, Error> {
        let asked = RecordOptions::new(name, vec![]);
        let recorder = recorder(&asked.recorder)?;
        fs::create_dir_all(&place.folder).map_err(Error::writing(&place.folder))?;
        let manifest = place.manifest(name);
        let is_new = place.before == Before::Replace || fs::symlink_metadata(&manifest).is_err();
        let experiment = if is_new {
            let origin = recorder.origin(first)?;
            Experiment {
                name: name.to_owned(),
                asked,
                recorder: origin.tool,
                machine: origin.machine,
                events: origin.events,
                runs: vec![],
                findings: vec![],
            }
        } else {
            let mut experiments = Manifest::read(&manifest)?.experiments;
            experiments.retain(|experiment| experiment.name == name);
            experiments.pop().ok_or_else(|| {
                Error::BadOptions(format!("{} has no experiment '{name}'", manifest.display()))
            })?
        };
        let plan = Plan {
            asked: experiment.asked.clone(),
            tool: experiment.recorder.clone(),
            events: experiment.events.clone(),
            runs: vec![],
            forecast: Forecast::default(),
            findings: vec![],
            exchange: None,
        };
        Ok(Series { recorder, plan, place, experiment })
    }

    /// What is going to run.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// What was recorded so far.
    pub fn experiment(&self) -> &Experiment {
        &self.experiment
    }

    /// The file that tells of all others.
    pub fn manifest(&self) -> PathBuf {
        self.place.manifest(&self.experiment.name)
    }

    /// Files of runs that are there, with whole paths.
    pub fn recordings(&self) -> impl Iterator<Item = PathBuf> + '_ {
        let files = self.experiment.runs.iter().filter_map(|run| run.file.as_ref());
        files.map(|file| self.place.folder.join(file))
    }

    /// A recording that was made before joins as a run.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn add(&mut self, file: &Path) -> Result<(), Error> {
        let found = fs::metadata(file).map_err(Error::reading(file))?;
        let last = self.experiment.runs.iter().map(|run| run.number);
        let last = last.chain(self.plan.runs.iter().map(|run| run.number)).max();
        let path = files::kept_in(&self.place.folder, file);
        if self.experiment.runs.iter().any(|run| run.file.as_ref() == Some(&path)) {
            return Ok(());
        }
        let mut run = Run {
            number: last.unwrap_or(0) + 1,
            kind: RunKind::Added,
            file: Some(path),
            size: found.len(),
            events: vec![],
            status: None,
            course: Course::default(),
            holds: None,
            counts: vec![],
            threads: vec![],
            findings: vec![],
        };
        run.findings = self.recorder.verify(&self.plan, &mut run, file)?;
        let host = self.recorder.origin(file)?.machine.host;
        if !host.is_empty() && host != self.experiment.machine.host {
            run.findings.push(Finding::warning(
                format!("it was recorded on another machine, {host}"),
                "compare it with care: as an experiment of its own",
            ));
        }
        self.experiment.runs.push(run);
        self.write()
    }

    /// Runs what has not run yet. Gives how the first command ended that did not end well, or the
    /// last one; none where all was there already.
    ///
    /// # Errors
    /// A run could not be recorded; those before it are.
    pub fn run(&mut self, watch: &dyn Watch) -> Result<Option<Status>, Error> {
        run_by_turns(std::slice::from_mut(self), watch)
    }

    /// Makes the run at a place of the plan, if it is not there yet; `name` stands before what is
    /// told. Gives how it ended, and whether somebody stopped it.
    fn run_one(
        &mut self,
        place: usize,
        name: &str,
        watch: &dyn Watch,
    ) -> Result<(Option<Status>, bool), Error> {
        let planned = self.plan.runs[place].clone();
        if self.experiment.runs.iter().any(|run| run.number == planned.number) {
            return Ok((None, false));
        }
        if watch.next_signal().is_some() {
            return Err(Error::Stopped);
        }
        let all = self.plan.runs.len();
        let what = format!("{name}run {} of {all}: {}", place + 1, planned.title());
        watch.see(&Progress { what: &what });
        let run = self.record(&planned, watch)?;
        let (status, is_stopped) = (run.status, run.course.is_stopped);
        let later = |other: &Run| other.number > run.number;
        let at = self.experiment.runs.iter().position(later);
        let at = at.unwrap_or(self.experiment.runs.len());
        self.experiment.runs.insert(at, run);
        self.write()?;
        Ok((status, is_stopped))
    }

    fn record(&self, planned: &PlannedRun, watch: &dyn Watch) -> Result<Run, Error> {
        let target = self.target(planned);
        let partial = Partial::beside(&target)?;
        let mut run = self.recorder.run(&self.plan, planned, partial.path(), watch)?;
        run.findings = self.recorder.verify(&self.plan, &mut run, partial.path())?;
        // What only tells its cost is not kept.
        if matches!(run.kind, RunKind::Sampled | RunKind::Counted) {
            partial.keep()?;
            run.file = Some(files::kept_in(&self.place.folder, &target));
        }
        Ok(run)
    }

    fn target(&self, planned: &PlannedRun) -> PathBuf {
        match &self.place.file {
            Some(file) => file.clone(),
            None => {
                let ending = self.recorder.ending(&self.plan.asked, planned);
                let name = format!("{}-{}.{ending}", self.experiment.name, planned.number);
                self.place.folder.join(name)
            }
        }
    }

    fn write(&self) -> Result<(), Error> {
        Manifest::new(vec![self.experiment.clone()]).write(&self.manifest())
    }
}

/// Runs what has not run yet of several experiments, which take turns: see [`turns`]. Gives how the
/// first command ended that did not end well, or the last one; none where all was there already.
///
/// # Errors
/// A run could not be recorded; those before it are.
pub fn run_by_turns(all: &mut [Series], watch: &dyn Watch) -> Result<Option<Status>, Error> {
    let runs: Vec<usize> = all.iter().map(|series| series.plan.runs.len()).collect();
    let are_several = all.len() > 1;
    let mut ended: Option<Status> = None;
    for (side, place) in turns(&runs) {
        let series = &mut all[side];
        let name =
            if are_several { format!("{}: ", series.experiment.name) } else { String::new() };
        let (status, is_stopped) = series.run_one(place, &name, watch)?;
        ended = ended.filter(|status| *status != Status::Exit(0)).or(status).or(ended);
        if is_stopped {
            break;
        }
    }
    Ok(ended)
}

/// What was recorded before, if it is to be gone on with.
fn earlier(
    manifest: &Path,
    place: &Place,
    asked: &RecordOptions,
) -> Result<Option<Experiment>, Error> {
    let is_there = fs::symlink_metadata(manifest).is_ok();
    match place.before {
        _ if !is_there => Ok(None),
        // What is not a manifest is somebody else's.
        Before::Replace => Manifest::read(manifest).map(|_| None),
        Before::Keep => Err(Error::refused(
            format!("{} is there already", manifest.display()),
            "go on with it (--resume), replace it (--replace), or choose another --name",
        )),
        Before::Resume => {
            let before = Manifest::read(manifest)?.experiments;
            let before = before.into_iter().find(|before| before.name == asked.name);
            match before {
                Some(before) if goes_on(&before.asked, asked) => Ok(Some(before)),
                Some(_) => Err(Error::refused(
                    format!("{} was recorded with other options", manifest.display()),
                    "ask for the same as before, with as many runs or more, replace it (--replace), or choose \
                     another --name",
                )),
                None => Ok(None),
            }
        }
    }
}

/// Whether the same is asked for, and as many runs or more.
fn goes_on(before: &RecordOptions, asked: &RecordOptions) -> bool {
    let mut same = before.clone();
    (same.runs, same.overhead.runs) = (asked.runs, asked.overhead.runs);
    same == *asked && before.runs <= asked.runs && before.overhead.runs <= asked.overhead.runs
}

/// Runs that need not run again: whole, with a file of the size that is told. They stand in the plan with their
/// numbers; those that are still to be made have numbers that are free.
fn complete(before: Experiment, plan: &mut Plan, place: &Place) -> Vec<Run> {
    let is_complete = |run: &Run| {
        let has_file = run.file.as_ref().is_none_or(|file| {
            fs::metadata(place.folder.join(file)).is_ok_and(|found| found.len() == run.size)
        });
        let is_whole = run.status.is_some() && !run.course.is_stopped;
        (is_whole || run.kind == RunKind::Added) && has_file
    };
    let there: Vec<Run> = before.runs.into_iter().filter(is_complete).collect();
    let mut open: Vec<&Run> = there.iter().filter(|run| run.kind != RunKind::Added).collect();
    let mut is_matched = vec![];
    for planned in &mut plan.runs {
        let is_alike = |run: &&Run| {
            run.kind == planned.kind
                && run.course.frequency == planned.frequency
                && (run.events == planned.events || run.kind == RunKind::Counted)
        };
        let found = open.iter().position(is_alike);
        if let Some(at) = found {
            planned.number = open.remove(at).number;
        }
        is_matched.push(found.is_some());
    }
    let left: Vec<u32> = open.iter().map(|run| run.number).collect();
    let mut taken: Vec<u32> =
        there.iter().map(|run| run.number).filter(|number| !left.contains(number)).collect();
    let mut next = 1;
    for (planned, _) in plan.runs.iter_mut().zip(is_matched).filter(|(_, is_matched)| !is_matched) {
        while taken.contains(&next) {
            next += 1;
        }
        planned.number = next;
        taken.push(next);
    }
    there.into_iter().filter(|run| !left.contains(&run.number)).collect()
}
