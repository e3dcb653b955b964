//! What programs print, however much it is.

use std::collections::VecDeque;
use std::io::Read;
use std::process::Child;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

/// One of the two that programs print to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stream {
    /// Standard output.
    Out,
    /// Standard error.
    Error,
}

/// What sees pieces as they come: which stream, and bytes.
pub type Live = Box<dyn FnMut(Stream, &[u8]) + Send>;

/// Keeps the first and last part of what a program prints, and counts the rest. Programs are
/// never held up by it, for it goes on reading.
pub struct Output {
    limit: u64,
    live: Option<Arc<Mutex<Live>>>,
}

/// What is kept of a stream.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Printed {
    /// The first bytes: all of them where nothing was dropped.
    pub first: Vec<u8>,
    /// The last bytes, after the dropped ones.
    pub last: Vec<u8>,
    /// How many are missing between them.
    pub dropped: u64,
}

/// Reads the streams of a program until both have ended.
#[derive(Debug)]
pub struct Pump {
    streams: [Option<JoinHandle<Printed>>; 2],
}

impl Output {
    /// Keeps so many bytes of each stream, half of the first and half of the last.
    pub fn bounded(limit: u64) -> Output {
        Output { limit, live: None }
    }

    /// Hands out pieces as they come, before any is dropped. What takes long there holds up the
    /// program.
    #[must_use]
    pub fn live(mut self, live: impl FnMut(Stream, &[u8]) + Send + 'static) -> Output {
        self.live = Some(Arc::new(Mutex::new(Box::new(live))));
        self
    }

    /// Begins with the streams of a child that are pipes.
    pub fn pump(self, child: &mut Child) -> Pump {
        let out = child.stdout.take().map(|pipe| self.follow(Stream::Out, pipe));
        let error = child.stderr.take().map(|pipe| self.follow(Stream::Error, pipe));
        Pump { streams: [out, error] }
    }

    fn follow(&self, stream: Stream, mut pipe: impl Read + Send + 'static) -> JoinHandle<Printed> {
        let half = usize::try_from(self.limit / 2).unwrap_or(usize::MAX);
        let live = self.live.clone();
        std::thread::spawn(move || {
            let mut kept = Kept { half, first: vec![], last: VecDeque::new(), dropped: 0 };
            let mut buffer = vec![0; 1 << 16];
            loop {
                let read = match pipe.read(&mut buffer) {
                    Ok(0) => break,
                    Ok(read) => read,
                    Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
                    Err(_) => break,
                };
                if let Some(live) = &live {
                    live.lock().unwrap_or_else(PoisonError::into_inner)(stream, &buffer[..read]);
                }
                kept.take(&buffer[..read]);
            }
            Printed { first: kept.first, last: kept.last.into(), dropped: kept.dropped }
        })
    }
}

impl std::fmt::Debug for Output {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Output").field("limit", &self.limit).finish_non_exhaustive()
    }
}

impl Pump {
    /// Waits for the end of both: standard output, standard error.
    pub fn join(self) -> [Printed; 2] {
        self.streams.map(|stream| stream.and_then(|stream| stream.join().ok()).unwrap_or_default())
    }
}

impl Printed {
    /// For people: invalid UTF-8 replaced, and a line that says how much is missing.
    pub fn text(&self) -> String {
        let first = String::from_utf8_lossy(&self.first);
        if self.dropped == 0 {
            return format!("{first}{}", String::from_utf8_lossy(&self.last));
        }
        let last = String::from_utf8_lossy(&self.last);
        format!("{first}\n[{} bytes are left out]\n{last}", self.dropped)
    }
}

struct Kept {
    half: usize,
    first: Vec<u8>,
    last: VecDeque<u8>,
    dropped: u64,
}

impl Kept {
    fn take(&mut self, bytes: &[u8]) {
        let (first, rest) = bytes.split_at(bytes.len().min(self.half - self.first.len()));
        self.first.extend_from_slice(first);
        let over = (self.last.len() + rest.len()).saturating_sub(self.half);
        let of_last = over.min(self.last.len());
        self.last.drain(..of_last);
        self.last.extend(&rest[over - of_last..]);
        self.dropped += over as u64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_and_the_last_are_kept() {
        for piece in [1, 3, 7, 100] {
            let mut kept = Kept { half: 4, first: vec![], last: VecDeque::new(), dropped: 0 };
            b"abcdefghijklmnop".chunks(piece).for_each(|bytes| kept.take(bytes));
            assert_eq!((&kept.first[..], kept.dropped), (&b"abcd"[..], 8), "{piece}");
            assert_eq!(kept.last.make_contiguous(), b"mnop");
        }
    }
}
