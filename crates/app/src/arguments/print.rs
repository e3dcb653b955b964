//! Printing a profile, or saving a view of it.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::diff::{Percent, parse_percent};
use super::limits::Limits;
use super::output::{InfoFormat, ReportFormat, ReportView};
use super::view::ViewArguments;

#[derive(Debug, Args)]
pub(crate) struct Info {
    /// Profile; - is standard input. Several become one, whose members they are
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
    /// Profile; - is standard input. Several become one, whose members they are
    #[arg(required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// Shape of the report
    #[arg(long, value_enum, default_value_t = ReportView::Flat)]
    pub(crate) view: ReportView,
    /// Functions whose callers and callees to print (regular expression); implies --view call-graph
    #[arg(long, value_name = "REGEX")]
    pub(crate) peek: Option<String>,
    /// Role whose contexts to show, where points join several, such as allocation, use and reuse;
    /// two of them for pairs [default for pairs: the last two]
    #[arg(long, value_name = "ROLE")]
    pub(crate) role: Vec<String>,
    /// Most rows to print; 0 is all [default: 40 as text and Markdown, all as JSON and CSV]
    #[arg(short = 'n', long)]
    pub(crate) limit: Option<usize>,
    /// In trees: cut off calls with less than so much of the program, such as 1%; what went is counted
    #[arg(long, value_name = "PERCENT", value_parser = parse_percent)]
    pub(crate) prune: Option<Percent>,
    /// In trees: cut off what is deeper; what went is counted
    #[arg(long, value_name = "ROWS", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) depth: Option<u32>,
    /// What functions of a list or siblings in a tree are ordered by [default: self in lists, total
    /// in trees]
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
    /// Profile; - is standard input. Several become one
    #[arg(required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// Files of rules, in the place of hotframe-rules.toml here and of the user's own rules; those that
    /// come along are asked, too
    #[arg(long, value_name = "FILE")]
    pub(crate) rules: Vec<PathBuf>,
    /// Most rows to print; 0 is all [default: 40 as text and Markdown, all as JSON and CSV]
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
    /// Profile; - is standard input. Several become one, whose members they are
    #[arg(required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// File to write: .html, a page that opens everywhere and has the profiles inside, or one
    /// dataflow graph; .md, tables for a comment on a change; .svg or .csv
    #[arg(short, long)]
    pub(crate) output: PathBuf,
    /// In a page, a comment or a picture: what the profiles are compared with; several are runs
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub(crate) base: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) page: PageArguments,
    /// Shape of the view
    #[arg(long, value_enum, default_value_t = ReportView::TopDown)]
    pub(crate) view: ReportView,
    /// Role whose contexts to show, where points join several, such as allocation, use and reuse
    #[arg(long, value_name = "ROLE")]
    pub(crate) role: Option<String>,
    /// Width of the picture in pixels
    #[arg(long, default_value_t = 1400)]
    pub(crate) width: u32,
    /// Dark colours
    #[arg(long)]
    pub(crate) dark: bool,
    /// What decides the colour [default: the module, in comparisons the change]
    #[arg(long, value_enum)]
    pub(crate) colour: Option<Colour>,
    /// Frames to highlight (regular expression)
    #[arg(long, value_name = "REGEX", default_value = "")]
    pub(crate) search: String,
    #[command(flatten)]
    pub(crate) view_options: ViewArguments,
    #[command(flatten)]
    pub(crate) limits: Limits,
}

/// What only pages have.
#[derive(Debug, Args)]
pub(crate) struct PageArguments {
    /// In a page: the view to begin with, as the address of a page that shows these files, or what
    /// is behind its #
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) address: Option<String>,
    /// In a page: replace what tells whose the profiles are, by numbers
    #[arg(long, value_enum, value_name = "WHAT", num_args = 0..=1, default_missing_value = "paths")]
    pub(crate) anonymize: Option<Anonymized>,
    /// In a page: Python, for scripts over the profiles; 9 MB more
    #[arg(long)]
    pub(crate) with_python: bool,
    /// In a page: scripts that the pane of Python offers
    #[arg(long, value_name = "FILE")]
    pub(crate) script: Vec<PathBuf>,
    /// In a page: what is to be read first, as plain text
    #[arg(long, value_name = "TEXT", default_value = "")]
    pub(crate) note: String,
    /// In a page: lay what was measured over its dataflow graph, a report of DaCe or any profile; several
    /// are several runs
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
