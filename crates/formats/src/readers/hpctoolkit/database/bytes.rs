//! What all files of a database have in common.

use std::ops::Range;

use super::super::FORMAT;
use crate::input::stream::Stream;
use crate::{Place, ReadError, Warnings};

/// Bytes of a file, asked for by their offset in it. What is not there is none.
#[derive(Debug, Clone, Copy)]
pub(super) struct View<'a> {
    bytes: &'a [u8],
    /// Offset of the first byte.
    start: u64,
}

impl<'a> View<'a> {
    pub(super) fn new(bytes: &'a [u8], start: u64) -> Self {
        View { bytes, start }
    }

    pub(super) fn u8(self, offset: u64) -> Option<u8> {
        self.from(offset)?.first().copied()
    }

    pub(super) fn u16(self, offset: u64) -> Option<u16> {
        Some(u16::from_le_bytes(*self.from(offset)?.first_chunk()?))
    }

    pub(super) fn u32(self, offset: u64) -> Option<u32> {
        Some(u32::from_le_bytes(*self.from(offset)?.first_chunk()?))
    }

    pub(super) fn u64(self, offset: u64) -> Option<u64> {
        Some(u64::from_le_bytes(*self.from(offset)?.first_chunk()?))
    }

    /// The bytes up to the next zero byte.
    pub(super) fn text(self, offset: u64) -> Option<&'a [u8]> {
        let bytes = self.from(offset)?;
        bytes.get(..memchr::memchr(0, bytes)?)
    }

    /// The bytes from `offset` on.
    fn from(self, offset: u64) -> Option<&'a [u8]> {
        let skipped = usize::try_from(offset.checked_sub(self.start)?).ok()?;
        self.bytes.get(skipped..)
    }
}

/// Records that follow each other at equal distances.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Array {
    pub(super) start: u64,
    pub(super) count: u64,
    pub(super) stride: u64,
}

impl Array {
    /// Where each record starts.
    pub(super) fn offsets(self) -> impl Iterator<Item = u64> {
        let at = move |row: u64| self.start.saturating_add(row.saturating_mul(self.stride));
        (0..self.count).map(at)
    }

    /// The number of the record that a pointer is to.
    pub(super) fn row(self, pointer: u64) -> Option<usize> {
        let distance = pointer.checked_sub(self.start)?;
        let row = distance.checked_div(self.stride)?;
        let is_exact = distance % self.stride == 0 && row < self.count;
        usize::try_from(row).ok().filter(|_| is_exact)
    }

    /// The array, if its records are at least as long as version 4.0 has them.
    pub(super) fn at_least(self, size: u64, what: &str, place: u64) -> Result<Array, ReadError> {
        if self.count > 0 && self.stride < size {
            let size_found = self.stride;
            let reason = format!("{what} have {size_found} bytes each, version 4.0 has {size}");
            return Err(malformed(place, reason));
        }
        Ok(self)
    }
}

/// Reads the header of a file: where its sections are. `bytes` are the first of the file.
pub(super) fn header(
    bytes: &[u8],
    kind: &str,
    sections: usize,
    warnings: &mut Warnings,
) -> Result<Vec<Range<u64>>, ReadError> {
    let view = View::new(bytes, 0);
    if !bytes.starts_with(MAGIC) || !bytes[MAGIC.len()..].starts_with(kind.as_bytes()) {
        return Err(malformed(0, format!("it does not start with HPCTOOLKIT{kind}")));
    }
    let cut = || truncated(bytes.len() as u64, "in its header");
    let major = view.u8(0x0e).ok_or_else(cut)?;
    let minor = view.u8(0x0f).ok_or_else(cut)?;
    if major != MAJOR {
        return Err(ReadError::Unsupported {
            found: format!("version {major}.{minor} of HPCToolkit's databases"),
            instead: "version 4 is: hpcprof of a release from 2022 on writes it from the \
                      measurements",
        });
    }
    if minor > MINOR {
        warnings.add("minor version", || {
            format!(
                "the {kind} file has version {major}.{minor}: what it has beyond version \
                 {MAJOR}.{MINOR} is not shown"
            )
        });
    }
    let section = |number: u64| {
        let size = view.u64(0x10 + number * 16)?;
        let start = view.u64(0x18 + number * 16)?;
        Some(start..start.saturating_add(size))
    };
    (0..sections as u64).map(section).collect::<Option<_>>().ok_or_else(cut)
}

/// Bytes of a header with so many sections.
pub(super) const fn header_size(sections: usize) -> usize {
    0x10 + 16 * sections
}

/// Moves on to an offset; false if the stream has passed it or ends before it.
pub(super) fn skip_to(stream: &mut Stream, offset: u64) -> Result<bool, ReadError> {
    while stream.place().0 < offset {
        let left = offset - stream.place().0;
        let held = stream.peek(1)?.len();
        if held == 0 {
            return Ok(false);
        }
        stream.consume(usize::try_from(left).map_or(held, |left| left.min(held)));
    }
    Ok(stream.place().0 == offset)
}

/// The bytes of a range that the stream has not passed; as many of them as there are.
pub(super) fn take<'a>(
    stream: &'a mut Stream,
    range: &Range<u64>,
) -> Result<Option<&'a [u8]>, ReadError> {
    if !skip_to(stream, range.start)? {
        return Ok(None);
    }
    let size = usize::try_from(range.end.saturating_sub(range.start)).unwrap_or(usize::MAX / 2);
    let size = size.min(usize::MAX / 2);
    let there = stream.peek(size)?.len().min(size);
    Ok(Some(stream.take(there)))
}

pub(super) fn malformed(place: u64, reason: impl Into<String>) -> ReadError {
    ReadError::Malformed { format: FORMAT.name, place: Place(place), reason: reason.into() }
}

pub(super) fn truncated(place: u64, reason: &str) -> ReadError {
    ReadError::Truncated { format: FORMAT.name, place: Place(place), reason: reason.to_owned() }
}

pub(super) const MAGIC: &[u8] = b"HPCTOOLKIT";
/// The version of the specification that this follows.
const MAJOR: u8 = 4;
const MINOR: u8 = 0;
