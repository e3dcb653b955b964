//! One command a file.

mod advice;
mod convert;
mod diff;
mod engine;
mod events;
#[cfg(target_os = "linux")]
mod experiment;
mod export;
mod formats;
mod info;
mod licenses;
mod machine;
mod open;
mod output;
#[cfg(target_os = "linux")]
mod record;
mod run;
mod sdfg;
mod shell;
mod show;

pub(crate) use advice::advice;
pub(crate) use convert::convert;
pub(crate) use diff::diff;
pub(crate) use engine::engine;
pub(crate) use events::events;
#[cfg(target_os = "linux")]
pub(crate) use experiment::{begun_by_itself, experiment, launcher};
pub(crate) use export::export;
pub(crate) use formats::formats;
pub(crate) use info::info;
pub(crate) use licenses::licenses;
pub(crate) use open::open;
#[cfg(target_os = "linux")]
pub(crate) use record::record;
pub(crate) use run::run;
pub(crate) use sdfg::sdfg;
pub(crate) use shell::{completions, man};
pub(crate) use show::show;

use session::filter_notes;
use std::io::Write as _;

use anyhow::Result;

use output::write_output;

/// A warning with how often it came up.
fn counted(message: String, count: u64) -> String {
    match count {
        1 => message,
        count => format!("{message} ({} times)", crate::text::count(count)),
    }
}

/// Tells on standard error what readers repaired or skipped and what a merge left out.
fn tell_warnings(document: &session::ProfileDocument) -> Result<()> {
    let mut out = crate::text::stderr();
    for (message, count) in session::warnings(document) {
        writeln!(out, "hotframe: {}", session::visible(&counted(message, count)))?;
    }
    Ok(())
}

/// Checks that every filter matches something, and tells on standard error what there is to know of filters.
///
/// # Errors
/// If a filter matches nothing: a name with a typing error would give a wrong answer.
fn check_filters(
    document: &session::ProfileDocument,
    options: &session::ViewOptions,
) -> Result<()> {
    check_names(&[document], &options.filters, "--")?;
    tell_notes(&filter_notes(document, options)?)
}

/// Checks that filters match something in one of several profiles. Their options begin with `dashes`.
fn check_names(
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

/// Tells on standard error what is to be known of a report.
fn tell_notes(notes: &[String]) -> Result<()> {
    let mut out = crate::text::stderr();
    for note in notes {
        writeln!(out, "hotframe: {}", session::visible(note))?;
    }
    Ok(())
}

/// What readers repaired or skipped and what a merge left out, as a list for JSON.
fn warnings(document: &session::ProfileDocument) -> Vec<String> {
    session::warnings(document)
        .into_iter()
        .map(|(message, count)| counted(message, count))
        .collect()
}

/// The same with what is to be told of the filters of a view.
fn view_warnings(
    document: &session::ProfileDocument,
    options: &session::ViewOptions,
) -> Result<Vec<String>> {
    Ok([warnings(document), filter_notes(document, options)?].concat())
}
