//! Monitoring points: the measured records.

use std::ops::Range;

use crate::ids::{NONE, optional};
use crate::sparse::SparseColumn;
use crate::{ContextId, LabelSetId, MemberId, MetricId, PointId, RoleId, ThreadId};

/// The records in the order of the file, as columns. Values stand row by row: all metrics of a
/// point follow each other. What no point has takes no memory.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Points {
    /// The context of each.
    pub context: Vec<ContextId>,
    labels: SparseColumn<u32>,
    time: SparseColumn<i64>,
    thread: SparseColumn<u32>,
    cpu: SparseColumn<u32>,
    member: SparseColumn<u32>,
    links: Links,
    values: Vec<i64>,
    metrics: usize,
    /// How many nanoseconds each lasted, where values no longer tell; empty where they do.
    lengths: Vec<i64>,
}

/// What a point says besides its values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Point<'a> {
    /// The context whose cost the values are.
    pub context: ContextId,
    /// The labels.
    pub labels: LabelSetId,
    /// When it was measured: nanoseconds after the start of its member, or of the profile.
    pub time: Option<i64>,
    /// The thread it was measured on.
    pub thread: Option<ThreadId>,
    /// The processor it was measured on.
    pub cpu: Option<u32>,
    /// The member it belongs to; member 0 where there are none.
    pub member: MemberId,
    /// Every context of a point that has several, each with its role; `context` is among them.
    /// Empty for points of one context.
    pub links: &'a [(RoleId, ContextId)],
}

/// Stands for 'no time'.
const UNTIMED: i64 = i64::MIN;

impl Points {
    /// How many nanoseconds a point lasted, where that was kept when its values were brought to another
    /// scale; none where values tell.
    pub fn kept_length(&self, point: usize) -> Option<i64> {
        self.lengths.get(point).copied()
    }

    /// Keeps how many nanoseconds each point lasts: values are about to be brought to another scale. What
    /// was kept before stays.
    ///
    /// # Panics
    /// If these are not as many as there are points.
    pub fn keep_lengths(&mut self, lengths: Vec<i64>) {
        assert_eq!(lengths.len(), self.len(), "a length a point");
        if self.lengths.is_empty() {
            self.lengths = lengths;
        }
    }

    /// An empty table for points with this many metrics.
    pub fn new(metrics: usize) -> Self {
        Points { metrics, ..Points::default() }
    }

    /// Appends a point that has only a context, labels and values.
    ///
    /// # Panics
    /// If `values` has not one entry a metric.
    pub fn push(&mut self, context: ContextId, labels: LabelSetId, values: &[i64]) -> PointId {
        self.push_point(Point { context, labels, ..Point::default() }, values)
    }

    /// Appends a point.
    ///
    /// # Panics
    /// If `values` has not one entry a metric.
    pub fn push_point(&mut self, point: Point<'_>, values: &[i64]) -> PointId {
        assert_eq!(values.len(), self.metrics, "one value a metric");
        let row = self.context.len();
        self.labels.push(row, point.labels.0, 0);
        self.time.push(row, point.time.unwrap_or(UNTIMED), UNTIMED);
        self.thread.push(row, point.thread.map_or(NONE, |thread| thread.0), NONE);
        self.cpu.push(row, point.cpu.unwrap_or(NONE), NONE);
        self.member.push(row, point.member.0, 0);
        self.links.push(row, point.links);
        self.context.push(point.context);
        self.values.extend_from_slice(values);
        PointId(row as u32)
    }

    /// Makes room for `count` more points.
    pub fn reserve(&mut self, count: usize) {
        self.context.reserve(count);
        self.values.reserve(count.saturating_mul(self.metrics));
    }

    /// How many points there are.
    pub fn len(&self) -> usize {
        self.context.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.context.is_empty()
    }

    /// How many values a point has.
    pub fn metrics(&self) -> usize {
        self.metrics
    }

