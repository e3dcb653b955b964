//! `hotframe machine`.

mod caches;
mod measure;

use std::io::Write;
use std::num::NonZero;
use std::path::Path;
use std::thread::available_parallelism;

use anyhow::Result;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use crate::arguments::{InfoFormat, Machine};

/// The stable JSON shape of `machine`.
#[derive(Serialize)]
struct MachineJson {
    threads: usize,
    /// As programs count: a store that fetches first may move more.
    bandwidth_bytes_per_second: f64,
    /// On doubles; a fused multiplication and addition is two.
    operations_per_second: f64,
    /// What needs fewer operations for each byte waits for memory.
    ridge_operations_per_byte: f64,
    /// Those of the first processor that hold data, the nearest first; empty where they are not told.
    caches: Vec<caches::Cache>,
}

/// Measures the two numbers of a roofline.
pub(crate) fn machine(arguments: &Machine) -> Result<()> {
    let all = available_parallelism().map_or(1, NonZero::get);
    let threads = arguments.threads.map_or(all, NonZero::get);
    let bar = bar();
    let tick = || bar.inc(1);
    let bandwidth = measure::bandwidth(threads, &tick);
    let operations = measure::operations(threads, &tick);
    bar.finish_and_clear();
    let json = MachineJson {
        threads,
        bandwidth_bytes_per_second: bandwidth.round(),
        operations_per_second: operations.round(),
        ridge_operations_per_byte: operations / bandwidth,
        caches: caches::caches(Path::new(caches::FOLDER)),
    };
    let mut out = crate::text::stdout();
    match arguments.format {
        InfoFormat::Json => {
            serde_json::to_writer_pretty(&mut out, &json)?;
            Ok(writeln!(out)?)
        }
        InfoFormat::Text => machine_text(&mut out, &json),
    }
}

/// Draws nothing where standard error is no terminal.
fn bar() -> ProgressBar {
    let bar = ProgressBar::new(2 * measure::ROUNDS as u64);
    if let Ok(style) = ProgressStyle::with_template("measuring {wide_bar}") {
        bar.set_style(style);
    }
    bar
}

fn machine_text(out: &mut impl Write, machine: &MachineJson) -> Result<()> {
    const GIGA: f64 = 1e9;
    let threads = match machine.threads {
        1 => "1 thread".to_owned(),
        several => format!("{several} threads"),
    };
    writeln!(out, "{threads}, the best of {} rounds each", measure::ROUNDS)?;
    let bandwidth = machine.bandwidth_bytes_per_second / GIGA;
    writeln!(out, "memory bandwidth    {bandwidth:.1} GB/s (triad, 24 bytes a step)")?;
    let operations = machine.operations_per_second / GIGA;
    writeln!(out, "peak operations     {operations:.1} billion/s (doubles; a fused one is two)")?;
    let ridge = machine.ridge_operations_per_byte;
    writeln!(
        out,
        "ridge point         {ridge:.2} operations/byte: less than that waits for memory"
    )?;
    writeln!(out, "caches              {}", caches::told(&machine.caches))?;
    Ok(())
}
