//! `hotframe show` with the views of time: `spans`, `marks`, `timeline` and those below.

mod gaps;
mod path;
mod states;

use std::rc::Rc;

use anyhow::{Result, bail};
use serde::Serialize;
use session::{MarkRow, Metric, SpanRow, TrackRow, base_name, visible};

use super::super::view_warnings;
use super::Asked;
use crate::arguments::{ReportFormat, ReportView};
use crate::report::{
    After, Cell, Column, Fields, Head, Kind, Measure, Members, Name, Report, Sink,
};

/// The report of a view of time.
pub(super) fn report<'a>(asked: &Asked<'a>, view: ReportView) -> Result<Report<'a>> {
    let Asked { document, options, format, limit, .. } = *asked;
    if document.profile().timeline.is_empty() {
        bail!(
            "{} does not tell what happened when: this view is of traces",
            visible(document.title())
        );
    }
    match view {
        ReportView::Spans => {
            let (rows, all) = document.spans_report(options, limit)?;
            let head = head(asked, "spans", "spans by name", &[])?;
            made(head, span_fields(format), (rows, all, "names"))
        }
        ReportView::Gaps => {
            let (rows, all) = document.gaps_report(options, limit)?;
            let head = head(asked, "gaps", "time between spans of a name", &[])?;
            made(head, gaps::gap_fields(format), (rows, all, "names"))
        }
        ReportView::Concurrency => {
            let (rows, all) = document.concurrency_report(options, limit)?;
            let head = head(asked, "concurrency", "how many at once", &[])?;
            made(head, gaps::concurrency_fields(format), (rows, all, "rows"))
        }
        ReportView::CriticalPath => path::report(asked),
        ReportView::States => {
            let (rows, all) = document.states_report(options, limit)?;
            if all == 0 && document.filter_notes(options)?.is_empty() {
                bail!(
                    "{} does not tell when threads ran or what they waited for: their states were \
                     not measured",
                    visible(document.title())
                );
            }
            let head = head(asked, "states", "states of threads", &[])?;
            made(head, states::state_fields(format), (rows, all, "rows"))
        }
        ReportView::Marks => {
            let (rows, all) = document.marks_report(options, limit)?;
            let head = head(asked, "marks", "marks by kind", &[])?;
            made(head, mark_fields(format), (rows, all, "kinds"))
        }
        _ => {
            let (rows, all) = document.tracks_report(options, limit)?;
            let head = head(asked, "timeline", "tracks", &[])?;
            made(head, track_fields(format), (rows, all, "tracks"))
        }
    }
}

#[derive(Serialize)]
struct ProfileJson<'a> {
    title: &'a str,
    format: &'a str,
}

/// What is true of all rows, with notes of the report itself.
fn head(asked: &Asked<'_>, view: &str, shape: &str, notes: &[String]) -> Result<Head> {
    let Asked { document, options, .. } = *asked;
    let profile = document.profile();
    let members = Members::default()
        .with("profile", &ProfileJson { title: document.title(), format: &profile.origin.format })?
        .with("duration_ns", &profile.origin.duration_ns)?
        .with("warnings", &[&view_warnings(document, options)?, notes].concat())?
        .with("view", &view)?
        .with("counted_ns", &document.counted_time(options)?)?;
    Ok(Head {
        title: document.title().to_owned(),
        metric: "time (nanoseconds)".to_owned(),
        view: shape.to_owned(),
        members,
        ..Head::default()
    })
}

/// Rows that know how deep they stand.
trait Deep {
    fn depth(&self) -> u32 {
        0
    }
}

impl Deep for SpanRow {}
impl Deep for MarkRow {}
impl Deep for TrackRow {
    fn depth(&self) -> u32 {
        2 * self.depth
    }
}

fn made<'a, R: Deep + 'a>(
    head: Head,
    fields: Fields<'a, R>,
    (rows, all, what): (Vec<R>, usize, &'static str),
) -> Result<Report<'a>> {
    let columns = fields.columns();
    let rows = move |sink: &mut Sink<'_>| {
        for row in &rows {
            sink(&fields.row(row, &[], row.depth()))?;
        }
        Ok(After::left_out(all - rows.len(), what))
    };
    Ok(Report { head, columns, rows: Box::new(rows) })
}

fn nanoseconds() -> Rc<Measure> {
    Measure::of(&Metric { unit: "nanoseconds".into(), ..Metric::default() })
}

/// A column for people with its unit, and the same for programs in nanoseconds.
fn add_time<'a, R: 'a>(
    fields: &mut Fields<'a, R>,
    [key, title]: [&'static str; 2],
    time: fn(&R) -> Option<i64>,
) {
    let measure = nanoseconds();
    fields.add(Column::shown(title, Kind::Value), move |row, _| {
        Cell::maybe(time(row), |time| Cell::value(time, &measure))
    });
    let measure = nanoseconds();
    fields.add(Column::exact(key, Kind::Value), move |row, _| {
        Cell::maybe(time(row), |time| Cell::value(time, &measure))
    });
}

/// A number without a unit.
fn real(number: f64) -> Cell<'static> {
    Cell::maybe(serde_json::Number::from_f64(number), Cell::Number)
}

