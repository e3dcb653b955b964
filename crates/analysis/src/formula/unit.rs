//! What values measure.

use std::collections::BTreeMap;
use std::fmt::{self, Display};

use profile::Metric;

use profile::{UnitKind, unit_scale};

/// A product of units with whole powers, such as bytes per second.
///
/// Its text is one that [`Metric::unit`] may have: `count`, `bytes`, `nanoseconds`,
/// `bytes/second`, `cycles/count`; empty for a ratio. Times alone are in nanoseconds, in products
/// they are in seconds; kilobytes (of 1024, as everywhere in Hotframe) and the like are bytes.
/// `count` also stands for samples, events, objects and for no unit at all: it is shown but never
/// in the way, so counts can be added to ratios and compared with bare numbers.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Unit {
    /// None is 0.
    powers: BTreeMap<Base, i32>,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Base {
    Bytes,
    Named(String),
    Count,
    /// In nanoseconds.
    Time,
}

/// How values become those of a unit: times the one, by the other. Two, because neither a
/// thousandth nor a tenth is exact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Scale {
    pub(super) multiply: f64,
    pub(super) divide: f64,
}

impl Scale {
    pub(super) fn apply(self, value: f64) -> f64 {
        value * self.multiply / self.divide
    }

    fn power(&mut self, scale: f64, power: i32) {
        match power {
            0.. => self.multiply *= scale.powi(power),
            _ => self.divide *= scale.powi(-power),
        }
    }
}

/// A number with a unit as values of a metric, which have its decimals; none where it measures something
/// else.
pub fn quantity_of(number: f64, unit: &str, metric: &Metric) -> Option<f64> {
    let (wanted, size) = Unit::of_number(unit);
    let (own, scale) = Unit::new(metric);
    let is_count = |unit: &Unit| unit.powers.keys().all(|base| *base == Base::Count);
    let fits = wanted == own || (is_count(&wanted) && is_count(&own));
    fits.then(|| number * size * scale.divide / scale.multiply)
}

impl Unit {
    /// Whether values are ratios: nothing is measured or counted.
    pub fn is_ratio(&self) -> bool {
        self.powers.is_empty()
    }

    /// The unit of a metric, and how its values become those of the unit.
    pub(super) fn new(metric: &Metric) -> (Unit, Scale) {
        let (unit, mut scale) = Unit::parse(&metric.unit);
        scale.divide *= 10f64.powi(metric.decimals.into());
        (unit, scale)
    }

    fn parse(text: &str) -> (Unit, Scale) {
        let mut scale = Scale { multiply: 1.0, divide: 1.0 };
        let mut unit = Unit::default();
        for (index, product) in text.split('/').enumerate() {
            for factor in product.split(['·', '*']).map(str::trim) {
                let (name, power) = match factor.rsplit_once('^') {
                    Some((name, power)) => match power.parse() {
                        Ok(power @ -9..=9) => (name.trim(), power),
                        _ => (factor, 1),
                    },
                    None => (factor, 1),
                };
                let power = if index == 0 { power } else { -power };
                if name == "1" {
                    continue;
                }
                let (size, base) = base(name);
                scale.power(size, power);
                unit.multiply(base, power);
            }
        }
        (unit, scale)
    }

    /// The unit that follows a number, and how many of its own units one of it is.
    pub(super) fn of_number(name: &str) -> (Unit, f64) {
        let (size, base) = base(name);
        (Unit { powers: BTreeMap::from([(base, 1)]) }, size)
    }

    /// Whether it is one of those that every profile has, or part of the unit of a metric.
    pub(super) fn is_known(&self, metrics: &[Metric]) -> bool {
        self.powers.keys().all(|base| {
            !matches!(base, Base::Named(_))
                || metrics.iter().any(|metric| Unit::new(metric).0.powers.contains_key(base))
        })
    }

    fn multiply(&mut self, base: Base, power: i32) {
        let sum = self.powers.get(&base).copied().unwrap_or(0).saturating_add(power);
        if sum == 0 {
            self.powers.remove(&base);
        } else {
            self.powers.insert(base, sum);
        }
    }

    pub(super) fn times(mut self, other: &Unit) -> Unit {
        other.powers.iter().for_each(|(base, &power)| self.multiply(base.clone(), power));
        self
    }

    pub(super) fn per(mut self, other: &Unit) -> Unit {
        other.powers.iter().for_each(|(base, &power)| self.multiply(base.clone(), -power));
        self
    }

    fn measured(&self) -> impl Iterator<Item = (&Base, &i32)> {
        self.powers.iter().filter(|(base, _)| **base != Base::Count)
    }

    /// The unit of a sum of values of both, if they measure the same.
    pub(super) fn common(self, other: Unit) -> Result<Unit, (Unit, Unit)> {
        if !self.measured().eq(other.measured()) {
            Err((self, other))
        } else if self.powers.contains_key(&Base::Count) {
            Ok(self)
        } else {
            Ok(other)
        }
    }

    /// Whether times in it are in nanoseconds: where nothing else is measured.
    fn is_time(&self) -> bool {
        self.measured().eq([(&Base::Time, &1)])
    }

    /// A value, worked out in nanoseconds, as the text of the unit says.
    pub(super) fn shown(&self, value: f64) -> f64 {
        let power = self.powers.get(&Base::Time).copied().unwrap_or(0);
        if power == 0 || self.is_time() {
            return value;
        }
        let mut scale = Scale { multiply: 1.0, divide: 1.0 };
        scale.power(1e9, power.saturating_neg());
        if scale.divide.is_finite() { scale.apply(value) } else { f64::NAN }
    }

    /// How it is called in an error.
    pub(super) fn described(&self) -> String {
        if self.is_ratio() { "a bare number".into() } else { self.to_string() }
    }
}

impl Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |base: &Base, above: bool| match base {
            Base::Count => "count".to_owned(),
            Base::Named(name) => name.clone(),
            Base::Bytes if above => "bytes".to_owned(),
            Base::Bytes => "byte".to_owned(),
            Base::Time if self.is_time() => "nanoseconds".to_owned(),
            Base::Time if above => "seconds".to_owned(),
            Base::Time => "second".to_owned(),
        };
        let list = |above: bool| -> Vec<String> {
            let own = self.powers.iter().filter(|(_, power)| (**power > 0) == above);
            own.map(|(base, power)| match power.unsigned_abs() {
                1 => name(base, above),
                power => format!("{}^{power}", name(base, above)),
            })
            .collect()
        };
        let mut above = list(true);
        if above.len() > 1 {
            // Counted bytes are bytes.
            above.retain(|name| !(name == "count" || name.starts_with("count^")));
        }
        let below = list(false);
        if above.is_empty() && !below.is_empty() {
            above.push("1".into());
        }
        f.write_str(&above.join("·"))?;
        below.iter().try_for_each(|name| write!(f, "/{name}"))
    }
}

fn base(name: &str) -> (f64, Base) {
    match unit_scale(name) {
        (size, UnitKind::Bytes) => (size as f64, Base::Bytes),
        (size, UnitKind::Time) => (size as f64, Base::Time),
        (size, UnitKind::Other(singular)) => match singular.as_str() {
            "" | "none" | "count" | "sample" | "event" | "object" => (size as f64, Base::Count),
            _ => (size as f64, Base::Named(name.to_owned())),
        },
    }
}
