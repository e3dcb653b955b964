//! Events and metrics of some runs, in all or by where they were.

use std::collections::BTreeSet;

use analysis::{EventColumns, EventSource, EventSum, EventTable, EventsBy, HostLoads};
use profile::{MemberId, Metric};
use protocol::{ErrorCode, ProtocolError};

use super::formulas::{Formulas, Made, Scope};
use super::knowledge::{self, Better};
use super::machine::OnMachines;
use super::query::{EventsQuery, run_names, runs_of, unique};
use super::sets::SetsBy;
use crate::kinds::profile::convert;
use crate::kinds::profile::events::query::sorted_samples;
use crate::kinds::profile::trees::views::filtered_by;
use crate::{ProfileDocument, ViewOptions};

/// What runs have of each event, and of each metric that is made of events, by group.
#[derive(Debug, Clone)]
pub struct EventReport {
    /// Names of the runs.
    pub runs: Vec<String>,
    /// How many nanoseconds of each run count.
    pub lengths: Vec<i64>,
    /// Names of the machines that they were measured on, where groups are places in them.
    pub machines: Vec<String>,
    /// What runs left out of their machines; several where they differ.
    pub left_out_cpus: BTreeSet<Vec<u32>>,
    /// What else their machines did.
    pub loads: HostLoads,
    /// What is to be known of it.
    pub notes: Vec<String>,
    /// How many groups a limit leaves out.
    pub left_out: usize,
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

    /// Whether people call it so: as the file does, or as it is spelled elsewhere.
    pub fn is_called(&self, name: &str) -> bool {
        let own = self.key();
        self.name == name
            || (self.unit.is_some()
                && own == [knowledge::canonical(name).to_owned(), knowledge::mode(name)])
    }

    /// What it is the same as, however it is spelled: the name that it has in formulas, and the modes
    /// in which it counts.
    pub(super) fn key(&self) -> [String; 2] {
        match self.unit {
            Some(_) => [knowledge::canonical(&self.name).to_owned(), knowledge::mode(&self.name)],
            None => [self.name.clone(), String::new()],
        }
    }
}

/// The value in the middle.
pub(super) fn median(values: impl Iterator<Item = f64>) -> Option<f64> {
    let mut values: Vec<f64> = values.collect();
    values.sort_unstable_by(f64::total_cmp);
    let last = values.len().checked_sub(1)?;
    Some((values[last / 2] + values[last.div_ceil(2)]) / 2.0)
}

/// What the runs of a recording have of each event and metric; of a comparison, those of both
/// sides together.
pub fn events(
    document: &ProfileDocument,
    options: &ViewOptions,
    by: EventsBy,
) -> Result<EventReport, ProtocolError> {
    Ok(Counted::new(document, options, by)?.report_all(document))
}

/// The same of each set of runs, with what it is called, as it was measured.
pub(crate) fn events_by_set(
    document: &ProfileDocument,
    options: &ViewOptions,
    by: EventsBy,
    sets: SetsBy,
) -> Result<(Vec<(String, EventReport)>, EventTable), ProtocolError> {
    let counted = Counted::new(document, options, by)?;
    let all = &counted.table.runs;
    let (sets, notes) = sets.sets(document, &counted.columns, all);
    let mut told: Vec<(String, EventReport)> =
        sets.into_iter().map(|set| (set.name, counted.report(&set.runs))).collect();
    if let Some((_, first)) = told.first_mut() {
        first.notes.splice(0..0, notes);
    }
    Ok((told, counted.table))
}

/// Sums by group and run, and what they count as they were measured.
pub(super) struct Counted {
    pub(super) table: EventTable,
    columns: EventColumns,
    is_of_frames: bool,
    events: Vec<Metric>,
    runs: Vec<String>,
    machines: Vec<String>,
    /// By run, the processors of its machine that were not recorded.
    left_out_cpus: Vec<Vec<u32>>,
    /// By run.
    loads: Vec<HostLoads>,
    /// By group, then run, then event; none where it was not measured.
    counts: Vec<Option<f64>>,
    left_out: usize,
    on: OnMachines,
}

