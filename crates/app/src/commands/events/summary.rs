//! `hotframe events summary`.

use std::io::{BufWriter, Write};

use anyhow::Result;
use session::{EventReport, EventRow, EventsBy, Unit, events, events_of_frames};

use super::cells::{after, exact, has_value, named, of_some_runs, percent, shown};
use super::reading::{Runs, read, tell_notes_of};
use crate::arguments::{EventsSummary, ReportFormat};
use crate::report::{Cell, Column, Fields, Head, Kind, Measure, Members, Name, Report};

pub(super) fn summary(arguments: &EventsSummary) -> Result<()> {
    let view = &arguments.view;
    let frames = view.frames()?;
    let Runs { document, options, mut warnings } = read(&arguments.files, view)?;
    let report = match frames {
        Some(limits) => events_of_frames(&document, &options, limits)?,
        None => events(&document, &options, view.by)?,
    };
    warnings.extend(tell_notes_of([&report])?);
    let mut out = BufWriter::new(crate::text::stdout());
    table(&report, view.by, view.format, warnings)?.write(view.format, &mut out)?;
    Ok(out.flush()?)
}

fn table(
    report: &EventReport,
    by: EventsBy,
    format: ReportFormat,
    warnings: Vec<String>,
) -> Result<Report<'_>> {
    let is_for_people = format.is_for_people();
    let fields = fields(report, by, format);
    let members = Members::default()
        .with("by", &by.to_string())?
        .with("runs", &report.runs)?
        .with("lengths_ns", &report.lengths)?
        .with("warnings", &warnings)?;
    let rows = report.rows.iter().filter(move |row| !is_for_people || has_value(row));
    let columns = fields.columns();
    let sparse = report.rows.iter().filter(|row| has_value(row) && !row.is_enough).count();
    let mut notes = vec![];
    if sparse > 0 {
        notes.push("(few): a run has fewer than 10 samples there, too few to compare".to_owned());
    }
    Ok(Report {
        head: Head { title: title(report), members, ..Head::default() },
        columns,
        rows: Box::new(move |sink| {
            for row in rows {
                sink(&fields.row(row, &[], 0))?;
            }
            Ok(after(report.left_out, by, notes))
        }),
    })
}

fn title(report: &EventReport) -> String {
    let runs = match &report.runs[..] {
        [run] => run.clone(),
        runs => format!("{} runs, values are medians", runs.len()),
    };
    let unit = Unit::new("nanoseconds", 0);
    let lengths: Vec<String> = {
        let ends = [report.lengths.iter().min(), report.lengths.iter().max()];
        let mut ends: Vec<i64> = ends.into_iter().flatten().copied().collect();
        ends.dedup();
        ends.into_iter().map(|length| unit.text(length)).collect()
    };
    format!("{runs}, {}", lengths.join(" to "))
}

fn fields<'a>(report: &'a EventReport, by: EventsBy, format: ReportFormat) -> Fields<'a, EventRow> {
    let mut fields = Fields::new(format);
    named(&mut fields, |row| row);
    let has_runs = report.runs.len() > 1;
    let title = if has_runs { "median" } else { "count" };
    fields.add(Column::shown(title, Kind::Value), |row, _| shown(row, row.median()));
    if has_runs {
        fields.add(Column::shown("least", Kind::Value), |row, _| {
            shown(row, row.range().map(|[least, _]| least))
        });
        fields.add(Column::shown("most", Kind::Value), |row, _| {
            shown(row, row.range().map(|[_, most]| most))
        });
    }
    let rate = |row: &EventRow| row.median_per_second(&report.lengths);
    fields.add(Column::shown("per second", Kind::Value).wide(11), move |row, _| {
        match (rate(row), &row.unit) {
            (Some(rate), Some(unit)) => Cell::Value(rate.round() as i64, Measure::new(unit)),
            _ => Cell::Nothing,
        }
    });
    fields.add(Column::shown("±", Kind::Text).wide(8), |row, _| {
        Cell::maybe(row.error, |error| Cell::text(percent(error)))
    });
    fields.add(Column::shown("samples", Kind::Count), |row, _| Cell::Count(row.samples));
    if report.rows.iter().any(|row| row.coverage.is_some()) {
        fields.add(Column::shown("counted", Kind::Text).wide(8), |row, _| {
            Cell::maybe(row.coverage, |share| Cell::text(percent(share)))
        });
    }
    fields.add(Column::exact("median", Kind::Value), |row, _| exact(row, row.median()));
    fields.add(Column::exact("least", Kind::Value), |row, _| {
        exact(row, row.range().map(|[least, _]| least))
    });
    fields.add(Column::exact("most", Kind::Value), |row, _| {
        exact(row, row.range().map(|[_, most]| most))
    });
    fields.add(Column::exact("per_second", Kind::Value), move |row, _| exact(row, rate(row)));
    fields.add(Column::exact("error", Kind::Value), |row, _| Cell::maybe(row.error, Cell::Real));
    fields.add(Column::exact("samples", Kind::Count), |row, _| Cell::Count(row.samples));
    fields.add(Column::exact("coverage", Kind::Value), |row, _| {
        Cell::maybe(row.coverage, Cell::Real)
    });
    fields.add(Column::exact("enough", Kind::Flag), |row, _| Cell::Is(row.is_enough));
    let of_runs = Column::exact("values", Kind::Text).only(ReportFormat::Json);
    fields.add(of_runs, |row, _| {
        let told = |(run, value): (u64, &Option<f64>)| {
            vec![("run", Cell::Count(run)), ("value", exact(row, *value))]
        };
        Cell::Records((0..).zip(&row.values).map(told).collect())
    });
    fields.add(Column::shown("event", Kind::Name), move |row, _| {
        let text = match by {
            EventsBy::Total => row.name.clone(),
            _ => format!("{}  {}", row.group, row.name),
        };
        let few = if row.is_enough { "" } else { " (few)" };
        let remark = format!("{few}{}", of_some_runs(row));
        Name { text: text.into(), remark: remark.into(), ..Name::default() }.into()
    });
    fields
}
