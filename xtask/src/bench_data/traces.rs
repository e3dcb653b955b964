//! Recordings that tell when: a trace of calls, and samples of a second each thousand.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;

use super::files::partial;
use super::random::Random;
use crate::workspace;

const THREADS: usize = 8;
const FUNCTIONS: usize = 2_000;
const DEEPEST: usize = 12;

/// A trace in the Trace Event format with so many begins and ends, one a line, on eight threads.
pub(crate) fn trace(events: usize) -> anyhow::Result<PathBuf> {
    write_once(&format!("trace-{}.json", short_count(events)), |file| write_trace(file, events))
}

/// What `perf script` prints of so many samples, a thousand a second on each of eight threads.
pub(crate) fn samples(count: usize) -> anyhow::Result<PathBuf> {
    write_once(&format!("samples-{}.perf", short_count(count)), |file| write_samples(file, count))
}

fn short_count(count: usize) -> String {
    if count.is_multiple_of(1_000_000) {
        format!("{}m", count / 1_000_000)
    } else {
        format!("{}k", count / 1_000)
    }
}

fn write_once(
    name: &str,
    write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> anyhow::Result<PathBuf> {
    let folder = workspace::target().join("bench-data");
    fs::create_dir_all(&folder)?;
    let path = folder.join(name);
    if !path.exists() {
        println!("writing {}", path.display());
        write_to(&path, write).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(path)
}

fn write_to(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> io::Result<()> {
    let partial = partial(path);
    let mut file = BufWriter::with_capacity(1 << 20, File::create(&partial)?);
    write(&mut file)?;
    file.flush()?;
    fs::rename(partial, path)
}

/// The same into anything.
pub(crate) fn write_trace(file: &mut impl Write, events: usize) -> io::Result<()> {
    let mut random = Random::new(18);
    let mut open: Vec<Vec<usize>> = vec![vec![]; THREADS];
    let mut clocks = [0u64; THREADS];
    writeln!(file, "{{\"traceEvents\":[")?;
    let mut left = events;
    let mut depth = 0;
    while left > depth {
        let thread = random.below(THREADS);
        // A thread goes on for a while, as in a file that is written in blocks.
        for _ in 0..random.between(1, 200) {
            let stack = &mut open[thread];
            let most = random.between(1_000, 40_000);
            let clock = clocks[thread] + 100 + random.skewed(most) as u64;
            let begins = stack.is_empty() || stack.len() < DEEPEST && random.chance(50);
            if begins && left > depth + 1 {
                // What is called depends on the caller, so that stacks repeat.
                let caller = stack.last().map_or(thread, |caller| caller * 7 + 1);
                let other = if random.chance(30) { random.skewed(4) } else { 0 };
                let function = (caller * 31 + other) % FUNCTIONS;
                stack.push(function);
                depth += 1;
                event(file, 'B', thread, clock, function)?;
            } else if let Some(function) = stack.pop() {
                depth -= 1;
                event(file, 'E', thread, clock, function)?;
            } else {
                break;
            }
            clocks[thread] = clock;
            left -= 1;
        }
    }
    for (thread, stack) in open.iter_mut().enumerate() {
        while let Some(function) = stack.pop() {
            clocks[thread] += 100;
            event(file, 'E', thread, clocks[thread], function)?;
        }
    }
    let name = "\"ph\":\"M\",\"pid\":1,\"tid\":0,\"name\":\"process_name\"";
    writeln!(file, "{{{name},\"args\":{{\"name\":\"server\"}}}}\n]}}")
}

fn event(
    file: &mut impl Write,
    phase: char,
    thread: usize,
    nanoseconds: u64,
    function: usize,
) -> io::Result<()> {
    let (micros, rest) = (nanoseconds / 1000, nanoseconds % 1000);
    writeln!(
        file,
        "{{\"ph\":\"{phase}\",\"pid\":1,\"tid\":{thread},\"ts\":{micros}.{rest:03},\"name\":\"service.handler_{function}\"}},",
        thread = thread + 1
    )
}

fn write_samples(file: &mut impl Write, count: usize) -> io::Result<()> {
    let mut random = Random::new(19);
    for sample in 0..count {
        let (thread, tick) = (sample % THREADS, sample / THREADS);
        let (seconds, micros) = (tick / 1000, tick % 1000 * 1000 + thread * 100);
        writeln!(file, "server 1/{} {seconds}.{micros:06}: 1 cycles:", thread + 1)?;
        let depth = random.between(1, 6);
        let stack = (0..depth).scan(thread, |caller, _| {
            let other = if random.chance(30) { random.skewed(4) } else { 0 };
            *caller = (*caller * 31 + other) % FUNCTIONS;
            Some(*caller)
        });
        let stack: Vec<usize> = stack.collect();
        for function in stack.iter().rev() {
            writeln!(file, "\t{:x} handler_{function}+0x4 (server)", 0x1000 + function * 64)?;
        }
        writeln!(file)?;
    }
    Ok(())
}
