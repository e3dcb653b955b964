//! Limits on what graphs cost, which `--fail-if` sets.

use std::str::FromStr;

use strsim::osa_distance;

/// A limit that a cost, or its growth, may not go beyond.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Threshold {
    pub(crate) quantity: Quantity,
    /// Whether more is too much, or less too little.
    pub(crate) is_above: bool,
    /// In the unit of the quantity, or for growth in per cent of the base.
    pub(crate) limit: f64,
    /// The limit as it was written.
    pub(crate) written: String,
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

    fn units(self) -> &'static [(&'static str, f64)] {
        match self.unit() {
            "bytes" => &BYTES,
            "nanoseconds" => &TIMES,
            _ => &[],
        }
    }
}

const BYTES: [(&str, f64); 9] = [
    ("B", 1.0),
    ("kB", 1e3),
    ("MB", 1e6),
    ("GB", 1e9),
    ("TB", 1e12),
    ("KiB", 1024.0),
    ("MiB", 1_048_576.0),
    ("GiB", 1_073_741_824.0),
    ("TiB", 1_099_511_627_776.0),
];

const TIMES: [(&str, f64); 4] = [("ns", 1.0), ("us", 1e3), ("ms", 1e6), ("s", 1e9)];

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
pub(super) fn parse_threshold(text: &str) -> Result<Threshold, String> {
    let (quantity, is_above, written) = parts(text, "'movement_bytes > 2 GB' or 'intensity < 2'")?;
    if written.ends_with('%') {
        return Err("there is no base to take a share of: write a value such as 'work > 1e9'; \
                    growth is a matter of `hotframe sdfg compare`"
            .to_owned());
    }
    let end = written
        .rfind(|letter: char| letter.is_ascii_digit() || letter == '.')
        .map_or(0, |place| place + 1);
    let (digits, unit) = written.split_at(end);
    let number = number(digits)?;
    if number < 0.0 {
        return Err(format!("{} is never below 0", quantity.name()));
    }
    let units = quantity.units();
    let unit = unit.trim();
    let scale = match (unit, units) {
        ("", _) if quantity == Quantity::MeasuredTime => {
            return Err("write the unit of a time: ns, us, ms or s".to_owned());
        }
        ("", _) => 1.0,
        (unit, []) => {
            let (name, of) = (quantity.name(), quantity.unit());
            let of = if of.is_empty() { String::new() } else { format!(" in {of}") };
            return Err(format!(
                "{name} is a number{of}, not a quantity with a unit: leave out {unit:?}"
            ));
        }
        (unit, units) => {
            let unit = if ["µs", "\u{3bc}s"].contains(&unit) { "us" } else { unit };
            let known: Vec<&str> = units.iter().map(|(name, _)| *name).collect();
            let found = units.iter().find(|(name, _)| *name == unit);
            let wrong = || format!("there is no unit {unit:?}{}", suggestion(unit, &known));
            found.ok_or_else(wrong)?.1
        }
    };
    Ok(Threshold { quantity, is_above, limit: number * scale, written: written.to_owned() })
}

/// `movement_bytes > 5%`, `parallelism < -10%`.
pub(super) fn parse_growth(text: &str) -> Result<Threshold, String> {
    let (quantity, is_above, written) =
        parts(text, "'movement_bytes > 5%' or 'parallelism < -10%'")?;
    let Some(share) = written.strip_suffix('%') else {
        return Err(format!(
            "write how much {} may grow as a share of the base, such as 5%; limits on values are a \
             matter of `hotframe sdfg cost`",
            quantity.name()
        ));
    };
    let limit = number(share)?;
    Ok(Threshold { quantity, is_above, limit, written: written.to_owned() })
}

fn parts<'t>(text: &'t str, example: &str) -> Result<(Quantity, bool, &'t str), String> {
    let place = text.find(['<', '>']).ok_or_else(|| format!("write a limit as {example}"))?;
    let (name, rest) = text.split_at(place);
    let is_above = rest.starts_with('>');
    let written = rest[1..].trim();
    if written.is_empty() || written.starts_with('=') {
        return Err(format!("write a limit as {example}"));
    }
    Ok((name.trim().parse()?, is_above, written))
}

/// Underscores may stand between digits.
fn number(text: &str) -> Result<f64, String> {
    let text = text.trim();
    let is_plain = text.chars().all(|letter| letter.is_ascii_digit() || "+-._eE".contains(letter));
    let number = text.replace('_', "").parse::<f64>().ok();
    number
        .filter(|number| is_plain && number.is_finite())
        .ok_or_else(|| format!("{text:?} is not a number"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limit(text: &str) -> Result<(&'static str, bool, f64), String> {
        parse_threshold(text).map(|one| (one.quantity.name(), one.is_above, one.limit))
    }

    #[test]
    fn limits_on_values() {
        assert_eq!(limit("movement_bytes > 2 GB"), Ok(("movement_bytes", true, 2e9)));
        assert_eq!(limit("movement_bytes>2GiB"), Ok(("movement_bytes", true, 2_147_483_648.0)));
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
        let told = parse_threshold(text).expect_err("no limit");
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
        refused("movement_bytes > 2 gb", "there is no unit \"gb\": did you mean GB?");
        refused("movement_bytes > 2 G", "did you mean GB?");
        refused("work > 2 GB", "work is a number in operations, not a quantity with a unit");
        refused("parallelism > 2 x", "parallelism is a number, not a quantity with a unit");
        refused("work > 5%", "no base");
        refused("measured_time > 5", "unit of a time");
        refused("work > -1", "below 0");
        refused("work >= 1", "write a limit as");
        refused("work = 1", "write a limit as");
        for wrong in ["work > inf", "work > nan", "work > 1e999", "work > 1 2", "work >", "> 1"] {
            assert!(parse_threshold(wrong).is_err(), "{wrong}");
            assert!(parse_growth(&format!("{wrong}%")).is_err(), "{wrong}");
        }
    }
}
