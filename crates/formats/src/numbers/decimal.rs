//! Decimal numbers as they are written, so that `0.1 + 0.2` stays exactly `0.3`.

/// `mantissa` times ten to the power of `exponent`, as far as 64 bits hold the digits: further
/// digits are rounded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Decimal {
    pub(crate) mantissa: i64,
    pub(crate) exponent: i32,
}

/// Exponents beyond this are held at it: nothing that is not zero or out of range gets there.
const LARGEST_EXPONENT: i64 = 1_000_000;

impl Decimal {
    /// A whole number.
    pub(crate) fn whole(number: i64) -> Decimal {
        Decimal { mantissa: number, exponent: 0 }
    }

    /// Reads `-12.5e3` and the like: a sign, digits with at most one point, an exponent, and
    /// nothing else.
    pub(crate) fn parse(text: &[u8]) -> Option<Decimal> {
        let (negative, digits) = match text {
            [b'-', digits @ ..] => (true, digits),
            [b'+', digits @ ..] => (false, digits),
            digits => (false, digits),
        };
        if let Some(Decimal { mantissa, exponent }) = short(digits) {
            return Some(Decimal {
                mantissa: if negative { -mantissa } else { mantissa },
                exponent,
            });
        }
        let limit = i64::MAX as u64 + u64::from(negative);
        let (mut mantissa, mut exponent) = (0u64, 0i64);
        // The first digit that does not fit.
        let mut rounding = None;
        let (mut point, mut any) = (false, false);
        let mut rest = digits;
        while let [byte, after @ ..] = rest {
            match byte {
                b'0'..=b'9' => {
                    any = true;
                    let digit = u64::from(byte - b'0');
                    let grown = mantissa.checked_mul(10).and_then(|m| m.checked_add(digit));
                    match grown.filter(|&grown| rounding.is_none() && grown <= limit) {
                        Some(grown) => {
                            mantissa = grown;
                            exponent -= i64::from(point);
                        }
                        None => {
                            rounding.get_or_insert(digit);
                            exponent += i64::from(!point);
                        }
                    }
                }
                b'.' if !point => point = true,
                _ => break,
            }
            rest = after;
        }
        exponent += match rest {
            [] => 0,
            [b'e' | b'E', written @ ..] => exponent_of(written)?,
            _ => return None,
        };
        if rounding >= Some(5) {
            if mantissa < limit {
                mantissa += 1;
            } else {
                mantissa = mantissa / 10 + 1;
                exponent += 1;
            }
        }
        let mantissa = mantissa as i64;
        any.then(|| Decimal {
            mantissa: if negative { mantissa.wrapping_neg() } else { mantissa },
            exponent: exponent.clamp(-LARGEST_EXPONENT, LARGEST_EXPONENT) as i32,
        })
    }

    /// The same where a comma may stand for the point, as tools write them in many languages.
    pub(crate) fn parse_local(text: &str) -> Option<Decimal> {
        match text.split_once(',') {
            Some((whole, fraction)) if !fraction.contains([',', '.']) && !whole.contains('.') => {
                Decimal::parse(format!("{whole}.{fraction}").as_bytes())
            }
            Some(_) => None,
            None => Decimal::parse(text.as_bytes()),
        }
    }

    /// Reads a number of few digits at the start of `text`: a minus sign, digits with at most one
    /// point; and gives what follows. None for others, which may be numbers all the same.
    #[inline]
    pub(crate) fn parse_start(text: &[u8]) -> Option<(Decimal, &[u8])> {
        let digits = text.strip_prefix(b"-").unwrap_or(text);
        let (mut mantissa, mut at) = (0i64, 0);
        let mut point = None;
        while let Some(&byte) = digits.get(at) {
            match byte {
                b'0'..=b'9' | b'.' if at == FEW => return None,
                b'0'..=b'9' => mantissa = mantissa * 10 + i64::from(byte - b'0'),
                b'.' if point.is_none() => point = Some(at),
                _ => break,
            }
            at += 1;
        }
        let decimals = point.map_or(0, |point| at - point - 1);
        if at == usize::from(point.is_some()) {
            return None;
        }
        let mantissa = if digits.len() < text.len() { -mantissa } else { mantissa };
        Some((Decimal { mantissa, exponent: -(decimals as i32) }, &digits[at..]))
    }

    /// The number times ten to the power of `decimals`, rounded half away from zero; none if that
    /// leaves 64 bits.
    pub(crate) fn to_scaled(self, decimals: u8) -> Option<i64> {
        let shift = self.exponent + i32::from(decimals);
        if self.mantissa == 0 {
            return Some(0);
        }
        if shift >= 0 {
            return self.mantissa.checked_mul(10i64.checked_pow(shift as u32)?);
        }
        let Some(divisor) = 10u64.checked_pow(shift.unsigned_abs()) else { return Some(0) };
        let size = self.mantissa.unsigned_abs();
        let rounded = size / divisor + u64::from(size % divisor >= divisor / 2);
        // At least one digit went, so it fits.
        Some(rounded as i64 * self.mantissa.signum())
    }

