//! Events and metrics of some runs, in all or by where they were.

use analysis::formula::Formula;
use analysis::{EventSum, EventTable, EventsBy};
use profile::{Metric, MetricId};
use protocol::{ErrorCode, ProtocolError};

use super::knowledge::{self, Better};
use crate::kinds::profile::convert;
use crate::{ProfileDocument, ViewOptions};

/// What runs have of each event, and of each metric that is made of events, by group.
#[derive(Debug, Clone)]
pub struct EventReport {
    /// Names of the runs.
    pub runs: Vec<String>,
    /// How many nanoseconds of each run count.
    pub lengths: Vec<i64>,
    /// Groups in their order; in each events in the order of the file, then metrics.
    pub rows: Vec<EventRow>,
}

/// What runs have of an event or metric.
#[derive(Debug, Clone)]
pub struct EventRow {
    /// Where it was; what [`EventsBy::Total`] is called otherwise.
    pub group: String,
    /// The event as the file names it, or the metric.
    pub name: String,
    /// Unit and decimals of an event; none of a metric that is made of events.
    pub unit: Option<Metric>,
    /// Which way it is better, if that is known.
    pub better: Option<Better>,
    /// What it counts; empty if that is not known.
    pub description: &'static str,
    /// By run, in units of the metric; none where it was not measured, or cannot be worked out.
    pub values: Vec<Option<f64>>,
    /// Samples of all runs; of a metric those of the event with the fewest.
    pub samples: u64,
    /// The largest standard error of a run that comes of sampling, as a share of its value; more
    /// than there is where counters were read.
    pub error: Option<f64>,
    /// The smallest share of the time that a counter of a run counted, where counters were shared.
    pub coverage: Option<f64>,
    /// Whether each run has samples enough to say something.
    pub is_enough: bool,
}

impl EventRow {
    /// Values of the runs in which it was measured.
    pub fn measured(&self) -> impl Iterator<Item = f64> + '_ {
        self.values.iter().flatten().copied()
    }

    /// The median over the runs in which it was measured.
    pub fn median(&self) -> Option<f64> {
        median(self.measured())
    }

    /// The smallest and the largest of the runs.
    pub fn range(&self) -> Option<[f64; 2]> {
        let ends = |mut ends: [f64; 2], value: f64| {
            ends = [ends[0].min(value), ends[1].max(value)];
            ends
        };
        let first = self.measured().next()?;
        Some(self.measured().fold([first, first], ends))
    }

    /// Values of the runs per second of what counts of each; none of metrics, which are ratios.
    pub fn per_second<'a>(&'a self, lengths: &'a [i64]) -> impl Iterator<Item = f64> + 'a {
        let rate = |(value, &length): (&Option<f64>, &i64)| {
            let value = value.filter(|_| length > 0 && self.unit.is_some())?;
            Some(value * 1e9 / length as f64)
        };
        self.values.iter().zip(lengths).filter_map(rate)
    }

    /// The median of these.
    pub fn median_per_second(&self, lengths: &[i64]) -> Option<f64> {
        median(self.per_second(lengths))
    }

    /// The name that it has in formulas, which brings events of several spellings together.
    pub(super) fn canonical(&self) -> &str {
        if self.unit.is_some() { knowledge::canonical(&self.name) } else { &self.name }
    }
}

/// The value in the middle.
pub(super) fn median(values: impl Iterator<Item = f64>) -> Option<f64> {
    let mut values: Vec<f64> = values.collect();
    values.sort_unstable_by(f64::total_cmp);
    let last = values.len().checked_sub(1)?;
    Some((values[last / 2] + values[last.div_ceil(2)]) / 2.0)
}

/// Times for which counters were wanted and counted are no events.
const TIMES: [&str; 2] = ["time enabled", "time counted"];

impl ProfileDocument {
    /// What the runs of a recording have of each event and metric.
    pub fn events(
        &self,
        options: &ViewOptions,
        by: EventsBy,
    ) -> Result<EventReport, ProtocolError> {
        let profile = self.profile();
        let filtered = self.filtered_by(options).map_err(convert::filter_error)?;
        let is_event = |metric: &MetricId| {
            let metric = profile.metric(*metric);
            metric.combining.is_sum() && !TIMES.contains(&&*metric.name)
        };
        let metrics: Vec<MetricId> = profile.metric_ids().filter(is_event).collect();
        let named = |name: &str| profile.metric_ids().find(|&id| profile.metric(id).name == name);
        let times = named(TIMES[0]).zip(named(TIMES[1])).map(|(wanted, counted)| [wanted, counted]);
        let table = EventTable::of(&filtered, by, &metrics, times)
            .map_err(|error| ProtocolError::new(ErrorCode::BadRequest, error.to_string()))?;
        let run = |member: &profile::MemberId| match profile.members.get(member.index()) {
            Some(member) => member.name.clone(),
            None => self.title().to_owned(),
        };
        let events: Vec<Metric> =
            metrics.iter().map(|&metric| profile.metric(metric).clone()).collect();
        let formulas = Formulas::over(&events);
        let mut rows = vec![];
        for (group, name) in table.groups.iter().enumerate() {
            let of = Of { table: &table, group, name };
            rows.extend(events.iter().enumerate().map(|(column, event)| of.event(column, event)));
            rows.extend(formulas.0.iter().filter_map(|made| of.metric(made)));
        }
        Ok(EventReport { runs: table.runs.iter().map(run).collect(), lengths: table.lengths, rows })
    }
}

