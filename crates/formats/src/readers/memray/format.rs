//! The format, and which of its forms a file is.

use hashbrown::HashMap;
use profile::{Metric, Profile, ProfileBuilder};

use super::statistics::{is_statistics, statistics};
use super::table::{COLUMNS, Table};
use crate::graph::path::Path;
use crate::input::stream::Stream;
use crate::text::lines::Lines;
use crate::text::separated::Records;
use crate::{About, Format, ReadError, ReadOptions, Reader, Sniff, Warnings};

pub(crate) const FORMAT: Format = Format {
    name: "memray",
    title: "memray's CSV and statistics (Python)",
    extensions: &["memray.csv", "stats.json"],
    about: About {
        carries: "CSV: bytes and number of allocations, stacks with Python's and native \
                  functions, files and lines, threads, allocators as labels; statistics: totals, \
                  the locations that allocate most, time, process",
        skips: "statistics: locations that are not listed (they stand together at the root), \
                totals by module",
        checked_against: "memray summary, memray stats",
        ..About::NONE
    },
    reader: Some(Reader { sniff, read }),
    folder: None,
    writer: None,
};

fn sniff(head: &[u8], _: &str) -> Sniff {
    if String::from_utf8_lossy(head).starts_with(COLUMNS) || is_statistics(head) {
        return Sniff::Yes;
    }
    Sniff::No
}

fn read(
    mut stream: Stream,
    options: &ReadOptions,
    warnings: &mut Warnings,
) -> Result<Profile, ReadError> {
    let metric = |name: &str, unit: &str| Metric {
        name: name.into(),
        unit: unit.into(),
        decimals: 0,
        ..Metric::default()
    };
    let metrics = vec![metric("size", "bytes"), metric("num_allocations", "count")];
    let mut builder = ProfileBuilder::new(metrics);
    FORMAT.name.clone_into(&mut builder.origin.format);
    "memray".clone_into(&mut builder.origin.producer);
    if is_statistics(stream.peek(crate::SNIFF_BYTES)?) {
        return statistics(stream, builder, options, warnings);
    }
    let mut table = Table {
        builder,
        locations: HashMap::new(),
        path: Path::default(),
        stack: vec![],
        allocators: HashMap::new(),
        threads: HashMap::new(),
    };
    let mut records = Records::new(Lines::new(stream, FORMAT.name)?, b',');
    let titles = records.next_record()?;
    let has_columns = titles.is_some_and(|titles| {
        COLUMNS.split(',').enumerate().all(|(index, title)| titles.get(index) == title)
    });
    ReadError::unless(has_columns, FORMAT.name, "line of titles (allocator,num_allocations,...)")?;
    let mut count = 0u64;
    while let Some(record) = records.next_record()? {
        table.push(&record, warnings);
        count += 1;
        if count.is_multiple_of(1024) {
            options.check_memory(table.heap_bytes())?;
        }
    }
    records.check_skipped(warnings, &["record"])?;
    Ok(table.builder.finish())
}
