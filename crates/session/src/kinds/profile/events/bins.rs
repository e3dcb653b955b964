//! Events over time: what sets of runs have of an event or metric in each bin, by where it was.

use analysis::formula::Formula;
use analysis::{BinAxis, BinSum, EventBins, EventsBy, HeatGrid, LEAST_SAMPLES};
use profile::{MachineId, Metric};
use protocol::{ErrorCode, ProtocolError};

use super::asked::{Asked, run_name, runs_of};
use super::formulas::Formulas;
use super::knowledge::{self, Better};
use super::sets::{RunSet, SetsBy};
use crate::kinds::profile::convert;
use crate::{ProfileDocument, ViewOptions};

/// What is asked of events over time.
#[derive(Debug, Clone)]
pub struct BinsAsked {
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

/// How time is divided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Division {
    /// Into bins of so many nanoseconds.
    Width(i64),
    /// Into so many bins at most, whose width is a round number of a millisecond at least; fewer where
    /// most would have too few samples to say something.
    Most(usize),
    /// Each run into so many equal parts.
    Progress(usize),
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

/// More bins than a picture has room for.
pub const MOST_BINS: usize = 10_000;

impl EventTimeline {
    /// The cells of a set and a group, bin by bin.
    pub fn row(&self, set: usize, group: usize) -> &[EventCell] {
        let bins = self.axis.bins();
        let first = (set * self.groups.len() + group) * bins;
        &self.cells[first..first + bins]
    }
}

/// An event, or a metric with the columns that it is made of.
enum Wanted<'a> {
    Event(usize),
    Metric(&'a (String, &'static knowledge::KnownMetric, Formula)),
}

impl ProfileDocument {
    /// An event or metric over time.
    pub fn event_timeline(
        &self,
        options: &ViewOptions,
        asked: &BinsAsked,
    ) -> Result<EventTimeline, ProtocolError> {
        let bad = |message: String| ProtocolError::new(ErrorCode::BadRequest, message);
        let profile = self.profile();
        let Asked { events, metrics, mut columns } = Asked::of(self)?;
        let filtered = self.filtered_by(options).map_err(convert::filter_error)?;
        let runs = runs_of(self, options, &filtered);
        let sets = asked.sets.sets(self, &runs);
        let (names, sets): (Vec<String>, Vec<_>) =
            sets.into_iter().map(|RunSet { name, runs }| (name, runs)).unzip();
        let formulas = Formulas::over(&events);
        let wanted = wanted(&events, &formulas, asked.event.as_deref()).ok_or_else(|| {
            let name = asked.event.as_deref().unwrap_or_default();
            let known = events.iter().map(|event| &*event.name);
            let known: Vec<&str> =
                known.chain(formulas.0.iter().map(|(name, ..)| &**name)).collect();
            bad(format!(
                "no event and no metric of {} that can be told over time is called '{name}': \
                 there are {}",
                self.title(),
                known.join(", ")
            ))
        })?;
        let inputs: Vec<usize> = match wanted {
            Wanted::Event(column) => vec![column],
            Wanted::Metric((_, _, formula)) => {
                formula.inputs().iter().map(|input| input.metric.index()).collect()
            }
        };
        columns.metrics = inputs.iter().map(|&column| columns.metrics[column]).collect();
        let extent = self.charts().extent(profile);
        let [origin, end] = extent
            .ok_or_else(|| bad(format!("{} does not tell when anything was", self.title())))?;
        let ends = match filtered.window() {
            None => [origin, end],
            Some(window) => {
                let on_any = window.on_any(profile);
                let mut inside = on_any.between(origin, end.saturating_add(1));
                let first = inside.next().unwrap_or([origin, origin]);
                [first[0], inside.last().unwrap_or(first)[1].min(end)]
            }
        };
        let mut axis = asked.division.axis(ends, origin).map_err(bad)?;
        let add = |axis| {
            let bins = EventBins::of(&filtered, asked.by, &sets, &columns, axis);
            bins.map_err(|error| bad(error.to_string()))
        };
        let mut bins = add(axis)?;
        if let Some(fewer) = asked.division.wider(&bins, axis) {
            axis = fewer.axis(ends, origin).map_err(bad)?;
            bins = add(axis)?;
        }
        let factors: Vec<Vec<f64>> = sets
            .iter()
            .map(|set| {
                let first = set.first().and_then(|run| runs.iter().position(|one| one == run));
                inputs
                    .iter()
                    .map(|&column| match (self.comparison(), first) {
                        (Some(comparing), Some(first)) => {
                            comparing.groups.scale_of_runs(&runs, metrics[column], first)
                        }
                        _ => 1.0,
                    })
                    .collect()
            })
            .collect();
        let made = Made { bins: &bins, factors, wanted: &wanted, sets: sets.len() };
        let (groups, members) = made.groups(asked);
        let mut cells = Vec::with_capacity(sets.len() * groups.len() * axis.bins());
        for set in 0..sets.len() {
            for members in &members {
                cells.extend((0..axis.bins()).map(|bin| made.cell(set, members, bin)));
            }
        }
        let untimed: f64 = bins.untimed.iter().sum();
        let notes = (untimed != 0.0)
            .then(|| format!("some of {} has no time and is in no bin", wanted.name(&events)));
        Ok(EventTimeline {
            name: wanted.name(&events).to_owned(),
            unit: wanted.unit(&events),
            better: wanted.better(&events),
            groups,
            sets: names,
            runs: sets
                .iter()
                .map(|set| set.iter().map(|&run| run_name(self, run)).collect())
                .collect(),
            axis,
            notes: notes.into_iter().collect(),
            cells,
        })
    }
}

