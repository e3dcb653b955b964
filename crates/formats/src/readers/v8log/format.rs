//! The format, and which of its forms a file is.

use profile::Profile;

use super::{preprocessed, text};
use crate::input::stream::Stream;
use crate::{About, Format, ReadError, ReadOptions, Reader, SNIFF_BYTES, Sniff, Warnings};

pub(crate) const FORMAT: Format = Format {
    name: "v8log",
    title: "log of V8's profiler (node --prof)",
    extensions: &["v8.log"],
    about: About {
        carries: "ticks with their times, stacks of JavaScript, built-ins and shared libraries, \
                  states of the machine, how code was compiled",
        estimates: "",
        skips: "lines inside of functions, names of C++ functions, entries other than ticks and \
                code (counted)",
        checked_against: "node --prof-process",
    },
    reader: Some(Reader { sniff, read }),
    folder: None,
    writer: None,
};

fn sniff(head: &[u8], _: &str) -> Sniff {
    text::sniff(head).max(preprocessed::sniff(head))
}

fn read(
    mut stream: Stream,
    options: &ReadOptions,
    warnings: &mut Warnings,
) -> Result<Profile, ReadError> {
    if preprocessed::sniff(stream.peek(SNIFF_BYTES)?) == Sniff::Yes {
        return preprocessed::read(stream, options, warnings);
    }
    text::read(stream, options, warnings)
}
