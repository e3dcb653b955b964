//! The command line.

mod command;
mod cost_limit;
mod default_command;
mod diff;
mod events;
#[cfg(target_os = "linux")]
mod experiment;
mod gate;
mod limits;
mod output;
mod print;
mod program;
#[cfg(target_os = "linux")]
mod record;
#[cfg(target_os = "linux")]
mod record_python;
#[cfg(test)]
mod reference;
mod sdfg;
mod serve;
mod short_help;
mod threshold;
mod tool;
mod view;
mod write;

pub(crate) use command::{Arguments, Color, Command, FIRST_WORDS};
pub(crate) use cost_limit::{CostLimit, Quantity};
pub(crate) use default_command::with_default_command;
pub(crate) use diff::{ChangeSort, Diff, DiffView, Growth, GrowthOf};
pub(crate) use events::{
    EventLimit, EventView, Events, EventsCommand, EventsCompare, EventsMigrations, EventsSummary,
    EventsTimeline,
};
#[cfg(target_os = "linux")]
pub(crate) use experiment::{
    Experiment, ExperimentCommand, ExperimentCompare, ExperimentHistory, ExperimentInit,
    ExperimentPlan, ExperimentRun, ExperimentStatus, ExperimentSummary, Queue, RunsOptions, Store,
    Worker,
};
pub(crate) use limits::Limits;
pub(crate) use output::{InfoFormat, ReportFormat, ReportView};
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
pub(crate) use threshold::Amount;
pub(crate) use tool::{Completions, Formats, FormatsFormat, Machine, Man, Shell};
pub(crate) use view::ViewArguments;
pub(crate) use write::{Convert, Writing};
