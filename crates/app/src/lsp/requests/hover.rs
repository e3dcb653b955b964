//! `textDocument/hover`: every metric of a line and its function, and the function's calls.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::time::Duration;

use anyhow::Result;
use lsp_types::{Hover, HoverContents, HoverParams, MarkupContent, MarkupKind, Uri};
use percent_encoding::{AsciiSet, CONTROLS};
use session::{
    AdviceRule, Advised, Called, Change, FunctionChange, SourceFunction, metrics_from, share_text,
    source_advice, source_calls, source_index, source_instructions, source_notes,
};

use crate::lsp::base::{Base, Gone};
use crate::lsp::markdown::escaped;
use crate::lsp::refusal::Refusal;
use crate::lsp::source::{Amounts, Source, Sources};
use crate::lsp::versions::Known;
use crate::lsp::workspace::Workspace;
use crate::text::{count, utc_time};

/// More metrics make no table.
pub(in crate::lsp) const MOST_METRICS: usize = 12;
/// Instructions of a line told.
const MOST_INSTRUCTIONS: usize = 10;
/// Callers and callees told.
const MOST_CALLS: usize = 5;

/// What ends a link in Markdown.
const IN_LINK: &AsciiSet =
    &CONTROLS.add(b'(').add(b')').add(b' ').add(b'<').add(b'>').add(b'\\').add(b'"');

pub(in crate::lsp) fn hover(
    workspace: &Workspace,
    params: HoverParams,
) -> Result<Option<Hover>, Refusal> {
    let place = params.text_document_position_params;
    let Some(line) = place.position.line.checked_add(1) else { return Ok(None) };
    let links = links(workspace, &place.text_document.uri, line)?;
    let sources = workspace.sources(&place.text_document.uri);
    let mut value = None;
    if let Some(source) = &sources.active {
        value = text(source, sources.base.as_ref(), line, &links, &workspace.rules)?;
    }
    if value.is_none() {
        value = gone(&sources, line, &workspace.rules)?;
    }
    let Some(value) = value else { return Ok(None) };
    let contents = HoverContents::Markup(MarkupContent { kind: MarkupKind::Markdown, value });
    Ok(Some(Hover { contents, range: None }))
}

/// The function that a line from 1 tells of: it is on it, or starts there.
fn function_at<'a>(source: &'a Source<'_>, line: u32) -> Option<SourceFunction<'a>> {
    // Where there was no such line, nothing was measured on it.
    let then = source.placed.lines.then(line).unwrap_or(0);
    let on_line = source.index.function_on(source.file, then);
    on_line.or_else(|| source.functions().find(|one| source.starts_now(one).contains(&line)))
}

/// Where the callers and callees are that will be told of: addresses with their line, by key.
/// What stands in several files leads nowhere.
fn links(workspace: &Workspace, uri: &Uri, line: u32) -> Result<HashMap<u32, String>> {
    let Some(active) = workspace.active() else { return Ok(HashMap::new()) };
    let Some(source) = workspace.sources(uri).active else { return Ok(HashMap::new()) };
    let Some(function) = function_at(&source, line) else { return Ok(HashMap::new()) };
    let calls = source_calls(source.document, source.metric, function.id, MOST_CALLS)?;
    let mut linked = vec![];
    for call in calls.callers.iter().chain(&calls.callees) {
        let mut places = source.index.with_key(call.key);
        if let (Some(one), None) = (places.next(), places.next()) {
            linked.push((one.id, call.key));
        }
    }
    let (files, profile) = (workspace.files(), &workspace.profiles[active]);
    let mut links = HashMap::new();
    for (id, key) in linked {
        let function = source.index.function(id);
        if let Some(uri) = files.uri(profile, function.file) {
            // A link may be a few lines off; a hover does not wait for git.
            let placed = files.placed(profile, function.file, &uri, Duration::ZERO);
            let starts = placed.map(|placed| placed.starts(&function)).unwrap_or_default();
            let now = match starts[..] {
                [] => function.start_line,
                [start] => start,
                // Nobody can tell which of them it is.
                _ => continue,
            };
            // An editor's own address may have them, and they would end the link.
            let address = uri.as_str().replace('(', "%28").replace(')', "%29");
            links.insert(key, format!("{address}#L{}", now.max(1)));
        }
    }
    Ok(links)
}

