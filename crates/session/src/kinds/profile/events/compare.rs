//! Two sets of runs side by side.

use std::collections::HashMap;

use analysis::statistics::{Centre, Interval, bootstrap};

use super::knowledge::Better;
use super::report::{OTHER_PROCESSORS, median};
use super::{EventReport, EventRow};

/// Fewer runs on a side say nothing of how far runs differ by themselves.
const LEAST_RUNS: usize = 3;

/// With fewer a change has to be twice as large as what runs differ by.
const RUNS_TO_TRUST: usize = 5;

/// Events and metrics of both sides.
#[derive(Debug, Clone)]
pub struct EventChanges {
    /// In the order of the new side, then those that the base alone has.
    pub rows: Vec<EventChange>,
    /// What could not be compared.
    pub notes: Vec<String>,
}

/// An event or metric on both sides.
#[derive(Debug, Clone)]
pub struct EventChange {
    /// Base and new; one of them may be missing.
    pub sides: [Option<EventRow>; 2],
    /// The median of the new runs by that of the base's.
    pub ratio: Option<f64>,
    /// The same of values per second; none of metrics.
    pub rate_ratio: Option<f64>,
    /// Where the ratio may lie, with 95 % confidence: a bootstrap over runs of the difference of the
    /// medians of logarithms.
    pub interval: Option<[f64; 2]>,
    /// By which factor runs of one side lie off their median at most, on the side where they do more:
    /// what runs of equal programs differ by.
    pub noise: Option<f64>,
    /// What can be said of it.
    pub verdict: Verdict,
}

/// What can be said of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It changed for the better.
    Better,
    /// It changed for the worse.
    Worse,
    /// There is more of what is neither good nor bad.
    More,
    /// There is less of it.
    Less,
    /// It may be chance, or what runs differ by anyway.
    MayBeChance,
    /// A side has less than three runs in which it was measured.
    TooFewRuns,
    /// A run has less than ten samples of it.
    TooFewSamples,
    /// It was measured on one side only, or is 0.
    NotComparable,
}

impl Verdict {
    /// For people and programs.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Better => "better",
            Verdict::Worse => "worse",
            Verdict::More => "more",
            Verdict::Less => "less",
            Verdict::MayBeChance => "may be chance",
            Verdict::TooFewRuns => "too few runs",
            Verdict::TooFewSamples => "too few samples",
            Verdict::NotComparable => "not comparable",
        }
    }
}

impl EventChange {
    /// The side that tells what it is: the new one, if it is there.
    pub fn either(&self) -> &EventRow {
        let [base, new] = &self.sides;
        new.as_ref().or(base.as_ref()).expect("a change has a side")
    }

    fn of(base: &EventReport, new: &EventReport, sides: [Option<EventRow>; 2]) -> EventChange {
        let nothing = EventChange {
            sides,
            ratio: None,
            rate_ratio: None,
            interval: None,
            noise: None,
            verdict: Verdict::NotComparable,
        };
        let [Some(of_base), Some(of_new)] = &nothing.sides else { return nothing };
        let rows = [of_base, of_new];
        let ratio = |[from, to]: [Option<f64>; 2]| {
            let (from, to) = from.zip(to)?;
            (from > 0.0 && to >= 0.0).then(|| to / from)
        };
        let ratio_of_values = ratio(rows.map(EventRow::median));
        let rates = [(of_base, base), (of_new, new)];
        let rate_ratio = ratio(rates.map(|(row, of)| row.median_per_second(&of.lengths)));
        let logs = rows.map(|row| row.measured().map(f64::ln).collect::<Vec<f64>>());
        let noise = logs.iter().filter_map(|logs| spread(logs)).reduce(f64::max).map(f64::exp);
        let noise = noise.filter(|noise| noise.is_finite());
        let few = logs.iter().map(Vec::len).min().unwrap_or(0) < RUNS_TO_TRUST;
        let interval = bootstrap(&logs[0], &logs[1], Centre::Median, 0.95, 2000, 1);
        let interval = interval.map(|Interval { low, high, .. }| [low.exp(), high.exp()]);
        let has_runs = logs.iter().all(|logs| logs.len() >= LEAST_RUNS);
        let verdict = match (ratio_of_values, interval) {
            (None, _) => Verdict::NotComparable,
            _ if !has_runs => Verdict::TooFewRuns,
            _ if !rows.iter().all(|row| row.is_enough) => Verdict::TooFewSamples,
            (Some(ratio), Some([low, high])) => {
                let is_sure = low > 1.0 || high < 1.0;
                // Few runs know little of how far they lie apart; and none knows more than its samples.
                let apart = noise.unwrap_or(1.0).ln() * if few { 2.0 } else { 1.0 };
                let sampling =
                    rows.iter().filter_map(|row| row.error).map(|e| e.powi(2)).sum::<f64>();
                let is_beyond = ratio.ln().abs() > apart.max(sampling.sqrt());
                verdict(is_sure && is_beyond, ratio > 1.0, of_new.better)
            }
            (Some(_), None) => Verdict::NotComparable,
        };
        // Without runs enough an interval would be a point, or nearly one.
        let interval = interval.filter(|_| has_runs);
        EventChange { ratio: ratio_of_values, rate_ratio, interval, noise, verdict, ..nothing }
    }
}

