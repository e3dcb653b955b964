//! What machines could have done: elapsed time and processors, which formulas have by the names of
//! perf's own metrics, and how evenly time is shared.

use std::collections::HashMap;

use analysis::{
    EventColumns, EventSource, EventTable, EventsBy, Filter, FilterKind, Load, LoadOf, NoGroups,
    loads, threads_of,
};
use profile::{Machine, MemberId, Metric, MetricId, Profile, Shared, ThreadId};

use super::formulas::{IDLE, IDLE_COUNTED};
use super::query::EventsQuery;
use super::{EventRow, knowledge};
use crate::ViewOptions;

/// Elapsed time, in nanoseconds.
pub(super) const ELAPSED: &str = "duration_time";

/// Processors that a group could use.
pub(super) const PROCESSORS: &str = "#num_cpus_online";

/// Events that are time on processors, the surest first.
const TIMES: [&str; 3] = ["run time", "task-clock", "cpu-clock"];

/// What tells of the machines of runs.
#[derive(Default)]
pub(super) struct OnMachines {
    /// By group, then run, how many processors it could use at once.
    processors: Vec<Option<i64>>,
    lengths: Vec<i64>,
    /// Why time of processors that nothing ran on counts, if it does, as system-wide clocks have it.
    pub(super) idle: Option<&'static str>,
    /// How what is shared is called, who shares it, and by run how evenly.
    loads: Vec<(String, LoadOf, Vec<Option<Load>>)>,
}

/// What formulas may have besides events.
pub(super) fn variables() -> [Metric; 2] {
    [Metric::new(ELAPSED, "nanoseconds"), Metric::new(PROCESSORS, "count")]
}

impl OnMachines {
    pub(super) fn new(
        source: &EventSource<'_>,
        options: &ViewOptions,
        by: EventsBy,
        asked: &EventsQuery,
        table: &EventTable,
    ) -> Result<OnMachines, NoGroups> {
        let times = times_of(asked);
        let idle = idle_of(source, asked);
        let surest = times.iter().find(|&&time| idle.is_none() || !asked.is_clock(time));
        let loads = match surest.filter(|_| by == EventsBy::Total) {
            Some(&time) => shared(source, asked, table, time),
            None => vec![],
        };
        let processors = processors_of(source, options, by, &table.runs, &table.places)?;
        Ok(OnMachines { processors, lengths: table.lengths.clone(), idle, loads })
    }

    /// A variable by its place in [`variables`].
    pub(super) fn value(&self, variable: usize, group: usize, run: usize) -> Option<f64> {
        match variable {
            0 => self.lengths.get(run).map(|&length| length as f64),
            _ => (*self.processors.get(group * self.lengths.len() + run)?).map(|of| of as f64),
        }
    }

    /// Rows of how evenly time is shared, for some of the runs.
    pub(super) fn rows(&self, group: &str, runs: &[usize]) -> Vec<EventRow> {
        let mut rows = vec![];
        for (time, of, loads) in &self.loads {
            let of = match of {
                LoadOf::Cpus => "cpu",
                LoadOf::Threads => "thread",
            };
            let mode = knowledge::mode(time);
            for (name, value) in [("imbalance", true), ("variation", false)] {
                let name = format!("load {name} ({of})");
                let Some(known) = knowledge::figure(&name) else { continue };
                let told = |load: &Load| if value { load.imbalance } else { load.variation };
                let of_runs = || runs.iter().map(|&run| loads[run].as_ref());
                let samples = |load: &Load| load.samples / load.sharers as u64;
                rows.push(EventRow {
                    group: group.to_owned(),
                    name: if mode.is_empty() { name } else { format!("{name}:{mode}") },
                    unit: None,
                    better: Some(known.better),
                    description: &known.brief_description,
                    values: of_runs().map(|load| load.map(told)).collect(),
                    samples: of_runs().flatten().map(|load| load.samples).sum(),
                    error: None,
                    coverage: None,
                    // What was counted has no samples; else each needs some.
                    is_enough: of_runs()
                        .flatten()
                        .all(|load| load.samples == 0 || samples(load) >= analysis::LEAST_SAMPLES),
                });
            }
        }
        rows
    }
}

