//! One execution in a process of its own, which records it and reads what it left.
//!
//! What is recorded is the program's, who can make it take long, need much memory or break its reader. That
//! ends this process, and not the worker:
//!
//! ```text
//! worker -- Task, then a line a signal --> its own process -- starts --> the command
//!    ^                                          |
//!    +------------ Said, a line each -----------+          output of both: a pipe to the worker
//! ```

#![allow(
    clippy::disallowed_methods,
    reason = "folders of the user and of this worker; untrusted programs do not write there"
)]

use std::fs::File;
use std::io::{self, BufRead as _, BufReader, BufWriter, Read as _, Write as _};
use std::net::Shutdown;
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use profile::Profile;
use record::{Exchange, Following, Output, Plan, Run, RunKind, Watch};
use rustix::process::{Pid, Resource, Rlimit, Signal, getrlimit, kill_process_group, setrlimit};
use serde::{Deserialize, Serialize};

use super::watch::RunWatch;
use crate::result;

/// What is to be done.
#[derive(Debug, Serialize, Deserialize)]
pub struct Task {
    /// Its first run is done.
    pub(super) plan: Plan,
    /// What the recorder shares with an isolated command.
    pub(super) exchange: Option<Shared>,
    /// Where the recording is written, and beside it the profile that it is.
    pub(super) into: PathBuf,
    /// Folders as the command sees them, and where the user has them.
    pub(super) moves: Vec<(PathBuf, PathBuf)>,
}

/// An [`Exchange`] that somebody else made.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Shared {
    pub(super) folder: PathBuf,
    pub(super) most: u64,
}

/// What became of it.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Ran {
    pub(super) run: Run,
    /// Warnings of who read the recording, or why it cannot be read; none where there is none.
    pub(super) read: Option<Result<Vec<String>, String>>,
}

/// Why nothing came of it.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Trouble {
    /// Somebody stopped it.
    Stopped,
    /// It took longer than it may, after the command had ended.
    Late(Duration),
    /// The command was not ended in the time that it may take, as its recorder hangs or was stopped.
    Hung,
    /// A file could not be read (`read`) or written.
    File { doing: String, file: PathBuf, what: String },
    /// The recorder does not work here, the command is not there, or its recorder broke.
    Other(String),
}

#[derive(Serialize, Deserialize)]
enum Said {
    Does(String),
    /// The command runs, with this number of its process group.
    Started(u32),
    /// The command has ended, and what it left is read.
    Reads,
    Ended(Box<Result<Ran, Trouble>>),
}

/// A recording that was read.
#[derive(Debug)]
pub struct ReadRecording {
    /// The profile.
    pub profile: Profile,
    /// What readers repaired or skipped.
    pub warnings: Vec<String>,
}

/// Where a recording is written in the form that all have.
pub(super) fn profile_of(recording: &Path) -> PathBuf {
    recording.with_extension("hotframe")
}

/// What a short run left may take that long to be read.
const SHORTEST_READING: Duration = Duration::from_secs(60);
/// Who is stopped is waited for so long, with all that is done to end a command.
const STOPPING: Duration = Duration::from_secs(10);
/// How often signals and time are looked at.
const TICK: Duration = Duration::from_millis(20);
/// More of them nobody reads.
const MOST_WARNINGS: usize = 100;
/// Who does not get memory ends so.
const SIGABRT: i32 = 6;
/// A line of it is no longer.
const LONGEST_LINE: u64 = 64 << 20;

impl Task {
    /// Who records and reads has so many bytes of memory, and no more.
    pub const MEMORY: u64 = 2 << 30;

