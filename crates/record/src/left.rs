//! Commands that measure themselves, or are only timed.

#![allow(
    clippy::disallowed_methods,
    reason = "folders of the user and of this worker; untrusted programs do not write there"
)]

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io;
use std::path::{Component, Path, PathBuf};
use std::time::SystemTime;

use crate::manifest::{Course, Events, Run, RunKind, Status, Tool};
use crate::plan::{Forecast, Plan, PlannedRun};
use crate::process::{self, Job, Watch};
use crate::recorder::{Origin, Recorder, Unavailable};
use crate::{Error, Finding, RecordOptions, command, overhead};

/// Nothing is recorded but how long the command took.
#[derive(Debug)]
pub(crate) struct Time;

/// The command leaves a file that is read.
#[derive(Debug)]
pub(crate) struct LeftFile;

impl Recorder for Time {
    fn name(&self) -> &'static str {
        "time"
    }

    fn ending(&self, _: &RecordOptions, _: &PlannedRun) -> &'static str {
        ""
    }

    fn available(&self) -> Result<Tool, Unavailable> {
        Ok(own())
    }

    fn prepare(&self, asked: &RecordOptions, _: &Path) -> Result<Plan, Error> {
        if asked.file.is_some() {
            let what = "'time' reads no file: leave `file` out, or let `recorder` be 'file'";
            return Err(Error::BadOptions(what.to_owned()));
        }
        prepare(asked, RunKind::Unmeasured)
    }

    fn run(
        &self,
        plan: &Plan,
        planned: &PlannedRun,
        _: &Path,
        watch: &dyn Watch,
    ) -> Result<Run, Error> {
        run(plan, planned, watch)
    }

    fn origin(&self, file: &Path) -> Result<Origin, Error> {
        Err(joins_nothing(file))
    }

    fn verify(&self, _: &Plan, _: &mut Run, _: &Path) -> Result<Vec<Finding>, Error> {
        Ok(vec![])
    }
}

impl Recorder for LeftFile {
    fn name(&self) -> &'static str {
        "file"
    }

    fn ending(&self, asked: &RecordOptions, _: &PlannedRun) -> &'static str {
        // Readers look at what is in a file first; the rest of them at how it ends.
        let ending = asked.file.as_deref().and_then(Path::extension).and_then(OsStr::to_str);
        let known = ["prof", "pb", "gz", "json", "txt", "hotframe", "calls", "data", "out"];
        known.into_iter().find(|known| ending == Some(known)).unwrap_or("profile")
    }

    fn available(&self) -> Result<Tool, Unavailable> {
        Ok(own())
    }

    fn prepare(&self, asked: &RecordOptions, _: &Path) -> Result<Plan, Error> {
        if asked.file.as_ref().is_none_or(|file| file.as_os_str().is_empty()) {
            let what = format!("'{}' does not say which `file` the command leaves", asked.name);
            return Err(Error::BadOptions(what));
        }
        prepare(asked, RunKind::Sampled)
    }

    fn run(
        &self,
        plan: &Plan,
        planned: &PlannedRun,
        into: &Path,
        watch: &dyn Watch,
    ) -> Result<Run, Error> {
        if plan.asked.file.as_deref().is_some_and(|file| !is_below(file)) {
            return Err(Error::refused(
                "the file that the command leaves is not below its folder",
                "name it from the folder of the command on, without `..`",
            ));
        }
        let left = left(&plan.asked);
        // What an earlier run left is not taken for this one's.
        match fs::remove_file(&left) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                return Err(Error::File { doing: "write", file: left, error });
            }
            _ => {}
        }
        let mut run = run(plan, planned, watch)?;
        if run.kind != RunKind::Sampled {
            return Ok(run);
        }
        // What stands there is the command's: a link is not followed, a pipe not waited for.
        let Ok(mut file) = beneath::open_regular(&left) else { return Err(nothing(&left, &run)) };
        let mut copy = File::create(into).map_err(Error::writing(into))?;
        run.size = io::copy(&mut file, &mut copy).map_err(Error::writing(into))?;
        if run.size == 0 {
            return Err(nothing(&left, &run));
        }
        Ok(run)
    }

    fn origin(&self, file: &Path) -> Result<Origin, Error> {
        Err(joins_nothing(file))
    }

    fn verify(&self, _: &Plan, _: &mut Run, _: &Path) -> Result<Vec<Finding>, Error> {
        Ok(vec![])
    }
}

