//! Samples of an index by bin: they stand by time, so that a bin is a stretch of them.

use profile::{Clock, MemberId, MetricId};
use work::parts;

use super::bins::BinSum;
use super::column::Column;
use super::groups::Grouping;
use super::index::{Kept, UNTIMED};
use crate::time::HeatGrid;

/// More bins are not added up by several threads.
const MOST_SHARED: usize = 1 << 20;

/// Samples that are added up by bin.
pub(super) struct OfSamples<'a> {
    pub(super) grouping: &'a Grouping<'a>,
    /// By member, the set that it is in.
    pub(super) set_of: &'a [Option<usize>],
    /// How many groups there are in each set.
    pub(super) groups: usize,
}

impl OfSamples<'_> {
    /// By slot (set, then group), what the bins have of a metric; and what has no time.
    pub(super) fn add<'c>(
        &self,
        slots: usize,
        metric: MetricId,
        grid: HeatGrid,
        weight: usize,
        clock: &(impl Fn(MemberId) -> &'c Clock + Copy),
    ) -> (Vec<BinSum>, f64) {
        let segments = self.grouping.segments();
        let mut members: Vec<MemberId> = segments.iter().map(|(of, _)| of.place.member).collect();
        members.sort_unstable();
        members.dedup();
        let edges = members.iter().map(|&member| Edges::new(clock(member), grid));
        let edges: Vec<Edges> = edges.collect();
        let edges_of =
            |member: MemberId| members.binary_search(&member).ok().map(|place| &edges[place]);
        let count = slots * grid.cells;
        let weight = if count <= MOST_SHARED { weight } else { 0 };
        let mut all = parts(segments.len(), weight, |range| {
            let mut sums = vec![BinSum::default(); count];
            let mut untimed = 0.0;
            for (kept, group) in &segments[range] {
                let member = kept.place.member;
                let Some((set, edges)) = self.set_of[member.index()].zip(edges_of(member)) else {
                    continue;
                };
                let column = kept.column(metric);
                let slot = |group: u32| set * self.groups + group as usize;
                match group {
                    Some(group) => {
                        let own = &mut sums[slot(*group) * grid.cells..][..grid.cells];
                        untimed += of_place(kept, column, edges, own);
                    }
                    None => {
                        // The bin that entries are in, until when.
                        let (mut at, mut until) = (None, i64::MIN);
                        kept.each(column, |entry| {
                            let groups = self.grouping.of_context(column.contexts[entry]);
                            let time = column.times[entry];
                            if time == UNTIMED {
                                let value = column.value(entry) as f64;
                                untimed += if groups.is_empty() { 0.0 } else { value };
                                return;
                            }
                            if time >= until {
                                (at, until) = edges.bin_until(time);
                            }
                            let Some(bin) = at.filter(|_| !groups.is_empty()) else { return };
                            let sum = BinSum::new(column.value(entry), column.samples(entry));
                            for &group in groups {
                                let to = &mut sums[slot(group) * grid.cells + bin];
                                *to = to.and(&sum);
                            }
                        });
                    }
                }
            }
            (sums, untimed)
        });
        let (mut sums, mut untimed) = all.pop().unwrap_or_default();
        for (others, without) in all {
            sums.iter_mut().zip(&others).for_each(|(to, sum)| *to = to.and(sum));
            untimed += without;
        }
        (sums, untimed)
    }
}

/// Adds a segment to the bins of its group; what has no time comes back.
fn of_place(kept: &Kept<'_>, column: &Column, edges: &Edges, bins: &mut [BinSum]) -> f64 {
    let mut untimed = 0.0;
    // The bin that entries are in, from when to when.
    let (mut at, mut until) = (None, i64::MIN);
    let mut open = BinSum::default();
    kept.each(column, |entry| {
        let time = column.times[entry];
        let sum = BinSum::new(column.value(entry), column.samples(entry));
        if time == UNTIMED {
            untimed += sum.value;
            return;
        }
        if time >= until {
            if let Some(bin) = at {
                let to: &mut BinSum = &mut bins[bin];
                *to = to.and(&open);
            }
            open = BinSum::default();
            (at, until) = edges.bin_until(time);
        }
        open = open.and(&sum);
    });
    if let Some(bin) = at {
        bins[bin] = bins[bin].and(&open);
    }
    untimed
}

/// When bins begin by the clock of a member, and at last when the last one ends.
struct Edges(Vec<i64>);

impl Edges {
    fn new(clock: &Clock, grid: HeatGrid) -> Edges {
        let edge = |bin: usize| {
            let length = grid.cell.saturating_mul(i64::try_from(bin).unwrap_or(i64::MAX));
            grid.begin.saturating_add(length)
        };
        Edges((0..=grid.cells).map(|bin| first_at(clock, edge(bin))).collect())
    }

    /// The bin of a time, and when it, or what is between bins, ends.
    fn bin_until(&self, time: i64) -> (Option<usize>, i64) {
        let behind = self.0.partition_point(|edge| *edge <= time);
        let until = self.0.get(behind).copied();
        (behind.checked_sub(1).filter(|_| until.is_some()), until.unwrap_or(i64::MAX))
    }
}

/// The first time of a clock that is not before one of the axis: clocks never go back.
fn first_at(clock: &Clock, on_axis: i64) -> i64 {
    if clock.is_even() {
        return on_axis;
    }
    let (mut before, mut from) = (i128::from(i64::MIN), i128::from(i64::MAX));
    while from - before > 1 {
        let middle = before.midpoint(from);
        if clock.on_axis(middle as i64) >= on_axis { from = middle } else { before = middle }
    }
    from as i64
}
