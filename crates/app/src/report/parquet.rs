//! Reports as Apache Parquet: the rows, each column with a type, and the members of the JSON object in the metadata.

use std::collections::HashMap;
use std::io::Write;
use std::sync::Arc;

use anyhow::{Result, bail};
use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::column::writer::ColumnWriter;
use parquet::data_type::ByteArray;
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;
use session::{NO_VALUE, decimal_text};

use super::rows::{After, Rows};
use super::write::Report;
use super::{Cell, Column, Kind, json};
use crate::text::is_terminal;

/// The key of the file's metadata that holds what JSON has around the rows.
const METADATA: &str = "hotframe";
/// Rows that are handed over at a time.
const BATCH: usize = 1 << 14;
/// Doubles hold whole numbers up to this one without loss.
const EXACT: u64 = 1 << 53;

/// Writes the rows. They are kept until the last one: the library writes column by column.
///
/// # Errors
/// Standard output is a terminal.
pub(super) fn write(report: Report<'_>, out: &mut dyn Write) -> Result<()> {
    let (rows, after) = stored(&report.columns, report.rows)?;
    let around = json::object([&report.head.members, &after.members])?;
    write_stored(&report.columns, rows, around, out)
}

/// Writes the rows of one of several tables. `around` is what JSON has around the tables.
pub(super) fn write_with(report: Report<'_>, around: String, out: &mut dyn Write) -> Result<()> {
    let (rows, _) = stored(&report.columns, report.rows)?;
    write_stored(&report.columns, rows, around, out)
}

/// The cells of all rows, by column.
fn stored(columns: &[Column], rows: Rows<'_>) -> Result<(Vec<Stored>, After)> {
    if is_terminal() {
        bail!("Parquet is not text: write it to a file, with > FILE.parquet");
    }
    let mut stored: Vec<Stored> = columns.iter().map(|_| Stored::default()).collect();
    let after = rows(&mut |row| {
        stored.iter_mut().zip(&row.cells).for_each(|(column, cell)| column.push(Datum::new(cell)));
        Ok(())
    })?;
    Ok((stored, after))
}

fn write_stored(
    columns: &[Column],
    stored: Vec<Stored>,
    around: String,
    out: &mut dyn Write,
) -> Result<()> {
    out.write_all(&encoded(names(columns), columns, stored, around)?)?;
    Ok(())
}

/// The headings, as in CSV. Parquet needs different ones, so the second of a name gets a number.
fn names(columns: &[Column]) -> Vec<String> {
    let mut known = HashMap::<String, u32>::new();
    let headings = columns.iter().map(Column::heading);
    let numbered = headings.map(|heading| {
        let number = known.entry(heading.clone()).or_default();
        *number += 1;
        if *number == 1 { heading } else { format!("{heading} {number}") }
    });
    numbered.collect()
}

fn encoded(
    names: Vec<String>,
    columns: &[Column],
    stored: Vec<Stored>,
    metadata: String,
) -> Result<Vec<u8>, ParquetError> {
    let stored: Vec<Stored> =
        stored.into_iter().zip(columns).map(|(one, column)| one.typed(column.kind)).collect();
    let fields = names.iter().zip(&stored).map(|(name, column)| column.field(name).map(Arc::new));
    let fields = fields.collect::<Result<Vec<_>, _>>()?;
    let schema = Type::group_type_builder("report").with_fields(fields).build()?;
    let properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_created_by("hotframe".to_owned())
        .set_key_value_metadata(Some(vec![KeyValue::new(METADATA.to_owned(), metadata)]))
        .build();
    let mut file = SerializedFileWriter::new(vec![], Arc::new(schema), Arc::new(properties))?;
    let mut group = file.next_row_group()?;
    for column in stored {
        let Some(mut writer) = group.next_column()? else { break };
        column.write(writer.untyped())?;
        writer.close()?;
    }
    group.close()?;
    file.into_inner()
}

/// What a cell is worth.
enum Datum {
    Nothing,
    Text(String),
    Flag(bool),
    Whole(i64),
    Real(f64),
}