/// By group, then run, how many processors a group could use at once.
pub(super) fn processors_of(
    source: &EventSource<'_>,
    options: &ViewOptions,
    by: EventsBy,
    runs: &[MemberId],
    places: &[Option<(Option<profile::MachineId>, u32)>],
) -> Result<Vec<Option<i64>>, NoGroups> {
    let threads = match by {
        EventsBy::Thread | EventsBy::Process => Some(threads_of(source, by, runs)?),
        _ => None,
    };
    // Where a filter chooses processors, how many a run could use is not told by its machine.
    let is_of_cpus = |filter: &Filter| {
        matches!(filter.kind, FilterKind::LabelFocus | FilterKind::LabelIgnore)
            && filter.pattern.contains("cpu")
    };
    let is_part = options.filters.iter().any(is_of_cpus);
    let is_known = by == EventsBy::Place(Shared::Cpu) || !is_part;
    let profile = source.filtered().profile();
    let of_groups = (0..).zip(places).flat_map(|(group, place)| {
        let threads = threads.as_ref();
        runs.iter().map(move |&run| {
            processors(profile, by, *place, run, threads, group)
                .filter(|&processors| is_known && processors > 0)
        })
    });
    Ok(of_groups.collect())
}

/// Why clocks of an asked profile count time in which nothing ran, if they do.
pub(super) fn idle_of(source: &EventSource<'_>, asked: &EventsQuery) -> Option<&'static str> {
    let clocks = times_of(asked).into_iter().filter(|&time| asked.is_clock(time));
    let clocks: Vec<MetricId> = clocks.map(|time| asked.columns.metrics[time]).collect();
    idle(source, &clocks)
}

/// The events that are time on processors, the surest first.
fn times_of(asked: &EventsQuery) -> Vec<usize> {
    TIMES.iter().filter_map(|name| asked.only(name)).collect()
}

/// How many processors that were recorded a group could use at once.
fn processors(
    profile: &Profile,
    by: EventsBy,
    place: Option<(Option<profile::MachineId>, u32)>,
    run: MemberId,
    threads: Option<&HashMap<(u32, MemberId), u32>>,
    group: u32,
) -> Option<i64> {
    let machine = profile.machine_of(run).map(|machine| profile.machine(machine));
    // Nothing that runs on those that were not recorded counts anywhere.
    let recorded =
        |machine: &'_ Machine| machine.cpus.iter().filter(|cpu| !cpu.is_left_out).count() as i64;
    let all = machine.map(recorded).filter(|&all| all > 0);
    match (by, place) {
        (EventsBy::Place(Shared::Cpu), _) => Some(1),
        (EventsBy::Place(level), Some((_, place))) => {
            let is_there =
                |cpu: &&profile::Cpu| cpu.place(level) == Some(place) && !cpu.is_left_out;
            Some(machine?.cpus.iter().filter(is_there).count() as i64)
        }
        (EventsBy::Place(_), None) => None,
        // A thread is on one processor at a time.
        _ => match threads {
            Some(threads) => {
                let threads = i64::from(threads.get(&(group, run)).copied()?);
                Some(all.map_or(threads, |all| all.min(threads)))
            }
            None => all,
        },
    }
}

fn shared(
    source: &EventSource<'_>,
    asked: &EventsQuery,
    table: &EventTable,
    time: usize,
) -> Vec<(String, LoadOf, Vec<Option<Load>>)> {
    let columns = EventColumns {
        metrics: vec![asked.columns.metrics[time]],
        together: vec![],
        ..asked.columns.clone()
    };
    let of = |of| (asked.events[time].name.clone(), of, loads(source, &table.runs, &columns, of));
    let mut all = vec![of(LoadOf::Cpus), of(LoadOf::Threads)];
    all.retain(|(_, _, loads)| loads.iter().any(Option::is_some));
    all
}

/// Why time counts in which nothing ran: that of the kernel's threads of number 0, or of processors whose
/// clocks were counted, whatever ran there.
fn idle(source: &EventSource<'_>, clocks: &[MetricId]) -> Option<&'static str> {
    let profile = source.filtered().profile();
    let idle: Vec<bool> =
        profile.threads.iter().map(|thread| profile.text(thread.id) == "0").collect();
    let why = |thread: Option<ThreadId>, cpu: Option<u32>| match (thread, cpu) {
        (Some(thread), _) if idle[thread.index()] => Some(IDLE),
        (None, Some(_)) => Some(IDLE_COUNTED),
        _ => None,
    };
    source
        .find(clocks, |thread, cpu| why(thread, cpu).is_some())
        .and_then(|(thread, cpu)| why(thread, cpu))
}

impl EventsQuery {
    /// The event of a name that formulas have, if it is the only one.
    fn only(&self, name: &str) -> Option<usize> {
        let is_called = |(_, event): &(usize, &Metric)| knowledge::canonical(&event.name) == name;
        let mut found = self.events.iter().enumerate().filter(is_called);
        found.next().filter(|_| found.next().is_none()).map(|(at, _)| at)
    }

    /// Whether an event is a clock of a processor, which goes on where nothing runs.
    fn is_clock(&self, event: usize) -> bool {
        knowledge::canonical(&self.events[event].name).ends_with("-clock")
    }
}