fn verdict(is_believed: bool, is_more: bool, better: Option<Better>) -> Verdict {
    match (is_believed, better, is_more) {
        (false, ..) => Verdict::MayBeChance,
        (_, Some(Better::Lower), false) | (_, Some(Better::Higher), true) => Verdict::Better,
        (_, Some(Better::Lower), true) | (_, Some(Better::Higher), false) => Verdict::Worse,
        (_, _, true) => Verdict::More,
        (_, _, false) => Verdict::Less,
    }
}

/// How far logarithms lie off their median at most; none of a single one.
fn spread(logs: &[f64]) -> Option<f64> {
    let middle = median(logs.iter().copied()).filter(|_| logs.len() > 1)?;
    logs.iter().map(|log| (log - middle).abs()).reduce(f64::max)
}

/// Compares events by group, name and modes, however names are spelled. What no run of either side
/// has is left out.
pub fn compare_events(base: &EventReport, new: &EventReport) -> EventChanges {
    let key = |row: &EventRow| (row.group.clone(), row.key());
    let is_measured = |row: &&EventRow| row.measured().next().is_some();
    let mut of_base: HashMap<(String, [String; 2]), Vec<&EventRow>> = HashMap::new();
    let base_rows: Vec<&EventRow> = base.rows.iter().filter(is_measured).collect();
    base_rows.iter().for_each(|row| of_base.entry(key(row)).or_default().push(row));
    let new_rows: Vec<&EventRow> = new.rows.iter().filter(is_measured).collect();
    let mut of_new: HashMap<(String, [String; 2]), usize> = HashMap::new();
    new_rows.iter().for_each(|row| *of_new.entry(key(row)).or_default() += 1);
    let mut rows = vec![];
    let mut notes = vec![];
    if base.machines != new.machines {
        notes.push(format!(
            "the sides were measured on different machines ({} and {}): processors of one number \
             are not the same ones",
            base.machines.join(", "),
            new.machines.join(", ")
        ));
    }
    if base.left_out_cpus != new.left_out_cpus {
        notes.push(OTHER_PROCESSORS.to_owned());
    }
    for row in new_rows {
        let key = key(row);
        let found = of_base.get_mut(&key);
        let is_unique = of_new[&key] == 1 && found.as_ref().is_none_or(|rows| rows.len() == 1);
        // Of several the one of that very name.
        let at = found
            .as_ref()
            .and_then(|rows| rows.iter().position(|other| is_unique || other.name == row.name));
        let other = found.zip(at).map(|(rows, at)| rows.remove(at));
        let unit =
            |row: &EventRow| row.unit.as_ref().map(|unit| (unit.unit.clone(), unit.decimals));
        match other {
            Some(other) if unit(other) != unit(row) => {
                notes.push(format!("{} has another unit on either side", row.name));
            }
            other => {
                rows.push(EventChange::of(base, new, [other.cloned(), Some(row.clone())]));
            }
        }
    }
    let is_left = |row: &&EventRow| {
        let left = of_base.get(&key(row));
        left.is_some_and(|left| left.iter().any(|other| std::ptr::eq(*other, *row)))
    };
    let left = base_rows.into_iter().filter(is_left);
    rows.extend(left.map(|row| EventChange::of(base, new, [Some(row.clone()), None])));
    EventChanges { rows, notes }
}
