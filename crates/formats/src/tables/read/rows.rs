//! The rows of a table, from CSV or Parquet: the cells of the columns that are wanted, as text.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use bytes::Bytes;
use csv::StringRecord;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;
use parquet::schema::types::Type;

use crate::{ReadError, ReadOptions};

use super::Table;

/// A row: a cell for each column of its [`Table`].
#[derive(Debug, Clone, Copy)]
pub(super) struct Row<'r> {
    /// Counted from 1.
    number: u64,
    columns: &'static [&'static str],
    cells: &'r StringRecord,
    /// Where in `cells` each column is.
    places: &'r [usize],
}

type Take<'a> = dyn FnMut(&Row<'_>) -> Result<(), ReadError> + 'a;

impl<'r> Row<'r> {
    /// The text of a column, which must be one of the table's; empty if unknown.
    pub(super) fn text(&self, column: &str) -> &'r str {
        let index = self.columns.iter().position(|&name| name == column);
        debug_assert!(index.is_some(), "{column} is not among {:?}", self.columns);
        index.and_then(|index| self.cells.get(self.places[index])).unwrap_or_default()
    }

    /// The whole number of a column; none if the cell is empty.
    pub(super) fn whole<T: TryFrom<i128>>(&self, column: &str) -> Result<Option<T>, String> {
        let text = self.text(column);
        if text.is_empty() {
            return Ok(None);
        }
        let Some(number) = exact(text, 0) else {
            return Err(format!("{column} is \"{}\", not a whole number", start(text)));
        };
        match T::try_from(number) {
            Ok(number) => Ok(Some(number)),
            Err(_) => Err(format!("{column} is {number}, which is out of its range")),
        }
    }

    /// The whole number of a column, which must be there.
    pub(super) fn needed<T: TryFrom<i128>>(&self, column: &str) -> Result<T, String> {
        self.whole(column)?.ok_or_else(|| format!("{column} is empty"))
    }

    /// The number of a column, which must be there, as one that counts 10^-decimals.
    pub(super) fn fraction(&self, column: &str, decimals: u8) -> Result<i64, String> {
        let text = self.text(column);
        exact(text, decimals).and_then(|number| i64::try_from(number).ok()).ok_or_else(|| {
            format!(
                "{column} is \"{}\", not a number of 64 bits with {decimals} digits after the point",
                start(text)
            )
        })
    }

    /// The error of this row.
    pub(super) fn wrong(&self, format: &'static str, table: Table, reason: String) -> ReadError {
        wrong(format, table, self.number, reason)
    }
}

/// The error of a row.
pub(super) fn wrong(format: &'static str, table: Table, row: u64, reason: String) -> ReadError {
    ReadError::Row { format, table: table.name, row, reason }
}

/// The start of a text, for messages.
fn start(text: &str) -> String {
    text.chars().take(40).collect()
}

/// `-12.50` as a number that counts 10^-decimals; none if that is not exact.
fn exact(text: &str, decimals: u8) -> Option<i128> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let fraction = fraction.trim_end_matches('0');
    if whole.is_empty() || fraction.len() > usize::from(decimals) {
        return None;
    }
    let zeros = std::iter::repeat_n(b'0', usize::from(decimals) - fraction.len());
    let number =
        whole.bytes().chain(fraction.bytes()).chain(zeros).try_fold(0i128, |sum, byte| {
            let digit = byte.is_ascii_digit().then(|| i128::from(byte - b'0'))?;
            sum.checked_mul(10)?.checked_add(digit)
        })?;
    Some(if digits.len() < text.len() { -number } else { number })
}

/// Hands over every row of a table.
pub(super) fn each(
    format: &'static str,
    table: Table,
    bytes: Vec<u8>,
    options: &ReadOptions,
    take: &mut Take<'_>,
) -> Result<(), ReadError> {
    match format {
        "csv" => each_of_csv(format, table, &bytes, take),
        _ => each_of_parquet(format, table, bytes, options, take),
    }
}

fn lacks(format: &'static str, table: Table, column: &str) -> ReadError {
    wrong(format, table, 0, format!("there is no column {column}"))
}

