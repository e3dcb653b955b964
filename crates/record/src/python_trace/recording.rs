//! One run, from its start to its file.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::sync::Arc;
use std::time::{Instant, SystemTime};

use super::recorder::Kind;
use super::{attach, files, package, samples};
use crate::exchange::Exchange;
use crate::manifest::{Course, Run, RunKind};
use crate::plan::{Plan, PlannedRun};
use crate::process::{self, Job, Watch};
use crate::python::sampler::{Sampled, Sampler};
use crate::{Error, Finding, RecordOptions};

pub(super) fn run(
    plan: &Plan,
    planned: &PlannedRun,
    into: &Path,
    watch: &dyn Watch,
) -> Result<Run, Error> {
    let asked = &plan.asked;
    let started = jiff::Timestamp::try_from(SystemTime::now());
    let is_traced = planned.kind == RunKind::Sampled;
    let exchange = match &plan.exchange {
        Some(exchange) => Arc::clone(exchange),
        None => Arc::new(Exchange::below(into.parent().unwrap_or(Path::new("")))?),
    };
    let mut run = Run {
        number: planned.number,
        kind: planned.kind,
        file: None,
        size: 0,
        events: planned.events.clone(),
        status: None,
        course: Course {
            started: started.map_or(String::new(), |time| time.to_string()),
            ..Course::default()
        },
        holds: None,
        counts: vec![],
        threads: vec![],
        findings: vec![],
    };
    if let Some(pid) = asked.python.pid {
        let start = Instant::now();
        // No samples: what began before the trace is not in it, so that they would have no place there.
        run.findings = attach::trace(pid, &exchange, asked, watch)?;
        run.course.duration_ns = start.elapsed().as_nanos() as u64;
        return joined(run, None, &exchange, asked, into);
    }
    let environment = if is_traced {
        package::lay_out(exchange.site())?;
        package::variables(exchange.site(), exchange.parts().path(), asked)
    } else {
        asked.environment.clone()
    };
    let sampler = launch(&mut run, asked, &environment, watch)?;
    if !is_traced {
        return Ok(run);
    }
    let alive = files::wait(&exchange).map_err(Error::reading(exchange.parts().path()))?;
    let sampled = sampler.and_then(Sampler::finish);
    let told = Kind::new(asked).goes_on;
    run.findings.extend(alive.iter().map(|process| {
        Finding::warning(
            format!("process {process} goes on: {told}"),
            "end what the command leaves behind to have all of it",
        )
    }));
    joined(run, sampled.as_ref(), &exchange, asked, into)
}

/// Runs the command, and gives what samples it.
fn launch(
    run: &mut Run,
    asked: &RecordOptions,
    environment: &BTreeMap<String, String>,
    watch: &dyn Watch,
) -> Result<Option<Sampler<samples::Samples>>, Error> {
    let command: Vec<OsString> = asked.command.iter().map(OsString::from).collect();
    let (program, arguments) =
        command.split_first().map_or((OsStr::new(""), &[][..]), |(p, a)| (p.as_os_str(), a));
    let job = Job {
        program,
        arguments,
        folder: asked.folder.as_deref(),
        environment,
        has_thread_log: asked.threads.log,
    };
    // Samples see what functions do that are switched off.
    let is_bounded = run.kind == RunKind::Sampled && asked.trace.is_bounded();
    let mut sampler = None;
    let ended = process::run_with(&job, watch, |pid, began_ns| {
        sampler = is_bounded.then(|| samples::start(pid, began_ns));
        Ok(())
    })?;
    run.status = Some(ended.status);
    run.threads = ended.names;
    run.course.duration_ns = ended.duration.as_nanos() as u64;
    run.course.cpu_ns = ended.cpu.as_nanos() as u64;
    run.course.peak_memory_bytes = ended.peak_memory;
    run.course.descriptors = ended.descriptors;
    run.course.host = ended.host;
    run.course.is_stopped = ended.is_stopped;
    Ok(sampler)
}

/// Puts the files of processes together.
fn joined(
    mut run: Run,
    sampled: Option<&Sampled<samples::Samples>>,
    exchange: &Exchange,
    asked: &RecordOptions,
    into: &Path,
) -> Result<Run, Error> {
    let folder = exchange.parts();
    let reading = |error| Error::reading(folder.path())(error);
    run.findings.extend(files::refused(folder).map_err(reading)?);
    let silent = files::silent(exchange).map_err(reading)?;
    run.findings.extend(silent.iter().map(|process| {
        Finding::warning(
            format!("process {process} was killed: its calls are not counted"),
            "--trace has what a killed process did up to a moment before",
        )
    }));
    let traces = files::traces(folder).map_err(reading)?;
    if traces.is_empty() {
        return Err(
            match (run.course.is_stopped || asked.python.pid.is_some(), silent.is_empty()) {
                (true, _) => Error::Stopped,
                (false, true) => nothing(),
                (false, false) => Error::refused(
                    "nothing was counted: every process was killed before it wrote what it had",
                    "--trace has what a killed process did up to a moment before",
                ),
            },
        );
    }
    files::check(&traces, exchange)?;
    if asked.trace.counts {
        run.size = files::add_up(&traces, folder, into)?;
        return Ok(run);
    }
    let of = |process: i32| match sampled {
        Some(sampled) => sampled.kept.sections(process as u32, sampled.began_ns.1),
        None => vec![],
    };
    let joined = files::join(&traces, folder, into, of)?;
    run.size = joined.size;
    run.course.recorder_cpu_ns = sampled.map_or(0, |sampled| sampled.own_cpu.as_nanos() as u64);
    run.findings.extend(unestimated(&joined.unestimated, sampled));
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
