//! The rows of a table in Parquet.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use bytes::Bytes;
use csv::StringRecord;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;
use parquet::schema::types::Type;

use super::rows::{Row, Take, lacks, wrong};
use super::table::Table;
use crate::{ReadError, ReadOptions};

/// Hands over every row of a table.
pub(super) fn each(
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
        table.place(column, place).ok_or_else(|| lacks(format, table, column))
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
