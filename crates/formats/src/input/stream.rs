//! Bytes that arrive in pieces.

use std::io::{self, Read};
#[cfg(not(target_family = "wasm"))]
use std::sync::mpsc;

use crate::input::container;
use {crate::Place, crate::ReadError, crate::ReadOptions};

/// A window over a stream of bytes: what is needed next is contiguous, what was consumed is gone.
pub(crate) struct Stream<'a> {
    bytes: Box<dyn Read + 'a>,
    window: Vec<u8>,
    start: usize,
    end: usize,
    /// Bytes of the stream before the window.
    before: u64,
    max_size: u64,
    /// Limits what the window may hold.
    memory: Option<ReadOptions>,
    exhausted: bool,
}

/// How much is asked of the source at a time.
const PIECE: usize = 256 << 10;

impl<'a> Stream<'a> {
    pub(crate) fn new(bytes: Box<dyn Read + 'a>, max_size: u64) -> Self {
        Stream {
            bytes,
            window: Vec::new(),
            start: 0,
            end: 0,
            before: 0,
            max_size,
            memory: None,
            exhausted: false,
        }
    }

    /// Where the next byte is.
    pub(crate) fn place(&self) -> Place {
        Place(self.before + self.start as u64)
    }

    /// Refuses entries of more bytes than may be held.
    pub(crate) fn within(mut self, options: &ReadOptions) -> Self {
        self.memory = Some(options.clone());
        self
    }

    /// The next bytes: at least `wanted`, or all that are left.
    #[inline]
    pub(crate) fn peek(&mut self, wanted: usize) -> Result<&[u8], ReadError> {
        if self.end - self.start < wanted {
            self.fill(wanted)?;
        }
        Ok(&self.window[self.start..self.end])
    }

    /// Moves on by `count` bytes, which must have been peeked.
    #[inline]
    pub(crate) fn consume(&mut self, count: usize) {
        debug_assert!(count <= self.end - self.start);
        self.start += count;
    }

    /// All bytes that are left.
    pub(crate) fn read_to_end(&mut self, options: &ReadOptions) -> Result<Vec<u8>, ReadError> {
        let mut all = Vec::new();
        loop {
            let piece = self.peek(1)?;
            if piece.is_empty() {
                return Ok(all);
            }
            all.extend_from_slice(piece);
            let count = piece.len();
            self.consume(count);
            options.check_memory(all.len())?;
        }
    }

    /// Moves on by `count` bytes, which must have been peeked, and gives them.
    #[inline]
    pub(crate) fn take(&mut self, count: usize) -> &[u8] {
        self.consume(count);
        &self.window[self.start - count..self.start]
    }

    /// What is in the window, without reading more.
    #[inline]
    pub(crate) fn window(&self) -> &[u8] {
        &self.window[self.start..self.end]
    }

    /// Takes the window for all that is left.
    pub(crate) fn end_here(&mut self) {
        self.exhausted = true;
    }

    /// `bytes` that arrive `size` at a time.
    #[cfg(test)]
    pub(crate) fn in_pieces(bytes: &'a [u8], size: usize) -> Self {
        struct Pieces<'a>(&'a [u8], usize);
        impl Read for Pieces<'_> {
            fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
                let count = out.len().min(self.1);
                self.0.read(&mut out[..count])
            }
        }
        Stream::new(Box::new(Pieces(bytes, size)), u64::MAX)
    }

    fn fill(&mut self, wanted: usize) -> Result<(), ReadError> {
        self.window.copy_within(self.start..self.end, 0);
        self.before += self.start as u64;
        self.end -= self.start;
        self.start = 0;
        while self.end < wanted && !self.exhausted {
            // The window grows with what really arrives, not with what a length field promises.
            if self.window.len() < self.end + PIECE {
                if let Some(options) = &self.memory
                    && self.end > options.max_memory.saturating_sub(options.held)
                {
                    return Err(options.out_of_memory("one entry of the file in memory"));
                }
                self.window.resize(self.end + PIECE, 0);
            }
            match self.bytes.read(&mut self.window[self.end..]) {
                Ok(0) => self.exhausted = true,
                Ok(count) => self.end += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    let place = Place(self.before + self.end as u64);
                    return Err(match error.downcast::<ReadError>() {
                        Ok(error) => error,
                        Err(error) => container::read_error(error, place),
                    });
                }
            }
            self.check_size()?;
        }
        Ok(())
    }

    fn check_size(&self) -> Result<(), ReadError> {
        if self.before + self.end as u64 > self.max_size {
            return Err(ReadError::Limit {
                what: "the unpacked size of the file",
                limit: self.max_size,
                held: 0,
                option: crate::limits::LIFTS_SIZE,
            });
        }
        Ok(())
    }
}

