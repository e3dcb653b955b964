//! One run, from its start to its file.

#![allow(
    clippy::disallowed_methods,
    reason = "folders of the user and of this worker; untrusted programs do not write there"
)]

use std::cell::Cell;
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{BufWriter, Write as _};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use profile::{MetricId, Profile, Warned};
use rustix::process::Signal;

use super::points::{Finished, Points};
use super::recorder::EVENT;
use super::sampler::{Sampled, Sampler, Wanted};
use super::{attach, prepare, unreadable};
use crate::manifest::{Course, Holds, Run, RunKind, Status, Warmup};
use crate::output::Output;
use crate::plan::{Plan, PlannedRun};
use crate::process::{self, Ended, Job, Progress, Watch};
use crate::threads::Rules;
use crate::{Error, Finding, HostLoad, Machine, Severity};

pub(super) fn run(
    plan: &Plan,
    planned: &PlannedRun,
    into: &Path,
    watch: &dyn Watch,
) -> Result<Run, Error> {
    let asked = &plan.asked;
    let started = jiff::Timestamp::try_from(SystemTime::now());
    let started = started.map_or(String::new(), |time| time.to_string());
    let start = Instant::now();
    let overhead = planned.frequency.filter(|_| planned.kind == RunKind::Overhead);
    let wanted = |pid, began_ns| Wanted {
        pid,
        with_children: !asked.python.without_children,
        began_ns,
        manner: prepare::manner(asked, overhead),
        duration: asked.python.duration_ms.map(Duration::from_millis),
    };
    let mut of = RunFacts { started, ..RunFacts::default() };
    let sampled = match asked.python.pid {
        Some(pid) => {
            let attached = attach::sample(wanted(pid, None), watch);
            (of.cpu, of.duration) = (attached.cpu, start.elapsed());
            attached.sampled
        }
        None => {
            let duration = wanted(0, None).duration;
            let limited = Limited::new(watch, duration);
            let mut sampler = None;
            let is_sampled = planned.kind != RunKind::Unmeasured;
            let ended = launch(plan, &limited, |pid, began_ns| {
                sampler =
                    is_sampled.then(|| Sampler::start(wanted(pid, Some(began_ns)), Points::new));
                Ok(())
            })?;
            of.ended(&ended, limited.is_over.get(), duration);
            if !is_sampled {
                return Ok(of.run(plan, planned));
            }
            sampler.and_then(Sampler::finish)
        }
    };
    let sampled = sampled.ok_or_else(|| {
        Error::refused(
            "nothing was recorded: sampling failed, or did not end",
            "please report this, unless the program is meant to hide from it",
        )
    })?;
    if sampled.kept.samples() == 0 {
        return Err(nothing(&of, &sampled));
    }
    of.own_cpu = sampled.own_cpu;
    let mut run = of.run(plan, planned);
    run.course.frequency = Some(sampled.account.manner.frequency);
    keep(sampled, of.ended_ns, plan, &mut run, into)?;
    Ok(run)
}

/// Reads a recording as everybody will, and says where that tells something else.
pub(super) fn read_back(run: &Run, file: &Path) -> Result<Option<Finding>, Error> {
    let bytes = File::open(file).map_err(Error::reading(file))?;
    let source = formats::Source { bytes: Box::new(bytes), file_name: "x.hotframe" };
    let wanted = run.holds.as_ref().and_then(|holds| holds.samples.get(EVENT)).copied();
    let wrong =
        |what: String| Some(Finding::error(what, "is the disk full? Record again to another disk"));
    Ok(match formats::read(source, &formats::ReadOptions::default()) {
        Err(error) => wrong(format!("the recording cannot be read: {error}")),
        Ok(opened) => {
            let total = samples(&opened.profile);
            (Some(total) != wanted).then(|| wrong(format!("it has {total} samples"))).flatten()
        }
    })
}

/// By the metric of that name.
fn samples(profile: &Profile) -> u64 {
    let at = profile.metrics.iter().position(|metric| metric.name == "samples");
    at.map_or(0, |at| profile.metric_total(MetricId(at as u32)).0 as u64)
}

/// What is known of a run before its samples are looked at.
#[derive(Debug, Default)]
struct RunFacts {
    started: String,
    duration: Duration,
    /// When the command ended, or its time was over, by the monotonic clock.
    ended_ns: Option<i64>,
    cpu: Duration,
    own_cpu: Duration,
    peak_memory: Option<u64>,
    host: HostLoad,
    status: Option<Status>,
    is_stopped: bool,
    threads: Vec<(u32, String)>,
}