/// Bins are not made so wide that there are fewer, for want of samples.
const LEAST_BINS: usize = 20;

impl Division {
    /// Fewer bins, if these have too few samples each.
    fn wider(self, bins: &EventBins, axis: BinAxis) -> Option<Division> {
        let Division::Most(_) = self else { return None };
        let mean = bins.mean_samples().filter(|mean| *mean < LEAST_SAMPLES as f64)?;
        // Half as many again, for they differ.
        let fewer = axis.bins() as f64 * mean / (1.5 * LEAST_SAMPLES as f64);
        let fewer = (fewer as usize).max(LEAST_BINS);
        (fewer < axis.bins()).then_some(Division::Most(fewer))
    }

    fn axis(self, [begin, end]: [i64; 2], origin: i64) -> Result<BinAxis, String> {
        let wide = end.saturating_sub(begin).saturating_add(1).max(1);
        let cell = match self {
            Division::Progress(bins) if (1..=MOST_BINS).contains(&bins) => {
                return Ok(BinAxis::Progress(bins));
            }
            Division::Progress(_) => return Err(format!("progress has 1 to {MOST_BINS} parts")),
            Division::Width(width) if width > 0 => width,
            Division::Width(_) => return Err("a bin is a nanosecond wide at least".to_owned()),
            Division::Most(bins) => round_width(wide, bins.clamp(1, MOST_BINS)),
        };
        // Bins stand at round times, whatever part of time is chosen.
        let begin = begin - (begin - origin).rem_euclid(cell);
        let cells = (end.saturating_sub(begin) / cell).saturating_add(1);
        match usize::try_from(cells) {
            Ok(cells) if cells <= MOST_BINS => Ok(BinAxis::Time(HeatGrid { begin, cell, cells })),
            _ => Err(format!("these are {cells} bins: {MOST_BINS} is the most")),
        }
    }
}

/// The smallest width of 1, 2 or 5 times a power of ten, a millisecond at least, of which so many cover
/// a length.
fn round_width(length: i64, bins: usize) -> i64 {
    let mut width = 1_000_000i64;
    // One more where the first bin begins before the length does.
    let least = length / i64::try_from(bins).unwrap_or(i64::MAX).max(2).saturating_sub(1);
    for factor in [2, 5, 10].iter().cycle() {
        if width >= least {
            break;
        }
        let decade = 10i64.pow(width.ilog10());
        width = decade.saturating_mul(*factor);
    }
    width
}

