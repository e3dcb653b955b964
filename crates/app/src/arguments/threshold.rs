//! Thresholds as you type them after `--fail-if`: a name, `>` or `<`, and an amount.

use session::{Metric, quantity_of};

/// What a value, or its growth, may not go beyond: `total > 5ms`, `IPC < -5%`.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Threshold {
    /// What is judged. Each command says which names it knows.
    pub(crate) name: String,
    /// Whether more is too much, or less too little.
    pub(crate) is_above: bool,
    pub(crate) amount: Amount,
}

/// How much.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Amount {
    /// A share of the base, in percent.
    Percent(f64),
    /// A value with its unit, which is empty if there is none.
    Value(f64, String),
}

impl Threshold {
    /// Reads a threshold. `form` says in an error how to write one.
    pub(super) fn parse(text: &str, form: &str) -> Result<Threshold, String> {
        let wrong = || format!("write a limit as {form}");
        let place = text.rfind(['<', '>']).ok_or_else(wrong)?;
        let (name, rest) = text.split_at(place);
        let (name, amount) = (name.trim(), rest[1..].trim());
        if name.is_empty() || amount.is_empty() || amount.starts_with('=') {
            return Err(wrong());
        }
        let amount = Amount::parse(amount)?;
        Ok(Threshold { name: name.to_owned(), is_above: rest.starts_with('>'), amount })
    }
}

impl Amount {
    /// `5%`, `5ms`, `1.5 GiB`, `1_000`: a number and perhaps a unit.
    fn parse(text: &str) -> Result<Amount, String> {
        let end = text.rfind(|c: char| c.is_ascii_digit() || c == '.').map_or(0, |place| place + 1);
        let (digits, unit) = text.split_at(end);
        let is_plain = digits.chars().all(|c| c.is_ascii_digit() || "+-._eE".contains(c));
        let number = digits.replace('_', "").parse::<f64>().ok();
        match (number.filter(|number| is_plain && number.is_finite()), unit.trim()) {
            (None, _) => Err(format!("'{text}' is not a number with a unit, such as 5% or 5ms")),
            (Some(number), "%") => Ok(Amount::Percent(number)),
            (Some(number), unit) => Ok(Amount::Value(number, unit.to_owned())),
        }
    }

    /// Refuses a number without a unit, and one below zero: how much something may grow.
    pub(super) fn of_growth(self) -> Result<Amount, String> {
        let (Amount::Percent(number) | Amount::Value(number, _)) = &self;
        match &self {
            Amount::Value(number, unit) if unit.is_empty() => {
                Err(format!("{number} of what? Write a unit: {number}% or {number}ms"))
            }
            amount if number.is_sign_negative() => {
                Err(format!("{amount} is below 0: this limit is on growth"))
            }
            _ => Ok(self),
        }
    }

    /// In values of a metric, of which a share is taken of `base`.
    pub(crate) fn of(&self, base: f64, metric: &Metric) -> Result<f64, String> {
        match self {
            Amount::Percent(percent) => Ok(percent / 100.0 * base),
            Amount::Value(number, unit) => quantity_of(*number, unit, metric).ok_or_else(|| {
                let of = if metric.unit.is_empty() { "count" } else { &metric.unit };
                format!("{} is in {of}, not in {unit}", metric.name)
            }),
        }
    }
}

impl std::fmt::Display for Amount {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Amount::Percent(percent) => write!(f, "{percent}%"),
            Amount::Value(number, unit) if unit.is_empty() => write!(f, "{number}"),
            Amount::Value(number, unit) => write!(f, "{number} {unit}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn threshold(text: &str) -> Option<(String, bool, Amount)> {
        let Threshold { name, is_above, amount } = Threshold::parse(text, "").ok()?;
        Some((name, is_above, amount))
    }

    #[test]
    fn a_threshold_is_a_name_a_sign_and_an_amount() {
        let value = |number, unit: &str| Amount::Value(number, unit.to_owned());
        let is = |text, name: &str, is_above, amount| {
            assert_eq!(threshold(text), Some((name.to_owned(), is_above, amount)), "{text}");
        };
        is("L1d MPKI > 5 %", "L1d MPKI", true, Amount::Percent(5.0));
        is("total>0.5%", "total", true, Amount::Percent(0.5));
        is("IPC < -5%", "IPC", false, Amount::Percent(-5.0));
        is("distinct_bytes > 1_000", "distinct_bytes", true, value(1e3, ""));
        is(" movement_bytes > 1.5 GiB ", "movement_bytes", true, value(1.5, "GiB"));
        is("work > 1e9", "work", true, value(1e9, ""));
        is("a->b > 5ms", "a->b", true, value(5.0, "ms"));
        for wrong in [
            "",
            "work",
            "> 1",
            "work >",
            "work >= 1",
            "work = 1",
            "work > x%",
            "work > inf",
            "work > nan%",
            "work > 1e999",
            "work > 1 2",
            "work > %",
            "work > ms",
        ] {
            assert_eq!(threshold(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn growth_has_a_unit_and_is_not_below_zero() {
        let growth = |text| Amount::parse(text).unwrap().of_growth();
        assert_eq!(growth("5%"), Ok(Amount::Percent(5.0)));
        assert!(growth("5").unwrap_err().contains("Write a unit"));
        assert!(growth("-5%").unwrap_err().contains("below 0"));
    }

    #[test]
    fn amounts_are_in_the_unit_of_the_metric() {
        let time = Metric { decimals: 3, ..Metric::new("time", "ms") };
        let of = |text: &str, metric: &Metric| Amount::parse(text).unwrap().of(500.0, metric);
        assert_eq!(of("2s", &time), Ok(2_000_000.0));
        assert_eq!(of("10%", &time), Ok(50.0));
        assert!(of("2 MB", &time).unwrap_err().contains("is in ms"));
        assert_eq!(of("5 samples", &Metric::new("samples", "count")), Ok(5.0));
        // As in pprof, which label filters follow: a kilobyte is a KiB.
        assert_eq!(of("2 MB", &Metric::new("space", "bytes")), Ok(2_097_152.0));
    }
}
