//! What a program costs.

use std::fs::File;
use std::io;
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
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

/// What a program costs that reads what `write` writes.
pub(super) fn streamed(
    command: &mut Command,
    write: impl FnOnce(&mut ChildStdin) -> io::Result<()>,
) -> anyhow::Result<Cost> {
    measure(command.stdin(Stdio::piped()), |child| match child.stdin.take() {
        Some(mut input) => write(&mut input),
        None => Ok(()),
    })
}

fn once(command: &mut Command) -> anyhow::Result<Cost> {
    measure(command.stdin(Stdio::null()), |_| Ok(()))
}

fn measure(
    command: &mut Command,
    feed: impl FnOnce(&mut Child) -> io::Result<()>,
) -> anyhow::Result<Cost> {
    let start = Instant::now();
    let mut child = command
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .with_context(|| format!("cannot start {}", command.get_program().display()))?;
    let fed = feed(&mut child);
    let end = child.wait4()?;
    let wall_s = start.elapsed().as_secs_f64();
    if !end.status.success() {
        bail!("failed after {wall_s:.0} s: {}", end.status);
    }
    fed.context("cannot write to it")?;
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
    use std::io::Write;

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
    fn what_is_written_is_read() {
        let mut grep = Command::new("grep");
        let cost = streamed(grep.args(["-q", "needle"]), |input| input.write_all(b"a needle\n"));
        assert!(cost.is_ok());
        assert!(streamed(&mut grep, |input| input.write_all(b"hay\n")).is_err());
    }

    #[test]
    fn a_failure_has_no_cost() {
        assert!(cheapest(&mut Command::new("false"), 1).is_err());
    }
}