fn each_of_csv(
    format: &'static str,
    table: Table,
    bytes: &[u8],
    take: &mut Take<'_>,
) -> Result<(), ReadError> {
    let plain = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut reader = csv::ReaderBuilder::new().from_reader(plain);
    let unsound = |error: csv::Error, number: u64| {
        let reason = match error.kind() {
            csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
                format!("there are {len} cells instead of {expected_len}")
            }
            csv::ErrorKind::Utf8 { .. } => "the text is not UTF-8".to_owned(),
            _ => error.to_string(),
        };
        wrong(format, table, number, reason)
    };
    let names = reader.headers().map_err(|error| unsound(error, 0))?;
    let places = table.columns.iter().map(|&column| {
        let place = names.iter().position(|name| name == column);
        place.ok_or_else(|| lacks(format, table, column))
    });
    let places = places.collect::<Result<Vec<_>, _>>()?;
    let mut cells = StringRecord::new();
    for number in 1.. {
        if !reader.read_record(&mut cells).map_err(|error| unsound(error, number))? {
            break;
        }
        take(&Row { number, columns: table.columns, cells: &cells, places: &places })?;
    }
    Ok(())
}

fn each_of_parquet(
    format: &'static str,
    table: Table,
    bytes: Vec<u8>,
    options: &ReadOptions,
    take: &mut Take<'_>,
) -> Result<(), ReadError> {
    let size = bytes.len();
    // The library indexes by what stands in the file.
    let read = AssertUnwindSafe(|| packed_rows(format, table, bytes, options, take));
    catch_unwind(read).unwrap_or_else(|_| {
        let reason = format!("its {size} bytes are damaged");
        Err(wrong(format, table, 0, reason))
    })
}

fn packed_rows(
    format: &'static str,
    table: Table,
    bytes: Vec<u8>,
    options: &ReadOptions,
    take: &mut Take<'_>,
) -> Result<(), ReadError> {
    let unsound = |error: &dyn std::fmt::Display| wrong(format, table, 0, error.to_string());
    let reader = SerializedFileReader::new(Bytes::from(bytes)).map_err(|error| unsound(&error))?;
    let metadata = reader.metadata();
    let unpacked = metadata.row_groups().iter().map(|group| group.total_byte_size());
    let unpacked = unpacked.fold(0i64, |sum, size| sum.saturating_add(size.max(0)));
    if unpacked as u64 > options.max_size {
        return Err(options.too_large("unpacked table"));
    }
    // Only the columns that are wanted are unpacked, in the order that the file has them.
    let schema = metadata.file_metadata().schema();
    let wanted = |field: &&Arc<Type>| table.columns.contains(&field.name());
    let fields: Vec<_> = schema.get_fields().iter().filter(wanted).cloned().collect();
    let places = table.columns.iter().map(|&column| {
        let place = fields.iter().position(|field| field.name() == column);
        place.ok_or_else(|| lacks(format, table, column))
    });
    let places = places.collect::<Result<Vec<_>, _>>()?;
    let projection = Type::group_type_builder(schema.name()).with_fields(fields).build();
    let projection = projection.map_err(|error| unsound(&error))?;
    let mut rows = reader.get_row_iter(Some(projection)).map_err(|error| unsound(&error))?;
    let mut cells = StringRecord::new();
    for number in 1.. {
        let Some(row) = rows.next() else { break };
        let row = row.map_err(|error| wrong(format, table, number, error.to_string()))?;
        cells.clear();
        for (_, field) in row.get_column_iter() {
            match field {
                Field::Null => cells.push_field(""),
                Field::Str(text) => cells.push_field(text),
                Field::Bool(is_set) => cells.push_field(if *is_set { "1" } else { "0" }),
                other => cells.push_field(&other.to_string()),
            }
        }
        take(&Row { number, columns: table.columns, cells: &cells, places: &places })?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::exact;

    #[test]
    fn numbers_are_read_exactly_or_not_at_all() {
        for (text, decimals, expected) in [
            ("12", 0, Some(12)),
            ("-12.0", 0, Some(-12)),
            ("1.25", 2, Some(125)),
            ("1.2500", 2, Some(125)),
            ("-0.5", 3, Some(-500)),
            ("9223372036854775.807", 3, Some(i64::MAX.into())),
            ("1.256", 2, None),
            ("", 2, None),
            (".5", 2, None),
            ("-", 0, None),
            ("1e3", 0, None),
            ("+1", 0, None),
            ("NaN", 0, None),
            ("1", 255, None),
        ] {
            assert_eq!(exact(text, decimals), expected, "{text} with {decimals}");
        }
    }
}
