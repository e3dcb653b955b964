//! Experiments, and who runs them.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::gate::UnknownChanges;
use super::limits::Limits;
use super::output::ReportFormat;
use super::threshold::{Amount, Threshold};
use super::view::ViewArguments;

#[derive(Debug, Args)]
pub(crate) struct Experiment {
    #[command(subcommand)]
    pub(crate) command: ExperimentCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ExperimentCommand {
    /// Write a plan with comments
    Init(ExperimentInit),
    /// Print the cells of a plan, and how long it will take
    Plan(ExperimentPlan),
    /// Run a plan, into NAME.hotframe
    Run(ExperimentRun),
    /// Print how far a plan is, and what failed
    Status(ExperimentStatus),
    /// Print each cell, the effects of factors, and failures
    Summary(ExperimentSummary),
    /// Compare two groups of cells: which functions make the difference
    Compare(ExperimentCompare),
    /// Print a metric by revision, and where it jumps
    History(ExperimentHistory),
    /// Run jobs of a queue
    Worker(Box<Worker>),
}

/// What is asked of each run.
#[derive(Debug, Args)]
pub(crate) struct RunsOptions {
    /// Result of an experiment
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Measure a function instead of the whole run
    #[arg(long, value_name = "NAME")]
    pub(crate) function: Option<String>,
    /// Use total instead of self values of functions
    #[arg(long)]
    pub(crate) total: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t = ReportFormat::Text)]
    pub(crate) format: ReportFormat,
    /// Table to print as CSV [default: the first]
    #[arg(long, value_name = "NAME")]
    pub(crate) table: Option<String>,
    #[command(flatten)]
    pub(crate) view: ViewArguments,
    #[command(flatten)]
    pub(crate) limits: Limits,
}

#[derive(Debug, Args)]
pub(crate) struct ExperimentSummary {
    #[command(flatten)]
    pub(crate) asked: RunsOptions,
}

#[derive(Debug, Args)]
pub(crate) struct ExperimentCompare {
    #[command(flatten)]
    pub(crate) asked: RunsOptions,
    /// Cells of the base, such as interpreter=3.11
    ///
    /// Several levels are interpreter=3.10|3.11, several factors follow each other. Put a backslash before | in a
    /// level and before = in a factor's name.
    #[arg(
        help_heading = None,
        value_name = "FACTOR=LEVEL",
        conflicts_with = "base",
        required_unless_present = "base",
        num_args = 1..
    )]
    pub(crate) base_cells: Vec<String>,
    /// Cells of the new side, after --
    #[arg(help_heading = None, last = true, value_name = "FACTOR=LEVEL", conflicts_with = "new", num_args = 1..)]
    pub(crate) new_cells: Vec<String>,
    /// The same as BASE
    #[arg(help_heading = None, long, value_name = "FACTOR=LEVEL", requires = "new")]
    pub(crate) base: Vec<String>,
    /// The same as NEW
    #[arg(help_heading = None, long, value_name = "FACTOR=LEVEL", requires = "base")]
    pub(crate) new: Vec<String>,
    /// Print at most this many functions; 0 prints all
    ///
    /// The default is 40 as text and Markdown, and all as JSON and CSV.
    #[arg(help_heading = None, short = 'n', long)]
    pub(crate) limit: Option<usize>,
    /// Exit with code 3 if the metric (or --function) grew by more, such as 'total > 5%'
    ///
    /// A percentage is of the base. With several runs per side, the whole interval must be above the limit.
    #[arg(help_heading = None, long, value_name = "GROWTH", value_parser = parse_total)]
    pub(crate) fail_if: Option<f64>,
    #[command(flatten)]
    pub(crate) unknown: UnknownChanges,
}