fn wanted<'a>(events: &[Metric], formulas: &'a Formulas, name: Option<&str>) -> Option<Wanted<'a>> {
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
    fn name<'a>(&'a self, events: &'a [Metric]) -> &'a str {
        match self {
            Wanted::Event(column) => &events[*column].name,
            Wanted::Metric((name, ..)) => name,
        }
    }

    fn unit(&self, events: &[Metric]) -> Option<Metric> {
        match self {
            Wanted::Event(column) => Some(events[*column].clone()),
            Wanted::Metric(_) => None,
        }
    }

    fn better(&self, events: &[Metric]) -> Option<Better> {
        match self {
            Wanted::Event(column) => {
                knowledge::event(&events[*column].name).map(|known| known.better)
            }
            Wanted::Metric((_, known, _)) => Some(known.better),
        }
    }
}

/// What cells are made of.
struct Made<'a> {
    bins: &'a EventBins,
    /// By set and metric, what sums are multiplied by.
    factors: Vec<Vec<f64>>,
    wanted: &'a Wanted<'a>,
    sets: usize,
}

/// A group that is shown, and which of those that were added up are in it.
type Shown = (Vec<(String, Option<(Option<MachineId>, u32)>)>, Vec<Vec<usize>>);

impl Made<'_> {
    fn groups(&self, asked: &BinsAsked) -> Shown {
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
            (0..self.sets).map(of_set).sum()
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
            _ => "places",
        };
        let mut groups: Vec<_> = kept.iter().map(|&group| own(group)).collect();
        groups.push((format!("({} other {what})", rest.len()), None));
        let mut members: Vec<Vec<usize>> = kept.into_iter().map(|group| vec![group]).collect();
        members.push(rest);
        (groups, members)
    }

    fn cell(&self, set: usize, groups: &[usize], bin: usize) -> EventCell {
        let sums: Vec<BinSum> = (0..self.factors[set].len())
            .map(|metric| {
                let all = groups.iter().map(|&group| self.bins.get(set, group, metric)[bin]);
                all.fold(BinSum::default(), |sum, one| sum.and(&one))
            })
            .collect();
        let value = |metric: usize| sums[metric].value * self.factors[set][metric];
        let length = self.bins.covered[set][bin];
        let value = match self.wanted {
            Wanted::Event(_) => (length > 0.0).then(|| value(0) * 1e9 / length),
            Wanted::Metric((_, _, formula)) => {
                let values: Vec<Option<i64>> =
                    (0..sums.len()).map(|metric| Some(value(metric).round() as i64)).collect();
                let is_there = length > 0.0 && sums.iter().any(|sum| sum.value != 0.0);
                is_there.then(|| formula.evaluate(&values, &[], None)).flatten()
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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_are_round() {
        for (length, bins, width) in [
            (1, 100, 1_000_000),
            (100_000_000, 101, 1_000_000),
            (101_000_000, 101, 2_000_000),
            (1_000_000_000, 101, 10_000_000),
            (2_100_000_000, 101, 50_000_000),
            (60_000_000_000, 400, 200_000_000),
        ] {
            assert_eq!(round_width(length, bins), width, "{length} in {bins}");
        }
    }

    #[test]
    fn bins_stand_at_round_times_of_the_recording() {
        let axis = Division::Most(100).axis([1_503_000_007, 2_500_000_007], 7).unwrap();
        let BinAxis::Time(grid) = axis else { panic!() };
        assert_eq!((grid.begin - 7) % grid.cell, 0);
        assert!(grid.begin <= 1_503_000_007);
        assert!(grid.begin + grid.cell * grid.cells as i64 > 2_500_000_007);
        assert!(Division::Width(1).axis([0, 1_000_000], 0).is_err());
        assert!(Division::Progress(0).axis([0, 1], 0).is_err());
    }
}
