//! Reports for the tests of formats.

use super::cell::Row;
use super::column::Column;
use super::head::Head;
use super::rows::{After, Sink};
use super::write::Report;

/// Rows that are there already.
pub(super) fn of_rows<'a>(columns: Vec<Column>, rows: Vec<Row<'static>>) -> Report<'a> {
    let give = move |sink: &mut Sink<'_>| {
        rows.iter().try_for_each(sink)?;
        Ok(After::left_out(2, "functions"))
    };
    Report { head: Head::default(), columns, rows: Box::new(give) }
}
