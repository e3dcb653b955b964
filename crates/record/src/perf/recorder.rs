//! The recorder.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

use super::counting::{Counter, Pipes};
use super::{added, counts, facts, prepare, tool, verify};
use crate::manifest::{Course, Run, RunKind, Status, Tool, Warmup};
use crate::plan::{Plan, PlannedRun};
use crate::process::{Ended, Job, Watch};
use crate::process_clock::processor_time;
use crate::recorder::{Origin, Recorder, Unavailable};
use crate::threads::Rules;
use crate::{Error, Finding, PerfOptions, RecordOptions, process};

/// Records with the program `perf`.
#[derive(Debug)]
pub(crate) struct Perf;

pub(super) const NAME: &str = "perf";

impl Recorder for Perf {
    fn name(&self) -> &'static str {
        NAME
    }

    fn ending(&self, _: &RecordOptions, planned: &PlannedRun) -> &'static str {
        match planned.kind {
            RunKind::Counted => "counts.csv",
            _ => "perf.data",
        }
    }

    fn available(&self) -> Result<Tool, Unavailable> {
        let program = tool::Program::find()?;
        Ok(Tool { name: NAME.to_owned(), version: program.version })
    }

    fn prepare(&self, asked: &RecordOptions, folder: &Path) -> Result<Plan, Error> {
        prepare::prepare(asked, folder)
    }

    fn run(
        &self,
        plan: &Plan,
        planned: &PlannedRun,
        into: &Path,
        watch: &dyn Watch,
    ) -> Result<Run, Error> {
        let started = now();
        let ended = match planned.kind {
            RunKind::Counted => count(plan, planned, into, watch)?,
            _ => start(plan, planned, into, watch)?,
        };
        let mut run = run_of(plan, planned, started, &ended);
        match planned.kind {
            RunKind::Unmeasured => return Ok(run),
            RunKind::Counted => {
                let text = fs::read_to_string(into).map_err(Error::reading(into))?;
                let by_cpu = plan.asked.perf.count.as_ref().is_some_and(|count| count.by_cpu);
                run.counts = counts::totals(&text, by_cpu);
                for count in &run.counts {
                    if !run.events.contains(&count.event) {
                        run.events.push(count.event.clone());
                    }
                }
                if run.counts.is_empty() {
                    return Err(nothing(&ended));
                }
            }
            _ if !facts::is_whole(into) => return Err(nothing(&ended)),
            _ => {}
        }
        run.size = fs::metadata(into).map_err(Error::reading(into))?.len();
        Ok(run)
    }

    fn origin(&self, file: &Path) -> Result<Origin, Error> {
        added::origin(file)
    }

    fn verify(&self, plan: &Plan, run: &mut Run, file: &Path) -> Result<Vec<Finding>, Error> {
        if !matches!(run.kind, RunKind::Sampled | RunKind::Added) {
            return Ok(vec![]);
        }
        let facts = facts::facts_of(file)?;
        if let (Some(warm_up), Some(first)) = (&mut run.course.warm_up, facts.first_ns) {
            warm_up.end_ns = first.checked_add(warm_up.length_ns);
        }
        for (thread, name) in facts.named_by(&Rules::new(&plan.asked.threads)?) {
            if !run.threads.iter().any(|(named, _)| *named == thread) {
                run.threads.push((thread, name));
            }
        }
        let holds = facts.holds();
        if run.kind == RunKind::Added {
            run.events = holds.samples.keys().cloned().collect();
        }
        run.holds = Some(holds);
        Ok(verify::findings(&plan.asked.perf, &plan.events.opened, run, &facts))
    }
}

/// Runs the command, by itself or under perf.
fn start(
    plan: &Plan,
    planned: &PlannedRun,
    into: &Path,
    watch: &dyn Watch,
) -> Result<Ended, Error> {
    let asked = &plan.asked;
    let command: Vec<OsString> = asked.command.iter().map(OsString::from).collect();
    let (program, arguments) = match (planned.kind, command.split_first()) {
        (RunKind::Unmeasured, Some((program, arguments))) => (program.clone(), arguments.to_vec()),
        _ => {
            // perf starts in the folder of the command.
            let into = std::path::absolute(into).map_err(Error::writing(into))?;
            let own = planned.arguments.iter().cloned().chain(["-o".into(), into.into()]);
            (OsString::from(NAME), own.chain(measured(&asked.perf, command)).collect())
        }
    };
    let job = Job {
        program: OsStr::new(&program),
        arguments: &arguments,
        folder: asked.folder.as_deref(),
        environment: &asked.environment,
        has_thread_log: asked.threads.log,
    };
    let Some(pid) = asked.perf.pid else { return process::run(&job, watch) };
    let cpu = || i32::try_from(pid).ok().and_then(processor_time);
    let before = cpu();
    let mut ended = process::run(&job, watch)?;
    // What perf and `sleep` took is the recorder's.
    let own = ended.cpu;
    let took = before.zip(cpu()).map_or(0, |(before, after)| after.saturating_sub(before));
    (ended.own_cpu, ended.cpu) = (Some(own), own + Duration::from_nanos(took));
    Ok(ended)
}

