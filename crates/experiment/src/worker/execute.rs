//! From a job to its outcome.

#![allow(
    clippy::disallowed_methods,
    reason = "folders of the user and of this worker; untrusted programs do not write there"
)]

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use jobs::{Claim, Class, Outcome, Piece};
use record::{Machine, Output, RecordOptions, Run};

use super::Worker;
use super::apart::{self, Ran, Shared, Task, Trouble};
use super::heart::Heart;
use super::isolated::{self, Isolated};
use super::place::{self, Place};
use super::serve::Known;
use super::turn::Turn;
use super::watch::RunWatch;
use crate::body::{JobFacts, RunFacts};
use crate::folders::Scratch;
use crate::{Body, Error};

/// Why a run is not what was wanted.
struct Failure {
    class: Class,
    what: String,
}

/// One execution.
struct Executed {
    facts: RunFacts,
    failure: Option<Failure>,
    /// What held it, a line each; empty where nothing did.
    isolation: String,
    /// Warnings of who read what was recorded, or why it cannot be read; none where nothing was recorded.
    read: Option<Result<Vec<String>, String>>,
}

/// What was recorded, and why that is not what was wanted.
type Measured = (Vec<Piece>, Option<Failure>);

impl Worker<'_> {
    pub(super) fn lock(&self) -> std::sync::MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Does what a job says.
    pub(super) fn execute(&self, body: &Body, claim: &Claim, heart: &Heart) -> Outcome {
        if let Some(what) = &body.broken {
            return outcome_of(&Error::refused(what.clone(), "other cells are run"));
        }
        heart.says("preparing the environment");
        let place = match self.place(body, &claim.job.batch) {
            Ok(place) => place,
            Err(error) => return outcome_of(&error),
        };
        let mut facts = JobFacts {
            machine: Machine::here(),
            governor: governor(),
            interpreter: place.interpreter.clone(),
            ..JobFacts::default()
        };
        if body.run == 0 {
            return Outcome::Done { result: vec![], facts: bytes(&facts) };
        }
        let output = Arc::new(Output::default());
        heart.follows(&output);
        match self.measure(body, claim, &place, (&output, heart), &mut facts) {
            Ok((result, None)) => Outcome::Done { result, facts: bytes(&facts) },
            Ok((_, Some(Failure { class: Class::User, what }))) if is_full(&place.folder) => {
                Outcome::Retry {
                    what: format!("the disk of {} is full: {what}", place.folder.display()),
                }
            }
            Ok((result, Some(Failure { class, what }))) => {
                let output = output.said().text().into_bytes();
                Outcome::Failed { class, what, output, result, facts: bytes(&facts) }
            }
            Err(Error::Stopped) => Outcome::Retry { what: format!("{} was stopped", self.me.name) },
            Err(error) => outcome_of(&error),
        }
    }

    /// Runs the command in a folder of its own, and says where that cannot be removed.
    fn measure(
        &self,
        body: &Body,
        claim: &Claim,
        place: &Place,
        heard: (&Arc<Output>, &Heart),
        facts: &mut JobFacts,
    ) -> Result<Measured, Error> {
        let name = format!("{}-{}", claim.job.key.to_string().split_at(16).0, claim.fence);
        let scratch = Scratch::below(&self.folders.work().join(&self.me.name), &name)?;
        let measured = self.measure_below(scratch.path(), (body, claim, place), heard, facts);
        if let (Err(error), Some(run)) = (scratch.remove(), facts.runs.last_mut()) {
            let what = format!("what the command left stays: {error}");
            run.findings.push(record::Finding::warning(what, "remove it by hand"));
        }
        measured
    }

    /// Runs the command until nobody disturbs it, or as often as it may be repeated.
    fn measure_below(
        &self,
        scratch: &Path,
        (body, claim, place): (&Body, &Claim, &Place),
        (output, heart): (&Arc<Output>, &Heart),
        facts: &mut JobFacts,
    ) -> Result<Measured, Error> {
        let asked = RecordOptions {
            folder: Some(place.folder.clone()),
            environment: place::variables(place, &body.asked.environment),
            runs: 1,
            ..body.asked.clone()
        };
        heart.says("waiting until nothing else is measured here");
        let turn =
            Turn::take(|| heart.is_stopped()).map_err(Error::reading(Path::new("a socket")))?;
        if turn.is_none() {
            return Err(Error::Stopped);
        }
        self.warm_up(body, &asked, place, claim, (output, heart))?;
        let mut pieces = vec![];
        loop {
            let into = scratch.join(format!("run-{}", facts.runs.len()));
            let mut executed = self.run_once(body, &asked, place, &into, (output, heart))?;
            facts.isolation.clone_from(&executed.isolation);
            if heart.is_stopped() || executed.failure.is_some() && self.is_ended_too() {
                return Err(Error::Stopped);
            }
            if executed.read.is_some() {
                pieces.push(self.keep(&into, &mut executed, pieces.len())?);
            }
            let is_disturbed = !executed.facts.disturbed.is_empty();
            facts.runs.push(executed.facts);
            let is_last = facts.runs.len() > body.manner.repeats as usize;
            if executed.failure.is_some() || !is_disturbed || is_last {
                return Ok((pieces, executed.failure));
            }
        }
    }

    /// Whether this process is being ended. Batch systems end all processes of a job together, so that
    /// what ended a command then is not a fault of the command; which of them hears first is chance.
    fn is_ended_too(&self) -> bool {
        (0..10).any(|_| {
            std::thread::sleep(Duration::from_millis(10));
            self.is_to_end()
        })
    }

    /// Runs a cell, once for each worker, without taking note of it.
    fn warm_up(
        &self,
        body: &Body,
        asked: &RecordOptions,
        place: &Place,
        claim: &Claim,
        (output, heart): (&Arc<Output>, &Heart),
    ) -> Result<(), Error> {
        let cell = format!("{}\0{}", claim.job.batch, body.title());
        if self.lock().warm.contains(&cell) {
            return Ok(());
        }
        let asked = RecordOptions { recorder: "time".to_owned(), file: None, ..asked.clone() };
        for _ in 0..body.manner.warm_up_runs {
            heart.says("warming up");
            let into = self.folders.work().join(&self.me.name).join("warm-up");
            self.run_once(body, &asked, place, &into, (output, heart))?;
        }
        self.lock().warm.push(cell);
        Ok(())
    }

    /// What a recorder plans for a command is the same each time.
    fn plan(&self, asked: &RecordOptions, folder: &Path) -> Result<record::Plan, Error> {
        let key = serde_json::to_string(asked).unwrap_or_default();
        if let Some(plan) = self.lock().plans.get(&key) {
            return Ok(plan.clone());
        }
        let plan = record::recorder(&asked.recorder)?.prepare(asked, folder)?;
        self.lock().plans.insert(key, plan.clone());
        Ok(plan)
    }

    fn run_once(
        &self,
        body: &Body,
        asked: &RecordOptions,
        place: &Place,
        into: &Path,
        (output, heart): (&Arc<Output>, &Heart),
    ) -> Result<Executed, Error> {
        let recorder = record::recorder(&asked.recorder)?;
        let scratch = into.parent().unwrap_or(Path::new(""));
        let mut plan = self.plan(asked, scratch)?;
        let mut held = None;
        if body.manner.isolated {
            plan.exchange = isolated::exchange(body, recorder, scratch)?;
            let (launcher, exchange) = (self.host.launcher(), plan.exchange.as_deref());
            let isolated = isolated::isolate(body, asked, place, scratch, &launcher, exchange)?;
            plan.asked = isolated.asked.clone();
            held = Some(isolated);
        }
        if plan.runs.is_empty() {
            return Err(Error::refused("the recorder plans no run", "ask for one run or more"));
        }
        let longest = Duration::from_secs_f64(body.manner.timeout_s);
        let watch = RunWatch::new(heart, output, longest);
        heart.says(format!("run {} of {}", body.run, body.title()));
        let started = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        let mut facts = RunFacts {
            started_ns: started.map_or(0, |since| since.as_nanos() as i64),
            ..RunFacts::default()
        };
        let task = Task {
            exchange: plan.exchange.as_ref().map(|exchange| Shared {
                folder: exchange.folder().to_owned(),
                most: exchange.most(),
            }),
            moves: moves(body, place),
            into: into.to_owned(),
            plan,
        };
        let own = processor_time();
        let ran = task.run(&self.host.recorder(), longest, &watch, output);
        let Ran { run, read } = match ran {
            Ok(ran) => ran,
            Err(trouble) => {
                let failure = Some(failure_by(trouble, body.manner.timeout_s, watch.is_late())?);
                return Ok(Executed { facts, failure, isolation: String::new(), read: None });
            }
        };
        if run.status.is_none() && !run.course.is_stopped && !watch.is_late() {
            // Once in a while who holds a program is told of its end in place of who started it.
            return Err(Error::Untold);
        }
        let cpu = run.course.cpu_ns + run.course.recorder_cpu_ns;
        let mut failure =
            if watch.is_late() { Some(late(body.manner.timeout_s)) } else { failure_of(&run) };
        take(&mut facts, run);
        // This process reads what the command says.
        facts.host.own_too(processor_time().saturating_sub(own));
        let isolation = held.as_ref().map_or(String::new(), |held| held.in_force.clone());
        if let Some((cause, end)) = held.map(Isolated::end) {
            if let Some((class, what)) = cause {
                failure = Some(Failure { class, what });
            }
            take_end(&mut facts, end, cpu);
        }
        facts.disturbed = facts.host.disturbed(facts.wall_ns);
        Ok(Executed { facts, failure, isolation, read })
    }

    /// Keeps in the store what was recorded, in the form that all have.
    fn keep(&self, into: &Path, executed: &mut Executed, number: usize) -> Result<Piece, Error> {
        let warnings = match executed.read.take() {
            Some(Ok(warnings)) => warnings,
            Some(Err(what)) => {
                return Err(Error::refused(
                    format!("what was recorded cannot be read: {what}"),
                    "does the command leave a profile of a format that `hotframe formats` lists?",
                ));
            }
            None => vec![],
        };
        let findings = warnings.into_iter().map(|what| record::Finding {
            severity: record::Severity::Note,
            what,
            advice: String::new(),
        });
        executed.facts.findings.extend(findings);
        executed.facts.piece = Some(number);
        let target = apart::profile_of(into);
        let mut file = File::open(&target).map_err(Error::reading(&target))?;
        let hash = self.store.put(&mut file)?;
        let length = fs::metadata(&target).map_err(Error::reading(&target))?.len();
        let _ = (fs::remove_file(&target), fs::remove_file(into));
        Ok(Piece { name: format!("run-{number}.hotframe"), hash, length })
    }
}

