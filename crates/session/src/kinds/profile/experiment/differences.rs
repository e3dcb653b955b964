//! Which functions make the difference.

use analysis::FrameKey;
use analysis::experiment::{Contrast, Pairs, RunQuantity, contrast};
use protocol::ProtocolError;

use super::{Measured, Quantity, sides};
use crate::kinds::profile::document::profile_document::ProfileDocument;
use crate::kinds::profile::document::view::ViewOptions;
use crate::kinds::profile::experiment::measured;
use crate::kinds::profile::experiment::runs::runs_of_experiment;
use crate::kinds::profile::experiment::values::values_of_functions;
use crate::kinds::profile::trees::report::{ReportRow, row_of_key};
use crate::kinds::profile::trees::views::frame_keys;

/// A difference is believed if at most this share of those that are is there by chance.
pub const BELIEVED: f64 = 0.05;

/// Two groups of cells.
#[derive(Debug, Clone, PartialEq)]
pub struct DifferenceReport {
    /// What was asked for of whole runs.
    pub whole: Measured,
    /// By how much it differs; none where no pair was measured on both sides.
    pub contrast: Option<Contrast>,
    /// The metric of the functions, without values of runs.
    pub of_functions: Measured,
    /// Functions of both sides, those that are believed and differ most first.
    pub both: Vec<DifferenceRow>,
    /// Functions of one side alone, in more than half of its runs, the largest first.
    pub only: Vec<OnlyRow>,
    /// Functions that are too small to be tested.
    pub small: usize,
    /// Pairs of cells that were looked at.
    pub pairs: Pairs,
    /// Why the runs of both sides may not be alike: sentences that are among the notes.
    pub doubts: Vec<String>,
    /// What else differs between the sides, and what was left out, in sentences.
    pub notes: Vec<String>,
}

/// A function on both sides.
#[derive(Debug, Clone, PartialEq)]
pub struct DifferenceRow {
    /// The function.
    pub key: FrameKey,
    /// What it is called and where it is; its values are not those of a side.
    pub row: ReportRow,
    /// By how much it differs.
    pub contrast: Contrast,
    /// Of all that stay at or below a limit, at most that share is there by chance.
    pub q: f64,
}

/// A function on one side.
#[derive(Debug, Clone, PartialEq)]
pub struct OnlyRow {
    /// The function.
    pub key: FrameKey,
    /// What it is called and where it is.
    pub row: ReportRow,
    /// Whether that is the new side.
    pub is_new: bool,
    /// Its mean there, in 10^-decimals of the unit.
    pub mean: f64,
    /// Runs there in which it is, and all.
    pub runs: (usize, usize),
}

impl DifferenceReport {
    /// Why base and new side of a row do not divide to its ratio, where they need not.
    pub fn ratio_note(&self) -> Option<&'static str> {
        let is_one = |(base, new): &(Vec<usize>, Vec<usize>)| base.len() == 1 && new.len() == 1;
        let divides = self.pairs.pairs.len() == 1 && self.pairs.pairs.iter().all(is_one);
        (!divides).then_some(
            "base and new are means; the ratio is the geometric mean over pairs of cells, which can differ from new / base",
        )
    }
}

impl DifferenceRow {
    /// Whether it is more than chance.
    pub fn is_believed(&self) -> bool {
        self.q <= BELIEVED
    }
}

/// Compares two groups of cells: a quantity of whole runs, and all functions in the metric of the
/// options, or where that does not add up in the metric that it is worked out from.
///
/// # Errors
/// As [`measured`].
pub fn differences(
    document: &ProfileDocument,
    options: &ViewOptions,
    quantity: &Quantity,
    pairs: Pairs,
    which: RunQuantity,
) -> Result<DifferenceReport, ProtocolError> {
    let runs = &*runs_of_experiment(document)?;
    let whole = measured(document, options, quantity)?;
    let doubts = sides::doubts(&document.profile, runs, &pairs)?;
    let contrast = contrast(runs, &whole.values, &pairs);
    let notes = [doubts.clone(), sides::notes(&document.profile, runs, &pairs)].concat();
    let mut report = DifferenceReport {
        of_functions: Measured { values: vec![], ..whole.clone() },
        whole,
        contrast,
        both: vec![],
        only: vec![],
        small: 0,
        doubts,
        notes,
        pairs,
    };
    // Without a recorder there are no functions.
    if document.profile.metrics.is_empty() {
        return Ok(report);
    }
    let options = ViewOptions { metric: document.base_metric(options.metric), ..options.clone() };
    if document.is_derived(options.metric) {
        let name = &document.profile.metric(options.metric).name;
        report.notes.push(format!("values of {name} do not add up, so functions have none"));
        return Ok(report);
    }
    let values = values_of_functions(document, &options, which)?;
    let found = analysis::experiment::differences(runs, &values, &report.pairs, BELIEVED);
    let keys = frame_keys(document, options.granularity);
    let of = |group: usize| {
        let key = FrameKey(group as u32);
        (key, row_of_key(document, &keys, key, 0, 0))
    };
    report.small = found.small;
    if found.rare > 0 {
        report.notes.push(format!(
            "functions that are not listed, since they are in at most half of the runs of one side and in none of the other, which may be chance: {}",
            found.rare
        ));
    }
    report.both = (found.both.into_iter())
        .map(|one| {
            let (key, row) = of(one.group);
            DifferenceRow { key, row, contrast: one.contrast, q: one.q }
        })
        .collect();
    report.only = (found.one.into_iter())
        .map(|one| {
            let (key, row) = of(one.group);
            let (is_new, mean, runs) = (one.is_new, one.mean, one.runs);
            OnlyRow { key, row, is_new, mean, runs }
        })
        .collect();
    let metric = document.profile.metric(options.metric).clone();
    let word = if which == RunQuantity::Own { "self" } else { "total" };
    let title = format!("{word} {}", metric.name);
    report.of_functions =
        Measured { title, metric, is_filtered: true, is_amount: false, values: vec![] };
    Ok(report)
}