    /// Has `program` do it, which calls [`Task::serve`]. The command may take `longest`, and reading what it
    /// left as long again, or a minute.
    pub(super) fn run(
        &self,
        program: &[String],
        longest: Duration,
        watch: &RunWatch<'_>,
        output: &Arc<Output>,
    ) -> Result<Ran, Trouble> {
        let other = |error: io::Error| Trouble::Other(format!("cannot start a recorder: {error}"));
        let (mut own, mut control, following) = start(program, output).map_err(other)?;
        let mut line = serde_json::to_vec(self).map_err(|error| other(error.into()))?;
        line.push(b'\n');
        // Whoever has ended already is told of below.
        let _ = control.write_all(&line);
        let said = listen(control.try_clone().map_err(other)?);
        let mut command = None;
        let ended = self.wait(longest, watch, (&said, &control), &mut command);
        // Nobody else would end it. One that stopped its recorder before that could tell its number is its child.
        let is_hung = matches!(ended, Some(Err(Trouble::Hung)));
        let unknown = if is_hung && command.is_none() { own.children() } else { vec![] };
        for command in command.into_iter().chain(unknown) {
            let _ = kill_process_group(command, Signal::KILL);
        }
        let ended = ended.unwrap_or_else(|| {
            // One that still runs has said what cannot be understood.
            let _ = control.shutdown(Shutdown::Both);
            let status = own.end_within(STOPPING).map_err(other)?;
            // Who does not get memory aborts.
            let gib = Task::MEMORY >> 30;
            let why = match status.signal() {
                Some(SIGABRT) => format!(": what was recorded may need more than {gib} GiB"),
                _ => String::new(),
            };
            Err(Trouble::Other(format!("its recorder ended with {status}{why}")))
        });
        drop(own);
        // All that was said before is read.
        following.finish();
        ended
    }