    /// The number, if it is a whole one of 64 bits.
    #[inline]
    pub(crate) fn to_whole(self) -> Option<i64> {
        if self.exponent == 0 {
            return Some(self.mantissa);
        }
        if self.decimals() == 0 { self.to_scaled(0) } else { None }
    }

    /// How many digits after the point it takes to write the number exactly; 255 if more.
    pub(crate) fn decimals(self) -> u8 {
        let (mut mantissa, mut exponent) = (self.mantissa, self.exponent);
        while exponent < 0 && mantissa % 10 == 0 {
            if mantissa == 0 {
                return 0;
            }
            mantissa /= 10;
            exponent += 1;
        }
        u8::try_from(exponent.min(0).unsigned_abs()).unwrap_or(u8::MAX)
    }
}

/// So many digits cannot overflow.
const FEW: usize = 18;

/// Reads few enough digits with at most one point among them that nothing can overflow.
#[inline]
fn short(digits: &[u8]) -> Option<Decimal> {
    if digits.len() > FEW {
        return None;
    }
    let mut mantissa = 0;
    let mut point = None;
    for (at, byte) in digits.iter().enumerate() {
        match byte {
            b'0'..=b'9' => mantissa = mantissa * 10 + i64::from(byte - b'0'),
            b'.' if point.is_none() => point = Some(at),
            _ => return None,
        }
    }
    let decimals = point.map_or(0, |point| digits.len() - point - 1);
    let any = digits.len() > usize::from(point.is_some());
    any.then_some(Decimal { mantissa, exponent: -(decimals as i32) })
}

fn exponent_of(text: &[u8]) -> Option<i64> {
    let (sign, digits) = match text {
        [b'-', digits @ ..] => (-1, digits),
        [b'+', digits @ ..] => (1, digits),
        digits => (1, digits),
    };
    if digits.is_empty() {
        return None;
    }
    digits
        .iter()
        .try_fold(0i64, |value, byte| {
            let digit = byte.is_ascii_digit().then(|| i64::from(byte - b'0'))?;
            Some((value * 10 + digit).min(LARGEST_EXPONENT))
        })
        .map(|value| sign * value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decimal(text: &str) -> Option<(i64, i32)> {
        Decimal::parse(text.as_bytes()).map(|d| (d.mantissa, d.exponent))
    }

    #[test]
    fn numbers_are_read_as_written() {
        for (text, expected) in [
            ("0", (0, 0)),
            ("-0", (0, 0)),
            ("007", (7, 0)),
            ("+5", (5, 0)),
            ("12.50", (1250, -2)),
            (".5", (5, -1)),
            ("5.", (5, 0)),
            ("-1.5e3", (-15, 2)),
            ("1E+2", (1, 2)),
            ("1e-2", (1, -2)),
            ("1700000000123456789", (1_700_000_000_123_456_789, 0)),
            ("1700000000123456.789", (1_700_000_000_123_456_789, -3)),
            ("9223372036854775807", (i64::MAX, 0)),
            ("-9223372036854775808", (i64::MIN, 0)),
            ("9223372036854775808", (922_337_203_685_477_581, 1)),
            ("92233720368547758079", (922_337_203_685_477_581, 2)),
            ("0.30000000000000004", (30_000_000_000_000_004, -17)),
            ("3.14159265358979323846", (3_141_592_653_589_793_238, -18)),
            ("1e99999999999999999999", (1, 1_000_000)),
        ] {
            assert_eq!(decimal(text), Some(expected), "{text}");
        }
        for text in ["", "-", ".", "e5", "1e", "1e+", "1.2.3", "12a", "0x10", "NaN", "1 ", "--1"] {
            assert_eq!(decimal(text), None, "{text}");
        }
    }

    #[test]
    fn scaling_rounds_half_away_from_zero() {
        for (text, decimals, expected) in [
            ("1.5", 0, Some(2)),
            ("-1.5", 0, Some(-2)),
            ("1.4999", 0, Some(1)),
            ("0.1", 3, Some(100)),
            ("1.0005", 3, Some(1001)),
            ("1e18", 0, Some(1_000_000_000_000_000_000)),
            ("1e18", 1, None),
            ("1e300", 0, None),
            ("0e300", 9, Some(0)),
            ("1e-300", 9, Some(0)),
            ("9223372036854775807", 0, Some(i64::MAX)),
            ("-9223372036854775808", 0, Some(i64::MIN)),
            ("-9223372036854775808e-1", 0, Some(-922_337_203_685_477_581)),
            ("9e-19", 0, Some(0)),
            ("9000000000000000000e-19", 0, Some(1)),
        ] {
            let found = Decimal::parse(text.as_bytes()).and_then(|d| d.to_scaled(decimals));
            assert_eq!(found, expected, "{text} with {decimals}");
        }
    }

    #[test]
    fn whole_numbers_and_decimals() {
        for (text, whole, decimals) in [
            ("12.00", Some(12), 0),
            ("1.5", None, 1),
            ("15e-1", None, 1),
            ("1e3", Some(1000), 0),
            ("0.000", Some(0), 0),
            ("0e-500000", Some(0), 0),
        ] {
            let number = Decimal::parse(text.as_bytes()).unwrap();
            assert_eq!((number.to_whole(), number.decimals()), (whole, decimals), "{text}");
        }
    }
}
