//! Events over time: what sets of runs have of an event or metric in each bin, by where it was.

use analysis::{
    BinAxis, EventBins, EventColumns, EventSource, EventsBy, Filtered, FrameEvents, NoGroups,
    measured,
};
use profile::{MachineId, MemberId, Metric, MetricId};
use protocol::{ErrorCode, ProtocolError};

use super::cells::{Cells, wanted};
use super::division::Division;
use super::formulas::{Formulas, Scope};
use super::frames::TimedFrames;
use super::knowledge::{self, Better};
use super::machine::{idle_of, processors_of};
use super::query::{EventsQuery, run_names, runs_of};
use super::sets::{RunSet, SetsBy};
use crate::kinds::profile::answers::untimed;
use crate::kinds::profile::convert;
use crate::kinds::profile::events::query::sorted_samples;
use crate::kinds::profile::pictures::charts::extent;
use crate::kinds::profile::trees::views::filtered_by;
use crate::{ProfileDocument, ViewOptions};

/// What is asked of events over time.
#[derive(Debug, Clone)]
pub struct BinsQuery {
    /// What events are added up by.
    pub by: EventsBy,
    /// The event or metric, as the file or the table of metrics calls it; none for the first.
    pub event: Option<String>,
    /// How time is divided.
    pub division: Division,
    /// Which runs are looked at together.
    pub sets: SetsBy,
    /// The most groups; those with the least are one.
    pub most_groups: usize,
}

/// What sets of runs have of an event or metric, by group and bin.
#[derive(Debug, Clone)]
pub struct EventTimeline {
    /// The event as the file names it, or the metric.
    pub name: String,
    /// Unit and decimals of an event, whose values are per second; none of a metric that is made of events.
    pub unit: Option<Metric>,
    /// Which way it is better, if that is known.
    pub better: Option<Better>,
    /// Groups in their order, and where each is in a machine; the last may be those with the least.
    pub groups: Vec<(String, Option<(Option<MachineId>, u32)>)>,
    /// What the sets are called; nothing where all there is is one.
    pub sets: Vec<String>,
    /// Names of the runs, by set.
    pub runs: Vec<Vec<String>>,
    /// How the bins divide time.
    pub axis: BinAxis,
    /// What is to be known of it.
    pub notes: Vec<String>,
    /// By set, then group, then bin.
    pub cells: Vec<EventCell>,
}

/// A bin of a group and a set.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EventCell {
    /// Events per second, over all the time that runs of the set spent in the bin; the value of a metric.
    /// None where no run was there, or a metric has nothing to be made of.
    pub value: Option<f64>,
    /// Samples of all runs; of a metric those of the event with the fewest.
    pub samples: f64,
    /// Standard error that comes of sampling, as a share.
    pub error: Option<f64>,
    /// Whether there are samples enough to say something.
    pub is_enough: bool,
}

impl EventTimeline {
    /// The cells of a set and a group, bin by bin.
    pub fn row(&self, set: usize, group: usize) -> &[EventCell] {
        let bins = self.axis.bins();
        let first = (set * self.groups.len() + group) * bins;
        &self.cells[first..first + bins]
    }
}

/// An event or metric over time.
pub fn event_timeline(
    document: &ProfileDocument,
    options: &ViewOptions,
    asked: &BinsQuery,
) -> Result<EventTimeline, ProtocolError> {
    let bad = |message: String| ProtocolError::new(ErrorCode::BadRequest, message);
    let EventsQuery { events, metrics, columns } = EventsQuery::new(document)?;
    let filtered = filtered_by(document, options).map_err(convert::filter_error)?;
    let runs = runs_of(document, options, &filtered);
    let samples = sorted_samples(document, &columns);
    let source = EventSource::new(&filtered, samples.as_ref().as_ref());
    let (sets, mut notes) = asked.sets.sets(document, &columns, &runs);
    let (names, mut sets): (Vec<String>, Vec<_>) =
        sets.into_iter().map(|RunSet { name, runs }| (name, runs)).unzip();
    let whole = EventsQuery { events, metrics, columns };
    let scope = Scope {
        idle: idle_of(&source, &whole),
        is_of_frames: matches!(asked.by, EventsBy::Frames(_)),
    };
    let formulas = Formulas::new(&whole.events, scope);
    let EventsQuery { events, metrics, columns } = whole;
    let wanted = wanted(&events, &formulas, asked.event.as_deref())
        .ok_or_else(|| bad(unknown(document, asked, &events, &formulas)))?;
    let (own, inputs) = wanted.inputs(events.len());
    notes.extend(leave_out(document, &source, &mut sets, &columns, &own, wanted.name(&events)));
    let columns = EventColumns {
        metrics: own.iter().map(|&column| columns.metrics[column]).collect(),
        together: vec![],
        ..columns
    };
    let (origin, ends) = kept_ends(document, &filtered)?;
    let mut axis = asked.division.axis(ends, origin).map_err(bad)?;
    let own_metrics: Vec<MetricId> = own.iter().map(|&column| metrics[column]).collect();
    let frames = match asked.by {
        EventsBy::Frames(by) => {
            let events = own.iter().map(|&column| events[column].clone()).collect();
            let of = EventsQuery { events, metrics: own_metrics.clone(), columns: columns.clone() };
            Some((TimedFrames::new((document, options), by, of, asked.most_groups)?, by.is_total))
        }
        _ => None,
    };
    let add = |axis| {
        let bins = bins_of(&source, asked.by, frames.as_ref(), &sets, &columns, axis);
        bins.map_err(|error| bad(error.to_string()))
    };
    let mut bins = add(axis)?;
    if let Some(fewer) = asked.division.wider(&bins, axis) {
        axis = fewer.axis(ends, origin).map_err(bad)?;
        bins = add(axis)?;
    }
    let factors = sets.iter().map(|set| factors(document, &runs, set, &own_metrics)).collect();
    let processors = sets
        .iter()
        .map(|set| shared_processors(&source, options, asked.by, set, &bins))
        .collect::<Result<_, NoGroups>>()
        .map_err(|error| bad(error.to_string()))?;
    let made = &Cells { bins: &bins, factors, wanted: &wanted, inputs, processors };
    // Of frames, those with the most are chosen already.
    let most_groups = if frames.is_some() { usize::MAX } else { asked.most_groups };
    let (groups, members) = made.groups(&BinsQuery { most_groups, ..asked.clone() });
    let row = |set| members.iter().flat_map(move |members| made.row(set, members));
    let cells = (0..sets.len()).flat_map(row).collect();
    if bins.untimed.iter().sum::<f64>() != 0.0 {
        notes.push(format!("part of {} has no time and is in no bin", wanted.name(&events)));
    }
    let all_names = run_names(document);
    let names_of =
        |set: &Vec<MemberId>| set.iter().map(|run| all_names[run.index()].clone()).collect();
    Ok(EventTimeline {
        name: wanted.name(&events).to_owned(),
        unit: wanted.unit(&events),
        better: wanted.better(&events),
        groups,
        sets: names,
        runs: sets.iter().map(names_of).collect(),
        axis,
        notes,
        cells,
    })
}

