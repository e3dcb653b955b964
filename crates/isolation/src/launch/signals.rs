//! Signals that wake a loop, and which they were.

use std::io::{self, Read as _};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use rustix::event::{PollFd, Timespec, poll};
use rustix::io::Errno;
use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGXCPU};

/// Those that go on to the program.
pub(super) const SIGNALS: [i32; 6] = [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2];

/// What outer sends where a limit ends the run: what the program left is still brought out.
pub(super) const OVER: i32 = SIGXCPU;

pub(super) struct Signals {
    woken: UnixStream,
    came: Vec<(i32, Arc<AtomicBool>)>,
}

impl Signals {
    pub(super) fn new(signals: impl IntoIterator<Item = i32>) -> io::Result<Signals> {
        let (woken, wakes) = UnixStream::pair()?;
        woken.set_nonblocking(true)?;
        let mut came = vec![];
        for signal in signals {
            let flag = Arc::new(AtomicBool::new(false));
            // In this order: who is woken finds the flag.
            signal_hook::flag::register(signal, Arc::clone(&flag))?;
            signal_hook::low_level::pipe::register(signal, wakes.try_clone()?)?;
            came.push((signal, flag));
        }
        Ok(Signals { woken, came })
    }

    /// Those that came since it was asked last.
    pub(super) fn take(&mut self) -> Vec<i32> {
        let mut wakes = [0; 64];
        while matches!(self.woken.read(&mut wakes), Ok(read) if read > 0) {}
        let came = self.came.iter().filter(|(_, flag)| flag.swap(false, Ordering::SeqCst));
        came.map(|(signal, _)| *signal).collect()
    }
}

impl AsFd for Signals {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.woken.as_fd()
    }
}

/// Waits for one of them, at most so long.
pub(super) fn wait(polled: &mut [PollFd<'_>], longest: Duration) -> io::Result<()> {
    // Rounded up: what is due at a time is due when it wakes.
    let longest = longest + Duration::from_micros(1);
    let longest = Timespec {
        tv_sec: i64::try_from(longest.as_secs()).unwrap_or(i64::MAX),
        tv_nsec: longest.subsec_nanos().into(),
    };
    match poll(polled, Some(&longest)) {
        Ok(_) | Err(Errno::INTR) => Ok(()),
        Err(error) => Err(error.into()),
    }
}
