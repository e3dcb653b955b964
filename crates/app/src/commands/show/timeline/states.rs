//! `hotframe show --view states`.

use session::StateRow;

use super::{Deep, add_count, add_time};
use crate::arguments::ReportFormat;
use crate::report::{Cell, Column, Fields, Kind, Name};

impl Deep for StateRow {}

/// The columns; shares are of all states of the thread.
pub(super) fn state_fields<'a>(format: ReportFormat) -> Fields<'a, StateRow> {
    let mut fields = Fields::<StateRow>::new(format);
    fields.add(Column::exact("thread", Kind::Text), |row, _| Cell::text(&row.thread));
    fields.add(Column::exact("state", Kind::Text), |row, _| Cell::text(&row.state));
    fields.add(Column::exact("event", Kind::Text), |row, _| Cell::text(&row.event));
    fields.add(Column::exact("by", Kind::Text), |row, _| Cell::text(&row.by));
    add_time(&mut fields, ["time_ns", "time"], |row| Some(row.time));
    fields.add(Column::shown("", Kind::Share), |row, _| Cell::Share(row.time, row.counted));
    add_count(&mut fields, "count", |row| row.count);
    add_time(&mut fields, ["longest_ns", "longest"], |row| Some(row.longest[0]));
    add_time(&mut fields, ["longest_at_ns", "at"], |row| Some(row.longest[1]));
    fields.add(Column::shown("thread", Kind::Name), |row, _| {
        let remark = match (row.event.as_str(), row.by.as_str()) {
            ("", _) => row.state.clone(),
            (event, "") => format!("{} in {event}", row.state),
            (event, by) => format!("{} in {event} by {by}", row.state),
        };
        let text = row.thread.as_str().into();
        Name { text, remark: remark.into(), ..Name::default() }.into()
    });
    fields
}
