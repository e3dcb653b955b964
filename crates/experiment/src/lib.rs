//! Experiments: one command in many conditions, each run several times, as one profile whose members
//! are the runs.
//!
//! ```text
//! plan.toml -- PlanFile --> Experiment: command, recorder, matrix
//!                 |  cells: every combination that is not excluded
//!                 v
//!            Runner: sources and locked dependencies by hash, one job a run --> JobStore
//!                 |                                                               |
//!                 +<-- what ended, as it ends ------ Worker: environment, isolation, recorder
//!                 v
//!            ResultFile: a `.hotframe` that grows run by run
//! ```
//!
//! Jobs are known by what they are, so that nothing runs twice unless it is asked for, whoever asks.

#![cfg(target_os = "linux")]

mod body;
mod cells;
mod environment;
mod error;
mod folders;
mod interpreter;
mod matrix;
mod plan;
mod result;
mod revision;
mod runner;
mod source;
mod worker;

pub use body::{Body, JobFacts, RunFacts};
pub use cells::{Cell, cells};
pub use environment::{EnvironmentSpec, Installer};
pub use error::Error;
pub use folders::Folders;
pub use interpreter::{Interpreter, find_interpreters};
pub use matrix::{Factor, FactorKind, Levels, Matrix};
pub use plan::{Experiment, Manner, PlanFile, SourceOptions, TEMPLATE};
pub use result::{Facts, ResultFile, add_facts};
pub use revision::Revision;
pub use runner::{
    LocalWorkers, Planned, Progress, ReportedFact, Runner, batch_of, body_of, failure_facts,
    host_facts,
};
pub use worker::{Host, ReadRecording, Task, Worker, WorkerOptions};
