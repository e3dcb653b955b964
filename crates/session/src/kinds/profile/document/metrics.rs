//! The metrics of a document: those of its profile, and those that formulas define.

use analysis::formula::{self, FormulaError, Problem};
use analysis::{Derived, Side};
use profile::{Metric, MetricId, NamedFormula, visible};
use protocol::{ErrorCode, ProtocolError};

use crate::ProfileDocument;
use crate::kinds::profile::document::sided::Sided;

/// More derived metrics make no sense, and each of them may be kept for every view.
const MOST_DERIVED: usize = 200;

impl ProfileDocument {
    /// Defines those of the formulas whose metrics the profile has; what else is wrong with one is
    /// a warning.
    pub fn define_fitting(&mut self, formulas: &[NamedFormula]) {
        // A number alone would fit, but has no values to stand on.
        let formulas = if self.profile.metrics.is_empty() { &[] } else { formulas };
        for NamedFormula { name, formula } in formulas {
            let problem = match Derived::new(name, formula, &self.profile) {
                Ok(_) => self.define_metric(name, formula).err().map(|error| error.to_string()),
                Err(FormulaError { problem: Problem::UnknownMetric { .. }, .. }) => None,
                Err(error) => Some(error.to_string()),
            };
            if let Some(problem) = problem {
                let told = || format!("the metric {formula:?} of the settings: {problem}");
                self.warnings.add("formula", told);
            }
        }
    }

    /// Whether the values of a metric do not add up: it is worked out by a formula, or says that it
    /// combines in another way.
    pub fn is_derived(&self, metric: MetricId) -> bool {
        self.profile.metrics.get(metric.index()).is_none_or(|metric| !self.profile.adds_up(metric))
    }

    /// The metrics: those that were measured, then the derived ones.
    pub fn metrics(&self) -> Vec<Metric> {
        let derived = self.metrics.all();
        let derived = derived.iter().map(|derived| derived.metric().clone());
        self.profile.metrics.iter().cloned().chain(derived).collect()
    }

    /// All of [`ProfileDocument::metrics`].
    pub fn metric_ids(&self) -> impl Iterator<Item = MetricId> + use<> {
        let count = self.profile.metrics.len() + self.metrics.all().len();
        (0..count as u32).map(MetricId)
    }

    /// By metric, the text of its formula if it is a derived one.
    pub fn formulas(&self) -> Vec<Option<String>> {
        let measured = self.profile.metrics.iter().map(|_| None);
        let derived = self.metrics.all();
        let derived =
            derived.iter().map(|derived| derived.formula().map(|formula| formula.to_string()));
        measured.chain(derived).collect()
    }

    /// The formulas that were defined and that the profile itself does not name.
    pub(crate) fn defined(&self) -> Vec<NamedFormula> {
        let made = self.made_metrics() - self.profile.metrics.len();
        let derived = self.metrics.all().into_iter().skip(made);
        let named = derived.filter_map(|derived| {
            let formula = derived.formula()?.to_string();
            Some(NamedFormula { name: derived.metric().name.clone(), formula })
        });
        named
            .filter(|one| !self.profile.origin.formulas.iter().any(|own| own.name == one.name))
            .collect()
    }

    /// How many metrics there are without anybody asking for them: the measured ones, and of a comparison
    /// change and ratio of each.
    pub(crate) fn made_metrics(&self) -> usize {
        let compared = self.comparing.as_ref().map_or(0, |of| 2 * of.metrics.len());
        self.profile.metrics.len() + compared
    }

    /// Defines a metric; one that is there already stays the same. Of a comparison the formula may name
    /// metrics as both sides have them: either side has its values then, and the metric is the change.
    /// A name that another metric has is refused.
    pub fn define_metric(&self, name: &str, formula: &str) -> Result<MetricId, ProtocolError> {
        let sided = self.comparing.as_ref().and_then(|of| of.by_side(name, formula, &self.profile));
        match &sided {
            Some(Sided { defined, asked }) => {
                let defined = defined.each_ref().map(|(name, text)| (&**name, &**text));
                self.refuse_taken(&defined)?;
                Ok(self.define_alike(&defined)?[*asked])
            }
            None => {
                self.refuse_taken(&[(name, formula)])?;
                let defined = self.define_alike(&[(name, formula)]);
                Ok(defined.map_err(|error| self.refused_by_side(formula).unwrap_or(error))?[0])
            }
        }
    }

    /// What is wrong with a formula whose metrics both sides of a comparison have.
    fn refused_by_side(&self, formula: &str) -> Option<ProtocolError> {
        match self.comparing.as_ref()?.sides_of(formula, &self.profile).err()? {
            FormulaError { problem: Problem::UnknownMetric { .. }, .. } => None,
            error => Some(ProtocolError::new(ErrorCode::BadFormula, error.to_string())),
        }
    }

