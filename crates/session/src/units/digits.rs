//! Decimal digits, exactly.

/// Digits after the point that are ever told.
const MOST_DIGITS: u32 = 18;

/// A number with three digits or all that stand before the point: rounded to a whole number from 100 on,
/// to a tenth from 10 on, to a hundredth from 1 on, below to three digits that are not 0. The
/// number is `over / under`, both at least 0 and `under` more than that.
pub(super) fn three_digits(over: i128, under: i128) -> String {
    let reaches = |digits: u32| {
        over.saturating_mul(10i128.pow(digits)).saturating_mul(100) >= under.saturating_mul(9995)
    };
    let digits = (0..MOST_DIGITS).find(|&digits| reaches(digits));
    rounded(over, under, digits.unwrap_or(MOST_DIGITS))
}

/// A count: whole numbers in all their digits, a fraction in three, and three digits that are not
/// 0 of what is less than 1.
pub(super) fn count_digits(over: i128, under: i128) -> String {
    if over < under {
        return three_digits(over, under);
    }
    let text = rounded(over, under, 3);
    match text.split_once('.') {
        Some((whole, fraction)) => format!("{}.{fraction}", grouped(whole)),
        None => grouped(&text),
    }
}

/// `over / under` with so many digits after the point at most; halves are rounded up.
fn rounded(over: i128, under: i128, digits: u32) -> String {
    let power = 10i128.pow(digits);
    let (whole, rest) = (over / under, over % under);
    let fraction = (rest.saturating_mul(power).saturating_mul(2) + under) / (2 * under);
    let (whole, fraction) = (whole + fraction / power, fraction % power);
    let text = format!("{whole}.{fraction:0width$}", width = digits as usize);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A whole number with separators between thousands.
pub(super) fn grouped(digits: &str) -> String {
    let mut out = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}
