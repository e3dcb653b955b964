//! Points that are samples, sorted once by where they were, so that what is asked of them needs not
//! all of them.
//!
//! ```text
//! segment   run 1, thread 7, cpu 0 | run 1, thread 7, cpu 1 | ...     one place each
//! column    t t t t t t            | t t t                            by time, those that have any
//! (event)   v v v v v v            | v v v                            and a sum a segment
//! ```
//! Filters that choose threads, processors, runs or labels choose segments; a range of time is a part of
//! each. What lasted, or counts spans, may count in part and stays outside ([`EventIndex::rest`]).

use std::ops::Range;
use std::sync::{Arc, Mutex};

use hashbrown::HashMap;
use profile::{ContextId, LabelSetId, MemberId, MetricId, Profile, ThreadId};
use work::steps;

use super::column::{Column, Filling};
use super::context_sums::{ContextSums, Quick};
use super::{Columns, EventSum};
use crate::filters::Choice;
use crate::time::{Intervals, Length, covered_times};
use crate::{Filter, Filtered};

/// What points of a place have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Segment {
    pub(super) member: MemberId,
    pub(super) thread: Option<ThreadId>,
    pub(super) cpu: Option<u32>,
    pub(super) labels: LabelSetId,
}

/// Samples of a profile by place and time, with sums of its events; takes some 16 bytes for each that a
/// sample has.
#[derive(Debug)]
pub struct EventIndex {
    profile: Arc<Profile>,
    pub(super) segments: Vec<Segment>,
    /// Points that are not samples: they lasted, or count spans.
    rest: Vec<u32>,
    /// By segment, points that have nothing of any event.
    silent: HashMap<u32, Vec<u32>>,
    pub(super) events: Vec<MetricId>,
    /// By event.
    columns: Vec<Column>,
    covered: Vec<Option<[i64; 2]>>,
    /// What contexts have, by the last filters that were asked for.
    pub(super) of_contexts: Mutex<Option<(FiltersKey, Arc<ContextSums>)>>,
}

/// Filters, and whether those of the profile itself count.
type FiltersKey = (Vec<Filter>, bool);

/// With more places than that, few samples share one and nothing is gained.
const MOST_SEGMENTS: usize = 1 << 18;

impl EventIndex {
    /// Sorts the samples of a profile; none where too few of them share a place.
    pub fn new(profile: &Arc<Profile>, columns: &Columns) -> Option<EventIndex> {
        let points = &profile.points;
        let is_rest = lasting(profile);
        let mut known: HashMap<Segment, u32> = HashMap::new();
        let mut index = EventIndex {
            profile: profile.clone(),
            segments: vec![],
            rest: vec![],
            silent: HashMap::new(),
            events: columns.metrics.clone(),
            columns: vec![],
            covered: covered_times(profile),
            of_contexts: Mutex::default(),
        };
        let mut of_point: Vec<u32> = Vec::with_capacity(points.len());
        // By segment, then event.
        let mut counts: Vec<u32> = vec![];
        for point in steps("sorting samples", 0..points.len()) {
            if is_rest.get(point).copied().unwrap_or(false) {
                index.rest.push(point as u32);
                of_point.push(NOWHERE);
                continue;
            }
            let segment = Segment {
                member: points.member(point),
                thread: points.thread(point),
                cpu: points.cpu(point),
                labels: points.labels(point),
            };
            let at = *known.entry(segment).or_insert_with(|| {
                index.segments.push(segment);
                counts.resize(counts.len() + index.events.len(), 0);
                index.segments.len() as u32 - 1
            });
            if index.segments.len() > MOST_SEGMENTS {
                return None;
            }
            of_point.push(at);
            let row = points.row(point);
            let mut is_silent = true;
            let own = &mut counts[at as usize * index.events.len()..];
            for (count, metric) in own.iter_mut().zip(&index.events) {
                let has_any = row[metric.index()] != 0;
                *count += u32::from(has_any);
                is_silent &= !has_any;
            }
            if is_silent {
                index.silent.entry(at).or_default().push(point as u32);
            }
        }
        let events = index.events.len().max(1);
        let mut filling: Vec<Filling> = (0..index.events.len())
            .map(|event| Filling::new(counts.iter().skip(event).step_by(events)))
            .collect();
        for (point, &segment) in steps("sorting events", of_point.iter().enumerate()) {
            if segment == NOWHERE {
                continue;
            }
            let row = points.row(point);
            let wanted = columns.times.map(|times| times.map(|time| row[time.index()]));
            for (column, metric) in filling.iter_mut().zip(&index.events) {
                let value = row[metric.index()];
                if value != 0 {
                    let samples = columns.samples.of(profile.metric(*metric), row);
                    let time = points.time(point).unwrap_or(UNTIMED);
                    let place = (time, points.context[point].0);
                    column.push(segment as usize, place, value, (samples, wanted));
                }
            }
        }
        index.columns = filling.into_iter().map(Filling::finish).collect();
        Some(index)
    }

