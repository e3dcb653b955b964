//! Metrics that formulas define, beside those that were measured.

use std::sync::{Arc, PoisonError, RwLock};

use profile::{Metric, Profile};

use crate::formula::{Formula, FormulaError, Which};
use crate::statistics::Times;

/// What a node has in a derived metric whose formula gives no value for it.
pub const NO_VALUE: i64 = i64::MIN;

/// Decimals of derived values: ratios are told to a millionth, values with a unit to a thousandth.
const RATIO_DECIMALS: u8 = 6;
const UNIT_DECIMALS: u8 = 3;

/// A metric that is worked out from others.
#[derive(Debug, Clone)]
pub struct Derived {
    metric: Metric,
    formula: Formula,
}

/// The derived metrics of a profile. They are numbered on from the measured ones, and none ever
/// goes away, so that a number keeps its meaning.
#[derive(Debug, Default)]
pub struct DerivedMetrics(RwLock<Vec<Arc<Derived>>>);

/// The self and total values of one node or group that a formula may ask for.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Pair {
    pub(crate) own: i64,
    pub(crate) total: i64,
}

impl Derived {
    /// Compiles the formula over the metrics of a profile, as [`distinct_names`] calls them. An
    /// empty name becomes the formula's text.
    pub fn new(name: &str, formula: &str, profile: &Profile) -> Result<Derived, FormulaError> {
        let formula = Formula::new(formula, &distinct_names(&profile.metrics))?;
        let name = match name {
            "" => formula.to_string(),
            name => name.to_owned(),
        };
        let decimals = if formula.unit().is_ratio() { RATIO_DECIMALS } else { UNIT_DECIMALS };
        let metric =
            Metric { name, unit: formula.unit().to_string(), decimals, ..Metric::default() };
        Ok(Derived { metric, formula })
    }

    /// Name, unit and decimals.
    pub fn metric(&self) -> &Metric {
        &self.metric
    }

    /// The formula.
    pub fn formula(&self) -> &Formula {
        &self.formula
    }

    /// The measured metric that stands for it where sums are needed: the first that it uses, or
    /// metric 0 if it uses none.
    pub fn base(&self) -> usize {
        self.formula.inputs().first().map_or(0, |input| input.metric)
    }

    /// Whether it is called the same and its formula says the same, however it is written.
    fn is_same(&self, other: &Derived) -> bool {
        self.metric == other.metric && self.formula.to_string() == other.formula.to_string()
    }

    /// Whether it asks for self values in whichever column it stands.
    pub(crate) fn uses_self(&self) -> bool {
        self.formula.inputs().iter().any(|input| input.which == Which::SelfValue)
    }

    /// Its value, 10^-decimals of the unit; [`NO_VALUE`] if there is none. `values` and each row of
    /// `parts` have one entry an input of the formula; `order` is that of the parts.
    pub(crate) fn value(
        &self,
        which: Which,
        values: &[Pair],
        parts: &[Pair],
        order: Option<&Times>,
    ) -> i64 {
        let inputs = self.formula.inputs();
        let pick = |(pair, input): (&Pair, &crate::formula::Input)| {
            let which = if input.which == Which::Column { which } else { input.which };
            Some(if which == Which::SelfValue { pair.own } else { pair.total })
        };
        let values: Vec<Option<i64>> = values.iter().zip(inputs).map(pick).collect();
        let parts: Vec<Option<i64>> = parts.iter().zip(inputs.iter().cycle()).map(pick).collect();
        match self.formula.evaluate(&values, &parts, order) {
            Some(value) => {
                let scaled = value * 10f64.powi(self.metric.decimals.into());
                // The cast holds values at the limits.
                (scaled.round() as i64).max(NO_VALUE + 1)
            }
            None => NO_VALUE,
        }
    }
}

impl DerivedMetrics {
    /// Adds a metric and gives its place among the derived ones; one that is there already keeps
    /// its place.
    pub fn add(&self, derived: Derived) -> usize {
        let mut list = self.0.write().unwrap_or_else(PoisonError::into_inner);
        match list.iter().position(|known| known.is_same(&derived)) {
            Some(place) => place,
            None => {
                list.push(Arc::new(derived));
                list.len() - 1
            }
        }
    }

    /// Whether an equal one was added.
    pub fn contains(&self, derived: &Derived) -> bool {
        self.all().iter().any(|known| known.is_same(derived))
    }

    /// The metric at a place.
    pub fn get(&self, place: usize) -> Option<Arc<Derived>> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).get(place).cloned()
    }

    /// All of them, in the order in which they were added.
    pub fn all(&self) -> Vec<Arc<Derived>> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// The metrics with names that tell them apart, as formulas use them: where several have one name,
/// with their unit, `cpu (ns)`, and where that is not enough, with a number, `cpu (ns) 2`.
pub fn distinct_names(metrics: &[Metric]) -> Vec<Metric> {
    let mut distinct: Vec<Metric> = vec![];
    for metric in metrics {
        let same = metrics.iter().filter(|other| other.name == metric.name).count() > 1;
        let plain = match same && !metric.unit.is_empty() {
            true => format!("{} ({})", metric.name, metric.unit),
            false => metric.name.clone(),
        };
        let taken = |name: &str| distinct.iter().any(|known| known.name == name);
        let numbered = (2..).map(|number| format!("{plain} {number}"));
        let name = std::iter::once(plain.clone()).chain(numbered).find(|name| !taken(name));
        distinct.push(Metric { name: name.unwrap_or(plain), ..metric.clone() });
    }
    distinct
}
