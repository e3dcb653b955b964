//! Experiments, and who runs them.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::gate::{Amount, UnknownChanges};
use super::limits::Limits;
use super::output::ReportFormat;
use super::view::ViewArguments;

#[derive(Debug, Args)]
pub(crate) struct Experiment {
    #[command(subcommand)]
    pub(crate) command: ExperimentCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ExperimentCommand {
    /// Write a plan with comments to begin with
    Init(ExperimentInit),
    /// Tell which cells a plan has, what each needs, and how long all of it will take
    Plan(ExperimentPlan),
    /// Run what has not run yet, and put all runs into one profile, NAME.hotframe
    Run(ExperimentRun),
    /// Tell how many runs of a plan wait, run and have ended, and what failed
    Status(ExperimentStatus),
    /// Tell what was measured in each cell, what factors do, and what failed
    Summary(ExperimentSummary),
    /// Compare two groups of cells: in all, and which functions make the difference
    Compare(ExperimentCompare),
    /// Tell a metric by revision, with where it changes
    History(ExperimentHistory),
    /// Run what waits in a queue of experiments
    Worker(Box<Worker>),
}

/// What is asked of each run.
#[derive(Debug, Args)]
pub(crate) struct Asked {
    /// Result of an experiment
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// A function instead of whole runs, as lists call it
    #[arg(long, value_name = "NAME")]
    pub(crate) function: Option<String>,
    /// Total values of functions, not those of themselves
    #[arg(long)]
    pub(crate) total: bool,
    /// How it is written
    #[arg(long, value_enum, default_value_t = ReportFormat::Text)]
    pub(crate) format: ReportFormat,
    /// Which of the tables CSV has [default: the first]
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
    pub(crate) asked: Asked,
}

#[derive(Debug, Args)]
pub(crate) struct ExperimentCompare {
    #[command(flatten)]
    pub(crate) asked: Asked,
    /// Cells of the base, as interpreter=3.11; several levels as interpreter=3.10|3.11, several factors
    /// one after the other; a | of a level and a = of a factor's name have a backslash before them
    #[arg(
        value_name = "FACTOR=LEVEL",
        conflicts_with = "base",
        required_unless_present = "base",
        num_args = 1..
    )]
    pub(crate) base_cells: Vec<String>,
    /// Cells of the new side, after --
    #[arg(last = true, value_name = "FACTOR=LEVEL", conflicts_with = "new", num_args = 1..)]
    pub(crate) new_cells: Vec<String>,
    /// The same as BASE before --; can be given several times
    #[arg(long, value_name = "FACTOR=LEVEL", requires = "new")]
    pub(crate) base: Vec<String>,
    /// The same as NEW after --
    #[arg(long, value_name = "FACTOR=LEVEL", requires = "base")]
    pub(crate) new: Vec<String>,
    /// Most functions to print; 0 is all [default: 40 as text and Markdown, all as JSON and CSV]
    #[arg(short = 'n', long)]
    pub(crate) limit: Option<usize>,
    /// Exit with code 3 if the metric, or with --function that function, grew by more than a share of the
    /// base, such as 'total > 5%'. Of several runs a side the whole interval has to be above it
    #[arg(long, value_name = "GROWTH", value_parser = parse_total)]
    pub(crate) fail_if: Option<f64>,
    #[command(flatten)]
    pub(crate) unknown: UnknownChanges,
}

#[derive(Debug, Args)]
pub(crate) struct ExperimentHistory {
    #[command(flatten)]
    pub(crate) asked: Asked,
    /// By what [default: revision, or the only factor]
    #[arg(long, value_name = "NAME")]
    pub(crate) factor: Option<String>,
    /// Repository that is asked which commits lie between two [default: the current folder's]
    #[arg(long, value_name = "FOLDER")]
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
    /// How it is written
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
    /// Run everything anew, beside what was run before
    #[arg(long)]
    pub(crate) again: bool,
    /// Replace a result that is of something else
    #[arg(long)]
    pub(crate) replace: bool,
    /// How many seconds a worker may be silent before its job is given to the next one
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
    /// How it is written
    #[arg(long, value_enum, default_value_t = ReportFormat::Text)]
    pub(crate) format: ReportFormat,
}

/// Where things are kept between experiments.
#[derive(Debug, Clone, Args)]
pub(crate) struct Store {
    /// Folder for environments, sources and what has run [default: $HOTFRAME_STORE, else the user's]
    #[arg(long, value_name = "DIR")]
    pub(crate) store: Option<PathBuf>,
}

/// Where jobs wait.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Queue")]
pub(crate) struct Queue {
    /// nats://HOST:PORT or tls://HOST:PORT for workers of several machines [default: this machine]
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
    /// Certificates (PEM) that the server's is checked with [default: those of the system]
    #[arg(long, value_name = "FILE")]
    pub(crate) ca: Option<PathBuf>,
    /// Our certificate (PEM), if the server wants one
    #[arg(long, value_name = "FILE", requires = "key")]
    pub(crate) cert: Option<PathBuf>,
    /// The key of our certificate (PEM)
    #[arg(long, value_name = "FILE", requires = "cert")]
    pub(crate) key: Option<PathBuf>,
    /// Go beyond this machine without TLS
    #[arg(long)]
    pub(crate) insecure: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Worker {
    #[command(flatten)]
    pub(crate) queue: Queue,
    #[command(flatten)]
    pub(crate) folders: Store,
    /// End after so many seconds without anything to do [default: never]
    #[arg(long, value_name = "SECONDS")]
    pub(crate) idle: Option<f64>,
    /// How many seconds this worker may be silent before another takes its job
    #[arg(long, value_name = "SECONDS", default_value_t = 30.0)]
    pub(crate) lease: f64,
    /// The only experiment that it works for
    #[arg(long, hide = true)]
    pub(crate) experiment: Option<String>,
    /// It ends with the process of this number
    #[arg(long, hide = true)]
    pub(crate) parent: Option<u32>,
}

/// `total > 5%`, as a share.
fn parse_total(text: &str) -> Result<f64, String> {
    let wrong = || "write the growth as 'total > 5%'".to_owned();
    let (word, limit) = text.split_once('>').ok_or_else(wrong)?;
    match Amount::parse(limit)? {
        Amount::Percent(percent) if word.trim() == "total" && percent >= 0.0 => Ok(percent / 100.0),
        _ => Err(wrong()),
    }
}
