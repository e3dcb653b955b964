//! Recorders: what measures a command, runs it, and says whether the measurement can be trusted.
//!
//! ```text
//! Asked (options, or a plan in TOML) -- Recorder::prepare --> Plan: runs, events, forecast
//!                                                              |
//!                      Recorder::run, run by run, into files --+--> Manifest (JSON beside them)
//!                      Recorder::verify: facts --> findings with advice
//! ```
//!
//! A recorder is one file (or folder) and its line in [`RECORDERS`].

#![cfg(target_os = "linux")]

mod clock;
mod command;
mod error;
mod exchange;
mod files;
mod finding;
mod held;
mod host_load;
mod interpreter;
mod left;
mod machine;
mod manifest;
mod options;
mod output;
mod overhead;
mod perf;
mod plan;
mod process;
mod process_clock;
mod python;
mod python_trace;
mod recorder;
mod recorders;
mod series;
mod stop;
mod threads;
mod turns;

pub use error::Error;
pub use exchange::Exchange;
pub use files::{free_name, kept_in};
pub use finding::{Finding, Severity};
pub use host_load::HostLoad;
pub use left::is_below;
pub use machine::Machine;
pub use manifest::{
    Count, Course, Event, Events, Experiment, Holds, Manifest, NotSupported, Run, RunKind,
    Sampling, Status, Tool, Warmup,
};
pub use options::{
    CallGraph, Counting, Overhead, Pausing, PerfOptions, PythonOptions, RecordOptions, ThreadNames,
    TraceOptions,
};
pub use output::{Following, Output, Said};
pub use overhead::{Cost, Spread, costs};
pub use perf::{DEFAULT_EVENTS, EventProbe, probe_events};
pub use plan::{Forecast, Plan, PlannedRun};
pub use process::{Progress, Watch};
pub use python_trace::has_tracer;
pub use recorder::{Origin, Recorder, Unavailable};
pub use recorders::{RECORDERS, recorder};
pub use series::{Before, Place, Series, run_by_turns};
pub use threads::Rules;
pub use turns::turns;
