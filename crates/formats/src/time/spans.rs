//! Spans that begin and end on one line of execution, turned into self times.
//!
//! ```text
//! spans        main [                  ]      stretches   main 0-2, once called
//!              read    [   ][]                            read 2-5, once called
//!              time 0  2   5         14                   read 5-6, once called
//!                                                         main 6-14
//! ```
//! The stretches between events add up to the time that is inside spans. A call that takes no
//! time has a stretch of length 0.

use hashbrown::HashMap;
use profile::{ContextId, LabelSetId, Point, PointId, ProfileBuilder, ThreadId};

/// The spans that are open, innermost last; `key` tells one from another.
#[derive(Debug, Default)]
pub(crate) struct Spans {
    open: Vec<Open>,
    /// How many spans of each key are open.
    counts: HashMap<u32, u32>,
    last: i64,
    /// Whether the innermost span began at `last` and no stretch tells it yet.
    begun: bool,
}

#[derive(Debug, Clone, Copy)]
struct Open {
    context: ContextId,
    key: u32,
}

/// A while in which nothing began or ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stretch {
    /// The innermost span.
    pub(crate) context: ContextId,
    pub(crate) start: i64,
    pub(crate) length: i64,
    /// 1 if the span began here, else 0.
    pub(crate) calls: i64,
}

impl Spans {
    /// The context of the innermost span.
    pub(crate) fn context(&self) -> ContextId {
        self.open.last().map_or(ContextId::ROOT, |open| open.context)
    }

    /// The key of the innermost span.
    pub(crate) fn key(&self) -> Option<u32> {
        self.open.last().map(|open| open.key)
    }

    /// How many are open.
    pub(crate) fn depth(&self) -> usize {
        self.open.len()
    }

    /// Whether a span of `key` is open.
    pub(crate) fn is_open(&self, key: u32) -> bool {
        self.counts.get(&key).is_some_and(|&count| count > 0)
    }

    /// When the last event was.
    pub(crate) fn last(&self) -> i64 {
        self.last
    }

    /// Moves on to `at`, not before the last event, and tells the stretch that this ends.
    #[inline]
    pub(crate) fn advance(&mut self, at: i64) -> Option<Stretch> {
        let start = std::mem::replace(&mut self.last, at);
        let calls = i64::from(std::mem::take(&mut self.begun));
        let open = self.open.last()?;
        let length = at.saturating_sub(start);
        (length > 0 || calls > 0).then_some(Stretch { context: open.context, start, length, calls })
    }

    /// Begins a span at the last event; call [`Spans::advance`] before.
    #[inline]
    pub(crate) fn begin(&mut self, context: ContextId, key: u32) {
        self.open.push(Open { context, key });
        *self.counts.entry(key).or_default() += 1;
        self.begun = true;
    }

    /// Ends the innermost span at the last event; call [`Spans::advance`] before.
    #[inline]
    pub(crate) fn end(&mut self) {
        self.begun = false;
        if let Some(open) = self.open.pop()
            && let Some(count) = self.counts.get_mut(&open.key)
        {
            *count -= 1;
        }
    }

    /// Multiplies the time of the last event.
    pub(crate) fn rescale(&mut self, factor: i64) {
        self.last = self.last.saturating_mul(factor);
    }

    /// Bytes held.
    pub(crate) fn heap_bytes(&self) -> usize {
        self.open.len() * 8 + self.counts.capacity() * 8
    }
}

/// The points that count spans: one for each thread, processor, context and label set, without a time of
/// its own.
#[derive(Debug, Default)]
pub(crate) struct SpanPoints {
    known: HashMap<SpanKey, PointId>,
    /// The last one of each of some contexts, by the lowest bits of their number.
    last: Vec<Option<(SpanKey, PointId)>>,
    /// How many operations of lanes there were.
    operations: u32,
}

/// How many contexts' last points are at hand.
const LAST: usize = 1 << 12;

/// Thread, processor where the spans are those of one, context, labels.
type SpanKey = (Option<ThreadId>, Option<u32>, ContextId, LabelSetId);

impl SpanPoints {
    /// A number for an operation on a lane that no other has.
    pub(crate) fn operation(&mut self) -> u32 {
        self.operations = self.operations.saturating_add(1);
        self.operations
    }

    /// The point, of value 0 at first.
    pub(crate) fn of(
        &mut self,
        thread: Option<ThreadId>,
        context: ContextId,
        labels: LabelSetId,
        builder: &mut ProfileBuilder,
    ) -> PointId {
        self.of_processor((thread, None, context, labels), builder)
    }

    /// The same of spans on a processor.
    pub(crate) fn of_processor(&mut self, key: SpanKey, builder: &mut ProfileBuilder) -> PointId {
        let place = key.2.index() % LAST;
        if let Some((last, point)) = self.last.get(place).copied().flatten()
            && last == key
        {
            return point;
        }
        let point = *self.known.entry(key).or_insert_with(|| {
            let (thread, cpu, context, labels) = key;
            let point = Point { context, labels, thread, cpu, ..Point::default() };
            let nothing = vec![0; builder.points.metrics()];
            builder.points.push_point(point, &nothing)
        });
        self.last.resize(LAST, None);
        self.last[place] = Some((key, point));
        point
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stretches_add_up_and_count_calls() {
        let (main, read) = (ContextId(1), ContextId(2));
        let mut spans = Spans::default();
        let mut told = vec![];
        for (at, begin) in [
            (0, Some(main)),
            (2, Some(read)),
            (5, None),
            (5, Some(read)),
            (5, None),
            (14, None),
            (20, None),
        ] {
            told.extend(spans.advance(at).map(|s| (s.context.0, s.start, s.length, s.calls)));
            match begin {
                Some(context) => spans.begin(context, context.0),
                None => spans.end(),
            }
        }
        assert_eq!(told, [(1, 0, 2, 1), (2, 2, 3, 1), (2, 5, 0, 1), (1, 5, 9, 0)]);
        assert!(!spans.is_open(1));
    }
}
