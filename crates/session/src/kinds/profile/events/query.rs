//! Which metrics of a document are events, and which of its members are runs.

use std::sync::Arc;

use analysis::{EventColumns, EventIndex, Filtered, Samples, Side};
use profile::{Member, MemberId, Metric, MetricId, Timing};
use protocol::{ErrorCode, ProtocolError};

use crate::kept::Question;
use crate::kinds::profile::document::titles::{numbered, short_names};
use crate::{ProfileDocument, ViewOptions};

/// Times for which counters were wanted and counted are not events.
const TIMES: [&str; 2] = ["time enabled", "time counted"];

/// How long counts were taken.
const INTERVAL: &str = "interval";

/// How many samples there are.
const SAMPLES: &str = "samples";

/// What is known of a run once threads were seen to leave and to come back: all of it.
const ABSENCES: [&str; 3] = ["off-CPU time", "off-CPU intervals", "migrations"];

/// The events of a document.
#[derive(Clone)]
pub(super) struct EventsQuery {
    /// As they were measured.
    pub(super) events: Vec<Metric>,
    /// Their metrics; of a comparison those of what it compares, see `Comparing::metrics`.
    pub(super) metrics: Vec<MetricId>,
    /// Where they are in the document.
    pub(super) columns: EventColumns,
}

impl EventsQuery {
    pub(super) fn new(document: &ProfileDocument) -> Result<EventsQuery, ProtocolError> {
        let bad = |message: String| ProtocolError::new(ErrorCode::BadRequest, message);
        let profile = document.profile();
        let comparing = document.comparison();
        if comparing.is_some_and(|comparing| !comparing.groups.are_members()) {
            return Err(bad("this comparison does not distinguish its runs".to_owned()));
        }
        // A comparison has each metric three times; that of both sides has all values.
        let all = comparing.map_or(&profile.metrics, |comparing| &comparing.metrics);
        let column = |metric: MetricId| comparing.map_or(metric, |_| Side::Both.of(metric));
        let ids = || (0..all.len() as u32).map(MetricId);
        let own = |name: &str| ids().find(|id| all[id.index()].name == name);
        let named = |name: &str| own(name).map(column);
        let times = named(TIMES[0]).zip(named(TIMES[1])).map(|(wanted, counted)| [wanted, counted]);
        let is_event = |id: &MetricId| {
            let metric = &all[id.index()];
            let is_interval = metric.name == INTERVAL && metric.timing == Timing::Length;
            metric.combining.is_sum() && !TIMES.contains(&&*metric.name) && !is_interval
        };
        let mut metrics: Vec<MetricId> = ids().filter(is_event).collect();
        // How many samples there are stands beside events, and is none where there are any.
        let samples = own(SAMPLES);
        if metrics.len() > 1 {
            metrics.retain(|metric| Some(*metric) != samples);
        }
        let is_absence = |place: &usize| ABSENCES.contains(&&*all[metrics[*place].index()].name);
        let together = (0..metrics.len()).filter(is_absence).collect();
        let columns = EventColumns {
            together,
            metrics: metrics.iter().copied().map(column).collect(),
            samples: match (samples, comparing) {
                (None, _) => Samples::Unknown,
                (Some(metric), None) => Samples::Metric(metric),
                (Some(metric), Some(_)) => Samples::Scaled(column(metric)),
            },
            times,
            interval: named(INTERVAL),
        };
        let events: Vec<Metric> =
            metrics.iter().map(|metric| all[metric.index()].clone()).collect();
        // An event that is there twice is told apart by a number.
        let names = numbered(events.iter().map(|event| event.name.clone()).collect());
        let events = events.into_iter().zip(names);
        let events = events.map(|(event, name)| Metric { name, ..event }).collect();
        Ok(EventsQuery { events, metrics, columns })
    }
}

#[derive(PartialEq, Eq, Hash)]
struct Sorted;

impl Question for Sorted {
    type Answer = Option<EventIndex>;
    const KEPT: usize = 1;
}

/// The samples of a document by place and time; none where too few share a place.
pub(super) fn sorted_samples(
    document: &ProfileDocument,
    columns: &EventColumns,
) -> Arc<Option<EventIndex>> {
    document.kept().made(Sorted, || EventIndex::new(document.profile(), columns))
}

#[derive(PartialEq, Eq, Hash)]
struct Copies;

impl Question for Copies {
    /// By member, the one before it that is the same recording.
    type Answer = Vec<Option<MemberId>>;
    const KEPT: usize = 1;
}

/// The members that are runs. A filter that leaves nothing of a run leaves 0 of it; where runs are chosen
/// by name the others are none.
pub(super) fn runs_of(
    document: &ProfileDocument,
    options: &ViewOptions,
    filtered: &Filtered,
) -> Vec<MemberId> {
    let chooses_runs = options.filters.iter().any(|filter| filter.pattern.contains("member"));
    if document.comparison().is_some() || chooses_runs {
        filtered.parts().to_vec()
    } else {
        (0..document.profile().members.len().max(1) as u32).map(MemberId).collect()
    }
}

/// What runs are called, by member: the shortest ends of their paths that tell those of a side apart,
/// with a number where they are called the same.
pub(super) fn run_names(document: &ProfileDocument) -> Vec<String> {
    let members = &document.profile().members;
    if members.is_empty() {
        return vec![document.title().to_owned()];
    }
    let all: Vec<MemberId> = (0..members.len() as u32).map(MemberId).collect();
    let base = document.comparison().map_or(0, |comparing| comparing.groups.base_parts(&all));
    let is_compared = document.comparison().is_some();
    let side = |members: &[Member]| {
        // The side stands before the name of a run of it.
        let name = |member: &Member| match member.name.split_once(" / ") {
            Some((_, run)) if is_compared => run.to_owned(),
            _ => member.name.clone(),
        };
        let names: Vec<String> = members.iter().map(name).collect();
        numbered(short_names(&names).into_iter().map(|name| name.trim().to_owned()).collect())
    };
    let (base, new) = members.split_at(base.min(members.len()));
    [side(base), side(new)].concat()
}

/// Those of some runs that are not the same recording as one before, and what to say of the others.
pub(super) fn unique(
    document: &ProfileDocument,
    columns: &EventColumns,
    runs: &[MemberId],
) -> (Vec<MemberId>, Vec<String>) {
    let copies =
        document.kept().made(Copies, || analysis::copies(document.profile(), &columns.metrics));
    let first = |run: MemberId| copies.get(run.index()).copied().flatten().unwrap_or(run);
    let mut kept: Vec<MemberId> = vec![];
    let mut notes = vec![];
    let names = run_names(document);
    for &run in runs {
        match kept.iter().find(|&&known| first(known) == first(run)) {
            None => kept.push(run),
            Some(known) => notes.push(format!(
                "{} is the same recording as {} and counts once",
                names[run.index()],
                names[known.index()]
            )),
        }
    }
    (kept, notes)
}
