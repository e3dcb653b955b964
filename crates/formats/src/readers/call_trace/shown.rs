//! Estimated calls as spans.

use hashbrown::HashMap;
use profile::{
    ContextId, LabelSetId, LocationId, PointId, ProfileBuilder, Span, ThreadId, TrackId,
};

use super::read::TIME;
use crate::time::spans::SpanPoints;

/// Where spans of a thread go.
pub(super) struct Canvas<'a> {
    pub(super) builder: &'a mut ProfileBuilder,
    pub(super) points: &'a mut SpanPoints,
    pub(super) thread: ThreadId,
    pub(super) track: TrackId,
    /// What tracing took of points; all have an entry.
    pub(super) took: &'a mut HashMap<PointId, u64>,
}

/// Spans that are open in a stretch, outermost first.
#[derive(Debug, Default)]
pub(super) struct Shown {
    open: Vec<One>,
    until: i64,
}

#[derive(Debug)]
struct One {
    function: u32,
    context: ContextId,
    begin: i64,
    place: usize,
    point: PointId,
}

impl Shown {
    /// A chain of functions, outermost first, runs for a while below a context; what ran right before goes on.
    pub(super) fn piece(
        &mut self,
        around: ContextId,
        (chain, location): (&[u32], impl Fn(u32) -> LocationId),
        (from, to): (i64, i64),
        canvas: &mut Canvas<'_>,
    ) {
        let goes_on = |(one, function): &(&One, &u32)| one.function == **function;
        let common = if self.until == from {
            self.open.iter().zip(chain).take_while(goes_on).count()
        } else {
            0
        };
        self.close(common, canvas);
        let mut context = self.open.last().map_or(around, |one| one.context);
        for &function in &chain[common..] {
            let Canvas { builder, points, thread, track, took } = canvas;
            context = builder.contexts.child(context, location(function));
            let point = points.of(Some(*thread), context, LabelSetId(0), builder);
            took.entry(point).or_default();
            let span = Span { begin: from, point, ..Span::default() };
            let place = builder.timeline.spans.push(*track, span);
            self.open.push(One { function, context, begin: from, place, point });
        }
        if let Some(innermost) = self.open.last() {
            let time = &mut canvas.builder.points.row_mut(innermost.point)[TIME];
            *time = time.saturating_add(to - from);
        }
        self.until = to;
    }

    /// Ends all but the outermost ones.
    pub(super) fn close(&mut self, keep: usize, canvas: &mut Canvas<'_>) {
        while self.open.len() > keep
            && let Some(One { begin, place, point, .. }) = self.open.pop()
        {
            let length = self.until - begin;
            let span = Span { begin, length, point, ..Span::default() };
            canvas.builder.timeline.spans.end(place, span);
        }
    }
}
