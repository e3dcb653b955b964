//! Samples that name nodes become points.

use profile::{ContextId, Point, ProfileBuilder, ThreadId};

use crate::Warnings;
use crate::graph::v8_nodes::NodeKind;
use crate::graph::v8_nodes::resolved::ResolvedNodes;

/// Samples of one thread: the node that ran, and when.
#[derive(Debug, Default)]
pub(crate) struct Samples {
    /// Numbers of nodes.
    pub(crate) nodes: Vec<u32>,
    /// Nanoseconds after the sample before; the first after the start.
    pub(crate) deltas: Vec<i64>,
    /// Line of each, if it is known for all.
    pub(crate) lines: Vec<u32>,
    /// Nanoseconds on the producer's clock.
    pub(crate) start: i64,
    pub(crate) end: Option<i64>,
}

impl Samples {
    /// Bytes held.
    pub(crate) fn heap_bytes(&self) -> usize {
        (self.nodes.capacity() + self.lines.capacity()) * 4 + self.deltas.capacity() * 8
    }

    /// When the last sample ends, on the producer's clock.
    pub(crate) fn last(&self) -> i64 {
        let sum = self.deltas.iter().fold(self.start, |sum, &delta| sum.saturating_add(delta));
        self.end.unwrap_or(sum).max(sum)
    }

    /// Pushes a point a sample with its time until the next one and a count of 1, the first two
    /// metrics; times are told from `clock` on.
    pub(crate) fn push_points(
        mut self,
        nodes: &mut ResolvedNodes,
        builder: &mut ProfileBuilder,
        clock: i64,
        thread: Option<ThreadId>,
        warnings: &mut Warnings,
    ) {
        let count = self.nodes.len();
        if self.deltas.len() != count {
            warnings.add_many("times", self.deltas.len().abs_diff(count) as u64, || {
                format!("there are {count} samples but {} times", self.deltas.len())
            });
            self.deltas.resize(count, 0);
        }
        if self.lines.len() != count {
            self.lines = Vec::new();
        }
        // From deltas to times. What is at the limit was held there when it was read.
        let is_held = |time: i64| time == i64::MAX || time == i64::MIN;
        let ends = [Some(self.start), self.end].into_iter().flatten();
        let mut held = ends.filter(|&end| is_held(end)).count() as u64;
        let mut at = self.start;
        for delta in &mut self.deltas {
            let next = at.saturating_add(*delta);
            held += u64::from(is_held(*delta) || (is_held(next) && !is_held(at)));
            at = next;
            *delta = at;
        }
        if held > 0 {
            warnings.add_many("time range", held, || {
                "times beyond 64 bits are held at the limit: values that come of them are wrong"
                    .to_owned()
            });
        }
        let times = self.deltas;
        let back = times.windows(2).filter(|pair| pair[1] < pair[0]).count() as u64;
        let mut order = Vec::new();
        if back > 0 {
            warnings.add_many("backwards", back, || {
                "samples that are not in the order of their times are put into it".to_owned()
            });
            order = (0..count as u32).collect();
            order.sort_by_key(|&row| times[row as usize]);
        }
        let row_of = |place: usize| order.get(place).map_or(place, |&row| row as usize);
        let mut before = ContextId::ROOT;
        let mut values = vec![0; builder.metrics.len()];
        for place in 0..count {
            let row = row_of(place);
            let time = times[row];
            let next = match place + 1 {
                end if end == count => self.end.unwrap_or(time).max(time),
                next => times[row_of(next)],
            };
            let number = self.nodes[row];
            let line = self.lines.get(row).copied().unwrap_or_else(|| nodes.next_line(number));
            let context = nodes.sampled(builder, number, line, before).unwrap_or_else(|| {
                unknown_node(warnings);
                ContextId::ROOT
            });
            match nodes.kind(number) {
                NodeKind::System => {}
                NodeKind::Idle => before = ContextId::ROOT,
                NodeKind::Frame | NodeKind::Root => before = context,
            }
            let time_here = time.saturating_sub(clock);
            let point = Point { context, time: Some(time_here), thread, ..Point::default() };
            values[..2].copy_from_slice(&[next.saturating_sub(time), 1]);
            builder.points.push_point(point, &values);
        }
    }
}

/// Tells of a sample of a node that is not in the tree.
pub(crate) fn unknown_node(warnings: &mut Warnings) {
    warnings.add("unknown nodes", || {
        "samples of nodes that are not in the tree are at its root".to_owned()
    });
}
