//! Texts of lines and tables.

pub(crate) mod csv_table;
pub(crate) mod indented;
pub(crate) mod lines;
pub(crate) mod separated;
pub(crate) mod stack_line;
