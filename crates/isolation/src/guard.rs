//! What must live as long as a run.

#![allow(
    clippy::disallowed_methods,
    reason = "the run's own folder, which the program does not see, and folders of the system"
)]

use std::fs::File;
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::fs::{FlockOperation, Mode, OFlags, flock, open};
use rustix::process::{Pid, Signal, kill_process};

use crate::cgroup::{self, Place};
use crate::room::{ALIVE, END, HOLD, INSIDE, Room};
use crate::{End, Error, room};

/// Holds a run: dropping it ends every process of it and removes what was made for it. If this
/// process ends otherwise, the run ends, too, and what is left is removed by the next one.
#[derive(Debug)]
pub struct Guard {
    /// The pipe that outer watches.
    hold: Option<File>,
    room: Room,
    place: Place,
}

/// So long outer may take to end a run that is held no more.
const LONGEST: Duration = Duration::from_secs(10);

impl Guard {
    pub(crate) fn hold(room: Room, place: Place) -> Result<Guard, Error> {
        let hold = room.path().join(HOLD);
        // For both, so that opening it waits for nobody.
        let opened = open(&hold, OFlags::RDWR | OFlags::CLOEXEC, Mode::empty())
            .map_err(|error| Error::file("open", &hold)(error.into()))?;
        Ok(Guard { hold: Some(opened.into()), room, place })
    }

    /// How the run ended; none before it did. Of several runs the last one.
    pub fn end(&self) -> Result<Option<End>, Error> {
        let file = self.room.path().join(END);
        match room::read(&file) {
            Err(Error::File { error, .. }) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            end => end.map(Some),
        }
    }

    /// Waits until outer is gone; if it takes too long, it is killed, and its run with it.
    fn wait(&self) {
        let file = self.room.path().join(ALIVE);
        let Ok(alive) = File::open(&file) else { return };
        let start = Instant::now();
        let mut is_killed = false;
        while flock(&alive, FlockOperation::NonBlockingLockExclusive).is_err() {
            if start.elapsed() > LONGEST && !is_killed {
                is_killed = true;
                let text = std::fs::read_to_string(&file).unwrap_or_default();
                if let Some(pid) = text.trim().parse().ok().and_then(Pid::from_raw) {
                    let _ = kill_process(pid, Signal::KILL);
                }
            } else if start.elapsed() > 2 * LONGEST {
                return;
            }
            sleep(Duration::from_millis(1));
        }
    }

    /// Where outer was killed while bubblewrap began, a process of that may wait for ever for the
    /// other one. Its arguments name the run's folder, whose name is nobody else's.
    fn clear(&self) {
        let path = self.room.path();
        let has_begun = std::fs::metadata(path.join(ALIVE)).is_ok_and(|alive| alive.len() > 0);
        if !has_begun || path.join(END).exists() {
            return;
        }
        let inside = path.join(INSIDE);
        let is_of_it = |command: &[u8]| {
            let mut arguments = command.split(|byte| *byte == 0);
            arguments.next().is_some_and(|program| program.ends_with(b"/bwrap"))
                && arguments.any(|argument| argument == inside.as_os_str().as_bytes())
        };
        // It may be about to become bubblewrap, or to have a child.
        let mut quiet = 0;
        let start = Instant::now();
        while quiet < 5 && start.elapsed() < LONGEST {
            quiet += 1;
            for process in std::fs::read_dir("/proc").into_iter().flatten().flatten() {
                let pid = process.file_name().to_str().and_then(|name| name.parse().ok());
                let Some(pid) = pid.and_then(Pid::from_raw) else { continue };
                let command = std::fs::read(process.path().join("cmdline"));
                if command.is_ok_and(|command| is_of_it(&command)) {
                    let _ = kill_process(pid, Signal::KILL);
                    quiet = 0;
                }
            }
            sleep(Duration::from_millis(4));
        }
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        drop(self.hold.take());
        self.wait();
        self.clear();
        cgroup::sweep(&self.place);
    }
}
