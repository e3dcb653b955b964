//! One run, from its start to its file.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use profile::MetricId;

use super::{EVENT, files, package, samples};
use crate::manifest::{Course, Holds, Run, RunKind};
use crate::plan::{Plan, PlannedRun};
use crate::process::{self, Job, Watch};
use crate::python::sampler::{Sampled, Sampler};
use crate::{Error, Finding};

pub(super) fn run(
    plan: &Plan,
    planned: &PlannedRun,
    into: &Path,
    watch: &dyn Watch,
) -> Result<Run, Error> {
    let asked = &plan.asked;
    let started = jiff::Timestamp::try_from(SystemTime::now());
    let is_traced = planned.kind == RunKind::Sampled;
    let folder = Parts::beside(into)?;
    let environment =
        if is_traced { package::lay_out(&folder.0, asked)? } else { asked.environment.clone() };
    let command: Vec<OsString> = asked.command.iter().map(OsString::from).collect();
    let (program, arguments) =
        command.split_first().map_or((OsStr::new(""), &[][..]), |(p, a)| (p.as_os_str(), a));
    let job = Job {
        program,
        arguments,
        folder: asked.folder.as_deref(),
        environment: &environment,
        has_thread_log: asked.threads.log,
    };
    let is_bounded = is_traced && asked.trace.limit > 0 && !asked.trace.counts;
    let mut sampler = None;
    let ended = process::run_with(&job, watch, |pid| {
        sampler = is_bounded.then(|| samples::start(pid));
        Ok(())
    })?;
    let mut run = Run {
        number: planned.number,
        kind: planned.kind,
        file: None,
        size: 0,
        events: planned.events.clone(),
        status: Some(ended.status),
        course: Course {
            started: started.map_or(String::new(), |time| time.to_string()),
            duration_ns: ended.duration.as_nanos() as u64,
            cpu_ns: ended.cpu.as_nanos() as u64,
            descriptors: ended.descriptors,
            is_stopped: ended.is_stopped,
            ..Course::default()
        },
        holds: None,
        counts: vec![],
        threads: ended.names.clone(),
        findings: vec![],
    };
    if !is_traced {
        return Ok(run);
    }
    let reading = |error| Error::reading(&folder.0)(error);
    let alive = files::wait(&folder.0).map_err(reading)?;
    let sampled = sampler.and_then(Sampler::finish);
    let counts = asked.trace.counts;
    run.findings.extend(alive.iter().map(|process| {
        let told =
            if counts { "its calls are not counted" } else { "its trace is told up to here" };
        Finding::warning(
            format!("process {process} goes on: {told}"),
            "end what the command leaves behind to have all of it",
        )
    }));
    let silent = files::silent(&folder.0).map_err(reading)?;
    run.findings.extend(silent.iter().map(|process| {
        Finding::warning(
            format!("process {process} was killed: its calls are not counted"),
            "--trace has what a killed process did up to a moment before",
        )
    }));
    let traces = files::traces(&folder.0).map_err(reading)?;
    if traces.is_empty() {
        return Err(match (ended.is_stopped, silent.is_empty()) {
            (true, _) => Error::Stopped,
            (false, true) => nothing(),
            (false, false) => Error::refused(
                "nothing was counted: every process was killed before it wrote what it had",
                "--trace has what a killed process did up to a moment before",
            ),
        });
    }
    if counts {
        run.size = files::add_up(&traces, into).map_err(Error::writing(into))?;
        return Ok(run);
    }
    let of = |process: i32| match &sampled {
        Some(sampled) => sampled.kept.sections(process as u32, sampled.began_ns.1),
        None => vec![],
    };
    let joined = files::join(&traces, into, of).map_err(Error::writing(into))?;
    run.size = joined.size;
    run.course.recorder_cpu_ns =
        sampled.as_ref().map_or(0, |sampled| sampled.own_cpu.as_nanos() as u64);
    run.findings.extend(unestimated(&joined.unestimated, sampled.as_ref()));
    Ok(run)
}

/// What switched-off functions did is not known where there is no sample of their process.
fn unestimated(processes: &[i32], sampled: Option<&Sampled<samples::Samples>>) -> Option<Finding> {
    let which = match processes {
        [] => return None,
        [process] => format!("process {process}"),
        [first, rest @ ..] => format!("process {first} and {} more", rest.len()),
    };
    let why = samples::obstacle(sampled);
    Some(Finding::note(
        format!("what switched-off functions of {which} did is not estimated: {why}"),
        "--exact traces all calls of all functions",
    ))
}

/// A folder for the files of processes, beside the recording: as long as it runs.
struct Parts(PathBuf);

impl Parts {
    fn beside(into: &Path) -> Result<Parts, Error> {
        let mut name = into.file_name().unwrap_or_default().to_owned();
        name.push(format!(".{}.parts", std::process::id()));
        let folder = into.with_file_name(name);
        fs::create_dir_all(&folder).map_err(Error::writing(&folder))?;
        let folder = folder.canonicalize().map_err(Error::reading(&folder))?;
        Ok(Parts(folder))
    }
}

impl Drop for Parts {
    fn drop(&mut self) {
        // What cannot be removed is seen where it lies.
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn nothing() -> Error {
    let what =
        "nothing was traced: the command started no Python from 3.8 on that takes PYTHONPATH";
    let advice = if package::compiled().is_some() {
        "interpreters that are started with -I, -E or -S do not take it; sample those: `hotframe record python`"
    } else {
        "the tracer (libhotframe_native.so) is not beside this program: put it there, or `pip install hotframe` \
         into the interpreter that runs the command"
    };
    Error::refused(what, advice)
}

/// Reads a trace as everybody will, and says what it holds.
pub(super) fn read_back(run: &mut Run, file: &Path) -> Result<Vec<Finding>, Error> {
    let mut findings = std::mem::take(&mut run.findings);
    if run.kind != RunKind::Sampled {
        return Ok(findings);
    }
    let bytes = File::open(file).map_err(Error::reading(file))?;
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let source = formats::Source { bytes: Box::new(bytes), file_name: &name };
    match formats::read(source, &formats::ReadOptions::default()) {
        Err(error) => findings.push(Finding::error(
            format!("the trace cannot be read: {error}"),
            "is the disk full? Record again, elsewhere; without --exact it is smaller",
        )),
        Ok(opened) => {
            let profile = opened.profile;
            let at = profile.metrics.iter().position(|metric| metric.name == "calls");
            let calls = at.map_or(0, |at| profile.metric_total(MetricId(at as u32)).0 as u64);
            run.holds = Some(Holds {
                samples: BTreeMap::from([(EVENT.to_owned(), calls)]),
                threads: profile.threads.len() as u64,
                lost: 0,
                throttled: 0,
                first_ns: None,
                last_ns: None,
            });
        }
    }
    Ok(findings)
}
