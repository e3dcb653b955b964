//! Values of metrics, which are integers.

use profile::{UnitKind, unit_scale, visible};

use super::digits::{count_digits, grouped, three_digits};
use crate::NO_VALUE;

/// How values of a metric read.
#[derive(Debug, Clone)]
pub struct Unit {
    steps: &'static [Step],
    /// How many of the smallest step one of the unit is.
    each: i64,
    decimals: u8,
    /// What stands behind values that have no steps; behind steps, what they are for each of: `/B`.
    name: String,
}

#[derive(Debug)]
struct Step {
    size: i64,
    symbol: &'static str,
    /// From how many of it on it is used.
    from: i64,
}

const fn step(size: i64, symbol: &'static str) -> Step {
    Step { size, symbol, from: 1 }
}

/// Minutes and hours only where seconds grow long.
const TIMES: [Step; 6] = [
    Step { size: 3_600_000_000_000, symbol: "h", from: 10 },
    Step { size: 60_000_000_000, symbol: "min", from: 10 },
    step(1_000_000_000, "s"),
    step(1_000_000, "ms"),
    step(1_000, "µs"),
    step(1, "ns"),
];

const BYTES: [Step; 6] = [
    step(1 << 50, "PiB"),
    step(1 << 40, "TiB"),
    step(1 << 30, "GiB"),
    step(1 << 20, "MiB"),
    step(1 << 10, "KiB"),
    step(1, "B"),
];

impl Unit {
    /// A unit as profiles call it; values are integers that count 10^-decimals of it.
    pub fn new(name: &str, decimals: u8) -> Unit {
        if let Some((whole, per)) = name.trim().split_once('/') {
            let unit = Unit::new(whole, decimals);
            if !unit.steps.is_empty() {
                return Unit { name: per.split('/').map(per_text).collect(), ..unit };
            }
        }
        let (each, kind) = unit_scale(name.trim());
        let (steps, name) = match kind {
            UnitKind::Time => (TIMES.as_slice(), String::new()),
            UnitKind::Bytes => (BYTES.as_slice(), String::new()),
            // What says nothing that the number does not.
            UnitKind::Other(kind) => match kind.as_str() {
                "" | "count" | "sample" | "object" => ([].as_slice(), String::new()),
                "percent" => ([].as_slice(), "%".to_owned()),
                _ => ([].as_slice(), visible(name.trim()).into_owned()),
            },
        };
        Unit { steps, each, decimals, name }
    }

    /// A value for reading: three digits and the step that suits its size; counts in full.
    pub fn text(&self, value: i64) -> String {
        if value == NO_VALUE {
            return "–".to_owned();
        }
        if value == 0 {
            return "0".to_owned();
        }
        let sign = if value < 0 { "-" } else { "" };
        let over = i128::from(value.unsigned_abs()) * i128::from(self.each);
        let under = 10i128.pow(self.decimals.into());
        let fits = |step: &&Step| {
            // What rounds up to the step is in it: 999.7 ms is 1 s.
            let (size, from) = (i128::from(step.size), i128::from(step.from));
            over * 10_000 >= under * size * from * 9_995
        };
        let (number, symbol) = match self.steps.iter().find(fits).or(self.steps.last()) {
            Some(step) => (three_digits(over, under * i128::from(step.size)), step.symbol),
            None => (count_digits(over, under), ""),
        };
        format!("{sign}{number} {symbol}{}", self.name).trim_end().to_owned()
    }

    /// A difference with its sign.
    pub fn change_text(&self, value: i64) -> String {
        let sign = if value > 0 { "+" } else { "" };
        format!("{sign}{}", self.text(value))
    }
}

/// What something is for each of: `/s`.
fn per_text(name: &str) -> String {
    match name.trim() {
        "second" | "seconds" => "/s".to_owned(),
        "byte" | "bytes" => "/B".to_owned(),
        name => format!("/{}", visible(name)),
    }
}

/// A whole number with separators between thousands.
pub fn count_text(number: u64) -> String {
    grouped(&number.to_string())
}

/// A share, of 1, in per cent; shares that are too small to show say so instead of reading 0.
pub fn share_text(share: f64) -> String {
    let percent = share * 100.0;
    match percent.abs() {
        size if !size.is_finite() => "–".to_owned(),
        0.0 => "0 %".to_owned(),
        size if size < 0.01 => format!("{}<0.01 %", if percent < 0.0 { "-" } else { "" }),
        size if size < 1.0 => format!("{percent:.2} %"),
        _ => format!("{percent:.1} %"),
    }
}
