//! Messages with `Content-Length` headers, read so that what is broken costs as little as it can.

use std::io::{self, BufRead, Read, Write};

use serde_json::Value;

/// What came from the editor.
#[derive(Debug, PartialEq)]
pub(super) enum Incoming {
    /// A message.
    Message(Value),
    /// Bytes that are none, and why. The next message is found by its header.
    Malformed(String),
    /// Nothing comes any more.
    End,
}

const LENGTH: &[u8] = b"content-length:";
/// A header that is longer is none.
const MOST_HEADER: usize = 4096;
/// An editor sends whole files, and no larger ones than this.
const MOST_BODY: usize = 64 << 20;

/// Reads messages.
pub(super) struct Reader<R> {
    input: R,
    /// Read from the input and not used.
    pending: Vec<u8>,
}

impl<R: BufRead> Reader<R> {
    pub(super) fn new(input: R) -> Reader<R> {
        Reader { input, pending: vec![] }
    }

    /// The next message, or what was there instead.
    pub(super) fn next(&mut self) -> io::Result<Incoming> {
        let (skipped, found) = self.skip_to_length()?;
        if skipped {
            return Ok(Incoming::Malformed("bytes without a Content-Length header".to_owned()));
        }
        if !found {
            return Ok(Incoming::End);
        }
        let length = match self.header()? {
            Some(length) if length <= MOST_BODY => length,
            Some(length) => {
                let message = format!("a message of {length} bytes; the most are {MOST_BODY}");
                return Ok(Incoming::Malformed(message));
            }
            None => return Ok(Incoming::Malformed("a header without a length".to_owned())),
        };
        self.fill_to(length)?;
        let end = length.min(self.pending.len());
        match serde_json::from_slice(&self.pending[..end]) {
            Ok(message) => {
                self.pending.drain(..end);
                Ok(Incoming::Message(message))
            }
            Err(error) => {
                // A length that is too large takes in the next header.
                let end = find(&self.pending[..end], LENGTH).unwrap_or(end);
                self.pending.drain(..end);
                Ok(Incoming::Malformed(format!("a message that is not JSON: {error}")))
            }
        }
    }

    /// Drops what stands before the next `Content-Length:`. Tells whether it was more than another
    /// header, and whether there is one.
    fn skip_to_length(&mut self) -> io::Result<(bool, bool)> {
        let mut dropped = vec![];
        loop {
            if let Some(at) = find(&self.pending, LENGTH) {
                dropped.extend(self.pending.drain(..at).take(MOST_HEADER));
                return Ok((!is_header(&dropped), true));
            }
            // The beginning of the word may be there already.
            let whole = self.pending.len().saturating_sub(LENGTH.len());
            let room = MOST_HEADER.saturating_sub(dropped.len());
            dropped.extend(self.pending.drain(..whole).take(room));
            if !self.fill()? {
                dropped.append(&mut self.pending);
                return Ok((!is_header(&dropped), false));
            }
        }
    }

    /// Takes the header that begins here, and tells its length.
    fn header(&mut self) -> io::Result<Option<usize>> {
        let (end, body) = loop {
            let breaks: [&[u8]; 2] = [b"\r\n\r\n", b"\n\n"];
            let ends = breaks.map(|end| Some((find(&self.pending, end)?, end.len())));
            if let Some((at, length)) = ends.into_iter().flatten().min() {
                break (at, at + length);
            }
            if self.pending.len() > MOST_HEADER || !self.fill()? {
                break (LENGTH.len(), LENGTH.len());
            }
        };
        let line = self.pending[LENGTH.len()..end].split(|&byte| byte == b'\n').next();
        let text = line.and_then(|line| std::str::from_utf8(line).ok());
        let length = text.and_then(|text| text.trim().parse().ok());
        // Only the word is dropped where it began no header: the true one may follow.
        let used = if length.is_some() { body } else { LENGTH.len() };
        self.pending.drain(..used);
        Ok(length)
    }

    fn fill_to(&mut self, length: usize) -> io::Result<()> {
        if let Some(missing @ 1..) = length.checked_sub(self.pending.len()) {
            (&mut self.input).take(missing as u64).read_to_end(&mut self.pending)?;
        }
        Ok(())
    }

    /// Reads what is there; false at the end.
    fn fill(&mut self) -> io::Result<bool> {
        let bytes = self.input.fill_buf()?;
        let count = bytes.len();
        self.pending.extend_from_slice(bytes);
        self.input.consume(count);
        Ok(count > 0)
    }
}

/// Writes a message, which is JSON.
pub(super) fn write(out: &mut impl Write, message: &str) -> io::Result<()> {
    write!(out, "Content-Length: {}\r\n\r\n{message}", message.len())?;
    out.flush()
}

fn is_header(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    text.lines().all(|line| {
        let line = line.trim();
        line.is_empty() || line.to_ascii_lowercase().starts_with("content-type:")
    })
}

/// Where a text in small letters begins, in letters of any case.
fn find(bytes: &[u8], text: &[u8]) -> Option<usize> {
    bytes.windows(text.len()).position(|window| window.eq_ignore_ascii_case(text))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn all(bytes: &[u8]) -> Vec<Result<Value, ()>> {
        let mut reader = Reader::new(io::BufReader::with_capacity(7, bytes));
        let mut found = vec![];
        loop {
            match reader.next().expect("bytes in memory") {
                Incoming::Message(message) => found.push(Ok(message)),
                Incoming::Malformed(_) => found.push(Err(())),
                Incoming::End => return found,
            }
        }
    }

    fn framed(message: &Value) -> Vec<u8> {
        let mut bytes = vec![];
        write(&mut bytes, &message.to_string()).expect("bytes in memory");
        bytes
    }

    #[test]
    fn messages_follow_each_other() {
        let (a, b) = (json!({ "a": "ä" }), json!([1]));
        let typed = b"Content-Type: x\r\ncontent-length: 3\r\n\r\n[2]";
        let bytes = [&framed(&a)[..], &framed(&b), typed].concat();
        assert_eq!(all(&bytes), [Ok(a), Ok(b), Ok(json!([2]))]);
        assert_eq!(all(b""), []);
    }

    #[test]
    fn what_follows_broken_bytes_is_found() {
        let good = json!({ "id": 1 });
        let broken: [&[u8]; 6] = [
            b"garbage \xff\x00 bytes",
            b"Content-Length: 5\r\n\r\n{nope",
            b"Content-Length: 4\r\n\r\n{\"a\":\"too short\"}",
            b"Content-Length: 40\r\n\r\n{\"a\":\"too long\"}",
            b"Content-Length: many\r\n\r\n",
            b"Content-Length: 99999999999\r\n\r\n",
        ];
        for bytes in broken {
            let found = all(&[bytes, &framed(&good)].concat());
            let text = String::from_utf8_lossy(bytes);
            assert_eq!(found.last(), Some(&Ok(good.clone())), "{text}");
            assert!(found.len() > 1 && found[..found.len() - 1].iter().all(Result::is_err));
        }
        assert_eq!(all(b"Content-Length: 9\r\n\r\n{"), [Err(())]);
    }
}
