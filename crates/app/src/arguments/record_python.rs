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
    /// Process that runs already; its children are sampled, too. With --trace it is CPython 3.14 or later, and
    /// it alone is traced
    #[arg(short, long, value_name = "PID")]
    pub(crate) pid: Option<u32>,
    /// Recording to write [default: PROGRAM.hotframe, or the next free name]
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Samples a second of each thread [default: 199]
    #[arg(short = 'F', long, value_name = "HZ")]
    pub(crate) frequency: Option<u32>,
    /// End after so long, such as 10s; a command that was started is ended then (SIGTERM). With --trace
    /// for a process that runs already (--pid)
    #[arg(short, long, value_name = "TIME", value_parser = parse_duration)]
    pub(crate) duration: Option<Duration>,
    /// Stop the program while its stacks are read
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = Pauses::Auto)]
    pub(crate) pause: Pauses,
    /// The process alone, without those that it starts
    #[arg(long)]
    pub(crate) no_children: bool,
    /// Trace every call, from inside of the interpreter, in place of taking samples
    #[arg(long, conflicts_with_all = ["frequency", "pause", "no_children"])]
    pub(crate) trace: bool,
    /// Count every call, from inside of the interpreter: calls and times by caller and callee, as a profile
    /// for pstats (PROGRAM.prof)
    #[arg(long, conflicts_with_all = ["pid", "frequency", "duration", "pause", "no_children"])]
    pub(crate) counts: bool,
    /// Record what is allocated and held, from inside of the interpreter: bytes by stack, at the peak, at the end
    /// and over time (PROGRAM.memory)
    #[arg(
        long,
        conflicts_with_all = ["pid", "frequency", "duration", "pause", "no_children", "no_c_functions"]
    )]
    pub(crate) memory: bool,
    /// Bytes from one sample of an allocation to the next, on average
    #[arg(
        long,
        value_name = "BYTES",
        requires = "memory",
        conflicts_with_all = ["exact", "trace", "counts", "check"],
        default_value_t = 8_192,
        value_parser = clap::value_parser!(u64).range(1..)
    )]
    pub(crate) sample: u64,
    /// Run the command bare, sampled and traced, three times each, and tell what that costs and which
    /// functions the recorders disagree about; recordings go into a folder (PROGRAM.check)
    #[arg(long, conflicts_with_all = ["pid", "duration", "no_open"])]
    pub(crate) check: bool,
    /// Trace a function to its end, however often it is called: --limit 0; of memory, every allocation
    #[arg(long, requires = "exactly")]
    pub(crate) exact: bool,
    /// No longer trace a function after so many calls; 0 for never
    #[arg(
        long,
        value_name = "CALLS",
        requires = "calls",
        conflicts_with = "exact",
        default_value_t = 10_000
    )]
    pub(crate) limit: u64,
    /// Leave functions out that are written in C
    #[arg(long, requires = "inside")]
    pub(crate) no_c_functions: bool,
    /// Tell arguments and results of a function as marks of the trace, and variables when it ends: NAME or
    /// NAME:VARIABLE,VARIABLE; NAME is a qualified name or its end
    #[arg(
        long,
        value_name = "NAME",
        requires = "trace",
        conflicts_with_all = ["counts", "memory", "check"]
    )]
    pub(crate) log: Vec<String>,
    /// Do not open the recording; it is opened on a terminal only
    #[arg(long)]
    pub(crate) no_open: bool,
    /// Program to run, with its arguments
    #[arg(trailing_var_arg = true, value_name = "PROGRAM")]
    pub(crate) command: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Pauses {
    /// Where stacks cannot be read on the program's own processor, where it does not run meanwhile
    Auto,
    /// Each time, all of its threads
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
