//! Files of lines, which may be longer than any memory.

use std::io::{self, BufRead};

/// The longest line that is read.
const MAX_LINE: usize = 64 << 10;

/// Calls `each` with every line without its end; with none for one that is too long.
pub(crate) fn each_line(
    mut from: impl BufRead,
    mut each: impl FnMut(Option<&[u8]>),
) -> io::Result<()> {
    let mut line = vec![];
    let mut is_too_long = false;
    loop {
        let bytes = from.fill_buf()?;
        if bytes.is_empty() {
            break;
        }
        let end = bytes.iter().position(|byte| *byte == b'\n');
        let part = &bytes[..end.unwrap_or(bytes.len())];
        is_too_long |= line.len() + part.len() > MAX_LINE;
        if !is_too_long {
            line.extend_from_slice(part);
        }
        let used = part.len() + usize::from(end.is_some());
        from.consume(used);
        if end.is_some() {
            each((!is_too_long).then_some(&line));
            line.clear();
            is_too_long = false;
        }
    }
    if is_too_long || !line.is_empty() {
        each((!is_too_long).then_some(&line));
    }
    Ok(())
}

/// A number of hexadecimal digits, with or without `0x`.
pub(crate) fn hexadecimal(text: &[u8]) -> Option<u64> {
    let digits = text.strip_prefix(b"0x").unwrap_or(text);
    // The standard library takes a sign too.
    let is_number = !digits.is_empty() && digits.iter().all(u8::is_ascii_hexdigit);
    let digits = std::str::from_utf8(digits).ok().filter(|_| is_number)?;
    u64::from_str_radix(digits, 16).ok()
}

/// The text up to the next blanks, and what follows them.
pub(crate) fn word(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let text = text.trim_ascii_start();
    let end = text.iter().position(u8::is_ascii_whitespace).unwrap_or(text.len());
    let (word, rest) = text.split_at(end);
    (!word.is_empty()).then(|| (word, rest.trim_ascii_start()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_anywhere_and_long_ones_are_reported() {
        let mut text = b"a b\n\n".to_vec();
        text.extend(std::iter::repeat_n(b'x', MAX_LINE + 1));
        text.extend(b"\nlast");
        let mut lines = vec![];
        let reader = io::BufReader::with_capacity(3, &text[..]);
        each_line(reader, |line| lines.push(line.map(<[u8]>::to_vec))).unwrap();
        let expected = [Some(b"a b".to_vec()), Some(vec![]), None, Some(b"last".to_vec())];
        assert_eq!(lines, expected);
    }

    #[test]
    fn numbers_have_digits_alone() {
        let read = ["ff", "0x10", "", "0x", "+1", "12345678901234567"];
        let read: Vec<_> = read.iter().map(|text| hexadecimal(text.as_bytes())).collect();
        assert_eq!(read, [Some(255), Some(16), None, None, None, None]);
    }
}
