//! `hotframe show` with the lists of the timeline: `spans`, `marks`, `timeline` and the like.

use anyhow::{Result, bail};
use serde::Serialize;
use session::{
    ListKind, ListOptions, ProfileDocument, ProfileList, Table, Unit, counted_time,
    critical_path_head, filter_notes, list, list_of, visible,
};

use super::super::notes::{tell_notes, view_warnings};
use super::ReportRequest;
use crate::report::{Head, Members, Report, Span, of_table, reader};

/// The report of a list of the timeline.
pub(super) fn report<'a>(asked: &ReportRequest<'a>, kind: ListKind) -> Result<Report<'a>> {
    let ReportRequest { document, options, format, limit, .. } = *asked;
    check_times(document)?;
    let rows = ListOptions { span: asked.span, ..ListOptions::first(limit, reader(format)) };
    let table = list(document, kind, options, &rows)?;
    let is_unexplained = || Ok::<bool, anyhow::Error>(filter_notes(document, options)?.is_empty());
    if kind == ListKind::ThreadStates && table.total == 0 && is_unexplained()? {
        bail!(
            "{} does not record when threads ran or waited: their states were not \
             measured",
            visible(document.title())
        );
    }
    if format.is_rows() {
        tell_notes(&table.notes)?;
    }
    let mut head = head(asked, list_of(kind), &table)?;
    if kind == ListKind::CriticalPath {
        let Some(path) = critical_path_head(document, options, asked.span)? else {
            let title = visible(document.title());
            if document.profile().timeline.spans.is_empty() {
                bail!("{title} has no spans");
            }
            bail!("{title} has no span to choose: --during or --span names one");
        };
        head.total = vec![
            Span::plain(format!("{} on {}: ", path.span, path.track)),
            Span::strong(Unit::new("nanoseconds", 0).text(path.length)),
        ];
        head.members = head
            .members
            .with("span", &path.span)?
            .with("track", &path.track)?
            .with("begin_ns", &path.extent[0])?
            .with("end_ns", &path.extent[1])?;
    }
    Ok(of_table(head, table, format))
}

/// Lists of the timeline need times.
///
/// # Errors
/// The profile has none.
pub(in crate::commands) fn check_times(document: &ProfileDocument) -> Result<()> {
    if document.profile().timeline.is_empty() {
        bail!("{} has no timestamps: this view needs a trace", visible(document.title()));
    }
    Ok(())
}

#[derive(Serialize)]
struct ProfileJson<'a> {
    title: &'a str,
    format: &'a str,
}

/// What is true of all rows.
fn head(asked: &ReportRequest<'_>, of: &ProfileList, table: &Table) -> Result<Head> {
    let ReportRequest { document, options, .. } = *asked;
    let profile = document.profile();
    let warnings = [view_warnings(document, options)?, table.notes.clone()].concat();
    let members = Members::default()
        .with("profile", &ProfileJson { title: document.title(), format: &profile.origin.format })?
        .with("duration_ns", &profile.origin.duration_ns)?
        .with("warnings", &warnings)?
        .with("view", &of.name)?
        .with("counted_ns", &counted_time(document, options)?)?;
    Ok(Head {
        title: document.title().to_owned(),
        metric: "time (nanoseconds)".to_owned(),
        view: of.title.to_owned(),
        members,
        ..Head::default()
    })
}
