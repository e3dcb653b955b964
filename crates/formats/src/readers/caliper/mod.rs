//! Caliper: its own `.cali` files, and the split JSON (`json-split`) that cali-query makes of them,
//! a table of records whose columns are values or nodes of a tree.

mod attributes;
mod cali;
mod format;
mod records;
mod table;

pub(crate) use format::FORMAT;