impl Datum {
    fn new(cell: &Cell<'_>) -> Datum {
        let real =
            |number: f64| if number.is_finite() { Datum::Real(number) } else { Datum::Nothing };
        let whole = |number: u64| match i64::try_from(number) {
            Ok(number) => Datum::Whole(number),
            Err(_) => Datum::Real(number as f64),
        };
        match cell {
            Cell::Nothing | Cell::Position(0) | Cell::Share(_, 0) => Datum::Nothing,
            Cell::Record(_) | Cell::Records(_) => Datum::Nothing,
            Cell::Value(NO_VALUE, _) | Cell::Change(NO_VALUE, _) => Datum::Nothing,
            Cell::Text(text) => Datum::Text(text.clone().into_owned()),
            Cell::Name(name) => Datum::Text(name.text.clone().into_owned()),
            Cell::Path(names) => Datum::Text(names.join(";")),
            Cell::Count(count) => whole(*count),
            Cell::Position(line) => Datum::Whole((*line).into()),
            Cell::Value(value, measure) | Cell::Change(value, measure) => match measure.decimals {
                0 => Datum::Whole(*value),
                decimals => Datum::Real(nearest(*value, decimals)),
            },
            Cell::Share(part, whole) => real(*part as f64 / *whole as f64),
            Cell::Growth(number) | Cell::Real(number) | Cell::Part(number) => real(*number),
            Cell::Number(number) => match (number.as_i64(), number.as_f64()) {
                (Some(number), _) => Datum::Whole(number),
                (None, number) => number.map_or(Datum::Nothing, real),
            },
            Cell::Holds => Datum::Flag(true),
            Cell::Is(holds) => Datum::Flag(*holds),
        }
    }
}

/// The double that is nearest to a value with decimals.
fn nearest(value: i64, decimals: u8) -> f64 {
    match 10u64.checked_pow(decimals.into()) {
        Some(power) if value.unsigned_abs() <= EXACT && power <= EXACT => {
            value as f64 / power as f64
        }
        _ => decimal_text(value, decimals).parse().unwrap_or(f64::NAN),
    }
}

/// The cells of a column.
#[derive(Default)]
struct Stored {
    /// By row: 1 where there is a value, as the library wants it.
    is_there: Vec<i16>,
    values: Values,
}

/// Values of one type, without the rows that have none.
#[derive(Default)]
enum Values {
    /// None so far.
    #[default]
    Nothing,
    Texts(Texts),
    Flags(Vec<bool>),
    Whole(Vec<i64>),
    Real(Vec<f64>),
}

/// Texts by row, each kept once.
#[derive(Default)]
struct Texts {
    known: HashMap<String, u32>,
    all: Vec<ByteArray>,
    rows: Vec<u32>,
}

impl Texts {
    fn push(&mut self, text: String) {
        let next = self.all.len() as u32;
        let number = *self.known.entry(text).or_insert_with_key(|text| {
            self.all.push(text.as_bytes().to_vec().into());
            next
        });
        self.rows.push(number);
    }
}

