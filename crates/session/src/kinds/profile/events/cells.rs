//! What bins have of an event or metric, from sums.

use analysis::{BinSum, EventBins, EventsBy};
use profile::{MachineId, Metric};

use super::bins::{BinsQuery, EventCell};
use super::formulas::{Formulas, Made};
use super::frames::words;
use super::knowledge::{self, Better};

/// An event, or a metric with the columns that it is made of.
pub(super) enum Wanted<'a> {
    Event(usize),
    Metric(&'a Made),
}

pub(super) fn wanted<'a>(
    events: &[Metric],
    formulas: &'a Formulas,
    name: Option<&str>,
) -> Option<Wanted<'a>> {
    let Some(name) = name else { return (!events.is_empty()).then_some(Wanted::Event(0)) };
    let own = events.iter().position(|event| event.name == name);
    let made = || formulas.0.iter().find(|(made, ..)| made == name).map(Wanted::Metric);
    let canonical = || {
        let key = |name: &str| (knowledge::canonical(name).to_owned(), knowledge::mode(name));
        let mut alike = (0..events.len()).filter(|&one| key(&events[one].name) == key(name));
        alike.next().filter(|_| alike.next().is_none())
    };
    own.map(Wanted::Event).or_else(made).or_else(|| canonical().map(Wanted::Event))
}

impl Wanted<'_> {
    pub(super) fn name<'a>(&'a self, events: &'a [Metric]) -> &'a str {
        match self {
            Wanted::Event(column) => &events[*column].name,
            Wanted::Metric((name, ..)) => name,
        }
    }

    pub(super) fn unit(&self, events: &[Metric]) -> Option<Metric> {
        match self {
            Wanted::Event(column) => Some(events[*column].clone()),
            Wanted::Metric(_) => None,
        }
    }

    pub(super) fn better(&self, events: &[Metric]) -> Option<Better> {
        match self {
            Wanted::Event(column) => {
                knowledge::event(&events[*column].name).map(|known| known.better)
            }
            Wanted::Metric((_, known, _)) => Some(known.better),
        }
    }
}

/// What an input of a metric is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Input {
    /// An event, by its place among those that are added up.
    Event(usize),
    /// The time that runs spent in a bin.
    Elapsed,
    /// How many processors a group could use at once.
    Processors,
}

impl Wanted<'_> {
    /// The events that it is made of, and what of these and others its formula has.
    pub(super) fn inputs(&self, events: usize) -> (Vec<usize>, Vec<Input>) {
        let columns: Vec<usize> = match self {
            Wanted::Event(column) => vec![*column],
            Wanted::Metric((_, _, formula)) => {
                formula.inputs().iter().map(|input| input.metric.index()).collect()
            }
        };
        let own: Vec<usize> = columns.iter().copied().filter(|column| *column < events).collect();
        let input = |column: usize| match column.checked_sub(events) {
            None => Input::Event(own.iter().position(|one| *one == column).unwrap_or(0)),
            Some(0) => Input::Elapsed,
            Some(_) => Input::Processors,
        };
        let inputs = columns.into_iter().map(input).collect();
        (own, inputs)
    }
}

/// What cells are made of.
pub(super) struct Cells<'a> {
    pub(super) bins: &'a EventBins,
    /// By set and event, what sums are multiplied by.
    pub(super) factors: Vec<Vec<f64>>,
    pub(super) wanted: &'a Wanted<'a>,
    pub(super) inputs: Vec<Input>,
    /// By set, then group, how many processors it could use at once; none where its runs differ.
    pub(super) processors: Vec<Vec<Option<i64>>>,
}

/// A group that is shown, and which of those that were added up are in it.
type Shown = (Vec<(String, Option<(Option<MachineId>, u32)>)>, Vec<Vec<usize>>);

