//! Filters of the command line: whether they match, and what is told of them.

use anyhow::Result;
use session::filter_notes;

use super::notes::tell_notes;

/// Checks that every filter matches something, and tells on standard error what there is to know of filters.
///
/// # Errors
/// If a filter matches nothing: a name with a typing error would give a wrong answer.
pub(super) fn check_filters(
    document: &session::ProfileDocument,
    options: &session::ViewOptions,
) -> Result<()> {
    check_names(&[document], &options.filters, "--")?;
    tell_notes(&filter_notes(document, options)?)
}

/// Checks that filters match something in one of several profiles. Their options begin with `dashes`.
pub(super) fn check_names(
    documents: &[&session::ProfileDocument],
    filters: &[session::Filter],
    dashes: &str,
) -> Result<()> {
    let mut unmatched: Vec<&session::Filter> = filters.iter().collect();
    for document in documents {
        let of_this = session::unmatched_filters(document, filters)?;
        unmatched.retain(|filter| of_this.contains(filter));
    }
    if unmatched.is_empty() {
        return Ok(());
    }
    if unmatched.iter().any(|filter| filter.kind == session::FilterKind::Time) {
        let titles: Vec<_> = documents.iter().map(|one| session::visible(one.title())).collect();
        anyhow::bail!("{} has no times: {dashes}time cannot be used", titles.join(" and "));
    }
    let names: Vec<String> =
        unmatched.iter().map(|filter| format!("{dashes}{}", option_of(filter))).collect();
    let verb = if names.len() == 1 { "matches" } else { "match" };
    let titles: Vec<String> =
        documents.iter().map(|one| session::visible(one.title()).into_owned()).collect();
    anyhow::bail!("{} {verb} nothing in {}", names.join(" and "), titles.join(" and "))
}

/// The option that a filter came from, with its value.
fn option_of(filter: &session::Filter) -> String {
    let pattern = session::visible(&filter.pattern);
    if filter.kind == session::FilterKind::LabelFocus {
        if let Some(thread) = pattern.strip_prefix("thread=") {
            return format!("thread {thread}");
        }
        if let Some(cpu) = pattern.strip_prefix("cpu=^").and_then(|rest| rest.strip_suffix('$')) {
            return format!("cpu {cpu}");
        }
    }
    format!("{} {pattern}", filter.kind.option())
}
