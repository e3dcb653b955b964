//! Text in UTF-8, or in UTF-16 behind a byte order mark, as Windows shells write it.

use std::borrow::Cow;
use std::io::{self, Read};

use crate::input::stream::Stream;
use crate::{ReadError, ReadOptions};

/// A stream of `bytes` as readers take it: what says that it is text in UTF-8 or UTF-16 comes as UTF-8, without a
/// byte order mark. Places count in that.
pub(crate) fn stream<'a>(
    bytes: Box<dyn Read + 'a>,
    options: &ReadOptions,
) -> Result<Stream<'a>, ReadError> {
    let mut stream = Stream::new(bytes, options.max_size);
    let encoding = Encoding::new(stream.peek(BYTE_ORDER_MARK.len())?);
    let mark = match encoding {
        Encoding::None => return Ok(stream.within(options)),
        Encoding::Utf8 => BYTE_ORDER_MARK.len(),
        Encoding::Utf16Le | Encoding::Utf16Be => 2,
    };
    stream.consume(mark);
    let decoded: Box<dyn Read + 'a> = match encoding {
        Encoding::None | Encoding::Utf8 => Box::new(stream),
        _ => Box::new(Utf16 { stream, encoding, text: String::new(), written: 0 }),
    };
    // The size is limited below.
    Ok(Stream::new(decoded, u64::MAX).within(options))
}

/// The first bytes of a file as [`stream`] gives them.
pub(crate) fn head(head: &[u8]) -> Cow<'_, [u8]> {
    match Encoding::new(head) {
        Encoding::None => Cow::Borrowed(head),
        Encoding::Utf8 => Cow::Borrowed(&head[BYTE_ORDER_MARK.len()..]),
        encoding => {
            let mut text = String::new();
            encoding.decode(&head[2..], &mut text);
            Cow::Owned(text.into_bytes())
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
pub(crate) const BYTE_ORDER_MARK: [u8; 3] = *b"\xef\xbb\xbf";

/// What a file says of its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Encoding {
    /// Nothing: it is UTF-8 if it is text.
    None,
    Utf8,
    Utf16Le,
    Utf16Be,
}

impl Encoding {
    /// What the first bytes of a file say.
    fn new(head: &[u8]) -> Encoding {
        match head {
            [0xff, 0xfe, ..] => Encoding::Utf16Le,
            [0xfe, 0xff, ..] => Encoding::Utf16Be,
            _ if head.starts_with(&BYTE_ORDER_MARK) => Encoding::Utf8,
            _ => Encoding::None,
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
