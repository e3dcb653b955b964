//! HPCToolkit's databases: folders, each of which is one profile.

mod database;
mod format;
mod metric_db;
mod names;
mod xml;

pub(crate) use format::FORMAT;
