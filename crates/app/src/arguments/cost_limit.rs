//! Limits on what graphs cost, which `--fail-if` sets.

use std::str::FromStr;

use session::Metric;
use strsim::osa_distance;

use super::threshold::{Amount, Threshold};

/// A limit that a cost, or its growth, may not go beyond.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct CostLimit {
    pub(crate) quantity: Quantity,
    /// Whether more is too much, or less too little.
    pub(crate) is_above: bool,
    /// In the unit of the quantity, or for growth in per cent of the base.
    pub(crate) limit: f64,
    /// The limit with its unit, as text.
    pub(crate) written: String,
}

impl CostLimit {
    fn new(quantity: Quantity, threshold: &Threshold, limit: f64) -> CostLimit {
        let written = threshold.amount.to_string();
        CostLimit { quantity, is_above: threshold.is_above, limit, written }
    }
}

/// What a limit is on, by its name in JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Quantity {
    Work,
    MovementBytes,
    DistinctBytes,
    Depth,
    Parallelism,
    Intensity,
    IntensityOfDistinct,
    MeasuredTime,
}

impl Quantity {
    pub(crate) const ALL: [Quantity; 8] = [
        Quantity::Work,
        Quantity::MovementBytes,
        Quantity::DistinctBytes,
        Quantity::Depth,
        Quantity::Parallelism,
        Quantity::Intensity,
        Quantity::IntensityOfDistinct,
        Quantity::MeasuredTime,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Quantity::Work => "work",
            Quantity::MovementBytes => "movement_bytes",
            Quantity::DistinctBytes => "distinct_bytes",
            Quantity::Depth => "depth",
            Quantity::Parallelism => "parallelism",
            Quantity::Intensity => "intensity",
            Quantity::IntensityOfDistinct => "intensity_of_distinct",
            Quantity::MeasuredTime => "measured_time",
        }
    }

    /// As `session::quantity_text` knows it.
    pub(crate) fn unit(self) -> &'static str {
        match self {
            Quantity::Work | Quantity::Depth => "operations",
            Quantity::MovementBytes | Quantity::DistinctBytes => "bytes",
            Quantity::MeasuredTime => "nanoseconds",
            Quantity::Parallelism => "",
            Quantity::Intensity | Quantity::IntensityOfDistinct => "operations/byte",
        }
    }
}

impl FromStr for Quantity {
    type Err = String;

    fn from_str(name: &str) -> Result<Quantity, String> {
        if let Some(found) = Quantity::ALL.into_iter().find(|one| one.name() == name) {
            return Ok(found);
        }
        Err(format!(
            "there is no quantity {name:?}{}",
            suggestion(name, &Quantity::ALL.map(Quantity::name))
        ))
    }
}

/// What may be meant, and what there is.
fn suggestion(word: &str, known: &[&str]) -> String {
    let start: String = word.chars().take(32).collect();
    let lower = start.to_lowercase();
    let nearest = known.iter().map(|name| {
        let known = name.to_lowercase();
        (osa_distance(&known, &lower), !known.starts_with(&lower), *name)
    });
    let all = known.join(", ");
    match nearest.min() {
        Some((steps, _, name)) if steps <= 3 && steps * 2 <= name.len().max(2) => {
            format!(": did you mean {name}? There are {all}")
        }
        _ => format!(", there are {all}"),
    }
}