impl Stored {
    /// Adds a cell. Where types are mixed, the column becomes one that holds both: whole numbers become doubles, and
    /// what stands beside texts becomes text.
    fn push(&mut self, datum: Datum) {
        self.is_there.push((!matches!(datum, Datum::Nothing)).into());
        self.values = match (std::mem::take(&mut self.values), datum) {
            (values, Datum::Nothing) => values,
            (Values::Nothing, Datum::Flag(flag)) => Values::Flags(vec![flag]),
            (Values::Nothing, Datum::Whole(number)) => Values::Whole(vec![number]),
            (Values::Nothing, Datum::Real(number)) => Values::Real(vec![number]),
            (Values::Flags(mut flags), Datum::Flag(flag)) => {
                flags.push(flag);
                Values::Flags(flags)
            }
            (Values::Whole(mut numbers), Datum::Whole(number)) => {
                numbers.push(number);
                Values::Whole(numbers)
            }
            (Values::Real(mut numbers), Datum::Whole(number)) => {
                numbers.push(number as f64);
                Values::Real(numbers)
            }
            (Values::Real(mut numbers), Datum::Real(number)) => {
                numbers.push(number);
                Values::Real(numbers)
            }
            (Values::Whole(numbers), Datum::Real(number)) => {
                let doubles = numbers.into_iter().map(|number| number as f64);
                Values::Real(doubles.chain([number]).collect())
            }
            (values, datum) => {
                let mut texts = values.texts();
                texts.push(match datum {
                    Datum::Nothing => String::new(),
                    Datum::Text(text) => text,
                    Datum::Flag(flag) => flag.to_string(),
                    Datum::Whole(number) => number.to_string(),
                    Datum::Real(number) => number.to_string(),
                });
                Values::Texts(texts)
            }
        };
    }

    /// The same in the type of its kind. Values that the type cannot hold keep their own.
    fn typed(mut self, kind: Kind) -> Stored {
        self.values = match (self.values, kind) {
            (values, Kind::Text | Kind::Mark | Kind::Name) => Values::Texts(values.texts()),
            (Values::Nothing, Kind::Flag) => Values::Flags(vec![]),
            (Values::Nothing, Kind::Count) => Values::Whole(vec![]),
            (Values::Nothing, _) => Values::Real(vec![]),
            (Values::Whole(numbers), Kind::Value | Kind::Change | Kind::Share) => {
                Values::Real(numbers.into_iter().map(|number| number as f64).collect())
            }
            (values, _) => values,
        };
        self
    }

    fn field(&self, name: &str) -> Result<Type, ParquetError> {
        let (physical, logical) = match self.values {
            Values::Nothing | Values::Texts(_) => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
            Values::Flags(_) => (Physical::BOOLEAN, None),
            Values::Whole(_) => (Physical::INT64, None),
            Values::Real(_) => (Physical::DOUBLE, None),
        };
        Type::primitive_type_builder(name, physical)
            .with_logical_type(logical)
            .with_repetition(Repetition::OPTIONAL)
            .build()
    }

    fn write(&self, writer: &mut ColumnWriter<'_>) -> Result<(), ParquetError> {
        let mut first = 0;
        for is_there in self.is_there.chunks(BATCH) {
            let count = is_there.iter().filter(|&&level| level > 0).count();
            let part = first..first + count;
            first += count;
            let levels = Some(is_there);
            match (&self.values, &mut *writer) {
                (Values::Texts(texts), ColumnWriter::ByteArrayColumnWriter(writer)) => {
                    let of_rows = texts.rows[part].iter();
                    let batch: Vec<ByteArray> =
                        of_rows.map(|&number| texts.all[number as usize].clone()).collect();
                    writer.write_batch(&batch, levels, None)?;
                }
                (Values::Flags(flags), ColumnWriter::BoolColumnWriter(writer)) => {
                    writer.write_batch(&flags[part], levels, None)?;
                }
                (Values::Whole(numbers), ColumnWriter::Int64ColumnWriter(writer)) => {
                    writer.write_batch(&numbers[part], levels, None)?;
                }
                (Values::Real(numbers), ColumnWriter::DoubleColumnWriter(writer)) => {
                    writer.write_batch(&numbers[part], levels, None)?;
                }
                _ => return Err(ParquetError::General("a column has another type".to_owned())),
            }
        }
        Ok(())
    }
}

impl Values {
    /// The same as texts.
    fn texts(self) -> Texts {
        let mut texts = Texts::default();
        match self {
            Values::Texts(texts) => return texts,
            Values::Nothing => {}
            Values::Flags(flags) => flags.iter().for_each(|flag| texts.push(flag.to_string())),
            Values::Whole(all) => all.iter().for_each(|number| texts.push(number.to_string())),
            Values::Real(all) => all.iter().for_each(|number| texts.push(number.to_string())),
        }
        texts
    }
}