impl Counted {
    fn new(
        document: &ProfileDocument,
        options: &ViewOptions,
        by: EventsBy,
    ) -> Result<Counted, ProtocolError> {
        let bad = |message: String| ProtocolError::new(ErrorCode::BadRequest, message);
        if let EventsBy::Frames(by) = by {
            return Counted::of_frames(document, options, by);
        }
        let asked = EventsQuery::new(document)?;
        let filtered = filtered_by(document, options).map_err(convert::filter_error)?;
        let runs = runs_of(document, options, &filtered);
        let samples = sorted_samples(document, &asked.columns);
        let source = EventSource::new(&filtered, samples.as_ref().as_ref());
        let table = EventTable::new(&source, by, &runs, &asked.columns)
            .map_err(|error| bad(error.to_string()))?;
        let machines = OnMachines::new(&source, options, by, &asked, &table)
            .map_err(|error| bad(error.to_string()))?;
        let counted = Counted::with(document, asked, table).on(machines);
        let profile = document.profile();
        Ok(match by {
            EventsBy::Place(_) => Counted {
                machines: BTreeSet::from_iter(profile.machine_names()).into_iter().collect(),
                ..counted
            },
            _ => counted,
        })
    }

    /// Counts as they were measured, from sums.
    pub(super) fn with(
        document: &ProfileDocument,
        asked: EventsQuery,
        table: EventTable,
    ) -> Counted {
        let EventsQuery { events, metrics, columns } = asked;
        let names = run_names(document);
        let comparing = document.comparison();
        let runs = table.runs.len();
        let mut counts = vec![None; table.groups.len() * runs * metrics.len()];
        for group in 0..table.groups.len() {
            for (place, &metric) in metrics.iter().enumerate() {
                let sums: Vec<Option<i64>> =
                    (0..runs).map(|run| Some(table.get(group, run, place)?.value)).collect();
                let values: Vec<i64> = sums.iter().map(|sum| sum.unwrap_or(0)).collect();
                let values = match comparing {
                    None => values,
                    // Those of a comparison are parts of means.
                    Some(comparing) => comparing.groups.of_runs(&table.runs, metric, &values),
                };
                for (run, (sum, value)) in sums.iter().zip(values).enumerate() {
                    let at = (group * runs + run) * metrics.len() + place;
                    counts[at] = sum.map(|_| value as f64);
                }
            }
        }
        Counted {
            runs: table.runs.iter().map(|run| names[run.index()].clone()).collect(),
            columns,
            is_of_frames: false,
            machines: vec![],
            left_out_cpus: table.runs.iter().map(|&run| left_out_cpus(document, run)).collect(),
            loads: table
                .runs
                .iter()
                .map(|&run| HostLoads::new(document.profile(), [run]))
                .collect(),
            events,
            counts,
            left_out: 0,
            on: OnMachines::default(),
            table,
        }
    }

    pub(super) fn on(self, on: OnMachines) -> Counted {
        Counted { on, ..self }
    }

    /// The same of which a limit leaves out groups.
    pub(super) fn leaving_out(self, left_out: usize) -> Counted {
        Counted { left_out, ..self }
    }

    /// The same of frames, where an event without stacks says nothing.
    pub(super) fn of_stacks(self) -> Counted {
        Counted { is_of_frames: true, ..self }
    }

    /// Of all runs, each recording once.
    pub(super) fn report_all(&self, document: &ProfileDocument) -> EventReport {
        let (runs, notes) = unique(document, &self.columns, &self.table.runs);
        let mut report = self.report(&runs);
        report.notes.splice(0..0, notes);
        report
    }

    fn report(&self, runs: &[MemberId]) -> EventReport {
        let place = |run: &MemberId| self.table.runs.iter().position(|one| one == run);
        let runs: Vec<usize> = runs.iter().filter_map(place).collect();
        let scope = Scope { idle: self.on.idle, is_of_frames: self.is_of_frames };
        let formulas = Formulas::new(&self.events, scope);
        let left_out_cpus =
            BTreeSet::from_iter(runs.iter().map(|&run| self.left_out_cpus[run].clone()));
        let mut notes = formulas.notes().to_vec();
        notes.extend((left_out_cpus.len() > 1).then(|| OTHER_PROCESSORS.to_owned()));
        let mut rows = vec![];
        for (group, name) in self.table.groups.iter().enumerate() {
            let of = Of { counted: self, group, name, runs: &runs };
            rows.extend(
                self.events.iter().enumerate().map(|(column, event)| of.event(column, event)),
            );
            rows.extend(formulas.0.iter().filter_map(|made| of.metric(made)));
            rows.extend(self.on.rows(name, &runs));
        }
        EventReport {
            runs: runs.iter().map(|&run| self.runs[run].clone()).collect(),
            lengths: runs.iter().map(|&run| self.table.lengths[run]).collect(),
            machines: self.machines.clone(),
            left_out_cpus,
            loads: runs.iter().map(|&run| &self.loads[run]).collect(),
            notes,
            left_out: self.left_out,
            rows,
        }
    }
}

