//! Processes that end with whoever waits for them.

use std::time::Duration;

use rustix::fd::OwnedFd;
use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};
use tokio::process::Child;

/// Tells a process to end that nobody waits for any more, and ends it when it does not: killing it at once
/// would leave what it runs.
pub(super) struct Ending(Option<OwnedFd>);

/// How long a process may take to end.
const LAST_WORDS: Duration = Duration::from_secs(5);

impl Ending {
    pub(super) fn new(child: &Child) -> Ending {
        let pid = child.id().and_then(|pid| Pid::from_raw(i32::try_from(pid).ok()?));
        // The descriptor is of this process, whatever has its number later.
        Ending(pid.and_then(|pid| pidfd_open(pid, PidfdFlags::empty()).ok()))
    }
}

impl Drop for Ending {
    fn drop(&mut self) {
        let Some(process) = self.0.take() else { return };
        // A process that has ended hears nothing.
        if pidfd_send_signal(&process, Signal::TERM).is_err() {
            return;
        }
        std::thread::spawn(move || {
            std::thread::sleep(LAST_WORDS);
            let _ = pidfd_send_signal(&process, Signal::KILL);
        });
    }
}
