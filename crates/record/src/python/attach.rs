//! Recording a process that runs already.

#![allow(clippy::disallowed_methods, reason = "files of the kernel, below /proc and /sys")]

use std::fs;
use std::thread;
use std::time::{Duration, Instant};

use super::points::Points;
use super::processes;
use super::sampler::{Sampled, Sampler, Wanted};
use super::stacks::{Hold, Stacks};
use super::unreadable;
use crate::Error;
use crate::process::Watch;

/// Refuses a process that cannot be read, nor any that it started.
pub(super) fn check(pid: u32, with_children: bool) -> Result<(), Error> {
    /// An interpreter that is starting is ready after it.
    const LONGEST: Duration = Duration::from_millis(500);
    let start = Instant::now();
    loop {
        let Err(why) = Stacks::new(pid, Hold::Free) else { return Ok(()) };
        let is_any = with_children
            && processes::descendants(pid)
                .iter()
                .any(|&child| Stacks::new(child, Hold::Free).is_ok());
        if is_any {
            return Ok(());
        }
        if !processes::is_alive(pid) || start.elapsed() > LONGEST {
            return Err(unreadable::refusal(pid, &why));
        }
        thread::sleep(Duration::from_millis(50));
    }
}

/// What became of a process that was sampled.
pub(super) struct Attached {
    pub(super) sampled: Option<Sampled<Points>>,
    /// Its time on processors meanwhile, with that of children that ended and were waited for.
    pub(super) cpu: Duration,
}

/// Samples until a signal comes, the process ends, or the time is over.
pub(super) fn sample(wanted: Wanted, watch: &dyn Watch) -> Attached {
    const TICK: Duration = Duration::from_millis(20);
    let pid = wanted.pid;
    let before = cpu(pid).unwrap_or_default();
    let mut last = before;
    let sampler = Sampler::start(wanted, Points::new);
    while !sampler.is_finished() && watch.next_signal().is_none() {
        last = cpu(pid).unwrap_or(last);
        thread::sleep(TICK);
    }
    last = cpu(pid).unwrap_or(last);
    Attached { sampled: sampler.finish(), cpu: last.saturating_sub(before) }
}

fn cpu(pid: u32) -> Option<Duration> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name before it may have spaces and braces.
    let (_, fields) = stat.rsplit_once(')')?;
    let fields: Vec<&str> = fields.split_whitespace().collect();
    let ticks =
        fields.get(11..15)?.iter().map(|field| field.parse::<u64>().unwrap_or(0)).sum::<u64>();
    let a_second = rustix::param::clock_ticks_per_second().max(1);
    Some(Duration::from_nanos(ticks.saturating_mul(1_000_000_000) / a_second))
}
