//! The summary of a profile: what it is, its metrics and hottest functions, what changed, and how values spread.

use std::fmt::Write as _;

use anyhow::Result;
use protocol::FacetKind;
use session::{
    ChangeOrder, ChangeRow, Compared, MetricId, Verdict, ViewOptions, facet_total, facets,
    flat_report, total_of, unfiltered_total, warnings,
};

use crate::lsp::comparison::Comparison;
use crate::lsp::markdown::escaped;
use crate::lsp::profiles::Profile;
use crate::lsp::source::{Amounts, OfRuns};
use crate::text::{Unit, count, utc_time};

/// Functions of a profile that are listed.
const MOST_FUNCTIONS: usize = 20;

/// Members, threads or values of a label that are listed.
const MOST_FACETS: usize = 12;

/// What a profile is compared with.
pub(super) struct Compare<'a> {
    pub(super) base: &'a Profile,
    pub(super) comparison: &'a Comparison,
    /// The metric of the profile.
    pub(super) metric: MetricId,
}

/// A profile as a page of Markdown, with what changed against a base.
pub(super) fn summary(profile: &Profile, base: Option<&Compare<'_>>) -> Result<String> {
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
        line("Duration", &Unit::new("nanoseconds", 0).text(origin.duration_ns));
    }
    line("Samples", &count(document.profile().points.len() as u64));
    for (warning, times) in warnings(document) {
        line("Warning", &format!("{warning} ({times}×)"));
    }
    let values = OfRuns::new(document, profile.metric).after("- Values: ");
    if !values.is_empty() {
        let _ = writeln!(out, "{values}");
    }
    out.push_str("\n| metric | total |\n|---|--:|\n");
    let metrics = document.metrics();
    for (id, metric) in document.metric_ids().zip(&metrics) {
        let total = unfiltered_total(document, id)?;
        let total = Amounts::new(document, id, total).plain_text(total);
        let _ = writeln!(out, "| {} | {} |", escaped(&metric.name), escaped(&total));
    }
    let options = ViewOptions { metric: profile.metric, ..ViewOptions::default() };
    let (rows, all) = flat_report(document, &options, MOST_FUNCTIONS)?;
    let amounts = Amounts::new(document, profile.metric, total_of(document, &options)?);
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
        write_changes(&mut out, base)?;
    }
    write_facets(&mut out, profile)?;
    Ok(out)
}

/// The functions whose own values changed most, as `hotframe diff` lists them.
fn write_changes(out: &mut String, of: &Compare<'_>) -> Result<()> {
    let title = escaped(of.base.document.title());
    let _ = writeln!(out, "\n## Changes against {title}\n");
    if let Some(why) = of.comparison.problem() {
        let _ = writeln!(out, "They are not compared: {}", escaped(why));
        return Ok(());
    }
    for doubt in of.comparison.doubts() {
        let _ = writeln!(out, "{}\n", escaped(&doubt));
    }
    let Some(changes) = of.comparison.changes(of.metric)? else {
        let _ = writeln!(out, "It has no metric of this name and unit.");
        return Ok(());
    };
    let options = ViewOptions { metric: changes.metric, ..ViewOptions::default() };
    let report =
        |compared: &Compared| compared.flat_report(&options, ChangeOrder::Change, MOST_FUNCTIONS);
    let Some(report) = of.comparison.ask(report) else { return Ok(()) };
    let (rows, all) = report?;
    let is_change = |row: &&ChangeRow| row.own.difference() != 0;
    let changed: Vec<&ChangeRow> = rows.iter().filter(is_change).collect();
    if changed.is_empty() {
        let _ = writeln!(out, "No function's own value changed.");
        return Ok(());
    }
    out.push_str(
        "| self before | self now | change | verdict | function |\n|--:|--:|--:|---|---|\n",
    );
    for row in &changed {
        let own = row.own;
        let [then, now, change] =
            [own.base, own.new, own.difference()].map(|value| escaped(&changes.unit.text(value)));
        let verdict = match row.own_verdict {
            Verdict::Unknown(reason) => format!("unknown: {}", reason.text()),
            known => known.name().to_owned(),
        };
        let label = escaped(&row.row.label);
        let _ = writeln!(out, "| {then} | {now} | {change} | {verdict} | {label} |");
    }
    if changed.len() == rows.len() && all > rows.len() {
        let more = count((all - rows.len()) as u64);
        let _ = writeln!(out, "\n{more} more functions, which changed by no more");
    }
    Ok(())
}

/// How the metric spreads over members, processes, threads, processors and labels.
fn write_facets(out: &mut String, profile: &Profile) -> Result<()> {
    let document = &profile.document;
    let Some(total) = facet_total(document, profile.metric) else { return Ok(()) };
    let amounts = Amounts::new(document, profile.metric, total);
    let all = facets(document, profile.metric)?;
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
            // A run is one of those whose mean is told elsewhere.
            let value = escaped(&match facet.kind {
                FacetKind::Member => amounts.as_it_is(*value),
                _ => amounts.plain_text(*value),
            });
            let _ = writeln!(out, "| {value} | {} |", escaped(&facet.value));
        }
        if let Some(more @ 1..) = of_key.len().checked_sub(MOST_FACETS) {
            let _ = writeln!(out, "\n{} more", count(more as u64));
        }
    }
    Ok(())
}
