//! Ending a run that takes too long or is no longer wanted.

use std::cell::Cell;
use std::sync::Arc;
use std::time::{Duration, Instant};

use record::{Output, Watch};

use super::heart::Heart;

/// Watches one run.
pub(super) struct RunWatch<'a> {
    heart: &'a Heart,
    output: &'a Arc<Output>,
    end: Instant,
    asked: Cell<Option<Instant>>,
    is_late: Cell<bool>,
}

/// Who does not end when asked to is asked harder after this.
const GRACE: Duration = Duration::from_secs(2);

const SIGTERM: i32 = 15;

impl<'a> RunWatch<'a> {
    pub(super) fn new(
        heart: &'a Heart,
        output: &'a Arc<Output>,
        longest: Duration,
    ) -> RunWatch<'a> {
        RunWatch {
            heart,
            output,
            end: Instant::now() + longest,
            asked: Cell::new(None),
            is_late: Cell::new(false),
        }
    }

    /// Whether nobody wants it any more.
    pub(super) fn is_stopped(&self) -> bool {
        self.heart.is_stopped()
    }

    /// Whether it was ended because it took too long.
    pub(super) fn is_late(&self) -> bool {
        self.is_late.get()
    }
}

impl Watch for RunWatch<'_> {
    fn next_signal(&self) -> Option<i32> {
        if let Some(asked) = self.asked.get() {
            // The second and the third are harder; see `record::process`.
            let is_due = asked.elapsed() > GRACE;
            if is_due {
                self.asked.set(Some(Instant::now()));
            }
            return is_due.then_some(SIGTERM);
        }
        let is_late = Instant::now() >= self.end;
        if !is_late && !self.heart.is_stopped() {
            return None;
        }
        self.is_late.set(is_late);
        self.asked.set(Some(Instant::now()));
        Some(SIGTERM)
    }

    fn see(&self, progress: &record::Progress<'_>) {
        self.heart.says(progress.what);
    }

    /// Who records it in a process apart ends it.
    fn started(&self, _: u32) {}

    fn output(&self) -> Option<&Arc<Output>> {
        Some(self.output)
    }
}