impl RunFacts {
    fn ended(&mut self, ended: &Ended, is_over: bool, duration: Option<Duration>) {
        self.duration = ended.duration;
        // Who ends it when its time is over comes later, and so does its end.
        let after =
            duration.filter(|_| is_over).map(|duration| ended.duration.saturating_sub(duration));
        self.ended_ns = Some(ended.at_ns - after.unwrap_or_default().as_nanos() as i64);
        self.cpu = ended.cpu;
        self.peak_memory = ended.peak_memory;
        self.host = ended.host;
        self.threads.clone_from(&ended.names);
        // Nobody stopped what had its time; how it would have ended is not known.
        self.is_stopped = ended.is_stopped && !is_over;
        self.status = Some(ended.status).filter(|_| !is_over && ended.is_status_known);
    }

    fn run(&self, plan: &Plan, planned: &PlannedRun) -> Run {
        let nanoseconds = |duration: Duration| duration.as_nanos() as u64;
        let warm_up = plan.asked.warm_up_ms.saturating_mul(1_000_000);
        let has_warm_up = warm_up > 0 && planned.kind == RunKind::Sampled;
        Run {
            number: planned.number,
            kind: planned.kind,
            file: None,
            size: 0,
            events: planned.events.clone(),
            status: self.status,
            course: Course {
                started: self.started.clone(),
                duration_ns: nanoseconds(self.duration),
                cpu_ns: nanoseconds(self.cpu),
                recorder_cpu_ns: nanoseconds(self.own_cpu),
                peak_memory_bytes: self.peak_memory,
                descriptors: 0,
                host: self.host,
                frequency: planned.frequency,
                warm_up: has_warm_up.then_some(Warmup { length_ns: warm_up, end_ns: None }),
                is_stopped: self.is_stopped,
            },
            holds: None,
            counts: vec![],
            threads: self.threads.clone(),
            findings: vec![],
        }
    }
}

/// Runs the command.
fn launch(
    plan: &Plan,
    watch: &dyn Watch,
    begin: impl FnOnce(u32, i64) -> Result<(), Error>,
) -> Result<Ended, Error> {
    let asked = &plan.asked;
    let command: Vec<OsString> = asked.command.iter().map(OsString::from).collect();
    let (program, arguments) =
        command.split_first().map_or((OsStr::new(""), &[][..]), |(p, a)| (p.as_os_str(), a));
    let job = Job {
        program,
        arguments,
        folder: asked.folder.as_deref(),
        environment: &asked.environment,
        has_thread_log: asked.threads.log,
    };
    process::run_with(&job, watch, begin)
}

/// Ends the command when its time is over.
struct Limited<'a> {
    watch: &'a dyn Watch,
    end: Option<Instant>,
    is_over: Cell<bool>,
}

impl<'a> Limited<'a> {
    fn new(watch: &'a dyn Watch, duration: Option<Duration>) -> Limited<'a> {
        let end = duration.and_then(|duration| Instant::now().checked_add(duration));
        Limited { watch, end, is_over: Cell::new(false) }
    }
}

impl Watch for Limited<'_> {
    fn next_signal(&self) -> Option<i32> {
        let signal = self.watch.next_signal();
        if signal.is_some() || self.is_over.get() {
            return signal;
        }
        let is_over = self.end.is_some_and(|end| Instant::now() >= end);
        self.is_over.set(is_over);
        is_over.then(|| Signal::TERM.as_raw())
    }

    fn see(&self, progress: &Progress<'_>) {
        self.watch.see(progress);
    }

    fn started(&self, pid: u32) {
        self.watch.started(pid);
    }

    fn output(&self) -> Option<&Arc<Output>> {
        self.watch.output()
    }
}

