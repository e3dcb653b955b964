//! Every graph with other values in the places of its values becomes loops and goes through caches, or is
//! refused: no panic, no hang, and sums add up. The same changes and checks as the fuzz targets make, from
//! fixed seeds.

/// Shared with the fuzz targets.
#[path = "../../../../fuzz/src/mutate.rs"]
#[allow(unreachable_pub, dead_code, reason = "the fuzz targets use it too")]
mod mutate;
#[path = "../../../../fuzz/src/simulated.rs"]
#[allow(unreachable_pub, dead_code, reason = "the fuzz targets use it too")]
mod simulated;

use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::time::Duration;

use mutate::{Random, mutate};
use sdfg::Limits;

/// How long one graph may take: far more than any does, on a machine that is busy.
const LONGEST: Duration = Duration::from_secs(60);

/// Mutants of a graph, unless more are asked for.
fn usual_tries() -> u64 {
    samples::cases(1, 3).into()
}

/// Larger files have fewer mutants.
const WORK: u64 = 512 << 10;

fn graphs(folder: &Path, into: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        let is_graph = path.extension().is_some_and(|ending| ending == "sdfg" || ending == "sdfgz");
        if path.is_dir() {
            graphs(&path, into);
        } else if is_graph && path.metadata().unwrap().len() < WORK {
            into.push(path);
        }
    }
}

#[test]
fn mutants_of_graphs_are_simulated_or_refused() {
    let tries = std::env::var("HOTFRAME_MUTANTS").ok().and_then(|text| text.parse().ok());
    let mut files = vec![];
    for folder in samples::both("sdfg") {
        graphs(&folder, &mut files);
    }
    assert!(files.len() > 20, "{}", files.len());
    let (send, receive) = mpsc::channel();
    let names = files.clone();
    std::thread::spawn(move || {
        for path in files {
            let bytes = std::fs::read(&path).unwrap();
            let fitting = (WORK / bytes.len().max(1) as u64).clamp(1, usual_tries());
            for seed in 0..tries.unwrap_or(fitting) {
                let one = mutate(&bytes, &mut Random::new(seed));
                let done = std::panic::catch_unwind(|| {
                    if let Ok(graph) = sdfg::read(&one[..], &Limits { max_size: 64 << 20 }) {
                        simulated::check_graph(&graph);
                    }
                });
                let _ = send.send((path.clone(), seed, done.is_ok()));
            }
        }
    });
    let mut wrong = vec![];
    let mut last = (names[0].clone(), 0);
    loop {
        match receive.recv_timeout(LONGEST) {
            Ok((path, seed, true)) => last = (path, seed),
            Ok((path, seed, false)) => wrong.push(format!("{} {seed}: it panics", path.display())),
            Err(mpsc::RecvTimeoutError::Disconnected) => break,
            Err(mpsc::RecvTimeoutError::Timeout) => {
                wrong.push(format!("it takes longer than {LONGEST:?} after {last:?}"));
                break;
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
