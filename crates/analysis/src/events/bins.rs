//! How many events there were when: sums by set of runs, group and stretch of time.

use std::collections::{BTreeSet, HashMap};

use profile::{Clock, MachineId, MemberId, Metric, MetricId};

use super::frames::{ContextGroups, FrameEvents};
use super::groups::{Elsewhere, Grouping, Groups};
use super::index::Source;
use super::sample_bins::OfSamples;
use super::{Columns, EventsBy, LEAST_SAMPLES, NoGroups};
use crate::time::{Cells, HeatGrid, How, Intervals, Length, Spreading, Window};

/// What bins stand for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BinAxis {
    /// Stretches of the axis of time that runs share.
    Time(HeatGrid),
    /// So many equal parts of each run, from its first time to its last, however long it took.
    Progress(usize),
}

impl BinAxis {
    /// How many bins there are.
    pub fn bins(self) -> usize {
        match self {
            BinAxis::Time(grid) => grid.cells,
            BinAxis::Progress(bins) => bins,
        }
    }

    /// Nanoseconds of the axis; of progress, units of its own.
    fn grid(self) -> HeatGrid {
        match self {
            BinAxis::Time(grid) => grid,
            BinAxis::Progress(cells) => HeatGrid { begin: 0, cell: PART, cells },
        }
    }
}

/// More bins of groups in all are refused: each takes some 100 bytes while it is added up.
const MOST_SUMS: usize = 4_000_000;

/// How long a part of a run is on the axis of progress.
const PART: i64 = 1 << 32;

/// What samples of a bin stand for, together.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct BinSum {
    /// How many events, in units of the metric, of all runs of the set.
    pub value: f64,
    /// Samples that stand for some.
    pub samples: f64,
    /// Sum of the squares of what each stands for.
    pub(super) squares: f64,
    /// What was counted and not sampled.
    pub(super) counted: f64,
}

impl BinSum {
    /// What so many samples stand for; see [`super::EventSum::add`].
    #[inline]
    pub(super) fn new(value: i64, samples: Option<u64>) -> BinSum {
        let value = value as f64;
        match samples {
            // Dividing takes as long as all the rest.
            Some(1) => BinSum { value, samples: 1.0, squares: value * value, counted: 0.0 },
            Some(samples @ 1..) => {
                let samples = samples as f64;
                BinSum { value, samples, squares: value.powi(2) / samples, counted: 0.0 }
            }
            Some(0) | None => BinSum { value, samples: 0.0, squares: 0.0, counted: value },
        }
    }

    /// The standard error that comes of sampling, as a share; none of what was counted, in part or as a
    /// whole. See [`super::EventSum::error`].
    pub fn error(&self) -> Option<f64> {
        let is_estimate = self.samples > 0.0 && self.counted == 0.0 && self.value > 0.0;
        is_estimate.then(|| self.squares.sqrt() / self.value)
    }

    /// Whether there are samples enough to say something. A count of nothing says something where other
    /// events say that the bin was looked at.
    pub fn is_enough(&self) -> bool {
        self.samples >= LEAST_SAMPLES as f64 || (self.samples == 0.0 && self.counted > 0.0)
    }

    /// Both together.
    #[inline]
    pub fn and(&self, other: &BinSum) -> BinSum {
        BinSum {
            value: self.value + other.value,
            samples: self.samples + other.samples,
            squares: self.squares + other.squares,
            counted: self.counted + other.counted,
        }
    }
}

impl From<[f64; 4]> for BinSum {
    fn from([value, samples, squares, counted]: [f64; 4]) -> BinSum {
        BinSum { value, samples, squares, counted }
    }
}

/// Events by set of runs, group and bin.
#[derive(Debug, Clone)]
pub struct EventBins {
    /// What the groups are called, in their order.
    pub groups: Vec<String>,
    /// By group, the machine and the number of the processor, or of what processors share.
    pub places: Vec<Option<(Option<MachineId>, u32)>>,
    /// What has no time and is in no bin, by metric.
    pub untimed: Vec<f64>,
    elsewhere: Elsewhere,
    covered: Covered,
    bins: usize,
    metrics: usize,
    /// By set, then group, then metric, then bin.
    sums: Vec<BinSum>,
}

impl EventBins {
    /// Adds up metrics of a profile over sets of runs, which are members; a run is in one set at most.
    pub fn new(
        source: &Source<'_>,
        by: EventsBy,
        sets: &[Vec<MemberId>],
        columns: &Columns,
        axis: BinAxis,
    ) -> Result<EventBins, NoGroups> {
        let groups = by.groups(source)?;
        EventBins::summed(source, groups, sets, columns, axis)
    }

