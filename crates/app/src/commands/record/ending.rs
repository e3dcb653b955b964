//! Signals on their way to the command, and how it ended on its way back.

use std::cell::RefCell;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context as _, Result};
use record::{Output, Progress, Status, Watch};
use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
use signal_hook::low_level::emulate_default_handler;

use super::messages;

/// What shells say of a program that Ctrl+C ended.
pub(super) const INTERRUPTED: u8 = 130;

/// Signals that stop a recording; they reach the command, and this program lives on.
pub(super) struct Signals {
    signals: RefCell<signal_hook::iterator::Signals>,
}

impl Signals {
    pub(super) fn new() -> Result<Signals> {
        let signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM, SIGHUP, SIGQUIT]);
        let signals = signals.context("cannot wait for signals")?;
        Ok(Signals { signals: RefCell::new(signals) })
    }
}

impl Watch for Signals {
    fn next_signal(&self) -> Option<i32> {
        self.signals.borrow_mut().pending().next()
    }

    fn see(&self, progress: &Progress<'_>) {
        // Nobody can be told that telling failed.
        let _ = messages::line(progress.what);
    }

    /// It is in the terminal's group, and ends with what is typed there.
    fn started(&self, _: u32) {}

    fn output(&self) -> Option<&Arc<Output>> {
        None
    }
}

/// Ends as the command did: with its code, or by its signal. Signals that would leave an image of
/// this program's memory are told as shells do, 128 and more.
pub(super) fn ended_as(status: Status) -> ExitCode {
    match status {
        Status::Exit(code) => ExitCode::from(code as u8),
        Status::Signal(signal) => {
            if [SIGINT, SIGTERM, SIGHUP].contains(&signal) {
                // Does not come back, unless the system refuses.
                let _ = emulate_default_handler(signal);
            }
            ExitCode::from((128 + signal) as u8)
        }
    }
}
