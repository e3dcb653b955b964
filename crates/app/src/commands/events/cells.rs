//! Cells and fields of events in reports.

use session::{EventRow, EventsBy, Granularity};

use crate::report::{After, Cell, Column, Fields, Kind, Measure};

/// What is told after the rows where a limit leaves out groups.
pub(super) fn after(left_out: usize, by: EventsBy, notes: Vec<String>) -> After {
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
pub(super) fn has_value(row: &EventRow) -> bool {
    row.measured().any(|value| value != 0.0)
}

/// A value in the unit of its row; metrics have four digits.
pub(super) fn shown(row: &EventRow, value: Option<f64>) -> Cell<'static> {
    let Some(value) = value else { return Cell::text("–") };
    match &row.unit {
        Some(unit) => Cell::Value(value.round() as i64, Measure::new(unit)),
        None => Cell::text(digits(value)),
    }
}

/// In how many of the runs it was measured, if not in all.
pub(super) fn of_some_runs(row: &EventRow) -> String {
    match (row.measured().count(), row.values.len()) {
        (some, all) if some == all => String::new(),
        (some, all) => format!(" (in {some} of {all} runs)"),
    }
}

/// A number with four digits.
pub(super) fn digits(value: f64) -> String {
    let whole = if value == 0.0 { 1 } else { value.abs().log10().floor() as i32 + 1 };
    format!("{value:.*}", usize::try_from(4 - whole.clamp(-4, 4)).unwrap_or(0))
}

/// A value for programs: in the unit of its row, with its decimals.
pub(super) fn exact(row: &EventRow, value: Option<f64>) -> Cell<'static> {
    let decimals = row.unit.as_ref().map_or(0, |unit| unit.decimals);
    Cell::maybe(value, |value| Cell::Real(value / 10f64.powi(decimals.into())))
}

pub(super) fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

/// Adds what a row is of, for programs: group and name.
pub(super) fn named<'a, R: 'a>(
    fields: &mut Fields<'a, R>,
    row: impl Fn(&R) -> &EventRow + Copy + 'a,
) {
    fields.add(Column::exact("group", Kind::Text), move |r, _| Cell::text(&*row(r).group));
    fields.add(Column::exact("event", Kind::Text), move |r, _| Cell::text(&*row(r).name));
    fields.add(Column::exact("unit", Kind::Text), move |r, _| {
        Cell::text(row(r).unit.as_ref().map_or("", |unit| &unit.unit))
    });
    fields.add(Column::exact("better", Kind::Text), move |r, _| {
        Cell::maybe(row(r).better, |better| Cell::text(better.name()))
    });
}
