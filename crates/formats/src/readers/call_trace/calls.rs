//! Events of a thread to spans and points.

use calltrace::{Cost, Event, FunctionKind, Happened};
use hashbrown::HashMap;
use profile::{ContextId, LabelSetId, PointId, ProfileBuilder, Span, ThreadId, TrackId};

use super::functions::Met;
use super::read::{CALLS, CORRECTED, TIME};
use crate::Warnings;
use crate::spans::SpanPoints;

/// What could not be told as it was.
#[derive(Debug, Default)]
pub(super) struct Lost {
    /// Events that were not written.
    events: u64,
    /// Calls that began before the trace did.
    not_begun: u64,
    /// Calls whose end was not seen, of functions that were switched off, and of others.
    not_ended: u64,
    not_ended_demoted: u64,
    /// Calls that ran when the trace ended.
    open: u64,
    /// Contexts whose time is less than what tracing their calls takes, and how much that is in all,
    /// in nanoseconds.
    held_at_0: u64,
    beyond_0_ns: u64,
}

impl Lost {
    pub(super) fn tell(&self, warnings: &mut Warnings) {
        let mut tell = |kind, count: u64, message: &str| {
            if count > 0 {
                warnings.add_many(kind, count, || message.to_owned());
            }
        };
        tell(
            "gap",
            self.events,
            "events that were lost because the disk did not keep up: calls that were open end where the gap begins",
        );
        tell(
            "not begun",
            self.not_begun,
            "calls that began before the trace did are not counted; what they called is",
        );
        tell(
            "not ended",
            self.not_ended,
            "calls whose end was not seen end with the call around them",
        );
        tell(
            "not ended, switched off",
            self.not_ended_demoted,
            "calls that ran when their function was switched off end with the call around them: they lasted at \
             most so long",
        );
        tell(
            "open",
            self.open,
            "calls that ran when the trace ended: they lasted at least so long",
        );
    }

    /// What the correction could not take away.
    pub(super) fn correction(&self) -> Option<String> {
        (self.held_at_0 > 0).then(|| {
            format!(
                "corrected time: {} contexts would be below 0 and are held there, {} ns in all",
                self.held_at_0, self.beyond_0_ns
            )
        })
    }
}

/// The calls of a thread.
pub(super) struct Calls<'a> {
    builder: &'a mut ProfileBuilder,
    points: &'a mut SpanPoints,
    thread: ThreadId,
    track: TrackId,
    cost: Cost,
    open: Vec<Open>,
    /// How many of a function are open.
    counts: HashMap<u32, u32>,
    last: i64,
    /// What tracing took of the points' times, in picoseconds.
    took: HashMap<PointId, u64>,
}

struct Open {
    function: u32,
    context: ContextId,
    begin: i64,
    place: usize,
    point: PointId,
    is_demoted: bool,
}

impl<'a> Calls<'a> {
    pub(super) fn new(
        builder: &'a mut ProfileBuilder,
        points: &'a mut SpanPoints,
        (thread, track): (ThreadId, TrackId),
        cost: Cost,
    ) -> Calls<'a> {
        Calls {
            builder,
            points,
            thread,
            track,
            cost,
            open: vec![],
            counts: HashMap::new(),
            last: i64::MIN,
            took: HashMap::new(),
        }
    }

    pub(super) fn heap_bytes(&self) -> usize {
        self.builder.heap_bytes() + self.took.capacity() * 16 + self.open.capacity() * 40
    }

    #[inline]
    pub(super) fn event(&mut self, event: &Event, at: i64, met: &Met, lost: &mut Lost) {
        let at = self.advance(at);
        if event.happened.leaves() {
            self.leave(event.function, at, lost);
        } else {
            self.begin(event, at, met);
        }
    }

    /// Time goes on; it never goes back.
    #[inline]
    fn advance(&mut self, at: i64) -> i64 {
        let at = at.max(self.last);
        if let Some(open) = self.open.last() {
            let time = &mut self.builder.points.row_mut(open.point)[TIME];
            *time = time.saturating_add(at.saturating_sub(self.last.max(open.begin)));
        }
        self.last = at;
        at
    }

    #[inline]
    fn begin(&mut self, event: &Event, at: i64, met: &Met) {
        let (around, caller) = match self.open.last() {
            Some(open) => (open.context, Some(open.point)),
            None => (ContextId::ROOT, None),
        };
        let context = self.builder.contexts.child(around, met.location);
        let point = self.points.of(Some(self.thread), context, LabelSetId(0), self.builder);
        if event.happened == Happened::Call {
            self.builder.points.row_mut(point)[CALLS] += 1;
        }
        let Cost { call, inside, c_call, c_inside } = self.cost;
        let (call, inside) =
            if met.kind == FunctionKind::C { (c_call, c_inside) } else { (call, inside) };
        *self.took.entry(point).or_default() += inside;
        if let Some(caller) = caller {
            *self.took.entry(caller).or_default() += call.saturating_sub(inside);
        }
        let span = Span { begin: at, ..Span::default() };
        let place = self.builder.timeline.spans.push(self.track, span);
        let (function, is_demoted) = (event.function, met.is_demoted);
        self.open.push(Open { function, context, begin: at, place, point, is_demoted });
        *self.counts.entry(function).or_default() += 1;
    }

    #[inline]
    fn leave(&mut self, function: u32, at: i64, lost: &mut Lost) {
        match self.open.last() {
            Some(open) if open.function == function => self.pop(at),
            _ if self.counts.get(&function).is_some_and(|&count| count > 0) => {
                while let Some(open) = self.open.last()
                    && open.function != function
                {
                    let count = if open.is_demoted {
                        &mut lost.not_ended_demoted
                    } else {
                        &mut lost.not_ended
                    };
                    *count += 1;
                    self.pop(at);
                }
                self.pop(at);
            }
            // Those around the place where the trace began end, and are no part of it.
            _ if self.open.is_empty() => {}
            _ => lost.not_begun += 1,
        }
    }

    #[inline]
    fn pop(&mut self, at: i64) {
        let Some(Open { function, begin, place, point, .. }) = self.open.pop() else { return };
        if let Some(count) = self.counts.get_mut(&function) {
            *count -= 1;
        }
        let length = at.saturating_sub(begin);
        let span = Span { begin, length, point, ..Span::default() };
        self.builder.timeline.spans.end(place, span);
    }

    /// Events were lost from a time on: what was open is not known any more.
    pub(super) fn gap(&mut self, at: i64, events: u64, lost: &mut Lost) {
        lost.events = lost.events.saturating_add(events);
        let at = self.advance(at);
        lost.not_ended += self.open.len() as u64;
        while !self.open.is_empty() {
            self.pop(at);
        }
    }

    /// Ends what is open, and gives the last time.
    pub(super) fn finish(mut self, lost: &mut Lost) -> i64 {
        lost.open += self.open.len() as u64;
        while !self.open.is_empty() {
            self.pop(self.last);
        }
        let took = std::mem::take(&mut self.took);
        for (point, picoseconds) in took {
            let row = self.builder.points.row_mut(point);
            let left = row[TIME] - (picoseconds / 1000) as i64;
            if left < 0 {
                lost.held_at_0 += 1;
                lost.beyond_0_ns += left.unsigned_abs();
            }
            row[CORRECTED] = left.max(0);
        }
        self.last.max(0)
    }
}
