//! Spans, put on lanes.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use profile::{LabelSetId, PointId, ProfileBuilder, Span, ThreadId, Track, TrackId, TrackKind};

use crate::Warnings;
use crate::time::span_records::Begin;
use crate::time::span_tracks::ends::Waiting;
use crate::time::spans::{SpanPoints, Spans, Stretch};

/// What happened to a span.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Happening {
    Begin,
    End,
    /// It began and lasted that many nanoseconds.
    Complete(i64),
}

/// A begin or an end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Record {
    pub(crate) time: i64,
    pub(crate) happening: Happening,
    /// What begins; of an end the name alone.
    pub(crate) begin: Begin,
    pub(crate) arguments: LabelSetId,
}

/// The rows of a track by time, which can be looked at before they are taken.
pub(crate) trait Rows {
    /// Whether spans begin that wait for an end.
    fn has_begins(&self) -> bool;
    /// Looks at all.
    fn look(&self) -> impl Iterator<Item = Record>;
    /// Takes them, and gives memory back meanwhile.
    fn take(self) -> impl Iterator<Item = Record>;
}

impl Rows for Vec<Record> {
    fn has_begins(&self) -> bool {
        self.iter().any(|record| record.happening == Happening::Begin)
    }

    fn look(&self) -> impl Iterator<Item = Record> {
        self.iter().copied()
    }

    fn take(self) -> impl Iterator<Item = Record> {
        self.into_iter()
    }
}

/// Where the points of a track go.
#[derive(Clone, Copy)]
pub(crate) struct Target {
    pub(crate) thread: Option<ThreadId>,
    /// The processor, of spans on one.
    pub(crate) cpu: Option<u32>,
    pub(crate) track: TrackId,
    /// Metric of the time, and that of the calls.
    pub(crate) time_metric: usize,
    pub(crate) calls_metric: usize,
    /// Time 0 of the points.
    pub(crate) clock: i64,
    /// When spans end at the latest that never do, where that is not the last row.
    pub(crate) end: Option<i64>,
}

/// Lanes of a track on which spans nest. What more overlaps goes to one on which nothing nests.
const MOST_LANES: usize = 32;

/// Pushes the points and the spans of a track.
pub(crate) fn push_points(
    rows: impl Rows,
    target: Target,
    points: &mut SpanPoints,
    builder: &mut ProfileBuilder,
    warnings: &mut Warnings,
) {
    let ends = match rows.has_begins() {
        true if crate::time::span_tracks::ends::cross(rows.look()) => {
            Some(crate::time::span_tracks::ends::ends(rows.look()))
        }
        true => None,
        false => Some(vec![]),
    };
    let is_lane = is_lane(builder, target.track);
    let mut begun = rows.look().filter(|record| record.happening != Happening::End);
    let nests = begun.nth(1).is_some();
    drop(begun);
    let operation = if is_lane && nests { points.operation() } else { 0 };
    let mut placing = Placing {
        builder,
        warnings,
        target,
        points,
        lanes: vec![Lane::new(target.track, operation)],
        nests,
        flat: Flat::default(),
        ends,
        due: BinaryHeap::new(),
        waiting: Waiting::new(),
        begun: 0,
        serial: 0,
    };
    rows.take().for_each(|record| placing.happen(&record));
    placing.finish();
}

/// Whether operations may overlap on a track.
fn is_lane(builder: &ProfileBuilder, track: TrackId) -> bool {
    let track = builder.timeline.tracks.get(track.index());
    track.is_some_and(|track| track.kind == TrackKind::Lane)
}

/// Puts the spans of a track on lanes.
struct Placing<'a> {
    builder: &'a mut ProfileBuilder,
    warnings: &'a mut Warnings,
    target: Target,
    points: &'a mut SpanPoints,
    /// The first is the track itself.
    lanes: Vec<Lane>,
    /// Whether spans may be inside others.
    nests: bool,
    flat: Flat,
    /// When spans end that wait for it, in the order of their begins; nothing where all nest as they come.
    ends: Option<Vec<Option<i64>>>,
    /// When spans end whose end is known, with their number and lane: of those that end together, the
    /// innermost first.
    due: BinaryHeap<Reverse<(i64, Reverse<u32>, usize)>>,
    /// Numbers and lanes of those that wait for an end.
    waiting: Waiting<(u32, usize)>,
    /// How many began that wait for an end.
    begun: usize,
    serial: u32,
}

/// Lanes on which nothing nests.
#[derive(Default)]
struct Flat {
    /// The empty ones.
    free: Vec<usize>,
    track: Option<TrackId>,
}

/// Spans that nest.
struct Lane {
    track: TrackId,
    /// Its number among those of a track on which several are.
    operation: u32,
    spans: Spans,
    /// What is open besides.
    open: Vec<Open>,
}

