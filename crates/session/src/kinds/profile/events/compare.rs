//! Two sets of runs side by side.

use std::collections::HashMap;

use analysis::statistics::{Interval, MARGIN, Reason, Shift, Verdict};

use super::knowledge::Better;
use super::report::OTHER_PROCESSORS;
use super::{EventReport, EventRow};
use crate::kinds::profile::reading::shared_machine::host_notes;

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
    /// What the runs show; none where a side was measured in less than two.
    pub shift: Option<Shift>,
    /// What can be said of it.
    pub verdict: Verdict,
}

impl EventChange {
    /// The side that tells what it is: the new one, if it is there.
    pub fn either(&self) -> &EventRow {
        let [base, new] = &self.sides;
        new.as_ref().or(base.as_ref()).expect("a change has a side")
    }

    /// Where the ratio of new to base may lie, with 95 % confidence.
    pub fn interval(&self) -> Option<Interval> {
        self.shift?.ratio
    }

    /// Whether more, or less, of it is better: of a change that is shown.
    pub fn is_better(&self) -> Option<bool> {
        let better = self.either().better?;
        match (self.verdict, better) {
            (Verdict::More, Better::Higher) | (Verdict::Less, Better::Lower) => Some(true),
            (Verdict::More, Better::Lower) | (Verdict::Less, Better::Higher) => Some(false),
            _ => None,
        }
    }

    /// Why nothing can be said, or whether the change is one for the better; may be empty.
    pub fn remark(&self) -> &'static str {
        match (self.verdict.reason(), self.is_better()) {
            (Some(reason), _) => reason.text(),
            (None, Some(true)) => "better",
            (None, Some(false)) => "worse",
            (None, None) => "",
        }
    }

    fn new(base: &EventReport, new: &EventReport, sides: [Option<EventRow>; 2]) -> EventChange {
        let nothing = EventChange {
            sides,
            ratio: None,
            rate_ratio: None,
            shift: None,
            verdict: Verdict::Unknown(Reason::NotMeasured),
        };
        let [Some(of_base), Some(of_new)] = &nothing.sides else { return nothing };
        let rows = [of_base, of_new];
        let ratio = |[from, to]: [Option<f64>; 2]| {
            let (from, to) = from.zip(to)?;
            (from > 0.0 && to >= 0.0).then(|| to / from)
        };
        let measured = rows.map(|row| row.measured().collect::<Vec<f64>>());
        if measured.iter().any(Vec::is_empty) {
            return nothing;
        }
        let rates = [(of_base, base), (of_new, new)];
        let rate_ratio = ratio(rates.map(|(row, of)| row.median_per_second(&of.lengths)));
        let shift = Shift::new(&measured[0], &measured[1]);
        // The whole program is one question; its events are others, each asked for itself.
        let verdict = match shift {
            Some(shift) => shift.verdict(shift.p_value, MARGIN),
            None => Verdict::Unknown(Reason::OneRun),
        };
        EventChange {
            ratio: ratio(rows.map(EventRow::median)),
            rate_ratio,
            shift,
            verdict,
            ..nothing
        }
    }
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
            "the sides were measured on different machines ({} and {}): their processors are not the same, even if their numbers are",
            base.machines.join(", "),
            new.machines.join(", ")
        ));
    }
    if base.left_out_cpus != new.left_out_cpus {
        notes.push(OTHER_PROCESSORS.to_owned());
    }
    notes.extend(host_notes([&base.loads, &new.loads]));
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
                notes.push(format!("{} has different units on both sides", row.name));
            }
            other => {
                rows.push(EventChange::new(base, new, [other.cloned(), Some(row.clone())]));
            }
        }
    }
    let is_left = |row: &&EventRow| {
        let left = of_base.get(&key(row));
        left.is_some_and(|left| left.iter().any(|other| std::ptr::eq(*other, *row)))
    };
    let left = base_rows.into_iter().filter(is_left);
    rows.extend(left.map(|row| EventChange::new(base, new, [Some(row.clone()), None])));
    EventChanges { rows, notes }
}
