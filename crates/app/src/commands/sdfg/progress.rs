//! How far a simulation is, on a terminal.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// What is done sooner shows no bar, which would only flicker.
const PATIENCE: Duration = Duration::from_secs(1);

/// A bar on standard error, where that is a terminal, once work takes long. It is gone at the end.
pub(super) struct Progress {
    bar: ProgressBar,
    since: Instant,
}

impl Progress {
    /// Of so many steps, each a `word`.
    pub(super) fn new(total: u128, word: &str) -> Progress {
        let total = u64::try_from(total).unwrap_or(u64::MAX);
        let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr_with_hz(8));
        let template = format!("{{wide_bar}} {{human_pos}} of {{human_len}} {word}, {{eta}} left");
        if let Ok(style) = ProgressStyle::with_template(&template) {
            bar.set_style(style);
        }
        Progress { bar, since: Instant::now() }
    }

    /// So much is done; it goes on until somebody stops the work.
    pub(super) fn see(&self, done: u128) -> bool {
        work::see(work::Progress {
            phase: "simulating",
            done: usize::try_from(done).unwrap_or(usize::MAX),
            total: self.bar.length().map_or(0, |total| total as usize),
        });
        if self.since.elapsed() > PATIENCE {
            self.bar.set_position(u64::try_from(done).unwrap_or(u64::MAX));
        }
        true
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