/// What is left, for readers that hold their own window.
impl Read for Stream<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.end > self.start {
            let count = out.len().min(self.end - self.start);
            out[..count].copy_from_slice(&self.window[self.start..][..count]);
            self.start += count;
            return Ok(count);
        }
        let count = self.bytes.read(out)?;
        self.before += count as u64;
        self.check_size().map_err(io::Error::other)?;
        Ok(count)
    }
}

/// What a decompressor said, carried through `io::Error`.
#[derive(Debug, thiserror::Error)]
#[error("{reason}")]
pub(crate) struct ContainerFault {
    pub(crate) container: &'static str,
    pub(crate) truncated: bool,
    pub(crate) reason: String,
}

/// Marks the errors of a decompressor, so that they can be told from those of the file below.
pub(crate) struct MarkedError<R> {
    bytes: R,
    container: &'static str,
}

impl<R: Read> MarkedError<R> {
    pub(crate) fn new(bytes: R, container: &'static str) -> Self {
        MarkedError { bytes, container }
    }
}

impl<R: Read> Read for MarkedError<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        self.bytes.read(out).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof
            | io::ErrorKind::InvalidData
            | io::ErrorKind::InvalidInput => {
                let truncated = error.kind() == io::ErrorKind::UnexpectedEof;
                let reason = error.to_string();
                let container = self.container;
                io::Error::other(ContainerFault { container, truncated, reason })
            }
            _ => error,
        })
    }
}

/// Reads on a thread of its own, a few pieces ahead.
#[cfg(not(target_family = "wasm"))]
pub(crate) struct ReadAhead {
    pieces: mpsc::Receiver<io::Result<Vec<u8>>>,
    empties: mpsc::Sender<Vec<u8>>,
    piece: Vec<u8>,
    position: usize,
}

#[cfg(not(target_family = "wasm"))]
impl ReadAhead {
    /// How many pieces may wait.
    const AHEAD: usize = 4;

    /// Starts reading from what `open` gives. The thread ends when the stream does or when the
    /// reader is dropped.
    pub(crate) fn spawn<'scope, R: Read>(
        scope: &'scope std::thread::Scope<'scope, '_>,
        open: impl FnOnce() -> io::Result<R> + Send + 'scope,
    ) -> ReadAhead {
        let (send, pieces) = mpsc::sync_channel(Self::AHEAD);
        let (empties, reuse) = mpsc::channel::<Vec<u8>>();
        scope.spawn(move || {
            let mut bytes = match open() {
                Ok(bytes) => bytes,
                Err(error) => return drop(send.send(Err(error))),
            };
            loop {
                let mut piece = reuse.try_recv().unwrap_or_default();
                piece.resize(PIECE, 0);
                let result = bytes.read(&mut piece).map(|count| {
                    piece.truncate(count);
                    piece
                });
                let last = !matches!(&result, Ok(piece) if !piece.is_empty());
                if send.send(result).is_err() || last {
                    return;
                }
            }
        });
        ReadAhead { pieces, empties, piece: Vec::new(), position: 0 }
    }
}

#[cfg(not(target_family = "wasm"))]
impl Read for ReadAhead {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.position == self.piece.len() {
            let Ok(next) = self.pieces.recv() else { return Ok(0) };
            let used = std::mem::replace(&mut self.piece, next?);
            self.position = 0;
            // A closed channel only means that the other side needs no more pieces.
            drop(self.empties.send(used));
        }
        let count = out.len().min(self.piece.len() - self.position);
        out[..count].copy_from_slice(&self.piece[self.position..][..count]);
        self.position += count;
        Ok(count)
    }
}
