//! Firefox Profiler's formats.

mod write;

use crate::{About, Carries, Feature, Format, Part, Writer};

pub(crate) const FORMAT: Format = Format {
    name: "firefox",
    title: "Firefox Profiler",
    extensions: &["firefox.json"],
    about: About::NONE,
    reader: None,
    folder: None,
    writer: Some(Writer {
        carries: Carries {
            kept: &[
                Feature::Decimals,
                Feature::Times,
                Feature::Threads,
                Feature::Modules,
                Feature::Addresses,
                Feature::CallPaths,
                Feature::Units,
                Feature::Files,
                Feature::Lines,
                Feature::Columns,
                Feature::Separators,
                Feature::Inlining,
            ],
            as_labels: &[],
        },
        parts: &[Part { name: "", write: write::write }],
    }),
};