/// What to say of runs of which some left out other processors than others.
pub(super) const OTHER_PROCESSORS: &str =
    "not all runs recorded the same processors (-C), so their totals cannot be compared";

/// The processors of a run's machine that were not recorded.
fn left_out_cpus(document: &ProfileDocument, run: MemberId) -> Vec<u32> {
    let profile = document.profile();
    let machine = profile.machine_of(run).map(|machine| profile.machine(machine));
    let cpus = machine.into_iter().flat_map(|machine| &machine.cpus);
    cpus.filter(|cpu| cpu.is_left_out).map(|cpu| cpu.number).collect()
}

/// A group, and some of the runs.
struct Of<'a> {
    counted: &'a Counted,
    group: usize,
    name: &'a str,
    runs: &'a [usize],
}

impl Of<'_> {
    fn sum(&self, run: usize, column: usize) -> Option<&EventSum> {
        self.counted.table.get(self.group, run, column)
    }

    fn count(&self, run: usize, column: usize) -> Option<f64> {
        let Counted { table, events, counts, on, .. } = self.counted;
        if let Some(variable) = column.checked_sub(events.len()) {
            return on.value(variable, self.group, run);
        }
        counts[(self.group * table.runs.len() + run) * events.len() + column]
    }

    fn event(&self, column: usize, event: &Metric) -> EventRow {
        let known = knowledge::event(&event.name);
        let sums: Vec<&EventSum> =
            self.runs.iter().filter_map(|&run| self.sum(run, column)).collect();
        let errors = sums.iter().filter_map(|sum| sum.error());
        EventRow {
            group: self.name.to_owned(),
            name: event.name.clone(),
            unit: Some(event.clone()),
            better: known.map(|known| known.better),
            description: known.map_or("", |known| &known.brief_description),
            values: self.runs.iter().map(|&run| self.count(run, column)).collect(),
            samples: sums.iter().map(|sum| sum.samples).sum(),
            error: errors.reduce(f64::max),
            coverage: sums.iter().filter_map(|sum| sum.coverage()).reduce(f64::min),
            is_enough: sums.iter().all(|sum| sum.is_enough()),
        }
    }

    /// None where no run has all of its events.
    fn metric(&self, (name, known, formula): &Made) -> Option<EventRow> {
        let inputs: Vec<usize> =
            formula.inputs().iter().map(|input| input.metric.index()).collect();
        let value = |run: usize| {
            let counts = inputs.iter().map(|&column| self.count(run, column));
            let values: Option<Vec<f64>> = counts.collect();
            // Counts are whole numbers of their metric's unit; sums that were held at 64 bits are none.
            let values = values.filter(|all| all.iter().all(|value| *value < i64::MAX as f64));
            let values: Vec<Option<i64>> =
                values?.into_iter().map(|value| Some(value as i64)).collect();
            formula.evaluate(&values, &[], None)
        };
        let events: Vec<usize> =
            inputs.iter().copied().filter(|&column| column < self.counted.events.len()).collect();
        let of_run = |run: usize| -> Option<Vec<&EventSum>> {
            inputs.iter().map(|&column| self.count(run, column)).collect::<Option<Vec<f64>>>()?;
            events.iter().map(|&column| self.sum(run, column)).collect()
        };
        let sums: Vec<Vec<&EventSum>> = self.runs.iter().copied().filter_map(of_run).collect();
        sums.first()?;
        let error = |sums: &Vec<&EventSum>| {
            let squares: Option<Vec<f64>> =
                sums.iter().map(|sum| sum.error().map(|error| error.powi(2))).collect();
            squares.map(|squares| squares.iter().sum::<f64>().sqrt())
        };
        let samples = |input: usize| sums.iter().map(|sums| sums[input].samples).sum::<u64>();
        Some(EventRow {
            group: self.name.to_owned(),
            name: name.clone(),
            unit: None,
            better: Some(known.better),
            description: &known.brief_description,
            values: self.runs.iter().copied().map(value).collect(),
            samples: (0..events.len()).map(samples).min().unwrap_or(0),
            error: sums.iter().filter_map(error).reduce(f64::max),
            coverage: sums.iter().flatten().filter_map(|sum| sum.coverage()).reduce(f64::min),
            is_enough: sums.iter().flatten().all(|sum| sum.is_enough()),
        })
    }
}
