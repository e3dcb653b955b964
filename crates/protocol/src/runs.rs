//! Methods on experiments that are begun from the page.

use serde::{Deserialize, Serialize};

/// What is known of running here, before anything is tried.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RunInterpretersResult {
    /// By version.
    pub interpreters: Vec<RunInterpreter>,
    /// Why no program can be isolated here, so that nothing runs; empty where it can.
    pub obstacle: String,
    /// What holds programs, one line each; empty where nothing can.
    pub in_force: String,
    /// The most that a plan may ask for.
    pub most: RunLimits,
}

/// The most that a plan may ask for.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RunLimits {
    /// Runs of all cells together.
    pub runs: u32,
    /// Seconds that a run may take.
    pub timeout_s: f64,
    /// Bytes of a file that is sent.
    pub upload_bytes: f64,
}

/// An interpreter of this machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RunInterpreter {
    /// How a plan names it: by its version, or where several have that, by its path.
    pub level: String,
    /// `CPython 3.12.1`.
    pub title: String,
    /// The compiler, and what else is known of how it was built: `pgo`, `lto`, `free-threaded`.
    pub build: Vec<String>,
    /// The program.
    pub path: String,
}

/// Result of [`crate::RunsRequest::RunUpload`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RunUploadResult {
    /// Bytes received so far.
    pub received: f64,
    /// What is kept of it, once the last piece is in.
    pub upload: Option<RunUpload>,
}

/// A program that was sent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RunUpload {
    /// The first digits of the hash of its bytes and its name: the same file has the same.
    pub id: String,
    /// The name of the file that was sent.
    pub name: String,
    /// Bytes of all its files.
    pub bytes: f64,
    /// How many files it has.
    pub files: u32,
    /// When it was sent first, in seconds since 1970.
    pub added_s: f64,
    /// Python files that may be what is run, the likeliest first.
    pub scripts: Vec<String>,
    /// What is to be known of it, each a sentence.
    pub notes: Vec<String>,
    /// What was run of it, the newest first.
    pub runs: Vec<RunSummary>,
}

/// An experiment that was begun from the page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RunSummary {
    /// What methods call it.
    pub run: String,
    /// The plan's name.
    pub name: String,
    /// What tells it from others of the same program: its arguments and conditions, in short.
    pub what: String,
    /// Who measures.
    pub recorder: String,
    /// How far it is.
    pub phase: RunPhase,
    /// Its runs by where they are.
    pub counts: RunCounts,
    /// Whether there is a result.
    pub has_result: bool,
    /// When it was begun last, in seconds since 1970.
    pub begun_s: f64,
}

/// How far an experiment is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum RunPhase {
    /// Another one is run before.
    Waiting,
    /// Its files and packages are looked for.
    Preparing,
    /// It is run.
    Running,
    /// All of its runs have ended.
    Ended,
    /// Somebody stopped it, or the server ended: it can be gone on with.
    Stopped,
    /// It could not be begun, or not be gone on with.
    Failed,
}

/// Runs by where they are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RunCounts {
    /// For a worker, or until they are tried again.
    pub waiting: u32,
    /// By a worker.
    pub running: u32,
    /// Ended well.
    pub done: u32,
    /// Ended badly, or by somebody's wish.
    pub failed: u32,
}

/// A condition with what it is in turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RunFactor {
    /// What it is called: a package, a parameter, a variable.
    pub name: String,
    /// Its levels.
    pub levels: Vec<String>,
}

/// Who measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum RunRecorder {
    /// Every call, in order.
    Calls,
    /// Stacks, sampled from outside.
    Samples,
    /// cProfile, whose file is read.
    Cprofile,
    /// Only how long it takes.
    Time,
}

/// A plan as a form has it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RunForm {
    /// What results are called.
    pub name: String,
    /// The command as it would be typed, with parameters in braces.
    pub command: String,
    /// Who measures.
    pub recorder: RunRecorder,
    /// As plans name them.
    pub interpreters: Vec<String>,
    /// Versions by package.
    pub requirements: Vec<RunFactor>,
    /// Values by the name that stands in the command.
    pub parameters: Vec<RunFactor>,
    /// Values by variable of the environment.
    pub variables: Vec<RunFactor>,
    /// How often each cell runs.
    pub runs: u32,
    /// Seconds that a run may take.
    pub timeout_s: f64,
}