fn own() -> Tool {
    Tool { name: "hotframe".to_owned(), version: env!("CARGO_PKG_VERSION").to_owned() }
}

fn prepare(asked: &RecordOptions, kind: RunKind) -> Result<Plan, Error> {
    if asked.runs == 0 && asked.overhead.runs == 0 {
        return Err(Error::BadOptions("nothing is to run: ask for one run or more".to_owned()));
    }
    command::check_command(asked)?;
    let planned =
        PlannedRun { number: 0, kind, events: vec![], frequency: None, arguments: vec![] };
    Ok(Plan {
        asked: asked.clone(),
        tool: own(),
        events: Events::default(),
        runs: overhead::interleaved(asked, &[planned], &[]),
        forecast: Forecast::default(),
        findings: vec![],
        exchange: None,
    })
}

/// Whether a path stays below the folder that it is told from: what stands there is removed.
pub fn is_below(path: &Path) -> bool {
    path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir))
}

/// Where the command leaves its file.
fn left(asked: &RecordOptions) -> PathBuf {
    let file = asked.file.as_deref().unwrap_or(Path::new(""));
    asked.folder.as_deref().unwrap_or(Path::new("")).join(file)
}

fn run(plan: &Plan, planned: &PlannedRun, watch: &dyn Watch) -> Result<Run, Error> {
    let asked = &plan.asked;
    let command: Vec<OsString> = asked.command.iter().map(OsString::from).collect();
    let Some((program, arguments)) = command.split_first() else {
        return Err(Error::BadOptions(format!("'{}' has no command", asked.name)));
    };
    let started = jiff::Timestamp::try_from(SystemTime::now());
    let job = Job {
        program,
        arguments,
        folder: asked.folder.as_deref(),
        environment: &asked.environment,
        has_thread_log: asked.threads.log,
    };
    let ended = process::run(&job, watch)?;
    Ok(Run {
        number: planned.number,
        kind: planned.kind,
        file: None,
        size: 0,
        events: vec![],
        status: Some(ended.status),
        course: Course {
            started: started.map_or(String::new(), |time| time.to_string()),
            duration_ns: ended.duration.as_nanos() as u64,
            cpu_ns: ended.cpu.as_nanos() as u64,
            peak_memory_bytes: ended.peak_memory,
            descriptors: ended.descriptors,
            host: ended.host,
            is_stopped: ended.is_stopped,
            ..Course::default()
        },
        holds: None,
        counts: vec![],
        threads: ended.names,
        findings: vec![],
    })
}

fn joins_nothing(file: &Path) -> Error {
    Error::refused(
        format!("{} joins no other recordings", file.display()),
        "files of one kind open together as they are: `hotframe open FILE...`",
    )
}

fn nothing(left: &Path, run: &Run) -> Error {
    if run.course.is_stopped {
        return Error::Stopped;
    }
    let how = match run.status {
        Some(Status::Exit(code)) => format!("ended with code {code}"),
        Some(Status::Signal(signal)) => format!("was ended by signal {signal}"),
        None => "ended".to_owned(),
    };
    let is_empty = fs::symlink_metadata(left).is_ok_and(|found| found.is_file());
    let what = if is_empty { "nothing in" } else { "no" };
    Error::refused(
        format!("the command {how} and left {what} {}", left.display()),
        "`file` is relative to the folder where the command runs",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_leads_out_of_a_folder_is_not_below_it() {
        for inside in ["out.prof", "a/b.prof", "./out.prof", "a/./b"] {
            assert!(is_below(Path::new(inside)), "{inside}");
        }
        for outside in ["/etc/passwd", "../x", "a/../../x", "a/..", ".."] {
            assert!(!is_below(Path::new(outside)), "{outside}");
        }
    }
}
