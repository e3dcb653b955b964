//! The exchange file, as specified by `schema/profile.proto`.

mod columns;
mod facts;
mod format;
mod machines;
mod messages;
mod notes;
mod read;
mod schema;
mod switched_off;
mod tables;
mod timeline;
mod write;

pub(crate) use format::FORMAT;
