//! Derived metrics of a profile.

use std::sync::{Arc, PoisonError, RwLock};

use profile::{Combine, Combining, Metric, MetricId, Profile};

use super::decimals;
use crate::combine::Fold;
use crate::formula::{Formula, FormulaError, OfTwo, Which};
use crate::statistics::Times;

/// What a node has in a derived metric whose formula gives no value for it.
pub const NO_VALUE: i64 = i64::MIN;

/// A metric whose values are not plain sums: worked out from others, or measured and combined in
/// another way.
#[derive(Debug, Clone)]
pub struct Derived {
    pub(super) metric: Metric,
    pub(super) definition: Definition,
    /// The measured metrics that it needs by part: those of its inputs, then the weights of means.
    pub(super) metrics: Vec<MetricId>,
    /// By input, how its values combine, and where in `metrics` its weight is.
    pub(super) inputs: Vec<(Combining, Option<usize>)>,
    /// Inputs that differ by no more than this share of the larger one are equal.
    rounding: f64,
}

#[derive(Debug, Clone)]
pub(super) enum Definition {
    Formula(Formula),
    /// The measured metric that is its only input.
    Combined,
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
        Ok(Derived::defined(name, formula, profile))
    }

    /// A change or a ratio of two metrics that measure the same in one unit.
    ///
    /// # Errors
    /// Their units do not fit.
    pub fn of_two(
        name: &str,
        how: OfTwo,
        sides: [MetricId; 2],
        profile: &Profile,
    ) -> Result<Derived, FormulaError> {
        let formula = Formula::of_two(how, sides, &distinct_names(&profile.metrics))?;
        Ok(Derived::defined(name.to_owned(), formula, profile))
    }

    fn defined(name: String, formula: Formula, profile: &Profile) -> Derived {
        let metric = Metric { name, unit: formula.unit().to_string(), ..Metric::default() };
        let inputs = formula.inputs().iter().map(|input| input.metric).collect();
        let mut derived = Derived::of(metric, Definition::Formula(formula), inputs, profile);
        derived.metric.decimals = decimals::of(&derived, profile);
        derived
    }

    /// A measured metric that does not add up; none for one that does.
    pub(crate) fn combined(metric: MetricId, profile: &Profile) -> Option<Derived> {
        let measured = profile.metrics.get(metric.index()).filter(|one| !profile.adds_up(one))?;
        let definition = Definition::Combined;
        Some(Derived::of(measured.clone(), definition, vec![metric], profile))
    }

    fn of(
        metric: Metric,
        definition: Definition,
        mut metrics: Vec<MetricId>,
        profile: &Profile,
    ) -> Derived {
        let combining: Vec<Combining> =
            metrics.iter().map(|&input| profile.metric(input).combining).collect();
        let mut place = |weight: MetricId| {
            metrics.push(weight);
            metrics.len() - 1
        };
        let inputs = combining.into_iter().map(|own| (own, own.weight.map(&mut place))).collect();
        Derived { metric, definition, metrics, inputs, rounding: 0.0 }
    }

    /// The same as a difference of two measured metrics whose values may be rounded by up to a
    /// share: what differs by no more is equal.
    pub fn rounded_by(self, share: f64) -> Derived {
        Derived { rounding: share, ..self }
    }

    /// The same with values of so many decimals.
    pub fn with_decimals(mut self, decimals: u8) -> Derived {
        self.metric.decimals = decimals;
        self
    }

    /// Name, unit and decimals.
    pub fn metric(&self) -> &Metric {
        &self.metric
    }

    /// The formula, unless it is a measured metric.
    pub fn formula(&self) -> Option<&Formula> {
        match &self.definition {
            Definition::Formula(formula) => Some(formula),
            Definition::Combined => None,
        }
    }

    /// The measured metric that stands for it where sums are needed: the first that it uses, or
    /// metric 0 if it uses none.
    pub fn base(&self) -> MetricId {
        self.metrics.first().copied().unwrap_or_default()
    }

    /// Whether it is called the same and its formula says the same, however it is written.
    fn is_same(&self, other: &Derived) -> bool {
        let text = |derived: &Derived| derived.formula().map(Formula::to_string);
        self.metric == other.metric && text(self) == text(other)
    }

    /// The measured metrics whose values by part it needs, in the order of [`Derived::value`].
    pub(crate) fn metrics(&self) -> &[MetricId] {
        &self.metrics
    }

    /// By input of the formula, its metric if it is needed as a sum.
    pub(crate) fn summed_inputs(&self) -> impl Iterator<Item = Option<MetricId>> {
        let inputs = self.inputs.iter().zip(&self.metrics);
        inputs.map(|((combining, _), &metric)| combining.is_sum().then_some(metric))
    }

    /// Whether it needs values by part.
    pub(crate) fn needs_parts(&self) -> bool {
        self.formula().is_some_and(Formula::needs_parts)
            || self.inputs.iter().any(|(combining, _)| !combining.is_sum())
    }

    /// Whether it asks for self values in whichever column it stands.
    pub(crate) fn uses_self(&self) -> bool {
        self.formula().is_some_and(|formula| {
            formula.inputs().iter().any(|input| input.which == Which::SelfValue)
        })
    }

    /// Its value, 10^-decimals of the unit; [`NO_VALUE`] if there is none.
    pub(crate) fn value(
        &self,
        which: Which,
        values: &[Pair],
        parts: &[Pair],
        order: Option<&Times>,
    ) -> i64 {
        if matches!(self.definition, Definition::Combined) {
            return self.inputs_of(which, values, parts)[0].unwrap_or(NO_VALUE);
        }
        match self.exact(which, values, parts, order) {
            Some(value) => {
                let scaled = (value * 10f64.powi(self.metric.decimals.into())).round();
                // What leaves 64 bits is not told, for it would be another number.
                if scaled.abs() < i64::MAX as f64 { scaled as i64 } else { NO_VALUE }
            }
            None => NO_VALUE,
        }
    }

    /// Its value in its unit; none if there is none. `values` has one entry an input (of which only the
    /// summed ones count), each row of `parts` one for each of [`Derived::metrics`]; `order` is that of
    /// the parts.
    pub(super) fn exact(
        &self,
        which: Which,
        values: &[Pair],
        parts: &[Pair],
        order: Option<&Times>,
    ) -> Option<f64> {
        let formula = self.formula()?;
        let values = self.inputs_of(which, values, parts);
        if let [Some(one), Some(other)] = values[..]
            && one != other
            && one.abs_diff(other) as f64
                <= one.unsigned_abs().max(other.unsigned_abs()) as f64 * self.rounding
        {
            return Some(0.0);
        }
        let inputs = self.inputs.len();
        let rows = parts.chunks(self.metrics.len().max(1));
        let pick = |(input, pair): (usize, &Pair)| {
            self.input_value(input, *pair, self.column(input, which))
        };
        let parts: Vec<Option<i64>> =
            rows.flat_map(|row| row[..inputs].iter().enumerate().map(pick)).collect();
        formula.evaluate(&values, &parts, order)
    }

    /// The values of its inputs in a column.
    fn inputs_of(&self, which: Which, values: &[Pair], parts: &[Pair]) -> Vec<Option<i64>> {
        (0..self.inputs.len())
            .map(|input| {
                if self.inputs[input].0.is_sum() {
                    values.get(input).and_then(|pair| pair.pick(self.column(input, which)))
                } else {
                    self.over_members(input, parts, self.column(input, which))
                }
            })
            .collect()
    }

    /// Which value of an input is meant in a column.
    fn column(&self, input: usize, column: Which) -> Which {
        match &self.definition {
            Definition::Combined => column,
            Definition::Formula(formula) => match formula.inputs()[input].which {
                Which::Column => column,
                named => named,
            },
        }
    }

    /// A value of an input. What does not combine over contexts has no totals.
    fn input_value(&self, input: usize, pair: Pair, which: Which) -> Option<i64> {
        let is_told = which == Which::SelfValue || self.inputs[input].0.contexts != Combine::None;
        pair.pick(which).filter(|_| is_told)
    }

    /// The value of an input over all parts.
    fn over_members(&self, input: usize, parts: &[Pair], which: Which) -> Option<i64> {
        let (combining, weight) = self.inputs[input];
        let mut fold = Fold::new(combining.members);
        for (at, row) in (0..).zip(parts.chunks(self.metrics.len())) {
            let weight = weight.map(|weight| row[weight].pick(which).unwrap_or(0));
            fold.add(
                self.input_value(input, row[input], which).unwrap_or(NO_VALUE),
                weight,
                Some(at),
            );
        }
        Some(fold.value()).filter(|&value| value != NO_VALUE)
    }
}

impl Pair {
    fn pick(self, which: Which) -> Option<i64> {
        let value = if which == Which::SelfValue { self.own } else { self.total };
        Some(value).filter(|&value| value != NO_VALUE)
    }
}

impl Clone for DerivedMetrics {
    fn clone(&self) -> DerivedMetrics {
        DerivedMetrics(RwLock::new(self.all()))
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
        let plain = if same && !metric.unit.is_empty() {
            format!("{} ({})", metric.name, metric.unit)
        } else {
            metric.name.clone()
        };
        let taken = |name: &str| distinct.iter().any(|known| known.name == name);
        let numbered = (2..).map(|number| format!("{plain} {number}"));
        let name = std::iter::once(plain.clone()).chain(numbered).find(|name| !taken(name));
        distinct.push(Metric { name: name.unwrap_or(plain), ..metric.clone() });
    }
    distinct
}
