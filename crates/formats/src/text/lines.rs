//! Lines of text from a stream.

use memchr::memchr;

use crate::input::encoding;
use crate::input::encoding::BYTE_ORDER_MARK;
use crate::input::stream::Stream;
use crate::{Place, ReadError, Warnings};

/// Lines of UTF-8, or of UTF-16 behind a byte order mark, that end in LF or CRLF.
///
/// ```ignore
/// let mut lines = Lines::new(stream, FORMAT.name)?;
/// while let Some(line) = lines.next_line()? {
///     let Some((name, value)) = line.text.split_once('\t') else { … };
///     let value = Decimal::parse(value.as_bytes());
/// }
/// ```
pub(crate) struct Lines<'a> {
    stream: Stream<'a>,
    format: &'static str,
    number: u64,
    /// Lines that were not blank.
    filled: u64,
    /// A line that was not UTF-8, repaired.
    repaired: String,
}

/// One line, without its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Line<'l> {
    pub(crate) text: &'l str,
    /// Counted from 1.
    pub(crate) number: u64,
    /// Where it starts.
    pub(crate) place: Place,
    /// Whether U+FFFD stands in for bytes that are not UTF-8.
    pub(crate) repaired: bool,
}

/// Longer lines are refused.
const LONGEST: usize = 64 << 20;

/// How far is looked for the end of a line at first.
const NEAR: usize = 4096;

impl<'a> Lines<'a> {
    /// Stands before the first line; `format` is for errors.
    pub(crate) fn new(stream: Stream<'a>, format: &'static str) -> Result<Self, ReadError> {
        Ok(Lines { stream, format, number: 0, filled: 0, repaired: String::new() })
    }

