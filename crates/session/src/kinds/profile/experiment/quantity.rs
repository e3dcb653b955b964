//! What is asked of each run.

use analysis::experiment::{Estimate, RunQuantity, Values};
use analysis::{FrameKey, FrameKeys};
use profile::{Metric, UnitKind, unit_scale, visible};
use protocol::{ErrorCode, ProtocolError};

use crate::kinds::profile::convert;
use crate::kinds::profile::document::profile_document::ProfileDocument;
use crate::kinds::profile::document::view::ViewOptions;
use crate::kinds::profile::experiment::runs::{experiment_runs, runs_of_experiment};
use crate::kinds::profile::experiment::values::values_of_functions;
use crate::kinds::profile::trees::views::{filtered_by, frame_keys};
use crate::units::Unit;

/// What is asked of each run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Quantity {
    /// A figure of the run as a whole, by its name; filters say nothing about it.
    Measure(String),
    /// The metric of the options, of what filters leave of the run.
    Metric,
    /// A function in that metric.
    Function(FrameKey, RunQuantity),
}

/// A quantity with its values.
#[derive(Debug, Clone, PartialEq)]
pub struct Measured {
    /// For people, such as `wall time`, `self time of f`.
    pub title: String,
    /// Its unit; values count 10^-decimals of it.
    pub metric: Metric,
    /// Whether filters decide over it.
    pub is_filtered: bool,
    /// Whether it cannot be below 0: a time, a size or a count that was measured, of which no run has
    /// less.
    pub is_amount: bool,
    /// By run.
    pub values: Values,
}

/// Digits that means have beyond those of values.
const FINER: u8 = 3;

impl Measured {
    /// What was measured; of a formula's values nothing is known.
    fn new(title: String, metric: Metric, is_formula: bool, values: Values) -> Measured {
        let has_size = match unit_scale(metric.unit.trim()).1 {
            UnitKind::Time | UnitKind::Bytes => true,
            UnitKind::Other(kind) => matches!(kind.as_str(), "count" | "sample" | "object"),
        };
        let is_amount = has_size && !is_formula && !values.iter().flatten().any(|&one| one < 0.0);
        Measured { title, metric, is_filtered: true, is_amount, values }
    }

    /// The interval of a mean as it is shown: runs that scatter much leave room below 0, where no
    /// amount is. Differences have both sides.
    pub fn shown(&self, mean: Estimate) -> Estimate {
        let low = if self.is_amount { mean.low.max(0.0) } else { mean.low };
        Estimate { low, ..mean }
    }

    /// A value for reading.
    pub fn text(&self, value: f64) -> String {
        let Metric { unit, decimals, .. } = &self.metric;
        let finer = 10f64.powi(FINER.into());
        if value.abs() < finer && decimals.saturating_add(FINER) < 18 {
            return Unit::new(unit, decimals + FINER).text((value * finer).round() as i64);
        }
        Unit::new(unit, *decimals).text(value.round() as i64)
    }

    /// A difference, with its sign.
    pub fn change_text(&self, value: f64) -> String {
        let text = self.text(value);
        if value > 0.0 && text != "0" { format!("+{text}") } else { text }
    }

    /// A value in the unit.
    pub fn in_unit(&self, value: f64) -> f64 {
        value / 10f64.powi(self.metric.decimals.into())
    }
}

/// By how much more or less something is than what it is held against.
pub fn ratio_text(ratio: f64) -> String {
    if ratio >= 10.0 {
        return format!("×{ratio:.1}");
    }
    let percent = (ratio - 1.0) * 100.0;
    if percent.abs() < 0.05 { "0 %".to_owned() } else { format!("{percent:+.1} %") }
}

/// The interval of a ratio.
pub fn ratio_interval(ratio: &Estimate) -> String {
    format!("{} to {}", ratio_text(ratio.low), ratio_text(ratio.high))
}

