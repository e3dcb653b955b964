//! Events of a thread to spans and points.

use calltrace::{Cost, Event, FunctionKind, Happened};
use hashbrown::HashMap;
use profile::{
    ContextId, LabelSetId, LocationId, PointId, ProfileBuilder, Span, ThreadId, TrackId,
};

use super::estimate::Estimating;
use super::functions::Met;
use super::lost::Lost;
use super::read::{CALLS, CORRECTED, TIME};
use super::shown::Canvas;
use crate::time::spans::SpanPoints;

/// The calls of a thread.
pub(super) struct Calls<'a, 'b, 'c> {
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
    /// Where there are samples of the process and functions were switched off.
    estimate: Option<Estimating<'b, 'c>>,
}

/// A call that was not left yet.
pub(super) struct Open {
    pub(super) function: u32,
    pub(super) context: ContextId,
    pub(super) location: LocationId,
    begin: i64,
    place: usize,
    point: PointId,
    pub(super) is_c: bool,
    /// When its function is switched off: its end is not told after that.
    pub(super) until: i64,
}

impl Open {
    fn is_demoted(&self) -> bool {
        self.until < i64::MAX
    }
}

impl<'a, 'b, 'c> Calls<'a, 'b, 'c> {
    pub(super) fn new(
        builder: &'a mut ProfileBuilder,
        points: &'a mut SpanPoints,
        (thread, track): (ThreadId, TrackId),
        cost: Cost,
        estimate: Option<Estimating<'b, 'c>>,
    ) -> Calls<'a, 'b, 'c> {
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
            estimate,
        }
    }

    pub(super) fn heap_bytes(&self) -> usize {
        self.builder.heap_bytes()
            + self.took.capacity() * 16
            + self.open.capacity() * size_of::<Open>()
            + self.estimate.as_ref().map_or(0, Estimating::heap_bytes)
    }

    #[inline]
    pub(super) fn event(&mut self, event: &Event, at: i64, met: &Met, lost: &mut Lost) {
        let at = self.advance(at, lost);
        if event.happened.leaves() {
            self.leave(event.function, at, lost);
        } else {
            self.begin(event, at, met);
        }
    }

    /// Time goes on; it never goes back.
    #[inline]
    fn advance(&mut self, at: i64, lost: &mut Lost) -> i64 {
        let at = at.max(self.last);
        if self.estimate.is_some() {
            // What was switched off meanwhile ends, and is estimated from there, below what is around it.
            while let [_, .., open] = &self.open[..]
                && let until = open.until.max(self.last)
                && until <= at
            {
                self.stretch(until);
                self.pop(until);
                lost.estimated += 1;
            }
        }
        self.stretch(at);
        at
    }

    /// Time goes on without an event.
    #[inline]
    fn stretch(&mut self, at: i64) {
        let begin = self.open.last().map_or(i64::MAX, |open| open.begin);
        let from = self.last.max(begin).min(at);
        let mut moved = 0;
        if let Some(estimate) = &mut self.estimate {
            let Calls { builder, points, thread, track, took, .. } = self;
            let (thread, track) = (*thread, *track);
            let mut canvas = Canvas { builder, points, thread, track, took };
            moved = estimate.stretch(&self.open, (from, at), &mut canvas);
        }
        if let Some(open) = self.open.last_mut() {
            let length = at.saturating_sub(from);
            let time = &mut self.builder.points.row_mut(open.point)[TIME];
            *time = time.saturating_add(length.saturating_sub(moved));
        }
        self.last = at;
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
        let outside = call.saturating_sub(inside);
        if let Some(caller) = caller {
            *self.took.entry(caller).or_default() += outside;
        }
        if let Some(estimate) = &mut self.estimate
            && event.happened == Happened::Call
        {
            estimate.process().begins(event.function, &self.open);
        }
        let span = Span { begin: at, ..Span::default() };
        let place = self.builder.timeline.spans.push(self.track, span);
        let function = event.function;
        self.open.push(Open {
            function,
            context,
            location: met.location,
            begin: at,
            place,
            point,
            is_c: met.kind == FunctionKind::C,
            until: met.switched_off,
        });
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
                    let count = if open.is_demoted() {
                        &mut lost.not_ended_demoted
                    } else {
                        &mut lost.not_ended
                    };
                    *count += 1;
                    self.pop(at);
                }
                self.pop(at);
            }
            // Those around the place where the trace began end, and are not part of it.
            _ if self.open.is_empty() => {}
            _ => lost.not_begun += 1,
        }
    }

    #[inline]
    fn pop(&mut self, at: i64) {
        let Some(open) = self.open.pop() else { return };
        let Open { function, begin, place, point, .. } = open;
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
        let at = self.advance(at, lost);
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
        if let Some(estimate) = self.estimate.take() {
            estimate.finish();
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