impl Cells<'_> {
    pub(super) fn groups(&self, asked: &BinsQuery) -> Shown {
        let count = self.bins.groups.len();
        let own = |group: usize| (self.bins.groups[group].clone(), self.bins.places[group]);
        let most = asked.most_groups.max(1);
        if count <= most {
            return ((0..count).map(own).collect(), (0..count).map(|group| vec![group]).collect());
        }
        let total = |group: usize| -> f64 {
            let of_set = |set: usize| {
                let sums = self.bins.get(set, group, 0).iter();
                sums.map(|sum| sum.value).sum::<f64>() * self.factors[set][0]
            };
            (0..self.factors.len()).map(of_set).sum()
        };
        let mut ranked: Vec<(f64, usize)> = (0..count).map(|group| (total(group), group)).collect();
        ranked.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)));
        let mut kept: Vec<usize> = ranked[..most].iter().map(|(_, group)| *group).collect();
        let mut rest: Vec<usize> = ranked[most..].iter().map(|(_, group)| *group).collect();
        kept.sort_unstable();
        rest.sort_unstable();
        let what = match asked.by {
            EventsBy::Thread => "threads",
            EventsBy::Process => "processes",
            EventsBy::Frames(by) => words(by),
            _ => "places",
        };
        let mut groups: Vec<_> = kept.iter().map(|&group| own(group)).collect();
        groups.push((format!("({} other {what})", rest.len()), None));
        let mut members: Vec<Vec<usize>> = kept.into_iter().map(|group| vec![group]).collect();
        members.push(rest);
        (groups, members)
    }

    /// Whether a set has anything of what is asked for, anywhere.
    fn has_any(&self, set: usize) -> bool {
        let events = self.factors[set].len();
        (0..self.bins.groups.len()).any(|group| {
            (0..events)
                .any(|event| self.bins.get(set, group, event).iter().any(|sum| sum.value != 0.0))
        })
    }

    /// The cells of a set and of groups that are one, bin by bin.
    pub(super) fn row(&self, set: usize, groups: &[usize]) -> Vec<EventCell> {
        let has_any = self.has_any(set);
        let bins = groups.first().map_or(0, |&group| self.bins.covered(set, group).len());
        (0..bins).map(|bin| self.cell(set, groups, bin, has_any)).collect()
    }

    fn cell(&self, set: usize, groups: &[usize], bin: usize, has_any: bool) -> EventCell {
        let sums: Vec<BinSum> = (0..self.factors[set].len())
            .map(|event| {
                let all = groups.iter().map(|&group| self.bins.get(set, group, event)[bin]);
                all.fold(BinSum::default(), |sum, one| sum.and(&one))
            })
            .collect();
        let value = |event: usize| sums[event].value * self.factors[set][event];
        let length = self.length(set, groups, bin);
        // What no run has anything of was not measured, or never happened.
        let is_there = length > 0.0 && has_any;
        let value = match self.wanted {
            Wanted::Event(_) => is_there.then(|| value(0) * 1e9 / length),
            Wanted::Metric((_, _, formula)) => {
                let own = |input: &Input| match input {
                    Input::Event(event) => Some(value(*event).round() as i64),
                    Input::Elapsed => Some(length.round() as i64),
                    Input::Processors => self.could_use(set, groups),
                };
                let values: Vec<Option<i64>> = self.inputs.iter().map(own).collect();
                // A ratio of events has no value where there are none; of time nothing is 0.
                let is_of_time = self.inputs.contains(&Input::Elapsed);
                let is_there = is_there && (is_of_time || sums.iter().any(|sum| sum.value != 0.0));
                let is_known = is_there && values.iter().all(Option::is_some);
                is_known.then(|| formula.evaluate(&values, &[], None)).flatten()
            }
        };
        let squares: Option<Vec<f64>> =
            sums.iter().map(|sum| sum.error().map(|error| error.powi(2))).collect();
        EventCell {
            value,
            samples: sums.iter().map(|sum| sum.samples).fold(f64::MAX, f64::min),
            error: squares.map(|squares| squares.iter().sum::<f64>().sqrt()),
            is_enough: sums.iter().all(BinSum::is_enough),
        }
    }

    /// The time that runs spent in a bin; none where it is not the same of all groups that are one.
    fn length(&self, set: usize, groups: &[usize], bin: usize) -> f64 {
        let own = |group: &usize| self.bins.covered(set, *group)[bin];
        match groups {
            [first, others @ ..] if others.iter().all(|group| own(group) == own(first)) => {
                own(first)
            }
            _ => 0.0,
        }
    }

    /// How many processors groups that are one could use at once: places add up, of others it is not
    /// known.
    fn could_use(&self, set: usize, groups: &[usize]) -> Option<i64> {
        let own = |group: &usize| self.processors[set][*group];
        match groups {
            [group] => own(group),
            _ if groups.iter().all(|&group| self.bins.places[group].is_some()) => {
                groups.iter().map(own).sum()
            }
            _ => None,
        }
    }
}
