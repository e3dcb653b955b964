//! Ranges of time as people write them: `1.2s..3.4s`, `500ms..`, `..2m`, several separated by commas.

use super::Intervals;

/// Why a range of time cannot be understood.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TimeRangeError {
    /// There is no `..` in it.
    #[error("'{0}' is not a range of time: write it as 1.2s..3.4s, 500ms.. or ..2m")]
    NoRange(String),
    /// An end is not a number with a unit.
    #[error("'{0}' is not a time: write a number with ns, us, ms, s, m or h, such as 1.2s")]
    NoTime(String),
    /// It ends before it begins, or where it begins.
    #[error("the range of time '{0}' ends before it begins")]
    Reversed(String),
}

/// Units by their names, in nanoseconds; longer names first where one ends with another.
const UNITS: [(&str, i128); 9] = [
    ("ns", 1),
    ("us", 1_000),
    ("\u{b5}s", 1_000),
    ("\u{3bc}s", 1_000),
    ("ms", 1_000_000),
    ("min", 60_000_000_000),
    ("s", 1_000_000_000),
    ("m", 60_000_000_000),
    ("h", 3_600_000_000_000),
];

/// Reads ranges; an end that is left out is open, a begin without a unit has that of the end.
///
/// # Errors
/// If one of them is none, or ends before it begins.
pub fn time_range(text: &str) -> Result<Intervals, TimeRangeError> {
    let ranges: Vec<[i64; 2]> = text.split(',').map(one_range).collect::<Result<_, _>>()?;
    Ok(Intervals::new(ranges))
}

fn one_range(text: &str) -> Result<[i64; 2], TimeRangeError> {
    let text = text.trim();
    let no_range = || TimeRangeError::NoRange(text.to_owned());
    let (begin, end) = text.split_once("..").ok_or_else(no_range)?;
    let (begin, end) = (begin.trim(), end.trim());
    let unit_of_end = UNITS.iter().find(|(name, _)| end.ends_with(name)).map(|(_, size)| *size);
    let begin = if begin.is_empty() { i64::MIN } else { time(begin, unit_of_end)? };
    let end = if end.is_empty() { i64::MAX } else { time(end, None)? };
    if begin >= end {
        return Err(TimeRangeError::Reversed(text.to_owned()));
    }
    Ok([begin, end])
}

/// `-1.25ms` in nanoseconds, exactly; finer parts are cut off.
pub(super) fn time(text: &str, default_unit: Option<i128>) -> Result<i64, TimeRangeError> {
    let wrong = || TimeRangeError::NoTime(text.to_owned());
    let unit = UNITS.iter().find_map(|(name, size)| Some((text.strip_suffix(name)?, *size)));
    let (number, unit) = match (unit, default_unit) {
        (Some(found), _) => found,
        (None, Some(unit)) => (text, unit),
        (None, None) => return Err(wrong()),
    };
    let number = number.trim();
    let (is_negative, digits) = match number.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, number),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let are_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() && fraction.is_empty() || !are_digits(whole) || !are_digits(fraction) {
        return Err(wrong());
    }
    let digits_of = |text: &str| {
        text.bytes()
            .try_fold(0i128, |sum, byte| sum.checked_mul(10)?.checked_add(i128::from(byte - b'0')))
    };
    // An hour has less than 14 digits of nanoseconds.
    let fraction = &fraction[..fraction.len().min(14)];
    let value = || {
        let whole = digits_of(whole)?.checked_mul(unit)?;
        let part = digits_of(fraction)?.checked_mul(unit)? / 10i128.pow(fraction.len() as u32);
        let value = whole.checked_add(part)?;
        i64::try_from(if is_negative { -value } else { value }).ok()
    };
    value().ok_or_else(wrong)
}

/// A time exactly, in the largest unit that needs no more than its digits: `1.2s`, `350us`.
pub fn time_text(nanoseconds: i64) -> String {
    let size = nanoseconds.unsigned_abs();
    let (unit, scale, digits) = match size {
        0..1_000 => ("ns", 1, 0),
        1_000..1_000_000 => ("us", 1_000, 3),
        1_000_000..1_000_000_000 => ("ms", 1_000_000, 6),
        _ => ("s", 1_000_000_000, 9),
    };
    let sign = if nanoseconds < 0 { "-" } else { "" };
    let (whole, rest) = (size / scale, size % scale);
    if rest == 0 {
        return format!("{sign}{whole}{unit}");
    }
    let fraction = format!("{rest:0digits$}");
    format!("{sign}{whole}.{}{unit}", fraction.trim_end_matches('0'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<[i64; 2]>, TimeRangeError> {
        time_range(text).map(|all| all.iter().collect())
    }

    #[test]
    fn ranges_are_read_exactly() {
        let second = 1_000_000_000;
        for (text, expected) in [
            ("1.2s..3.4s", vec![[1_200_000_000, 3_400_000_000]]),
            ("1..2s", vec![[second, 2 * second]]),
            (" 500 ms .. 1m ", vec![[500_000_000, 60 * second]]),
            ("..1h", vec![[i64::MIN, 3600 * second]]),
            ("7ns..", vec![[7, i64::MAX]]),
            ("..", vec![[i64::MIN, i64::MAX]]),
            ("-1.5us..0ns", vec![[-1500, 0]]),
            ("3s..4s,1s..2s,2s..2.5s", vec![[second, 2_500_000_000], [3 * second, 4 * second]]),
            ("0.123456789s..1\u{b5}s,1min..61s", vec![[60 * second, 61 * second]]),
        ] {
            let read = read(text);
            if text.starts_with("0.1") {
                assert!(matches!(read, Err(TimeRangeError::Reversed(_))), "{text}");
                continue;
            }
            assert_eq!(read, Ok(expected), "{text}");
        }
        for text in
            ["", "1s", "1s..", "x..2s", "1..2", "1s..1s", "2s..1s", "1e3s..", ".s..1s", "9e9h.."]
        {
            assert_eq!(read(text).is_ok(), text == "1s..", "{text}");
        }
        assert!(matches!(read("9999999h..99999999h"), Err(TimeRangeError::NoTime(_))));
    }

    #[test]
    fn reports_times_as_they_are_read() {
        for time in [0, 7, -7, 1500, 999_999, 1_000_000, 1_200_000_000, -61_000_000_001, i64::MAX] {
            let text = format!("{}..", time_text(time));
            if time == i64::MAX {
                continue;
            }
            assert_eq!(read(&text), Ok(vec![[time, i64::MAX]]), "{text}");
        }
        assert_eq!([1_200_000_000, 350_000, -5].map(time_text), ["1.2s", "350us", "-5ns"]);
    }
}
