//! What is counted now and then where neither a cgroup nor the kernel's limits hold it: the
//! processes inside, and their memory.

#![allow(clippy::disallowed_methods, reason = "files of the kernel, below /proc and /sys")]

use std::fs;
use std::path::Path;
use std::time::Duration;

use rustix::fs::statvfs;

use crate::Error;
use crate::bubblewrap::IN_MEMORY;
use crate::end::Cause;
use crate::room::Inside;

/// How often. Each time takes some ten microseconds, and as much more for each process.
pub(super) const EVERY: Duration = Duration::from_millis(50);

/// Whether anything has to be counted.
pub(super) fn is_needed(plan: &Inside) -> bool {
    plan.counts_processes || plan.limits_addresses
}

/// The limit that is exceeded.
pub(super) fn exceeded(plan: &Inside) -> Result<Option<Cause>, Error> {
    let listed = fs::read_dir("/proc").map_err(Error::file("read", "/proc"))?;
    let names = listed.flatten().filter_map(|entry| entry.file_name().into_string().ok());
    let pids: Vec<u32> =
        names.filter_map(|name| name.parse().ok()).filter(|pid| *pid != 1).collect();
    if plan.counts_processes && pids.len() as u64 > plan.limits.processes {
        return Ok(Some(Cause::Processes));
    }
    if plan.limits_addresses {
        let own: u64 = pids.iter().map(|pid| own_bytes(*pid).unwrap_or(0)).sum();
        let folders = IN_MEMORY.iter().map(|(folder, _)| Path::new(*folder));
        let files: u64 = folders.chain(plan.exchange.as_deref()).map(file_bytes).sum();
        // Files that are mapped are among what is shared; neither is counted twice.
        let shared: u64 = pids.iter().map(|pid| shared_bytes(*pid).unwrap_or(0)).sum();
        if own.saturating_add(files.max(shared)) > plan.limits.memory_bytes {
            return Ok(Some(Cause::Memory));
        }
    }
    Ok(None)
}

/// Memory that is no file's: what processes share is counted once for the files in memory. None
/// where the process is gone.
fn own_bytes(pid: u32) -> Option<u64> {
    let statm = fs::read_to_string(format!("/proc/{pid}/statm")).ok()?;
    let mut pages = statm.split(' ').skip(1).map_while(|pages| pages.parse::<u64>().ok());
    let (resident, shared) = (pages.next()?, pages.next()?);
    Some(resident.saturating_sub(shared) * rustix::param::page_size() as u64)
}

/// Its part of memory that processes share, which belongs to no file or to one in memory. Looking takes the
/// kernel long where much is mapped, so it is asked only where there is some.
fn shared_bytes(pid: u32) -> Option<u64> {
    let told = |file: &str, name: &str| {
        let text = fs::read_to_string(format!("/proc/{pid}/{file}")).ok()?;
        let line = text.lines().find_map(|line| line.strip_prefix(name))?;
        Some(line.trim().strip_suffix(" kB")?.parse::<u64>().ok()? << 10)
    };
    match told("status", "RssShmem:")? {
        0 => Some(0),
        most => Some(told("smaps_rollup", "Pss_Shmem:").unwrap_or(most)),
    }
}

fn file_bytes(folder: &Path) -> u64 {
    statvfs(folder).map_or(0, |of| of.f_blocks.saturating_sub(of.f_bfree) * of.f_frsize)
}
