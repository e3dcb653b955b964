//! `hotframe show --view gaps` and `concurrency`.

use session::{ConcurrencyRow, GapRow, base_name};

use super::{Deep, add_count, add_time, nanoseconds, real};
use crate::arguments::ReportFormat;
use crate::report::{Cell, Column, Fields, Kind, Name};

impl Deep for GapRow {}
impl Deep for ConcurrencyRow {}

pub(super) fn gap_fields<'a>(format: ReportFormat) -> Fields<'a, GapRow> {
    let mut fields = Fields::<GapRow>::new(format);
    fields.add(Column::exact("name", Kind::Text), |row, _| Cell::text(&row.name));
    fields.add(Column::exact("file", Kind::Text), |row, _| Cell::text(&row.file));
    let asynchronous = Column::exact("asynchronous", Kind::Text);
    fields.add(asynchronous, |row, _| Cell::Is(row.is_asynchronous));
    add_time(&mut fields, ["total_ns", "total"], |row| Some(row.total));
    add_count(&mut fields, "count", |row| row.count);
    add_time(&mut fields, ["shortest_ns", "shortest"], |row| Some(row.lengths.shortest));
    add_time(&mut fields, ["median_ns", "median"], |row| Some(row.lengths.median));
    add_time(&mut fields, ["p95_ns", "95 %"], |row| Some(row.lengths.p95));
    fields.add(Column::exact("p99_ns", Kind::Value), {
        let measure = nanoseconds();
        move |row, _| Cell::value(row.lengths.p99, &measure)
    });
    add_time(&mut fields, ["longest_ns", "longest"], |row| Some(row.lengths.longest));
    add_time(&mut fields, ["longest_at_ns", "at"], |row| Some(row.longest.0));
    fields.add(Column::exact("longest_track", Kind::Text), |row, _| Cell::text(&row.longest.1));
    fields.add(Column::shown("between spans of", Kind::Name), |row, _| {
        let remark = if row.is_asynchronous { "asynchronous" } else { "" };
        span_name(&row.name, &row.file, remark)
    });
    fields
}

pub(super) fn concurrency_fields<'a>(format: ReportFormat) -> Fields<'a, ConcurrencyRow> {
    let mut fields = Fields::<ConcurrencyRow>::new(format);
    fields.add(Column::exact("of", Kind::Text), |row, _| Cell::text(row.of));
    fields.add(Column::exact("name", Kind::Text), |row, _| Cell::text(&row.name));
    fields.add(Column::exact("file", Kind::Text), |row, _| Cell::text(&row.file));
    add_count(&mut fields, "most", |row| row.most);
    add_time(&mut fields, ["most_at_ns", "at"], |row| Some(row.most_at));
    add_time(&mut fields, ["most_for_ns", "for"], |row| Some(row.most_for));
    fields.add(Column::shown("mean", Kind::Value), |row, _| real(row.mean));
    fields.add(Column::exact("mean", Kind::Value), |row, _| real(row.mean));
    add_time(&mut fields, ["busy_ns", "any"], |row| Some(row.busy));
    fields.add(Column::shown("at once", Kind::Name), |row, _| {
        span_name(&row.name, &row.file, row.of)
    });
    fields
}

fn span_name<'r>(name: &'r str, file: &'r str, remark: &'r str) -> Cell<'r> {
    let text = if name.is_empty() { "[no frame]" } else { name };
    let (at, remark) = (base_name(file).into(), remark.into());
    Name { text: text.into(), at, remark, ..Name::default() }.into()
}