/// What perf is to measure: a command, or a process until it ends or for a while.
fn measured(options: &PerfOptions, command: Vec<OsString>) -> Vec<OsString> {
    let Some(pid) = options.pid else {
        return [OsString::from("--")].into_iter().chain(command).collect();
    };
    let mut words: Vec<OsString> = vec!["-p".into(), pid.to_string().into()];
    if let Some(length) = options.duration_ms {
        let seconds = format!("{}.{:03}", length / 1000, length % 1000);
        words.extend(["--", "sleep", &seconds].map(OsString::from));
    }
    words
}

/// Runs the command while perf counts.
fn count(
    plan: &Plan,
    planned: &PlannedRun,
    into: &Path,
    watch: &dyn Watch,
) -> Result<Ended, Error> {
    let asked = &plan.asked;
    let command: Vec<OsString> = asked.command.iter().map(OsString::from).collect();
    let by_cpu = asked.perf.count.as_ref().is_some_and(|count| count.by_cpu);
    let mut pipes = Pipes::new()?;
    let arguments = pipes.waiting(&command);
    let job = Job {
        program: OsStr::new("sh"),
        arguments: &arguments,
        folder: asked.folder.as_deref(),
        environment: &asked.environment,
        has_thread_log: asked.threads.log,
    };
    let mut counter = None;
    let mut ended = process::run_with(&job, watch, |id, _| {
        counter = Some(pipes.start(&planned.arguments, id, by_cpu, into)?);
        Ok(())
    })?;
    let own_cpu = counter.map(Counter::finish).unwrap_or_default();
    ended.cpu += own_cpu;
    ended.host.own_too(own_cpu.as_nanos() as u64);
    ended.own_cpu = Some(own_cpu);
    Ok(ended)
}

fn run_of(plan: &Plan, planned: &PlannedRun, started: String, ended: &Ended) -> Run {
    let warm_up = plan.asked.warm_up_ms;
    let has_warm_up = warm_up > 0 && planned.kind == RunKind::Sampled;
    let is_running_on = plan.asked.perf.pid.is_some();
    let nanoseconds = |duration: std::time::Duration| duration.as_nanos() as u64;
    let recorder = match planned.kind {
        RunKind::Unmeasured => None,
        _ => ended.own_cpu,
    };
    let recorder = recorder.unwrap_or_default();
    Run {
        number: planned.number,
        kind: planned.kind,
        file: None,
        size: 0,
        events: planned.events.clone(),
        // That of perf, where a process was recorded that runs on.
        status: Some(ended.status).filter(|_| !is_running_on),
        course: Course {
            started,
            duration_ns: nanoseconds(ended.duration),
            cpu_ns: nanoseconds(ended.cpu.saturating_sub(recorder)),
            recorder_cpu_ns: nanoseconds(recorder),
            // Under perf it may be perf's.
            peak_memory_bytes: ended.peak_memory.filter(|_| planned.kind == RunKind::Unmeasured),
            descriptors: ended.descriptors,
            host: ended.host,
            frequency: planned.frequency,
            warm_up: has_warm_up
                .then(|| Warmup { length_ns: warm_up.saturating_mul(1_000_000), end_ns: None }),
            is_stopped: ended.is_stopped && !is_running_on,
        },
        holds: None,
        counts: vec![],
        threads: ended.names.clone(),
        findings: vec![],
    }
}

fn now() -> String {
    jiff::Timestamp::try_from(SystemTime::now()).map_or(String::new(), |time| time.to_string())
}

/// perf ended without a recording.
fn nothing(ended: &Ended) -> Error {
    if ended.is_stopped {
        return Error::Stopped;
    }
    let how = match ended.status {
        Status::Exit(code) => format!("ended with code {code}"),
        Status::Signal(signal) => format!("was ended by signal {signal}"),
    };
    Error::refused(
        format!("nothing was recorded: perf {how}"),
        "look at what it says above; is the disk full, or was perf killed?",
    )
}
