//! Reports as values: a head, columns and rows that come one by one. What a command tells is put
//! together once; each format is written in one place.
//!
//! ```text
//! commands/show, diff, sdfg --- Report --- text | markdown     for people
//!                                      \-- json | csv | parquet  for programs
//! ```

mod cell;
mod column;
mod csv;
mod fields;
mod head;
mod json;
mod markdown;
mod parquet;
mod rows;
#[cfg(test)]
mod sample;
mod sections;
mod table;
mod text;
mod write;

pub(crate) use cell::{Cell, Measure, Name, Record, Row, Style};
pub(crate) use column::{Column, Kind};
pub(crate) use fields::Fields;
pub(crate) use head::{Head, Members, Span};
pub(crate) use json::VERSION as JSON_VERSION;
pub(crate) use rows::{After, Sink};
pub(crate) use sections::{Section, Sections};
pub(crate) use table::{of_table, reader};
pub(crate) use write::Report;
