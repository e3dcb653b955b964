//! Comma-separated values, RFC 4180: the first line names the columns, unknown cells are empty,
//! decimal fractions are exact.

use std::io::Write;

use profile::decimal_text;

use super::WriteError;
use super::cells::{Cells, Column};

pub(super) fn write(mut columns: Vec<Column<'_>>, out: &mut dyn Write) -> Result<(), WriteError> {
    for (index, column) in columns.iter().enumerate() {
        separator(index, out)?;
        field(&column.name, out)?;
    }
    out.write_all(b"\n")?;
    'rows: loop {
        for (index, column) in columns.iter_mut().enumerate() {
            // All columns have the same length.
            match &mut column.cells {
                Cells::Whole(cells) => {
                    let Some(cell) = cells.next() else { break 'rows };
                    separator(index, out)?;
                    if let Some(number) = cell {
                        write!(out, "{number}")?;
                    }
                }
                Cells::Unsigned(cells) => {
                    let Some(cell) = cells.next() else { break 'rows };
                    separator(index, out)?;
                    if let Some(number) = cell {
                        write!(out, "{number}")?;
                    }
                }
                Cells::Decimal(_, cells) => {
                    let Some(cell) = cells.next() else { break 'rows };
                    separator(index, out)?;
                    if let Some(number) = cell {
                        out.write_all(decimal_text(number.value, number.decimals).as_bytes())?;
                    }
                }
                Cells::Text(cells) => {
                    let Some(text) = cells.next() else { break 'rows };
                    separator(index, out)?;
                    field(&text, out)?;
                }
            }
        }
        out.write_all(b"\n")?;
    }
    Ok(())
}

fn separator(index: usize, out: &mut dyn Write) -> Result<(), WriteError> {
    if index > 0 {
        out.write_all(b",")?;
    }
    Ok(())
}

fn field(text: &str, out: &mut dyn Write) -> Result<(), WriteError> {
    if text.contains([',', '"', '\n', '\r']) {
        write!(out, "\"{}\"", text.replace('"', "\"\""))?;
    } else {
        out.write_all(text.as_bytes())?;
    }
    Ok(())
}
