//! Apache Parquet, columns compressed with Snappy, which every reader of Parquet knows. Decimal
//! fractions are exact: `DECIMAL(38, s)`, with as many digits after the point as the values have.

use std::io::Write;
use std::sync::Arc;

use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::column::writer::ColumnWriter;
use parquet::data_type::{ByteArray, FixedLenByteArray};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;

use super::cells::{Cells, Column, Fraction};
use crate::WriteError;

/// Cells that are handed over at a time.
const BATCH: usize = 1 << 14;

/// Digits that a decimal of 16 bytes has.
const DIGITS: u8 = 38;

pub(super) fn write(columns: Vec<Column<'_>>, out: &mut dyn Write) -> Result<(), WriteError> {
    // The library wants to own what it writes to; the packed table is small.
    let bytes = encode(columns).map_err(|error| WriteError::Unrepresentable {
        format: "parquet",
        reason: error.to_string(),
    })?;
    out.write_all(&bytes)?;
    Ok(())
}

fn encode(columns: Vec<Column<'_>>) -> Result<Vec<u8>, ParquetError> {
    let fields = columns.iter().map(|column| field(column).map(Arc::new));
    let fields = fields.collect::<Result<Vec<_>, _>>()?;
    let schema = Type::group_type_builder("table").with_fields(fields).build()?;
    let properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_created_by("hotframe".to_owned())
        .build();
    let mut file = SerializedFileWriter::new(vec![], Arc::new(schema), Arc::new(properties))?;
    let mut group = file.next_row_group()?;
    for column in columns {
        let Some(mut writer) = group.next_column()? else { break };
        match (column.cells, writer.untyped()) {
            (Cells::Whole(cells), ColumnWriter::Int64ColumnWriter(writer)) => {
                batches(cells, |batch| {
                    let values: Vec<i64> = batch.iter().copied().flatten().collect();
                    writer.write_batch(&values, Some(&levels(batch)), None)
                })?;
            }
            (Cells::Unsigned(cells), ColumnWriter::Int64ColumnWriter(writer)) => {
                batches(cells, |batch| {
                    let values: Vec<i64> =
                        batch.iter().flatten().map(|&number| number as i64).collect();
                    writer.write_batch(&values, Some(&levels(batch)), None)
                })?;
            }
            (Cells::Decimal(scale, cells), ColumnWriter::FixedLenByteArrayColumnWriter(writer)) => {
                batches(cells, |batch| {
                    let values = batch.iter().flatten().map(|&number| decimal(number, scale));
                    let values = values.collect::<Result<Vec<_>, _>>()?;
                    writer.write_batch(&values, Some(&levels(batch)), None)
                })?;
            }
            (Cells::Text(cells), ColumnWriter::ByteArrayColumnWriter(writer)) => {
                batches(cells, |batch| {
                    let texts: Vec<ByteArray> =
                        batch.iter().map(|text| text.as_bytes().to_vec().into()).collect();
                    writer.write_batch(&texts, None, None)
                })?;
            }
            _ => return Err(ParquetError::General("a column has another type".to_owned())),
        }
        writer.close()?;
    }
    group.close()?;
    file.into_inner()
}

/// Which cells of a batch there are.
fn levels<T>(batch: &[Option<T>]) -> Vec<i16> {
    batch.iter().map(|cell| cell.is_some().into()).collect()
}

/// A number with `scale` digits after the point, as 16 bytes.
fn decimal(number: Fraction, scale: u8) -> Result<FixedLenByteArray, ParquetError> {
    let most = 10i128.pow(DIGITS.into());
    let factor = 10i128.checked_pow((scale - number.decimals).into());
    let scaled = factor.and_then(|factor| i128::from(number.value).checked_mul(factor));
    match scaled.filter(|scaled| (1 - most..most).contains(scaled)) {
        Some(scaled) => Ok(ByteArray::from(scaled.to_be_bytes().to_vec()).into()),
        None => Err(ParquetError::General(format!(
            "{} with {scale} digits after the point has more than {DIGITS} digits",
            profile::decimal_text(number.value, number.decimals)
        ))),
    }
}

fn field(column: &Column<'_>) -> Result<Type, ParquetError> {
    let (physical, logical, repetition) = match column.cells {
        Cells::Whole(_) => (Physical::INT64, None, Repetition::OPTIONAL),
        Cells::Unsigned(_) => {
            let unsigned = LogicalType::integer(64, false);
            (Physical::INT64, Some(unsigned), Repetition::OPTIONAL)
        }
        Cells::Decimal(scale, _) => {
            let scale = i32::from(scale);
            let decimal = LogicalType::decimal(scale, DIGITS.into());
            (Physical::FIXED_LEN_BYTE_ARRAY, Some(decimal), Repetition::OPTIONAL)
        }
        Cells::Text(_) => (Physical::BYTE_ARRAY, Some(LogicalType::String), Repetition::REQUIRED),
    };
    let builder = Type::primitive_type_builder(&column.name, physical)
        .with_logical_type(logical)
        .with_repetition(repetition);
    let builder = match column.cells {
        Cells::Decimal(scale, _) => {
            builder.with_length(16).with_precision(DIGITS.into()).with_scale(scale.into())
        }
        _ => builder,
    };
    builder.build()
}

fn batches<T>(
    mut cells: impl Iterator<Item = T>,
    mut write: impl FnMut(&[T]) -> Result<usize, ParquetError>,
) -> Result<(), ParquetError> {
    loop {
        let batch: Vec<T> = cells.by_ref().take(BATCH).collect();
        if batch.is_empty() {
            return Ok(());
        }
        write(&batch)?;
    }
}
