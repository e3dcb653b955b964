//! Compression around a profile.

use std::io::{self, BufRead, Read};

use crate::input::container_kind::Container;
use crate::input::stream::MarkedError;
use crate::{Place, ReadError, ReadOptions};

/// Containers in one another; nobody means more.
const MOST: usize = 5;

/// The first bytes that tell a container.
const HEAD: usize = 6;

impl Container {
    /// Its content.
    fn unpack<'a>(self, bytes: impl BufRead + 'a, options: &ReadOptions) -> Box<dyn Read + 'a> {
        match self {
            Container::Gzip => Box::new(flate2::bufread::MultiGzDecoder::new(bytes)),
            #[cfg(feature = "rare")]
            Container::Zstd => Box::new(ZstdFrames::new(bytes)),
            #[cfg(feature = "rare")]
            Container::Xz => Box::new(Xz::new(bytes, options)),
            #[cfg(feature = "rare")]
            Container::Bzip2 => Box::new(bzip2::bufread::MultiBzDecoder::new(bytes)),
            #[cfg(not(feature = "rare"))]
            _ => {
                let _ = options;
                Box::new(LeftOut)
            }
        }
    }
}

/// Calls `consume` with the unpacked bytes, and the outermost container. Where there are threads, unpacking runs
/// ahead on one of its own: the profile is decoded while it is inflated, and neither form is held whole.
pub(crate) fn open<T>(
    bytes: Box<dyn Read + Send + '_>,
    options: &ReadOptions,
    consume: impl FnOnce(Box<dyn Read + '_>, Option<Container>) -> Result<T, ReadError>,
) -> Result<T, ReadError> {
    let (head, rest) = head_of(bytes).map_err(ReadError::Io)?;
    let Some(container) = Container::new(&head) else { return consume(Box::new(rest), None) };
    if container.is_left_out() {
        return Err(ReadError::LeftOut);
    }
    let unpacked = move || unpack_all(container, rest, options);
    #[cfg(not(target_family = "wasm"))]
    {
        std::thread::scope(|scope| {
            let ahead = crate::input::stream::ReadAhead::spawn(scope, unpacked);
            consume(Box::new(ahead), Some(container))
        })
    }
    #[cfg(target_family = "wasm")]
    {
        let unpacked = unpacked().map_err(|error| read_error(error, Place(0)))?;
        consume(unpacked, Some(container))
    }
}

/// The first bytes, and all of them.
fn head_of<R: Read>(mut bytes: R) -> io::Result<(Vec<u8>, impl BufRead)> {
    let mut head = Vec::with_capacity(HEAD);
    bytes.by_ref().take(HEAD as u64).read_to_end(&mut head)?;
    let all = io::Cursor::new(head.clone()).chain(bytes);
    Ok((head, io::BufReader::with_capacity(256 << 10, all)))
}

/// What is in containers that are in one another.
fn unpack_all<'a>(
    mut container: Container,
    bytes: impl BufRead + 'a,
    options: &ReadOptions,
) -> io::Result<Box<dyn Read + 'a>> {
    let mut bytes: Box<dyn BufRead + 'a> = Box::new(bytes);
    for _ in 0..MOST {
        let unpacked = MarkedError::new(container.unpack(bytes, options), container.name());
        let (head, all) = head_of(unpacked)?;
        match Container::new(&head) {
            None => return Ok(Box::new(all)),
            Some(inner) if inner.is_left_out() => return Err(io::Error::other(ReadError::LeftOut)),
            Some(inner) => (container, bytes) = (inner, Box::new(all)),
        }
    }
    Err(io::Error::other(ReadError::Unsupported {
        found: format!("what is packed more than {MOST} times"),
        instead: "unpack it before",
    }))
}

/// Xz, whose files say how much memory they take.
#[cfg(feature = "rare")]
struct Xz<R: Read> {
    reader: lzma_rust2::XzReader<R>,
    options: ReadOptions,
}

#[cfg(feature = "rare")]
impl<R: Read> Xz<R> {
    fn new(bytes: R, options: &ReadOptions) -> Self {
        let most = options.max_memory.saturating_sub(options.held) >> 10;
        // The largest number is not a limit.
        let most = u32::try_from(most).unwrap_or(u32::MAX).min(u32::MAX - 1);
        let reader = lzma_rust2::XzReader::new_mem_limit(bytes, true, most);
        Xz { reader, options: options.clone() }
    }
}

#[cfg(feature = "rare")]
impl<R: Read> Read for Xz<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        self.reader.read(out).map_err(|error| match error.kind() {
            io::ErrorKind::OutOfMemory => {
                io::Error::other(self.options.out_of_memory("what the file is unpacked with"))
            }
            _ => error,
        })
    }
}

/// Stands where nothing unpacks.
#[cfg(not(feature = "rare"))]
struct LeftOut;

#[cfg(not(feature = "rare"))]
impl Read for LeftOut {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(io::Error::other(ReadError::LeftOut))
    }
}

/// Zstd frames one after the other.
#[cfg(feature = "rare")]
struct ZstdFrames<R: BufRead> {
    state: ZstdState<R>,
}

#[cfg(feature = "rare")]
enum ZstdState<R: BufRead> {
    Between(R),
    Inside(Box<ruzstd::decoding::StreamingDecoder<R, ruzstd::decoding::FrameDecoder>>),
    Done,
}

#[cfg(feature = "rare")]
impl<R: BufRead> ZstdFrames<R> {
    fn new(bytes: R) -> Self {
        ZstdFrames { state: ZstdState::Between(bytes) }
    }
}

#[cfg(feature = "rare")]
impl<R: BufRead> Read for ZstdFrames<R> {
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

#[cfg(feature = "rare")]
fn invalid(error: impl std::fmt::Display) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, error.to_string())
}

/// The reader's error for a failed read of unpacked bytes.
pub(crate) fn read_error(error: io::Error, place: Place) -> ReadError {
    match error
        .get_ref()
        .and_then(|inner| inner.downcast_ref::<crate::input::stream::ContainerFault>())
    {
        Some(fault) if fault.truncated => ReadError::Truncated {
            format: fault.container,
            place,
            reason: format!("in the middle of its {} data", fault.container),
        },
        Some(fault) => {
            ReadError::Container { container: fault.container, place, reason: fault.reason.clone() }
        }
        None => match error.downcast::<ReadError>() {
            Ok(error) => error,
            Err(error) => ReadError::Io(error),
        },
    }
}
