//! Text in UTF-8, or in UTF-16 behind a byte order mark, as Windows shells write it.

use std::borrow::Cow;
use std::io::{self, Read};

use crate::ReadError;
use crate::stream::Stream;

/// The UTF-8 of `stream`, without a byte order mark. Places count in the UTF-8.
pub(crate) fn utf8(mut stream: Stream) -> Result<Stream, ReadError> {
    let head = stream.peek(3)?;
    match Encoding::of(head) {
        Encoding::Utf8 => {
            let mark = if head.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
            stream.consume(mark);
            Ok(stream)
        }
        encoding => {
            stream.consume(2);
            let decoder = Utf16 { stream, encoding, text: String::new(), written: 0 };
            // The size is limited below the decoder.
            Ok(Stream::new(Box::new(decoder), u64::MAX))
        }
    }
}

/// The first bytes of a file as text, without a byte order mark. What is not text shows as U+FFFD.
pub(crate) fn head_text(head: &[u8]) -> Cow<'_, str> {
    match Encoding::of(head) {
        Encoding::Utf8 => {
            String::from_utf8_lossy(head.strip_prefix(BYTE_ORDER_MARK).unwrap_or(head))
        }
        encoding => {
            let mut text = String::new();
            encoding.decode(&head[2..], &mut text);
            Cow::Owned(text)
        }
    }
}

/// Appends `bytes` to `text`; what is not UTF-8 becomes U+FFFD.
pub(crate) fn push_lossy(bytes: &[u8], text: &mut String) {
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        if !chunk.invalid().is_empty() {
            text.push(char::REPLACEMENT_CHARACTER);
        }
    }
}

/// UTF-8's byte order mark.
pub(crate) const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Encoding {
    Utf8,
    Utf16Le,
    Utf16Be,
}

impl Encoding {
    /// What the first bytes of a file say.
    pub(crate) fn of(head: &[u8]) -> Encoding {
        match head {
            [0xff, 0xfe, ..] => Encoding::Utf16Le,
            [0xfe, 0xff, ..] => Encoding::Utf16Be,
            _ => Encoding::Utf8,
        }
    }

    fn unit(self, pair: [u8; 2]) -> u16 {
        match self {
            Encoding::Utf16Be => u16::from_be_bytes(pair),
            _ => u16::from_le_bytes(pair),
        }
    }

    /// Appends the text of UTF-16 `bytes`; lone surrogates become U+FFFD, half a unit is left out.
    fn decode(self, bytes: &[u8], text: &mut String) {
        let units = bytes.as_chunks().0.iter().map(|&pair| self.unit(pair));
        let replace = |c: Result<char, _>| c.unwrap_or(char::REPLACEMENT_CHARACTER);
        text.extend(char::decode_utf16(units).map(replace));
    }
}

/// Turns UTF-16 into UTF-8 on the way.
struct Utf16<'a> {
    stream: Stream<'a>,
    encoding: Encoding,
    /// Decoded, and written up to `written`.
    text: String,
    written: usize,
}

/// How many bytes of UTF-16 are decoded at a time.
const PIECE: usize = 64 << 10;

impl Utf16<'_> {
    fn decode_more(&mut self) -> Result<(), ReadError> {
        let window = self.stream.peek(4)?;
        let last = window.len() < 4;
        let mut whole = window.len().min(PIECE) & !1;
        // The first half of a surrogate pair waits for the second.
        let ends_open = window[..whole]
            .last_chunk()
            .is_some_and(|&pair| (0xd800..0xdc00).contains(&self.encoding.unit(pair)));
        if ends_open && !last {
            whole -= 2;
        }
        self.text.clear();
        self.encoding.decode(&window[..whole], &mut self.text);
        // Half a unit at the end.
        if last && window.len() > whole {
            self.text.push(char::REPLACEMENT_CHARACTER);
            whole = window.len();
        }
        self.stream.consume(whole);
        self.written = 0;
        Ok(())
    }
}

impl Read for Utf16<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.written == self.text.len() {
            self.decode_more().map_err(io::Error::other)?;
        }
        let rest = &self.text.as_bytes()[self.written..];
        let count = rest.len().min(out.len());
        out[..count].copy_from_slice(&rest[..count]);
        self.written += count;
        Ok(count)
    }
}
