//! Numbers in hexadecimal digits. The standard library takes a sign, which no format writes.

/// A number of hexadecimal digits; none if it is anything else or takes more than 64 bits.
pub(crate) fn hexadecimal(digits: &str) -> Option<u64> {
    let mut number = 0;
    for byte in digits.bytes() {
        let digit = match byte {
            b'0'..=b'9' => byte - b'0',
            b'a'..=b'f' => byte - b'a' + 10,
            b'A'..=b'F' => byte - b'A' + 10,
            _ => return None,
        };
        if number >> 60 != 0 {
            return None;
        }
        number = number << 4 | u64::from(digit);
    }
    (!digits.is_empty()).then_some(number)
}

/// The same, which may begin with `0x`.
pub(crate) fn address(text: &str) -> Option<u64> {
    hexadecimal(text.strip_prefix("0x").unwrap_or(text))
}

/// A decimal number, or a hexadecimal one after `0x`. Neither has a sign.
pub(crate) fn number(text: &str) -> Option<u64> {
    match text.strip_prefix("0x") {
        Some(digits) => hexadecimal(digits),
        None if text.starts_with('+') => None,
        None => text.parse().ok(),
    }
}

/// The number that a text begins with, and what follows its digits.
pub(crate) fn leading(text: &str) -> Option<(u64, &str)> {
    let end = text.bytes().take_while(u8::is_ascii_hexdigit).count();
    Some((hexadecimal(&text[..end])?, &text[end..]))
}

/// Whether a text is hexadecimal digits and nothing else.
pub(crate) fn is_hexadecimal(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_alone_are_a_number() {
        for (text, value) in [
            ("0", Some(0)),
            ("1f", Some(31)),
            ("FFFFFFFFFFFFFFFF", Some(u64::MAX)),
            ("0000000000000000001", Some(1)),
            ("10000000000000000", None),
            ("", None),
            ("+1", None),
            ("-1", None),
            ("0x1", None),
            ("1_0", None),
        ] {
            assert_eq!(hexadecimal(text), value, "{text}");
        }
        assert_eq!((address("0x1f"), address("1f"), address("0x+1")), (Some(31), Some(31), None));
        assert_eq!((number("0x10"), number("10"), number("+10")), (Some(16), Some(10), None));
        assert_eq!(leading("1f]:"), Some((31, "]:")));
        assert_eq!(leading("]"), None);
    }
}
