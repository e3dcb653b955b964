//! Counts the samples of each event of a recording: `cargo run --example samples perf.data`.

#![allow(clippy::print_stdout, reason = "an example prints")]

use std::collections::BTreeMap;
use std::fs::File;
use std::io::BufReader;

use perfdata::{Body, Reader};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("name a recording of perf")?;
    let mut recording = Reader::open(BufReader::new(File::open(path)?))?;
    let mut samples = BTreeMap::<String, u64>::new();
    while let Some((head, record)) = recording.next()? {
        if let Body::Sample(_) = record.body {
            *samples.entry(head.events[record.event].name()).or_default() += 1;
        }
    }
    for (event, count) in samples {
        println!("{count:>10} {event}");
    }
    Ok(())
}
