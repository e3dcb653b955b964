//! Every sample with other values in the places of its values: no reader panics, hangs, takes more
//! memory than it may, or makes a profile that is not sound. The same changes as the fuzz targets
//! make, from fixed seeds.

use std::path::Path;
use std::sync::mpsc;
use std::time::Duration;

use formats::{ReadError, ReadOptions, Source};

use crate::mutate::{Random, mutate};
use crate::samples::{files, unpacked};

/// How long one input may take: far more than any does, on a machine that is busy.
const LONGEST: Duration = Duration::from_secs(20);

/// Mutants that a small file has, unless more are asked for.
const TRIES: usize = 40;

/// Bytes that are read of all mutants of a file together.
const WORK: usize = 1 << 20;

/// What is wrong with reading `bytes`.
fn judge(bytes: &[u8]) -> Option<String> {
    let options =
        ReadOptions { max_size: 64 << 20, max_memory: 64 << 20, ..ReadOptions::default() };
    match formats::read(Source { bytes: Box::new(bytes), file_name: "" }, &options) {
        Ok(opened) => opened.profile.check().first().map(|violation| format!("{violation:?}")),
        Err(error @ ReadError::Panicked { .. }) => Some(error.to_string()),
        Err(_) => None,
    }
}

/// Judges inputs on a thread of its own, so that one that hangs is found.
fn watched(inputs: Vec<(String, Vec<u8>)>) -> Vec<String> {
    let (send, receive) = mpsc::channel();
    let names: Vec<String> = inputs.iter().map(|(name, _)| name.clone()).collect();
    std::thread::spawn(move || {
        for (_, bytes) in inputs {
            if send.send(judge(&bytes)).is_err() {
                return;
            }
        }
    });
    let mut wrong = vec![];
    for name in names {
        match receive.recv_timeout(LONGEST) {
            Ok(None) => {}
            Ok(Some(problem)) => wrong.push(format!("{name}: {problem}")),
            Err(_) => {
                wrong.push(format!("{name}: takes longer than {LONGEST:?}"));
                break;
            }
        }
    }
    wrong
}

/// Mutants of a file; the larger it is, the fewer.
fn mutants(path: &Path, bytes: &[u8]) -> Vec<(String, Vec<u8>)> {
    let plain = unpacked(bytes);
    let most = tries();
    let count = (WORK / plain.len().max(1) * most / TRIES).clamp(2, most);
    let name = path.file_name().unwrap().to_string_lossy().into_owned();
    let mutant = |seed: usize| {
        let name = format!("{name} seed {seed}");
        (name, mutate(&plain, &mut Random::new(seed as u64)))
    };
    (0..count).map(mutant).collect()
}

/// How many mutants a file has at most: `MUTANTS=4000` looks longer.
fn tries() -> usize {
    std::env::var("MUTANTS").ok().and_then(|count| count.parse().ok()).unwrap_or(TRIES)
}

#[test]
fn other_values_never_panic_hang_or_fill_memory() {
    let mut wrong = vec![];
    for sample in files() {
        let bytes = std::fs::read(&sample.path).unwrap();
        wrong.extend(watched(mutants(&sample.path, &bytes)));
    }
    wrong.truncate(40);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    check_cases_that_once_failed();
}

/// The same of real files, where they are.
fn check_cases_that_once_failed() {
    for name in [
        "panic-trace-event-min.json",
        "panic-stackprof.json",
        "stackprof-hang.json",
        "pstats-hang.prof",
    ] {
        let Some(bytes) = crate::measured::corpus(&format!("cases/{name}")) else { continue };
        let inputs = mutants(Path::new(name), &bytes);
        let wrong = watched(std::iter::once((name.to_owned(), bytes)).chain(inputs).collect());
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}