/// The events of sets of runs in the bins of an axis; by frames where those are given, with whether they
/// count with what they call.
fn bins_of(
    source: &EventSource<'_>,
    by: EventsBy,
    frames: Option<&(TimedFrames, bool)>,
    sets: &[Vec<MemberId>],
    columns: &EventColumns,
    axis: BinAxis,
) -> Result<EventBins, NoGroups> {
    match frames {
        Some((TimedFrames { keys, chosen, rest }, is_total)) => {
            let frames = FrameEvents { keys, chosen, is_total: *is_total };
            EventBins::of_frames(source, &frames, rest.as_deref(), sets, columns, axis)
        }
        None => EventBins::new(source, by, sets, columns, axis),
    }
}

/// The first time of a profile, and begin and end of what the filters keep.
fn kept_ends(
    document: &ProfileDocument,
    filtered: &Filtered,
) -> Result<(i64, [i64; 2]), ProtocolError> {
    let [origin, end] = extent(document).ok_or_else(|| untimed(document))?;
    let Some(window) = filtered.window() else { return Ok((origin, [origin, end])) };
    let on_any = window.on_any(filtered.profile());
    let mut inside = on_any.between(origin, end.saturating_add(1));
    let first = inside.next().unwrap_or([origin, origin]);
    Ok((origin, [first[0], inside.last().unwrap_or(first)[1].min(end)]))
}

/// What values of a set of runs are multiplied with, per metric: the scale of a comparison.
fn factors(
    document: &ProfileDocument,
    runs: &[MemberId],
    set: &[MemberId],
    metrics: &[MetricId],
) -> Vec<f64> {
    let first = set.first().and_then(|run| runs.iter().position(|one| one == run));
    let scale = |&metric: &MetricId| match (document.comparison(), first) {
        (Some(comparing), Some(first)) => comparing.groups.scale_of_runs(runs, metric, first),
        _ => 1.0,
    };
    metrics.iter().map(scale).collect()
}

/// Per group, the processors of a set of runs; none where its runs differ.
fn shared_processors(
    source: &EventSource<'_>,
    options: &ViewOptions,
    by: EventsBy,
    set: &[MemberId],
    bins: &EventBins,
) -> Result<Vec<Option<i64>>, NoGroups> {
    let all = processors_of(source, options, by, set, &bins.places)?;
    let same = |group: usize| {
        let own = (0..set.len()).filter(|&run| bins.is_there(group, set[run]));
        let mut own = own.map(|run| all[group * set.len() + run]);
        let first = own.next()?;
        first.filter(|_| own.all(|of| of == first))
    };
    Ok((0..bins.places.len()).map(same).collect())
}

/// Leaves out runs that have nothing of some events, as they were not measured or never happened:
/// their time is none in which there were so few. The notes say which.
fn leave_out(
    document: &ProfileDocument,
    source: &EventSource<'_>,
    sets: &mut [Vec<MemberId>],
    columns: &EventColumns,
    own: &[usize],
    name: &str,
) -> Vec<String> {
    let is_measured = measured(source, columns, own);
    let names = run_names(document);
    let mut notes = vec![];
    for set in sets {
        for run in set.iter().filter(|run| !is_measured[run.index()]) {
            notes.push(format!("{} has no values of {name} and is left out", names[run.index()]));
        }
        set.retain(|run| is_measured[run.index()]);
    }
    notes
}

fn unknown(
    document: &ProfileDocument,
    asked: &BinsQuery,
    events: &[Metric],
    formulas: &Formulas,
) -> String {
    let name = asked.event.as_deref().unwrap_or_default();
    if knowledge::figure(name.split_once(':').map_or(name, |(name, _)| name)).is_some() {
        return format!(
            "how evenly time is shared ('{name}') has a value for the whole, not over time"
        );
    }
    let known = events.iter().map(|event| &*event.name);
    let known: Vec<&str> = known.chain(formulas.0.iter().map(|(name, ..)| &**name)).collect();
    let notes: String = formulas.notes().iter().map(|note| format!("; {note}")).collect();
    format!(
        "no event and no metric of {} over time is called '{}': there are {}{notes}",
        document.title(),
        name,
        known.join(", ")
    )
}