/// What a profile says of a line from 1; of a function where it starts.
fn text(
    source: &Source<'_>,
    base: Option<&Base<'_>>,
    line: u32,
    links: &HashMap<u32, String>,
    rules: &[AdviceRule],
) -> Result<Option<String>> {
    let Some(function) = function_at(source, line) else { return Ok(None) };
    let then = source.placed.lines.then(line).unwrap_or(0);
    let mut out = format!("**{}**\n\n", escaped(function.name));
    if let heads @ 2.. = source.starts_now(&function).len() {
        let said =
            "functions here have this name. The profile does not distinguish them: values of";
        let _ = writeln!(out, "{heads} {said} the function are of all of them.\n");
    }
    write_known(&mut out, &source.placed.how);
    let before = base.map(|base| Before { base, line, change: base.of(&function) });
    write_metrics(&mut out, source, then, &function, before.as_ref())?;
    if let Some(said) = base.and_then(|base| base.change(&function)) {
        let _ = writeln!(out, "\n{}", escaped(&said));
    }
    for advised in source_advice(source.document, source.metric, function.id, rules)? {
        write_advice(&mut out, &advised);
    }
    let calls = source_calls(source.document, source.metric, function.id, MOST_CALLS)?;
    write_calls(&mut out, source, "Callers", &calls.callers, links);
    write_calls(&mut out, source, "Callees", &calls.callees, links);
    for note in source_notes(source.document, source.metric, function.id)? {
        let _ = writeln!(out, "\n**{}**\n\n{}", escaped(&note.title), note.text);
    }
    write_instructions(&mut out, source, then)?;
    Ok(Some(out))
}

/// What a rule or a note says, and on what ground.
fn write_advice(out: &mut String, advised: &Advised) {
    let Advised { title, text, link, origin, path, value, share, is_estimated, .. } = advised;
    let _ = write!(out, "\n**{}**", escaped(title));
    if let Some(share) = share {
        let about = if *is_estimated { "about " } else { "" };
        let share = share_text(*share);
        let _ = write!(out, ": {about}{share} of the program ({})", escaped(value));
    } else if !value.is_empty() {
        let _ = write!(out, ": {}", escaped(value));
    }
    if !path.is_empty() {
        let _ = write!(out, ", on the path {}", escaped(path));
    }
    let _ = writeln!(out, "\n\n{}", escaped(text));
    if !link.is_empty() {
        // What would end the link stands in it as a code.
        let link = percent_encoding::utf8_percent_encode(link, IN_LINK);
        let _ = writeln!(out, "\n[More]({link})");
    }
    let _ = writeln!(out, "\n*{}*", escaped(origin));
}

/// Where the lines come from, unless they are what they were.
fn write_known(out: &mut String, how: &Known) {
    let _ = match how {
        Known::Unchanged => Ok(()),
        Known::Seen(written) => writeln!(
            out,
            "The lines are those of the text of {}, brought to this text.\n",
            utc_time(*written)
        ),
        Known::Committed { hash, is_evident } => {
            let short = hash.get(..10).unwrap_or(hash);
            let are = if *is_evident { "are" } else { "are taken to be" };
            writeln!(out, "The lines {are} those of commit {short}, brought to this text.\n")
        }
        Known::Stale { recorded, written } if written <= recorded => writeln!(
            out,
            "The profile was recorded from another version of this file, so values may be at wrong lines: functions and lines are not where the profile has them.\n",
        ),
        Known::Stale { recorded, written } => writeln!(
            out,
            "The file changed since the profile was recorded, so values may be at wrong lines: recorded {}, changed {}.\n",
            utc_time(*recorded),
            utc_time(*written),
        ),
    };
}

/// What the base says of a line that is now at `line`, and of its function.
struct Before<'a> {
    base: &'a Base<'a>,
    line: u32,
    change: FunctionChange<'a>,
}

impl Before<'_> {
    /// Rows with the base's values and their changes to `now`, the values of the line.
    fn write(&self, out: &mut String, now: [i64; 2]) {
        let base = self.base;
        let title = escaped(&base.title) + &base.mean();
        let FunctionChange::Known(change) = self.change else {
            let what = if matches!(self.change, FunctionChange::Nothing) { "none" } else { "–" };
            let _ = writeln!(out, "| in {title} | | | {what} | {what} |");
            return;
        };
        let on_line = base.on_line(self.line).filter(|_| change.total.base != 0);
        let of_line = |which: usize| match on_line {
            Some(then) => (
                escaped(&base.amount_of_line(then[which])),
                base.change_of_line(then[which], now[which]).unwrap_or_default(),
            ),
            None => (String::new(), String::new()),
        };
        let of_function = |change: Change| {
            let size = base.size_of(change).filter(|_| change != Change::default());
            (escaped(&base.amount(change.base)), size.unwrap_or_default())
        };
        let cells = [of_line(0), of_line(1), of_function(change.own), of_function(change.total)];
        let (then, by): (Vec<String>, Vec<String>) = cells.into_iter().unzip();
        let _ = writeln!(out, "| in {title} | {} |", then.join(" | "));
        let _ = writeln!(out, "| change | {} |", by.join(" | "));
    }
}