    /// Waits for what it says in the end; none where it ended without that. `command` is who runs meanwhile.
    fn wait(
        &self,
        longest: Duration,
        watch: &RunWatch<'_>,
        (said, mut control): (&Receiver<Said>, &UnixStream),
        command: &mut Option<Pid>,
    ) -> Option<Result<Ran, Trouble>> {
        let reading = longest.max(SHORTEST_READING);
        // Until the command has ended, and then until what it left is read.
        let mut end = Instant::now() + longest + STOPPING;
        let mut stopped: Option<Instant> = None;
        let mut is_reading = false;
        loop {
            match said.recv_timeout(TICK) {
                Ok(Said::Does(what)) => watch.see(&record::Progress { what: &what }),
                Ok(Said::Started(pid)) => *command = Pid::from_raw(pid as i32),
                Ok(Said::Reads) => {
                    *command = None;
                    is_reading = true;
                    end = Instant::now() + reading;
                    watch.see(&record::Progress { what: "reading what it left" });
                }
                Ok(Said::Ended(ended)) => {
                    *command = None;
                    return Some(*ended);
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return None,
            }
            // The time of the command does not go on while what it left is read.
            while !is_reading && watch.next_signal().is_some() {
                let _ = control.write_all(b"\n");
            }
            if watch.is_stopped() {
                let since = *stopped.get_or_insert_with(Instant::now);
                if is_reading || since.elapsed() >= STOPPING {
                    return Some(Err(Trouble::Stopped));
                }
            }
            if Instant::now() >= end {
                return Some(Err(if is_reading { Trouble::Late(reading) } else { Trouble::Hung }));
            }
        }
    }

    /// What the process does: takes one of these from its standard input, and tells of it there. It ends when
    /// whoever began it is gone. `is_stopped` tells whether this process was sent a signal.
    ///
    /// # Errors
    /// Nothing can be told.
    pub fn serve(
        read: impl FnOnce(&Path) -> Result<ReadRecording, String>,
        is_stopped: impl Fn() -> bool,
    ) -> io::Result<()> {
        let control = UnixStream::from(io::stdin().as_fd().try_clone_to_owned()?);
        // Commands inherit the other one.
        rustix::stdio::dup2_stdin(File::open("/dev/null")?)?;
        let mut lines = BufReader::new(control.try_clone()?);
        let mut line = String::new();
        lines.read_line(&mut line)?;
        let mut task: Task = serde_json::from_str(&line)?;
        let served = Served {
            control,
            is_stopped,
            taken: AtomicBool::new(false),
            is_bound: AtomicBool::new(false),
            asked: Arc::default(),
        };
        let (asked, is_reading) = (Arc::clone(&served.asked), Arc::new(AtomicBool::new(false)));
        let reads = Arc::clone(&is_reading);
        thread::spawn(move || {
            while lines.read_line(&mut line).is_ok_and(|read| read > 0) {
                asked.fetch_add(1, Ordering::Relaxed);
                line.clear();
            }
            // The worker is gone. The command is asked to end, and then made to.
            for _ in 0..3 {
                asked.fetch_add(1, Ordering::Relaxed);
                if reads.load(Ordering::Relaxed) {
                    break;
                }
                thread::sleep(STOPPING / 5);
            }
            std::process::exit(1);
        });
        let ended = task.carry_out(read, &served, &is_reading);
        served.say(&Said::Ended(Box::new(ended)));
        Ok(())
    }

    fn carry_out(
        &mut self,
        read: impl FnOnce(&Path) -> Result<ReadRecording, String>,
        served: &Served<impl Fn() -> bool>,
        is_reading: &AtomicBool,
    ) -> Result<Ran, Trouble> {
        let recorder = record::recorder(&self.plan.asked.recorder)?;
        if let Some(Shared { folder, most }) = &self.exchange {
            self.plan.exchange = Some(Arc::new(Exchange::shared(folder, *most)?));
        }
        let Some(planned) = self.plan.runs.first() else {
            return Err(Trouble::Other("the recorder plans no run".to_owned()));
        };
        let mut run = recorder.run(&self.plan, planned, &self.into, served)?;
        is_reading.store(true, Ordering::Relaxed);
        served.say(&Said::Reads);
        bound();
        // Where memory is short it goes first from now on, and not who began it. May be refused.
        let _ = std::fs::write("/proc/self/oom_score_adj", "1000");
        if run.kind != RunKind::Unmeasured {
            run.findings = recorder.verify(&self.plan, &mut run, &self.into)?;
        }
        let read = self.into.exists().then(|| self.read(read));
        for finding in &mut run.findings {
            shorten(&mut finding.what);
        }
        Ok(Ran { run, read })
    }

    fn read(
        &self,
        read: impl FnOnce(&Path) -> Result<ReadRecording, String>,
    ) -> Result<Vec<String>, String> {
        let shortened = |mut text: String| {
            shorten(&mut text);
            text
        };
        let ReadRecording { mut profile, mut warnings } = read(&self.into).map_err(shortened)?;
        warnings.truncate(MOST_WARNINGS);
        warnings.iter_mut().for_each(shorten);
        for (seen, home) in &self.moves {
            result::move_files(&mut profile, seen, home);
        }
        let target = profile_of(&self.into);
        let written = File::create(&target).and_then(|file| {
            let mut file = BufWriter::new(file);
            result::write(&profile, &mut file)?;
            file.flush()
        });
        written.map_err(|error| format!("cannot write {}: {error}", target.display()))?;
        Ok(warnings)
    }
}

/// Starts a process that ends with this one, and gives how to talk to it.
fn start(program: &[String], output: &Arc<Output>) -> io::Result<(Ended, UnixStream, Following)> {
    let (program, arguments) =
        program.split_first().ok_or_else(|| io::Error::other("there is no program for it"))?;
    let (ours, theirs) = UnixStream::pair()?;
    let mut command = Command::new(program);
    let reader = Output::connect(&mut command)?;
    // Ctrl+C at a terminal is for the worker, who tells what it means.
    command.args(arguments).stdin(Stdio::from(OwnedFd::from(theirs))).process_group(0);
    let own = Ended(command.spawn()?);
    drop(command);
    Ok((own, ours, output.follow(reader)))
}

/// What it says.
fn listen(control: UnixStream) -> Receiver<Said> {
    let (sender, said) = channel();
    thread::spawn(move || {
        let mut lines = BufReader::new(control);
        let mut line = vec![];
        loop {
            line.clear();
            let read = lines.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line);
            let Ok(said) = serde_json::from_slice(&line) else { break };
            if read.is_err() || sender.send(said).is_err() {
                break;
            }
        }
    });
    said
}

/// Texts may be the program's: a name has any length.
fn shorten(text: &mut String) {
    const LONGEST: usize = 1000;
    if let Some((end, _)) = text.char_indices().nth(LONGEST) {
        text.truncate(end);
        text.push('…');
    }
}

