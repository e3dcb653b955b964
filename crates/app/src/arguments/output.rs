//! Shapes and formats of what commands print.

use clap::ValueEnum;

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReportView {
    /// Callers above callees
    TopDown,
    /// Innermost functions first, their callers below
    BottomUp,
    /// Every function by its total, with its callers as a tree
    AllCallers,
    /// Functions by self value
    Flat,
    /// Functions with their callers and callees
    CallGraph,
    /// Pairs of call stacks that a sample joins, such as allocation and use, and where they diverge
    Pairs,
    /// Spans of a trace by name: how many, how long, which longest
    Spans,
    /// Single spans of a trace: the longest first
    LongestSpans,
    /// Time between spans of a name on a track: how often, how long, where the longest is
    Gaps,
    /// How many spans of a name, operations of a lane and busy threads of a process there were at once
    Concurrency,
    /// What threads did: for how long they ran, could have run, and waited for what
    States,
    /// The chain of work that decided how long a span took: the longest, the longest that --during
    /// names, or that of --span
    CriticalPath,
    /// Instants of a trace by kind: how many, how many a second
    Marks,
    /// Tracks of a trace: processes, threads, lanes, and what is on them
    Timeline,
}

/// How a report is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReportFormat {
    /// For a terminal
    Text,
    /// For programs, all of it
    Json,
    /// For spreadsheets and programs: the rows
    Csv,
    /// For pages and comments: a GitHub-style table
    Markdown,
}

impl ReportFormat {
    /// How many rows are told, of which people get some where they do not say how many.
    pub(crate) fn limit(self, asked: Option<usize>) -> usize {
        /// Rows for people.
        const MOST_ROWS: usize = 40;
        match (asked, self) {
            (Some(0), _) | (None, ReportFormat::Json | ReportFormat::Csv) => usize::MAX,
            (Some(limit), _) => limit,
            (None, ReportFormat::Text | ReportFormat::Markdown) => MOST_ROWS,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum InfoFormat {
    Text,
    Json,
}
