//! Events by their names, which may hold a unit.

use profile::Metric;

use crate::numbers::scale::Scale;

/// Digits after the point that are kept of costs that are not whole numbers.
const MOST_DECIMALS: u8 = 9;

/// What stands below the line in names of ratios. Other names with a slash are names.
const BELOW: [&str; 6] = ["hit", "hits", "call", "calls", "sample", "samples"];

#[derive(Debug, Clone)]
pub(super) struct Event {
    pub(super) metric: Metric,
    /// Its unit counted in the metric's.
    pub(super) unit: i64,
    pub(super) scale: Scale,
    /// Whether it is one thing for each of another (`us/hit`): such costs do not add up, and are left out.
    pub(super) is_ratio: bool,
}

impl Event {
    /// An event by its name, which may hold a unit: `Time_(10ns)`, `Memory_(bytes)`.
    pub(super) fn new(name: &str) -> Event {
        let (name, unit) = match name.strip_suffix(')').and_then(|name| name.rsplit_once('(')) {
            Some((start, unit)) if !start.trim_end_matches('_').is_empty() => {
                (start.trim_end_matches('_'), unit)
            }
            _ => (name, "count"),
        };
        let digits = unit.len() - unit.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let counted = unit[..digits].parse().unwrap_or(1);
        let unit = match &unit[digits..] {
            "ns" => "nanoseconds",
            "us" | "µs" | "\u{3bc}s" => "microseconds",
            "ms" => "milliseconds",
            "s" => "seconds",
            other => other,
        };
        let metric = Metric {
            name: name.to_owned(),
            unit: unit.to_owned(),
            decimals: 0,
            ..Metric::default()
        };
        let below = metric.name.rsplit_once('/').map(|(_, below)| below.trim());
        let is_ratio = below.is_some_and(|below| BELOW.contains(&below));
        Event { metric, unit: counted, scale: Scale::up_to(MOST_DECIMALS), is_ratio }
    }
}