fn add_count<'a, R: 'a>(fields: &mut Fields<'a, R>, key: &'static str, count: fn(&R) -> u64) {
    fields.add(Column::shown(key, Kind::Count), move |row, _| Cell::Count(count(row)));
    fields.add(Column::exact(key, Kind::Count), move |row, _| Cell::Count(count(row)));
}

fn span_fields<'a>(format: ReportFormat) -> Fields<'a, SpanRow> {
    let mut fields = Fields::<SpanRow>::new(format);
    fields.add(Column::exact("name", Kind::Text), |row, _| Cell::text(&row.name));
    fields.add(Column::exact("file", Kind::Text), |row, _| Cell::text(&row.file));
    let asynchronous = Column::exact("asynchronous", Kind::Text);
    fields.add(asynchronous, |row, _| Cell::Is(row.is_asynchronous));
    add_time(&mut fields, ["total_ns", "total"], |row| Some(row.total));
    add_time(&mut fields, ["self_ns", "self"], |row| row.self_time);
    add_count(&mut fields, "count", |row| row.count);
    fields.add(Column::exact("unfinished", Kind::Count), |row, _| Cell::Count(row.unfinished));
    fields.add(Column::exact("shortest_ns", Kind::Value), {
        let measure = nanoseconds();
        move |row, _| Cell::maybe(row.lengths, |lengths| Cell::value(lengths.shortest, &measure))
    });
    add_time(&mut fields, ["median_ns", "median"], |row| Some(row.lengths?.median));
    add_time(&mut fields, ["p95_ns", "95 %"], |row| Some(row.lengths?.p95));
    fields.add(Column::exact("p99_ns", Kind::Value), {
        let measure = nanoseconds();
        move |row, _| Cell::maybe(row.lengths, |lengths| Cell::value(lengths.p99, &measure))
    });
    add_time(&mut fields, ["longest_ns", "longest"], |row| Some(row.lengths?.longest));
    add_time(&mut fields, ["longest_at_ns", "at"], |row| Some(row.longest.0));
    fields.add(Column::exact("longest_track", Kind::Text), |row, _| Cell::text(&row.longest.1));
    fields.add(Column::shown("span", Kind::Name), |row, _| {
        let mut remarks = vec![];
        remarks.extend(row.is_asynchronous.then(|| "asynchronous".to_owned()));
        remarks.extend((row.unfinished > 0).then(|| format!("{} unfinished", row.unfinished)));
        let remark = remarks.join(", ");
        let text = if row.name.is_empty() { "[no frame]" } else { &row.name };
        let at = base_name(&row.file).into();
        Name { text: text.into(), at, remark: remark.into(), ..Name::default() }.into()
    });
    fields
}

fn mark_fields<'a>(format: ReportFormat) -> Fields<'a, MarkRow> {
    let mut fields = Fields::<MarkRow>::new(format);
    fields.add(Column::exact("kind", Kind::Text), |row, _| Cell::text(&row.kind));
    add_count(&mut fields, "count", |row| row.count);
    let rate = |row: &MarkRow| Cell::maybe(row.per_second, real);
    fields.add(Column::shown("a second", Kind::Value), move |row, _| rate(row));
    fields.add(Column::exact("per_second", Kind::Value), move |row, _| rate(row));
    add_count(&mut fields, "tracks", |row| row.tracks);
    add_time(&mut fields, ["first_ns", "first"], |row| Some(row.extent[0]));
    add_time(&mut fields, ["last_ns", "last"], |row| Some(row.extent[1]));
    fields.add(Column::shown("mark", Kind::Name), |row, _| {
        Name { text: (&*row.kind).into(), ..Name::default() }.into()
    });
    fields
}

fn track_fields<'a>(format: ReportFormat) -> Fields<'a, TrackRow> {
    let mut fields = Fields::<TrackRow>::new(format);
    fields.add(Column::exact("track", Kind::Text), |row, _| Cell::text(&row.name));
    fields.add(Column::exact("kind", Kind::Text), |row, _| Cell::text(row.kind.name()));
    fields.add(Column::exact("depth", Kind::Count), |row, _| Cell::Count(row.depth.into()));
    add_time(&mut fields, ["busy_ns", "busy"], |row| Some(row.summary.busy));
    fields.add(Column::exact("total_ns", Kind::Value), {
        let measure = nanoseconds();
        move |row, _| Cell::value(row.summary.total, &measure)
    });
    add_count(&mut fields, "spans", |row| row.summary.spans);
    add_count(&mut fields, "samples", |row| row.summary.samples);
    add_count(&mut fields, "marks", |row| row.summary.marks);
    add_count(&mut fields, "counters", |row| row.summary.counters);
    add_time(&mut fields, ["first_ns", "first"], |row| row.summary.extent.map(|one| one[0]));
    add_time(&mut fields, ["last_ns", "last"], |row| row.summary.extent.map(|one| one[1]));
    fields.add(Column::shown("track", Kind::Name), |row, _| {
        let remark = row.kind.name().into();
        Name { text: (&*row.name).into(), remark, ..Name::default() }.into()
    });
    fields
}
