//! The processes that are sampled: the first one, and those that it starts.

#![allow(clippy::disallowed_methods, reason = "files of the kernel, below /proc and /sys")]

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use super::opened::processor_time;
use super::stacks::{Hold, Stacks};
use super::unreadable;

/// Processes by number.
pub(super) struct Processes {
    first: u32,
    with_children: bool,
    hold: Hold,
    all: BTreeMap<u32, Process>,
    next_look: Instant,
}

/// What is in the way before anything was tried.
const UNTRIED: &str = "it ended before it could be read";

/// What looking takes of a processor: while this thread waits for one, nobody else waits for it.
struct Cost(Duration);

impl Cost {
    fn new() -> Cost {
        Cost(processor_time())
    }

    fn elapsed(&self) -> Duration {
        processor_time().saturating_sub(self.0)
    }
}

/// A process, whatever it is.
pub(super) struct Process {
    pub(super) name: String,
    pub(super) state: State,
    /// Why it could not be read when that was tried last; none once it was, and of what holds others.
    obstacle: Option<String>,
    /// Its program; another one is there after `exec`.
    program: Option<PathBuf>,
    tries: u32,
    next_try: Instant,
    /// ReadRecording that failed since the last one that did not, by reason.
    pub(super) failed: Vec<String>,
}

pub(super) enum State {
    /// Perhaps it will be Python.
    Waiting,
    /// It holds an isolated process, or is about to become that: so it looks between `fork` and `exec`.
    Holding,
    Read(Box<Stacks>),
    /// It ended.
    Gone,
}

/// How often children are looked for, at most.
const LOOK: Duration = Duration::from_millis(25);
/// Looking takes this part of the time, at most.
const LOOKING: u32 = 20;
/// The same where no process is sampled yet, so that nothing is missed meanwhile: short programs end soon.
const LOOKING_ALONE: u32 = 2;
/// A program that cannot be read is tried so often: in the first 20 milliseconds, and up to half a
/// minute after. Then it is another one that is waited for.
const MOST_TRIES: u32 = 40;
/// So many failures in a row are not an accident: it may be another program now.
const MOST_FAILURES: usize = 20;

impl Processes {
    pub(super) fn new(first: u32, with_children: bool, hold: Hold) -> Processes {
        let all = BTreeMap::from([(first, Process::new(first))]);
        Processes { first, with_children, hold, all, next_look: Instant::now() }
    }

    /// Looks for new processes, and tries to read those that are not read yet. Gives the versions
    /// of those that are read from now on.
    pub(super) fn look(&mut self) -> Vec<(u32, String)> {
        let now = Instant::now();
        if now >= self.next_look {
            let begin = Cost::new();
            if self.with_children {
                self.find_children();
            }
            for (&pid, process) in &mut self.all {
                // What was a shell may be Python now, and end before the next try.
                if process.is_waiting() && program(pid) != process.program {
                    process.next_try = now;
                }
            }
            self.next_look = now + LOOK.max(begin.elapsed() * LOOKING);
        }
        let hold = self.hold;
        let is_alone = self.readable().next().is_none();
        let pause = if is_alone { LOOKING_ALONE } else { LOOKING };
        let due = self.all.iter_mut().filter(|(_, process)| process.is_due());
        due.filter_map(|(&pid, process)| Some((pid, process.try_to_read(pid, hold, pause)?)))
            .collect()
    }

    /// Those whose stacks can be read.
    pub(super) fn readable(&mut self) -> impl Iterator<Item = (u32, &mut Process)> {
        let is_read = |process: &Process| matches!(process.state, State::Read(_));
        let all = self.all.iter_mut().filter(move |(_, process)| is_read(process));
        all.map(|(&pid, process)| (pid, process))
    }

    /// Those that were found, read or not, and have not been seen to end.
    pub(super) fn numbers(&self) -> impl Iterator<Item = u32> {
        let gone = |process: &Process| matches!(process.state, State::Gone);
        self.all.iter().filter(move |(_, process)| !gone(process)).map(|(&pid, _)| pid)
    }

    /// Whether the first one is there.
    pub(super) fn is_there(&self) -> bool {
        is_alive(self.first)
    }

    /// Those that never were read: names, and why.
    pub(super) fn left_out(&self) -> impl Iterator<Item = (&str, &str)> {
        let all = self.all.values();
        all.filter_map(|process| Some((&*process.name, process.obstacle.as_deref()?)))
    }

    /// The same of the first one.
    pub(super) fn obstacle(&self) -> Option<&str> {
        self.all.get(&self.first)?.obstacle.as_deref()
    }

    fn find_children(&mut self) {
        let mut ask: Vec<u32> = self.all.keys().copied().collect();
        while let Some(pid) = ask.pop() {
            for child in children(pid) {
                self.all.entry(child).or_insert_with(|| {
                    ask.push(child);
                    Process::new(child)
                });
            }
        }
    }
}

impl Process {
    fn new(pid: u32) -> Process {
        Process {
            name: name(pid),
            state: State::Waiting,
            obstacle: Some(UNTRIED.to_owned()),
            program: program(pid),
            tries: 0,
            next_try: Instant::now(),
            failed: vec![],
        }
    }

    fn is_waiting(&self) -> bool {
        matches!(self.state, State::Waiting | State::Holding)
    }

    fn is_due(&self) -> bool {
        self.is_waiting() && Instant::now() >= self.next_try
    }

