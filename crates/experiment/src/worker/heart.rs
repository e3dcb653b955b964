//! Telling the queue that a job is still being run.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use jobs::{Beat, Claim, Outcome, Progress};
use record::Output;

use super::Worker;

/// What the rest of a worker and its heart share.
#[derive(Default)]
pub(super) struct Heart {
    /// The job is not to be gone on with: cancelled, taken by another, or this process ends.
    stop: AtomicBool,
    line: Mutex<String>,
    output: Mutex<Option<Arc<Output>>>,
}

impl Heart {
    pub(super) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// What is done now.
    pub(super) fn says(&self, line: impl Into<String>) {
        *self.line.lock().unwrap_or_else(PoisonError::into_inner) = line.into();
    }

    /// What is said from now on goes to the job's log.
    pub(super) fn follows(&self, output: &Arc<Output>) {
        *self.output.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::clone(output));
    }
}

/// How often the log is written, and whether this process is to end is asked.
const TICK: Duration = Duration::from_millis(250);

/// Does something while the queue is told that it goes on.
pub(super) fn beating(
    worker: &Worker<'_>,
    claim: &Claim,
    work: impl FnOnce(&Heart) -> Outcome,
) -> Outcome {
    let heart = Heart::default();
    let (done, end) = channel::<()>();
    let heart = &heart;
    thread::scope(|scope| {
        let is_over = move || !matches!(end.recv_timeout(TICK), Err(RecvTimeoutError::Timeout));
        scope.spawn(move || beat(worker, claim, heart, is_over));
        // Dropped also where the work panics, so that the beating ends.
        let done = done;
        let outcome = work(heart);
        drop(done);
        outcome
    })
}

fn beat(worker: &Worker<'_>, claim: &Claim, heart: &Heart, mut is_over: impl FnMut() -> bool) {
    // Three times a lease, so that one that is late does no harm.
    let often = worker.options.lease / 3;
    let mut last = Instant::now();
    let mut told = String::new();
    let mut position = 0;
    let mut followed: Option<Arc<Output>> = None;
    loop {
        let is_over = is_over();
        let output = heart.output.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some(output) = output {
            if !followed.as_ref().is_some_and(|before| Arc::ptr_eq(before, &output)) {
                (followed, position) = (Some(Arc::clone(&output)), 0);
            }
            let (said, next) = output.after(position);
            // A log that cannot be written does not end a run.
            if !said.is_empty() && worker.store.log(claim, &said).is_ok() {
                position = next;
            }
        }
        if is_over {
            return;
        }
        if worker.is_to_end() {
            heart.stop.store(true, Ordering::Relaxed);
        }
        let line = heart.line.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if last.elapsed() < often && line == told {
            continue;
        }
        match worker.store.beat(claim, &Progress { fraction: None, line: line.clone() }) {
            Ok(Beat::GoOn) => (last, told) = (Instant::now(), line),
            Ok(Beat::Cancelled) | Err(jobs::Error::Fenced { .. }) => {
                heart.stop.store(true, Ordering::Relaxed);
            }
            // It may be reached again before the lease ends.
            Err(_) => {}
        }
    }
}
