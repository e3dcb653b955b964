//! Workers of this machine, as processes of their own.

use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::{Error, Folders};

/// One worker, which is started anew whenever it ends.
pub struct LocalWorkers {
    command: Vec<String>,
    child: Option<Child>,
    started: Vec<Instant>,
}

/// A worker that ends at once so often in a minute is not started again.
const MOST_STARTS: usize = 10;

/// How long a worker has to end.
const GRACE: Duration = Duration::from_secs(10);

impl LocalWorkers {
    /// `command` begins this program as a worker; where it works and for whom is added.
    pub(super) fn new(command: &[String], folders: &Folders, batch: &str) -> LocalWorkers {
        let queue = folders.queue();
        let own = [
            "--queue",
            &queue.to_string_lossy(),
            "--store",
            &folders.root().to_string_lossy(),
            "--experiment",
            batch,
            "--parent",
            &std::process::id().to_string(),
        ];
        let own = own.map(str::to_owned);
        LocalWorkers {
            command: command.iter().cloned().chain(own).collect(),
            child: None,
            started: vec![],
        }
    }

    /// Starts it, if it does not run.
    pub(super) fn keep_one(&mut self) -> Result<(), Error> {
        let failed = |output: String| Error::Tool {
            program: "a worker".to_owned(),
            output,
            what: "no worker runs here; jobs wait for the next one".to_owned(),
        };
        if let Some(child) = &mut self.child {
            match child.try_wait().map_err(|error| failed(error.to_string()))? {
                None => return Ok(()),
                Some(status) => {
                    self.started.retain(|start| start.elapsed() < Duration::from_secs(60));
                    if self.started.len() >= MOST_STARTS {
                        return Err(failed(format!("it ended again and again, with {status}")));
                    }
                }
            }
        }
        let Some((program, arguments)) = self.command.split_first() else { return Ok(()) };
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::null());
        // Ctrl+C is for this process, which ends it as it should.
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let child = command.spawn().map_err(|error| failed(error.to_string()))?;
        self.child = Some(child);
        self.started.push(Instant::now());
        Ok(())
    }
}

impl Drop for LocalWorkers {
    fn drop(&mut self) {
        let Some(child) = &mut self.child else { return };
        let _ = kill_process(Pid::from_child(child), Signal::TERM);
        let start = Instant::now();
        while start.elapsed() < GRACE {
            if !matches!(child.try_wait(), Ok(None)) {
                return;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        let _ = child.kill();
        let _ = child.wait();
    }
}