    /// The values of a metric, which is one of the events.
    pub(super) fn column(&self, metric: MetricId) -> &Column {
        let place = self.events.iter().position(|event| *event == metric);
        // Of another metric there is none: better no answer than that of an event.
        &self.columns[place.unwrap_or(self.columns.len())]
    }
}

/// The segment of a point that is in none.
const NOWHERE: u32 = u32::MAX;

/// Stands for 'no time', before all others.
pub(super) const UNTIMED: i64 = i64::MIN;

/// By point, whether it lasted or counts spans; empty where none does.
fn lasting(profile: &Profile) -> Vec<bool> {
    let (points, spans) = (&profile.points, &profile.timeline.spans);
    let length = Length::new(profile);
    let mut lasting = vec![];
    let has_lengths = !length.is_unknown() || points.kept_length(0).is_some();
    if has_lengths && !points.is_empty() {
        let of_point = |point| length.of_point(points, point) > 0;
        lasting = steps("looking for lengths", 0..points.len()).map(of_point).collect();
    }
    if !spans.is_empty() {
        lasting.resize(points.len(), false);
        for row in steps("looking for spans", 0..spans.len()) {
            lasting[spans.point(row).index()] = true;
        }
    }
    lasting
}

/// What filters leave, with the index of its samples where there is one.
pub struct Source<'a> {
    pub(super) filtered: &'a Filtered,
    chosen: Option<(&'a EventIndex, Choice)>,
    covered: Option<Vec<Option<[i64; 2]>>>,
}

impl<'a> Source<'a> {
    /// `index` counts where it is of the same profile, and filters choose by what it is sorted by.
    pub fn new(filtered: &'a Filtered, index: Option<&'a EventIndex>) -> Source<'a> {
        let index = index.filter(|index| Arc::ptr_eq(&index.profile, filtered.profile()));
        let chosen = index.zip(filtered.choice().cloned());
        let covered = chosen.is_none().then(|| covered_times(filtered.profile()));
        Source { filtered, chosen, covered }
    }

    /// What filters leave.
    pub fn filtered(&self) -> &'a Filtered {
        self.filtered
    }

    /// By member, from when to when what it recorded stands for its time.
    pub(super) fn covered(&self) -> &[Option<[i64; 2]>] {
        match (&self.covered, &self.chosen) {
            (Some(covered), _) => covered,
            (None, Some((index, _))) => &index.covered,
            (None, None) => &[],
        }
    }

    /// Points that are looked at one by one.
    pub(super) fn rest(&self) -> Rest<'a> {
        match &self.chosen {
            Some((index, _)) => Rest::Some(index.rest.iter()),
            None => Rest::All(0..self.filtered.profile().points.len()),
        }
    }

    pub(super) fn index(&self) -> Option<&'a EventIndex> {
        self.chosen.as_ref().map(|(index, _)| *index)
    }

    /// The first place that has some of one of the metrics, of those that are asked for.
    pub fn find(
        &self,
        metrics: &[MetricId],
        is_asked: impl Fn(Option<ThreadId>, Option<u32>) -> bool,
    ) -> Option<(Option<ThreadId>, Option<u32>)> {
        if metrics.is_empty() {
            return None;
        }
        let filtered = self.filtered;
        let has_any = |kept: &Kept<'_>| {
            metrics.iter().any(|&metric| {
                let column = kept.column(metric);
                let kept_context = |entry: usize| kept.keeps_context(column.contexts[entry]);
                kept.ranges(column).into_iter().any(|mut range| range.any(kept_context))
            })
        };
        let of_segments = self.segments().into_iter().find_map(|kept| {
            let Segment { thread, cpu, .. } = kept.place;
            (is_asked(thread, cpu) && has_any(&kept)).then_some((thread, cpu))
        });
        let points = &filtered.profile().points;
        of_segments.or_else(|| {
            let mut places =
                self.rest().map(|point| (point, points.thread(point), points.cpu(point)));
            let found = places.find(|&(point, thread, cpu)| {
                let has = |metric: &MetricId| filtered.row(point)[metric.index()] != 0;
                is_asked(thread, cpu) && filtered.keeps_point(point) && metrics.iter().any(has)
            });
            found.map(|(_, thread, cpu)| (thread, cpu))
        })
    }

    /// How many entries some metrics have.
    pub(super) fn weight(&self, metrics: &[MetricId]) -> usize {
        let Some(index) = self.index() else { return 0 };
        metrics.iter().map(|&metric| index.column(metric).times.len()).sum()
    }

    /// How much it is to look for what filters leave of segments.
    pub(super) fn looks(&self) -> usize {
        match &self.chosen {
            Some((index, choice))
                if self.filtered.window().is_some() || !choice.dropped_contexts.is_empty() =>
            {
                self.weight(&index.events)
            }
            _ => 0,
        }
    }

    /// The segments that filters keep, with what they leave of each; some may have nothing left.
    pub(super) fn segments(&self) -> Vec<Kept<'_>> {
        let Some((index, choice)) = &self.chosen else { return vec![] };
        let mut labels = choice.clone();
        let mut kept = vec![];
        for (number, &place) in index.segments.iter().enumerate() {
            let Segment { member, thread, cpu, labels: set } = place;
            if labels.keeps_labels((set, thread, member), cpu) {
                let window = self.filtered.window().map(|window| window.of(member, thread));
                kept.push(Kept { index, choice, number, place, window });
            }
        }
        kept
    }
}

