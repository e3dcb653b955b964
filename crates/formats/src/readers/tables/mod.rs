//! Profiles as tables for DuckDB, pandas, Spark and spreadsheets: contexts, frames, values, the
//! linked contexts of points that have several, and what values belong to: metrics, threads and
//! members. Each is a file of its own; read together they are the profile again.
//!
//! ```text
//! values.context       --> contexts.context        contexts.location --> frames.location
//! values.metric_number --> metrics.metric_number   contexts.parent   --> contexts.context
//! values.thread_number --> threads.thread_number   links.point       --> values.point
//! values.member_number --> members.member_number   links.context     --> contexts.context
//! ```
//! Columns that others follow from (names beside numbers, depths, own and total values) are for
//! queries; reading leaves them alone.

mod cells;
mod code;
mod columns;
mod csv;
mod labels;
#[cfg(feature = "parquet")]
mod parquet;
mod read;
mod runs;

use crate::{About, Carries, Feature, FolderReader, Format, Part, Reader, WriteError, Writer};

use code::frames;
use columns::{contexts, links, values};
use runs::{members, metrics, threads};

const CARRIES: Carries = Carries {
    kept: &[
        Feature::Nanoseconds,
        Feature::Fractions,
        Feature::Stackless,
        Feature::Negatives,
        Feature::Metrics,
        Feature::Decimals,
        Feature::Labels,
        Feature::Times,
        Feature::Threads,
        Feature::Processors,
        Feature::Members,
        Feature::Roles,
        Feature::Kinds,
        Feature::Modules,
        Feature::Addresses,
        Feature::Instructions,
        Feature::Combining,
        Feature::CallPaths,
        Feature::Units,
        Feature::Files,
        Feature::Lines,
        Feature::Columns,
        Feature::Starts,
        Feature::StartColumns,
        Feature::Separators,
        Feature::Inlining,
        Feature::LinkerNames,
    ],
    as_labels: &[],
    besides: Carries::nothing,
};

const ABOUT: About = About {
    carries: "all that is written: every metric with exact decimals and how it combines, call \
              paths, frames with files, lines, columns, modules, addresses, instructions and inlining, labels, \
              times, threads, processors, members, roles",
    estimates: "",
    skips: "columns that others follow from, and columns that somebody added",
    checked_against: "the profile before it was written, field by field",
};

macro_rules! parts {
    ($write:path) => {
        &[
            Part { name: "contexts", write: |profile, out| $write(contexts(profile), out) },
            Part { name: "frames", write: |profile, out| $write(frames(profile), out) },
            Part { name: "values", write: |profile, out| $write(values(profile), out) },
            Part { name: "links", write: |profile, out| $write(links(profile), out) },
            Part { name: "metrics", write: |profile, out| $write(metrics(profile), out) },
            Part { name: "threads", write: |profile, out| $write(threads(profile), out) },
            Part { name: "members", write: |profile, out| $write(members(profile), out) },
        ]
    };
}

pub(crate) const CSV: Format = Format {
    name: "csv",
    title: "tables as CSV: contexts, frames, values, links, metrics, threads, members",
    extensions: &["csv"],
    about: ABOUT,
    reader: Some(Reader { sniff: read::sniff_csv, read: read::csv_alone }),
    folder: Some(FolderReader {
        sniff: |files| read::sniff_folder("csv", files),
        read: |folder, options, _| read::folder("csv", folder, options),
        is_part: |name| read::is_part("csv", name),
        siblings: |name| read::siblings("csv", name),
    }),
    writer: Some(Writer { carries: CARRIES, parts: parts!(csv::write) }),
};

#[cfg(feature = "parquet")]
pub(crate) const PARQUET: Format = Format {
    name: "parquet",
    title: "tables as Parquet: contexts, frames, values, links, metrics, threads, members",
    extensions: &["parquet"],
    about: ABOUT,
    reader: Some(Reader { sniff: read::sniff_parquet, read: read::parquet_alone }),
    folder: Some(FolderReader {
        sniff: |files| read::sniff_folder("parquet", files),
        read: |folder, options, _| read::folder("parquet", folder, options),
        is_part: |name| read::is_part("parquet", name),
        siblings: |name| read::siblings("parquet", name),
    }),
    writer: Some(Writer { carries: CARRIES, parts: parts!(parquet::write) }),
};
