//! What filters leave, as a profile of its own and in figures.

use profile::{
    Counter, FunctionTotals, MemberId, Points, Profile, Span, ThreadId, TimelineBuilder, TrackId,
};
use work::steps;

use super::window::places;
use super::{Around, Intervals, contexts_of, counted_time, recorded_time, recorded_times};
use crate::shown::frames_matching;
use crate::{Filter, FilterError, FilterKind, Filtered, Pattern};

/// How much time filters chose, and of what.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ChosenTime {
    /// Nanoseconds: of the recording, or of all threads together.
    pub length: i64,
    /// Whether threads have times of their own, whose lengths are added up.
    pub is_of_threads: bool,
    /// Spans that count, at least in part.
    pub spans: u64,
    /// Spans and marks that filters choose time by: how many of them are in what all filters leave.
    pub chosen_by: Option<u64>,
}

impl Filtered {
    /// The profile without the points that do not count, the others with the values that do; what happened
    /// when is clipped to the time that counts. Frames that filters hide are there still, and totals that
    /// the producer stored are not: they are of everything.
    pub fn kept(&self) -> Profile {
        let profile = self.profile();
        let mut points = Points::new(profile.points.metrics());
        // By point, what it is now.
        let mut places = vec![None; profile.points.len()];
        for (point, place) in steps("keeping samples", places.iter_mut().enumerate()) {
            if self.keeps_point(point) {
                *place = Some(points.push_point(profile.points.get(point), self.row(point)));
            }
        }
        let from = &profile.timeline;
        let mut timeline = TimelineBuilder::default();
        timeline.tracks.clone_from(&from.tracks);
        for track in (0..from.tracks.len() as u32).map(TrackId) {
            let of = &from.tracks[track.index()];
            for row in steps("keeping spans", from.spans.of_track(track)) {
                let span = from.spans.get(row);
                let Some(point) =
                    places[span.point.index()].filter(|_| self.keeps_span(row, &span))
                else {
                    continue;
                };
                let span = Span { point, ..span };
                let Some(window) = self.window() else {
                    timeline.spans.push(track, span);
                    continue;
                };
                let inside = window.of(of.member, of.thread);
                if span.length == 0 && inside.contains(span.begin) {
                    timeline.spans.push(track, span);
                }
                for [begin, end] in inside.between(span.begin, span.end()) {
                    let length = end.saturating_sub(begin);
                    timeline.spans.push(track, Span { begin, length, ..span });
                }
            }
            for row in from.marks.of_track(track) {
                let mark = from.marks.get(track, row);
                if self.keeps_time(of, mark.time) {
                    timeline.mark(mark);
                }
            }
        }
        for counter in &from.counters {
            self.keep_counter(counter, &mut timeline);
        }
        let is_kept =
            |end: &profile::FlowEnd| self.keeps_time(&from.tracks[end.track.index()], end.time);
        let flows = from.flows.iter().filter(|flow| is_kept(&flow.from) && is_kept(&flow.to));
        timeline.flows.extend(flows.copied());
        Profile {
            points,
            timeline: timeline.finish(),
            function_totals: FunctionTotals::default(),
            ..(**profile).clone()
        }
    }

    /// Values in the time that counts; what holds where a stretch of it begins stands there.
    fn keep_counter(&self, counter: &Counter, timeline: &mut TimelineBuilder) {
        let of = &timeline.tracks[counter.track.index()];
        let stretches = match self.window() {
            Some(window) => window.of(of.member, of.thread).clone(),
            None => Intervals::all(),
        };
        let kept = timeline.counter(counter.track, counter.name, counter.unit);
        for [begin, end] in stretches.iter() {
            let first = counter.times.partition_point(|&time| time < begin);
            let is_at_begin = counter.times.get(first) == Some(&begin);
            if let Some(value) = counter.at(begin).filter(|_| !is_at_begin) {
                kept.push(begin, value);
            }
            let inside = (first..counter.times.len())
                .take_while(|&row| counter.times[row] < end || end == i64::MAX);
            inside.for_each(|row| kept.push(counter.times[row], counter.values[row]));
        }
    }
}

/// How much time filters chose.
///
/// # Errors
/// If one of them cannot be understood.
pub fn chosen_time(filtered: &Filtered, filters: &[Filter]) -> Result<ChosenTime, FilterError> {
    let profile = filtered.profile();
    let timeline = &profile.timeline;
    let is_of_threads = filtered.window().is_some_and(|window| window.is_by_thread())
        && !profile.threads.is_empty();
    let mut chosen = ChosenTime { is_of_threads, ..ChosenTime::default() };
    chosen.length = match (filtered.window(), recorded_time(profile)) {
        (Some(window), Some(_)) if is_of_threads => {
            let recorded = recorded_times(profile);
            let of_place = |(member, thread): (MemberId, Option<ThreadId>)| {
                let [first, last] = recorded.get(member.index()).copied().flatten()?;
                thread.is_some().then(|| window.of(member, thread).length_between(first, last))
            };
            places(profile).into_iter().filter_map(of_place).fold(0, i64::saturating_add)
        }
        _ => counted_time(filtered),
    };
    let mut during = vec![];
    let mut around = vec![];
    for Filter { kind, pattern } in filters {
        match kind {
            FilterKind::During => {
                let frames = frames_matching(profile, &Pattern::typed(pattern)?);
                during.push(contexts_of(profile, &frames));
            }
            FilterKind::Around => around.push(Around::new(pattern)?.kinds_of(profile)),
            _ => {}
        }
    }
    let mut by = 0;
    for (number, of) in timeline.tracks.iter().enumerate() {
        let track = TrackId(number as u32);
        for row in steps("counting spans", timeline.spans.of_track(track)) {
            let span = timeline.spans.get(row);
            if filtered.clip(of, row, &span).is_some() {
                chosen.spans += 1;
                let context = profile.points.context[span.point.index()].index();
                by += u64::from(during.iter().any(|is_inside| is_inside[context]));
            }
        }
        for row in timeline.marks.of_track(track) {
            let mark = timeline.marks.get(track, row);
            let is_meant = around.iter().any(|kinds| kinds.contains(&mark.kind));
            by += u64::from(is_meant && filtered.keeps_time(of, mark.time));
        }
    }
    chosen.chosen_by = (!during.is_empty() || !around.is_empty()).then_some(by);
    Ok(chosen)
}