    /// The same by groups of frames; what is in none of those that are told is `rest`, or nowhere.
    pub fn of_frames(
        source: &Source<'_>,
        frames: &FrameEvents<'_>,
        rest: Option<&str>,
        sets: &[Vec<MemberId>],
        columns: &Columns,
        axis: BinAxis,
    ) -> Result<EventBins, NoGroups> {
        let of_context = ContextGroups::new(source.filtered(), frames, rest.is_some());
        let names = frames.chosen.iter().map(|(_, name)| name.clone());
        let names: Vec<String> = names.chain(rest.map(str::to_owned)).collect();
        let (places, elsewhere) = (vec![None; names.len()], Elsewhere::default());
        let grouping = Grouping::of_contexts(source, of_context);
        let groups = Groups { names, places, elsewhere, grouping };
        EventBins::summed(source, groups, sets, columns, axis)
    }

    fn summed(
        source: &Source<'_>,
        Groups { names: groups, places, elsewhere, grouping }: Groups<'_>,
        sets: &[Vec<MemberId>],
        columns: &Columns,
        axis: BinAxis,
    ) -> Result<EventBins, NoGroups> {
        let filtered = source.filtered();
        let profile = filtered.profile();
        let set_of = set_of_members(sets, profile.members.len());
        let recorded = source.covered();
        let clocks = match axis {
            BinAxis::Time(_) => vec![],
            BinAxis::Progress(bins) => recorded.iter().map(|ends| progress(*ends, bins)).collect(),
        };
        let clock = |member: MemberId| {
            clocks.get(member.index()).unwrap_or_else(|| profile.timeline.clock(member))
        };
        let slots = sets.len() * groups.len();
        let (bins, metrics) = (axis.bins(), columns.metrics.len());
        let count = slots.saturating_mul(metrics).saturating_mul(bins);
        if count > MOST_SUMS {
            return Err(NoGroups::TooMany(count));
        }
        let mut sums = vec![BinSum::default(); count];
        let mut untimed = vec![];
        let of_samples = OfSamples { grouping: &grouping, set_of: &set_of, groups: groups.len() };
        for (column, &metric) in columns.metrics.iter().enumerate() {
            let mut all = 0.0;
            if source.index().is_some() {
                let weight = source.weight(&[metric]);
                let (found, without) = of_samples.add(slots, metric, axis.grid(), weight, &clock);
                all += without;
                for (slot, found) in found.chunks(bins.max(1)).enumerate() {
                    let first = (slot * metrics + column) * bins;
                    add(&mut sums[first..first + bins], found.iter().copied());
                }
            }
            if source.rest().len() == 0 {
                untimed.push(all);
                continue;
            }
            for number in 0..grouping.most().max(1) {
                let spreading = Spreading {
                    how: How::new(profile.metric(metric)),
                    clock,
                    cells_of: |point: usize| {
                        let set = set_of[profile.points.member(point).index()]?;
                        let context = filtered.point_contexts()[point];
                        let group = grouping.of_point(point, context, number)?;
                        Some(set * groups.len() + group as usize)
                    },
                    values: |row: &[i64]| {
                        values(columns, profile.metric(metric), row[metric.index()], row)
                    },
                };
                let mut cells: Vec<Cells<4>> =
                    (0..slots).map(|_| Cells::new(axis.grid())).collect();
                let without = spreading.add(filtered, source.rest(), &mut cells)[0];
                if number == 0 {
                    all += without;
                }
                for (slot, cells) in cells.iter().enumerate() {
                    let first = (slot * metrics + column) * bins;
                    add(&mut sums[first..first + bins], cells.sums().into_iter().map(BinSum::from));
                }
            }
            untimed.push(all);
        }
        let whiles = counted_whiles(source, columns.interval);
        let of_set =
            |members: &[MemberId]| covered_lengths(source, &whiles, members, axis.grid(), clock);
        let covered = Covered::new(sets, groups.len(), &elsewhere, of_set);
        Ok(EventBins { groups, places, untimed, elsewhere, covered, bins, metrics, sums })
    }

    /// How many samples there are in a bin that has some of the first metric, in the mean; none of what was
    /// counted.
    pub fn mean_samples(&self) -> Option<f64> {
        let (mut all, mut count) = (0.0, 0usize);
        for first in self.sums.chunks(self.metrics.max(1) * self.bins.max(1)) {
            for sum in first[..self.bins].iter().filter(|sum| sum.samples > 0.0) {
                all += sum.samples;
                count += 1;
            }
        }
        (count > 0).then(|| all / count as f64)
    }

    /// By bin, how many nanoseconds of the runs of a set are in it, each by its own clock: a sample stands
    /// for the time since the one before, see [`super::EventTable::lengths`]. Of a group that is a place
    /// only those runs count in which it was recorded.
    pub fn covered(&self, set: usize, group: usize) -> &[f64] {
        &self.covered.lengths[self.covered.of[set * self.groups.len() + group]]
    }

