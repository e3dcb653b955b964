//! Signals that end this program end the one that it runs: what it has laid out is then taken away.

use std::process::Child;
use std::thread;

use anyhow::{Context as _, Result};
use rustix::process::{Pid, Signal, kill_process};
use signal_hook::consts::{SIGHUP, SIGTERM};
use signal_hook::iterator::{Handle, Signals};

/// Hands signals on as long as it is there.
pub(super) struct HandedOn(Handle);

/// Hands signals on to a program. Ctrl+C reaches it by itself.
pub(super) fn to(child: &Child) -> Result<HandedOn> {
    let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw).context("no such process")?;
    let mut signals = Signals::new([SIGTERM, SIGHUP])?;
    let handle = signals.handle();
    thread::spawn(move || {
        for _ in signals.forever() {
            let _ = kill_process(pid, Signal::TERM);
        }
    });
    Ok(HandedOn(handle))
}

impl Drop for HandedOn {
    fn drop(&mut self) {
        self.0.close();
    }
}
