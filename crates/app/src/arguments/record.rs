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
    /// Record a Python program: samples, every call, or memory
    Python(RecordPython),
    /// Print a manifest: runs, events, overhead, findings
    Show(ShowRecording),
    /// Combine manifests
    Merge(MergeRecordings),
}

/// One run, to be looked at.
#[derive(Debug, Args)]
pub(crate) struct QuickRecording {
    /// Recording to write [default: COMMAND.perf.data, or the next free name]
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Samples per second
    #[arg(short = 'F', long, value_name = "HZ", default_value_t = 997)]
    pub(crate) frequency: u32,
    /// How to get call stacks
    #[arg(long, value_enum, value_name = "HOW", default_value_t = CallGraphs::Auto)]
    pub(crate) call_graph: CallGraphs,
    /// Leave out the kernel
    #[arg(long)]
    pub(crate) user_only: bool,
    #[command(flatten)]
    pub(crate) process: RunningProcess,
    /// Do not open the recording (only terminals open it)
    #[arg(long)]
    pub(crate) no_open: bool,
    /// Program to run, with its arguments
    #[arg(trailing_var_arg = true, value_name = "PROGRAM")]
    pub(crate) command: Vec<String>,
}

/// A process in place of a program.
#[derive(Debug, Args)]
pub(crate) struct RunningProcess {
    /// Record a running process, until it ends or you press Ctrl+C
    #[arg(short, long, value_name = "PID", conflicts_with = "command")]
    pub(crate) pid: Option<u32>,
    /// With --pid: stop after this time, such as 10s
    #[arg(short, long, value_name = "TIME", value_parser = parse_duration, requires = "pid")]
    pub(crate) duration: Option<Duration>,
}

#[derive(Debug, Args)]
pub(crate) struct Plans {
    /// Record the experiments of a plan (TOML)
    #[arg(long, value_name = "PLAN.toml", conflicts_with_all = ["output", "command"])]
    pub(crate) plan: Option<PathBuf>,
    /// With --plan: continue
    #[arg(long, requires = "plan")]
    pub(crate) resume: bool,
    /// With --plan: start again, and replace old recordings
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
    /// Print what would run, and run nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// List the events of this machine, and run nothing
    #[arg(long)]
    pub(crate) list: bool,
    /// Output format of --list and --dry-run
    #[arg(long, value_enum, default_value_t = ReportFormat::Text)]
    pub(crate) format: ReportFormat,
    /// Pass options to perf: --perf '--switch-events --mmap-pages 512'
    #[arg(long, allow_hyphen_values = true, value_name = "OPTIONS")]
    pub(crate) perf: Vec<String>,
    /// Program to run, with its arguments
    #[arg(trailing_var_arg = true, value_name = "PROGRAM")]
    pub(crate) command: Vec<String>,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Runs")]
pub(crate) struct SeriesOptions {
    /// Name of the recording and its files [default: that of the program]
    #[arg(long)]
    pub(crate) name: Option<String>,
    /// Runs for each set of events
    #[arg(long, default_value_t = 1)]
    pub(crate) runs: u32,
    /// Folder for recordings and their manifest, NAME.json
    #[arg(short, long, value_name = "DIR", default_value = ".")]
    pub(crate) output: PathBuf,
    /// Mark the first milliseconds as warm-up
    #[arg(long, value_name = "MS", default_value_t = 0)]
    pub(crate) warm_up: u64,
    /// Add an existing recording as a run
    #[arg(long, value_name = "FILE")]
    pub(crate) add: Vec<PathBuf>,
    /// Continue: complete runs are kept
    #[arg(long)]
    pub(crate) resume: bool,
    /// Start again, and replace old recordings
    #[arg(long, conflicts_with = "resume")]
    pub(crate) replace: bool,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Events")]
pub(crate) struct EventOptions {
    /// Events as perf writes them, or a file with one per line
    ///
    /// Groups are in braces, periods are 'page-faults/period=8/'. The default is 16 events of cores, caches,
    /// memory and branches.
    #[arg(short, long, value_name = "FILE|LIST")]
    pub(crate) events: Vec<String>,
    /// Samples per second, for each event and processor
    ///
    /// Events that come in bursts, such as page faults, have a period instead.
    #[arg(short = 'F', long, value_name = "HZ", default_value_t = 997)]
    pub(crate) frequency: u32,
    /// Take a sample every N events, for all events
    #[arg(long, value_name = "N")]
    pub(crate) period: Option<u64>,
    /// How to get call stacks
    #[arg(long, value_enum, value_name = "HOW", default_value_t = CallGraphs::Auto)]
    pub(crate) call_graph: CallGraphs,
    /// Counters of the processor [default: measured]
    ///
    /// Events beyond them are measured in runs of their own.
    #[arg(long, value_name = "N")]
    pub(crate) counters: Option<u32>,
    /// Measure all events in each run, even if they share counters
    #[arg(long)]
    pub(crate) multiplex: bool,
    /// Leave out the kernel
    #[arg(long)]
    pub(crate) user_only: bool,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Counting")]
pub(crate) struct CountingOptions {
    /// Count, without samples: totals by interval
    #[arg(long, conflicts_with_all = ["period", "overhead_frequencies"])]
    pub(crate) count: bool,
    /// Length of an interval
    #[arg(long, value_name = "MS", default_value_t = 100, requires = "count")]
    pub(crate) count_interval: u64,
    /// Count each processor, with everything that runs on it
    #[arg(long, requires = "count")]
    pub(crate) by_cpu: bool,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Threads")]
pub(crate) struct ThreadOptions {
    /// Read names of threads from the command's output: lines 'TID: name,tid'
    ///
    /// The output then is a pipe.
    #[arg(long, value_enum, value_name = "FROM")]
    pub(crate) thread_names: Option<ThreadLog>,
    /// Rename threads
    #[arg(long, value_name = "REGEX=NAME")]
    pub(crate) thread_name: Vec<String>,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Overhead")]
pub(crate) struct OverheadRuns {
    /// Also run the command K times without measuring, for the overhead
    #[arg(long, value_name = "K", default_value_t = 0)]
    pub(crate) overhead: u32,
    /// Also measure it K times at these frequencies
    #[arg(long, value_name = "HZ,...", value_delimiter = ',', requires = "overhead")]
    pub(crate) overhead_frequencies: Vec<u32>,
}

#[derive(Debug, Args)]
pub(crate) struct ShowRecording {
    /// Manifest (.json) of recordings
    pub(crate) manifest: PathBuf,
    /// Output format
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
    /// dwarf; fp for Go, for programs that generate code (Node, Java), and where copies would be too large
    Auto,
    /// No stacks
    None,
    /// Frame pointers: small; wrong for code without them
    Fp,
    /// Copies of the stack: right with debug information; large
    Dwarf,
    /// Last branches of Intel processors: some frames
    Lbr,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ThreadLog {
    /// Lines of the command
    Log,
}
