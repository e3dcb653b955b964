//! Apache Parquet, columns compressed with Snappy, which every reader of Parquet knows.

use std::io::Write;
use std::sync::Arc;

use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::column::writer::ColumnWriter;
use parquet::data_type::ByteArray;
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;

use super::columns::Cells;
use super::{Column, WriteError};

/// Cells that are handed over at a time.
const BATCH: usize = 1 << 14;

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
                    let levels: Vec<i16> = batch.iter().map(|cell| cell.is_some().into()).collect();
                    let values: Vec<i64> = batch.iter().copied().flatten().collect();
                    writer.write_batch(&values, Some(&levels), None)
                })?;
            }
            (Cells::Real(cells), ColumnWriter::DoubleColumnWriter(writer)) => {
                batches(cells, |batch| writer.write_batch(batch, None, None))?;
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

fn field(column: &Column<'_>) -> Result<Type, ParquetError> {
    let (physical, logical, repetition) = match column.cells {
        Cells::Whole(_) => (Physical::INT64, None, Repetition::OPTIONAL),
        Cells::Real(_) => (Physical::DOUBLE, None, Repetition::REQUIRED),
        Cells::Text(_) => (Physical::BYTE_ARRAY, Some(LogicalType::String), Repetition::REQUIRED),
    };
    Type::primitive_type_builder(&column.name, physical)
        .with_logical_type(logical)
        .with_repetition(repetition)
        .build()
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
