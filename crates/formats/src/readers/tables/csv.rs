//! Comma-separated values: the first line names the columns, unknown cells are empty, decimal
//! fractions are exact.

use std::io::Write;

use profile::decimal_text;

use super::cells::{Cells, Column};
use crate::WriteError;
use crate::text::csv_table::CsvTable;

pub(super) fn write(mut columns: Vec<Column<'_>>, out: &mut dyn Write) -> Result<(), WriteError> {
    let mut table = CsvTable::new(out);
    for column in &columns {
        table.text(&column.name)?;
    }
    table.end_row()?;
    // All columns have the same length.
    while row(&mut columns, &mut table)?.is_some() {
        table.end_row()?;
    }
    table.finish()?;
    Ok(())
}

/// Writes a row, if there is one more.
fn row(
    columns: &mut [Column<'_>],
    table: &mut CsvTable<&mut dyn Write>,
) -> Result<Option<()>, WriteError> {
    for column in columns {
        let number = match &mut column.cells {
            Cells::Whole(cells) => cells.next().map(|cell| cell.map(|number| number.to_string())),
            Cells::Unsigned(cells) => {
                cells.next().map(|cell| cell.map(|number| number.to_string()))
            }
            Cells::Decimal(_, cells) => cells
                .next()
                .map(|cell| cell.map(|number| decimal_text(number.value, number.decimals))),
            Cells::Text(cells) => {
                let Some(text) = cells.next() else { return Ok(None) };
                table.text(&text)?;
                continue;
            }
        };
        match number {
            Some(Some(number)) => table.exact(number)?,
            Some(None) => table.empty()?,
            None => return Ok(None),
        }
    }
    Ok(Some(()))
}
