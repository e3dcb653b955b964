//! What began and ended and is not a call: markers, pauses, operations that waited.
//!
//! ```text
//! nest      request [              ]    on the track of their thread, each inside the one around it
//!             parse    [    ][ ]
//! overlap   request [       ]           side by side on a lane under it for each of their groups
//!           request      [       ]
//! ```
//! What says of itself that it is asynchronous is on such a lane in any case.

use std::cmp::Reverse;

use hashbrown::HashMap;
use profile::{
    ContextId, LabelSetId, LocationId, Metric, PointId, ProfileBuilder, Span, StringId, ThreadId,
    Timing, Track, TrackId, TrackKind,
};

use crate::time::spans::SpanPoints;

/// One of them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Interval {
    pub(crate) begin: i64,
    /// 0 or more.
    pub(crate) length: i64,
    /// Whether it never ends: its time is in no sum.
    pub(crate) is_unfinished: bool,
    /// The stack that it began on; the root if it is not known.
    pub(crate) stack: ContextId,
    /// What it is.
    pub(crate) location: LocationId,
    /// The lane that it is on where those of its thread overlap.
    pub(crate) group: StringId,
    /// On a lane wherever it stands: it is not a part of what the thread did.
    pub(crate) is_asynchronous: bool,
    /// What tells its point from others of its thread and location.
    pub(crate) labels: LabelSetId,
    pub(crate) arguments: LabelSetId,
}

/// The line of execution that intervals are of.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Line {
    pub(crate) thread: Option<ThreadId>,
    pub(crate) track: TrackId,
    /// Whether the track itself may have them.
    pub(crate) runs: bool,
}

/// Where their values go.
#[derive(Debug, Clone, Copy)]
pub(crate) struct IntervalMetrics {
    time: usize,
    count: usize,
}

impl IntervalMetrics {
    /// Two more metrics, one of the time and one that counts.
    pub(crate) fn add(time: &str, count: &str, metrics: &mut Vec<Metric>) -> IntervalMetrics {
        metrics.push(Metric::new(time, "nanoseconds"));
        metrics.push(Metric { timing: Timing::Begins, ..Metric::new(count, "count") });
        IntervalMetrics { time: metrics.len() - 2, count: metrics.len() - 1 }
    }

    /// Counts one that has a length of its own.
    pub(crate) fn count(self, point: PointId, length: i64, builder: &mut ProfileBuilder) {
        let values = builder.points.row_mut(point);
        values[self.time] = values[self.time].saturating_add(length);
        values[self.count] += 1;
    }

    /// The metric of the time.
    pub(crate) fn time(self) -> usize {
        self.time
    }
}

/// Puts the intervals of a line onto its track, or onto lanes under it.
pub(crate) fn push(
    intervals: Vec<Interval>,
    line: Line,
    metrics: IntervalMetrics,
    points: &mut SpanPoints,
    builder: &mut ProfileBuilder,
) {
    let (mut beside, mut own): (Vec<_>, Vec<_>) =
        intervals.into_iter().partition(|interval| interval.is_asynchronous || !line.runs);
    let sort = |all: &mut Vec<Interval>| {
        all.sort_by_key(|interval| (interval.begin, Reverse(interval.length)));
    };
    sort(&mut own);
    if !nest(&own) {
        beside.append(&mut own);
    }
    sort(&mut beside);
    let mut rows = Rows { line, metrics, points, builder };
    rows.push_nested(&own);
    rows.push_lanes(&beside);
}

/// Whether each ends before the one ends that it began in.
fn nest(sorted: &[Interval]) -> bool {
    let mut ends = vec![];
    sorted.iter().all(|interval| {
        while ends.last().is_some_and(|&end| end <= interval.begin) {
            ends.pop();
        }
        let end = interval.begin.saturating_add(interval.length);
        let fits = ends.last().is_none_or(|&around| end <= around);
        ends.push(end);
        fits
    })
}

struct Rows<'a> {
    line: Line,
    metrics: IntervalMetrics,
    points: &'a mut SpanPoints,
    builder: &'a mut ProfileBuilder,
}

/// An interval that others may be in.
struct Open {
    end: i64,
    context: ContextId,
    point: PointId,
    length: i64,
    is_unfinished: bool,
    /// The part of its length that none inside it has.
    own: i64,
}

impl Rows<'_> {
    fn push_nested(&mut self, intervals: &[Interval]) {
        let mut open: Vec<Open> = vec![];
        for interval in intervals {
            self.close(&mut open, interval.begin);
            let mut parent = interval.stack;
            if let Some(around) = open.last_mut() {
                if !interval.is_unfinished {
                    around.own = around.own.saturating_sub(interval.length);
                }
                if parent == ContextId::ROOT {
                    parent = around.context;
                }
            }
            let context = self.builder.contexts.child(parent, interval.location);
            let point = self.push(interval, context, self.line.track);
            let end = interval.begin.saturating_add(interval.length);
            let Interval { length, is_unfinished, .. } = *interval;
            open.push(Open { end, context, point, length, is_unfinished, own: length });
        }
        self.close(&mut open, i64::MAX);
    }

    /// Ends what is over at `time`.
    fn close(&mut self, open: &mut Vec<Open>, time: i64) {
        while let Some(ended) = open.pop_if(|innermost| innermost.end <= time) {
            if !ended.is_unfinished {
                self.add_time(ended.point, ended.own);
            } else if let Some(around) = open.last_mut() {
                // What ran inside is not the time of what is around it, all else is.
                around.own = around.own.saturating_sub(ended.length.saturating_sub(ended.own));
            }
        }
    }

    fn push_lanes(&mut self, intervals: &[Interval]) {
        let mut lanes: HashMap<StringId, TrackId> = HashMap::new();
        for interval in intervals {
            let (line, timeline) = (self.line, &mut self.builder.timeline);
            let lane = *lanes.entry(interval.group).or_insert_with(|| {
                let process = timeline.tracks[line.track.index()].process;
                timeline.track(Track {
                    kind: TrackKind::Lane,
                    name: interval.group,
                    parent: Some(line.track),
                    process,
                    thread: line.thread,
                    ..Track::default()
                })
            });
            let context = self.builder.contexts.child(interval.stack, interval.location);
            let point = self.push(interval, context, lane);
            if !interval.is_unfinished {
                self.add_time(point, interval.length);
            }
        }
    }

    /// Appends the span of an interval and counts it.
    fn push(&mut self, interval: &Interval, context: ContextId, track: TrackId) -> PointId {
        let Interval { begin, length, is_unfinished, labels, arguments, .. } = *interval;
        let point = self.points.of(self.line.thread, context, labels, self.builder);
        self.builder.timeline.spans.push(
            track,
            Span { begin, length, point, arguments, is_unfinished, ..Span::default() },
        );
        self.builder.points.row_mut(point)[self.metrics.count] += 1;
        point
    }

    fn add_time(&mut self, point: PointId, length: i64) {
        let time = &mut self.builder.points.row_mut(point)[self.metrics.time];
        *time = time.saturating_add(length);
    }
}
