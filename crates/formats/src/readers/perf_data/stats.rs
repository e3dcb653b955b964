//! Counters without samples, of `perf stat record`: what each counted from one reading to the next.
//!
//! ```text
//! records     STAT a  STAT b  ROUND 200 ms   STAT a  STAT b  ROUND 400 ms
//! points      0 to 200 ms, of a and b        200 to 400 ms, of a and b
//! ```
//! A counter shows all that it counted since the start. One that was not counted in between says nothing
//! of that time, not even that there was nothing.

use hashbrown::HashMap;
use perfdata::Stat;
use profile::{Point, PointId, ProfileBuilder};

use crate::Warnings;

/// Counters without samples.
#[derive(Default)]
pub(super) struct Stats {
    /// What each showed last: the value, and for how long it was wanted and counted.
    shown: HashMap<(u64, u32, u32), [u64; 3]>,
    /// When all were read last.
    since: i64,
    /// Points of what was read since, by processor and thread.
    open: HashMap<(u32, u32), PointId>,
    /// How many counters were not counted since, and before.
    not_counted: [u64; 2],
    /// All points.
    pub(super) points: usize,
}

impl Stats {
    /// What a counter counted since it was read before, and for how long it was wanted and counted; none
    /// if it was not counted.
    pub(super) fn count(&mut self, stat: &Stat) -> Option<(i64, [u64; 2])> {
        let shown = [stat.value, stat.enabled, stat.running];
        let before = self.shown.insert((stat.id, stat.cpu, stat.thread), shown).unwrap_or([0; 3]);
        let since = |at: usize| shown[at].checked_sub(before[at]).unwrap_or(shown[at]);
        if since(2) == 0 {
            self.not_counted[0] += 1;
            return None;
        }
        Some((i64::try_from(since(0)).unwrap_or(i64::MAX), [since(1), since(2)]))
    }

    /// The point of what was read since all were read last.
    pub(super) fn point(&mut self, stat: &Stat, builder: &mut ProfileBuilder) -> PointId {
        *self.open.entry((stat.cpu, stat.thread)).or_insert_with(|| {
            self.points += 1;
            let cpu = Some(stat.cpu).filter(|&cpu| cpu != u32::MAX);
            let none = vec![0; builder.points.metrics()];
            builder.points.push_point(Point { cpu, ..Point::default() }, &none)
        })
    }

    /// All counters were read at this time: what they counted is of the time since the last one.
    pub(super) fn round(
        &mut self,
        time: u64,
        interval: Option<usize>,
        builder: &mut ProfileBuilder,
    ) {
        let time = i64::try_from(time).unwrap_or(i64::MAX);
        let since = std::mem::replace(&mut self.since, time).min(time);
        for (_, point) in self.open.drain() {
            builder.points.set_time(point.index(), since);
            if let Some(interval) = interval {
                builder.points.row_mut(point)[interval] = time - since;
            }
        }
        self.not_counted[1] += std::mem::take(&mut self.not_counted[0]);
    }

    /// When all were read last.
    pub(super) fn last(&self) -> Option<i64> {
        (self.points > 0).then_some(self.since)
    }

    pub(super) fn warn(&self, warnings: &mut Warnings) {
        if self.not_counted[1] > 0 {
            warnings.add_many("not counted", self.not_counted[1], || {
                "counters were not counted from one reading to the next: how many events there were \
                 then is not known"
                    .to_owned()
            });
        }
    }
}
