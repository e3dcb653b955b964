//! `cargo xtask bench-compare`: what merging and comparing profiles costs, side by side with other
//! programs in one run, and how long the engine takes for each part of a comparison.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::measure::{self, Cost};
use super::opening::ratio;
use crate::bench_data::many;
use crate::{build, command, setup, workspace};

/// The options of the command.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// How often to run what is quick; the table shows the cheapest run.
    #[arg(long, default_value_t = 3)]
    runs: u32,
    /// Do not run other programs.
    #[arg(long)]
    alone: bool,
    /// A Python with Hatchet (`pip install llnl-hatchet`), to unify the same profiles with it.
    #[arg(long)]
    hatchet: Option<PathBuf>,
}

/// Measures both and prints tables in Markdown.
pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    let pprof = if options.alone { None } else { Some(setup::pprof()?) };
    let hotframe = build::distributed(None)?;
    let (merged, compared) = (many::merged()?, many::compared()?);
    for file in merged.iter().chain(&compared) {
        measure::read_through(file)?;
    }
    let folder = workspace::target().join("bench-data");
    let output = |name: &str| folder.join(name);
    let program = |program: &Path, arguments: &[&str], files: &[PathBuf]| {
        let mut command = Command::new(program);
        command.args(arguments).args(files);
        command
    };
    let to = |mut command: Command, output: PathBuf| {
        command.arg("-o").arg(output);
        command
    };
    let merge = program(&hotframe, &["merge"], &merged);
    let merge_pprof = program(&hotframe, &["merge"], &merged);
    let mut merging = vec![
        ("`hotframe convert -o X.hotframe`", to(merge, output("merged.hotframe"))),
        ("`hotframe convert -o X.pb.gz`", to(merge_pprof, output("merged.pb.gz"))),
        ("`hotframe show` of all", program(&hotframe, &["show"], &merged)),
    ];
    let mut comparing = vec![("`hotframe diff`", program(&hotframe, &["diff"], &compared))];
    if let Some(pprof) = &pprof {
        let arguments = ["-proto", "-symbolize=none", "-output"];
        let mut command = program(pprof, &arguments, &[output("merged-by-pprof.pb.gz")]);
        command.args(&merged);
        merging.push((PPROF_PROTO, command));
        let mut command = program(pprof, &["-top", "-symbolize=none", "-diff_base"], &compared);
        command.env("PPROF_TMPDIR", &folder);
        comparing.push((PPROF_DIFF, command));
    }
    table("merging 100", merging, PPROF_PROTO, options.runs);
    if let Some(python) = &options.hatchet {
        let script = folder.join("unify_with_hatchet.py");
        fs::write(&script, include_str!("unify_with_hatchet.py"))?;
        let folded = folded(&hotframe, &merged[..FEW], &folder)?;
        let merge = program(&hotframe, &["merge"], &merged[..FEW]);
        let few = vec![
            ("`hotframe merge`", to(merge, output("merged.hotframe"))),
            (HATCHET, program(python, &[&script.to_string_lossy()], &folded)),
        ];
        table("merging 4", few, HATCHET, options.runs);
    }
    table("comparing", comparing, PPROF_DIFF, options.runs);
    command::run(&mut command::cargo(&["bench", "--package", "session", "--bench", "compare"]))
}

/// Hatchet takes minutes for all.
const FEW: usize = 4;

const HATCHET: &str = "Hatchet";
const PPROF_PROTO: &str = "`pprof -proto`";
const PPROF_DIFF: &str = "`pprof -top -diff_base`";

fn table(task: &str, commands: Vec<(&str, Command)>, reference: &str, runs: u32) {
    let cost = |(name, mut command): (_, Command)| (name, measure::cheapest(&mut command, runs));
    let costs: Vec<(&str, anyhow::Result<Cost>)> = commands.into_iter().map(cost).collect();
    let of = costs.iter().find(|(name, _)| *name == reference);
    let of = of.and_then(|(_, cost)| cost.as_ref().ok()).map(|cost| cost.cpu_s);
    println!();
    println!("| {task} | CPU s | wall s | peak MB | CPU of {reference} / CPU |");
    println!("|---|---:|---:|---:|---:|");
    for (name, cost) in costs {
        match cost {
            Ok(Cost { cpu_s, wall_s, peak_megabytes }) => println!(
                "| {name} | {cpu_s:.2} | {wall_s:.2} | {peak_megabytes:.0} | {} |",
                ratio(of, Some(cpu_s)),
            ),
            Err(error) => println!("| {name} | {error} | | | |"),
        }
    }
}

/// The profiles as folded stacks, which the script for Hatchet reads; it has no reader for pprof.
fn folded(hotframe: &Path, files: &[PathBuf], folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let folder = folder.join("folded");
    fs::create_dir_all(&folder)?;
    let mut convert = Command::new(hotframe);
    convert.arg("convert").args(files).args(["--to", "collapsed", "-o"]).arg(&folder);
    command::run(&mut convert)?;
    let name = |file: &PathBuf| {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        folder.join(name.replace(".pb.gz", ".collapsed"))
    };
    Ok(files.iter().map(name).collect())
}
