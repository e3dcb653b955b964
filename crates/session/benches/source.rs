//! How long it takes until a language server can tell of source lines, on a profile of a million
//! contexts, and how long a hover takes then:
//! `cargo xtask bench-data --sizes million && cargo bench -p session --bench source`.
//!
//! Prints medians of several documents opened anew, in milliseconds; of hovers, the slowest of all
//! functions.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a bench prints and fails by panicking"
)]

use session::{
    Collector, Input, MetricId, ProfileDocument, ReadOptions, Watch, metrics_from, prepare_sources,
    source_calls, source_index, source_instructions, source_notes,
};
use std::io::{Cursor, Read};
use std::time::Instant;

/// Time.
const METRIC: MetricId = MetricId(1);
/// What hovers tell at most.
const METRICS: usize = 12;
const CALLS: usize = 5;

struct Nobody;

impl Watch for Nobody {
    fn watch<'a>(&'a self, bytes: Box<dyn Read + Send + 'a>) -> Box<dyn Read + Send + 'a> {
        bytes
    }
}

fn open(bytes: &[u8]) -> ProfileDocument {
    let options = ReadOptions::default();
    let mut collector = Collector::new(&options);
    let input = Input::File(Box::new(Cursor::new(bytes.to_vec())), None);
    collector.add(input, &Nobody, "million.pb.gz").unwrap();
    collector.finish("million.pb.gz")
}

/// What a hover asks for a function; milliseconds.
fn hover(document: &ProfileDocument, function: u32) -> f64 {
    let started = Instant::now();
    for metric in metrics_from(document, METRIC).take(METRICS) {
        source_index(document, metric).unwrap().function(function);
    }
    let (file, line) = {
        let index = source_index(document, METRIC).unwrap();
        let function = index.function(function);
        (function.file, function.start_line)
    };
    source_instructions(document, METRIC, file, line).unwrap();
    source_calls(document, METRIC, function, CALLS).unwrap();
    source_notes(document, METRIC, function).unwrap();
    started.elapsed().as_secs_f64() * 1e3
}

fn main() {
    const ROUNDS: usize = 5;
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/bench-data/million.pb.gz");
    let Ok(bytes) = std::fs::read(path) else {
        println!("no bench data: run `cargo xtask bench-data --sizes million` first");
        return;
    };
    let mut times = [const { vec![] }; 3];
    for _ in 0..ROUNDS {
        let document = open(&bytes);
        let started = Instant::now();
        let index = source_index(&document, METRIC).unwrap();
        times[0].push(started.elapsed().as_secs_f64() * 1e3);
        let started = Instant::now();
        prepare_sources(&document, METRIC, METRICS).unwrap();
        times[1].push(started.elapsed().as_secs_f64() * 1e3);
        let hovers = index.by_heat().into_iter().map(|one| hover(&document, one.id));
        times[2].push(hovers.fold(0.0, f64::max));
    }
    println!("| step | ms |");
    println!("|---|---:|");
    let names = ["lines and functions", "calls, places, other metrics", "slowest hover"];
    for (name, mut times) in names.into_iter().zip(times) {
        times.sort_by(f64::total_cmp);
        println!("| {name} | {:.1} |", times[times.len() / 2]);
    }
}
