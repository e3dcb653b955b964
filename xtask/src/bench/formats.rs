//! `cargo xtask bench-formats`: what reading each format costs.

use std::path::Path;
use std::process::Command;

use super::measure::{self, Cost};
use super::speedscope;
use crate::bench_data::formats::{self, RECIPES};
use crate::build;

/// The options of the command.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Only these formats, with commas between them.
    #[arg(long, value_delimiter = ',')]
    formats: Vec<String>,
    /// Do not run other programs.
    #[arg(long)]
    alone: bool,
    /// How often to run what is quick; the table shows the cheapest run.
    #[arg(long, default_value_t = 3)]
    runs: u32,
}

/// Reads a large file of each format, with other programs where they read it, and prints a table
/// in Markdown.
pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    let hotframe = build::distributed(None)?;
    let speedscope = if options.alone { None } else { Some(speedscope::install()?) };
    println!("| format | MB | program | CPU s | MB/s | peak MB | CPU / ours |");
    println!("|---|---:|---|---:|---:|---:|---:|");
    let chosen = |format: &str| {
        options.formats.is_empty() || options.formats.iter().any(|wanted| wanted == format)
    };
    for recipe in RECIPES.iter().filter(|recipe| chosen(recipe.format)) {
        let file = formats::large_file(recipe, &hotframe)?;
        let megabytes = file.metadata()?.len() as f64 / 1e6;
        measure::read_through(&file)?;
        let mut info = Command::new(&hotframe);
        info.args(["info", "--max-memory", "16G"]).arg(&file);
        let ours = measure::cheapest(&mut info, options.runs);
        row(recipe.format, megabytes, "`hotframe info`", &ours, None);
        let Ok(ours) = ours else { continue };
        if options.alone {
            continue;
        }
        for (program, mut command) in others(recipe.format, &file) {
            let cost = measure::cheapest(&mut command, 1);
            row(recipe.format, megabytes, program, &cost, Some(ours.cpu_s));
        }
        if let Some(page) =
            speedscope.as_ref().filter(|_| READ_BY_SPEEDSCOPE.contains(&recipe.format))
        {
            row(recipe.format, megabytes, "speedscope", &page.measure(&file), Some(ours.cpu_s));
        }
    }
    Ok(())
}

const READ_BY_SPEEDSCOPE: &[&str] =
    &["callgrind", "collapsed", "cpuprofile", "speedscope", "perf-script", "trace-event", "pprof"];

/// Commands of other programs that read the format.
fn others(format: &str, file: &Path) -> Vec<(&'static str, Command)> {
    let command = |program: &str, arguments: &[&str]| {
        let mut command = Command::new(program);
        command.args(arguments).arg(file);
        command
    };
    match format {
        "jfr" => vec![("`jfr summary`", command("jfr", &["summary"]))],
        "callgrind" => vec![("`callgrind_annotate`", command("callgrind_annotate", &[]))],
        "heaptrack" => {
            vec![("`heaptrack_print`", command("heaptrack_print", &[]))]
        }
        "cpuprofile" | "speedscope" | "firefox" | "trace-event" | "dhat" => {
            let load = "import json, sys; json.load(open(sys.argv[1]))";
            vec![("Python's `json.load`", command("python3", &["-c", load]))]
        }
        _ => vec![],
    }
}

fn row(
    format: &str,
    megabytes: f64,
    program: &str,
    cost: &anyhow::Result<Cost>,
    ours: Option<f64>,
) {
    match cost {
        Ok(Cost { cpu_s, peak_megabytes, .. }) => {
            let ratio = ours.map_or(String::new(), |ours| format!("{:.1}", cpu_s / ours));
            let speed = megabytes / cpu_s;
            println!(
                "| {format} | {megabytes:.0} | {program} | {cpu_s:.2} | {speed:.0} | \
                 {peak_megabytes:.0} | {ratio} |"
            );
        }
        Err(error) => println!("| {format} | {megabytes:.0} | {program} | {error} | | | |"),
    }
}
