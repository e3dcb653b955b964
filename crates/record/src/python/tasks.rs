//! Threads as the kernel knows them: which thread of Python is which of them, and whether it runs.
//!
//! From 3.11 on Python tells the kernel's number of each thread. Before, it tells the address of
//! what the C library keeps of the thread, and the number is among that: where exactly is found
//! out by looking for a number that is one of the process's threads.

#![allow(clippy::disallowed_methods, reason = "files of the kernel, below /proc and /sys")]

use std::collections::HashMap;
use std::fs::{self, File};
use std::os::unix::fs::FileExt as _;

/// Threads of a process.
#[derive(Debug)]
pub(super) struct Tasks {
    pid: i32,
    memory: Option<File>,
    /// Kernel's numbers, by the numbers that the process itself sees; the same where it is in no
    /// container.
    known: HashMap<u32, u32>,
    /// Where the C library keeps the number.
    offset: Option<u64>,
    is_nested: bool,
}

impl Tasks {
    pub(super) fn new(pid: i32) -> Tasks {
        let nested = numbers_of(&format!("/proc/{pid}/status")).len() > 1;
        let memory = File::open(format!("/proc/{pid}/mem")).ok();
        Tasks { pid, memory, known: HashMap::new(), offset: None, is_nested: nested }
    }

    /// Whether the process sees other numbers than we do.
    pub(super) fn is_nested(&self) -> bool {
        self.is_nested
    }

    /// The kernel's number of a thread, by the number that the process sees.
    pub(super) fn here(&mut self, own: u32) -> Option<u32> {
        if !self.is_nested {
            return Some(own);
        }
        self.look_for(own)
    }

    /// The kernel's number of a thread, by the C library's handle.
    pub(super) fn of_handle(&mut self, handle: u64) -> Option<u32> {
        if let Some(offset) = self.offset {
            let own = self.number_at(handle.checked_add(offset)?)?;
            return self.look_for(own);
        }
        /// More than any C library keeps before it, in steps of a number.
        const FARTHEST: u64 = 2048;
        self.list();
        for offset in (0..FARTHEST).step_by(4) {
            let own = self.number_at(handle.checked_add(offset)?)?;
            if let Some(&here) = self.known.get(&own) {
                self.offset = Some(offset);
                return Some(here);
            }
        }
        None
    }

    /// Whether a thread runs or could; none where it is gone.
    pub(super) fn is_running(&self, thread: u32) -> Option<bool> {
        let stat = fs::read(format!("/proc/{}/task/{thread}/stat", self.pid)).ok()?;
        // The name before it may have spaces and braces.
        let end = stat.iter().rposition(|&byte| byte == b')')?;
        Some(*stat.get(end + 2)? == b'R')
    }

    /// By the kernel's number, whether a thread runs or could; of all threads.
    pub(super) fn running(&self) -> HashMap<u32, bool> {
        let threads = fs::read_dir(format!("/proc/{}/task", self.pid)).into_iter().flatten();
        let number = |entry: fs::DirEntry| entry.file_name().to_str()?.parse::<u32>().ok();
        let numbers = threads.flatten().filter_map(number);
        numbers.filter_map(|thread| Some((thread, self.is_running(thread)?))).collect()
    }

    /// Whether the process ends just now. Who holds one then is told of its end in place of its parent.
    pub(super) fn is_ending(&self) -> bool {
        /// `PF_EXITING` of the kernel.
        const ENDING: u64 = 4;
        let stat = fs::read_to_string(format!("/proc/{}/stat", self.pid)).unwrap_or_default();
        let flags = stat.rsplit_once(')').and_then(|(_, fields)| fields.split(' ').nth(7));
        flags.and_then(|flags| flags.parse::<u64>().ok()).is_none_or(|flags| flags & ENDING != 0)
    }

    fn look_for(&mut self, own: u32) -> Option<u32> {
        if !self.known.contains_key(&own) {
            self.list();
        }
        self.known.get(&own).copied()
    }

    fn list(&mut self) {
        self.known.clear();
        for entry in fs::read_dir(format!("/proc/{}/task", self.pid)).into_iter().flatten() {
            let name = entry.ok().and_then(|entry| entry.file_name().into_string().ok());
            let Some(here) = name.and_then(|name| name.parse().ok()) else { continue };
            let own = if self.is_nested {
                numbers_of(&format!("/proc/{}/task/{here}/status", self.pid)).pop()
            } else {
                Some(here)
            };
            self.known.extend(own.map(|own| (own, here)));
        }
    }

    fn number_at(&self, address: u64) -> Option<u32> {
        let mut bytes = [0; 4];
        self.memory.as_ref()?.read_exact_at(&mut bytes, address).ok()?;
        Some(u32::from_ne_bytes(bytes))
    }
}

/// The numbers of a thread in each container that it is in, from the outermost.
fn numbers_of(status: &str) -> Vec<u32> {
    let text = fs::read_to_string(status).unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("NSpid:"));
    line.unwrap_or_default().split_whitespace().filter_map(|word| word.parse().ok()).collect()
}