#[derive(Debug, Args)]
pub(crate) struct ExperimentHistory {
    #[command(flatten)]
    pub(crate) asked: RunsOptions,
    /// Factor [default: revision, or the only one]
    #[arg(help_heading = None, long, value_name = "NAME")]
    pub(crate) factor: Option<String>,
    /// Repository with the commits [default: the current folder's]
    #[arg(help_heading = None, long, value_name = "FOLDER")]
    pub(crate) repository: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct ExperimentInit {
    /// Plan to write
    #[arg(value_name = "FILE", default_value = "plan.toml")]
    pub(crate) file: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct ExperimentPlan {
    /// Plan (TOML)
    #[arg(value_name = "PLAN")]
    pub(crate) plan: PathBuf,
    /// Only this experiment of the plan
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// Output format
    #[arg(long, value_enum, default_value_t = ReportFormat::Text)]
    pub(crate) format: ReportFormat,
}

#[derive(Debug, Args)]
pub(crate) struct ExperimentRun {
    /// Plan (TOML)
    #[arg(value_name = "PLAN")]
    pub(crate) plan: PathBuf,
    /// Result to write [default: NAME.hotframe in the plan's folder]
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Only this experiment of the plan
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// Run everything again, and keep the old runs
    #[arg(long)]
    pub(crate) again: bool,
    /// Replace the result of another experiment
    #[arg(long)]
    pub(crate) replace: bool,
    /// Seconds without a sign of a worker before its job goes to the next one
    #[arg(long, value_name = "SECONDS", default_value_t = 30.0)]
    pub(crate) lease: f64,
    #[command(flatten)]
    pub(crate) queue: Queue,
    #[command(flatten)]
    pub(crate) folders: Store,
}

#[derive(Debug, Args)]
pub(crate) struct ExperimentStatus {
    /// Plan (TOML)
    #[arg(value_name = "PLAN")]
    pub(crate) plan: PathBuf,
    /// Only this experiment of the plan
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,
    #[command(flatten)]
    pub(crate) queue: Queue,
    #[command(flatten)]
    pub(crate) folders: Store,
    /// Output format
    #[arg(long, value_enum, default_value_t = ReportFormat::Text)]
    pub(crate) format: ReportFormat,
}

/// Where things are kept between experiments.
#[derive(Debug, Clone, Args)]
pub(crate) struct Store {
    /// Folder for environments, sources and runs [default: $HOTFRAME_STORE, else the user's]
    #[arg(long, value_name = "DIR")]
    pub(crate) store: Option<PathBuf>,
}

/// Where jobs wait.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Queue")]
pub(crate) struct Queue {
    /// Queue for several machines: nats://HOST:PORT or tls://HOST:PORT
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) queue: Option<String>,
    /// Name of the queue, if the server has several
    #[arg(long, value_name = "NAME", default_value = "hotframe")]
    pub(crate) queue_name: String,
    /// File with the seed of an NKey
    #[arg(long, value_name = "FILE", conflicts_with_all = ["user", "token_file"])]
    pub(crate) nkey_file: Option<PathBuf>,
    /// User of the server
    #[arg(long, requires = "password_file", conflicts_with = "token_file")]
    pub(crate) user: Option<String>,
    /// File with the user's password
    #[arg(long, value_name = "FILE", requires = "user")]
    pub(crate) password_file: Option<PathBuf>,
    /// File with a token
    #[arg(long, value_name = "FILE")]
    pub(crate) token_file: Option<PathBuf>,
    /// CA certificates (PEM) [default: those of the system]
    #[arg(long, value_name = "FILE")]
    pub(crate) ca: Option<PathBuf>,
    /// Client certificate (PEM)
    #[arg(long, value_name = "FILE", requires = "key")]
    pub(crate) cert: Option<PathBuf>,
    /// Key of the client certificate (PEM)
    #[arg(long, value_name = "FILE", requires = "cert")]
    pub(crate) key: Option<PathBuf>,
    /// Connect to other machines without TLS
    #[arg(long)]
    pub(crate) insecure: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Worker {
    #[command(flatten)]
    pub(crate) queue: Queue,
    #[command(flatten)]
    pub(crate) folders: Store,
    /// End after this many seconds without a job [default: never]
    #[arg(long, value_name = "SECONDS")]
    pub(crate) idle: Option<f64>,
    /// Seconds without a sign of this worker before another takes its job
    #[arg(long, value_name = "SECONDS", default_value_t = 30.0)]
    pub(crate) lease: f64,
    /// Work for this experiment only
    #[arg(long, hide = true)]
    pub(crate) experiment: Option<String>,
    /// End with this process
    #[arg(long, hide = true)]
    pub(crate) parent: Option<u32>,
}

/// `total > 5%`, as a share.
fn parse_total(text: &str) -> Result<f64, String> {
    const FORM: &str = "'total > 5%'";
    let threshold = Threshold::parse(text, FORM)?;
    match threshold.amount.of_growth()? {
        Amount::Percent(percent) if threshold.name == "total" && threshold.is_above => {
            Ok(percent / 100.0)
        }
        _ => Err(format!("write a limit as {FORM}")),
    }
}
