//! The format.

use super::{read, write};
use crate::json::Kind;
use crate::json::outline::Outline;
use crate::{About, Format, Part, Reader, Sniff, Writer};

pub(crate) const FORMAT: Format = Format {
    name: "speedscope",
    title: "speedscope JSON",
    extensions: &["speedscope.json"],
    about: About {
        carries: "every profile of the file as a thread, or as a metric where it has the samples \
                  of the one before in another unit; stacks, files, lines, columns, times; calls of \
                  evented profiles as spans, each profile on its track",
        estimates: "",
        skips: "nothing",
        checked_against: "sums by the specification",
    },
    reader: Some(Reader { sniff, read: read::read }),
    folder: None,
    writer: Some(Writer {
        carries: write::CARRIES,
        parts: &[Part { name: "", write: write::write }],
    }),
};

/// How Hotframe names itself in files.
pub(super) const EXPORTER: &str = "hotframe";

fn sniff(head: &[u8], _: &str) -> Sniff {
    let Some(outline) = Outline::new(head) else { return Sniff::No };
    if outline.string(&["$schema"]).is_some_and(|schema| schema.contains("speedscope.app")) {
        return Sniff::Yes;
    }
    // Without a schema, or before it.
    let is_profile = |key: &str| {
        outline.at(&["profiles", "0", key]).is_some_and(|found| found.kind == Kind::Array)
    };
    let typed = matches!(outline.string(&["profiles", "0", "type"]), Some("sampled" | "evented"));
    let framed = outline.at(&["shared", "frames"]).is_some_and(|found| found.kind == Kind::Array);
    let valued = outline.at(&["profiles", "0", "endValue"]).is_some();
    match (is_profile("events") || is_profile("samples"), typed || valued, framed) {
        (true, true, _) | (_, _, true) => Sniff::Yes,
        _ => Sniff::No,
    }
}
