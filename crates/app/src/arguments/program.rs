//! Programs that work on profiles.

use std::path::PathBuf;

use clap::Args;

use super::limits::Limits;

#[derive(Debug, Args)]
pub(crate) struct Run {
    /// The script: Python, with the package `hotframe` at hand
    pub(crate) script: PathBuf,
    /// Profiles; the script has the first as `profile`, all of them as `profiles`
    #[arg(required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// Write what the script shows last, as a file of Hotframe's own format
    #[arg(short, long, value_name = "FILE.hotframe")]
    pub(crate) output: Option<PathBuf>,
    /// Open what the script shows last in the browser
    #[arg(long, conflicts_with = "output")]
    pub(crate) open: bool,
    /// The interpreter, of Python 3.8 or later
    #[arg(long, value_name = "PROGRAM", default_value = "python3")]
    pub(crate) python: PathBuf,
}

/// Options of an engine that another program starts.
#[derive(Debug, Args)]
pub(crate) struct EngineOfPrograms {
    /// Print the page that shows what is open, for whoever relays its frames, and answer nothing
    #[arg(long)]
    pub(crate) page: bool,
    #[command(flatten)]
    pub(crate) limits: Limits,
}
