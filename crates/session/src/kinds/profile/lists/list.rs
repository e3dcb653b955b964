//! What a list is, and which there are.

use protocol::{ErrorCode, ListInfo, ListKind, ProtocolError, Table};

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
    /// The list of one profile that it takes the place of in comparisons. None for lists of any profile.
    pub stands_for: Option<ListKind>,
    /// How the command line calls it: the value of `--view`.
    pub name: &'static str,
    /// What its tab in the page is called.
    pub label: &'static str,
    /// What stands above its rows.
    pub title: &'static str,
    /// What it shows, for the help of the command line and the tab.
    pub help: &'static str,
    /// What the field that narrows it is called.
    pub filter: &'static str,
    /// What the menu of a row is called.
    pub row: &'static str,
    /// Why there may be no rows.
    pub empty: &'static str,
    /// Whether a profile may have rows of it.
    pub(super) has: fn(&ProfileDocument) -> bool,
    /// Its rows: those that the filters of a view keep.
    pub(super) rows: Rows,
}

/// Finds the rows of a list.
type Rows = fn(&ProfileDocument, &ViewOptions, &ListOptions<'_>) -> Result<Table, ProtocolError>;

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

/// The lists of a document, also those that it has no rows of.
pub(in crate::kinds::profile) fn lists_of(document: &ProfileDocument) -> Vec<ListInfo> {
    let known = ListKind::ALL.iter().map(|&kind| list_of(kind));
    let own = known.filter(|list| {
        list_in(document, list.kind) == list.kind
            && (list.stands_for.is_none() || document.comparison().is_some())
    });
    let info = |list: &ProfileList| ListInfo {
        list: list.kind,
        may_have_rows: (list.has)(document),
        stands_for: list.stands_for,
        label: list.label.to_owned(),
        title: list.help.to_owned(),
        filter: list.filter.to_owned(),
        row: list.row.to_owned(),
        empty: list.empty.to_owned(),
    };
    own.map(info).collect()
}

/// The list that a document has for the one of a name: in comparisons, another may take its place.
#[must_use]
pub fn list_in(document: &ProfileDocument, kind: ListKind) -> ListKind {
    let mut all = ListKind::ALL.iter().copied();
    let other = all.find(|&one| list_of(one).stands_for == Some(kind));
    other.filter(|_| document.comparison().is_some()).unwrap_or(kind)
}

pub(super) fn has_spans(document: &ProfileDocument) -> bool {
    !document.profile().timeline.spans.is_empty()
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
