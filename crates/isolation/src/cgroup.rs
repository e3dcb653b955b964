//! A cgroup for each run, below our own: what holds us goes on holding it.

#![allow(clippy::disallowed_methods, reason = "files of the kernel, below /proc and /sys")]

mod place;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::{Error, Limits};

pub(crate) use place::{Parent, Place, find};

/// What our cgroups are called by, before who owns them.
const PREFIX: &str = "hotframe-";

/// Outer, bwrap, the first process inside with its threads: they are counted with the program.
const OURS: u64 = 8;

/// What limits swap, where that is counted: of version 2 and 1.
const SWAP: [&str; 2] = ["memory.swap.max", "memory.memsw.limit_in_bytes"];

/// The cgroups of a run: one in each hierarchy.
#[derive(Debug)]
pub(crate) struct Cgroup<'a> {
    place: &'a Place,
    name: String,
}

impl<'a> Cgroup<'a> {
    /// Makes it, sets its limits and enters it.
    pub(crate) fn enter(place: &'a Place, limits: &Limits) -> Result<Cgroup<'a>, Error> {
        let owner = Owner::this().map_err(Error::step("reading /proc/self"))?;
        let cgroup = Cgroup { place, name: owner.name() };
        match cgroup.fill(limits) {
            Ok(()) => Ok(cgroup),
            Err(error) => {
                cgroup.leave();
                Err(error)
            }
        }
    }

    fn fill(&self, limits: &Limits) -> Result<(), Error> {
        for parent in self.place.parents() {
            let folder = parent.folder.join(&self.name);
            fs::create_dir(&folder).map_err(Error::file("make", &folder))?;
            for (file, value) in limits_of(self.place, parent, limits) {
                let path = folder.join(file);
                // Swap is not always counted.
                if path.exists() || !SWAP.contains(&file) {
                    fs::write(&path, value).map_err(Error::file("write", &path))?;
                }
            }
            let entry = folder.join(parent.entry());
            fs::write(&entry, "0").map_err(Error::file("write", &entry))?;
        }
        Ok(())
    }

    /// Time on processors of all its processes so far.
    pub(crate) fn processor(&self) -> Option<Duration> {
        if let Some(folder) = self.folder(|parent| parent.holds("cpuacct")) {
            let used = read_number(&folder.join("cpuacct.usage"))?;
            return Some(Duration::from_nanos(used));
        }
        let folder = self.folder(|parent| parent.is_v2)?;
        read_field(&folder.join("cpu.stat"), "usage_usec").map(Duration::from_micros)
    }

    /// The most memory at a time, in bytes.
    pub(crate) fn peak(&self) -> Option<u64> {
        let folder = self.folder(|parent| parent.holds("memory"))?;
        ["memory.peak", "memory.max_usage_in_bytes"]
            .iter()
            .find_map(|file| read_number(&folder.join(file)))
    }

    /// How many processes were killed for its memory.
    pub(crate) fn killed_for_memory(&self) -> u64 {
        let Some(folder) = self.folder(|parent| parent.holds("memory")) else { return 0 };
        ["memory.events", "memory.oom_control"]
            .iter()
            .find_map(|file| read_field(&folder.join(file), "oom_kill"))
            .unwrap_or(0)
    }

    /// Goes back to where we came from, and removes it.
    pub(crate) fn leave(self) {
        for parent in self.place.parents() {
            // Where going back is not allowed, the guard removes it when we are gone.
            if fs::write(parent.home.join(parent.entry()), "0").is_ok() {
                clear(&parent.folder.join(&self.name));
            }
        }
    }

    fn folder(&self, is: impl Fn(&Parent) -> bool) -> Option<PathBuf> {
        let parent = self.place.parents().find(|parent| is(parent))?;
        Some(parent.folder.join(&self.name))
    }
}

/// Removes the cgroups of runs whose owners are gone, with what is left in them.
pub(crate) fn sweep(place: &Place) {
    for parent in place.parents() {
        for entry in fs::read_dir(&parent.folder).into_iter().flatten().flatten() {
            let owner = entry.file_name().to_str().and_then(Owner::read);
            if owner.is_some_and(|owner| owner.is_gone()) {
                clear(&entry.path());
            }
        }
    }
}

fn limits_of(place: &Place, parent: &Parent, limits: &Limits) -> Vec<(&'static str, String)> {
    let mut values = vec![];
    if place.of_memory().is_some_and(|holder| holder == parent) {
        let bytes = limits.memory_bytes.to_string();
        if parent.is_v2 {
            values.extend([("memory.max", bytes), (SWAP[0], "0".to_owned())]);
        } else {
            values.push(("memory.limit_in_bytes", bytes.clone()));
            values.push((SWAP[1], bytes));
        }
    }
    if place.of_processes().is_some_and(|holder| holder == parent) {
        values.push(("pids.max", limits.processes.saturating_add(OURS).to_string()));
    }
    values
}

/// Kills what is in it, and removes it.
fn clear(folder: &Path) {
    const LONGEST: Duration = Duration::from_secs(2);
    let start = Instant::now();
    while let Err(error) = fs::remove_dir(folder) {
        if error.kind() == io::ErrorKind::NotFound || start.elapsed() > LONGEST {
            return;
        }
        let listed = fs::read_to_string(folder.join("cgroup.procs")).unwrap_or_default();
        for pid in listed.lines().filter_map(|line| line.parse().ok()).filter_map(Pid::from_raw) {
            if pid != rustix::process::getpid() {
                let _ = kill_process(pid, Signal::KILL);
            }
        }
        sleep(Duration::from_millis(1));
    }
}

fn read_number(file: &Path) -> Option<u64> {
    fs::read_to_string(file).ok()?.trim().parse().ok()
}

fn read_field(file: &Path, name: &str) -> Option<u64> {
    let text = fs::read_to_string(file).ok()?;
    text.lines().find_map(|line| line.strip_prefix(name)?.trim().parse().ok())
}

/// Whose cgroup it is: a process, by its number and start, for numbers are given again; and the
/// namespace in which it has that number, for others may share our cgroups.
#[derive(Debug, PartialEq, Eq)]
struct Owner {
    namespace: u64,
    pid: u32,
    /// In the kernel's ticks since it started.
    start: u64,
}

impl Owner {
    fn this() -> io::Result<Owner> {
        let pid = std::process::id();
        let start = start_of(pid).ok_or_else(|| io::Error::other("its start is not known"))?;
        Ok(Owner { namespace: namespace()?, pid, start })
    }