    /// Refuses names that metrics with other values have.
    fn refuse_taken(&self, defined: &[(&str, &str)]) -> Result<(), ProtocolError> {
        let known = self.metrics();
        for &(name, formula) in defined.iter().filter(|(name, _)| !name.is_empty()) {
            let is_same = || {
                let derived = Derived::new(name, formula, &self.profile);
                derived.is_ok_and(|derived| self.metrics.contains(&derived))
            };
            if known.iter().any(|metric| metric.name == name) && !is_same() {
                let message = format!("another metric is called {}", visible(name));
                return Err(ProtocolError::new(ErrorCode::BadFormula, message)
                    .with_hint("Choose another name for what the formula gives."));
            }
        }
        Ok(())
    }

    /// The same of several, by name and formula, whose values have the same decimals, so that they can be
    /// compared.
    pub(crate) fn define_alike(
        &self,
        defined: &[(&str, &str)],
    ) -> Result<Vec<MetricId>, ProtocolError> {
        if self.profile.metrics.is_empty() {
            let message = format!("{} has no metrics that a formula could be of", self.title);
            return Err(ProtocolError::new(ErrorCode::BadFormula, message));
        }
        let derived = |&(name, formula): &(&str, &str)| Derived::new(name, formula, &self.profile);
        let derived: Result<Vec<Derived>, _> = defined.iter().map(derived).collect();
        let derived = derived.map_err(|error| {
            let known: Vec<String> = analysis::distinct_names(&self.profile.metrics)
                .iter()
                .map(|metric| formula::quoted(&metric.name))
                .collect();
            ProtocolError::new(ErrorCode::BadFormula, error.to_string())
                .with_hint(format!("The metrics are {}.", visible(&known.join(", "))))
        })?;
        // Asked for by its text alone, a formula is the metric that has it, whatever that is called.
        if let [("", _)] = defined
            && let Some(text) = derived[0].formula().map(ToString::to_string)
            && let Some(number) = self.formulas().iter().position(|one| one.as_ref() == Some(&text))
        {
            return Ok(vec![MetricId(number as u32)]);
        }
        // A comparison has change and ratio of each metric without being asked.
        let own = self.comparing.as_ref().map_or(0, |of| 2 * of.metrics.len());
        let decimals = derived.iter().map(|one| one.metric().decimals).min().unwrap_or_default();
        let add = |derived: Derived| {
            let derived = derived.with_decimals(decimals);
            if self.metrics.all().len() >= MOST_DERIVED + own && !self.metrics.contains(&derived) {
                let message = format!("a profile has at most {MOST_DERIVED} derived metrics");
                return Err(ProtocolError::new(ErrorCode::Limit, message));
            }
            if !self.metrics.contains(&derived) {
                self.answer_alone();
            }
            let number = self.profile.metrics.len() + self.metrics.add(derived);
            Ok(MetricId(number as u32))
        };
        derived.into_iter().map(add).collect()
    }

    /// The measured metric that stands for a metric where values must add up.
    pub fn base_metric(&self, metric: MetricId) -> MetricId {
        match metric.index().checked_sub(self.profile.metrics.len()) {
            None => metric,
            Some(place) => self.metrics.get(place).map_or(MetricId(0), |derived| derived.base()),
        }
    }
}

/// The metric of a comparison that is both sides of the one with a name or number in the profiles.
pub fn both_sides_named(document: &ProfileDocument, name: &str) -> Option<MetricId> {
    let metrics = &document.comparison()?.metrics;
    let at = match name.parse::<usize>() {
        Ok(number) => (number < metrics.len()).then_some(number)?,
        Err(_) => metrics.iter().position(|metric| metric.name.eq_ignore_ascii_case(name))?,
    };
    Some(Side::Both.of(MetricId(at as u32)))
}

/// The metric of a name or number, as pprof takes them: `inuse_space` also means `space`.
pub fn metric_named(document: &ProfileDocument, name: &str) -> Option<MetricId> {
    let metrics = document.metrics();
    if let Ok(number) = name.parse::<usize>() {
        return (number < metrics.len()).then_some(MetricId(number as u32));
    }
    let short = name.strip_prefix("inuse_").unwrap_or(name);
    let called = |name: &str| metrics.iter().position(|metric| metric.name == name);
    let bound = || called(profile::CALLS_AT_LEAST).filter(|_| name == profile::CALLS);
    let found = called(name).or_else(|| called(short)).or_else(bound);
    found.map(|index| MetricId(index as u32))
}
