//! The calls of a profile of events: when each was, and what all of a context cost.

use hashbrown::HashMap;
use profile::{ContextId, LocationId, ProfileBuilder};

use crate::time::spans::{Spans, Stretch};

/// A call, in the unit of its profile.
#[derive(Debug, Clone, Copy)]
pub(super) struct Call {
    pub(super) begin: i64,
    pub(super) length: i64,
    pub(super) context: ContextId,
}

/// What the calls of a context cost together.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cost {
    pub(super) context: ContextId,
    /// Without what was called in them.
    pub(super) own: i64,
    pub(super) calls: i64,
}

/// The calls of a profile.
#[derive(Default)]
pub(super) struct Calls {
    spans: Spans,
    /// In the order in which they began.
    pub(super) all: Vec<Call>,
    /// Places of those that are open, innermost last.
    open: Vec<u32>,
    /// In the order in which contexts came up.
    pub(super) costs: Vec<Cost>,
    cost_of: HashMap<ContextId, u32>,
}

impl Calls {
    /// The time of the last event; none before the first call.
    pub(super) fn last(&self) -> Option<i64> {
        (!self.all.is_empty()).then(|| self.spans.last())
    }

    /// How many are open.
    pub(super) fn depth(&self) -> usize {
        self.spans.depth()
    }

    pub(super) fn is_open(&self, location: LocationId) -> bool {
        self.spans.is_open(location.0)
    }

    /// Where the innermost is.
    pub(super) fn innermost(&self) -> Option<LocationId> {
        self.spans.key().map(LocationId)
    }

    /// Begins a call at `at`.
    pub(super) fn begin(&mut self, location: LocationId, at: i64, builder: &mut ProfileBuilder) {
        self.advance(at);
        let context = builder.contexts.child(self.spans.context(), location);
        self.spans.begin(context, location.0);
        self.open.push(self.all.len() as u32);
        self.all.push(Call { begin: at, length: 0, context });
    }

    /// Ends the innermost at `at`.
    pub(super) fn end(&mut self, at: i64) {
        self.advance(at);
        self.spans.end();
        if let Some(call) = self.open.pop().and_then(|place| self.all.get_mut(place as usize)) {
            call.length = at.saturating_sub(call.begin);
        }
    }

    /// Moves on to `at`.
    pub(super) fn advance(&mut self, at: i64) {
        let Some(Stretch { context, length, calls, .. }) = self.spans.advance(at) else { return };
        let place = *self.cost_of.entry(context).or_insert_with(|| {
            self.costs.push(Cost { context, own: 0, calls: 0 });
            self.costs.len() as u32 - 1
        });
        let cost = &mut self.costs[place as usize];
        cost.own = cost.own.saturating_add(length);
        cost.calls += calls;
    }

    /// Multiplies all times.
    pub(super) fn rescale(&mut self, factor: i64) {
        self.spans.rescale(factor);
        for call in &mut self.all {
            call.begin = call.begin.saturating_mul(factor);
            call.length = call.length.saturating_mul(factor);
        }
        for cost in &mut self.costs {
            cost.own = cost.own.saturating_mul(factor);
        }
    }

    /// Bytes held, those of the spans to come included.
    pub(super) fn heap_bytes(&self) -> usize {
        self.spans.heap_bytes()
            + self.all.capacity() * (size_of::<Call>() + size_of::<profile::Span>())
            + self.open.capacity() * 4
            + self.costs.capacity() * size_of::<Cost>()
            + self.cost_of.capacity() * 9
    }
}
