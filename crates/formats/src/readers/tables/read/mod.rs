//! The reader: the tables of a profile, put together again.

mod assemble;
mod code;
#[cfg(feature = "parquet")]
mod parquet_rows;
mod rows;
mod runs;
mod set;
mod table;

pub(super) use set::{is_part, siblings};
pub(super) use table::{csv_alone, folder, sniff_csv, sniff_folder};
#[cfg(feature = "parquet")]
pub(super) use table::{parquet_alone, sniff_parquet};
