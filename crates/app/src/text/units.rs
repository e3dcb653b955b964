//! Shares and numbers of reports.

use session::{NO_VALUE, share_text};

/// A share of a whole in per cent; nothing where there is no whole.
pub(crate) fn share(value: i64, whole: i64) -> String {
    match whole {
        0 => String::new(),
        whole => share_text(value as f64 / (whole as f64).abs()),
    }
}

/// A value as a JSON number: whole numbers exactly.
pub(crate) fn json_number(value: i64, decimals: u8) -> Option<serde_json::Number> {
    Some(match decimals {
        _ if value == NO_VALUE => return None,
        0 => value.into(),
        _ => {
            let number = value as f64 / 10f64.powi(decimals.into());
            serde_json::Number::from_f64(number).unwrap_or_else(|| value.into())
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_of_what_there_is() {
        assert_eq!(share(1, 8), "12.5 %");
        assert_eq!(share(1, -8), "12.5 %");
        assert_eq!(share(1, 0), "");
    }

    #[test]
    fn json_numbers_are_exact() {
        assert_eq!(json_number(i64::MAX, 0).unwrap().to_string(), "9223372036854775807");
        assert_eq!(json_number(125, 2).unwrap().to_string(), "1.25");
    }
}
