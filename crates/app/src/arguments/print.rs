//! Printing a profile, or saving a view of it.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::diff::{Percent, parse_percent};
use super::limits::Limits;
use super::output::{InfoFormat, ReportFormat, ReportView};
use super::view::ViewArguments;

#[derive(Debug, Args)]
pub(crate) struct Info {
    /// Profile; - is standard input. Several are merged
    #[arg(required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value_t = InfoFormat::Text)]
    pub(crate) format: InfoFormat,
    #[command(flatten)]
    pub(crate) limits: Limits,
}

#[derive(Debug, Args)]
pub(crate) struct Show {
    /// Profile; - is standard input. Several are merged
    #[arg(required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// What to print
    #[arg(long, value_enum, default_value_t = ReportView::Flat)]
    pub(crate) view: ReportView,
    /// Print callers and callees of matching functions, instead of a view
    #[arg(long, value_name = "REGEX", conflicts_with = "view")]
    pub(crate) peek: Option<String>,
    /// Role whose contexts to show, where samples have several (allocation, use, reuse)
    ///
    /// --view pairs takes two. The default is the last two.
    #[arg(long, value_name = "ROLE")]
    pub(crate) role: Vec<String>,
    /// Print at most this many rows; 0 prints all
    ///
    /// The default is 40 as text and Markdown, and all as JSON and CSV.
    #[arg(short = 'n', long)]
    pub(crate) limit: Option<usize>,
    /// With --view critical-path: the span, by its number in --view longest-spans as JSON or CSV
    ///
    /// Numbers are valid for this file only.
    #[arg(long, value_name = "NUMBER")]
    pub(crate) span: Option<u32>,
    /// In trees: cut off calls below a share of the total, such as 1%
    ///
    /// What is cut off is counted.
    #[arg(long, value_name = "PERCENT", value_parser = parse_percent)]
    pub(crate) prune: Option<Percent>,
    /// In trees: cut off deeper calls
    ///
    /// What is cut off is counted.
    #[arg(long, value_name = "ROWS", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) depth: Option<u32>,
    /// Sort by
    ///
    /// The default is self in lists, and total in trees.
    #[arg(long, value_enum, value_name = "BY")]
    pub(crate) sort: Option<Sort>,
    /// Output format
    #[arg(long, value_enum, default_value_t = ReportFormat::Text)]
    pub(crate) format: ReportFormat,
    #[command(flatten)]
    pub(crate) view_options: ViewArguments,
    #[command(flatten)]
    pub(crate) limits: Limits,
}

#[derive(Debug, Args)]
pub(crate) struct Advice {
    /// Profile; - is standard input. Several are merged
    #[arg(required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// Files with rules, instead of hotframe-rules.toml
    ///
    /// They replace the rules of this folder and of the user. Built-in rules still apply.
    #[arg(long, value_name = "FILE")]
    pub(crate) rules: Vec<PathBuf>,
    /// Print at most this many rows; 0 prints all
    ///
    /// The default is 40 as text and Markdown, and all as JSON and CSV.
    #[arg(short = 'n', long)]
    pub(crate) limit: Option<usize>,
    /// Output format
    #[arg(long, value_enum, default_value_t = ReportFormat::Text)]
    pub(crate) format: ReportFormat,
    #[command(flatten)]
    pub(crate) view_options: ViewArguments,
    #[command(flatten)]
    pub(crate) limits: Limits,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Sort {
    #[value(name = "self")]
    OwnValue,
    Total,
    Name,
}

#[derive(Debug, Args)]
pub(crate) struct Export {
    /// Profile; - is standard input. Several are merged
    #[arg(required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// File to write: .html, .md, .svg or .csv
    ///
    /// .html is a self-contained page: it needs no server and no network. .md has tables for a comment on a change.
    #[arg(short, long)]
    pub(crate) output: PathBuf,
    /// Compare with these profiles; several are runs
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub(crate) base: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) page: PageArguments,
    /// What to save
    #[arg(long, value_enum, default_value_t = ReportView::TopDown)]
    pub(crate) view: ReportView,
    /// Role whose contexts to show, where samples have several (allocation, use, reuse)
    #[arg(long, value_name = "ROLE")]
    pub(crate) role: Option<String>,
    /// Width of the picture in pixels
    #[arg(long, default_value_t = 1400)]
    pub(crate) width: u32,
    /// Dark colours
    #[arg(long)]
    pub(crate) dark: bool,
    /// Colour by [default: module, in comparisons change]
    #[arg(long, value_enum)]
    pub(crate) colour: Option<Colour>,
    /// Frames to highlight: words, or regular expressions
    #[arg(long, value_name = "WORDS", default_value = "")]
    pub(crate) search: String,
    #[command(flatten)]
    pub(crate) view_options: ViewArguments,
    #[command(flatten)]
    pub(crate) limits: Limits,
}

/// What only pages have.
#[derive(Debug, Args)]
pub(crate) struct PageArguments {
    /// In a page: the view to open it in, as the address that you copied from a page
    ///
    /// What stands after the # is enough.
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) address: Option<String>,
    /// In a page: replace paths, hosts and commands by numbers
    #[arg(long, value_enum, value_name = "WHAT", num_args = 0..=1, default_missing_value = "paths")]
    pub(crate) anonymize: Option<Anonymized>,
    /// In a page: include Python, for scripts (11 MB)
    #[arg(long)]
    pub(crate) with_python: bool,
    /// In a page: scripts for its Python pane
    #[arg(long, value_name = "FILE")]
    pub(crate) script: Vec<PathBuf>,
    /// In a page: a note above the profile
    #[arg(long, value_name = "TEXT", default_value = "")]
    pub(crate) note: String,
    /// In a page: measurements to lay over its dataflow graph
    ///
    /// A report of DaCe, or any profile. Several are runs.
    #[arg(long, value_name = "FILE")]
    pub(crate) measured: Vec<PathBuf>,
}

impl PageArguments {
    /// Whether any was given.
    pub(crate) fn are_given(&self) -> bool {
        let PageArguments { address, anonymize, with_python, script, note, measured } = self;
        address.is_some()
            || anonymize.is_some()
            || *with_python
            || !(script.is_empty() && note.is_empty() && measured.is_empty())
    }
}

/// What a report does not tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Anonymized {
    /// Folders, machines, commands, comments, and what programs wrote
    Paths,
    /// These, and names of functions, files, modules, threads, processes and members, and texts of labels
    Names,
}

impl From<Anonymized> for protocol::ReportAnonymize {
    fn from(what: Anonymized) -> protocol::ReportAnonymize {
        match what {
            Anonymized::Paths => protocol::ReportAnonymize::Paths,
            Anonymized::Names => protocol::ReportAnonymize::Names,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Colour {
    Module,
    File,
    Function,
    SelfShare,
    Change,
}
