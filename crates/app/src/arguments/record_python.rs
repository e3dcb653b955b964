//! Recording Python.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use session::time_range;

#[derive(Debug, Args)]
#[command(group = clap::ArgGroup::new("target").required(true).args(["pid", "command"]))]
#[command(group = clap::ArgGroup::new("inside").args(["trace", "counts", "memory", "check"]))]
#[command(group = clap::ArgGroup::new("calls").args(["trace", "check"]).multiple(true))]
#[command(group = clap::ArgGroup::new("exactly").args(["trace", "memory", "check"]).multiple(true))]
pub(crate) struct RecordPython {
    /// Record a running process
    ///
    /// Its children are sampled, too. --trace needs CPython 3.14 or later and traces the process alone.
    #[arg(short, long, value_name = "PID")]
    pub(crate) pid: Option<u32>,
    /// Recording to write [default: PROGRAM.hotframe, or the next free name]
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Samples per second of each thread [default: 199]
    #[arg(short = 'F', long, value_name = "HZ")]
    pub(crate) frequency: Option<u32>,
    /// Stop after this time, such as 10s
    ///
    /// A started command is ended by SIGTERM. --trace takes it with --pid only.
    #[arg(short, long, value_name = "TIME", value_parser = parse_duration)]
    pub(crate) duration: Option<Duration>,
    /// Stop the program while reading its stacks
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = Pauses::Auto)]
    pub(crate) pause: Pauses,
    /// Leave out child processes
    #[arg(long)]
    pub(crate) no_children: bool,
    /// Trace every call, from inside the interpreter
    #[arg(long, conflicts_with_all = ["frequency", "pause", "no_children"])]
    pub(crate) trace: bool,
    /// Count every call: calls and times by caller and callee, for pstats (PROGRAM.prof)
    #[arg(long, conflicts_with_all = ["pid", "frequency", "duration", "pause", "no_children"])]
    pub(crate) counts: bool,
    /// Record memory: allocated, at the peak, leaked, by stack and over time (PROGRAM.memory)
    #[arg(
        long,
        conflicts_with_all = ["pid", "frequency", "duration", "pause", "no_children", "no_c_functions"]
    )]
    pub(crate) memory: bool,
    /// Bytes per sample of allocations, on average
    #[arg(
        long,
        value_name = "BYTES",
        requires = "memory",
        conflicts_with_all = ["exact", "trace", "counts", "check"],
        default_value_t = 8_192,
        value_parser = clap::value_parser!(u64).range(1..)
    )]
    pub(crate) sample: u64,
    /// Compare the recorders: run the command bare, sampled and traced, three times each
    ///
    /// Prints the overhead, and functions that the recorders disagree about. Recordings go into a folder
    /// (PROGRAM.check).
    #[arg(long, conflicts_with_all = ["pid", "duration", "no_open"])]
    pub(crate) check: bool,
    /// Trace every call of every function (--limit 0); record every allocation
    #[arg(long, requires = "exactly")]
    pub(crate) exact: bool,
    /// Stop tracing a function after this many calls; 0 traces all
    #[arg(
        long,
        value_name = "CALLS",
        requires = "calls",
        conflicts_with = "exact",
        default_value_t = 10_000
    )]
    pub(crate) limit: u64,
    /// Leave out functions in C
    #[arg(long, requires = "inside")]
    pub(crate) no_c_functions: bool,
    /// Record arguments and results of a function, as marks: NAME or NAME:VARIABLE,VARIABLE
    ///
    /// NAME is a qualified name or its end. Variables are recorded when the function ends.
    #[arg(
        long,
        value_name = "NAME",
        requires = "trace",
        conflicts_with_all = ["counts", "memory", "check"]
    )]
    pub(crate) log: Vec<String>,
    /// Do not open the recording (only terminals open it)
    #[arg(long)]
    pub(crate) no_open: bool,
    /// Program to run, with its arguments
    #[arg(trailing_var_arg = true, value_name = "PROGRAM")]
    pub(crate) command: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Pauses {
    /// Only if stacks cannot be read while the program stands still by itself
    Auto,
    /// All threads, for each sample
    Always,
    /// Never
    Never,
}

pub(super) fn parse_duration(text: &str) -> Result<Duration, String> {
    let range = time_range(&format!("0ns..{text}")).map_err(|error| error.to_string())?;
    let length = range.iter().next().and_then(|[_, end]| u64::try_from(end).ok());
    match length {
        Some(length) if length >= 1_000_000 => Ok(Duration::from_nanos(length)),
        _ => Err("a duration is a millisecond or longer".to_owned()),
    }
}
