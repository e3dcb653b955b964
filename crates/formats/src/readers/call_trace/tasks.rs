//! Tasks of asyncio: the coroutine that one was made of, from its first step to its last, on a track of its
//! own, and in it when it waited.

use std::collections::BTreeMap;

use calltrace::{Event, Happened};
use hashbrown::HashMap;
use profile::{
    ContextId, LabelSetId, LocationId, Place, ProcessId, ProfileBuilder, Span, Track, TrackId,
    TrackKind,
};

use super::functions::Met;
use super::read::TASK_TIME;
use crate::time::spans::SpanPoints;

pub(super) struct Tasks<'a> {
    names: &'a HashMap<u32, String>,
    /// By the number of the call; in the order in which they began.
    all: BTreeMap<u32, Task>,
}

struct Task {
    location: LocationId,
    begin: i64,
    last: i64,
    /// When it was left, where it is not running.
    left: Option<i64>,
    waits: Vec<(i64, i64)>,
}

impl<'a> Tasks<'a> {
    pub(super) fn new(names: &'a HashMap<u32, String>) -> Tasks<'a> {
        Tasks { names, all: BTreeMap::new() }
    }

    #[inline]
    pub(super) fn event(&mut self, event: &Event, at: i64, met: &Met) {
        if let Some(activation) = event.activation
            && !self.names.is_empty()
            && self.names.contains_key(&activation)
        {
            self.of(activation, event.happened, at, met);
        }
    }

    fn of(&mut self, activation: u32, happened: Happened, at: i64, met: &Met) {
        let new = Task { location: met.location, begin: at, last: at, left: None, waits: vec![] };
        let task = self.all.entry(activation).or_insert(new);
        task.last = task.last.max(at);
        match happened {
            Happened::Suspend => task.left = Some(at),
            Happened::Resume => {
                if let Some(left) = task.left.take() {
                    task.waits.push((left, at));
                }
            }
            _ => task.left = None,
        }
    }

    pub(super) fn finish(self, pid: ProcessId, own: TrackId, builder: &mut ProfileBuilder) {
        let mut points = SpanPoints::default();
        let waiting = builder.place(&Place { function: "(waiting)", ..Place::default() });
        for (activation, task) in self.all {
            let name = self.names.get(&activation).map_or("", |name| name);
            let track = Track {
                kind: TrackKind::Task,
                name: builder.strings.intern(name),
                parent: Some(own),
                process: Some(pid),
                ..Track::default()
            };
            let track = builder.timeline.track(track);
            let context = builder.contexts.child(ContextId::ROOT, task.location);
            let inner = builder.contexts.child(context, waiting);
            let [whole, waits] =
                [context, inner].map(|context| points.of(None, context, LabelSetId(0), builder));
            let length = task.last.saturating_sub(task.begin);
            let span = Span { begin: task.begin, length, point: whole, ..Span::default() };
            builder.timeline.spans.push(track, span);
            let mut waited = 0i64;
            for (begin, end) in task.waits {
                let length = end.saturating_sub(begin);
                waited = waited.saturating_add(length);
                let span = Span { begin, length, point: waits, ..Span::default() };
                builder.timeline.spans.push(track, span);
            }
            builder.points.row_mut(whole)[TASK_TIME] += length.saturating_sub(waited);
            builder.points.row_mut(waits)[TASK_TIME] += waited;
        }
    }
}
