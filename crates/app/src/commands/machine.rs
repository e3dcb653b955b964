//! `hotframe sdfg machine`.

use std::io::Write;
use std::num::NonZero;
use std::path::Path;

use anyhow::{Context, Result};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use crate::arguments::{InfoFormat, Machine};
use crate::machine::{self, Limits, ROUNDS, caches};
use crate::report::JSON_VERSION;

/// The stable JSON shape of `machine`.
#[derive(Serialize)]
struct MachineJson {
    version: u32,
    #[serde(flatten)]
    limits: Limits,
    /// What needs fewer operations for each byte waits for memory.
    ridge_operations_per_byte: f64,
    /// Those of the first processor that hold data, the nearest first; empty where they are not told.
    caches: Vec<caches::Cache>,
}

/// Measures the two numbers of a roofline.
pub(crate) fn machine(arguments: &Machine) -> Result<()> {
    let threads = arguments.threads.map_or_else(machine::threads, NonZero::get);
    let bar = bar();
    let goes_on = |_| {
        bar.inc(1);
        true
    };
    let limits = machine::measured(threads, &goes_on).context("the measurement was stopped")?;
    bar.finish_and_clear();
    if let Err(error) = machine::remember(limits) {
        writeln!(
            crate::text::stderr(),
            "hotframe: the page will not know what was measured: {error}"
        )?;
    }
    let json = MachineJson {
        version: JSON_VERSION,
        limits,
        ridge_operations_per_byte: limits.operations_per_second / limits.bandwidth_bytes_per_second,
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

/// Draws nothing where standard error is not a terminal.
fn bar() -> ProgressBar {
    let bar = ProgressBar::new(2 * ROUNDS as u64);
    if let Ok(style) = ProgressStyle::with_template("measuring {wide_bar}") {
        bar.set_style(style);
    }
    bar
}

fn machine_text(out: &mut impl Write, machine: &MachineJson) -> Result<()> {
    const GIGA: f64 = 1e9;
    let limits = machine.limits;
    let threads = match limits.threads {
        1 => "1 thread".to_owned(),
        several => format!("{several} threads"),
    };
    writeln!(out, "{threads}, the best of {} rounds each", ROUNDS)?;
    let bandwidth = limits.bandwidth_bytes_per_second / GIGA;
    writeln!(out, "memory bandwidth    {bandwidth:.1} GB/s (triad, 24 bytes a step)")?;
    let operations = limits.operations_per_second / GIGA;
    writeln!(out, "peak operations     {operations:.1} billion/s (doubles; a fused one is two)")?;
    let ridge = machine.ridge_operations_per_byte;
    writeln!(
        out,
        "ridge point         {ridge:.2} operations/byte: less than that waits for memory"
    )?;
    writeln!(out, "caches              {}", caches::describe(&machine.caches))?;
    Ok(())
}
