//! Values with units.

use session::{NO_VALUE, decimal_text, visible};

/// How values of a metric read.
pub(crate) struct Unit {
    kind: Kind,
    decimals: u8,
    name: String,
}

#[derive(PartialEq)]
enum Kind {
    /// Times the given nanoseconds.
    Time(f64),
    /// Times the given bytes.
    Bytes(f64),
    Count,
    Other,
}

impl Unit {
    /// The unit of a name as profiles have it.
    pub(crate) fn of(name: &str, decimals: u8) -> Unit {
        let kind = match name.to_ascii_lowercase().as_str() {
            "nanoseconds" | "nanosecond" | "ns" => Kind::Time(1.0),
            "microseconds" | "microsecond" | "us" => Kind::Time(1e3),
            "milliseconds" | "millisecond" | "ms" => Kind::Time(1e6),
            "seconds" | "second" | "s" => Kind::Time(1e9),
            "bytes" | "byte" | "b" => Kind::Bytes(1.0),
            "kilobytes" | "kb" | "kib" => Kind::Bytes(1024.0),
            "megabytes" | "mb" | "mib" => Kind::Bytes(1024.0 * 1024.0),
            "" | "count" | "samples" | "sample" | "objects" => Kind::Count,
            _ => Kind::Other,
        };
        Unit { kind, decimals, name: visible(name).into_owned() }
    }

    /// A value in the unit that reads best.
    pub(crate) fn text(&self, value: i64) -> String {
        let number = value as f64 / 10f64.powi(self.decimals.into());
        match self.kind {
            _ if value == NO_VALUE => "–".to_owned(),
            _ if value == 0 => "0".to_owned(),
            Kind::Time(scale) => {
                const STEPS: [(f64, &str); 6] = [
                    (3600e9, "h"),
                    (60e9, "min"),
                    (1e9, "s"),
                    (1e6, "ms"),
                    (1e3, "µs"),
                    (1.0, "ns"),
                ];
                // Minutes and hours only where seconds grow long.
                scaled(number * scale, &STEPS, |size, step| match step {
                    step if step > 1e9 => size >= step * 10.0,
                    step => size >= step,
                })
            }
            Kind::Bytes(scale) => {
                const K: f64 = 1024.0;
                const STEPS: [(f64, &str); 5] = [
                    (K * K * K * K, "TiB"),
                    (K * K * K, "GiB"),
                    (K * K, "MiB"),
                    (K, "KiB"),
                    (1.0, "B"),
                ];
                scaled(number * scale, &STEPS, |size, step| size >= step)
            }
            Kind::Count | Kind::Other => {
                let (value, decimals) = rounded(value, self.decimals);
                let text = decimal_text(value, decimals);
                let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
                let sign = if whole.starts_with('-') { "-" } else { "" };
                let whole = grouped(whole.trim_start_matches('-'));
                let dot = if fraction.is_empty() { "" } else { "." };
                match self.kind {
                    Kind::Other => format!("{sign}{whole}{dot}{fraction} {}", self.name),
                    _ => format!("{sign}{whole}{dot}{fraction}"),
                }
            }
        }
    }
}

/// A value to a thousandth of its unit, and its decimals.
fn rounded(value: i64, decimals: u8) -> (i64, u8) {
    let finer = decimals.saturating_sub(3);
    let each = 10i64.saturating_pow(finer.into());
    let half = i64::signum(value) * (each / 2);
    (value.saturating_add(half) / each, decimals - finer)
}

/// A number in the first step that `fits`, with three digits or more.
fn scaled(number: f64, steps: &[(f64, &str)], fits: impl Fn(f64, f64) -> bool) -> String {
    let size = number.abs();
    let last = steps[steps.len() - 1];
    let (step, name) = steps.iter().copied().find(|&(step, _)| fits(size, step)).unwrap_or(last);
    let scaled = number / step;
    let digits = match scaled.abs() {
        x if x >= 100.0 || x.fract() == 0.0 => 0,
        x if x >= 10.0 => 1,
        _ => 2,
    };
    format!("{scaled:.digits$} {name}")
}

/// A whole number with separators between thousands.
pub(crate) fn count(number: u64) -> String {
    grouped(&number.to_string())
}

fn grouped(digits: &str) -> String {
    let mut out = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A share of a whole in per cent; nothing where there is no whole.
pub(crate) fn share(value: i64, whole: i64) -> String {
    match whole {
        0 => String::new(),
        whole => format!("{:.1} %", value as f64 / (whole as f64).abs() * 100.0),
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
    fn values_read_well() {
        let time = Unit::of("nanoseconds", 0);
        assert_eq!(time.text(0), "0");
        assert_eq!(time.text(999), "999 ns");
        assert_eq!(time.text(1_840_000_000), "1.84 s");
        assert_eq!(time.text(-12_345_678), "-12.3 ms");
        assert_eq!(time.text(119_000_000_000), "119 s");
        assert_eq!(time.text(900_000_000_000), "15 min");
        let bytes = Unit::of("bytes", 0);
        assert_eq!(bytes.text(1023), "1023 B");
        assert_eq!(bytes.text(1_536), "1.50 KiB");
        assert_eq!(Unit::of("count", 0).text(-1_234_567), "-1,234,567");
        assert_eq!(Unit::of("count", 9).text(1_500_000_000), "1.5");
        assert_eq!(Unit::of("count", 6).text(26_999_998), "27");
        assert_eq!(Unit::of("count", 6).text(-1_666_667), "-1.667");
        assert_eq!(Unit::of("cycles", 0).text(12), "12 cycles");
        assert_eq!(share(1, 8), "12.5 %");
        assert_eq!(share(1, 0), "");
    }

    #[test]
    fn json_numbers_are_exact() {
        assert_eq!(json_number(i64::MAX, 0).unwrap().to_string(), "9223372036854775807");
        assert_eq!(json_number(125, 2).unwrap().to_string(), "1.25");
    }
}