    fn try_to_read(&mut self, pid: u32, hold: Hold, pause: u32) -> Option<String> {
        let program = program(pid);
        if program != self.program {
            // What was `sh` may be Python now.
            if program.is_some() && matches!(self.state, State::Holding) {
                self.obstacle = Some(UNTRIED.to_owned());
            }
            (self.program, self.tries, self.state) = (program, 0, State::Waiting);
        } else if matches!(self.state, State::Holding) {
            return None;
        } else if self.tries >= MOST_TRIES {
            self.next_try = Instant::now() + LOOK;
            return None;
        }
        self.name = Some(name(pid)).filter(|name| !name.is_empty()).unwrap_or(self.name.clone());
        self.tries += 1;
        if is_holder(pid) {
            (self.state, self.obstacle) = (State::Holding, None);
            return None;
        }
        let begin = Cost::new();
        match Stacks::new(pid, hold) {
            Ok(stacks) => {
                let version = stacks.version();
                (self.state, self.obstacle) = (State::Read(Box::new(stacks)), None);
                Some(version)
            }
            Err(_) if !is_alive(pid) => {
                self.state = State::Gone;
                None
            }
            Err(why) => {
                // Large programs take long to look into, and nothing is sampled meanwhile.
                let wait = Duration::from_millis(1 << (self.tries / 3).min(10));
                let wait = wait.max(begin.elapsed() * pause);
                self.next_try = Instant::now() + wait;
                self.obstacle = self.obstacle.is_some().then(|| unreadable::reason(pid, &why));
                None
            }
        }
    }

    /// Reading failed. Gives the reasons of failures that were accidents.
    pub(super) fn fails(&mut self, pid: u32, why: String) {
        self.failed.push(why);
        if !is_alive(pid) {
            // The end of a process is none of its failures.
            self.failed.clear();
            self.state = State::Gone;
        } else if self.failed.len() >= MOST_FAILURES || program(pid) != self.program {
            self.failed.clear();
            (self.tries, self.next_try) = (0, Instant::now());
            self.state = State::Waiting;
        }
    }
}

/// Whether a process is there and has not ended.
pub(super) fn is_alive(pid: u32) -> bool {
    program(pid).is_some()
}

/// When a process began, nanoseconds since the machine did; in steps of 10 ms.
pub(super) fn began(pid: u32) -> Option<u64> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name before it may have spaces and braces.
    let ticks: u64 = stat.rsplit_once(')')?.1.split_whitespace().nth(19)?.parse().ok()?;
    Some(ticks.saturating_mul(1_000_000_000) / rustix::param::clock_ticks_per_second().max(1))
}

/// What runs in a process; none where it has ended, or may not be looked at.
pub(super) fn program(pid: u32) -> Option<PathBuf> {
    fs::read_link(format!("/proc/{pid}/exe")).ok()
}

/// Whether a process only holds another one that is isolated: this program, or bubblewrap.
fn is_holder(pid: u32) -> bool {
    let identity = |path: &str| fs::metadata(path).ok().map(|file| (file.dev(), file.ino()));
    let own = identity("/proc/self/exe");
    let is_bubblewrap = || {
        program(pid).is_some_and(|program| program.file_name().is_some_and(|name| name == "bwrap"))
    };
    own.is_some() && own == identity(&format!("/proc/{pid}/exe")) || is_bubblewrap()
}

/// Its command, shortened.
pub(super) fn name(pid: u32) -> String {
    const LONGEST: usize = 80;
    let bytes = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    let words = bytes.split(|&byte| byte == 0).filter(|word| !word.is_empty());
    let words: Vec<_> = words.map(String::from_utf8_lossy).collect();
    let text = words.join(" ");
    let shown: String = text.chars().take(LONGEST).collect();
    if shown.len() < text.len() { format!("{shown}…") } else { shown }
}

fn children(pid: u32) -> Vec<u32> {
    let mut found = vec![];
    for task in fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten() {
        let listed = fs::read_to_string(task.path().join("children")).unwrap_or_default();
        found.extend(listed.split_whitespace().filter_map(|word| word.parse::<u32>().ok()));
    }
    found
}

/// All that a process started, and what these did.
pub(super) fn descendants(pid: u32) -> Vec<u32> {
    let mut found = children(pid);
    let mut at = 0;
    while at < found.len() {
        for child in children(found[at]) {
            if !found.contains(&child) {
                found.push(child);
            }
        }
        at += 1;
    }
    found
}

#[cfg(test)]
mod tests {
    use std::process::Command;
    use std::thread;

    use super::*;

    #[test]
    fn another_program_is_tried_even_where_the_one_before_was_given_up() {
        if Command::new("python3").arg("--version").output().is_err() {
            assert!(std::env::var_os("HOTFRAME_PYTHON").is_none(), "the project wants python3");
            eprintln!("not checked: there is no python3 on this machine");
            return;
        }
        let script = "sleep 1; exec python3 -c 'while True: pass'";
        let mut child = Command::new("sh").args(["-c", script]).spawn().unwrap();
        let pid = child.id();
        let mut processes = Processes::new(pid, false, Hold::Free);
        let start = Instant::now();
        // Python may start before it is there to be read: this one waits until it is.
        let mut read = vec![];
        while read.is_empty() && start.elapsed() < Duration::from_secs(60) {
            let name = processes.all[&pid].program.clone();
            if !name.is_some_and(|name| name.to_string_lossy().contains("python")) {
                let shell = processes.all.get_mut(&pid).unwrap();
                shell.tries = MOST_TRIES;
                // Tries of a shell that runs for long are far apart, and Python may end sooner.
                shell.next_try = Instant::now() + Duration::from_secs(3600);
            }
            read = processes.look();
            thread::sleep(Duration::from_millis(1));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        assert_eq!(read.len(), 1);
        assert_eq!(read[0].0, pid);
    }
}
