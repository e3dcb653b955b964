//! `hotframe events`: events of recordings, by run.

mod compare;
mod migrations;
mod summary;
mod timeline;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use session::{
    EventReport, EventRow, EventsBy, Granularity, ProfileDocument, ViewOptions, filter_notes,
    without_failed,
};

use crate::arguments::{EventView, Events, EventsCommand, Limits, ViewArguments};
use crate::report::{After, Cell, Column, Fields, Kind, Measure};
use crate::{reading, settings};

/// Tells what events there were.
pub(crate) fn events(arguments: &Events) -> Result<ExitCode> {
    match &arguments.command {
        EventsCommand::Summary(arguments) => {
            summary::summary(arguments)?;
            Ok(ExitCode::SUCCESS)
        }
        EventsCommand::Compare(arguments) => compare::compare(arguments),
        EventsCommand::Timeline(arguments) => {
            timeline::timeline(arguments)?;
            Ok(ExitCode::SUCCESS)
        }
        EventsCommand::Migrations(arguments) => {
            migrations::migrations(arguments)?;
            Ok(ExitCode::SUCCESS)
        }
    }
}

/// Runs that were read, and what is to be known of it.
struct Runs {
    document: ProfileDocument,
    options: ViewOptions,
    warnings: Vec<String>,
}

fn read(files: &[PathBuf], view: &EventView) -> Result<Runs> {
    let runs = read_by(files, &view.limits, &view.view_options, None)?;
    super::check_names(&[&runs.document], &runs.options.filters, "--")?;
    Ok(runs)
}

/// The same; as a side of a comparison without runs that failed, which is told.
fn read_by(
    files: &[PathBuf],
    limits: &Limits,
    view: &ViewArguments,
    side: Option<&str>,
) -> Result<Runs> {
    let mut document = reading::read(files, limits)?;
    super::tell_warnings(&document)?;
    let mut notes = vec![];
    if let Some(side) = side
        && let Some(left) = without_failed(&document, side)?
    {
        document = left.document;
        document.define_fitting(&settings::formulas()?);
        notes.push(left.note);
    }
    super::tell_notes(&notes)?;
    let mut options = reading::view_options(&document, view)?;
    options.role = None;
    super::tell_notes(&filter_notes(&document, &options)?)?;
    let warnings = [super::view_warnings(&document, &options)?, notes].concat();
    Ok(Runs { document, options, warnings })
}

/// Tells what is to be known of reports.
fn tell_notes_of<'a>(reports: impl IntoIterator<Item = &'a EventReport>) -> Result<Vec<String>> {
    let notes: Vec<String> = reports.into_iter().flat_map(|one| one.notes.clone()).collect();
    super::tell_notes(&notes)?;
    Ok(notes)
}

/// What is told after the rows where a limit leaves out groups.
fn after(left_out: usize, by: EventsBy, notes: Vec<String>) -> After {
    let word = match by {
        EventsBy::Frames(by) => match by.granularity {
            Granularity::Line => "lines",
            Granularity::File => "files",
            Granularity::Module => "modules",
            _ => "functions",
        },
        _ => "groups",
    };
    After { notes, ..After::left_out(left_out, word) }
}

/// Whether an event that is shown says something: of several in a recording some never happened.
fn has_value(row: &EventRow) -> bool {
    row.measured().any(|value| value != 0.0)
}

/// A value in the unit of its row; metrics have four digits.
fn shown(row: &EventRow, value: Option<f64>) -> Cell<'static> {
    let Some(value) = value else { return Cell::text("–") };
    match &row.unit {
        Some(unit) => Cell::Value(value.round() as i64, Measure::new(unit)),
        None => Cell::text(digits(value)),
    }
}

/// In how many of the runs it was measured, if not in all.
fn of_some_runs(row: &EventRow) -> String {
    match (row.measured().count(), row.values.len()) {
        (some, all) if some == all => String::new(),
        (some, all) => format!(" (in {some} of {all} runs)"),
    }
}

/// A number with four digits.
fn digits(value: f64) -> String {
    let whole = if value == 0.0 { 1 } else { value.abs().log10().floor() as i32 + 1 };
    format!("{value:.*}", usize::try_from(4 - whole.clamp(-4, 4)).unwrap_or(0))
}

/// A value for programs: in the unit of its row, with its decimals.
fn exact(row: &EventRow, value: Option<f64>) -> Cell<'static> {
    let decimals = row.unit.as_ref().map_or(0, |unit| unit.decimals);
    Cell::maybe(value, |value| Cell::Real(value / 10f64.powi(decimals.into())))
}

fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

/// Adds what a row is of, for programs: group and name.
fn named<'a, R: 'a>(fields: &mut Fields<'a, R>, row: impl Fn(&R) -> &EventRow + Copy + 'a) {
    fields.add(Column::exact("group", Kind::Text), move |r, _| Cell::text(&*row(r).group));
    fields.add(Column::exact("event", Kind::Text), move |r, _| Cell::text(&*row(r).name));
    fields.add(Column::exact("unit", Kind::Text), move |r, _| {
        Cell::text(row(r).unit.as_ref().map_or("", |unit| &unit.unit))
    });
    fields.add(Column::exact("better", Kind::Text), move |r, _| {
        Cell::maybe(row(r).better, |better| Cell::text(better.name()))
    });
}
