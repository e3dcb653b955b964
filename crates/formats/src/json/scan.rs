//! Bytes of JSON: where tokens end, and what they stand for.

use std::ops::Range;

use crate::input::encoding::push_lossy;
use crate::numbers::decimal::Decimal;

const LOW: u64 = u64::from_ne_bytes([0x01; 8]);
const HIGH: u64 = u64::from_ne_bytes([0x80; 8]);

/// Marks the bytes of `word` that equal `byte`; the lowest mark is right, higher ones may be wrong.
#[inline]
fn equal(word: u64, byte: u8) -> u64 {
    let differing = word ^ (LOW * byte as u64);
    differing.wrapping_sub(LOW) & !differing & HIGH
}

/// Where the first of the bytes is that `mark` marks in eight at a time and `is` in one.
#[inline]
fn find(bytes: &[u8], mark: impl Fn(u64) -> u64, is: impl Fn(u8) -> bool) -> Option<usize> {
    let (eights, rest) = bytes.as_chunks::<8>();
    for (i, eight) in eights.iter().enumerate() {
        let marks = mark(u64::from_le_bytes(*eight));
        if marks != 0 {
            return Some(i * 8 + marks.trailing_zeros() as usize / 8);
        }
    }
    rest.iter().position(|&byte| is(byte)).map(|at| eights.len() * 8 + at)
}

/// Where the first `"` or `\` is.
#[inline]
pub(super) fn quote_or_backslash(bytes: &[u8]) -> Option<usize> {
    find(bytes, |word| equal(word, b'"') | equal(word, b'\\'), |byte| matches!(byte, b'"' | b'\\'))
}

/// Where the first `"`, `{`, `}`, `[` or `]` is.
#[inline]
pub(super) fn quote_or_bracket(bytes: &[u8]) -> Option<usize> {
    /// Braces differ from brackets in this bit.
    const BRACE: u64 = LOW * 0x20;
    find(
        bytes,
        |word| equal(word, b'"') | equal(word | BRACE, b'{') | equal(word | BRACE, b'}'),
        |byte| matches!(byte, b'"' | b'{' | b'}' | b'[' | b']'),
    )
}

/// How much of `bytes` belongs to the string whose quote came before, and whether it ends there. A
/// backslash whose escaped byte is missing is left.
#[inline]
pub(super) fn string_rest(bytes: &[u8]) -> (usize, bool) {
    let mut at = 0;
    while let Some(step) = quote_or_backslash(&bytes[at..]) {
        at += step;
        if bytes[at] == b'"' {
            return (at + 1, true);
        }
        if at + 1 == bytes.len() {
            return (at, false);
        }
        at += 2;
    }
    (bytes.len(), false)
}

/// Without the white space at its start.
#[inline]
fn after_space(mut bytes: &[u8]) -> &[u8] {
    while let [b' ' | b'\n' | b'\r' | b'\t', rest @ ..] = bytes {
        bytes = rest;
    }
    bytes
}

#[inline]
fn after_comma(bytes: &[u8], first: bool) -> Option<&[u8]> {
    if first { Some(bytes) } else { after_space(bytes).strip_prefix(b",") }
}

/// The string at the start of `bytes`, as it is written, if it ends here and has no escapes; and
/// what follows.
#[inline]
fn plain(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let text = after_space(bytes).strip_prefix(b"\"")?;
    let end = quote_or_backslash(text)?;
    (text[end] == b'"').then(|| (&text[..end], &text[end + 1..]))
}

/// Where the text of the string is that comes next, if it is [`plain`].
#[inline]
pub(super) fn plain_string(bytes: &[u8]) -> Option<Range<usize>> {
    let (text, rest) = plain(bytes)?;
    let end = bytes.len() - rest.len() - 1;
    Some(end - text.len()..end)
}

/// The key of the next member, if it is plain and all of it and its colon are here, and how long
/// that is.
#[inline]
pub(super) fn plain_key(bytes: &[u8], first: bool) -> Option<(&[u8], usize)> {
    let (key, rest) = plain(after_comma(bytes, first)?)?;
    let rest = after_space(rest).strip_prefix(b":")?;
    Some((key, bytes.len() - rest.len()))
}

/// How far away the next element is, if it is here.
#[inline]
pub(super) fn element(bytes: &[u8], first: bool) -> Option<usize> {
    let rest = after_space(after_comma(bytes, first)?);
    (!matches!(rest, [] | [b']' | b',', ..])).then(|| bytes.len() - rest.len())
}

