//! Bytes to and from [`Profile`]: one module a format, listed in [`FORMATS`].
//!
//! [`read`] opens containers (gzip, zstd, xz, bzip2) and archives (zip, tar), decodes UTF-16, asks
//! every format whether it knows the first bytes and lets the one that does read the rest as a
//! stream. Readers never panic on bytes: what cannot be read is a [`ReadError`] with its place, what
//! could be repaired is a warning.

mod error;
mod features;
mod format;
mod graph;
mod hint;
mod input;
mod json;
mod left_out;
mod limits;
mod numbers;
mod read;
mod read_folder;
mod readers;
mod text;
mod time;
mod warnings;
mod wire;

pub use crate::graph::stack_walker::{
    CopiedStack, StackEnd, StackMapping, StackWalker, StackWalkers,
};
pub use crate::input::folder::{Folder, FolderFile};
pub use crate::text::csv_table::CsvTable;
pub use error::{Place, ReadError, WriteError};
pub use features::{Carries, Feature};
pub use format::{About, Format, SNIFF_BYTES};
pub(crate) use format::{FolderReader, Part, Reader, Sniff, Writer};
pub use limits::ReadOptions;
pub use read::{Opened, Source, Take, claims, format_for_file_name, format_named, read, read_each};
pub use read_folder::{is_folder_part, is_spread, part_siblings, read_folder, read_folder_each};
pub use readers::FORMATS;
pub use warnings::{Warning, Warnings};
