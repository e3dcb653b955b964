//! Damaged recordings of perf, read as profiles: 1,500 mutants of each, always the same ones. None
//! panics, is read for long, takes more memory than it may, or makes a profile that is not sound.
//!
//! A program of its own, so that an abort is one of this test and the memory is that of readers alone.
//! Of files that are larger than a part each mutant has a part of the records, another one each time,
//! with all of the header and its features; so each costs about the same.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]
#![allow(clippy::print_stdout, reason = "what became of the mutants")]

mod damage;
mod recording;

use std::path::PathBuf;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use formats::{ReadError, ReadOptions, Source};

use damage::{Random, mutant};
use recording::Recording;

/// Mutants of each file.
const TRIES: u64 = 1500;
/// Bytes of records of a mutant before it is damaged.
const PART: usize = 16 << 10;
/// What tables of a reader may take.
const MEMORY: usize = 16 << 20;
/// How long one may take on a machine that is busy.
const LONGEST: Duration = Duration::from_secs(20);
const THREADS: usize = 2;

/// What became of a mutant.
enum Outcome {
    /// It was read, and is sound.
    Read,
    Refused,
    Wrong(String),
}

fn judge(bytes: &[u8]) -> Outcome {
    let options = ReadOptions {
        max_size: 64 << 20,
        max_memory: MEMORY,
        from: formats::format_named("perf-data"),
        ..ReadOptions::default()
    };
    let start = Instant::now();
    let read = formats::read(Source { bytes: Box::new(bytes), file_name: "" }, &options);
    let took = start.elapsed();
    match read {
        _ if took > LONGEST => Outcome::Wrong(format!("it took {took:?}")),
        Ok(opened) => match opened.profile.check().first() {
            Some(violation) => Outcome::Wrong(format!("{violation:?}")),
            None => Outcome::Read,
        },
        Err(error @ ReadError::Panicked { .. }) => Outcome::Wrong(error.to_string()),
        Err(_) => Outcome::Refused,
    }
}

fn files() -> Vec<PathBuf> {
    let folders = [
        Some(samples::testdata("perf-data")),
        samples::corpus("perf"),
        samples::corpus("perf-data"),
    ];
    let mut files: Vec<PathBuf> = vec![];
    for folder in folders.into_iter().flatten() {
        let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        files.extend(
            entries.filter(|path| path.is_file() && path.to_string_lossy().ends_with(".data")),
        );
    }
    files.sort();
    files
}

/// What became of the mutants of a file: how many were read and how many refused.
#[derive(Default)]
struct Counts {
    read: u64,
    refused: u64,
    wrong: Vec<String>,
}

fn try_all(all: &[(PathBuf, Recording)]) -> Vec<Counts> {
    let (send, receive) = mpsc::channel();
    std::thread::scope(|scope| {
        for worker in 0..THREADS {
            let send = send.clone();
            scope.spawn(move || {
                for (file, (_, recording)) in all.iter().enumerate() {
                    let (_, other) = &all[(file + 1) % all.len()];
                    for number in (worker as u64..TRIES).step_by(THREADS) {
                        let mut random = Random::new((file as u64) << 32 | number);
                        let bytes = mutant(recording, other, PART, &mut random);
                        if send.send((file, number, judge(&bytes))).is_err() {
                            return;
                        }
                    }
                }
            });
        }
        drop(send);
        let mut counts: Vec<Counts> = all.iter().map(|_| Counts::default()).collect();
        for _ in 0..all.len() as u64 * TRIES {
            // One that never ends would keep the others from being told.
            let Ok((file, number, outcome)) = receive.recv_timeout(LONGEST * 2) else {
                let done: Vec<u64> = counts.iter().map(|of| of.read + of.refused).collect();
                println!("a mutant does not end, or a thread has: {done:?} were judged");
                std::process::abort();
            };
            let of = &mut counts[file];
            match outcome {
                Outcome::Read => of.read += 1,
                Outcome::Refused => of.refused += 1,
                Outcome::Wrong(why) => of.wrong.push(format!("mutant {number}: {why}")),
            }
        }
        counts
    })
}

/// The most memory that this process had, where the system tells.
fn most_memory() -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<usize>().ok()? << 10)
}

#[test]
fn damaged_recordings_are_read_or_refused() {
    let files = files();
    assert!(files.len() >= 8, "samples are missing");
    let read = |path: &PathBuf| Recording::new(&std::fs::read(path).unwrap());
    let all: Vec<_> = files.iter().map(|path| (path.clone(), read(path))).collect();
    let counts = try_all(&all);
    for ((path, _), of) in all.iter().zip(&counts) {
        let name = path.file_name().unwrap().to_string_lossy();
        println!("{name}: {} read, {} refused", of.read, of.refused);
        assert!(of.wrong.is_empty(), "{name}: {}", of.wrong.join("\n"));
        assert!(of.read > TRIES / 10 && of.refused > 0, "{name}: damage that does not tell");
    }
    // Tables of each thread, what is unpacked and waits for its order, the files themselves.
    let limit = THREADS * MEMORY + (64 << 20);
    if let Some(most) = most_memory() {
        println!("at most {} MiB", most >> 20);
        assert!(most < limit, "{most} bytes");
    }
}