/// The number at the start of `bytes`, if it ends here, and how long it is with what stands before
/// it.
#[inline]
pub(super) fn number(bytes: &[u8]) -> Option<(&[u8], usize)> {
    let rest = after_space(bytes);
    if !matches!(rest, [b'-' | b'0'..=b'9', ..]) {
        return None;
    }
    let len = rest.iter().position(|&byte| !in_word(byte))?;
    Some((&rest[..len], bytes.len() - rest.len() + len))
}

/// The number of few digits at the start of `bytes`, if it ends here, and how long it is with what stands
/// before it.
#[inline]
pub(super) fn decimal(bytes: &[u8]) -> Option<(Decimal, usize)> {
    let (number, after) = Decimal::parse_start(after_space(bytes))?;
    let ends = after.first().is_some_and(|&byte| !in_word(byte));
    ends.then(|| (number, bytes.len() - after.len()))
}

/// The small unsigned integer at the start of `bytes`, if it ends here, and how many bytes it takes with the
/// white space before it.
#[inline]
pub(super) fn small_integer(bytes: &[u8]) -> Option<(u32, usize)> {
    let rest = after_space(bytes);
    let (number, len) = parse_small_integer(rest)?;
    (!in_word(rest[len])).then(|| (number, bytes.len() - rest.len() + len))
}

/// The numbers, or `null`, of the elements that come next, as far as they are short and all here:
/// how many, and how long they are.
#[inline(always)]
pub(super) fn numbers<E>(
    bytes: &[u8],
    mut first: bool,
    mut each: impl FnMut(Option<Decimal>) -> Result<(), E>,
) -> Result<(u64, usize), E> {
    let (mut count, mut passed) = (0, 0);
    loop {
        // Most elements are small integers without white space between them.
        let start = passed + usize::from(!first);
        if (first || bytes.get(passed) == Some(&b','))
            && let Some((number, len)) = parse_small_integer(&bytes[start..])
            && is_delimiter(bytes[start + len])
        {
            each(Some(Decimal { mantissa: number.into(), exponent: 0 }))?;
            (count, passed, first) = (count + 1, start + len, false);
            continue;
        }
        let Some(rest) = after_comma(&bytes[passed..], first) else { return Ok((count, passed)) };
        let rest = after_space(rest);
        let (number, after) = match rest {
            [b'n', b'u', b'l', b'l', after @ ..] => (None, after),
            _ => match Decimal::parse_start(rest) {
                Some((number, after)) => (Some(number), after),
                None => return Ok((count, passed)),
            },
        };
        if !after.first().is_some_and(|&byte| is_delimiter(byte)) {
            return Ok((count, passed));
        }
        each(number)?;
        count += 1;
        passed = bytes.len() - after.len();
        first = false;
    }
}

/// Whether an element of an array may end before `byte`.
#[inline(always)]
fn is_delimiter(byte: u8) -> bool {
    matches!(byte, b',' | b']' | b' ' | b'\n' | b'\r' | b'\t')
}

/// Parses one to seven decimal digits at the start of `bytes`, all at once; also returns how many there are.
/// None if there are no digits, eight or more, or fewer than eight bytes.
#[inline(always)]
fn parse_small_integer(bytes: &[u8]) -> Option<(u32, usize)> {
    /// The upper halves of bytes, and what they are in digits.
    const UPPER: u64 = LOW * 0xf0;
    const DIGIT: u64 = LOW * 0x30;
    let word = u64::from_le_bytes(*bytes.first_chunk::<8>()?);
    // The upper half of a digit is 3, also if 6 is added to it. Carries reach no byte before the first other one.
    let other = ((word & UPPER) ^ DIGIT) | ((word.wrapping_add(LOW * 6) & UPPER) ^ DIGIT);
    let len = other.trailing_zeros() as usize / 8;
    if len == 0 || len == 8 {
        return None;
    }
    // Digits at the end of the word, zeros before them. Then pairs, fours and all of them are one number.
    let digits = (word & (LOW * 0x0f)) << (64 - 8 * len);
    let pairs = (digits * 10 + (digits >> 8)) & 0x00ff_00ff_00ff_00ff;
    let fours = (pairs * 100 + (pairs >> 16)) & 0x0000_ffff_0000_ffff;
    let number = fours.wrapping_mul(10_000).wrapping_add(fours >> 32);
    Some((number as u32, len))
}

/// Whether `byte` can stand in a number or name.
#[inline]
pub(super) fn in_word(byte: u8) -> bool {
    const WORD: [bool; 256] = {
        let mut table = [false; 256];
        let mut byte = 0;
        while byte < 256 {
            table[byte] = (byte as u8).is_ascii_alphanumeric()
                || matches!(byte as u8, b'+' | b'-' | b'.' | b'_');
            byte += 1;
        }
        table
    };
    WORD[byte as usize]
}

