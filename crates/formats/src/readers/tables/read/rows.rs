//! The rows of a table, from CSV or Parquet: the cells of the columns that are wanted, as text.

use csv::StringRecord;

use crate::text::csv_table::unguarded;
use crate::{ReadError, ReadOptions};

use super::table::Table;

/// A row: a cell for each column of its [`Table`].
#[derive(Debug, Clone, Copy)]
pub(super) struct Row<'r> {
    /// Counted from 1.
    pub(super) number: u64,
    pub(super) columns: &'static [&'static str],
    pub(super) cells: &'r StringRecord,
    /// Where in `cells` each column is.
    pub(super) places: &'r [usize],
}

pub(super) type Take<'a> = dyn FnMut(&Row<'_>) -> Result<(), ReadError> + 'a;

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
        #[cfg(feature = "parquet")]
        _ => super::parquet_rows::each(format, table, bytes, options, take),
        #[cfg(not(feature = "parquet"))]
        _ => Err(wrong(format, table, 0, format!("{format} is not read: {options:?}"))),
    }
}

/// The error of a table without a column.
pub(super) fn lacks(format: &'static str, table: Table, column: &str) -> ReadError {
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
        table.place(column, place).ok_or_else(|| lacks(format, table, column))
    });
    let places = places.collect::<Result<Vec<_>, _>>()?;
    let mut cells = StringRecord::new();
    for number in 1.. {
        if !reader.read_record(&mut cells).map_err(|error| unsound(error, number))? {
            break;
        }
        if cells.iter().any(|cell| cell.starts_with('\'')) {
            cells = cells.iter().map(unguarded).collect();
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
