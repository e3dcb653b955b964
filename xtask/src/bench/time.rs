//! `cargo xtask bench-time`: what opening a recording in time order costs.

use std::io::BufWriter;
use std::path::Path;
use std::process::Command;

use super::measure;
use super::speedscope;
use crate::bench_data::traces;
use crate::build;

/// The options of the command.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Begins and ends of the traces, in thousands, with commas between them.
    #[arg(long, value_delimiter = ',', default_value = "1000,10000")]
    thousands: Vec<usize>,
    /// Do not run other programs.
    #[arg(long)]
    alone: bool,
    /// Write the traces to Hotframe's standard input in place of files, and run nothing else.
    #[arg(long)]
    streamed: bool,
    /// How often to run what is quick; the table shows the cheapest run.
    #[arg(long, default_value_t = 3)]
    runs: u32,
}

/// Opens traces of several sizes, and prints a table in Markdown.
pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    let hotframe = build::distributed(None)?;
    if options.streamed {
        return streamed(&hotframe, options);
    }
    let speedscope = if options.alone { None } else { Some(speedscope::install()?) };
    println!("| events | MB | program | CPU s | MB/s | peak MB | bytes an event | CPU / ours |");
    println!("|---:|---:|---|---:|---:|---:|---:|---:|");
    for thousands in &options.thousands {
        let events = thousands * 1000;
        let file = traces::trace(events)?;
        let megabytes = file.metadata()?.len() as f64 / 1e6;
        measure::read_through(&file)?;
        let mut info = Command::new(&hotframe);
        info.args(["info", "--max-memory", "16G"]).arg(&file);
        let mut load = Command::new("python3");
        load.args(["-c", "import json, sys; json.load(open(sys.argv[1]))"]).arg(&file);
        let ours = measure::cheapest(&mut info, options.runs);
        let own = ours.as_ref().map(|cost| cost.cpu_s).ok();
        let mut rows = vec![("`hotframe info`", ours)];
        if let Some(page) = &speedscope {
            rows.push(("Python's `json.load`", measure::cheapest(&mut load, 1)));
            rows.push(("speedscope", page.measure(&file)));
        }
        for (program, cost) in rows {
            let told = match cost {
                Ok(cost) => format!(
                    "{:.2} | {:.0} | {:.0} | {:.1} | {:.1}",
                    cost.cpu_s,
                    megabytes / cost.cpu_s,
                    cost.peak_megabytes,
                    cost.peak_megabytes * 1e6 / events as f64,
                    own.map_or(f64::NAN, |own| cost.cpu_s / own),
                ),
                Err(error) => format!("{error} | | | |"),
            };
            println!("| {events} | {megabytes:.0} | {program} | {told} |");
        }
    }
    Ok(())
}

/// For traces that would fill the disk.
fn streamed(hotframe: &Path, options: &Options) -> anyhow::Result<()> {
    println!("| events | CPU s | peak MB | bytes an event |");
    println!("|---:|---:|---:|---:|");
    for thousands in &options.thousands {
        let events = thousands * 1000;
        let mut info = Command::new(hotframe);
        info.args(["info", "--max-memory", "16G", "--max-size", "100G", "-"]);
        let cost = measure::streamed(&mut info, |input| {
            traces::write_trace(&mut BufWriter::with_capacity(1 << 20, input), events)
        })?;
        println!(
            "| {events} | {:.2} | {:.0} | {:.1} |",
            cost.cpu_s,
            cost.peak_megabytes,
            cost.peak_megabytes * 1e6 / events as f64,
        );
    }
    Ok(())
}
