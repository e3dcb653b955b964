//! The lists of a profile: one file per list, with its analysis and its columns.

mod concurrency;
mod critical_path;
pub(super) mod functions;
mod gaps;
mod kept;
mod longest_spans;
mod marks;
mod places;
mod span_changes;
mod spans;
mod thread_states;
mod tracks;

use protocol::{ErrorCode, ListKind, ProtocolError, RowFinds, RowName, Table};

pub(super) use concurrency::concurrency_chart;
pub(super) use critical_path::critical_path;
pub use critical_path::{PathHead, critical_path_head};
pub(super) use places::after;
pub(super) use thread_states::thread_bars;

use super::{ProfileDocument, ViewOptions};
use crate::ListOptions;

/// Most rows of an answer to a page.
pub(super) const MOST_ROWS: u32 = 10_000;

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
        ListKind::CriticalPath => critical_path::pieces(document, view, options),
        ListKind::Tracks => tracks::tracks(document, view, options),
    }
}

/// The name of spans, as rows show it.
fn span_name(name: &str, file: &str, is_asynchronous: bool, colours: u32) -> RowName {
    RowName {
        text: if name.is_empty() { "[no frame]".to_owned() } else { name.to_owned() },
        file: file.to_owned(),
        remark: if is_asynchronous { "asynchronous".to_owned() } else { String::new() },
        colours: Some(colours),
        finds: Some(RowFinds::Spans(name.to_owned())),
        ..RowName::default()
    }
}
