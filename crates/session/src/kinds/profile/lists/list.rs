//! What a list is, and which there are.

use protocol::{ErrorCode, ListKind, ProtocolError, Table};

use super::{
    concurrency, critical_path, gaps, longest_spans, marks, span_changes, spans, thread_states,
    tracks,
};
use crate::ListOptions;
use crate::kinds::profile::{ProfileDocument, ViewOptions};

/// Most rows of an answer to a page.
pub(in crate::kinds::profile) const MOST_ROWS: u32 = 10_000;

/// A list: what it is called, and how its rows are found.
#[derive(Debug)]
pub struct ProfileList {
    /// Which one it is.
    pub kind: ListKind,
    /// What it is a list of.
    pub of: ListOf,
    /// How the command line calls it: the value of `--view`.
    pub name: &'static str,
    /// What stands above its rows.
    pub title: &'static str,
    /// What it shows, for the help of the command line.
    pub help: &'static str,
    /// Its rows: those that the filters of a view keep.
    pub(super) rows: Rows,
}

/// Finds the rows of a list.
type Rows = fn(&ProfileDocument, &ViewOptions, &ListOptions<'_>) -> Result<Table, ProtocolError>;

/// What a list is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ListOf {
    /// Any profile with times.
    Profile,
    /// The two sides of a comparison.
    Comparison,
}

/// What a list is called, and how its rows are found.
#[must_use]
pub fn list_of(kind: ListKind) -> &'static ProfileList {
    match kind {
        ListKind::Spans => &spans::LIST,
        ListKind::LongestSpans => &longest_spans::LIST,
        ListKind::Gaps => &gaps::LIST,
        ListKind::Concurrency => &concurrency::LIST,
        ListKind::ThreadStates => &thread_states::LIST,
        ListKind::CriticalPath => &critical_path::LIST,
        ListKind::Marks => &marks::LIST,
        ListKind::Tracks => &tracks::LIST,
        ListKind::SpanChanges => &span_changes::LIST,
    }
}

/// A list of what the filters of `view` keep.
///
/// # Errors
/// If the profile has no times, a filter cannot be understood, the list has no such column, or there is
/// no such span.
pub fn list(
    document: &ProfileDocument,
    kind: ListKind,
    view: &ViewOptions,
    options: &ListOptions<'_>,
) -> Result<Table, ProtocolError> {
    if options.span.is_some() && kind != ListKind::CriticalPath {
        let message = "only the critical path is of one span";
        return Err(ProtocolError::new(ErrorCode::BadRequest, message));
    }
    (list_of(kind).rows)(document, view, options)
}
