//! The format, and its lines one after the other.

use profile::Profile;

use super::reading::HeaptrackParser;
use crate::input::stream::Stream;
use crate::text::lines::Lines;
use crate::{About, Format, ReadError, ReadOptions, Reader, Sniff, Warnings};

pub(crate) const FORMAT: Format = Format {
    name: "heaptrack",
    title: "heaptrack",
    extensions: &["heaptrack", "heaptrack.raw"],
    about: About {
        carries: "allocations, temporary allocations, bytes at the peak, leaked and allocated in \
                  all; leaks that the program or heaptrack suppresses, apart from the others; \
                  stacks with inlined frames, files, lines, modules and addresses; the command",
        estimates: "",
        skips: "how memory grew over time; names in raw files, which only heaptrack_interpret can \
                find",
        checked_against: "heaptrack_print",
    },
    reader: Some(Reader { sniff, read }),
    folder: None,
    writer: None,
};

fn sniff(head: &[u8], _: &str) -> Sniff {
    let mut lines = head.split(|&byte| byte == b'\n');
    let version = lines.next().and_then(|line| line.strip_prefix(b"v "));
    let is_version = version.is_some_and(|line| {
        !line.is_empty()
            && line.len() < 40
            && line.iter().all(|&b| b.is_ascii_hexdigit() || b == b' ' || b == b'\r')
    });
    let is_line = |line: &[u8]| {
        matches!(
            line,
            [b'X' | b'x' | b'I' | b's' | b'm' | b'A' | b'c' | b'S', b' ', ..] | [b'#' | b'A', ..]
        )
    };
    match lines.next() {
        Some(next) if is_version && (is_line(next) || next.is_empty()) => Sniff::Yes,
        _ => Sniff::No,
    }
}

fn read(
    stream: Stream,
    options: &ReadOptions,
    warnings: &mut Warnings,
) -> Result<Profile, ReadError> {
    let mut lines = Lines::new(stream, FORMAT.name)?;
    let mut reading = HeaptrackParser::default();
    while let Some(line) = lines.next_line()? {
        reading.line(line, warnings)?;
        if line.number.is_multiple_of(4096) {
            options.check_memory(reading.heap_bytes())?;
        }
    }
    lines.check_skipped(warnings, &["line"])?;
    Ok(reading.finish(warnings))
}
