//! How many events there were: sums of what samples stand for, by run and by where they were.
//!
//! A sample stands for as many events as its period says (or as its counters counted since they
//! were read before), so a count is a sum of values, never a mean, and a ratio of counts is a ratio
//! of sums.

mod groups;

pub use groups::{EventsBy, NoGroups};

use profile::{MemberId, MetricId};
use work::steps;

use crate::{Filtered, counted_times};

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
    squares: f64,
    /// For how long the counter was wanted and for how long it counted, in nanoseconds; both 0
    /// where it did not share the processor's counters.
    times: [i64; 2],
}

impl EventSum {
    fn add(&mut self, value: i64, times: Option<[i64; 2]>) {
        self.value = self.value.saturating_add(value);
        self.samples += 1;
        self.squares += (value as f64).powi(2);
        for (sum, time) in self.times.iter_mut().zip(times.unwrap_or_default()) {
            *sum = sum.saturating_add(time);
        }
    }

    /// The standard error of a count that is estimated from samples, as a share of it: the square
    /// root of the sum of squares, `1 / sqrt(n)` of `n` equal periods. Counters that were read are
    /// no estimates; for these it is more than there is. None of nothing.
    pub fn error(&self) -> Option<f64> {
        (self.value > 0).then(|| self.squares.sqrt() / self.value as f64)
    }

    /// Which share of the time the counter counted, where it shared the processor's counters.
    pub fn coverage(&self) -> Option<f64> {
        let [wanted, counted] = self.times;
        (wanted > 0).then(|| counted as f64 / wanted as f64)
    }

    /// Whether there are samples enough to say something.
    pub fn is_enough(&self) -> bool {
        self.samples >= LEAST_SAMPLES
    }
}

/// Events by group and run.
#[derive(Debug, Clone)]
pub struct EventTable {
    /// What the groups are called, in their order.
    pub groups: Vec<String>,
    /// The runs: the members that filters leave.
    pub runs: Vec<MemberId>,
    /// How many nanoseconds of each run count.
    pub lengths: Vec<i64>,
    /// Whether a run has samples of a metric at all, whatever filters leave: by run, then metric.
    is_measured: Vec<bool>,
    /// By group, then run, then metric.
    sums: Vec<EventSum>,
    metrics: usize,
}

impl EventTable {
    /// Adds up metrics of a profile. `times` are those of the times wanted and counted, if the
    /// profile has them.
    pub fn of(
        filtered: &Filtered,
        by: EventsBy,
        metrics: &[MetricId],
        times: Option<[MetricId; 2]>,
    ) -> Result<EventTable, NoGroups> {
        let profile = filtered.profile();
        let points = &profile.points;
        let (groups, of_point) = by.groups(filtered)?;
        let runs = filtered.parts().to_vec();
        let mut run_of = vec![None; profile.members.len().max(1)];
        for (run, member) in runs.iter().enumerate() {
            run_of[member.index()] = Some(run);
        }
        let all_lengths = counted_times(filtered);
        let length = |member: &MemberId| all_lengths.get(member.index()).copied().unwrap_or(0);
        let mut table = EventTable {
            lengths: runs.iter().map(length).collect(),
            is_measured: vec![false; runs.len() * metrics.len()],
            sums: vec![EventSum::default(); groups.len() * runs.len() * metrics.len()],
            metrics: metrics.len(),
            groups,
            runs,
        };
        for point in steps("adding up events", 0..points.len()) {
            let Some(run) = run_of[points.member(point).index()] else { continue };
            let all = points.row(point);
            for (column, metric) in metrics.iter().enumerate() {
                table.is_measured[run * metrics.len() + column] |= all[metric.index()] != 0;
            }
            let Some(group) = of_point[point].filter(|_| filtered.keeps_point(point)) else {
                continue;
            };
            let row = filtered.row(point);
            let times = times.map(|times| times.map(|time| row[time.index()]));
            let first = (group as usize * table.runs.len() + run) * metrics.len();
            for (sum, metric) in table.sums[first..].iter_mut().zip(metrics) {
                match row[metric.index()] {
                    0 => {}
                    value => sum.add(value, times),
                }
            }
        }
        Ok(table)
    }

    /// What a run has of a metric (by its place among those that were asked for) in a group; none
    /// if the run has nothing of that metric anywhere: it was not measured, or never happened.
    pub fn get(&self, group: usize, run: usize, metric: usize) -> Option<&EventSum> {
        let is_measured = self.is_measured[run * self.metrics + metric];
        let at = (group * self.runs.len() + run) * self.metrics + metric;
        is_measured.then(|| &self.sums[at])
    }
}
