//! Facts of the machine that recordings keep and limits are checked against.

#![allow(clippy::disallowed_methods, reason = "files of the kernel, below /proc and /sys")]

use std::ffi::OsStr;
use std::fs;
use std::path::Path;

use rustix::process::{Resource, getrlimit};
use serde::{Deserialize, Serialize};

/// The machine that was measured on.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Machine {
    /// Its name.
    pub host: String,
    /// Release of the kernel.
    pub kernel: String,
    /// `x86_64`.
    pub architecture: String,
    /// Processors that are there to be run on.
    pub cpus: u32,
    /// What the processor calls itself; may be empty.
    #[serde(default)]
    pub processor: String,
    /// Bytes of memory; 0 where it is not known.
    #[serde(default)]
    pub memory_bytes: u64,
    /// What the kernel allows: `kernel.perf_event_paranoid`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub perf_event_paranoid: Option<i64>,
    /// Who sees addresses of the kernel: `kernel.kptr_restrict`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kptr_restrict: Option<i64>,
    /// The most samples a second that the kernel takes: `kernel.perf_event_max_sample_rate`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_sample_rate: Option<u64>,
}

impl Machine {
    /// The machine that this runs on.
    pub fn here() -> Machine {
        let system = rustix::system::uname();
        let text = |text: &std::ffi::CStr| text.to_string_lossy().into_owned();
        Machine {
            host: text(system.nodename()),
            kernel: text(system.release()),
            architecture: text(system.machine()),
            cpus: online_cpus(),
            processor: field(Path::new("/proc/cpuinfo"), "model name").unwrap_or_default(),
            memory_bytes: memory(),
            perf_event_paranoid: setting("perf_event_paranoid"),
            kptr_restrict: setting("kptr_restrict"),
            max_sample_rate: setting("perf_event_max_sample_rate"),
        }
    }
}

/// What is allowed to this process; no part of a recording.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rights {
    /// May see what others do, whatever the kernel's settings say.
    pub(crate) is_privileged: bool,
    /// The most files that may be open.
    pub(crate) files: u64,
}

impl Rights {
    /// Whether the kernel lets this process measure its own work, too.
    pub(crate) fn reach_kernel(&self, machine: &Machine) -> bool {
        self.is_privileged || machine.perf_event_paranoid.is_none_or(|level| level < 2)
    }
    pub(crate) fn here() -> Rights {
        /// Bits of `CapEff`: CAP_SYS_ADMIN and CAP_PERFMON.
        const PRIVILEGED: u64 = 1 << 21 | 1 << 38;
        let effective = field(Path::new("/proc/self/status"), "CapEff");
        let effective = effective.and_then(|bits| u64::from_str_radix(&bits, 16).ok());
        Rights {
            is_privileged: effective.is_some_and(|bits| bits & PRIVILEGED != 0),
            // perf raises the soft limit up to the hard one by itself.
            files: getrlimit(Resource::Nofile).maximum.unwrap_or(u64::MAX),
        }
    }
}

/// Bytes that may still be written to the disk of a folder.
pub(crate) fn free_space(folder: &Path) -> Option<u64> {
    let folder = if folder == OsStr::new("") { Path::new(".") } else { folder };
    let disk = rustix::fs::statvfs(folder).ok()?;
    disk.f_bavail.checked_mul(disk.f_frsize)
}

fn setting<T: std::str::FromStr>(name: &str) -> Option<T> {
    fs::read_to_string(Path::new("/proc/sys/kernel").join(name)).ok()?.trim().parse().ok()
}

/// The value of a line `key : value`.
fn field(file: &Path, key: &str) -> Option<String> {
    let text = fs::read_to_string(file).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(key))?;
    Some(line.trim_start().strip_prefix(':')?.trim().to_owned())
}

fn memory() -> u64 {
    let kibibytes = field(Path::new("/proc/meminfo"), "MemTotal");
    let number = kibibytes.as_deref().and_then(|text| text.split(' ').next()?.parse::<u64>().ok());
    number.unwrap_or(0).saturating_mul(1024)
}

/// `0-3,8` are five.
fn online_cpus() -> u32 {
    let list = fs::read_to_string("/sys/devices/system/cpu/online").unwrap_or_default();
    let ranges = list.trim().split(',').filter_map(|range| {
        let (from, to) = range.split_once('-').unwrap_or((range, range));
        (to.parse::<u32>().ok()?).checked_sub(from.parse().ok()?)
    });
    let counted: u32 = ranges.map(|more| more.saturating_add(1)).fold(0, u32::saturating_add);
    match counted {
        0 => std::thread::available_parallelism().map_or(1, |cpus| cpus.get() as u32),
        cpus => cpus,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_machine_is_known() {
        let machine = Machine::here();
        assert!(machine.cpus > 0 && !machine.kernel.is_empty(), "{machine:?}");
        assert!(Rights::here().files > 0);
        assert!(free_space(Path::new("")).is_some());
        assert_eq!(free_space(Path::new("/no/such/folder")), None);
    }
}
