//! Recording a command.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand, ValueEnum};

use super::output::ReportFormat;
use super::record_python::{RecordPython, parse_duration};

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Record {
    #[command(subcommand)]
    pub(crate) command: Option<RecordCommand>,
    #[command(flatten)]
    pub(crate) quick: QuickRecording,
    #[command(flatten)]
    pub(crate) plans: Plans,
}

#[derive(Debug, Subcommand)]
pub(crate) enum RecordCommand {
    /// Record with Linux perf: several runs, chosen events, counts, overhead
    Perf(Box<RecordPerf>),
    /// Record a Python program: samples from outside, every call, or memory; one that is started, or that runs
    Python(RecordPython),
    /// Tell what a manifest says: runs, events, what measuring cost, what was found
    Show(ShowRecording),
    /// Make one manifest of several
    Merge(MergeRecordings),
}

/// One run, to be looked at.
#[derive(Debug, Args)]
pub(crate) struct QuickRecording {
    /// Recording to write [default: COMMAND.perf.data, or the next free name]
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Samples a second
    #[arg(short = 'F', long, value_name = "HZ", default_value_t = 997)]
    pub(crate) frequency: u32,
    /// How call stacks are found
    #[arg(long, value_enum, value_name = "HOW", default_value_t = CallGraphs::Auto)]
    pub(crate) call_graph: CallGraphs,
    /// Leave the kernel out
    #[arg(long)]
    pub(crate) user_only: bool,
    #[command(flatten)]
    pub(crate) process: RunningProcess,
    /// Do not open the recording; it is opened on a terminal only
    #[arg(long)]
    pub(crate) no_open: bool,
    /// Program to run, with its arguments
    #[arg(trailing_var_arg = true, value_name = "PROGRAM")]
    pub(crate) command: Vec<String>,
}

/// A process in place of a program.
#[derive(Debug, Args)]
pub(crate) struct RunningProcess {
    /// Record a process that runs already, until it ends or Ctrl+C is pressed
    #[arg(short, long, value_name = "PID", conflicts_with = "command")]
    pub(crate) pid: Option<u32>,
    /// With --pid: end after so long, such as 10s; the process goes on
    #[arg(short, long, value_name = "TIME", value_parser = parse_duration, requires = "pid")]
    pub(crate) duration: Option<Duration>,
}

#[derive(Debug, Args)]
pub(crate) struct Plans {
    /// Record the experiments of a plan (TOML)
    #[arg(long, value_name = "PLAN.toml", conflicts_with_all = ["output", "command"])]
    pub(crate) plan: Option<PathBuf>,
    /// With --plan: go on with what was recorded before
    #[arg(long, requires = "plan")]
    pub(crate) resume: bool,
    /// With --plan: replace what was recorded before
    #[arg(long, requires = "plan", conflicts_with = "resume")]
    pub(crate) replace: bool,
}

