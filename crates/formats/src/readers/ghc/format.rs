//! The format, and which of its forms a file is.

use profile::Profile;

use super::{json, text};
use crate::input::stream::Stream;
use crate::{About, Format, ReadError, ReadOptions, Reader, SNIFF_BYTES, Sniff, Warnings};

pub(crate) const FORMAT: Format = Format {
    name: "ghc",
    title: "GHC's cost centre profiles (.prof, JSON)",
    extensions: &["prof"],
    about: About {
        carries: "the tree of cost centres with ticks, bytes and entries, modules, places in the \
                  source, the command",
        estimates: "files of -p know shares of one decimal only; those of -P are exact",
        skips: "the flat table, which is a sum of the tree",
        checked_against: "the flat table of the same file",
    },
    reader: Some(Reader { sniff, read }),
    folder: None,
    writer: None,
};

fn sniff(head: &[u8], _: &str) -> Sniff {
    text::sniff(head).max(json::sniff(head))
}

fn read(
    mut stream: Stream,
    options: &ReadOptions,
    warnings: &mut Warnings,
) -> Result<Profile, ReadError> {
    if json::sniff(stream.peek(SNIFF_BYTES)?) == Sniff::Yes {
        return json::read(stream, options, warnings);
    }
    text::read(stream, options, warnings)
}
