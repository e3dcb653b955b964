//! Packed sections.

use std::io::{self, Read};
use std::sync::Arc;

/// How a section is packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Compression {
    /// As in zlib.
    Zlib,
    /// As in Zstandard.
    Zstd,
}

/// The largest section that is unpacked.
const MAX_SIZE: u64 = 4 << 30;
/// A section of zeros shrinks to a thousandth; debug information does not shrink to a hundredth.
const MAX_RATIO: u64 = 256;

/// The section of exactly `size` bytes; none if what is packed is anything else. Memory grows with what
/// comes out, not with what the header promises.
pub(crate) fn unpack(compression: Compression, packed: &[u8], size: u64) -> Option<Arc<[u8]>> {
    let most = (packed.len() as u64).saturating_mul(MAX_RATIO).saturating_add(64 << 10);
    if size > MAX_SIZE || size > most {
        return None;
    }
    let unpacked = match compression {
        Compression::Zlib => at_most(flate2::read::ZlibDecoder::new(packed), size),
        Compression::Zstd => {
            let decoder = ruzstd::decoding::StreamingDecoder::new(packed).ok()?;
            at_most(decoder, size)
        }
    };
    let bytes = unpacked.ok()?;
    (bytes.len() as u64 == size).then(|| bytes.into())
}

fn at_most(from: impl Read, size: u64) -> io::Result<Vec<u8>> {
    let mut bytes = vec![];
    from.take(size.saturating_add(1)).read_to_end(&mut bytes)?;
    Ok(bytes)
}