/// Nanoseconds of processors that this process took.
fn processor_time() -> u64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    (time.tv_sec as u64).saturating_mul(1_000_000_000).saturating_add(time.tv_nsec as u64)
}

/// Folders as the command sees them, and where the user has them.
fn moves(body: &Body, place: &Place) -> Vec<(PathBuf, PathBuf)> {
    let home = home_of(body);
    let mut moves = vec![(place.folder.clone(), home.clone())];
    if body.manner.isolated {
        moves.push((PathBuf::from(isolated::FOLDER), home));
    }
    moves
}

/// Whether what a command did may have failed for lack of space.
fn is_full(folder: &Path) -> bool {
    const LEAST: u64 = 1 << 20;
    let disk = rustix::fs::statvfs(folder);
    disk.is_ok_and(|disk| disk.f_bavail.saturating_mul(disk.f_frsize) < LEAST)
}

/// Where the user has the folder that the command runs in.
fn home_of(body: &Body) -> std::path::PathBuf {
    match &body.asked.folder {
        Some(below) => body.home.join(below),
        None => body.home.clone(),
    }
}

fn take(facts: &mut RunFacts, run: Run) {
    facts.wall_ns = run.course.duration_ns;
    facts.cpu_ns = run.course.cpu_ns;
    facts.recorder_cpu_ns = run.course.recorder_cpu_ns;
    facts.peak_memory_bytes = run.course.peak_memory_bytes;
    facts.host = run.course.host;
    facts.status = run.status;
    facts.findings = run.findings;
}