/// The values of a quantity by run.
///
/// # Errors
/// The document is not an experiment, there is no such quantity, or filters are wrong.
pub fn measured(
    document: &ProfileDocument,
    options: &ViewOptions,
    quantity: &Quantity,
) -> Result<Measured, ProtocolError> {
    let runs = &*runs_of_experiment(document)?;
    if let Quantity::Measure(name) = quantity {
        let known = runs.measures(&document.profile);
        let Some((_, unit)) = known.iter().find(|(known, _)| known == name) else {
            let names: Vec<&str> = known.iter().map(|(name, _)| name.as_str()).collect();
            let message = format!("no run has {}", visible(name));
            return Err(ProtocolError::new(ErrorCode::BadRequest, message)
                .with_hint(format!("Runs have: {}.", visible(&names.join(", ")))));
        };
        let (metric, values) = (Metric::new(name, unit), runs.measure(&document.profile, name));
        let measured = Measured::new(name.clone(), metric, false, values);
        return Ok(Measured { is_filtered: false, ..measured });
    }
    let metrics = document.metrics();
    let Some(metric) = metrics.get(options.metric.index()).cloned() else {
        let message = format!("{} has no such metric: nothing was recorded", document.title);
        return Err(ProtocolError::new(ErrorCode::BadRequest, message)
            .with_hint("Figures of whole runs, such as wall time, are there."));
    };
    let (title, values) = match *quantity {
        Quantity::Function(key, which) => {
            let keys = frame_keys(document, options.granularity);
            if key.index() >= keys.len() {
                let message = format!("no function has the key {}", key.0);
                return Err(ProtocolError::new(ErrorCode::BadRequest, message));
            }
            let word = if which == RunQuantity::Own { "self" } else { "total" };
            let title =
                format!("{word} {} of {}", metric.name, function_label(document, &keys, key));
            (title, values_of_functions(document, options, which)?.values(key.index()))
        }
        _ => {
            let filtered = filtered_by(document, options).map_err(convert::filter_error)?;
            (metric.name.clone(), runs.totals(&filtered, options.metric))
        }
    };
    let is_formula = options.metric.index() >= document.profile.metrics.len();
    Ok(Measured::new(title, metric, is_formula, values))
}

/// A sentence on cells all of whose runs have 0 in the metric, where others have more: results do not
/// tell whether it was recorded there.
pub fn zero_note(
    document: &ProfileDocument,
    quantity: &Quantity,
    measured: &Measured,
) -> Option<String> {
    const MOST_NAMES: usize = 3;
    let runs = experiment_runs(document)?;
    let values = &measured.values;
    let has_more = values.iter().flatten().any(|&value| value != 0.0);
    if *quantity != Quantity::Metric || !has_more {
        return None;
    }
    let is_zero = |cell: &usize| {
        let mut of = (0..runs.runs.len()).filter(|&run| runs.runs[run].cell == *cell);
        let mut known = of.by_ref().filter_map(|run| values[run]).peekable();
        known.peek().is_some() && known.all(|value| value == 0.0)
    };
    let zeros: Vec<usize> = (0..runs.cells.len()).filter(is_zero).collect();
    let named: Vec<String> = zeros.iter().take(MOST_NAMES).map(|&cell| runs.title(cell)).collect();
    let more = match zeros.len() - named.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    (!zeros.is_empty()).then(|| {
        format!(
            "{} is 0 in every run of {}{more}: it did not happen, or was not recorded there",
            measured.title,
            named.join(", ")
        )
    })
}

/// What is measured of runs unless somebody chooses: the first figure of whole runs, else the metric.
pub fn usual_quantity(document: &ProfileDocument) -> Quantity {
    let measures =
        experiment_runs(document).map(|runs| runs.measures(&document.profile)).unwrap_or_default();
    measures.into_iter().next().map_or(Quantity::Metric, |(name, _)| Quantity::Measure(name))
}

/// The function of a name, as lists call it.
///
/// # Errors
/// There is none, or there are several.
pub fn function_named(
    document: &ProfileDocument,
    options: &ViewOptions,
    name: &str,
) -> Result<FrameKey, ProtocolError> {
    let keys = frame_keys(document, options.granularity);
    let labelled = keys.all().find(|&key| function_label(document, &keys, key) == name);
    if let Some(key) = labelled {
        return Ok(key);
    }
    let all: Vec<FrameKey> =
        keys.all().filter(|&key| keys.name(&document.profile, key) == name).collect();
    match all[..] {
        [key] => Ok(key),
        [] => {
            let message = format!("{} has no function {}", document.title, visible(name));
            Err(ProtocolError::new(ErrorCode::BadRequest, message)
                .with_hint("`hotframe show FILE` lists the functions."))
        }
        _ => {
            let labels: Vec<String> =
                all.iter().take(8).map(|&key| function_label(document, &keys, key)).collect();
            let message = format!("{} functions are called {}", all.len(), visible(name));
            Err(ProtocolError::new(ErrorCode::BadRequest, message)
                .with_hint(format!("Write one of: {}.", visible(&labels.join("; ")))))
        }
    }
}

pub(super) fn function_label(
    document: &ProfileDocument,
    keys: &FrameKeys,
    key: FrameKey,
) -> String {
    keys.label(&document.profile, key).into_owned()
}
