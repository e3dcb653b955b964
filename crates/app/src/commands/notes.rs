//! What commands tell on standard error beside their results, and as a list for JSON.

use std::io::Write as _;

use anyhow::Result;
use session::filter_notes;

/// A warning with how often it came up.
pub(super) fn counted(message: String, count: u64) -> String {
    match count {
        1 => message,
        count => format!("{message} ({} times)", crate::text::count(count)),
    }
}

/// Tells on standard error what readers repaired or skipped and what a merge left out.
pub(super) fn tell_warnings(document: &session::ProfileDocument) -> Result<()> {
    let mut out = crate::text::stderr();
    for (message, count) in session::warnings(document) {
        writeln!(out, "hotframe: {}", session::visible(&counted(message, count)))?;
    }
    Ok(())
}

/// Tells on standard error what is to be known of a report.
pub(super) fn tell_notes(notes: &[String]) -> Result<()> {
    let mut out = crate::text::stderr();
    for note in notes {
        writeln!(out, "hotframe: {}", session::visible(note))?;
    }
    Ok(())
}

/// What readers repaired or skipped and what a merge left out, as a list for JSON.
pub(super) fn warnings(document: &session::ProfileDocument) -> Vec<String> {
    session::warnings(document)
        .into_iter()
        .map(|(message, count)| counted(message, count))
        .collect()
}

/// The same with what is to be told of the filters of a view.
pub(super) fn view_warnings(
    document: &session::ProfileDocument,
    options: &session::ViewOptions,
) -> Result<Vec<String>> {
    Ok([warnings(document), filter_notes(document, options)?].concat())
}
