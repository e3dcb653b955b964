//! Shapes and formats of what commands print.

use std::sync::LazyLock;

use clap::ValueEnum;
use clap::builder::PossibleValue;
use session::{ListKind, list_of};

/// A view that commands print.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ReportView {
    /// Callers above callees.
    TopDown,
    /// Innermost functions first, their callers below.
    BottomUp,
    /// Every function by its total, with its callers as a tree.
    AllCallers,
    /// Functions by self value.
    Flat,
    /// Functions with their callers and callees.
    CallGraph,
    /// Pairs of call stacks that a sample joins.
    Pairs,
    /// A list of a trace.
    List(ListKind),
}

/// Views of functions, then the lists of profiles with times.
static VIEWS: LazyLock<Vec<ReportView>> = LazyLock::new(|| {
    use ReportView::{AllCallers, BottomUp, CallGraph, Flat, List, Pairs, TopDown};
    let lists = ListKind::ALL.iter().filter(|&&kind| list_of(kind).stands_for.is_none());
    let functions = [TopDown, BottomUp, AllCallers, Flat, CallGraph, Pairs];
    functions.into_iter().chain(lists.map(|&kind| List(kind))).collect()
});

impl ValueEnum for ReportView {
    fn value_variants<'a>() -> &'a [Self] {
        &VIEWS
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let (name, help) = match self {
            ReportView::TopDown => ("top-down", "Callers above callees"),
            ReportView::BottomUp => ("bottom-up", "Innermost functions first, their callers below"),
            ReportView::AllCallers => {
                ("all-callers", "Every function by its total, with its callers as a tree")
            }
            ReportView::Flat => ("flat", "Functions by self value"),
            ReportView::CallGraph => ("call-graph", "Functions with their callers and callees"),
            ReportView::Pairs => (
                "pairs",
                "Pairs of call stacks that a sample joins, such as allocation and use, and where they diverge",
            ),
            ReportView::List(kind) => (list_of(*kind).name, list_of(*kind).help),
        };
        Some(PossibleValue::new(name).help(help))
    }
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
    /// For data frames and databases: the rows of CSV with types; write it to a file
    Parquet,
    /// For pages and comments: a GitHub-style table
    Markdown,
}

impl ReportFormat {
    /// Whether people read it.
    pub(crate) fn is_for_people(self) -> bool {
        matches!(self, ReportFormat::Text | ReportFormat::Markdown)
    }

    /// Whether it is rows of plain cells and nothing else.
    pub(crate) fn is_rows(self) -> bool {
        matches!(self, ReportFormat::Csv | ReportFormat::Parquet)
    }

    /// How many rows are told, of which people get some where they do not say how many.
    pub(crate) fn limit(self, asked: Option<usize>) -> usize {
        /// Rows for people.
        const MOST_ROWS: usize = 40;
        match asked {
            Some(0) => usize::MAX,
            Some(limit) => limit,
            None if self.is_for_people() => MOST_ROWS,
            None => usize::MAX,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum InfoFormat {
    Text,
    Json,
}
