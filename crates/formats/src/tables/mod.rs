//! Profiles as tables for DuckDB, pandas, Spark and spreadsheets: contexts, frames, values, and
//! the linked contexts of points that have several. Each is a file of its own.
//!
//! ```text
//! values.context --> contexts.context    contexts.location --> frames.location
//! links.point    --> values.point        contexts.parent   --> contexts.context
//! ```

mod columns;
mod csv;
mod parquet;

use crate::{About, Carries, Feature, Format, Part, WriteError, Writer};

use columns::{Column, contexts, frames, links, values};

const CARRIES: Carries = Carries {
    kept: &[
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
        Feature::CallPaths,
        Feature::Units,
        Feature::Files,
        Feature::Lines,
        Feature::Columns,
        Feature::Separators,
        Feature::Inlining,
        Feature::LinkerNames,
    ],
    as_labels: &[],
};

macro_rules! parts {
    ($write:path) => {
        &[
            Part { name: "contexts", write: |profile, out| $write(contexts(profile), out) },
            Part { name: "frames", write: |profile, out| $write(frames(profile), out) },
            Part { name: "values", write: |profile, out| $write(values(profile), out) },
            Part { name: "links", write: |profile, out| $write(links(profile), out) },
        ]
    };
}

pub(crate) const CSV: Format = Format {
    name: "csv",
    title: "tables as CSV (contexts, frames, values, links)",
    extensions: &["csv"],
    about: About::NONE,
    reader: None,
    folder: None,
    writer: Some(Writer { carries: CARRIES, parts: parts!(csv::write) }),
};

pub(crate) const PARQUET: Format = Format {
    name: "parquet",
    title: "tables as Parquet (contexts, frames, values, links)",
    extensions: &["parquet"],
    about: About::NONE,
    reader: None,
    folder: None,
    writer: Some(Writer { carries: CARRIES, parts: parts!(parquet::write) }),
};
