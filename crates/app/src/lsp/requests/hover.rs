//! `textDocument/hover`: every metric of a line and its function, and the function's calls.

use std::fmt::Write as _;

use anyhow::Result;
use lsp_types::{Hover, HoverContents, HoverParams, MarkupContent, MarkupKind};
use session::{Called, SourceFunction};

use crate::lsp::markdown::escaped;
use crate::lsp::server::{Refusal, Server};
use crate::lsp::source::{Amounts, Source};
use crate::lsp::versions::Known;
use crate::text::{count, utc_time};

/// More metrics make no table.
const MOST_METRICS: usize = 12;
/// Callers and callees told.
const MOST_CALLS: usize = 5;

pub(in crate::lsp) fn hover(
    server: &mut Server,
    params: HoverParams,
) -> Result<Option<Hover>, Refusal> {
    let place = params.text_document_position_params;
    let Some(line) = place.position.line.checked_add(1) else { return Ok(None) };
    let mut texts = vec![];
    for source in server.sources(&place.text_document.uri) {
        texts.extend(text(&source, line)?);
    }
    let value = texts.join("\n---\n\n");
    let contents = HoverContents::Markup(MarkupContent { kind: MarkupKind::Markdown, value });
    Ok((!texts.is_empty()).then_some(Hover { contents, range: None }))
}

/// What a profile says of a line from 1; of a function where it starts.
fn text(source: &Source<'_>, line: u32) -> Result<Option<String>> {
    // Where there was no such line, nothing was measured on it.
    let then = source.placed.lines.then(line).unwrap_or(0);
    let on_line = source.index.function_on(source.file, then);
    let starts = || source.functions().find(|one| source.start_now(one) == Some(line));
    let Some(function) = on_line.or_else(starts) else { return Ok(None) };
    let mut out = format!("**{}**", escaped(function.name));
    if !source.prefix.is_empty() {
        let _ = write!(out, " in {}", escaped(source.document.title()));
    }
    out.push_str("\n\n");
    write_known(&mut out, &source.placed.how);
    write_metrics(&mut out, source, then, &function)?;
    let calls = source.document.source_calls(source.metric, function.id, MOST_CALLS)?;
    write_calls(&mut out, source, "Callers", &calls.callers);
    write_calls(&mut out, source, "Callees", &calls.callees);
    Ok(Some(out))
}

/// Where the lines come from, unless they are what they were.
fn write_known(out: &mut String, how: &Known) {
    let _ = match how {
        Known::Unchanged => Ok(()),
        Known::Committed(commit) => {
            let short = commit.get(..10).unwrap_or(commit);
            writeln!(out, "The lines are those of commit {short}, brought to this text.\n")
        }
        Known::Stale { recorded, written } => writeln!(
            out,
            "The file changed since the profile was recorded, so the values may stand at wrong \
             lines: recorded {}, changed {}.\n",
            utc_time(*recorded),
            utc_time(*written),
        ),
    };
}

fn write_metrics(
    out: &mut String,
    source: &Source<'_>,
    line: u32,
    function: &SourceFunction<'_>,
) -> Result<()> {
    out.push_str("| metric | line self | line total | function self | function total |\n");
    out.push_str("|---|--:|--:|--:|--:|\n");
    let metrics = source.document.metrics();
    // The chosen one first, and never among those that are left out.
    let others = (0..metrics.len()).filter(|&metric| metric != source.metric);
    for metric in std::iter::once(source.metric).chain(others).take(MOST_METRICS) {
        let index = source.document.source_index(metric)?;
        let amounts = Amounts::new(source.document, metric, index.total());
        let on_line = index.line(source.file, line);
        let of_line = on_line.map_or([0, 0], |line| [line.self_value, line.total_value]);
        let function = index.function(function.id);
        let of_function = [function.self_value, function.total_value];
        let _ = write!(out, "| {} |", escaped(&metrics[metric].name));
        for value in of_line.into_iter().chain(of_function) {
            let _ = write!(out, " {} |", escaped(&amounts.text(value)));
        }
        out.push('\n');
    }
    if let Some(more @ 1..) = metrics.len().checked_sub(MOST_METRICS) {
        let _ = writeln!(out, "\n{} more metrics", count(more as u64));
    }
    Ok(())
}

fn write_calls(out: &mut String, source: &Source<'_>, title: &str, calls: &[Called]) {
    if calls.is_empty() {
        return;
    }
    // Calls of a formula are told in the metric that it begins with, which has no share of it.
    let is_derived = source.document.is_derived(source.metric);
    let _ = writeln!(out, "\n**{title}**\n");
    for call in calls {
        let value = if is_derived { String::new() } else { source.amounts.text(call.value) };
        let _ = writeln!(out, "- {} {}", escaped(&call.name), escaped(&value));
    }
}
