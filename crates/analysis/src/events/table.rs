//! Sums of events by group and run.

use std::ops::Range;

use profile::{MachineId, MemberId, Metric, MetricId};
use work::{parts, steps};

use super::context_sums::ContextSums;
use super::groups::{Elsewhere, EventsBy, Grouping, Groups, NoGroups};
use super::index::Source;
use crate::time::{Intervals, Window};

/// More sums are not added up by several threads.
const MOST_SHARED: usize = 1 << 17;

/// With fewer samples a count says next to nothing.
pub const LEAST_SAMPLES: u64 = 10;

/// What samples of an event stand for, together.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct EventSum {
    /// How many events, in units of the metric.
    pub value: i64,
    /// Samples that stand for some.
    pub samples: u64,
    /// Sum of the squares of what each stands for.
    pub(super) squares: f64,
    /// Whether some of it was counted and not sampled.
    pub(super) is_counted: bool,
    /// For how long the counter was wanted and for how long it counted, in nanoseconds; both 0
    /// where it did not share the processor's counters.
    pub(super) times: [i64; 2],
}

impl EventSum {
    pub(super) const NOTHING: EventSum =
        EventSum { value: 0, samples: 0, squares: 0.0, is_counted: false, times: [0; 2] };

    /// Adds what a point stands for: `samples` of them; 0 where it was counted, as by `perf stat`,
    /// by the scheduler's events or by a sample of each event, none where nobody knows.
    pub(super) fn add(&mut self, value: i64, samples: Option<u64>, times: Option<[i64; 2]>) {
        self.value = self.value.saturating_add(value);
        match samples {
            Some(samples @ 1..) => {
                self.samples += samples;
                self.squares += (value as f64).powi(2) / samples as f64;
            }
            Some(0) | None => self.is_counted = true,
        }
        for (sum, time) in self.times.iter_mut().zip(times.unwrap_or_default()) {
            *sum = sum.saturating_add(time);
        }
    }

    /// Adds what other points stand for.
    pub(super) fn merge(&mut self, other: &EventSum) {
        self.value = self.value.saturating_add(other.value);
        self.samples += other.samples;
        self.squares += other.squares;
        self.is_counted |= other.is_counted;
        for (sum, time) in self.times.iter_mut().zip(other.times) {
            *sum = sum.saturating_add(time);
        }
    }

    /// The standard error of a count that is estimated from samples, as a share of it: the square
    /// root of the sum of squares, `1 / sqrt(n)` of `n` equal periods. Counters that were read are
    /// no estimates; for these it is more than there is. None of nothing, of what was counted, and of
    /// sums that 64 bits do not hold.
    pub fn error(&self) -> Option<f64> {
        let is_estimate = self.samples > 0 && !self.is_counted && self.value < i64::MAX;
        (is_estimate && self.value > 0).then(|| self.squares.sqrt() / self.value as f64)
    }

    /// Which share of the time the counter counted, where it shared the processor's counters.
    pub fn coverage(&self) -> Option<f64> {
        let [wanted, counted] = self.times;
        (wanted > 0).then(|| counted as f64 / wanted as f64)
    }

    /// Whether there are samples enough to say something.
    pub fn is_enough(&self) -> bool {
        self.samples >= LEAST_SAMPLES || (self.is_counted && self.samples == 0)
    }
}

/// The columns of points that tell of events.
#[derive(Debug, Clone, Default)]
pub struct Columns {
    /// Those that are added up.
    pub metrics: Vec<MetricId>,
    /// How many samples a point is.
    pub samples: Samples,
    /// For how long counters were wanted and counted, if the profile says so.
    pub times: Option<[MetricId; 2]>,
    /// How long counts were taken that are not samples: outside of these whiles nobody counted.
    pub interval: Option<MetricId>,
    /// Which of the metrics are measured together: a run that has some of one has 0 of another, where it
    /// has none.
    pub together: Vec<usize>,
}

/// How many samples a point is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Samples {
    /// As a metric says.
    Metric(MetricId),
    /// One where a metric that was brought to scale is not 0.
    Scaled(MetricId),
    /// Nobody knows.
    #[default]
    Unknown,
}