/// Whether `word` is a spelling of `NaN` or of an infinity.
pub(super) fn is_not_finite(word: &[u8]) -> bool {
    let name = word.strip_prefix(b"-").or(word.strip_prefix(b"+")).unwrap_or(word);
    ["nan", "infinity", "inf"].iter().any(|known| name.eq_ignore_ascii_case(known.as_bytes()))
}

/// Appends the text of a string as written between its quotes.
pub(super) fn decode_string(mut raw: &[u8], text: &mut String) {
    while let Some(at) = raw.iter().position(|&byte| byte == b'\\') {
        push_lossy(&raw[..at], text);
        let (decoded, rest) = match &raw[at + 1..] {
            [byte @ (b'"' | b'\\' | b'/'), rest @ ..] => (char::from(*byte), rest),
            [b'b', rest @ ..] => ('\u{8}', rest),
            [b'f', rest @ ..] => ('\u{c}', rest),
            [b'n', rest @ ..] => ('\n', rest),
            [b'r', rest @ ..] => ('\r', rest),
            [b't', rest @ ..] => ('\t', rest),
            [b'u', digits @ ..] => unicode(digits),
            // Such as a Windows path that nobody escaped.
            rest => ('\\', rest),
        };
        text.push(decoded);
        raw = rest;
    }
    push_lossy(raw, text);
}

/// The character of the four digits behind `\u`, and of a second escape where it takes two.
fn unicode(digits: &[u8]) -> (char, &[u8]) {
    let Some((unit, rest)) = unit(digits) else { return (char::REPLACEMENT_CHARACTER, digits) };
    if (0xd800..0xdc00).contains(&unit)
        && let [b'\\', b'u', digits @ ..] = rest
        && let Some((low @ 0xdc00..0xe000, rest)) = self::unit(digits)
    {
        let code = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
        return (char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER), rest);
    }
    (char::from_u32(unit).unwrap_or(char::REPLACEMENT_CHARACTER), rest)
}

/// The value of the first four hexadecimal digits.
fn unit(digits: &[u8]) -> Option<(u32, &[u8])> {
    let (four, rest) = digits.split_first_chunk::<4>()?;
    let value = four
        .iter()
        .try_fold(0, |value, &digit| Some(value << 4 | char::from(digit).to_digit(16)?))?;
    Some((value, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (Vec<Option<i64>>, usize) {
        let mut found = vec![];
        let (count, len) = numbers(text.as_bytes(), true, |number| {
            found.push(number.and_then(Decimal::to_whole));
            Ok::<(), ()>(())
        })
        .unwrap();
        assert_eq!(count as usize, found.len());
        (found, len)
    }

    #[test]
    fn numbers_are_what_is_written_however_long() {
        for digits in 1..=17 {
            for number in
                [10_i64.pow(digits) - 1, 10_i64.pow(digits - 1), 1_234_567_890_123_456_789]
            {
                let number = number % 10_i64.pow(digits);
                for (before, after) in [
                    ("", "]"),
                    ("7,", ",8]"),
                    ("7, ", " ,8]"),
                    ("", "]         "),
                    ("-5,0012,", ",null]"),
                ] {
                    let text = format!("{before}{number}{after}");
                    let (found, _) = read(&text);
                    assert!(found.contains(&Some(number)), "{text}: {found:?}");
                }
            }
        }
        assert_eq!(read("1,22,333,4444,55555,666666,7777777,88888888]").0.len(), 8);
        assert_eq!(read("1.5,2e1,3      ]"), (vec![None], 3), "exponents are left to others");
        assert_eq!(read("12345x,1        "), (vec![], 0));
        assert_eq!(read("1,2,31234"), (vec![Some(1), Some(2)], 3), "the end is not here");
        assert_eq!(read("1,/2345678"), (vec![Some(1)], 1));
        assert_eq!(read("1,:2345678"), (vec![Some(1)], 1));
        assert_eq!(read("1,\u{ff}2345678"), (vec![Some(1)], 1));
    }

    #[test]
    fn only_digits_are_taken_for_digits() {
        for byte in 0..=255 {
            for at in 1..8 {
                let mut bytes = *b"98765432";
                bytes[at] = byte;
                let expected = bytes.iter().position(|byte| !byte.is_ascii_digit());
                let found = parse_small_integer(&bytes);
                assert_eq!(found.map(|(_, len)| len), expected, "{bytes:?}");
                if let Some((number, len)) = found {
                    let text = std::str::from_utf8(&bytes[..len]).unwrap();
                    assert_eq!(text.parse::<u32>(), Ok(number));
                }
            }
        }
    }
}
