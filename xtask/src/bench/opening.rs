//! Opening profiles, beside other programs.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::measure::{self, Cost};
use super::speedscope;
use crate::bench_data::{self, Size, Variant};
use crate::{build, setup};

/// The options of the command.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Which files to open, with commas between them. pprof takes minutes and 10 GB for M.
    #[arg(long, value_delimiter = ',', default_value = "S,K")]
    sizes: Vec<Size>,
    /// Do not run pprof.
    #[arg(long)]
    without_pprof: bool,
    /// Open the files in speedscope too, in Chromium: it needs 2 GB for K and fails on M.
    #[arg(long)]
    speedscope: bool,
    /// How often to run what is quick; the table shows the cheapest run.
    #[arg(long, default_value_t = 3)]
    runs: u32,
}

/// The programs that take part.
struct Programs {
    hotframe: PathBuf,
    pprof: Option<PathBuf>,
    speedscope: Option<speedscope::Page>,
}

/// Measures all programs on all files and prints a table in Markdown.
pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    let programs = Programs {
        pprof: if options.without_pprof { None } else { Some(setup::pprof()?) },
        speedscope: if options.speedscope { Some(speedscope::install()?) } else { None },
        hotframe: build::distributed(None)?,
    };
    bench_data::write(&options.sizes, false)?;
    println!();
    println!(
        "| file | program | CPU s | wall s | peak MB | CPU / gzip | pprof CPU / CPU | peak / raw |"
    );
    println!("|---|---|---:|---:|---:|---:|---:|---:|");
    for &size in &options.sizes {
        for variant in Variant::ALL {
            measure_file(&programs, size, variant, options.runs)?;
        }
    }
    Ok(())
}

fn measure_file(
    programs: &Programs,
    size: Size,
    variant: Variant,
    runs: u32,
) -> anyhow::Result<()> {
    let [raw, zipped] = bench_data::files(size, variant);
    let raw_megabytes = raw.metadata()?.len() as f64 / 1e6;
    // Every program reads from memory, not from the disk.
    measure::read_through(&raw)?;
    measure::read_through(&zipped)?;
    let mut costs: Vec<(PathBuf, &str, anyhow::Result<Cost>)> = commands(programs, &raw, &zipped)
        .into_iter()
        .map(|(file, name, mut command)| (file, name, measure::cheapest(&mut command, runs)))
        .collect();
    if let Some(page) = &programs.speedscope {
        costs.push((zipped.clone(), "speedscope", page.measure(&zipped)));
    }
    let cpu_of = |wanted: &str| {
        let cost = costs.iter().find(|(_, name, _)| *name == wanted);
        cost.and_then(|(_, _, cost)| cost.as_ref().ok()).map(|cost| cost.cpu_s)
    };
    let (gzip, pprof) = (cpu_of(GZIP), cpu_of(PPROF));
    for (file, name, cost) in &costs {
        let file = file.file_name().unwrap_or_default().display();
        match cost {
            Ok(Cost { cpu_s, wall_s, peak_megabytes }) => println!(
                "| {file} | {name} | {cpu_s:.2} | {wall_s:.2} | {peak_megabytes:.0} | {} | {} | {:.2} |",
                ratio(Some(*cpu_s), gzip),
                ratio(pprof, Some(*cpu_s)),
                peak_megabytes / raw_megabytes,
            ),
            Err(error) => println!("| {file} | {name} | {error} | | | | | |"),
        }
    }
    Ok(())
}

const GZIP: &str = "`gzip -dc`";
const PPROF: &str = "`pprof -top`";

/// Which command opens which file; what is only for comparison comes last.
fn commands(
    programs: &Programs,
    raw: &Path,
    zipped: &Path,
) -> Vec<(PathBuf, &'static str, Command)> {
    let command = |program: &Path, arguments: &[&str], file: &Path| {
        let mut command = Command::new(program);
        command.args(arguments).arg(file);
        command
    };
    let show = ["show", "--view", "top-down", "--limit", "40"];
    let hotframe = &programs.hotframe;
    let mut commands = vec![
        (zipped, "`hotframe show`", command(hotframe, &show, zipped)),
        (zipped, "`hotframe info`", command(hotframe, &["info"], zipped)),
        (raw, "`hotframe show`", command(hotframe, &show, raw)),
        (zipped, GZIP, command(Path::new("gzip"), &["-dc"], zipped)),
    ];
    if let Some(pprof) = &programs.pprof {
        commands.push((zipped, PPROF, command(pprof, &["-top", "-symbolize=none"], zipped)));
    }
    commands.into_iter().map(|(file, name, command)| (file.to_owned(), name, command)).collect()
}

pub(super) fn ratio(of: Option<f64>, to: Option<f64>) -> String {
    match (of, to) {
        (Some(of), Some(to)) if to > 0.0 => format!("{:.1}", of / to),
        _ => String::new(),
    }
}