    fn name(&self) -> String {
        format!("{PREFIX}{}-{}-{}", self.namespace, self.pid, self.start)
    }

    fn read(name: &str) -> Option<Owner> {
        let mut numbers = name.strip_prefix(PREFIX)?.split('-');
        let mut next = || numbers.next()?.parse::<u64>().ok();
        let (namespace, pid, start) = (next()?, next()?, next()?);
        let owner = Owner { namespace, pid: pid.try_into().ok()?, start };
        (owner.name() == name).then_some(owner)
    }

    fn is_gone(&self) -> bool {
        namespace().is_ok_and(|ours| ours == self.namespace)
            && start_of(self.pid) != Some(self.start)
    }
}

fn namespace() -> io::Result<u64> {
    Ok(rustix::fs::stat("/proc/self/ns/pid")?.st_ino)
}

fn start_of(pid: u32) -> Option<u64> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name before it may have spaces and braces.
    let (_, fields) = stat.rsplit_once(')')?;
    fields.split_whitespace().nth(19)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn owners_are_known_by_their_names() {
        let owner = Owner::this().unwrap();
        assert_eq!(Owner::read(&owner.name()), Some(Owner { ..owner }));
        let owner = Owner::this().unwrap();
        assert!(!owner.is_gone());
        assert!(Owner { start: owner.start + 1, ..owner }.is_gone());
        let elsewhere = Owner { namespace: 1, pid: 1, start: 1 };
        assert!(!elsewhere.is_gone(), "numbers of another namespace say nothing here");
        for other in ["hotframe-", "hotframe-1-2", "hotframe-1-2-3-4", "hotframe-01-2-3", "x-1-2-3"]
        {
            assert_eq!(Owner::read(other), None, "{other}");
        }
    }
}
