//! Both forms as formats, and which of them a file is.

use super::{gecko, processed, slabs, write};
use crate::json::outline::Outline;
use crate::{About, Carries, Feature, Format, Part, Reader, Sniff, Writer};

pub(crate) const FORMAT: Format = Format {
    name: "firefox",
    title: "Firefox Profiler JSON and JsonSlabs (Firefox, samply)",
    extensions: &["firefox.json"],
    about: ABOUT,
    reader: Some(Reader { sniff, read: processed::read }),
    folder: None,
    writer: Some(Writer {
        carries: Carries {
            kept: &[
                Feature::Nanoseconds,
                Feature::Fractions,
                Feature::Stackless,
                Feature::Negatives,
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
                Feature::Timeline,
            ],
            as_labels: &[],
            besides: write::besides,
        },
        parts: &[Part { name: "", write: write::write }],
    }),
};

pub(crate) const GECKO: Format = Format {
    name: "gecko",
    title: "Gecko profile JSON (Firefox itself)",
    extensions: &["gecko.json"],
    about: ABOUT,
    reader: Some(Reader { sniff: sniff_gecko, read: gecko::read }),
    folder: None,
    writer: None,
};

const ABOUT: About = About {
    carries: "samples with their times, weights and CPU time, allocations, stacks with inlined \
              functions, files, lines, columns, libraries, addresses, categories as labels, \
              processes and threads; markers as instants and spans with their fields and stacks, \
              those that overlap beside their thread, counters, memory as what was in use, how \
              much of a processor threads used",
    estimates: "markers that begin and never end are ended with the last event of their thread; \
                what a thread used of a processor is the CPU time of a sample by the time since \
                the one before",
    skips: "screenshots (counted), fields of markers that are lists or objects, outer frames of \
            markers' stacks beyond 16, which implementation ran a function",
    checked_against: "sums by the format's definition",
};

fn sniff(head: &[u8], _: &str) -> Sniff {
    if head.starts_with(slabs::MAGIC) || kind(head) == Some(true) { Sniff::Yes } else { Sniff::No }
}

fn sniff_gecko(head: &[u8], _: &str) -> Sniff {
    if kind(head) == Some(false) { Sniff::Yes } else { Sniff::No }
}

/// Whether the head is that of a processed profile, or not, or none of a profile.
fn kind(head: &[u8]) -> Option<bool> {
    let outline = Outline::new(head)?;
    let is = |path: &[&str]| outline.at(path).is_some();
    if is(&["meta", "preprocessedProfileVersion"]) || is(&["threads", "0", "funcTable"]) {
        return Some(true);
    }
    if is(&["shared", "stringArray"]) || is(&["shared", "stackTable"]) {
        return Some(true);
    }
    let is_gecko = is(&["threads", "0", "stringTable"])
        || is(&["profile", "threads", "0"])
        || is(&["profile", "meta", "interval"])
        || (is(&["profile", "libs"]) && is(&["ticks"]))
        || (is(&["meta", "interval"]) && is(&["meta", "version"]));
    is_gecko.then_some(false)
}