impl Lane {
    fn new(track: TrackId, operation: u32) -> Lane {
        Lane { track, operation, spans: Spans::default(), open: vec![] }
    }

    /// Where one is open.
    fn place_of(&self, serial: u32) -> Option<usize> {
        self.open.binary_search_by_key(&serial, |open| open.serial).ok()
    }
}

/// A span that is open.
#[derive(Clone, Copy)]
struct Open {
    serial: u32,
    /// When it ends, if that is known, and up to when it may last.
    end: Option<i64>,
    until: i64,
    /// When it began, and its place among all spans.
    begin: i64,
    place: usize,
    /// The point that counts it.
    point: PointId,
    /// Time without what is inside.
    own: i64,
    arguments: LabelSetId,
}

impl Placing<'_> {
    fn happen(&mut self, record: &Record) {
        match record.happening {
            Happening::Begin => {
                self.end_until(record.time);
                let end = self.ends.as_ref().map(|ends| ends.get(self.begun).copied().flatten());
                self.begun += 1;
                let lane = end.map_or(0, |end| self.lane_for(end));
                let serial = self.begin(record, lane, end.flatten());
                if self.waiting.begin(record.time, record.begin.name, (serial, lane)) {
                    self.end(record.time, serial, lane);
                }
            }
            Happening::Complete(length) => {
                self.end_until(record.time);
                if length < 0 {
                    self.warnings.add("negative", || "durations below 0 are taken as 0".to_owned());
                }
                let end = record.time.saturating_add(length.max(0));
                let lane = if self.ends.is_some() { self.lane_for(Some(end)) } else { 0 };
                let serial = self.begin(record, lane, Some(end));
                self.due.push(Reverse((end, Reverse(serial), lane)));
            }
            Happening::End => match self.waiting.end(record.time, record.begin.name) {
                Some((serial, lane)) => {
                    // What an end tells besides is of the span that it ends.
                    if let Some(place) = self.lanes[lane].place_of(serial) {
                        let open = &mut self.lanes[lane].open[place];
                        open.arguments = self.builder.labels.join(open.arguments, record.arguments);
                    }
                    self.end_since(record.time, serial);
                    self.end_if_innermost(record.time, serial, lane);
                    self.end_until(record.time);
                    self.end_if_innermost(record.time, serial, lane);
                    if self.lanes[lane].place_of(serial).is_some() {
                        // What is above it ends at the same time, with a row of its own.
                        self.due.push(Reverse((record.time, Reverse(serial), lane)));
                    }
                }
                None => {
                    self.end_until(record.time);
                    let told = || "ends of spans that did not begin".to_owned();
                    self.warnings.add("never began", told);
                }
            },
        }
    }

    /// The lane for a span that ends at a time, or never: that of the last one begun that ends no earlier.
    fn lane_for(&mut self, end: Option<i64>) -> usize {
        let ends_behind = |open: &Open| end.is_none_or(|end| end <= open.until);
        let nesting = &self.lanes[..self.lanes.len().min(MOST_LANES)];
        let innermost = nesting.iter().enumerate().filter_map(|(lane, one)| {
            let open = one.open.last()?;
            ends_behind(open).then_some((open.serial, lane))
        });
        let empty = || nesting.iter().position(|lane| lane.open.is_empty());
        let known = innermost.max().map(|(_, lane)| lane).or_else(empty);
        let lane = known.unwrap_or_else(|| self.free_lane());
        if lane > 0 {
            self.warnings.add("overlap", || {
                "spans overlap without one being inside the other: they are on lanes of their own, \
                 and the time in which they overlap counts in each"
                    .to_owned()
            });
        }
        lane
    }

    /// A lane on which nothing is.
    fn free_lane(&mut self) -> usize {
        if let Some(lane) = self.flat.free.pop() {
            return lane;
        }
        let number = self.lanes.len();
        let base = self.builder.timeline.tracks[self.target.track.index()];
        let is_flat = number >= MOST_LANES;
        let track = match self.flat.track {
            // Spans of a lane may overlap.
            _ if base.kind == TrackKind::Lane => self.target.track,
            Some(track) if is_flat => track,
            _ => {
                let name = if is_flat {
                    "overlapping".to_owned()
                } else {
                    format!("overlapping {number}")
                };
                let name = self.builder.strings.intern(&name);
                let kind = match base.kind {
                    TrackKind::Process | TrackKind::Processor => TrackKind::Lane,
                    _ if is_flat => TrackKind::Lane,
                    kind => kind,
                };
                let (parent, order) = (Some(self.target.track), number as i64);
                self.builder.timeline.track(Track { kind, name, parent, order, ..base })
            }
        };
        if is_flat {
            self.flat.track = Some(track);
        }
        let operation =
            if is_lane(self.builder, track) && self.nests { self.points.operation() } else { 0 };
        self.lanes.push(Lane::new(track, operation));
        number
    }

    /// Begins a span, and gives its number.
    fn begin(&mut self, record: &Record, lane: usize, end: Option<i64>) -> u32 {
        self.advance(lane, record.time);
        let Target { thread, cpu, clock, .. } = self.target;
        let Lane { track, operation, spans, open } = &mut self.lanes[lane];
        let context = self.builder.contexts.child(spans.context(), record.begin.location);
        spans.begin(context, record.begin.name.0);
        self.serial = self.serial.wrapping_add(1);
        let begin = record.time.saturating_sub(clock);
        let begin = Span { begin, operation: *operation, ..Span::default() };
        let place = self.builder.timeline.spans.push(*track, begin);
        let key = (thread, cpu, context, record.begin.labels);
        let point = self.points.of_processor(key, self.builder);
        let around = open.last().map_or(i64::MAX, |around| around.until);
        open.push(Open {
            serial: self.serial,
            end,
            until: end.unwrap_or(around),
            begin: record.time,
            place,
            point,
            own: 0,
            arguments: record.arguments,
        });
        self.serial
    }

    /// Ends the spans whose time is over.
    fn end_until(&mut self, time: i64) {
        while let Some(&Reverse((end, Reverse(serial), lane))) = self.due.peek()
            && end <= time
        {
            self.due.pop();
            self.end(end, serial, lane);
        }
    }

    /// The same of those that began behind one that ends then itself.
    fn end_since(&mut self, time: i64, begun: u32) {
        while let Some(&Reverse((end, Reverse(serial), lane))) = self.due.peek()
            && (end < time || end == time && serial > begun)
        {
            self.due.pop();
            self.end(end, serial, lane);
        }
    }

    fn end_if_innermost(&mut self, time: i64, serial: u32, lane: usize) {
        if self.lanes[lane].open.last().is_some_and(|open| open.serial == serial) {
            self.end(time, serial, lane);
        }
    }

    /// Ends a span at a time, and what is inside it.
    fn end(&mut self, time: i64, serial: u32, lane: usize) {
        let Some(place) = self.lanes[lane].place_of(serial) else { return };
        self.advance(lane, time);
        while self.lanes[lane].open.len() > place + 1 {
            self.pop(lane, self.lanes[lane].open.last().is_some_and(|open| open.end.is_some()));
        }
        self.pop(lane, true);
    }

    /// Moves on to a time, not before the last.
    fn advance(&mut self, lane: usize, time: i64) {
        let Lane { spans, open, .. } = &mut self.lanes[lane];
        if let Some(Stretch { length, calls, .. }) = spans.advance(time)
            && let Some(open) = open.last_mut()
        {
            open.own = open.own.saturating_add(length);
            self.builder.points.row_mut(open.point)[self.target.calls_metric] += calls;
        }
    }

    /// The innermost is over, whether it ended or nothing tells more of it.
    fn pop(&mut self, lane: usize, has_ended: bool) {
        let Lane { spans, open, .. } = &mut self.lanes[lane];
        spans.end();
        let Some(Open { begin, place, point, own, arguments, .. }) = open.pop() else { return };
        if has_ended {
            let time = &mut self.builder.points.row_mut(point)[self.target.time_metric];
            *time = time.saturating_add(own);
        } else {
            if let Some(around) = open.last_mut() {
                around.own = around.own.saturating_add(own);
            }
            self.warnings.add("never ended", || {
                "spans never end: they are shown as unfinished, and their time is in no sum"
                    .to_owned()
            });
        }
        let length = spans.last().saturating_sub(begin);
        let is_unfinished = !has_ended;
        let span = Span { begin, length, point, arguments, is_unfinished, ..Span::default() };
        self.builder.timeline.spans.end(place, span);
        if lane >= MOST_LANES {
            self.flat.free.push(lane);
        }
    }

    /// Ends what has an end, and shows what has none up to the end of the track.
    fn finish(mut self) {
        let last = self.due.iter().map(|Reverse((end, ..))| *end).max();
        self.end_until(i64::MAX);
        let lanes = self.lanes.iter().map(|lane| lane.spans.last());
        let last = lanes.chain(last).chain(self.target.end).max().unwrap_or(0);
        for lane in 0..self.lanes.len() {
            if !self.lanes[lane].open.is_empty() {
                self.advance(lane, last);
            }
            while !self.lanes[lane].open.is_empty() {
                self.pop(lane, false);
            }
        }
    }
}
