//! The format.

use super::{read, sniff, write};
use crate::{About, Carries, Feature, Format, Part, Reader, Writer};

pub(crate) const FORMAT: Format = Format {
    name: "pprof",
    title: "pprof profile.proto, plain or gzip",
    extensions: &["pb.gz", "pb", "pprof", "prof"],
    about: About {
        carries: "every sample type with its unit, inlined frames, columns, addresses, modules with \
                  build ids, labels with units, period, comments, drop_frames and keep_frames",
        skips: "unknown fields",
        checked_against: "go tool pprof: -top, -peek, -traces, -raw, filters",
        ..About::NONE
    },
    reader: Some(Reader { sniff: sniff::sniff, read: read::read }),
    folder: None,
    writer: Some(Writer {
        carries: Carries {
            kept: &[
                Feature::Nanoseconds,
                Feature::Decimals,
                Feature::Stackless,
                Feature::Negatives,
                Feature::Metrics,
                Feature::Labels,
                Feature::Modules,
                Feature::Addresses,
                Feature::CallPaths,
                Feature::Units,
                Feature::Files,
                Feature::Lines,
                Feature::Columns,
                Feature::Starts,
                Feature::Separators,
                Feature::Inlining,
                Feature::LinkerNames,
                Feature::Origin,
            ],
            as_labels: &[Feature::Threads, Feature::Processors, Feature::Members],
            besides: Carries::nothing,
        },
        parts: &[Part { name: "", write: write::write }],
    }),
};
