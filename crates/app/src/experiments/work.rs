//! Running what was begun, one experiment after the other.

use std::collections::{HashMap, VecDeque};
use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use experiment::{Experiment, Progress, ReportedFact, ResultFile, Runner, cells};
use jobs::Key;
use protocol::{ProtocolError, RunParams, RunPhase, RunStartParams};

use super::allowed::allowed;
use super::errors::{failed, refused};
use super::interpreters::interpreters;
use super::places::{AboutRun, AboutUpload, RunId, UploadId, about, now_s, tell, write};
use super::runner::Experiments;

/// An experiment of this process.
pub(super) struct Run {
    pub(super) id: RunId,
    /// Other runs of the same plan; 0 to go on.
    again: u32,
    stop: AtomicBool,
    state: Mutex<State>,
    /// Title and number of runs by job, as they become known.
    pub(super) titles: Mutex<HashMap<Key, (String, u32)>>,
}

#[derive(Clone)]
pub(super) struct State {
    pub(super) phase: RunPhase,
    pub(super) line: String,
}

impl Run {
    pub(super) fn state(&self) -> State {
        self.lock().clone()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn says(&self, phase: RunPhase, line: impl Into<String>) {
        *self.lock() = State { phase, line: line.into() };
    }

    /// Whether it waits or is run.
    pub(super) fn is_open(&self) -> bool {
        matches!(self.state().phase, RunPhase::Waiting | RunPhase::Preparing | RunPhase::Running)
    }
}

impl ReportedFact for Run {
    fn see(&self, progress: &Progress) {
        if progress.preparing.is_empty() {
            self.says(RunPhase::Running, progress.running.join("; "));
        } else {
            self.says(RunPhase::Preparing, progress.preparing.clone());
        }
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// Experiments that wait for their turn.
#[derive(Default)]
pub(super) struct Turns {
    waiting: Mutex<VecDeque<Arc<Run>>>,
    changed: Condvar,
    /// Nothing is begun any more.
    is_over: AtomicBool,
}

/// How long the end of the server waits for a worker.
const GRACE: Duration = Duration::from_secs(12);

impl Experiments {
    /// Begins an experiment, or goes on with it.
    pub(super) fn begin(&self, asked: &RunStartParams) -> Result<RunParams, ProtocolError> {
        let upload = UploadId::read(&asked.upload)?;
        let source = upload.source(&self.folders);
        if about::<AboutUpload>(&upload.folder(&self.folders)).is_none() {
            return Err(refused("there is no such upload", "Send the file again."));
        }
        self.isolates()?;
        let experiment = allowed(&asked.text, &source, &interpreters())
            .map_err(|what| refused(what, "Change the plan."))?;
        let id = RunId::new(&upload, &experiment);
        let mut runs = self.lock();
        if runs.get(&id).is_some_and(|run| run.is_open()) {
            return Err(refused("this experiment is run already", "Wait, or cancel it."));
        }
        let folder = id.folder(&self.folders);
        fs::create_dir_all(&folder).map_err(|error| failed(&error))?;
        write(&folder.join("plan.toml"), asked.text.as_bytes())?;
        let told = AboutRun {
            name: experiment.asked.name.clone(),
            recorder: experiment.asked.recorder.clone(),
            what: in_short(&experiment),
            runs: runs_of(&experiment),
            batch: experiment::batch_of(&experiment),
            begun_s: now_s(),
            problem: String::new(),
        };
        tell(&folder, &told)?;
        let run = Arc::new(Run {
            id: id.clone(),
            again: if asked.again { now_s() as u32 } else { 0 },
            stop: AtomicBool::new(false),
            state: Mutex::new(State { phase: RunPhase::Waiting, line: String::new() }),
            titles: Mutex::default(),
        });
        runs.insert(id.clone(), Arc::clone(&run));
        drop(runs);
        self.turns.lock().push_back(run);
        self.turns.changed.notify_all();
        Ok(RunParams { run: id.to_string() })
    }

    /// Wants an experiment to end.
    pub(super) fn stop(&self, id: &RunId) -> Result<(), ProtocolError> {
        let run = self.lock().get(id).cloned();
        let Some(run) = run.filter(|run| run.is_open()) else {
            return Err(refused("this experiment is not run now", "There is nothing to cancel."));
        };
        run.stop.store(true, Ordering::Relaxed);
        let mut waiting = self.turns.lock();
        if let Some(at) = waiting.iter().position(|one| one.id == *id) {
            waiting.remove(at);
            run.says(RunPhase::Stopped, "");
        }
        Ok(())
    }

    /// Ends whatever runs, so that no worker is left; what has not run can be gone on with.
    pub(crate) fn end(&self) {
        self.turns.is_over.store(true, Ordering::Relaxed);
        let running: Vec<Arc<Run>> = self.lock().values().cloned().collect();
        for run in &running {
            run.stop.store(true, Ordering::Relaxed);
        }
        let mut waiting = self.turns.lock();
        for run in waiting.drain(..) {
            run.says(RunPhase::Stopped, "");
        }
        let busy = |_: &mut VecDeque<Arc<Run>>| running.iter().any(|run| run.is_open());
        let waited = self.turns.changed.wait_timeout_while(waiting, GRACE, busy);
        drop(waited.unwrap_or_else(PoisonError::into_inner));
    }

    /// Runs what is begun, as long as this process lives.
    pub(super) fn work(&self) {
        loop {
            let nothing = |waiting: &mut VecDeque<Arc<Run>>| waiting.is_empty();
            let next = self.turns.changed.wait_while(self.turns.lock(), nothing);
            let run = next.unwrap_or_else(PoisonError::into_inner).pop_front();
            let Some(run) = run else { continue };
            if self.turns.is_over.load(Ordering::Relaxed) {
                return;
            }
            let ended = self.make(&run);
            let folder = run.id.folder(&self.folders);
            match ended {
                Ok(()) => run.says(RunPhase::Ended, ""),
                Err(experiment::Error::Stopped) => run.says(RunPhase::Stopped, ""),
                Err(error) => {
                    let problem = error.to_string();
                    if let Some(told) = about::<AboutRun>(&folder) {
                        // What cannot be written is told as long as this process lives.
                        let _ = tell(&folder, &AboutRun { problem: problem.clone(), ..told });
                    }
                    run.says(RunPhase::Failed, problem);
                }
            }
            self.turns.changed.notify_all();
        }
    }

    fn make(&self, run: &Run) -> Result<(), experiment::Error> {
        let refused =
            |what: String| experiment::Error::Refused { what, advice: "begin it anew".to_owned() };
        run.says(RunPhase::Preparing, "looking at the plan");
        let folder = run.id.folder(&self.folders);
        let text = fs::read_to_string(folder.join("plan.toml"));
        let text = text.map_err(|error| refused(format!("the plan cannot be read: {error}")))?;
        let source = run.id.upload.source(&self.folders);
        let experiment = allowed(&text, &source, &interpreters()).map_err(refused)?;
        let options = (true, run.again);
        let runner = Runner::new(&experiment, &*self.store, &self.folders, options, run)?;
        for planned in runner.planned() {
            let title = (planned.body.title(), planned.body.run);
            let mut titles = run.titles.lock().unwrap_or_else(PoisonError::into_inner);
            titles.insert(planned.job.key, title);
        }
        let Some(told) = about::<AboutRun>(&folder) else {
            return Err(refused("what was begun is gone".to_owned()));
        };
        let path = told.result(&folder);
        let mut result = ResultFile::open(&path, runner.batch(), &text, &self.folders)?;
        let own = std::env::current_exe()
            .map_err(|error| refused(format!("cannot find this program: {error}")))?;
        let own = own.to_string_lossy().into_owned();
        let worker = [own, "experiment".to_owned(), "worker".to_owned()];
        runner.run(&mut result, &worker, run)?;
        Ok(())
    }
}

/// Most characters of what a plan is in short.
const MOST_SHORT: usize = 120;

/// The arguments and conditions of an experiment: `p.py 3, interpreter=3.12|3.13`.
fn in_short(experiment: &Experiment) -> String {
    let words: Vec<&str> = experiment.asked.command.iter().map(String::as_str).collect();
    let rest = match words.as_slice() {
        [_, "-m", "cProfile", "-o", _, rest @ ..] => rest,
        [_, rest @ ..] => rest,
        [] => &[],
    };
    let factors = experiment.matrix.factors.iter();
    let factors = factors.map(|factor| format!("{}={}", factor.name, factor.levels.join("|")));
    let parts: Vec<String> = [rest.join(" ")].into_iter().chain(factors).collect();
    let text = parts.join(", ");
    match text.char_indices().nth(MOST_SHORT) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// How many runs a plan has.
fn runs_of(experiment: &Experiment) -> u32 {
    let cells = cells(&experiment.matrix).len() as u32;
    cells.saturating_mul(experiment.asked.runs)
}

impl Turns {
    fn lock(&self) -> MutexGuard<'_, VecDeque<Arc<Run>>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
