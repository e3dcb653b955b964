//! `cargo xtask bench-recordings`: what reading recordings of perf takes, side by side with perf itself
//! and with the parser of hotspot, in one run.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::measure::{self, Cost};
use super::opening::ratio;
use crate::{build, command, workspace};

/// The options of the command.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// How often to run what is quick; the table shows the cheapest run.
    #[arg(long, default_value_t = 3)]
    runs: u32,
    /// How long the recordings are, by one of ten seconds or so.
    #[arg(long, default_value_t = 1)]
    times: u32,
    /// A hotframe that is built already.
    #[arg(long)]
    hotframe: Option<PathBuf>,
}

/// Where hotspot has its parser.
const PARSERS: [&str; 2] =
    ["/usr/lib/x86_64-linux-gnu/libexec/hotspot-perfparser", "/usr/libexec/hotspot-perfparser"];

const SCRIPT: &str = "`perf script`";
const NO_INLINE: &str = "`perf script --no-inline`";

/// How stacks are recorded, and how many frames the pipeline makes.
const RECORDINGS: [(&str, u32); 2] = [("fp", 40_000), ("dwarf", 6_000)];

/// Records a program, reads the recordings and prints a table in Markdown.
pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    let folder = workspace::target().join("bench-data/recordings");
    fs::create_dir_all(&folder)?;
    if !can_record(&folder) {
        println!("perf does not record here: reading recordings is not measured");
        return Ok(());
    }
    let hotframe = match &options.hotframe {
        Some(hotframe) => hotframe.clone(),
        None => build::distributed(None)?,
    };
    let program = folder.join("pipeline");
    let source = "testdata/pipeline/pipeline.cpp";
    let flags = ["-O2", "-g", "-fno-omit-frame-pointer", "-pthread", source, "-o"];
    command::run(command::in_root("g++", &flags).arg(&program))?;
    println!(
        "\n| recording | MB | samples | program | CPU s | wall s | peak MB | samples/s | CPU of perf without inlined calls / CPU |"
    );
    println!("|---|---:|---:|---|---:|---:|---:|---:|---:|");
    for (stacks, frames) in RECORDINGS {
        let file = folder.join(format!("{stacks}.perf.data"));
        let frames = (frames * options.times).to_string();
        let mut record = Command::new("perf");
        record.args([
            "record",
            "-q",
            "-e",
            "cpu-clock",
            "-F",
            "9973",
            "--call-graph",
            stacks,
            "-o",
        ]);
        record.arg(&file).arg("--").arg(&program).args(["--frames", &frames]);
        record.stdout(std::process::Stdio::null());
        anyhow::ensure!(record.status()?.success(), "perf did not record the pipeline");
        measure::read_through(&file)?;
        measure_file(&hotframe, &file, stacks, options.runs)?;
    }
    Ok(())
}

fn can_record(folder: &Path) -> bool {
    let mut record = Command::new("perf");
    record.args(["record", "-q", "-e", "cpu-clock", "-o"]).arg(folder.join("try.perf.data"));
    record.arg("true").output().is_ok_and(|output| output.status.success())
}

fn measure_file(hotframe: &Path, file: &Path, stacks: &str, runs: u32) -> anyhow::Result<()> {
    let command = |program: &Path, arguments: &[&str], end: &[&Path]| {
        let mut command = Command::new(program);
        command.args(arguments).args(end);
        command
    };
    let perf = Path::new("perf");
    let output = file.with_extension("hotframe");
    let mut commands = vec![
        ("`hotframe convert`", command(hotframe, &["convert"], &[file, Path::new("-o"), &output])),
        ("`hotframe info`", command(hotframe, &["info"], &[file])),
        (NO_INLINE, command(perf, &["script", "--no-inline", "-i"], &[file])),
        (SCRIPT, command(perf, &["script", "-i"], &[file])),
    ];
    if let Some(parser) = PARSERS.map(Path::new).into_iter().find(|parser| parser.exists()) {
        commands.push(("`hotspot-perfparser`", command(parser, &["--input"], &[file])));
    }
    let cost = |(name, mut command): (_, Command)| (name, measure::cheapest(&mut command, runs));
    let costs: Vec<(&str, anyhow::Result<Cost>)> = commands.into_iter().map(cost).collect();
    let of = costs.iter().find(|(name, _)| *name == NO_INLINE);
    let of = of.and_then(|(_, cost)| cost.as_ref().ok()).map(|cost| cost.cpu_s);
    let samples = samples(file)?;
    let megabytes = file.metadata()?.len() as f64 / 1e6;
    for (name, cost) in costs {
        match cost {
            Ok(Cost { cpu_s, wall_s, peak_megabytes }) => println!(
                "| {stacks} | {megabytes:.1} | {samples} | {name} | {cpu_s:.2} | {wall_s:.2} | \
                 {peak_megabytes:.0} | {:.0} | {} |",
                samples as f64 / cpu_s,
                ratio(of, Some(cpu_s)),
            ),
            Err(error) => {
                println!("| {stacks} | {megabytes:.1} | {samples} | {name} | {error} | | | | |")
            }
        }
    }
    Ok(())
}

/// How many samples perf finds.
fn samples(file: &Path) -> anyhow::Result<usize> {
    let output = Command::new("perf").args(["script", "-F", "time", "-i"]).arg(file).output()?;
    Ok(output.stdout.iter().filter(|byte| **byte == b'\n').count())
}
