//! Labels of single spans: a point counts many spans, and each may have arguments of its own.
//!
//! A span has the labels of its point, its arguments, and those of the spans around it: of several with
//! the same key the innermost counts. So all spans inside a request belong to it.

use std::collections::BTreeMap;

use hashbrown::HashMap;
use profile::{ContextId, Label, LabelSetId, Points, Profile, Span, TrackId, TrackKind};
use work::steps;

use crate::time::{How, Open, PartOfSpans};

/// By row, what `known` makes of a span and of what it made of the span around it; the default is known of
/// what is around the outermost ones.
pub(crate) fn by_span<T: Copy + Default>(
    profile: &Profile,
    mut known: impl FnMut(&Span, T) -> T,
) -> Vec<T> {
    let timeline = &profile.timeline;
    let mut all = vec![T::default(); timeline.spans.len()];
    for number in 0..timeline.tracks.len() as u32 {
        let mut open = Callers::default();
        let rows = timeline.spans.of_track(TrackId(number));
        for row in steps("looking at labels of spans", rows) {
            let span = timeline.spans.get(row);
            let context = profile.points.context[span.point.index()];
            let caller = profile.contexts.parent(context);
            let around = caller.and_then(|caller| open.around(&span, caller));
            all[row] = known(&span, around.unwrap_or_default());
            open.push(&span, context, all[row]);
        }
    }
    all
}

/// What is known of spans of a track that are open. The one around a span is the last one of the context
/// that it is called from, and of its operation.
struct Callers<T> {
    /// With their ends, by operation and context.
    open: HashMap<(u32, ContextId), Vec<(i64, T)>>,
    /// Those without length that begin at a time: they hold what begins with them.
    instants: HashMap<(u32, ContextId), T>,
    time: i64,
}

impl<T> Default for Callers<T> {
    fn default() -> Callers<T> {
        Callers { open: HashMap::new(), instants: HashMap::new(), time: 0 }
    }
}

impl<T: Copy> Callers<T> {
    fn around(&mut self, span: &Span, caller: ContextId) -> Option<T> {
        let key = (span.operation, caller);
        if self.time == span.begin
            && let Some(known) = self.instants.get(&key)
        {
            return Some(*known);
        }
        let open = self.open.get_mut(&key)?;
        while open.last().is_some_and(|(end, _)| *end <= span.begin) {
            open.pop();
        }
        open.last().map(|(_, known)| *known)
    }

    fn push(&mut self, span: &Span, context: ContextId, known: T) {
        let key = (span.operation, context);
        if span.length == 0 {
            if self.time != span.begin {
                self.instants.clear();
                self.time = span.begin;
            }
            self.instants.insert(key, known);
            return;
        }
        let open = self.open.entry(key).or_default();
        while open.last().is_some_and(|(end, _)| *end <= span.begin) {
            open.pop();
        }
        open.push((span.end(), known));
    }
}

/// Whether spans of one point can differ in labels that matter: some span has arguments that do, or is
/// inside one whose point has labels that do.
pub(crate) fn may_differ(profile: &Profile, matters: impl Fn(LabelSetId) -> bool) -> bool {
    let (spans, points) = (&profile.timeline.spans, &profile.points);
    spans.all_arguments().any(&matters)
        || (0..spans.len()).any(|row| matters(points.labels(spans.point(row).index())))
}

/// By point, whether it counts spans.
pub(crate) fn points_of_spans(profile: &Profile) -> Vec<bool> {
    let spans = &profile.timeline.spans;
    let mut counts = vec![false; profile.points.len()];
    for row in 0..spans.len() {
        counts[spans.point(row).index()] = true;
    }
    counts
}

/// Points of which each counts spans with one value of a label.
pub(crate) struct SplitPoints {
    pub(crate) points: Points,
    /// By point, the label that its spans have; none for points that count no spans, and without it.
    pub(crate) labels: Vec<Option<Label>>,
}

/// The points of a profile with those apart whose spans differ in the label of a key; none if none do.
/// Each part of a point has the values of its spans: their own time, and as many of what was counted.
pub(crate) fn split_points(profile: &Profile, key: &str) -> Option<SplitPoints> {
    // Labels with the key, from 1 on, and by label set the first of them.
    let mut labels: Vec<Label> = vec![];
    let mut numbers: HashMap<Label, u32> = HashMap::new();
    let number_of = |set: u32| {
        let mut of_set = profile.label_sets.get(LabelSetId(set));
        of_set.find(|label| profile.text(label.key) == key).map(|label| {
            *numbers.entry(label).or_insert_with(|| {
                labels.push(label);
                labels.len() as u32
            })
        })
    };
    let of_set: Vec<Option<u32>> = (0..profile.label_sets.len() as u32).map(number_of).collect();
    if !may_differ(profile, |set| of_set[set.index()].is_some()) {
        return None;
    }
    let numbers = by_span(profile, |span, around| {
        let of_point = profile.points.labels(span.point.index());
        of_set[of_point.index()].or(of_set[span.arguments.index()]).unwrap_or(around)
    });
    let parts = parts_of_points(profile, &numbers);
    let hows: Vec<How> = profile.metrics.iter().map(How::new).collect();
    let from = &profile.points;
    let mut split = SplitPoints { points: Points::new(from.metrics()), labels: vec![] };
    let mut row = vec![0; from.metrics()];
    for point in steps("splitting samples", 0..from.len()) {
        let whole = from.row(point);
        let Some(parts) = parts.get(&(point as u32)) else {
            split.points.push_point(from.get(point), whole);
            split.labels.push(None);
            continue;
        };
        let (all, spans) = parts.values().fold((0i64, 0), |(all, spans), part| {
            (all.saturating_add(part.own), spans + part.spans)
        });
        let mut before = PartOfSpans::default();
        for (&number, part) in parts {
            for (index, value) in whole.iter().enumerate() {
                row[index] = part.of_value(*value, hows[index], before, (all, spans));
            }
            before.own = before.own.saturating_add(part.own);
            before.spans += part.spans;
            split.points.push_point(from.get(point), &row);
            split.labels.push((number as usize).checked_sub(1).map(|label| labels[label]));
        }
    }
    Some(split)
}

/// By point and number, what it counts of spans with that number.
fn parts_of_points(profile: &Profile, numbers: &[u32]) -> HashMap<u32, BTreeMap<u32, PartOfSpans>> {
    let timeline = &profile.timeline;
    let mut parts: HashMap<u32, BTreeMap<u32, PartOfSpans>> = HashMap::new();
    for (number, track) in timeline.tracks.iter().enumerate() {
        // Whose own time it is, where that is measured.
        let mut open: Open<Option<(u32, u32)>> = Open::new(track.kind == TrackKind::Lane);
        let rows = timeline.spans.of_track(TrackId(number as u32));
        for row in steps("splitting spans", rows) {
            let span = timeline.spans.get(row);
            let context = profile.points.context[span.point.index()];
            let around = open.around(&span, profile.contexts.parent(context)).flatten();
            let own = (span.point.0, numbers[row]);
            let mut add = |(point, number): (u32, u32), time: i64, spans: i64| {
                let part = parts.entry(point).or_default().entry(number).or_default();
                part.own = part.own.saturating_add(time);
                part.spans += spans;
            };
            if span.is_unfinished {
                add(own, 0, 1);
                open.push(&span, around, context);
                continue;
            }
            add(own, span.length, 1);
            if let Some(around) = around {
                add(around, span.length.saturating_neg(), 0);
            }
            open.push(&span, Some(own), context);
        }
    }
    parts
}
