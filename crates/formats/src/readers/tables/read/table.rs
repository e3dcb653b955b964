//! The tables that a folder may have, one after the other.

use profile::Profile;

use super::assemble::Assembly;
use super::rows::Row;
use super::{rows, set};
use crate::input::folder;
use crate::input::folder::{Folder, FolderFile};
use crate::input::stream::Stream;
use crate::{ReadError, ReadOptions, Sniff, Warnings};

/// A table, with the columns that it is read from.
#[derive(Debug, Clone, Copy)]
pub(super) struct Table {
    /// The name of the part.
    pub(super) name: &'static str,
    pub(super) columns: &'static [&'static str],
}

/// Columns that tables need not have: they are empty there.
const YOUNGER: [&str; 3] = ["timing", "is_counted", "instruction"];

impl Table {
    /// Where a column is that was found or not; behind all cells if it need not be there.
    pub(super) fn place(self, column: &str, found: Option<usize>) -> Option<usize> {
        found.or_else(|| YOUNGER.contains(&column).then_some(usize::MAX))
    }
}

const CONTEXTS: Table = Table { name: "contexts", columns: &["context", "parent", "location"] };

const FRAMES: Table = Table {
    name: "frames",
    columns: &[
        "location",
        "function",
        "named",
        "linker_name",
        "file",
        "start_line",
        "start_column",
        "line",
        "column",
        "module",
        "build_id",
        "mapping_start",
        "mapping_limit",
        "mapping_offset",
        "symbolised",
        "address",
        "kind",
        "folded",
        "instruction",
    ],
};

const VALUES: Table = Table {
    name: "values",
    columns: &[
        "point",
        "context",
        "metric_number",
        "value",
        "time_ns",
        "thread_number",
        "cpu",
        "member_number",
        "labels",
    ],
};

const LINKS: Table = Table { name: "links", columns: &["point", "role", "context"] };

const METRICS: Table = Table {
    name: "metrics",
    columns: &[
        "metric_number",
        "metric",
        "unit",
        "decimals",
        "over_contexts",
        "over_time",
        "over_members",
        "timing",
        "is_counted",
        "weight",
        "is_default",
    ],
};

const THREADS: Table = Table {
    name: "threads",
    columns: &[
        "thread_number",
        "thread_id",
        "thread_name",
        "process_number",
        "process_id",
        "process_name",
    ],
};

const MEMBERS: Table = Table {
    name: "members",
    columns: &["member_number", "member", "producer", "host", "time_ns", "duration_ns"],
};

/// Takes a row; the error says what is wrong with it.
type TakeRow = fn(&mut Assembly, &Row<'_>) -> Result<(), String>;

/// All, in the order in which they are read: what others refer to first.
pub(super) const TABLES: [(Table, TakeRow); 7] = [
    (METRICS, Assembly::metric),
    (THREADS, Assembly::thread),
    (MEMBERS, Assembly::member),
    (FRAMES, Assembly::frame),
    (CONTEXTS, Assembly::context),
    (LINKS, Assembly::link),
    (VALUES, Assembly::value),
];

/// The first columns of the tables as CSV has them.
const HEADS: [&str; 7] = [
    "context,parent,location,depth,",
    "frame,location,position,function,",
    "point,context,metric_number,",
    "point,role,context",
    "metric_number,metric,unit,decimals,",
    "thread_number,thread_id,",
    "member_number,member,producer,",
];

pub(in crate::readers::tables) fn sniff_csv(head: &[u8], _: &str) -> Sniff {
    let is_head = HEADS.iter().any(|names| head.starts_with(names.as_bytes()));
    if is_head { Sniff::Yes } else { Sniff::No }
}

#[cfg(feature = "parquet")]
pub(in crate::readers::tables) fn sniff_parquet(head: &[u8], _: &str) -> Sniff {
    if head.starts_with(b"PAR1") { Sniff::Yes } else { Sniff::No }
}

pub(in crate::readers::tables) fn csv_alone(
    _: Stream,
    _: &ReadOptions,
    _: &mut Warnings,
) -> Result<Profile, ReadError> {
    Err(alone("csv"))
}

#[cfg(feature = "parquet")]
pub(in crate::readers::tables) fn parquet_alone(
    _: Stream,
    _: &ReadOptions,
    _: &mut Warnings,
) -> Result<Profile, ReadError> {
    Err(alone("parquet"))
}

/// One table without the others is not a profile.
fn alone(format: &'static str) -> ReadError {
    let names = TABLES.map(|(table, _)| format!("NAME.{}.{format}", table.name)).join(", ");
    ReadError::Incomplete { format, missing: format!("this is one file; together are {names}") }
}

pub(in crate::readers::tables) fn sniff_folder(format: &str, files: &[FolderFile]) -> Sniff {
    // One table may be anything that has such a name.
    let is_known = set::sets(format, files).iter().any(|set| set.len() > 1);
    if is_known { Sniff::Yes } else { Sniff::No }
}

pub(in crate::readers::tables) fn folder(
    format: &'static str,
    folder: &dyn Folder,
    options: &ReadOptions,
) -> Result<Profile, ReadError> {
    // Who names no format must not get one of two profiles.
    let formats = match options.from {
        Some(_) => &[format][..],
        None => &["csv", "parquet"],
    };
    let set = set::only(format, formats, folder.files())?;
    let mut assembly = Assembly::default();
    for (table, take) in TABLES {
        let path = set.path(table.name);
        let bytes = folder::read_whole(folder, path, options)?;
        let size = bytes.len();
        let in_file = |error: ReadError| {
            if error.is_limit() {
                error
            } else {
                ReadError::InFile { path: path.to_owned(), error: Box::new(error) }
            }
        };
        let mut taken = 0u64;
        let mut take_row = |row: &Row<'_>| {
            taken += 1;
            take(&mut assembly, row).map_err(|reason| row.wrong(format, table, reason))?;
            if taken.is_multiple_of(1024) {
                options.check_memory(size.saturating_add(assembly.heap_bytes()))
            } else {
                Ok(())
            }
        };
        rows::each(format, table, bytes, options, &mut take_row).map_err(in_file)?;
        let end = assembly.end(table.name);
        end.map_err(|reason| in_file(rows::wrong(format, table, taken, reason)))?;
    }
    options.check_memory(assembly.heap_bytes())?;
    let mut profile = assembly.finish();
    format.clone_into(&mut profile.origin.format);
    Ok(profile)
}