/// Writes the profile, and what is to be known of it into the run. `ended_ns` is when the program ended, by the
/// monotonic clock.
fn keep(
    sampled: Sampled<Points>,
    ended_ns: Option<i64>,
    plan: &Plan,
    run: &mut Run,
    into: &Path,
) -> Result<(), Error> {
    let Sampled { kept, mut account, began_ns: (since_1970, monotonic), lasted_ns, first, .. } =
        sampled;
    let ended = ended_ns.and_then(|ended| u64::try_from(ended - monotonic).ok());
    let finished: Finished = kept.finish(run.course.cpu_ns, first, ended);
    account.unknown_threads = finished.unknown_threads;
    run.findings = account.findings(finished.samples, finished.untimed, finished.observed);
    let clock = |at: u64| (monotonic as u64).checked_add(at);
    run.holds = Some(Holds {
        samples: BTreeMap::from([(EVENT.to_owned(), finished.samples)]),
        threads: finished.threads,
        lost: account.missed + account.lateness.left_out,
        throttled: 0,
        first_ns: finished.times_ns.and_then(|(first, _)| clock(first)),
        last_ns: finished.times_ns.and_then(|(_, end)| clock(end)),
    });
    if let (Some(warm_up), Some((first, _))) = (&mut run.course.warm_up, finished.times_ns) {
        warm_up.end_ns = clock(first).and_then(|first| first.checked_add(warm_up.length_ns));
    }
    let mut profile = finished.profile;
    name_threads(&mut profile, plan)?;
    let origin = &mut profile.origin;
    origin.producer = format!("{} {}", plan.tool.name, plan.tool.version);
    (origin.time_ns, origin.clock_ns) = (since_1970, monotonic);
    // The program's end, where nothing that it started outlived it.
    let last = finished.times_ns.map_or(0, |(_, end)| end);
    origin.duration_ns = ended.map_or(lasted_ns, |ended| ended.max(last)) as i64;
    origin.period = 1_000_000_000 / i64::from(account.manner.frequency.max(1));
    origin.period_type = Some(("wall time".to_owned(), "nanoseconds".to_owned()));
    origin.default_metric = MetricId(u32::from(finished.observed.cpu > 0));
    origin.default_metric_named = true;
    origin.comments = account.comments();
    let doubts = run.findings.iter().filter(|finding| finding.severity >= Severity::Warning);
    origin.warnings = (0..)
        .zip(doubts)
        .map(|(at, doubt)| Warned {
            kind: format!("recording {at}"),
            message: doubt.what.clone(),
            count: 1,
        })
        .collect();
    profile.machines = vec![machine()];
    let file = File::create(into).map_err(Error::writing(into))?;
    let mut file = BufWriter::new(file);
    let writing = |error: formats::WriteError| std::io::Error::other(error.to_string());
    let format = formats::format_named("hotframe").expect("the exchange format is there");
    let written = format.write(&profile, &mut file).map_err(writing);
    written.and_then(|()| file.flush()).map_err(Error::writing(into))?;
    run.size = fs::metadata(into).map_err(Error::reading(into))?.len();
    Ok(())
}

fn name_threads(profile: &mut Profile, plan: &Plan) -> Result<(), Error> {
    let rules = Rules::new(&plan.asked.threads)?;
    let mut strings = profile::StringsBuilder::from(profile.strings.clone());
    for thread in &mut profile.threads {
        if let Some(name) = rules.name(profile.strings.get(thread.name)) {
            thread.name = strings.intern(name);
        }
    }
    profile.strings = strings.finish();
    Ok(())
}

fn machine() -> profile::Machine {
    let here = Machine::here();
    profile::Machine {
        name: here.host,
        kernel: here.kernel,
        architecture: here.architecture,
        processor: here.processor,
        memory_bytes: here.memory_bytes,
        cpus: vec![],
    }
}

/// There is no sample.
fn nothing(of: &RunFacts, sampled: &Sampled<Points>) -> Error {
    let ended = match of.status {
        _ if of.is_stopped => return Error::Stopped,
        Some(Status::Exit(code)) => format!("the command ended with code {code}"),
        Some(Status::Signal(signal)) => format!("the command was ended by signal {signal}"),
        None => "it ended".to_owned(),
    };
    let after = super::durations::text(of.duration.as_nanos() as u64);
    let what = format!("nothing was recorded: {ended} after {after}");
    let is_python = sampled.account.obstacle.as_deref() != Some(unreadable::NO_PYTHON);
    let advice = if is_python {
        "let the program run longer: sampling begins when the interpreter has started"
    } else {
        "record other programs with `hotframe record PROGRAM`"
    };
    let why = sampled.account.obstacle.as_deref().map(|why| format!(": {why}"));
    Error::refused(format!("{what}{}", why.unwrap_or_default()), advice)
}
