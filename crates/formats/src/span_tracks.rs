//! Spans of one line of execution in any order, put in order and turned into points.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use profile::{ContextId, LabelSetId, PointId, ProfileBuilder, Span, StringId, ThreadId, TrackId};

use crate::Warnings;
use crate::span_records::Begin;
use crate::spans::{SpanPoints, Spans, Stretch};

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

/// Spans above one that ends before them, which are moved out of it; more are cut there.
const MOST_MOVED: usize = 64;

/// Pushes the points and the spans of a track, of rows by time.
pub(crate) fn push_points(
    records: impl Iterator<Item = Record>,
    target: Target,
    points: &mut SpanPoints,
    builder: &mut ProfileBuilder,
    warnings: &mut Warnings,
) {
    let mut track = Track {
        builder,
        warnings,
        target,
        points,
        spans: Spans::default(),
        open: vec![],
        ends: BinaryHeap::new(),
        early: vec![],
        waiting: 0,
        serial: 0,
    };
    for record in records {
        track.happen(&record);
    }
    let last = track.ends.iter().map(|Reverse((end, _))| *end).max();
    track.end_until(i64::MAX);
    let last = last.unwrap_or(track.spans.last()).max(track.spans.last());
    let open = track.open.len() as u64;
    let last = target.end.filter(|_| open > 0).map_or(last, |end| end.max(last));
    if open > 0 {
        track.warnings.add_many("never ended", open, || {
            "spans that begin and never end are ended with the last event of their thread"
                .to_owned()
        });
    }
    while track.spans.depth() > 0 {
        track.advance(last);
        track.pop();
    }
}

struct Track<'a> {
    builder: &'a mut ProfileBuilder,
    warnings: &'a mut Warnings,
    target: Target,
    points: &'a mut SpanPoints,
    spans: Spans,
    /// What is open besides.
    open: Vec<Open>,
    /// When complete spans end, each with its serial number: of those that end together, the
    /// innermost first.
    ends: BinaryHeap<Reverse<(i64, Reverse<u32>)>>,
    /// Names whose end came before their begin at the same time.
    early: Vec<StringId>,
    /// How many of what is open wait for an end.
    waiting: usize,
    serial: u32,
}

/// A span that is open.
#[derive(Clone, Copy)]
struct Open {
    serial: u32,
    labels: LabelSetId,
    /// When it began, or went on outside of another one, and its place on the timeline's track.
    begin: i64,
    place: usize,
    /// Whether it came with its length, and waits for no end.
    is_complete: bool,
    /// Whether this is the rest of one that began inside of another one.
    goes_on: bool,
    /// The point that counts it.
    point: PointId,
    arguments: LabelSetId,
}

