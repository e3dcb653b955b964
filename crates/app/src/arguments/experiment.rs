//! Experiments, and who runs them.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::output::ReportFormat;

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