    /// The bytes after the lines that were read.
    pub(crate) fn into_stream(self) -> Stream<'a> {
        self.stream
    }

    /// The bytes to come, as UTF-8: at least `wanted`, or all that are left.
    pub(crate) fn peek(&mut self, wanted: usize) -> Result<&[u8], ReadError> {
        self.stream.peek(wanted)
    }

    /// The next line; none at the end. A byte order mark at its start is left out, for files that
    /// were put together.
    pub(crate) fn next_line(&mut self) -> Result<Option<Line<'_>>, ReadError> {
        let place = self.stream.place();
        let len = self.line_len()?;
        if len == 0 {
            return Ok(None);
        }
        self.number += 1;
        let bytes = self.stream.take(len);
        let ([text @ .., b'\n'] | text) = bytes;
        let ([text @ .., b'\r'] | text) = text;
        let bytes = match text.split_first_chunk() {
            Some((&BYTE_ORDER_MARK, text)) => text,
            _ => text,
        };
        self.filled += u64::from(bytes.iter().any(|byte| !byte.is_ascii_whitespace()));
        let valid = std::str::from_utf8(bytes);
        let repaired = valid.is_err();
        let text = valid.unwrap_or_else(|_| {
            self.repaired.clear();
            encoding::push_lossy(bytes, &mut self.repaired);
            &self.repaired
        });
        Ok(Some(Line { text, number: self.number, place, repaired }))
    }

    /// Refuses a file most of whose lines were skipped: what is left of it would be taken for a
    /// profile. `kinds` are the warnings that count skipped lines.
    pub(crate) fn check_skipped(
        &self,
        warnings: &Warnings,
        kinds: &[&str],
    ) -> Result<(), ReadError> {
        let skipped = || warnings.iter().filter(|warning| kinds.contains(&warning.kind()));
        let count = skipped().map(|warning| warning.count).sum::<u64>();
        match skipped().next() {
            Some(first) if count.saturating_mul(2) > self.filled => Err(ReadError::MostlySkipped {
                format: self.format,
                skipped: count,
                lines: self.filled,
                first: first.message.clone(),
            }),
            _ => Ok(()),
        }
    }

    /// The length of the next line with its end, all of which is in the window then.
    fn line_len(&mut self) -> Result<usize, ReadError> {
        let mut seen = 0;
        if let Some(end) = memchr(b'\n', self.stream.window()) {
            return Ok(end + 1);
        }
        let mut wanted = NEAR;
        loop {
            let window = self.stream.peek(wanted)?;
            if let Some(end) = memchr(b'\n', &window[seen..]) {
                return Ok(seen + end + 1);
            }
            seen = window.len();
            if seen < wanted {
                return Ok(seen);
            }
            if seen > LONGEST {
                return Err(ReadError::Malformed {
                    format: self.format,
                    place: self.stream.place(),
                    reason: format!("line {} is longer than 64 MiB", self.number + 1),
                });
            }
            // Twice as far each time, so that long lines are not moved too often.
            wanted = seen * 2;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ReadOptions;

    /// The lines of `bytes`, which are the same however they arrive.
    fn lines(bytes: &[u8]) -> Vec<(String, u64, u64, bool)> {
        let results = [1, 7, 1 << 20].map(|size| {
            let pieces = Box::new(Stream::in_pieces(bytes, size));
            let stream = encoding::stream(pieces, &ReadOptions::default()).unwrap();
            let mut lines = Lines::new(stream, "test").unwrap();
            let mut all = vec![];
            while let Some(line) = lines.next_line().unwrap() {
                all.push((line.text.to_owned(), line.number, line.place.0, line.repaired));
            }
            assert_eq!(lines.next_line().unwrap(), None);
            all
        });
        assert_eq!(results[0], results[1]);
        assert_eq!(results[1], results[2]);
        let [lines, ..] = results;
        lines
    }

    fn texts(bytes: &[u8]) -> Vec<String> {
        lines(bytes).into_iter().map(|(text, ..)| text).collect()
    }

    #[test]
    fn lines_end_as_they_do() {
        for (bytes, expected) in [
            (&b""[..], &[][..]),
            (b"\n", &[""]),
            (b"a", &["a"]),
            (b"a\n\nb\n", &["a", "", "b"]),
            (b"a\r\nb\r\n", &["a", "b"]),
            (b"a\rb\n", &["a\rb"]),
            (b"a\r", &["a"]),
            (b"\xef\xbb\xbfa\n\xef\xbb\xbfb", &["a", "b"]),
            (b"\xff\xfea\0\r\0\n\0\xe9\0", &["a", "é"]),
            (b"\xfe\xff\0a\0\n\xd8\x3d\xde\0", &["a", "😀"]),
            (b"\xff\xfe\x3d\xd8a\0\x3d\xd8", &["\u{fffd}a\u{fffd}"]),
            (b"\xff\xfea\0b", &["a\u{fffd}"]),
            (b"\xff\xfe", &[]),
        ] {
            assert_eq!(texts(bytes), expected, "{}", bytes.escape_ascii());
        }
    }

    #[test]
    fn lines_know_their_place() {
        assert_eq!(
            lines(b"one\r\n\xfftwo\nthree"),
            [
                ("one".to_owned(), 1, 0, false),
                ("\u{fffd}two".to_owned(), 2, 5, true),
                ("three".to_owned(), 3, 10, false),
            ]
        );
    }

    #[test]
    fn long_lines_are_read_and_endless_ones_refused() {
        let long = "é".repeat(1 << 18);
        assert_eq!(texts(format!("a\n{long}\nb").as_bytes()), ["a", &long, "b"]);
        let marked = format!("\u{feff}{long}😀\nb");
        let wide: Vec<u8> = marked.encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(texts(&wide), [&format!("{long}😀"), "b"]);

        let endless = Stream::new(Box::new(std::io::repeat(b'x')), u64::MAX);
        let error = Lines::new(endless, "test").unwrap().next_line().unwrap_err();
        assert!(matches!(error, ReadError::Malformed { .. }), "{error}");
    }
}
