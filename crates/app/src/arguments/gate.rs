//! Limits of changes: `--fail-if` and `--unknown` of every command that compares.

use clap::{Args, ValueEnum};
use session::{Metric, Unknown, quantity_of};

/// What is done with changes of which runs show nothing.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct UnknownChanges {
    /// What --fail-if does if the runs do not decide [default: go by the measured change]
    #[arg(help_heading = None, long, value_enum, value_name = "WHAT", requires = "fail_if")]
    unknown: Option<PassOrFail>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum PassOrFail {
    Pass,
    Fail,
}

impl UnknownChanges {
    pub(crate) fn policy(self) -> Unknown {
        match self.unknown {
            None => Unknown::Measured,
            Some(PassOrFail::Pass) => Unknown::Pass,
            Some(PassOrFail::Fail) => Unknown::Fail,
        }
    }
}

/// How large a change may be.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Amount {
    /// A share of the base, in percent.
    Percent(f64),
    /// A value with its unit.
    Value(f64, String),
}

impl Amount {
    /// `5%`, `5ms`, `1.5 GiB`: a number and a unit.
    pub(crate) fn parse(text: &str) -> Result<Amount, String> {
        let text = text.trim();
        let end = text.rfind(|c: char| c.is_ascii_digit() || c == '.').map_or(0, |place| place + 1);
        let (number, unit) = text.split_at(end);
        let number = number.trim().parse::<f64>().ok().filter(|number| number.is_finite());
        match (number, unit.trim()) {
            (None, _) => Err(format!("'{text}' is not a number with a unit, such as 5% or 5ms")),
            (Some(number), "") => {
                Err(format!("{number} of what? Write a unit: {number}% or {number}ms"))
            }
            (Some(number), "%") => Ok(Amount::Percent(number)),
            (Some(number), unit) => Ok(Amount::Value(number, unit.to_owned())),
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

    pub(crate) fn is_below_zero(&self) -> bool {
        let (Amount::Percent(number) | Amount::Value(number, _)) = self;
        number.is_sign_negative()
    }
}

impl std::fmt::Display for Amount {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Amount::Percent(percent) => write!(f, "{percent}%"),
            Amount::Value(number, unit) => write!(f, "{number} {unit}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_have_units() {
        assert_eq!(Amount::parse("5%"), Ok(Amount::Percent(5.0)));
        assert_eq!(Amount::parse(" 0.5 % "), Ok(Amount::Percent(0.5)));
        assert_eq!(Amount::parse("1.5 GiB"), Ok(Amount::Value(1.5, "GiB".to_owned())));
        assert_eq!(Amount::parse("5ms"), Ok(Amount::Value(5.0, "ms".to_owned())));
        assert!(Amount::parse("5").unwrap_err().contains("Write a unit"));
        for wrong in ["", "%", "x%", "nan%", "ms", "inf%", "5 5%"] {
            assert!(Amount::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn amounts_are_in_the_unit_of_the_metric() {
        let time = Metric { decimals: 3, ..Metric::new("time", "ms") };
        assert_eq!(Amount::parse("2s").unwrap().of(0.0, &time), Ok(2_000_000.0));
        assert_eq!(Amount::parse("10%").unwrap().of(500.0, &time), Ok(50.0));
        assert!(Amount::parse("2 MB").unwrap().of(0.0, &time).unwrap_err().contains("is in ms"));
        let samples = Metric::new("samples", "count");
        assert_eq!(Amount::parse("5 samples").unwrap().of(0.0, &samples), Ok(5.0));
    }
}