/// What this process may take from now on. It is not said of the command, which was started before.
fn bound() {
    let least = |most: u64, now: Rlimit| Rlimit {
        current: Some(now.current.map_or(most, |now| now.min(most))),
        maximum: now.maximum,
    };
    for (resource, most) in [(Resource::Data, Task::MEMORY), (Resource::Core, 0)] {
        let _ = setrlimit(resource, least(most, getrlimit(resource)));
    }
}

/// The process's own side.
struct Served<F> {
    control: UnixStream,
    is_stopped: F,
    /// The signal of this process was passed on.
    taken: AtomicBool,
    /// This process has its limits.
    is_bound: AtomicBool,
    /// Signals that the worker sent, and that were not passed on.
    asked: Arc<AtomicU32>,
}

impl<F> Served<F> {
    fn say(&self, said: &Said) {
        let mut line = serde_json::to_vec(said).unwrap_or_default();
        line.push(b'\n');
        // A worker that is gone ends this process.
        let _ = (&self.control).write_all(&line);
    }
}

impl<F: Fn() -> bool> Watch for Served<F> {
    fn next_signal(&self) -> Option<i32> {
        const SIGTERM: i32 = 15;
        // The command runs.
        if !self.is_bound.swap(true, Ordering::Relaxed) {
            bound();
        }
        let is_own = (self.is_stopped)() && !self.taken.swap(true, Ordering::Relaxed);
        let took = |asked: u32| asked.checked_sub(1);
        let is_asked =
            is_own || self.asked.fetch_update(Ordering::Relaxed, Ordering::Relaxed, took).is_ok();
        is_asked.then_some(SIGTERM)
    }

    fn see(&self, progress: &record::Progress<'_>) {
        self.say(&Said::Does(progress.what.to_owned()));
    }

    fn started(&self, pid: u32) {
        self.say(&Said::Started(pid));
    }

    /// It goes where that of this process does: to the worker.
    fn output(&self) -> Option<&Arc<Output>> {
        None
    }
}

impl From<record::Error> for Trouble {
    fn from(error: record::Error) -> Trouble {
        match error {
            record::Error::Stopped => Trouble::Stopped,
            record::Error::File { doing, file, error } => {
                Trouble::File { doing: doing.to_owned(), file, what: error.to_string() }
            }
            other => Trouble::Other(other.to_string()),
        }
    }
}

/// A process that is ended with who has this.
struct Ended(Child);

impl Ended {
    /// Processes that it started and that still run.
    fn children(&self) -> Vec<Pid> {
        let tasks = std::fs::read_dir(format!("/proc/{}/task", self.0.id()));
        let lists = tasks.into_iter().flatten().flatten().map(|task| task.path().join("children"));
        let texts: Vec<String> = lists.flat_map(std::fs::read_to_string).collect();
        let words = texts.iter().flat_map(|text| text.split_whitespace());
        words.filter_map(|word| Pid::from_raw(word.parse().ok()?)).collect()
    }

    /// How it ended, or was ended after so long.
    fn end_within(&mut self, patience: Duration) -> io::Result<ExitStatus> {
        let end = Instant::now() + patience;
        while Instant::now() < end {
            if let Some(status) = self.0.try_wait()? {
                return Ok(status);
            }
            thread::sleep(TICK);
        }
        self.0.kill()?;
        self.0.wait()
    }
}

impl Drop for Ended {
    fn drop(&mut self) {
        let _ = (self.0.kill(), self.0.wait());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_shortened() {
        let mut long = "ä".repeat(2000);
        shorten(&mut long);
        assert_eq!(long, format!("{}…", "ä".repeat(1000)));
        let mut short = "ä".repeat(1000);
        shorten(&mut short);
        assert_eq!(short, "ä".repeat(1000));
    }

    #[test]
    fn a_process_that_goes_on_is_ended() {
        let begin = |script: &str| Ended(Command::new("sh").args(["-c", script]).spawn().unwrap());
        let killed = begin("sleep 600").end_within(Duration::ZERO).unwrap();
        assert_eq!(killed.signal(), Some(9));
        let ended = begin("exit 3").end_within(Duration::from_secs(600)).unwrap();
        assert_eq!(ended.code(), Some(3));
    }
}
