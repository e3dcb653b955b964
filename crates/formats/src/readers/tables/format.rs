//! Both formats.

use super::code::frames;
use super::columns::{contexts, links, values};
#[cfg(feature = "parquet")]
use super::parquet;
use super::runs::{members, metrics, threads};
use super::{csv, read};
use crate::{About, Carries, Feature, FolderReader, Format, Part, Reader, Writer};

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
    skips: "columns that others follow from, and columns that were added by hand",
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