/// What the limits of an isolated command counted.
fn take_end(facts: &mut RunFacts, end: Option<isolation::End>, cpu_ns: u64) {
    // What isolates it is larger than small programs are.
    facts.peak_memory_bytes = None;
    // Those of all its processes together, without those that hold it.
    let Some(end) = end else { return };
    let notes = end.notes.iter().map(|what| record::Finding {
        severity: record::Severity::Note,
        what: format!("of what the run left: {what}"),
        advice: String::new(),
    });
    facts.findings.extend(notes);
    facts.cgroup_peak_memory_bytes = end.peak_bytes;
    facts.cpu_ns = end.processor_nanoseconds.unwrap_or(facts.cpu_ns);
    facts.host.own_too(facts.cpu_ns.saturating_sub(cpu_ns));
}

fn late(seconds: f64) -> Failure {
    let what = format!("it took longer than {seconds} s and was ended");
    Failure { class: Class::Timeout, what }
}

/// How a run failed that has no end; an error where that is not a fault of the command.
fn failure_by(trouble: Trouble, seconds: f64, is_late: bool) -> Result<Failure, Error> {
    let (class, what) = match trouble {
        Trouble::Late(longest) => {
            let longest = longest.as_secs();
            (Class::Limit, format!("reading what it left took longer than {longest} s"))
        }
        Trouble::Hung => {
            let late = late(seconds).what;
            (Class::Timeout, format!("{late} with its recorder, which did not answer"))
        }
        _ if is_late => return Ok(late(seconds)),
        Trouble::Stopped => return Err(Error::Stopped),
        Trouble::File { doing, file, what } => {
            let error = std::io::Error::other(what);
            return Err(match doing.as_str() {
                "read" => Error::reading(&file)(error),
                _ => Error::writing(&file)(error),
            });
        }
        Trouble::Other(what) => (Class::User, what),
    };
    Ok(Failure { class, what: in_a_line(&what) })
}