/// `movement_bytes > 2 GB`, `intensity < 2`.
pub(super) fn parse_value(text: &str) -> Result<CostLimit, String> {
    let threshold = Threshold::parse(text, "'movement_bytes > 2 GB' or 'intensity < 2'")?;
    let quantity: Quantity = threshold.name.parse()?;
    let (name, unit) = (quantity.name(), quantity.unit());
    let limit = match &threshold.amount {
        Amount::Percent(_) => {
            return Err(
                "there is no base to take a share of: write a value such as 'work > 1e9'; \
                        growth is a matter of `hotframe sdfg compare`"
                    .to_owned(),
            );
        }
        Amount::Value(_, written) if written.is_empty() && unit == "nanoseconds" => {
            return Err("write the unit of a time: ns, us, ms or s".to_owned());
        }
        Amount::Value(number, written) if written.is_empty() => *number,
        Amount::Value(_, written) if !["bytes", "nanoseconds"].contains(&unit) => {
            let of = if unit.is_empty() { String::new() } else { format!(" in {unit}") };
            return Err(format!(
                "{name} is a number{of}, not a quantity with a unit: leave out {written:?}"
            ));
        }
        amount => amount.of(0.0, &Metric::new(name, unit))?,
    };
    if limit < 0.0 {
        return Err(format!("{name} is never below 0"));
    }
    Ok(CostLimit::new(quantity, &threshold, limit))
}

/// `movement_bytes > 5%`, `parallelism < -10%`.
pub(super) fn parse_growth(text: &str) -> Result<CostLimit, String> {
    let threshold = Threshold::parse(text, "'movement_bytes > 5%' or 'parallelism < -10%'")?;
    let quantity: Quantity = threshold.name.parse()?;
    let Amount::Percent(percent) = threshold.amount else {
        return Err(format!(
            "write how much {} may grow as a share of the base, such as 5%; limits on values are a \
             matter of `hotframe sdfg cost`",
            quantity.name()
        ));
    };
    Ok(CostLimit::new(quantity, &threshold, percent))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limit(text: &str) -> Result<(&'static str, bool, f64), String> {
        parse_value(text).map(|one| (one.quantity.name(), one.is_above, one.limit))
    }

    #[test]
    fn limits_on_values() {
        assert_eq!(limit("movement_bytes > 2 GB"), Ok(("movement_bytes", true, 2_147_483_648.0)));
        assert_eq!(limit("movement_bytes>2 KiB"), Ok(("movement_bytes", true, 2_048.0)));
        assert_eq!(limit("distinct_bytes > 1_000"), Ok(("distinct_bytes", true, 1e3)));
        assert_eq!(limit("work > 1e9"), Ok(("work", true, 1e9)));
        assert_eq!(
            limit(" intensity_of_distinct < 2.5 "),
            Ok(("intensity_of_distinct", false, 2.5))
        );
        assert_eq!(limit("measured_time > 1.5 ms"), Ok(("measured_time", true, 1.5e6)));
        assert_eq!(limit("measured_time > 20 µs"), Ok(("measured_time", true, 2e4)));
    }

    #[test]
    fn limits_on_growth() {
        let growth = |text: &str| parse_growth(text).map(|one| (one.is_above, one.limit));
        assert_eq!(growth("movement_bytes > 5%"), Ok((true, 5.0)));
        assert_eq!(growth("parallelism < -10 %"), Ok((false, -10.0)));
        assert!(growth("movement_bytes > 2 GB").unwrap_err().contains("share of the base"));
    }

    #[track_caller]
    fn refused(text: &str, expected: &str) {
        let told = parse_value(text).expect_err("no limit");
        assert!(told.contains(expected), "{told}");
    }

    #[test]
    fn reports_what_is_no_limit() {
        refused(
            "movement > 5",
            "there is no quantity \"movement\", there are work, movement_bytes",
        );
        refused("movment_bytes > 5", "did you mean movement_bytes?");
        refused("Work > 5", "did you mean work?");
        refused("movement_bytes > 2 G", "movement_bytes is in bytes, not in G");
        refused("work > 2 GB", "work is a number in operations, not a quantity with a unit");
        refused("parallelism > 2 x", "parallelism is a number, not a quantity with a unit");
        refused("work > 5%", "no base");
        refused("measured_time > 5", "unit of a time");
        refused("work > -1", "below 0");
        refused("work >= 1", "write a limit as");
        refused("work = 1", "write a limit as");
    }
}