/// Parameters of [`crate::RunsRequest::RunPlan`]: of a form or of a text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RunPlanParams {
    /// The upload that is run.
    pub upload: String,
    /// What the plan is made of; none where it is written.
    pub form: Option<RunForm>,
    /// The plan as it is written; counts where there is no form.
    pub text: String,
}

/// Result of [`crate::RunsRequest::RunPlan`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RunPlanResult {
    /// The plan.
    pub text: String,
    /// What is wrong with it and where; empty where nothing is.
    pub problem: String,
    /// The first of its cells, for people.
    pub cells: Vec<String>,
    /// How many cells there are.
    pub cell_count: u32,
    /// How many runs they have together.
    pub run_count: u32,
}

/// Parameters of [`crate::RunsRequest::RunStart`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RunStartParams {
    /// The upload that is run.
    pub upload: String,
    /// The plan.
    pub text: String,
    /// Runs that have ended are made once more.
    pub again: bool,
}

/// An experiment by what methods call it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RunParams {
    /// What it is called.
    pub run: String,
}

/// Result of [`crate::RunsRequest::RunStatus`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RunStatusResult {
    /// All of it.
    pub summary: RunSummary,
    /// The upload that is run.
    pub upload: String,
    /// The name of the file that was sent.
    pub file: String,
    /// The plan.
    pub text: String,
    /// What is done now, or why it failed; may be empty.
    pub line: String,
    /// In the order of the plan.
    pub cells: Vec<RunCell>,
    /// Changes whenever the result does; 0 where there is none.
    pub result_version: f64,
}

/// One combination of conditions with its runs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RunCell {
    /// For people: `interpreter=3.12 n=5`.
    pub title: String,
    /// Its runs by where they are.
    pub counts: RunCounts,
    /// Seconds of each run that ended well, from its start to its end.
    pub seconds: Vec<f64>,
    /// What is done now; may be empty.
    pub line: String,
    /// Why the first run that failed did; may be empty.
    pub problem: String,
    /// The job whose log says most: one that runs, else one that failed, else the last that ended.
    pub job: Option<String>,
}

/// Parameters of [`crate::RunsRequest::RunLog`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RunLogParams {
    /// The job.
    pub job: String,
    /// Bytes from the beginning of the log.
    pub from: f64,
}

/// Result of [`crate::RunsRequest::RunLog`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RunLogResult {
    /// What was written since.
    pub text: String,
    /// Where to go on, in bytes.
    pub next: f64,
    /// How many bytes at the beginning are not kept.
    pub dropped: f64,
}

/// Parameters of [`crate::RunsRequest::RunList`].
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RunListParams {
    /// Words, each of which a name of a file or plan, an id, or what a plan asks for has in it; empty
    /// for all.
    pub search: String,
    /// How far an experiment of it is.
    pub phase: Option<RunPhase>,
    /// When one was begun, or the program was sent, in seconds since 1970: from here on.
    pub from_s: Option<f64>,
    /// The same, before this.
    pub to_s: Option<f64>,
}

/// Result of [`crate::RunsRequest::RunList`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RunListResult {
    /// The newest first.
    pub uploads: Vec<RunUpload>,
    /// How many more there are.
    pub left_out: u32,
}

/// Result of [`crate::RunsRequest::Queue`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct QueueResult {
    /// Those that were heard of within the last minutes.
    pub workers: Vec<QueueWorker>,
    /// Those that have something to tell, what is run first.
    pub experiments: Vec<QueueExperiment>,
}

/// Who runs jobs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct QueueWorker {
    /// Its name.
    pub name: String,
    /// Seconds since it was heard of.
    pub silent_s: f64,
    /// What it runs; empty for nothing.
    pub runs: String,
    /// Seconds since it began with that; 0 where it runs nothing.
    pub since_s: f64,
}

/// An experiment in the queue, whoever began it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct QueueExperiment {
    /// What the queue calls it.
    pub name: String,
    /// What methods call it, where it was begun from the page.
    pub run: Option<String>,
    /// Its runs by where they are.
    pub counts: RunCounts,
    /// Runs that go on.
    pub running: Vec<QueueJob>,
    /// Runs that failed, the last first; at most a few.
    pub failed: Vec<QueueJob>,
}

/// A job of the queue.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct QueueJob {
    /// What it is.
    pub job: String,
    /// For people.
    pub title: String,
    /// Seconds since it began to run, or ended.
    pub since_s: f64,
    /// What its worker says, or why it failed.
    pub what: String,
}
