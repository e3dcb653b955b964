//! Counting a command that is not perf's child, because `perf stat` with intervals forgets how that
//! ended.
//!
//! ```text
//! command: waits for `go` --------------- exec, runs, ends --- its status is ours
//! perf:       opens counters, `ack` -- counts ------------- SIGINT: last interval
//! ```

#![allow(clippy::disallowed_methods, reason = "files of the kernel, below /proc and /sys")]

use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Read as _, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rustix::fs::{CWD, Mode, OFlags, mkfifoat};
use rustix::process::{Pid, Signal, kill_process};
use wait4::Wait4 as _;

use crate::Error;
use crate::files::Scratch;

/// Waits for a line, then becomes the command: number, memory and rights of the process stay.
const WAITS: &str = "read -r go <\"$0\" || exit 125; exec \"$@\"";

/// perf opens its counters in less.
const LONGEST: Duration = Duration::from_secs(30);

const LOOK: Duration = Duration::from_millis(5);

/// The pipes by which command and perf are told what to do.
pub(super) struct Pipes {
    folder: Scratch,
    go: File,
    control: File,
    acknowledged: File,
}

impl Pipes {
    pub(super) fn new() -> Result<Pipes, Error> {
        let folder = Scratch::new()?;
        let pipe = |name: &str| {
            let path = folder.file(name);
            mkfifoat(CWD, &path, Mode::from_raw_mode(0o600))
                .map_err(|error| Error::writing(&path)(error.into()))?;
            // Open both ways, it waits for nobody.
            let mut options = OpenOptions::new();
            options.read(true).write(true).custom_flags(OFlags::NONBLOCK.bits() as i32);
            options.open(&path).map_err(Error::writing(&path))
        };
        Ok(Pipes {
            go: pipe("go")?,
            control: pipe("control")?,
            acknowledged: pipe("acknowledged")?,
            folder,
        })
    }

    /// What is to be started in place of the command.
    pub(super) fn waiting(&self, command: &[OsString]) -> Vec<OsString> {
        let start = ["-c".into(), WAITS.into(), self.folder.file("go").into()];
        start.into_iter().chain(command.iter().cloned()).collect()
    }

    /// Starts perf, and the command once perf counts.
    pub(super) fn start(
        &mut self,
        arguments: &[OsString],
        command: u32,
        by_cpu: bool,
        into: &Path,
    ) -> Result<Counter, Error> {
        let pipe = |name: &str| self.folder.file(name).display().to_string();
        let control = format!("fifo:{},{}", pipe("control"), pipe("acknowledged"));
        let mut perf = Command::new("perf");
        perf.args(arguments).args(["-D", "-1", "--control", &control]).arg("-o").arg(into);
        if !by_cpu {
            perf.arg("-p").arg(command.to_string());
        }
        // A group of its own: Ctrl+C ends the command first.
        perf.process_group(0).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let child = perf.spawn();
        let child = child.map_err(|error| Error::Start { program: "perf".to_owned(), error })?;
        let mut counter = Counter(Some(child));
        let tell = |mut pipe: &File, text: &[u8]| {
            pipe.write_all(text).map_err(Error::writing(&self.folder.file("")))
        };
        tell(&self.control, b"enable\n")?;
        let start = Instant::now();
        let mut answer = [0; 16];
        loop {
            match self.acknowledged.read(&mut answer) {
                Ok(_) => break,
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                Err(error) => return Err(Error::reading(&self.folder.file(""))(error)),
            }
            if counter.has_ended() || start.elapsed() > LONGEST {
                return Err(Error::refused(
                    "perf does not begin to count",
                    "counting needs perf 5.10 or newer",
                ));
            }
            thread::sleep(LOOK);
        }
        tell(&self.go, b"go\n")?;
        Ok(counter)
    }
}

/// A perf that counts.
pub(super) struct Counter(Option<Child>);

impl Counter {
    fn has_ended(&mut self) -> bool {
        self.0.as_mut().is_none_or(|child| !matches!(child.try_wait(), Ok(None)))
    }

    /// Lets it write the last interval. Gives what it took on processors.
    pub(super) fn finish(mut self) -> Duration {
        let Some(mut child) = self.0.take() else { return Duration::ZERO };
        let pid = Pid::from_child(&child);
        let _ = kill_process(pid, Signal::INT);
        let (ended, end) = std::sync::mpsc::channel();
        thread::spawn(move || ended.send(child.wait4()));
        let used = end.recv_timeout(LONGEST).or_else(|_| {
            let _ = kill_process(pid, Signal::KILL);
            end.recv()
        });
        match used {
            Ok(Ok(used)) => used.rusage.utime + used.rusage.stime,
            _ => Duration::ZERO,
        }
    }
}

impl Drop for Counter {
    fn drop(&mut self) {
        if let Some(mut child) = self.0.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}