/// A segment of which filters may have left something.
#[derive(Clone, Copy)]
pub(super) struct Kept<'a> {
    index: &'a EventIndex,
    choice: &'a Choice,
    pub(super) number: usize,
    pub(super) place: Segment,
    window: Option<&'a Intervals>,
}

impl<'a> Kept<'a> {
    /// Whether all of it counts.
    pub(super) fn is_whole(&self) -> bool {
        self.window.is_none() && self.choice.dropped_contexts.is_empty()
    }

    pub(super) fn column(&self, metric: MetricId) -> &'a Column {
        self.index.column(metric)
    }

    /// The entries of a column that are in the time that counts; of those their contexts decide.
    pub(super) fn ranges(&self, column: &Column) -> Vec<Range<usize>> {
        let own = column.of_segment(self.number);
        let Some(window) = self.window else { return vec![own] };
        let mut timed = own.clone();
        if column.times.get(own.start).is_some_and(|&time| time == UNTIMED) && !own.is_empty() {
            let times = &column.times[own.clone()];
            timed.start += times.partition_point(|&time| time == UNTIMED);
        }
        if timed.is_empty() {
            return vec![];
        }
        let (from, until) = (column.times[timed.start], column.times[timed.end - 1]);
        let place = |time: i64| column.place(&timed, time);
        let parts = window.between(from, until.saturating_add(1));
        // The last instant of all belongs to what ends there.
        let end = |time: i64| if time == i64::MAX { timed.end } else { place(time) };
        parts.map(|[begin, until]| place(begin)..end(until)).collect()
    }

    /// The entries of a column that count.
    #[inline]
    pub(super) fn each(&self, column: &Column, mut each: impl FnMut(usize)) {
        let is_all = self.choice.dropped_contexts.is_empty();
        for range in self.ranges(column) {
            if is_all {
                range.for_each(&mut each);
            } else {
                let kept = |&entry: &usize| self.keeps_context(column.contexts[entry]);
                range.filter(kept).for_each(&mut each);
            }
        }
    }

    /// Adds the entries of a column that count to a sum.
    pub(super) fn add(&self, column: &Column, to: &mut EventSum) {
        if self.is_whole() {
            to.merge(&column.sums[self.number]);
        } else if self.choice.dropped_contexts.is_empty() {
            self.ranges(column).into_iter().for_each(|range| column.add_all(range, to));
        } else {
            self.each(column, |entry| column.add(entry, to));
        }
    }

    /// The same by context; false where they do not add up so simply, see [`Column::add_quickly`].
    pub(super) fn add_quickly(&self, column: &Column, to: &mut [Quick]) -> bool {
        let is_all = self.choice.dropped_contexts.is_empty();
        let add =
            |range| column.add_quickly(range, to, |context| is_all || self.keeps_context(context));
        self.ranges(column).into_iter().try_for_each(add).is_some()
    }

    pub(super) fn keeps_context(&self, context: u32) -> bool {
        self.choice.keeps_context(ContextId(context))
    }

    /// Whether anything of it counts.
    pub(super) fn keeps_any(&self) -> bool {
        let is_all = self.choice.dropped_contexts.is_empty();
        if self.is_whole() {
            return true;
        }
        let has = |&metric: &MetricId| {
            let column = self.column(metric);
            let kept = |at: usize| is_all || self.keeps_context(column.contexts[at]);
            self.ranges(column).into_iter().any(|mut range| range.any(kept))
        };
        if self.index.events.iter().any(has) {
            return true;
        }
        let points = &self.index.profile.points;
        let is_kept = |&point: &u32| {
            let (point, time) = (point as usize, points.time(point as usize));
            let is_inside = |window: &Intervals| time.is_some_and(|time| window.contains(time));
            self.choice.keeps_context(points.context[point]) && self.window.is_none_or(is_inside)
        };
        let silent = self.index.silent.get(&(self.number as u32));
        silent.is_some_and(|silent| silent.iter().any(is_kept))
    }
}

/// Points one by one.
pub(super) enum Rest<'a> {
    All(Range<usize>),
    Some(std::slice::Iter<'a, u32>),
}

impl Iterator for Rest<'_> {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        match self {
            Rest::All(range) => range.next(),
            Rest::Some(list) => list.next().map(|&point| point as usize),
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        match self {
            Rest::All(range) => range.size_hint(),
            Rest::Some(list) => list.size_hint(),
        }
    }
}

impl ExactSizeIterator for Rest<'_> {}
