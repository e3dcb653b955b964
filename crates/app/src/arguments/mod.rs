//! The command line.

mod default_command;
mod diff;
#[cfg(target_os = "linux")]
mod experiment;
mod gate;
mod limits;
mod output;
mod perf;
mod print;
mod program;
#[cfg(target_os = "linux")]
mod record;
#[cfg(target_os = "linux")]
mod record_python;
mod sdfg;
mod serve;
mod threshold;
mod tool;
mod view;
mod write;

use clap::{Parser, Subcommand, ValueEnum};

use diff::COMPARED_METRIC;

pub(crate) use default_command::with_default_command;
pub(crate) use diff::{ChangeSort, Diff, DiffView, Growth};
#[cfg(target_os = "linux")]
pub(crate) use experiment::{
    Asked, Experiment, ExperimentCommand, ExperimentCompare, ExperimentHistory, ExperimentInit,
    ExperimentPlan, ExperimentRun, ExperimentStatus, ExperimentSummary, Queue, Store, Worker,
};
pub(crate) use gate::Amount;
pub(crate) use limits::Limits;
pub(crate) use output::{InfoFormat, ReportFormat, ReportView};
pub(crate) use perf::{
    EventLimit, EventView, Perf, PerfCommand, PerfCompare, PerfMigrations, PerfSummary,
    PerfTimeline,
};
pub(crate) use print::{Advice, Anonymized, Colour, Export, Info, PageArguments, Show, Sort};
pub(crate) use program::{EngineOfPrograms, Run};
#[cfg(target_os = "linux")]
pub(crate) use record::{
    CallGraphs, MergeRecordings, QuickRecording, Record, RecordCommand, RecordPerf, RunningProcess,
    ShowRecording,
};
#[cfg(target_os = "linux")]
pub(crate) use record_python::{Pauses, RecordPython};
pub(crate) use sdfg::{
    DrawnColours, DrawnQuantity, DrawnScale, Exported, Included, Operations, Replaced, Sdfg,
    SdfgCommand, SdfgCompare, SdfgCost, SdfgDraw, SdfgFile, SdfgOutput, SdfgSimulate, SdfgSizes,
    SdfgTrace,
};
pub(crate) use serve::{Lsp, Mcp, Open};
pub(crate) use threshold::{Quantity, Threshold};
pub(crate) use tool::{Completions, Formats, FormatsFormat, Machine, Man, Shell};
pub(crate) use view::ViewArguments;
pub(crate) use write::{Convert, Merge, Writing};

/// Performance data in the terminal and in the browser.
#[derive(Debug, Parser)]
#[command(name = "hotframe", version, max_term_width = 100)]
pub(crate) struct Arguments {
    /// Colours and bold text
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value_t = Color::Auto)]
    pub(crate) color: Color,
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    Always,
    Never,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Serve profiles to the browser on this machine and open it (`hotframe FILE...` is short for it)
    Open(Open),
    /// Tell what a profile holds
    Info(Info),
    /// Print a profile as a list or a tree
    Show(Box<Show>),
    /// Compare two profiles
    #[command(mut_arg("metric", |metric| metric.help(COMPARED_METRIC)))]
    #[command(mut_arg("define", |define| define.hide(true)))]
    Diff(Box<Diff>),
    /// Tell what is worth looking at: what rules of this program, a team's and a user's say of functions
    Advice(Box<Advice>),
    /// Write profiles in another format
    Convert(Convert),
    /// Make one profile of many, which stay its members
    Merge(Merge),
    /// Save a view as a page to share (.html), a comment (.md), a picture (.svg) or a table (.csv)
    Export(Box<Export>),
    /// Tell an editor what its code costs, over the Language Server Protocol on standard input and
    /// output
    Lsp(Lsp),
    /// Answer questions of agents about profiles, over the Model Context Protocol on standard input and
    /// output
    Mcp(Mcp),
    /// Run a Python script over a profile: the script has it as `profile`, and shows what it made of it
    Run(Run),
    /// Answer frames of the protocol on standard input and output, for programs that start an engine
    #[command(hide = true)]
    Engine(EngineOfPrograms),
    /// List the formats that are read and written
    Formats(Formats),
    /// Tell what DaCe's dataflow graphs (.sdfg, .sdfgz) hold and cost, without running them
    Sdfg(Sdfg),
    /// Run a command, measure it, and open what was measured (`hotframe record PROGRAM`)
    #[cfg(target_os = "linux")]
    Record(Box<Record>),
    /// Run a command in many conditions (interpreters, packages, parameters, commits, machines), each
    /// several times, and compare them
    #[cfg(target_os = "linux")]
    Experiment(Box<Experiment>),
    /// Run what waits in a queue of experiments
    #[cfg(target_os = "linux")]
    Worker(Box<Worker>),
    /// Count events of recordings by run, and compare sets of runs
    Perf(Perf),
    /// Measure memory bandwidth and peak operations of this machine, for a roofline: takes a few
    /// seconds and up to a gigabyte of memory, more with many processors
    Machine(Machine),
    /// Print the licences of what others wrote in this program
    Licenses,
    /// Print completions for a shell, to be kept where it looks for them
    Completions(Completions),
    /// Print the manual page of hotframe or of one of its commands, for `man -l -`
    Man(Man),
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn the_arguments_are_consistent() {
        Arguments::command().debug_assert();
    }
}
