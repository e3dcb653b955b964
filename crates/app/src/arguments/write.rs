//! Writing profiles: converting and merging them.

use std::path::PathBuf;

use clap::Args;
use session::NamedFormula;

use super::limits::Limits;
use super::view::parse_definition;

#[derive(Debug, Args)]
pub(crate) struct Convert {
    /// Profiles, and folders or archives of profiles; - is standard input
    #[arg(required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// File to write; - is standard output. Several profiles become one in a file; into an existing
    /// folder each is written by itself
    #[arg(short, long)]
    pub(crate) output: PathBuf,
    /// Write one profile, and refuse a folder
    #[arg(long)]
    pub(crate) one: bool,
    #[command(flatten)]
    pub(crate) writing: Writing,
    #[command(flatten)]
    pub(crate) limits: Limits,
}

/// How to write a profile.
#[derive(Debug, Args)]
pub(crate) struct Writing {
    /// Format to write (see `hotframe formats`) [default: as the output's name tells]
    #[arg(long, value_name = "FORMAT")]
    pub(crate) to: Option<String>,
    /// Metric to write, where the format holds only one: name or number
    #[arg(long)]
    pub(crate) metric: Option<String>,
    /// A metric by formula to write with the profile, such as 'CPI = cycles / instructions'
    #[arg(long, value_name = "NAME = FORMULA", value_parser = parse_definition)]
    pub(crate) define: Vec<NamedFormula>,
    /// Write nothing if the format cannot hold all of the profile
    #[arg(long)]
    pub(crate) strict: bool,
}
