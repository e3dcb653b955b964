//! The format.

use super::{read, write};
use crate::{About, Carries, Format, Part, Reader, Sniff, Writer};

pub(crate) const FORMAT: Format = Format {
    name: "hotframe",
    title: "Hotframe exchange file",
    extensions: &["hotframe", "hotframe.gz"],
    about: About {
        carries: "everything that a profile has: all other formats pass through it unchanged",
        skips: "fields of later versions",
        checked_against: "the builders for C, C++, Python, Go, Rust and JavaScript, which encode on their own",
        ..About::NONE
    },
    reader: Some(Reader { sniff, read: read::read }),
    folder: None,
    writer: Some(Writer {
        carries: Carries::ALL,
        parts: &[Part { name: "", write: write::write }],
    }),
};

pub(super) const MAGIC: &str = "hotframe profile";

/// The version that is written; files of earlier ones are read, too.
pub(super) const VERSION: u64 = 2;

fn sniff(head: &[u8], _: &str) -> Sniff {
    match head.strip_prefix(&[0x0a, MAGIC.len() as u8]) {
        Some(rest) if rest.starts_with(MAGIC.as_bytes()) => Sniff::Yes,
        _ => Sniff::No,
    }
}
