//! What the kernel tells of a process's threads while they go on: their time on processors, and where they are.

#![allow(clippy::disallowed_methods, reason = "files of the kernel, below /proc")]

use std::collections::HashMap;
use std::fs::File;
use std::os::unix::fs::FileExt as _;

use crate::process_clock::processor_time;

/// Files of a process's threads.
#[derive(Debug)]
pub(super) struct Kernel {
    pid: i32,
    threads: HashMap<u32, Files>,
}

#[derive(Debug)]
struct Files {
    schedstat: File,
    stat: File,
}

/// What the kernel counts of a thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Ran {
    /// On processors, nanoseconds; of a thread that runs just now up to the last tick.
    pub(super) cpu_ns: u64,
    /// How often a processor was given to it.
    slices: u64,
}

/// Where a thread is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    /// It runs, or could.
    pub(super) is_ready: bool,
    /// It runs there, or did when it ran last.
    pub(super) processor: usize,
}

/// Files that stay open, of so many threads; those of others are opened each time.
const MOST_OPEN: usize = 128;

impl Kernel {
    pub(super) fn new(pid: i32) -> Kernel {
        Kernel { pid, threads: HashMap::new() }
    }

    /// None where the thread is gone, or this kernel does not count.
    pub(super) fn ran(&mut self, thread: u32) -> Option<Ran> {
        self.read(thread, |files| ran(&read(&files.schedstat)?))
    }

    /// None where the thread is gone.
    pub(super) fn place(&mut self, thread: u32) -> Option<Place> {
        self.read(thread, |files| place(&read(&files.stat)?))
    }

    /// Time on processors of all threads together, also of those that ended; nanoseconds.
    pub(super) fn process_ns(&self) -> Option<u64> {
        processor_time(self.pid)
    }

    /// Closes the files of all but these threads.
    pub(super) fn keep(&mut self, is_there: impl Fn(u32) -> bool) {
        self.threads.retain(|&thread, _| is_there(thread));
    }

    fn read<T>(&mut self, thread: u32, read: impl Fn(&Files) -> Option<T>) -> Option<T> {
        if let Some(files) = self.threads.get(&thread) {
            // The number may be another thread's now.
            if let Some(found) = read(files) {
                return Some(found);
            }
            self.threads.remove(&thread);
        }
        let open = |name| File::open(format!("/proc/{}/task/{thread}/{name}", self.pid)).ok();
        let files = Files { schedstat: open("schedstat")?, stat: open("stat")? };
        let found = read(&files);
        if found.is_some() && self.threads.len() < MOST_OPEN {
            self.threads.insert(thread, files);
        }
        found
    }
}

fn read(file: &File) -> Option<String> {
    let mut bytes = [0; 1024];
    let length = file.read_at(&mut bytes, 0).ok()?;
    Some(String::from_utf8_lossy(&bytes[..length]).into_owned())
}

/// `proc_pid_schedstat(5)`: time on processors, time of waiting for one, how often one was given.
fn ran(text: &str) -> Option<Ran> {
    let mut words = text.split_whitespace().map(str::parse);
    let (cpu_ns, slices) = (words.next()?.ok()?, words.nth(1)?.ok()?);
    Some(Ran { cpu_ns, slices })
}

/// `proc_pid_stat(5)`: fields 3 and 39. The name before them may have spaces and braces.
fn place(text: &str) -> Option<Place> {
    let mut words = text.rsplit_once(')')?.1.split_whitespace();
    let is_ready = words.next()? == "R";
    Some(Place { is_ready, processor: words.nth(35)?.parse().ok()? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_the_kernel_are_understood() {
        let text = "4711 (a) b) R 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 \
                    29 30 31 32 33 34 35 7 37 38 39";
        assert_eq!(place(text), Some(Place { is_ready: true, processor: 7 }));
        assert_eq!(place("1 (a) S 1"), None);
        assert_eq!(ran("123 456 789\n"), Some(Ran { cpu_ns: 123, slices: 789 }));
        assert_eq!(ran(""), None);
    }

    #[test]
    fn a_thread_and_its_process_have_their_time() {
        let pid = std::process::id() as i32;
        let mut kernel = Kernel::new(pid);
        let thread = rustix::thread::gettid().as_raw_pid() as u32;
        let before = kernel.process_ns().unwrap();
        while kernel.process_ns().unwrap() - before < 20_000_000 {}
        let place = kernel.place(thread).unwrap();
        assert!(place.is_ready);
        assert!(kernel.ran(thread).is_none_or(|ran| ran.cpu_ns >= 1_000_000));
        kernel.keep(|_| false);
        assert_eq!(kernel.ran(u32::MAX), None);
    }
}