fn failure_of(run: &Run) -> Option<Failure> {
    Some(Failure { class: Class::User, what: run.status?.failure()? })
}

/// How the kernel chooses the frequency of the first processor; empty where it does not tell.
fn governor() -> String {
    let file = "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor";
    fs::read_to_string(file).unwrap_or_default().trim().to_owned()
}

/// Errors before anything ran: what another attempt would meet again is final.
fn outcome_of(error: &Error) -> Outcome {
    let is_of_machine = matches!(
        error,
        Error::File { .. }
            | Error::Untold
            | Error::Jobs(_)
            | Error::Record(record::Error::File { .. })
    );
    if is_of_machine {
        return Outcome::Retry { what: error.to_string() };
    }
    Outcome::Failed {
        class: Class::User,
        what: in_a_line(&error.to_string()),
        output: vec![],
        result: vec![],
        facts: vec![],
    }
}

/// Reasons stand in tables and lists.
fn in_a_line(text: &str) -> String {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join("; ")
}

fn bytes(facts: &JobFacts) -> Vec<u8> {
    // Findings are few; what would be too long is cut where it is longest.
    let mut facts = facts.clone();
    for run in &mut facts.runs {
        run.findings.truncate(20);
    }
    serde_json::to_vec(&facts).unwrap_or_default()
}
