//! Which list is which.

use protocol::{ErrorCode, ListKind, ProtocolError, Table};

use super::{concurrency, gaps, longest_spans, marks, span_changes, spans, thread_states, tracks};
use crate::ListOptions;
use crate::kinds::profile::{ProfileDocument, ViewOptions};

/// Most rows of an answer to a page.
pub(in crate::kinds::profile) const MOST_ROWS: u32 = 10_000;

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
    match kind {
        ListKind::Spans => spans::spans(document, view, options),
        ListKind::LongestSpans => longest_spans::longest_spans(document, view, options),
        ListKind::SpanChanges => span_changes::span_changes(document, view, options),
        ListKind::Marks => marks::marks(document, view, options),
        ListKind::Gaps => gaps::gaps(document, view, options),
        ListKind::Concurrency => concurrency::concurrency(document, view, options),
        ListKind::ThreadStates => thread_states::thread_states(document, view, options),
        ListKind::CriticalPath => super::critical_path::pieces(document, view, options),
        ListKind::Tracks => tracks::tracks(document, view, options),
    }
}
