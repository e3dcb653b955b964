//! A quantity by the levels of one factor, such as revisions.

use std::collections::BTreeMap;

use analysis::experiment::{CellMean, ChangePoint, History, Runs, Step, cell_mean, changes};
use profile::{FactValue, MemberId, visible};
use protocol::{ErrorCode, ProtocolError};

use super::differences::BELIEVED;
use super::{Measured, Quantity};
use crate::kinds::profile::document::profile_document::ProfileDocument;
use crate::kinds::profile::document::view::ViewOptions;
use crate::kinds::profile::experiment::measured;
use crate::kinds::profile::experiment::runs::runs_of_experiment;

/// A quantity by the levels of one factor.
#[derive(Debug, Clone, PartialEq)]
pub struct HistoryReport {
    /// The quantity.
    pub measured: Measured,
    /// The factor.
    pub factor: usize,
    /// Whether levels stand in the order of the times of commits; else they stand as the factor has them.
    pub is_by_time: bool,
    /// One for each combination of levels of the other factors.
    pub lines: Vec<HistoryLine>,
}

/// A history in which nothing else changes.
#[derive(Debug, Clone, PartialEq)]
pub struct HistoryLine {
    /// The levels of the other factors; empty where there are none.
    pub title: String,
    /// Oldest first.
    pub steps: Vec<HistoryStep>,
    /// Where it jumps; [`ChangePoint::step`] is a row of `steps`.
    pub changes: Vec<ChangePoint>,
}

/// One level.
#[derive(Debug, Clone, PartialEq)]
pub struct HistoryStep {
    /// What the level is called.
    pub level: String,
    /// Its cell.
    pub cell: usize,
    /// The mean of its runs; none where it was not measured.
    pub mean: Option<CellMean>,
    /// The commit; empty if that is not known.
    pub commit: String,
    /// What the commit says it is about; may be empty.
    pub subject: String,
    /// When it was made, in seconds since 1970.
    pub time_s: Option<i64>,
}

impl HistoryReport {
    /// What the numbers are.
    pub fn caption(&self, runs: &Runs) -> String {
        let order = if self.is_by_time { "in order of commits' times" } else { "in their order" };
        let name = &runs.factors[self.factor].name;
        format!("{} by {name}, {order}", self.measured.title)
    }
}

/// A quantity by the levels of a factor; `revision`, or the only factor, where none is named.
///
/// # Errors
/// There is no such factor; else as [`measured`].
pub fn history(
    document: &ProfileDocument,
    options: &ViewOptions,
    quantity: &Quantity,
    factor: Option<&str>,
) -> Result<HistoryReport, ProtocolError> {
    let runs = &*runs_of_experiment(document)?;
    let measured = measured(document, options, quantity)?;
    let found = match factor {
        Some(name) => runs.factor(name),
        None => runs.factor("revision").or((runs.factors.len() == 1).then_some(0)),
    };
    let factor = found.ok_or_else(|| no_factor(runs, factor))?;
    let mut lines: BTreeMap<Vec<Option<usize>>, Vec<HistoryStep>> = BTreeMap::new();
    for (number, cell) in runs.cells.iter().enumerate() {
        let Some(level) = cell.levels[factor] else { continue };
        let mut rest = cell.levels.clone();
        rest[factor] = None;
        let mean = cell_mean(runs, &measured.values, number);
        let step = step(document, runs, number, mean, runs.factors[factor].levels[level].clone());
        lines.entry(rest).or_default().push(step);
    }
    let is_by_time = lines.values().flatten().all(|step| step.time_s.is_some());
    let lines = lines.into_iter().map(|(rest, mut steps)| {
        let place = |step: &HistoryStep| runs.cells[step.cell].levels[factor];
        steps.sort_by_key(|step| (step.time_s.filter(|_| is_by_time), place(step)));
        let changes = changes_of(runs, &measured, &steps);
        HistoryLine { title: title_of(runs, &rest), steps, changes }
    });
    let lines = lines.collect();
    Ok(HistoryReport { measured, factor, is_by_time, lines })
}

fn step(
    document: &ProfileDocument,
    runs: &Runs,
    cell: usize,
    mean: Option<CellMean>,
    level: String,
) -> HistoryStep {
    // All runs of a cell are of one commit; those that failed tell it, too.
    let counting = runs.cells[cell].runs.first().map(|&row| runs.runs[row].member);
    let any = || runs.runs.iter().find(|run| run.cell == cell).map(|run| run.member);
    let member = counting.or_else(any).unwrap_or(MemberId(0));
    let text = |name| document.profile.fact_text(member, name).unwrap_or_default().to_owned();
    let time = document.profile.fact(member, "commit time").map(|fact| fact.value);
    let time_s = match time {
        Some(FactValue::Number(seconds, _)) => Some(seconds),
        _ => None,
    };
    HistoryStep {
        level,
        cell,
        mean,
        commit: text("commit"),
        subject: text("commit subject"),
        time_s,
    }
}

fn no_factor(runs: &Runs, asked: Option<&str>) -> ProtocolError {
    let names: Vec<&str> = runs.factors.iter().map(|factor| factor.name.as_str()).collect();
    let message = match asked {
        Some(name) => format!("no factor is called {}", visible(name)),
        None => "there are no revisions, so it is not clear what the history is of".to_owned(),
    };
    let hint = match names[..] {
        [] => "There are no factors.".to_owned(),
        _ => format!("Choose one of: {}.", visible(&names.join(", "))),
    };
    ProtocolError::new(ErrorCode::BadRequest, message).with_hint(hint)
}

/// Jumps by row of the steps; what was not measured is passed over.
fn changes_of(runs: &Runs, measured: &Measured, steps: &[HistoryStep]) -> Vec<ChangePoint> {
    let values = |step: &HistoryStep| -> Vec<f64> {
        let rows = runs.cells[step.cell].runs.iter();
        rows.filter_map(|&row| measured.values[row]).collect()
    };
    let (rows, steps): (Vec<usize>, Vec<Step>) = steps
        .iter()
        .enumerate()
        .map(|(row, step)| (row, Step { values: values(step) }))
        .filter(|(_, step)| !step.values.is_empty())
        .unzip();
    let found = changes(&History { steps }, BELIEVED);
    found.into_iter().map(|change| ChangePoint { step: rows[change.step], ..change }).collect()
}

fn title_of(runs: &Runs, rest: &[Option<usize>]) -> String {
    let pairs = runs.factors.iter().zip(rest).filter_map(|(factor, level)| {
        level.map(|level| format!("{}={}", factor.name, factor.levels[level]))
    });
    pairs.collect::<Vec<String>>().join(" ")
}