impl Samples {
    /// Those that a point's value of a metric comes of.
    pub(super) fn of(self, metric: &Metric, row: &[i64]) -> Option<u64> {
        match self {
            // One a sample, and none is missing.
            _ if metric.is_counted => Some(0),
            Samples::Metric(metric) => Some(row[metric.index()].max(0).cast_unsigned()),
            Samples::Scaled(metric) => Some(u64::from(row[metric.index()] != 0)),
            Samples::Unknown => None,
        }
    }
}

/// The machine and the number of a processor, or of what processors share; none of what is no place.
type Place = Option<(Option<MachineId>, u32)>;

/// Events by group and run.
#[derive(Debug, Clone)]
pub struct EventTable {
    /// What the groups are called, in their order.
    pub groups: Vec<String>,
    /// By group, the machine and the number of the processor, or of what processors share; none of
    /// others.
    pub places: Vec<Place>,
    /// The runs: the members that filters leave.
    pub runs: Vec<MemberId>,
    /// How many nanoseconds of each run count. Samples stand for the time since the one before, so where
    /// one is the last of a run, this is longer than its recording by the time between two.
    pub lengths: Vec<i64>,
    /// Whether a run has samples of a metric at all, whatever filters leave: by run, then metric.
    is_measured: Vec<bool>,
    elsewhere: Elsewhere,
    /// By group, then run, then metric.
    sums: Vec<EventSum>,
    metrics: usize,
}

impl EventTable {
    /// Adds up metrics of a profile over `runs`, which are members; [`EventsBy::Frames`] is for
    /// [`EventTable::of_frames`].
    pub fn new(
        source: &Source<'_>,
        by: EventsBy,
        runs: &[MemberId],
        columns: &Columns,
    ) -> Result<EventTable, NoGroups> {
        let Groups { names, places, elsewhere, grouping } = by.groups(source)?;
        let summed = EventTable::summed(source, (names, places), runs, columns, &grouping);
        Ok(EventTable { elsewhere, ..summed })
    }

    pub(super) fn summed(
        source: &Source<'_>,
        (groups, places): (Vec<String>, Vec<Place>),
        runs: &[MemberId],
        columns: &Columns,
        grouping: &Grouping<'_>,
    ) -> EventTable {
        let Columns { metrics, samples, times, together, .. } = columns;
        let filtered = source.filtered;
        let profile = filtered.profile();
        let points = &profile.points;
        let runs = runs.to_vec();
        let mut run_of = vec![None; profile.members.len().max(1)];
        for (run, member) in runs.iter().enumerate() {
            run_of[member.index()] = Some(run);
        }
        let mut table = EventTable {
            lengths: runs.iter().map(|&member| length_of(source, member)).collect(),
            is_measured: vec![false; runs.len() * metrics.len()],
            elsewhere: Elsewhere::default(),
            sums: vec![EventSum::default(); groups.len() * runs.len() * metrics.len()],
            metrics: metrics.len(),
            groups,
            places,
            runs,
        };
        let mut are_together = vec![false; table.runs.len()];
        table.add_samples(source, &run_of, columns, grouping, &mut are_together);
        for point in steps("adding up events", source.rest()) {
            let Some(run) = run_of[points.member(point).index()] else { continue };
            let all = points.row(point);
            for (column, metric) in metrics.iter().enumerate() {
                table.is_measured[run * metrics.len() + column] |= all[metric.index()] != 0;
            }
            // Where threads were away from no processor that is known, where they went is not either.
            are_together[run] |= points.cpu(point).is_some()
                && together.iter().any(|&column| all[metrics[column].index()] != 0);
            if !filtered.keeps_point(point) {
                continue;
            }
            let context = filtered.point_contexts()[point];
            let groups = (0..).map_while(|number| grouping.of_point(point, context, number));
            let row = filtered.row(point);
            let times = times.map(|times| times.map(|time| row[time.index()]));
            for group in groups {
                let first = (group as usize * table.runs.len() + run) * metrics.len();
                for (sum, metric) in table.sums[first..].iter_mut().zip(metrics) {
                    match row[metric.index()] {
                        0 => {}
                        value => sum.add(value, samples.of(profile.metric(*metric), row), times),
                    }
                }
            }
        }
        for (run, are_together) in
            table.is_measured.chunks_mut(metrics.len().max(1)).zip(are_together)
        {
            if are_together {
                together.iter().for_each(|&column| run[column] = true);
            }
        }
        // A range of time that begins behind the end of a run counts nothing of it.
        if filtered.window().is_some() {
            for (run, _) in table.lengths.iter().enumerate().filter(|(_, length)| **length == 0) {
                table.is_measured[run * metrics.len()..][..metrics.len()].fill(false);
            }
        }
        table
    }