    /// Whether a run could have something of a group: see [`super::EventTable::get`].
    pub fn is_there(&self, group: usize, run: MemberId) -> bool {
        !self.elsewhere.is(group, run)
    }

    /// What a set has of a metric (by its place among those that were asked for), bin by bin.
    pub fn get(&self, set: usize, group: usize, metric: usize) -> &[BinSum] {
        let first = ((set * self.groups.len() + group) * self.metrics + metric) * self.bins;
        &self.sums[first..first + self.bins]
    }
}

/// How much of the time of bins runs spent in them.
#[derive(Debug, Clone, Default)]
struct Covered {
    /// By bin, for sets of runs that differ.
    lengths: Vec<Vec<f64>>,
    /// By set, then group, the row of these.
    of: Vec<usize>,
}

impl Covered {
    fn new(
        sets: &[Vec<MemberId>],
        groups: usize,
        elsewhere: &Elsewhere,
        of_set: impl Fn(&[MemberId]) -> Vec<f64>,
    ) -> Covered {
        let mut covered = Covered::default();
        for set in sets {
            let mut known: HashMap<Vec<MemberId>, usize> = HashMap::new();
            for group in 0..groups {
                let there = |run: &&MemberId| !elsewhere.is(group, **run);
                let runs: Vec<MemberId> = set.iter().filter(there).copied().collect();
                let row = *known.entry(runs).or_insert_with_key(|runs| {
                    covered.lengths.push(of_set(runs));
                    covered.lengths.len() - 1
                });
                covered.of.push(row);
            }
        }
        covered
    }
}

/// By member, the set that it is in.
fn set_of_members(sets: &[Vec<MemberId>], members: usize) -> Vec<Option<usize>> {
    let mut set_of = vec![None; members.max(1)];
    for (set, members) in sets.iter().enumerate() {
        members.iter().for_each(|member| set_of[member.index()] = Some(set));
    }
    set_of
}

#[inline]
fn add(sums: &mut [BinSum], more: impl Iterator<Item = BinSum>) {
    sums.iter_mut().zip(more).for_each(|(to, sum)| *to = to.and(&sum));
}

/// By bin, how long members were recorded, or counted where that is known.
fn covered_lengths<'c>(
    source: &Source<'_>,
    whiles: &BTreeSet<(MemberId, i64, i64)>,
    members: &[MemberId],
    grid: HeatGrid,
    clock: impl Fn(MemberId) -> &'c Clock,
) -> Vec<f64> {
    let everywhere = Window::everywhere(Intervals::all());
    let window = source.filtered().window().unwrap_or(&everywhere);
    let mut cells = Cells::<1>::new(grid);
    for &member in members {
        let own = whiles.range((member, i64::MIN, i64::MIN)..=(member, i64::MAX, i64::MAX));
        let own: Vec<[i64; 2]> = own.map(|&(_, begin, end)| [begin, end]).collect();
        let whole = source.covered().get(member.index()).copied().flatten();
        let whole = if own.is_empty() { whole.into_iter().collect() } else { own };
        for [first, last] in whole {
            for stretch in window.of(member, None).between(first, last) {
                cells.spread_by(clock(member), stretch, [1.0], 1.0);
            }
        }
    }
    cells.sums().into_iter().map(|[length]| length).collect()
}

/// When runs were counted, by member: what has no samples says nothing of other times.
fn counted_whiles(
    source: &Source<'_>,
    interval: Option<MetricId>,
) -> BTreeSet<(MemberId, i64, i64)> {
    let profile = source.filtered().profile();
    let Some(interval) = interval else { return BTreeSet::new() };
    let (points, length) = (&profile.points, Length::new(profile));
    let of_point = |point: usize| {
        let begin = points.time(point).filter(|_| points.value(point, interval) != 0)?;
        Some((points.member(point), begin, begin.saturating_add(length.of_point(points, point))))
    };
    source.rest().filter_map(of_point).collect()
}

/// Value, samples, squares, and what was counted.
fn values(columns: &Columns, metric: &Metric, value: i64, row: &[i64]) -> [f64; 4] {
    if value == 0 {
        return [0.0; 4];
    }
    let BinSum { value, samples, squares, counted } =
        BinSum::new(value, columns.samples.of(metric, row));
    [value, samples, squares, counted]
}

/// A clock by which a run stands between 0 and its last part.
fn progress(ends: Option<[i64; 2]>, bins: usize) -> Clock {
    let whole = PART.saturating_mul(i64::try_from(bins).unwrap_or(i64::MAX));
    match ends {
        // What lasts until the end is in the last part, not behind it.
        Some([first, last]) if last > first => {
            Clock::new(vec![[first, 0], [last.saturating_add(1), whole]])
        }
        // What is at one time only is in the middle.
        Some([first, _]) => Clock::new(vec![[first, whole / 2]]),
        None => Clock::default(),
    }
}
