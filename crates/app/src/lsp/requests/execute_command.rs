//! `workspace/executeCommand`: load profiles, tell what they hold.

use std::fmt::Write as _;

use anyhow::Result;
use lsp_types::ExecuteCommandParams;
use serde_json::{Value, json};
use session::ViewOptions;

use crate::lsp::markdown::escaped;
use crate::lsp::profiles::Profile;
use crate::lsp::server::{Refusal, Server};
use crate::lsp::source::Amounts;
use crate::text::{Unit, count, utc_time};

/// The commands.
pub(in crate::lsp) const COMMANDS: [&str; 2] = ["hotframe.open", "hotframe.summary"];

/// Functions of a summary.
const MOST_FUNCTIONS: usize = 20;

pub(in crate::lsp) fn execute_command(
    server: &mut Server,
    params: ExecuteCommandParams,
) -> Result<Value, Refusal> {
    match params.command.as_str() {
        "hotframe.open" => open(server, &params.arguments),
        "hotframe.summary" => {
            let texts: Result<Vec<String>> = server.profiles.iter().map(summary).collect();
            Ok(match texts?.join("\n") {
                none if none.is_empty() => "No profile is loaded.\n".into(),
                text => text.into(),
            })
        }
        other => Err(Refusal::invalid(format!("there is no command {other} here"))),
    }
}

/// Loads profiles; the answer names those that could be read.
fn open(server: &mut Server, arguments: &[Value]) -> Result<Value, Refusal> {
    let paths: Option<Vec<&str>> = arguments.iter().map(Value::as_str).collect();
    let Some(paths) = paths.filter(|paths| !paths.is_empty()) else {
        return Err(Refusal::invalid("hotframe.open takes paths of profiles"));
    };
    let mut opened = vec![];
    for path in paths {
        let path = server.in_workspace(path);
        if server.open(&path) {
            server.active = server.profiles.iter().position(|profile| profile.path == path);
            opened.push(path.to_string_lossy().into_owned());
        }
    }
    if !opened.is_empty() {
        server.refresh();
    }
    Ok(json!({ "opened": opened }))
}

/// A profile as a page of Markdown.
fn summary(profile: &Profile) -> Result<String> {
    let document = &profile.document;
    let origin = &document.profile().origin;
    let mut out = format!("# {}\n\n", escaped(document.title()));
    let mut line = |name: &str, value: &str| {
        if !value.is_empty() {
            let _ = writeln!(out, "- {name}: {}", escaped(value));
        }
    };
    line("Format", &origin.format);
    line("Producer", &origin.producer);
    if origin.time_ns != 0 {
        line("Recorded", &utc_time(origin.time_ns));
    }
    if origin.duration_ns != 0 {
        line("Duration", &Unit::of("nanoseconds", 0).text(origin.duration_ns));
    }
    line("Samples", &count(document.profile().points.len() as u64));
    for (warning, times) in document.warnings() {
        line("Warning", &format!("{warning} ({times}×)"));
    }
    out.push_str("\n| metric | total |\n|---|--:|\n");
    let metrics = document.metrics();
    for (index, metric) in metrics.iter().enumerate() {
        let total = document.unfiltered_total(index)?;
        let total = Unit::of(&metric.unit, metric.decimals).text(total);
        let _ = writeln!(out, "| {} | {} |", escaped(&metric.name), escaped(&total));
    }
    let options = ViewOptions { metric: profile.metric, ..ViewOptions::default() };
    let (rows, all) = document.flat_report(&options, MOST_FUNCTIONS)?;
    let amounts = Amounts::new(document, profile.metric, document.total(&options)?);
    let name = escaped(&metrics[profile.metric].name);
    let _ = writeln!(out, "\n## Functions by {name}\n\n| self | total | function | place |");
    out.push_str("|--:|--:|---|---|\n");
    for row in &rows {
        let [own, total] = [row.self_value, row.total_value].map(|v| escaped(&amounts.text(v)));
        let place = match (row.file.as_str(), row.line) {
            ("", _) => escaped(&row.module),
            (file, 0) => escaped(file),
            (file, line) => escaped(&format!("{file}:{line}")),
        };
        let _ = writeln!(out, "| {own} | {total} | {} | {place} |", escaped(&row.name));
    }
    if let Some(more @ 1..) = all.checked_sub(rows.len()) {
        let _ = writeln!(out, "\n{} more functions", count(more as u64));
    }
    Ok(out)
}
