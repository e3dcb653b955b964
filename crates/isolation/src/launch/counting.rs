//! What is counted now and then where neither a cgroup nor the kernel's limits hold it: the
//! processes inside, and their memory.

#![allow(clippy::disallowed_methods, reason = "files of the kernel, below /proc and /sys")]

use std::fs;
use std::os::fd::OwnedFd;
use std::path::Path;
use std::time::Duration;

use rustix::fs::fstatvfs;

use crate::Error;
use crate::bubblewrap::IN_MEMORY;
use crate::end::Cause;
use crate::room::Inside;

use super::inner::folder;

/// How often. Each time takes some ten microseconds, and as much more for each process.
pub(super) const EVERY: Duration = Duration::from_millis(50);

/// A run that is counted.
pub(super) struct Counted<'a> {
    plan: &'a Inside,
    /// Folders in memory: a program may give their paths to others.
    folders: Vec<OwnedFd>,
}

impl Counted<'_> {
    /// None where nothing has to be counted. Before the program is started.
    pub(super) fn new(plan: &Inside) -> Result<Option<Counted<'_>>, Error> {
        if !plan.counts_processes && !plan.limits_addresses {
            return Ok(None);
        }
        let folders = IN_MEMORY.iter().map(|(folder, _)| Path::new(*folder));
        let folders = folders.chain(plan.exchange.as_deref()).map(folder);
        Ok(Some(Counted { plan, folders: folders.collect::<Result<_, _>>()? }))
    }

    /// The limit that is exceeded.
    pub(super) fn exceeded(&self) -> Result<Option<Cause>, Error> {
        exceeded(self.plan, &self.folders)
    }
}

fn exceeded(plan: &Inside, folders: &[OwnedFd]) -> Result<Option<Cause>, Error> {
    let listed = fs::read_dir("/proc").map_err(Error::file("read", "/proc"))?;
    let names = listed.flatten().filter_map(|entry| entry.file_name().into_string().ok());
    let pids: Vec<u32> =
        names.filter_map(|name| name.parse().ok()).filter(|pid| *pid != 1).collect();
    if plan.counts_processes && pids.len() as u64 > plan.limits.processes {
        return Ok(Some(Cause::Processes));
    }
    if plan.limits_addresses {
        let own: u64 = pids.iter().map(|pid| own_bytes(*pid).unwrap_or(0)).sum();
        let files: u64 = folders.iter().map(file_bytes).sum();
        // Files that are mapped are among what is shared; neither is counted twice.
        let shared: u64 = pids.iter().map(|pid| shared_bytes(*pid).unwrap_or(0)).sum();
        let sockets = if plan.network { 0 } else { socket_bytes() };
        if own.saturating_add(files.max(shared)).saturating_add(sockets) > plan.limits.memory_bytes
        {
            return Ok(Some(Cause::Memory));
        }
    }
    Ok(None)
}

/// Memory that is not a file's: what processes share is counted once for the files in memory. None
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

/// Sockets that programs have without sending much by them.
const FEW_SOCKETS: u64 = 1000;
/// What waits in a socket for its reader, at most: the kernel lets ten datagrams wait, each of them of what a
/// sender may have on its way by default.
const IN_A_SOCKET: u64 = 11 * (208 << 10);

/// What may wait in sockets where these are more than a few: how much does is told nowhere.
fn socket_bytes() -> u64 {
    let told = fs::read_to_string("/proc/net/sockstat").unwrap_or_default();
    let count = told.lines().find_map(|line| line.strip_prefix("sockets: used "));
    let count: u64 = count.and_then(|count| count.trim().parse().ok()).unwrap_or(0);
    count.saturating_sub(FEW_SOCKETS) * IN_A_SOCKET
}

fn file_bytes(folder: &OwnedFd) -> u64 {
    fstatvfs(folder).map_or(0, |of| of.f_blocks.saturating_sub(of.f_bfree) * of.f_frsize)
}
