//! The format, and its lines one after the other.

use profile::Profile;

use super::reading::CallgrindParser;
use super::write;
use crate::input::stream::Stream;
use crate::text::lines::Lines;
use crate::{
    About, Carries, Feature, Format, Part, ReadError, ReadOptions, Reader, Sniff, Warnings, Writer,
};

pub(crate) const FORMAT: Format = Format {
    name: "callgrind",
    title: "callgrind call graph (valgrind, xdebug, yappi), cachegrind",
    extensions: &["callgrind", "cachegrind"],
    about: About {
        carries: "every event, calls, functions with file and object, lines, addresses, threads, \
                  parts as members, the command",
        estimates: "call paths, from the call graph; self costs are exact, and total costs of \
                    functions those that callgrind_annotate shows; of what was inlined they are its own \
                    costs with those of calls from there",
        skips: "jumps (counted), formulas of derived events",
        checked_against: "callgrind_annotate, cg_annotate",
    },
    reader: Some(Reader { sniff, read }),
    folder: None,
    writer: Some(Writer {
        carries: Carries {
            kept: &[
                Feature::Nanoseconds,
                Feature::Fractions,
                Feature::Metrics,
                Feature::Units,
                Feature::Modules,
                Feature::Files,
                Feature::Lines,
            ],
            as_labels: &[],
            besides: Carries::nothing,
        },
        parts: &[Part { name: "", write: write::write }],
    }),
};

fn sniff(head: &[u8], _: &str) -> Sniff {
    let text = String::from_utf8_lossy(head);
    let mut lines = text.lines().map(str::trim_end).filter(|line| !line.is_empty()).take(400);
    let Some(first) = lines.next() else { return Sniff::No };
    if first == "# callgrind format" {
        return Sniff::Yes;
    }
    // Without the mark: the events, and a function before the first cost.
    let is_head = |line: &str| {
        line.split_once(':').is_some_and(|(key, _)| {
            ["version", "creator", "cmd", "event", "events", "positions", "pid", "part", "desc"]
                .contains(&key)
        })
    };
    if !is_head(first) && !first.starts_with('#') {
        return Sniff::No;
    }
    let mut lines = std::iter::once(first).chain(lines);
    let has_events = lines.any(|line| line.starts_with("events:"));
    let has_names = lines.any(|line| line.starts_with("fn=") || line.starts_with("fl="));
    let is_callgrind = |line: &str| {
        line.strip_prefix("creator:").is_some_and(|name| name.trim().starts_with("callgrind"))
    };
    let mut head = text.lines().take(20);
    // What it wrote without a single cost has no names.
    if has_events && (has_names || head.any(is_callgrind)) { Sniff::Yes } else { Sniff::No }
}

fn read(
    stream: Stream,
    options: &ReadOptions,
    warnings: &mut Warnings,
) -> Result<Profile, ReadError> {
    let mut lines = Lines::new(stream, FORMAT.name)?;
    let mut reading = CallgrindParser::default();
    while let Some(line) = lines.next_line()? {
        reading.line(line, warnings)?;
        if line.number.is_multiple_of(4096) {
            options.check_memory(reading.builder.heap_bytes() + reading.heap_bytes())?;
        }
    }
    lines.check_skipped(warnings, &["line"])?;
    reading.finish(warnings)
}