    /// A point without its values.
    pub fn get(&self, point: usize) -> Point<'_> {
        Point {
            context: self.context[point],
            labels: self.labels(point),
            time: self.time(point),
            thread: self.thread(point),
            cpu: self.cpu(point),
            member: self.member(point),
            links: self.links(point),
        }
    }

    /// The labels of a point.
    pub fn labels(&self, point: usize) -> LabelSetId {
        LabelSetId(self.labels.get(point).unwrap_or(0))
    }

    /// When a point was measured: nanoseconds after the start of its member, or of the profile.
    pub fn time(&self, point: usize) -> Option<i64> {
        self.time.get(point).filter(|&time| time != UNTIMED)
    }

    /// The thread a point was measured on.
    pub fn thread(&self, point: usize) -> Option<ThreadId> {
        self.thread.get(point).and_then(optional).map(ThreadId)
    }

    /// The processor a point was measured on.
    pub fn cpu(&self, point: usize) -> Option<u32> {
        self.cpu.get(point).and_then(optional)
    }

    /// The member that a point belongs to.
    pub fn member(&self, point: usize) -> MemberId {
        MemberId(self.member.get(point).unwrap_or(0))
    }

    /// Every context of a point that has several, each with its role; empty for others.
    pub fn links(&self, point: usize) -> &[(RoleId, ContextId)] {
        self.links.get(point)
    }

    /// Whether any point has a time.
    pub fn has_times(&self) -> bool {
        !self.time.raw.is_empty()
    }

    /// Whether any point has a thread.
    pub fn has_threads(&self) -> bool {
        !self.thread.raw.is_empty()
    }

    /// Whether any point has a processor.
    pub fn has_cpus(&self) -> bool {
        !self.cpu.raw.is_empty()
    }

    /// Whether any point has several contexts.
    pub fn has_links(&self) -> bool {
        !self.links.contexts.is_empty()
    }

    /// The values of a point, one a metric.
    pub fn row(&self, point: usize) -> &[i64] {
        &self.values[point * self.metrics..][..self.metrics]
    }

    /// The value of a point in a metric.
    pub fn value(&self, point: usize, metric: MetricId) -> i64 {
        self.row(point)[metric.index()]
    }

    /// The values of a point, to be changed.
    pub fn row_mut(&mut self, point: PointId) -> &mut [i64] {
        &mut self.values[point.index() * self.metrics..][..self.metrics]
    }

    /// The values of a metric, one a point.
    pub fn values(&self, metric: MetricId) -> impl ExactSizeIterator<Item = i64> + Clone + '_ {
        let skip = if self.context.is_empty() { 0 } else { metric.index() };
        self.values[skip.min(self.values.len())..].iter().step_by(self.metrics.max(1)).copied()
    }

    /// Holds the least number of 64 bits, which stands for no value where metrics are worked out from others,
    /// at the next one; how many there were.
    pub fn hold_least(&mut self) -> u64 {
        let least = self.values.iter_mut().filter(|value| **value == i64::MIN);
        least.map(|value| *value += 1).count() as u64
    }

    /// Multiplies a metric's values; false if one leaves the range of 64 bits.
    pub fn scale(&mut self, metric: MetricId, factor: i64) -> bool {
        let stride = self.metrics;
        let mut exact = true;
        for value in self.values.iter_mut().skip(metric.index()).step_by(stride.max(1)) {
            exact &= value.checked_mul(factor).is_some();
            *value = value.saturating_mul(factor);
        }
        exact
    }

    /// Leaves out the values of metrics that are not kept.
    ///
    /// # Panics
    /// If `keep` has not one entry a metric.
    pub fn keep_metrics(&mut self, keep: &[bool]) {
        assert_eq!(keep.len(), self.metrics, "one entry a metric");
        let mut column = 0;
        self.values.retain(|_| {
            let kept = keep[column];
            column = (column + 1) % keep.len();
            kept
        });
        self.metrics = keep.iter().filter(|&&kept| kept).count();
    }

    /// Gives a point that was pushed a time.
    pub fn set_time(&mut self, point: usize, time: i64) {
        if self.time.raw.is_empty() {
            self.time.raw.resize(self.context.len(), UNTIMED);
        }
        self.time.raw[point] = time;
    }

    /// Puts every point into the member that `members` has for it.
    ///
    /// # Panics
    /// If there is not one for each point.
    pub fn set_members(&mut self, members: &[MemberId]) {
        assert_eq!(members.len(), self.len(), "one member a point");
        self.member.raw.clear();
        for (row, member) in members.iter().enumerate() {
            self.member.push(row, member.0, 0);
        }
    }

    /// Moves every time by `offset` nanoseconds; times that would leave 64 bits stay at the limit.
    pub fn shift_times(&mut self, offset: i64) {
        for time in self.time.raw.iter_mut().filter(|time| **time != UNTIMED) {
            *time = time.saturating_add(offset).max(UNTIMED + 1);
        }
    }

    /// The same, by an offset for each member.
    pub(crate) fn shift_times_of(&mut self, offset: impl Fn(MemberId) -> i64) {
        for row in 0..self.time.raw.len() {
            let by = offset(self.member(row));
            let time = &mut self.time.raw[row];
            if *time != UNTIMED {
                *time = time.saturating_add(by).max(UNTIMED + 1);
            }
        }
    }

    /// The earliest time.
    pub fn first_time(&self) -> Option<i64> {
        self.time.raw.iter().copied().filter(|&time| time != UNTIMED).min()
    }

    /// The latest time.
    pub fn last_time(&self) -> Option<i64> {
        self.time.raw.iter().copied().filter(|&time| time != UNTIMED).max()
    }

    /// Bytes held.
    pub fn heap_bytes(&self) -> usize {
        let narrow = [&self.labels, &self.thread, &self.cpu, &self.member];
        let narrow: usize = narrow.into_iter().map(|column| column.raw.capacity() * 4).sum();
        self.context.capacity() * 4
            + narrow
            + self.time.raw.capacity() * 8
            + self.links.starts.capacity() * 4
            + self.links.contexts.capacity() * 8
            + (self.values.capacity() + self.lengths.capacity()) * 8
    }

    pub(crate) fn renumber(&mut self, renumbered: &[ContextId]) {
        for context in &mut self.context {
            *context = renumbered[context.index()];
        }
        for (_, context) in &mut self.links.contexts {
            *context = renumbered[context.index()];
        }
    }

    /// Forgets all points from number `len` on.
    pub(crate) fn truncate(&mut self, len: usize) {
        self.context.truncate(len);
        self.labels.truncate(len, 0);
        self.time.truncate(len, UNTIMED);
        self.thread.truncate(len, NONE);
        self.cpu.truncate(len, NONE);
        self.member.truncate(len, 0);
        self.links.truncate(len);
        self.values.truncate(len * self.metrics);
        self.lengths.truncate(len);
    }

    pub(crate) fn value_count(&self) -> usize {
        self.values.len()
    }
}

/// The contexts of points that have several.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct Links {
    /// By point, where its contexts start; one more entry than points. Empty if there are none.
    starts: Vec<u32>,
    contexts: Vec<(RoleId, ContextId)>,
}

impl Links {
    fn push(&mut self, row: usize, links: &[(RoleId, ContextId)]) {
        if self.starts.is_empty() {
            if links.is_empty() {
                return;
            }
            self.starts.resize(row + 1, 0);
        }
        self.contexts.extend_from_slice(links);
        self.starts.push(self.contexts.len() as u32);
    }

    fn truncate(&mut self, len: usize) {
        self.starts.truncate(len + 1);
        self.contexts.truncate(self.starts.last().map_or(0, |&end| end as usize));
        if self.contexts.is_empty() {
            self.starts.clear();
        }
    }

    fn get(&self, row: usize) -> &[(RoleId, ContextId)] {
        match self.starts.get(row..row + 2) {
            Some(&[start, end]) => {
                &self.contexts[Range { start: start as usize, end: end as usize }]
            }
            _ => &[],
        }
    }
}
