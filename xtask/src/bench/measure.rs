//! What a program costs.

use std::fs::File;
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use wait4::Wait4;

/// The cost of one run, of the program and of all that it started and waited for.
#[derive(Clone, Copy)]
pub(super) struct Cost {
    /// In user and system mode, on all processors.
    pub(super) cpu_s: f64,
    pub(super) wall_s: f64,
    /// The largest resident set of any one process. It cannot be less than that of
    /// this program, from which the processes are forked: some megabytes.
    pub(super) peak_megabytes: f64,
}

/// Runs beyond the first must not take longer than this in all.
const ENOUGH: Duration = Duration::from_secs(10);

/// The run with the least processor time of up to `runs`; slow programs run once.
pub(super) fn cheapest(command: &mut Command, runs: u32) -> anyhow::Result<Cost> {
    let start = Instant::now();
    let mut cheapest = once(command)?;
    for _ in 1..runs {
        if start.elapsed() > ENOUGH {
            break;
        }
        let cost = once(command)?;
        if cost.cpu_s < cheapest.cpu_s {
            cheapest = cost;
        }
    }
    Ok(cheapest)
}

fn once(command: &mut Command) -> anyhow::Result<Cost> {
    let start = Instant::now();
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .with_context(|| format!("cannot start {}", command.get_program().display()))?;
    let end = child.wait4()?;
    let wall_s = start.elapsed().as_secs_f64();
    if !end.status.success() {
        bail!("failed after {wall_s:.0} s: {}", end.status);
    }
    let used = end.rusage;
    Ok(Cost {
        cpu_s: (used.utime + used.stime).as_secs_f64(),
        wall_s,
        peak_megabytes: used.maxrss as f64 / 1e6,
    })
}

/// Brings a file into the page cache.
pub(super) fn read_through(file: &Path) -> io::Result<()> {
    io::copy(&mut File::open(file)?, &mut io::sink()).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_busy_program_costs_processor_time_and_memory() {
        let mut shell = Command::new("sh");
        shell.args(["-c", "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done"]);
        let cost = cheapest(&mut shell, 1).unwrap();
        assert!(cost.cpu_s > 0.001 && cost.wall_s > 0.001, "{} s", cost.cpu_s);
        assert!((0.2..1000.0).contains(&cost.peak_megabytes), "{} MB", cost.peak_megabytes);
    }

    #[test]
    fn a_failure_has_no_cost() {
        assert!(cheapest(&mut Command::new("false"), 1).is_err());
    }
}