/// What the base says of a function that only it has.
fn gone(sources: &Sources<'_>, line: u32, rules: &[AdviceRule]) -> Result<Option<String>> {
    let Some(source) = sources.base.as_ref().and_then(|base| base.source.as_ref()) else {
        return Ok(None);
    };
    let then = source.placed.lines.then(line).unwrap_or(0);
    let on_line = source.index.function_on(source.file, then);
    let is_it = |gone: Gone<'_>| {
        gone.line == line || on_line.is_some_and(|function| function.id == gone.function.id)
    };
    let is_gone = sources.base.iter().flat_map(Base::gone).any(is_it);
    let text = if is_gone { text(source, None, line, &HashMap::new(), rules)? } else { None };
    let title = escaped(source.document.title());
    Ok(text.map(|text| format!("Gone; this is what {title} says of it.\n\n{text}")))
}

fn write_metrics(
    out: &mut String,
    source: &Source<'_>,
    line: u32,
    function: &SourceFunction<'_>,
    before: Option<&Before<'_>>,
) -> Result<()> {
    out.push_str("| metric | line self | line total | function self | function total |\n");
    out.push_str("|---|--:|--:|--:|--:|\n");
    let metrics = source.document.metrics();
    // The chosen one first, and never among those that are left out.
    for metric in metrics_from(source.document, source.metric).take(MOST_METRICS) {
        let index = source_index(source.document, metric)?;
        let amounts = Amounts::new(source.document, metric, index.total());
        let on_line = index.line(source.file, line);
        let of_line = on_line.map_or([0, 0], |line| [line.self_value, line.total_value]);
        let function = index.function(function.id);
        let of_function = [function.self_value, function.total_value];
        let mean = amounts.of_runs.after(", ");
        let _ = write!(out, "| {}{mean} |", escaped(&metrics[metric.index()].name));
        for value in of_line.into_iter().chain(of_function) {
            let _ = write!(out, " {} |", escaped(&amounts.text(value)));
        }
        out.push('\n');
        if metric == source.metric
            && let Some(before) = before
        {
            before.write(out, of_line);
        }
    }
    if let Some(more @ 1..) = metrics.len().checked_sub(MOST_METRICS) {
        let _ = writeln!(out, "\n{} more metrics", count(more as u64));
    }
    Ok(())
}

fn write_instructions(out: &mut String, source: &Source<'_>, line: u32) -> Result<()> {
    let all = source_instructions(source.document, source.metric, source.file, line)?;
    if all.is_empty() {
        return Ok(());
    }
    let has_modules = all.iter().any(|one| !one.module.is_empty());
    let has_texts = all.iter().any(|one| !one.text.is_empty());
    out.push_str("\n**Instructions**\n\n| address |");
    out.push_str(if has_modules { " module |" } else { "" });
    out.push_str(if has_texts { " instruction |" } else { "" });
    out.push_str(" self | total |\n|---|");
    out.push_str(if has_modules { "---|" } else { "" });
    out.push_str(if has_texts { "---|--:|--:|\n" } else { "--:|--:|\n" });
    for one in all.iter().take(MOST_INSTRUCTIONS) {
        let [own, total] =
            [one.self_value, one.total_value].map(|value| escaped(&source.amounts.text(value)));
        let _ = write!(out, "| {:#x} |", one.address);
        if has_modules {
            let _ = write!(out, " {} |", escaped(one.module));
        }
        if has_texts {
            let _ = write!(out, " {} |", escaped(one.text));
        }
        let _ = writeln!(out, " {own} | {total} |");
    }
    if let Some(more @ 1..) = all.len().checked_sub(MOST_INSTRUCTIONS) {
        let _ = writeln!(out, "\n{} more instructions", count(more as u64));
    }
    Ok(())
}

fn write_calls(
    out: &mut String,
    source: &Source<'_>,
    title: &str,
    calls: &[Called],
    links: &HashMap<u32, String>,
) {
    if calls.is_empty() {
        return;
    }
    // Calls of a formula are told in the metric that it begins with, which has no share of it.
    let is_derived = source.document.is_derived(source.metric);
    let _ = writeln!(out, "\n**{title}**\n");
    for call in calls {
        let value = if is_derived { String::new() } else { source.amounts.text(call.value) };
        let name = escaped(&call.name);
        let _ = match links.get(&call.key) {
            Some(link) => writeln!(out, "- [{name}]({link}) {}", escaped(&value)),
            None => writeln!(out, "- {name} {}", escaped(&value)),
        };
    }
}