impl Track<'_> {
    fn happen(&mut self, record: &Record) {
        self.end_until(record.time);
        if record.time > self.spans.last() {
            self.early.clear();
        }
        self.advance(record.time);
        match record.happening {
            Happening::Begin => {
                self.begin(record);
                if let Some(at) = self.early.iter().position(|&name| name == record.begin.name) {
                    self.early.swap_remove(at);
                    self.advance(record.time);
                    self.pop();
                }
            }
            Happening::Complete(length) => {
                self.begin(record);
                if length < 0 {
                    self.warnings.add("negative", || "durations below 0 are taken as 0".to_owned());
                }
                let end = record.time.saturating_add(length.max(0));
                self.ends.push(Reverse((end, Reverse(self.serial))));
            }
            Happening::End => self.end(record),
        }
    }

    fn begin(&mut self, record: &Record) {
        let context = self.builder.contexts.child(self.spans.context(), record.begin.location);
        self.spans.begin(context, record.begin.name.0);
        self.serial = self.serial.wrapping_add(1);
        let (begin, place) = (record.time, self.begin_on_track(record.time));
        let point = self.point(context, record.begin.labels);
        self.open.push(Open {
            serial: self.serial,
            labels: record.begin.labels,
            begin,
            place,
            is_complete: record.happening != Happening::Begin,
            goes_on: false,
            point,
            arguments: record.arguments,
        });
        self.waiting += usize::from(record.happening == Happening::Begin);
    }

    /// The point that counts spans of a context with labels.
    fn point(&mut self, context: ContextId, labels: LabelSetId) -> PointId {
        let Target { thread, cpu, .. } = self.target;
        self.points.of_processor((thread, cpu, context, labels), self.builder)
    }

    /// Appends a span to the timeline; its end is told when it comes.
    fn begin_on_track(&mut self, begin: i64) -> usize {
        let begin = begin.saturating_sub(self.target.clock);
        let span = Span { begin, ..Span::default() };
        self.builder.timeline.spans.push(self.target.track, span)
    }

    fn end(&mut self, record: &Record) {
        let name = record.begin.name;
        let is_any = name == StringId::EMPTY;
        // The nearest of that name, or of any, that waits for an end: others have theirs.
        let waits = |(key, open): (u32, &Open)| !open.is_complete && (is_any || key == name.0);
        let nearest = if self.waiting > 0 && (is_any || self.spans.is_open(name.0)) {
            self.spans.keys().rev().zip(self.open.iter().rev()).position(waits)
        } else {
            None
        };
        match nearest {
            Some(0) => {
                self.take_arguments(record);
                self.pop();
            }
            Some(above) => self.end_buried(Some(above)),
            None => {
                /// More at one time are not looked through.
                const MOST_EARLY: usize = 64;
                if self.early.len() < MOST_EARLY {
                    self.early.push(name);
                }
                self.warnings.add("never began", || "ends of spans that did not begin".to_owned());
            }
        }
    }

    /// What an end tells besides is of the span that it ends.
    fn take_arguments(&mut self, record: &Record) {
        if let Some(open) = self.open.last_mut() {
            open.arguments = self.builder.labels.join(open.arguments, record.arguments);
        }
    }

    /// Ends the complete spans whose time is over.
    fn end_until(&mut self, time: i64) {
        while let Some(&Reverse((end, Reverse(serial)))) = self.ends.peek()
            && end <= time
        {
            self.ends.pop();
            // It may have been cut with one around it.
            let place = match self.open.last() {
                Some(innermost) if innermost.serial == serial => Some(0),
                _ => self.open.iter().rev().take(MOST_MOVED).position(|one| one.serial == serial),
            };
            if let Some(place) = place {
                self.advance(end.max(self.spans.last()));
                match place {
                    0 => self.pop(),
                    place => self.end_buried(Some(place)),
                }
            }
        }
    }

    /// Ends a span with others above it, which go on outside of it.
    fn end_buried(&mut self, above: Option<usize>) {
        let Some(above) = above else { return };
        self.warnings.add("overlap", || {
            "spans that overlap without one being inside the other are divided".to_owned()
        });
        let mut moved = vec![];
        for place in 0..=above {
            let (_, location) = self.builder.contexts.node(self.spans.context());
            let (key, entry) = (self.spans.key(), self.open.last().copied());
            self.pop();
            if let (Some(key), Some(entry)) = (key, entry)
                && place < above
                && above <= MOST_MOVED
            {
                moved.push((location, key, entry));
            }
        }
        for (location, key, entry) in moved.into_iter().rev() {
            let context = self.builder.contexts.child(self.spans.context(), location);
            self.spans.resume(context, key);
            let begin = self.spans.last();
            let place = self.begin_on_track(begin);
            let point = self.point(context, entry.labels);
            self.waiting += usize::from(!entry.is_complete);
            self.open.push(Open { begin, place, goes_on: true, point, ..entry });
        }
    }

    fn advance(&mut self, time: i64) {
        if let Some(Stretch { length, calls, .. }) = self.spans.advance(time)
            && let Some(open) = self.open.last()
        {
            let values = self.builder.points.row_mut(open.point);
            let time = &mut values[self.target.time_metric];
            *time = time.saturating_add(length);
            values[self.target.calls_metric] += calls;
        }
    }

    fn pop(&mut self) {
        self.spans.end();
        let Some(open) = self.open.pop() else { return };
        self.waiting -= usize::from(!open.is_complete);
        let Open { begin, place, goes_on, point, arguments, .. } = open;
        let length = self.spans.last().saturating_sub(begin);
        let spans = &mut self.builder.timeline.spans;
        if goes_on && length == 0 {
            spans.take_back(place);
        } else {
            spans.end(place, Span { begin, length, point, arguments });
        }
    }
}