#[derive(Debug, Args)]
pub(crate) struct RecordPerf {
    #[command(flatten)]
    pub(crate) series: SeriesOptions,
    #[command(flatten)]
    pub(crate) events: EventOptions,
    #[command(flatten)]
    pub(crate) counting: CountingOptions,
    #[command(flatten)]
    pub(crate) threads: ThreadOptions,
    #[command(flatten)]
    pub(crate) overhead: OverheadRuns,
    #[command(flatten)]
    pub(crate) process: RunningProcess,
    /// Tell what would run, and run nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Tell which events open here, and run nothing
    #[arg(long)]
    pub(crate) list: bool,
    /// How --list and --dry-run are written
    #[arg(long, value_enum, default_value_t = ReportFormat::Text)]
    pub(crate) format: ReportFormat,
    /// Options of perf, passed on: --perf '--switch-events --mmap-pages 512'
    #[arg(long, allow_hyphen_values = true, value_name = "OPTIONS")]
    pub(crate) perf: Vec<String>,
    /// Program to run, with its arguments
    #[arg(trailing_var_arg = true, value_name = "PROGRAM")]
    pub(crate) command: Vec<String>,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Runs")]
pub(crate) struct SeriesOptions {
    /// What the recording is called; files are named after it [default: that of the program]
    #[arg(long)]
    pub(crate) name: Option<String>,
    /// How often the command runs for each set of events
    #[arg(long, default_value_t = 1)]
    pub(crate) runs: u32,
    /// Folder for recordings and their manifest, NAME.json
    #[arg(short, long, value_name = "DIR", default_value = ".")]
    pub(crate) output: PathBuf,
    /// The first milliseconds are warm-up: recorded, and marked in the manifest
    #[arg(long, value_name = "MS", default_value_t = 0)]
    pub(crate) warm_up: u64,
    /// Recording that was made before, to join as a run
    #[arg(long, value_name = "FILE")]
    pub(crate) add: Vec<PathBuf>,
    /// Go on with what was recorded before: complete runs are not run again
    #[arg(long)]
    pub(crate) resume: bool,
    /// Replace what was recorded before
    #[arg(long, conflicts_with = "resume")]
    pub(crate) replace: bool,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Events")]
pub(crate) struct EventOptions {
    /// Events, or a file of them (one a line): as perf writes them, groups in braces, periods as
    /// 'page-faults/period=8/' [default: 16 of cores, caches, memory and branches]
    #[arg(short, long, value_name = "FILE|LIST")]
    pub(crate) events: Vec<String>,
    /// Samples a second, for each event and processor; events in bursts, such as page faults, have
    /// a period instead
    #[arg(short = 'F', long, value_name = "HZ", default_value_t = 997)]
    pub(crate) frequency: u32,
    /// A sample after every N events instead, for all events
    #[arg(long, value_name = "N")]
    pub(crate) period: Option<u64>,
    /// How call stacks are found
    #[arg(long, value_enum, value_name = "HOW", default_value_t = CallGraphs::Auto)]
    pub(crate) call_graph: CallGraphs,
    /// Counters of the processor: events beyond them are measured in runs of their own [default:
    /// found out]
    #[arg(long, value_name = "N")]
    pub(crate) counters: Option<u32>,
    /// All events in each run, even where they then share counters and figures are estimates
    #[arg(long)]
    pub(crate) multiplex: bool,
    /// Leave the kernel out
    #[arg(long)]
    pub(crate) user_only: bool,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Counting")]
pub(crate) struct CountingOptions {
    /// Count, and take no samples: totals of the command by interval
    #[arg(long, conflicts_with_all = ["period", "overhead_frequencies"])]
    pub(crate) count: bool,
    /// Length of an interval
    #[arg(long, value_name = "MS", default_value_t = 100, requires = "count")]
    pub(crate) count_interval: u64,
    /// Each processor by itself, with everything that runs there meanwhile
    #[arg(long, requires = "count")]
    pub(crate) by_cpu: bool,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Threads")]
pub(crate) struct ThreadOptions {
    /// The command names its threads on standard output, in lines 'TID: name,tid'. Its output then
    /// goes through a pipe
    #[arg(long, value_enum, value_name = "FROM")]
    pub(crate) thread_names: Option<ThreadLog>,
    /// Threads whose own name matches are called so
    #[arg(long, value_name = "REGEX=NAME")]
    pub(crate) thread_name: Vec<String>,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Overhead")]
pub(crate) struct OverheadRuns {
    /// Run the command K times without measuring it, in between, to know what measuring costs
    #[arg(long, value_name = "K", default_value_t = 0)]
    pub(crate) overhead: u32,
    /// Measure it K times at these frequencies, too
    #[arg(long, value_name = "HZ,...", value_delimiter = ',', requires = "overhead")]
    pub(crate) overhead_frequencies: Vec<u32>,
}

#[derive(Debug, Args)]
pub(crate) struct ShowRecording {
    /// Manifest (.json) of recordings
    pub(crate) manifest: PathBuf,
    /// How to write it
    #[arg(long, value_enum, default_value_t = ReportFormat::Text)]
    pub(crate) format: ReportFormat,
    /// Table to write as CSV: runs, events, counts, costs or findings
    #[arg(long, value_name = "NAME")]
    pub(crate) table: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct MergeRecordings {
    /// Manifests (.json) of recordings
    #[arg(required = true)]
    pub(crate) manifests: Vec<PathBuf>,
    /// Manifest to write; - is standard output
    #[arg(short, long)]
    pub(crate) output: PathBuf,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum CallGraphs {
    /// By copies of the stack; by frame pointers for programs that make code as they run (Node, Java), for Go, and
    /// where copies would be too large
    Auto,
    /// No stacks
    None,
    /// By frame pointers: small; wrong where code is compiled without
    Fp,
    /// By copies of the stack: right with debug information; large
    Dwarf,
    /// By the last branches of an Intel processor: some frames
    Lbr,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ThreadLog {
    /// Lines of the command
    Log,
}
