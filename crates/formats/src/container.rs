//! Compression around a profile.

use std::io::{self, Read};

use crate::stream::MarkedError;

use crate::{Place, ReadError};

/// A container.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Container {
    /// RFC 1952, any number of members.
    Gzip,
    /// RFC 8878, any number of frames.
    Zstd,
}

/// What unpacks it is large, and few files have it around them.
const HAS_ZSTD: bool = cfg!(feature = "rare");

impl Container {
    /// Whether this build does not unpack it.
    fn is_left_out(self) -> bool {
        self == Container::Zstd && !HAS_ZSTD
    }

    /// Name for people.
    pub fn name(self) -> &'static str {
        match self {
            Container::Gzip => "gzip",
            Container::Zstd => "zstd",
        }
    }

    /// Its usual file name ending.
    pub(crate) fn ending(self) -> &'static str {
        match self {
            Container::Gzip => ".gz",
            Container::Zstd => ".zst",
        }
    }

    fn of(head: &[u8]) -> Option<Container> {
        match head {
            [0x1f, 0x8b, ..] => Some(Container::Gzip),
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Some(Container::Zstd),
            _ => None,
        }
    }
}

/// Calls `consume` with the unpacked bytes. Where there are threads, unpacking runs ahead on one
/// of its own: the profile is decoded while it is inflated, and neither form is held whole.
pub(crate) fn open<T>(
    mut bytes: Box<dyn Read + Send + '_>,
    consume: impl FnOnce(Box<dyn Read + '_>, Option<Container>) -> Result<T, ReadError>,
) -> Result<T, ReadError> {
    let mut head = Vec::with_capacity(4);
    bytes.by_ref().take(4).read_to_end(&mut head).map_err(ReadError::Io)?;
    let container = Container::of(&head);
    let rest = io::BufReader::with_capacity(256 << 10, io::Cursor::new(head).chain(bytes));
    let Some(container) = container else { return consume(Box::new(rest), None) };
    if container.is_left_out() {
        return Err(ReadError::LeftOut);
    }
    let unpacked = move || -> io::Result<Box<dyn Read + '_>> {
        Ok(match container {
            Container::Zstd if HAS_ZSTD => Box::new(ZstdFrames::new(rest)),
            Container::Gzip | Container::Zstd => {
                Box::new(flate2::bufread::MultiGzDecoder::new(rest))
            }
        })
    };
    let marked = move || Ok(MarkedError::new(unpacked()?, container.name()));
    #[cfg(not(target_family = "wasm"))]
    {
        std::thread::scope(|scope| {
            let ahead = crate::stream::ReadAhead::spawn(scope, marked);
            consume(Box::new(ahead), Some(container))
        })
    }
    #[cfg(target_family = "wasm")]
    {
        let unpacked = marked().map_err(ReadError::Io)?;
        consume(Box::new(unpacked), Some(container))
    }
}

/// Zstd frames one after the other.
struct ZstdFrames<R: io::BufRead> {
    state: ZstdState<R>,
}

enum ZstdState<R: io::BufRead> {
    Between(R),
    Inside(Box<ruzstd::decoding::StreamingDecoder<R, ruzstd::decoding::FrameDecoder>>),
    Done,
}

impl<R: io::BufRead> ZstdFrames<R> {
    fn new(bytes: R) -> Self {
        ZstdFrames { state: ZstdState::Between(bytes) }
    }
}

impl<R: io::BufRead> Read for ZstdFrames<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if out.is_empty() {
            return Ok(0);
        }
        loop {
            match std::mem::replace(&mut self.state, ZstdState::Done) {
                ZstdState::Between(mut bytes) => {
                    if bytes.fill_buf()?.is_empty() {
                        return Ok(0);
                    }
                    let decoder =
                        ruzstd::decoding::StreamingDecoder::new(bytes).map_err(invalid)?;
                    self.state = ZstdState::Inside(Box::new(decoder));
                }
                ZstdState::Inside(mut decoder) => match decoder.read(out).map_err(invalid)? {
                    0 => self.state = ZstdState::Between(decoder.into_inner()),
                    count => {
                        self.state = ZstdState::Inside(decoder);
                        return Ok(count);
                    }
                },
                ZstdState::Done => return Ok(0),
            }
        }
    }
}

fn invalid(error: impl std::fmt::Display) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, error.to_string())
}

/// The reader's error for a failed read of unpacked bytes.
pub(crate) fn read_error(error: io::Error, place: Place) -> ReadError {
    match error.get_ref().and_then(|inner| inner.downcast_ref::<crate::stream::ContainerFault>()) {
        Some(fault) if fault.truncated => ReadError::Truncated {
            format: fault.container,
            place,
            reason: format!("in the middle of its {} data", fault.container),
        },
        Some(fault) => {
            ReadError::Container { container: fault.container, place, reason: fault.reason.clone() }
        }
        None => ReadError::Io(error),
    }
}