/// Metrics whose events are there.
struct Formulas(Vec<(&'static knowledge::KnownMetric, Formula)>);

impl Formulas {
    fn over(events: &[Metric]) -> Formulas {
        let canonical = |event: &Metric| Metric {
            name: knowledge::canonical(&event.name).to_owned(),
            ..event.clone()
        };
        let canonical: Vec<Metric> = events.iter().map(canonical).collect();
        // An event that is there twice, as of user and of kernel, is none that a formula can mean.
        let is_unique = |formula: &Formula| {
            formula.metrics().iter().all(|id| {
                let name = &canonical[id.index()].name;
                canonical.iter().filter(|other| other.name == *name).count() == 1
            })
        };
        let made = knowledge::metrics().iter().filter_map(|known| {
            let formula = Formula::new(&known.metric_expr, &canonical).ok()?;
            is_unique(&formula).then_some((known, formula))
        });
        Formulas(made.collect())
    }
}

/// A group of a table.
struct Of<'a> {
    table: &'a EventTable,
    group: usize,
    name: &'a str,
}

impl Of<'_> {
    fn sums(&self, column: usize) -> impl Iterator<Item = Option<&EventSum>> {
        (0..self.table.runs.len()).map(move |run| self.table.get(self.group, run, column))
    }

    fn event(&self, column: usize, event: &Metric) -> EventRow {
        let known = knowledge::event(&event.name);
        let sums: Vec<&EventSum> = self.sums(column).flatten().collect();
        let errors = sums.iter().filter_map(|sum| sum.error());
        EventRow {
            group: self.name.to_owned(),
            name: event.name.clone(),
            unit: Some(event.clone()),
            better: known.map(|known| known.better),
            description: known.map_or("", |known| &known.brief_description),
            values: self.sums(column).map(|sum| Some(sum?.value as f64)).collect(),
            samples: sums.iter().map(|sum| sum.samples).sum(),
            error: errors.reduce(f64::max),
            coverage: sums.iter().filter_map(|sum| sum.coverage()).reduce(f64::min),
            is_enough: sums.iter().all(|sum| sum.is_enough()),
        }
    }

    /// None where no run has all of its events.
    fn metric(
        &self,
        (known, formula): &(&'static knowledge::KnownMetric, Formula),
    ) -> Option<EventRow> {
        let inputs: Vec<usize> =
            formula.inputs().iter().map(|input| input.metric.index()).collect();
        let of_run = |run: usize| -> Option<Vec<&EventSum>> {
            inputs.iter().map(|&column| self.table.get(self.group, run, column)).collect()
        };
        let runs: Vec<Option<Vec<&EventSum>>> = (0..self.table.runs.len()).map(of_run).collect();
        let value = |sums: &Vec<&EventSum>| {
            let values: Vec<Option<i64>> = sums.iter().map(|sum| Some(sum.value)).collect();
            formula.evaluate(&values, &[], None)
        };
        let all = || runs.iter().flatten();
        all().next()?;
        let error = |sums: &Vec<&EventSum>| {
            let squares: Option<Vec<f64>> =
                sums.iter().map(|sum| sum.error().map(|error| error.powi(2))).collect();
            squares.map(|squares| squares.iter().sum::<f64>().sqrt())
        };
        let samples = |input: usize| all().map(|sums| sums[input].samples).sum::<u64>();
        Some(EventRow {
            group: self.name.to_owned(),
            name: known.metric_name.clone(),
            unit: None,
            better: Some(known.better),
            description: &known.brief_description,
            values: runs.iter().map(|sums| sums.as_ref().and_then(value)).collect(),
            samples: (0..inputs.len()).map(samples).min().unwrap_or(0),
            error: all().filter_map(error).reduce(f64::max),
            coverage: all().flatten().filter_map(|sum| sum.coverage()).reduce(f64::min),
            is_enough: all().flatten().all(|sum| sum.is_enough()),
        })
    }
}
