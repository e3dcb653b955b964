//! The summary of a profile: what it is, its metrics and hottest functions, what changed, and how values spread.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::fmt::Write as _;

use anyhow::Result;
use protocol::FacetKind;
use session::{NO_VALUE, ProfileDocument, ViewOptions};

use crate::lsp::base::same_metric;
use crate::lsp::markdown::escaped;
use crate::lsp::profiles::Profile;
use crate::lsp::source::{Amounts, OfRuns};
use crate::text::{Unit, count, utc_time};

/// Functions of a profile that are listed.
const MOST_FUNCTIONS: usize = 20;

/// Functions that are compared: the largest of each side.
const MOST_COMPARED: usize = 50_000;

/// Members, threads or values of a label that are listed.
const MOST_FACETS: usize = 12;

/// A profile as a page of Markdown, with what changed against a base.
pub(super) fn summary(profile: &Profile, base: Option<&Profile>) -> Result<String> {
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
    let values = OfRuns::new(document, profile.metric).after("- Values: ");
    if !values.is_empty() {
        let _ = writeln!(out, "{values}");
    }
    out.push_str("\n| metric | total |\n|---|--:|\n");
    let metrics = document.metrics();
    for (id, metric) in document.metric_ids().zip(&metrics) {
        let total = document.unfiltered_total(id)?;
        let total = Amounts::new(document, id, total).plain_text(total);
        let _ = writeln!(out, "| {} | {} |", escaped(&metric.name), escaped(&total));
    }
    let options = ViewOptions { metric: profile.metric, ..ViewOptions::default() };
    let (rows, all) = document.flat_report(&options, MOST_FUNCTIONS)?;
    let amounts = Amounts::new(document, profile.metric, document.total(&options)?);
    let name = escaped(&metrics[profile.metric.index()].name);
    let _ = writeln!(out, "\n## Functions by {name}\n\n| self | total | function | place |");
    out.push_str("|--:|--:|---|---|\n");
    for row in &rows {
        let [own, total] = [row.self_value, row.total_value].map(|v| escaped(&amounts.text(v)));
        let place = match (row.place.file.as_str(), row.place.line) {
            ("", _) => escaped(&row.place.module),
            (file, 0) => escaped(file),
            (file, line) => escaped(&format!("{file}:{line}")),
        };
        let _ = writeln!(out, "| {own} | {total} | {} | {place} |", escaped(&row.name));
    }
    if let Some(more @ 1..) = all.checked_sub(rows.len()) {
        let _ = writeln!(out, "\n{} more functions", count(more as u64));
    }
    if let Some(base) = base {
        write_changes(&mut out, profile, base)?;
    }
    write_facets(&mut out, profile)?;
    Ok(out)
}

/// The functions whose own values changed most, where both profiles are single runs.
fn write_changes(out: &mut String, profile: &Profile, base: &Profile) -> Result<()> {
    let (now, then) = (&profile.document, &base.document);
    let title = escaped(then.title());
    let _ = writeln!(out, "\n## Changes against {title}\n");
    let Some(metric) = same_metric(then, now, profile.metric) else {
        let _ = writeln!(out, "It has no metric of this name and unit.");
        return Ok(());
    };
    if [now, then].iter().any(|document| document.profile().members.len() > 1) {
        let _ = writeln!(out, "Several runs are compared in the picture.");
        return Ok(());
    }
    let of = |document: &ProfileDocument, metric| -> Result<HashMap<_, i64>> {
        let options = ViewOptions { metric, ..ViewOptions::default() };
        let (rows, _) = document.flat_report(&options, MOST_COMPARED)?;
        let values = rows.into_iter().map(|row| (row.label, row.self_value));
        Ok(values.filter(|&(_, value)| value != NO_VALUE).collect())
    };
    let (values, before) = (of(now, profile.metric)?, of(then, metric)?);
    let mut names: Vec<&String> = values.keys().chain(before.keys()).collect();
    names.sort_unstable();
    names.dedup();
    let value = |of: &HashMap<String, i64>, name: &String| of.get(name).copied().unwrap_or(0);
    let change = |name: &String| value(&values, name).saturating_sub(value(&before, name));
    names.retain(|name| change(name) != 0);
    names.sort_by_key(|name| (Reverse(change(name).unsigned_abs()), (*name).clone()));
    if names.is_empty() {
        let _ = writeln!(out, "No function's own value changed.");
        return Ok(());
    }
    let options = ViewOptions { metric: profile.metric, ..ViewOptions::default() };
    let amounts = Amounts::new(now, profile.metric, now.total(&options)?);
    out.push_str("| self before | self now | change | function |\n|--:|--:|--:|---|\n");
    for name in names.iter().take(MOST_FUNCTIONS) {
        let [then, now, change] = [value(&before, name), value(&values, name), change(name)]
            .map(|value| escaped(&amounts.plain_text(value)));
        let _ = writeln!(out, "| {then} | {now} | {change} | {} |", escaped(name));
    }
    if let Some(more @ 1..) = names.len().checked_sub(MOST_FUNCTIONS) {
        let _ = writeln!(out, "\n{} more functions changed", count(more as u64));
    }
    Ok(())
}

/// How the metric spreads over members, processes, threads, processors and labels.
fn write_facets(out: &mut String, profile: &Profile) -> Result<()> {
    let document = &profile.document;
    let Some(total) = document.facet_total(profile.metric) else { return Ok(()) };
    let amounts = Amounts::new(document, profile.metric, total);
    let all = document.facets(profile.metric)?;
    for of_key in
        all.chunk_by(|(one, _), (other, _)| one.kind == other.kind && one.key == other.key)
    {
        let (first, _) = &of_key[0];
        let title = match first.kind {
            FacetKind::Member => "Members".to_owned(),
            FacetKind::Process => "Processes".to_owned(),
            FacetKind::Thread => "Threads".to_owned(),
            FacetKind::Cpu => "Processors".to_owned(),
            FacetKind::Label => format!("Label {}", first.key),
        };
        let _ = writeln!(out, "\n## {}\n\n| value | |\n|--:|---|", escaped(&title));
        for (facet, value) in of_key.iter().take(MOST_FACETS) {
            let value = escaped(&amounts.plain_text(*value));
            let _ = writeln!(out, "| {value} | {} |", escaped(&facet.value));
        }
        if let Some(more @ 1..) = of_key.len().checked_sub(MOST_FACETS) {
            let _ = writeln!(out, "\n{} more", count(more as u64));
        }
    }
    Ok(())
}