    /// Adds up the samples that stand in an index.
    fn add_samples(
        &mut self,
        source: &Source<'_>,
        run_of: &[Option<usize>],
        Columns { metrics, together, .. }: &Columns,
        grouping: &Grouping<'_>,
        are_together: &mut [bool],
    ) {
        let Some(index) = source.index() else { return };
        for (number, metric) in metrics.iter().enumerate() {
            let column = index.column(*metric);
            for (segment, place) in index.segments.iter().enumerate() {
                let Some(run) = run_of[place.member.index()] else { continue };
                let has_any = !column.of_segment(segment).is_empty();
                self.is_measured[run * metrics.len() + number] |= has_any;
                are_together[run] |= has_any && place.cpu.is_some() && together.contains(&number);
            }
        }
        if grouping.is_of_contexts()
            && let Some(sums) = ContextSums::new(source, metrics)
        {
            self.add_contexts(&sums, metrics, grouping);
            return;
        }
        let (runs, zeros) = (self.runs.len(), vec![EventSum::default(); self.sums.len()]);
        let segments = grouping.segments();
        let add = |segments: Range<usize>, sums: &mut [EventSum]| {
            for (kept, group) in &grouping.segments()[segments] {
                let Some(run) = run_of[kept.place.member.index()] else { continue };
                for (number, metric) in metrics.iter().enumerate() {
                    let column = kept.column(*metric);
                    let at = |group: u32| (group as usize * runs + run) * metrics.len() + number;
                    match group {
                        Some(group) => kept.add(column, &mut sums[at(*group)]),
                        None => kept.each(column, |entry| {
                            for &group in grouping.of_context(column.contexts[entry]) {
                                column.add(entry, &mut sums[at(group)]);
                            }
                        }),
                    }
                }
            }
        };
        // As many sums as there are threads must not take more time than what is added up.
        let are_few = self.sums.len() <= MOST_SHARED;
        let weight = if are_few { source.weight(metrics) } else { 0 };
        let all = parts(segments.len(), weight, |range| {
            let mut sums = zeros.clone();
            add(range, &mut sums);
            sums
        });
        for sums in &all {
            self.sums.iter_mut().zip(sums).for_each(|(to, sum)| to.merge(sum));
        }
    }

    fn add_contexts(&mut self, of: &ContextSums, metrics: &[MetricId], grouping: &Grouping<'_>) {
        let runs = self.runs.len();
        for context in 0..of.contexts() {
            for &group in grouping.of_context(context as u32) {
                for (run, member) in self.runs.iter().enumerate() {
                    let first = (group as usize * runs + run) * metrics.len();
                    for (to, &metric) in self.sums[first..].iter_mut().zip(metrics) {
                        to.merge(of.get(member.index(), context, metric));
                    }
                }
            }
        }
    }

    /// What a run has of a metric (by its place among those that were asked for) in a group; none
    /// if the run has nothing of that metric anywhere (it was not measured, or never happened), and of
    /// processors of another machine than the run's, or that were not recorded then.
    pub fn get(&self, group: usize, run: usize, metric: usize) -> Option<&EventSum> {
        let is_there = !self.elsewhere.is(group, self.runs[run]);
        let is_measured = is_there && self.is_measured[run * self.metrics + metric];
        let at = (group * self.runs.len() + run) * self.metrics + metric;
        is_measured.then(|| &self.sums[at])
    }
}

/// How many nanoseconds of a run count.
fn length_of(source: &Source<'_>, member: MemberId) -> i64 {
    let covered = source.covered();
    let (filtered, profile) = (source.filtered, source.filtered.profile());
    let everywhere = Window::everywhere(Intervals::all());
    let window = filtered.window().unwrap_or(&everywhere);
    let ends = covered.get(member.index()).copied().flatten();
    let inside = |[first, last]: [i64; 2]| window.of(member, None).length_between(first, last);
    let counted = ends.map_or(0, inside);
    // What is counted by intervals has times of their ends, so that the first one's length
    // is not between any two.
    let of_member = profile.members.get(member.index()).map(|member| member.duration_ns);
    let whole = of_member.unwrap_or(profile.origin.duration_ns);
    if filtered.window().is_none() { counted.max(whole) } else { counted }
}
