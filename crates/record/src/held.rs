//! The memory of this process, which kernels count as that of what it starts.

#![allow(clippy::disallowed_methods, reason = "files of the kernel, below /proc and /sys")]

use std::fs;

/// Lets the kernel forget how much this process had, where it is Linux.
pub(crate) fn forget() {
    // Elsewhere, and where it is refused, less can be told.
    let _ = fs::write("/proc/self/clear_refs", "5");
}

/// The most bytes of memory that this process had at a time, since it was forgotten; 0 where that is not
/// known. What it starts has no less by the kernel's accounts: they count the memory that a process had
/// before it became its program.
pub(crate) fn most() -> u64 {
    let told = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = told.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    kib.unwrap_or(0) << 10
}
