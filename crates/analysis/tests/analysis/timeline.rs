//! Figures of spans and tracks, against counting every nanosecond.

use std::collections::BTreeMap;
use std::sync::Arc;

use analysis::{Filtered, TrackChart, shown_tracks, span_statistics, track_summaries};
use profile::{
    Metric, Place, Point, Profile, ProfileBuilder, Span, Timing, Track, TrackId, TrackKind,
};
use proptest::prelude::*;

/// A name, where it begins after the one around it, and how long it is; with what is inside.
#[derive(Debug, Clone)]
struct Nest {
    name: u8,
    before: u8,
    own: u8,
    inside: Vec<Nest>,
}

impl Nest {
    fn length(&self) -> i64 {
        let inside: i64 = self.inside.iter().map(|one| i64::from(one.before) + one.length()).sum();
        inside + i64::from(self.own)
    }
}

fn nest() -> impl Strategy<Value = Nest> {
    let leaf = (0..4u8, 0..4u8, 0..5u8).prop_map(|(name, before, own)| Nest {
        name,
        before,
        own,
        inside: vec![],
    });
    leaf.prop_recursive(4, 24, 3, |inner| {
        (0..4u8, 0..4u8, 0..5u8, prop::collection::vec(inner, 0..3))
            .prop_map(|(name, before, own, inside)| Nest { name, before, own, inside })
    })
}

/// Name, begin and end, what is around before what is inside.
fn flat(nests: &[Nest], start: i64, out: &mut Vec<(u8, i64, i64)>) {
    let mut at = start;
    for one in nests {
        at += i64::from(one.before);
        out.push((one.name, at, at + one.length()));
        flat(&one.inside, at, out);
        at += one.length();
    }
}

/// A profile with a track for each list, the last one a lane.
fn profile(tracks: &[Vec<Nest>]) -> (Profile, Vec<Vec<(u8, i64, i64)>>) {
    profile_of(tracks, false)
}

/// The same; where they stand beside each other, all but the lane are of one thread.
fn profile_of(tracks: &[Vec<Nest>], are_beside: bool) -> (Profile, Vec<Vec<(u8, i64, i64)>>) {
    let metric = Metric { name: "calls".into(), ..Metric::default() };
    let mut builder = ProfileBuilder::new(vec![metric]);
    let mut all = vec![];
    for (number, nests) in tracks.iter().enumerate() {
        let kind = if number + 1 == tracks.len() { TrackKind::Lane } else { TrackKind::Thread };
        let is_beside = are_beside && kind == TrackKind::Thread;
        let thread = is_beside.then(|| builder.thread(None, "1"));
        let parent = (is_beside && number > 0).then_some(TrackId(0));
        let track = builder.timeline.track(Track { kind, thread, parent, ..Track::default() });
        let mut spans = vec![];
        flat(nests, 0, &mut spans);
        for &(name, begin, end) in &spans {
            let function = format!("f{name}");
            let place = builder.place(&Place { function: &function, ..Place::default() });
            let context = builder.stack([place]);
            let point = Point { context, ..Point::default() };
            let point = builder.points.push_point(point, &[1]);
            let (length, is_unfinished) = (end - begin, name == UNFINISHED);
            let span = Span { begin, length, point, is_unfinished, ..Span::default() };
            builder.timeline.spans.push(track, span);
        }
        all.push(spans);
    }
    let profile = builder.finish();
    assert_eq!(profile.check(), []);
    (profile, all)
}

/// Spans of this name never end.
const UNFINISHED: u8 = 3;

/// Of each nanosecond the innermost span that ends, by counting.
fn self_times(spans: &[(u8, i64, i64)]) -> BTreeMap<u8, i64> {
    let mut sums: BTreeMap<u8, i64> = spans.iter().map(|one| (one.0, 0)).collect();
    let end = spans.iter().map(|one| one.2).max().unwrap_or(0);
    for at in 0..end {
        // What is inside stands behind what is around it.
        let inner = spans
            .iter()
            .rfind(|(name, begin, end)| *name != UNFINISHED && (*begin..*end).contains(&at));
        if let Some((name, ..)) = inner {
            *sums.entry(*name).or_default() += 1;
        }
    }
    sums
}

proptest! {
    #[test]
    fn spans_add_up(tracks in prop::collection::vec(prop::collection::vec(nest(), 0..4), 1..4)) {
        let (profile, all) = profile(&tracks);
        let filtered = Filtered::new(Arc::new(profile), &[], false).unwrap();
        let found = span_statistics(&filtered);
        let profile = filtered.profile();
        let (lane, threads) = all.split_last().unwrap();
        let mut expected: BTreeMap<(u8, bool), (Vec<i64>, i64)> = BTreeMap::new();
        for spans in threads {
            for &(name, begin, end) in spans {
                expected.entry((name, false)).or_default().0.push(end - begin);
            }
            for (name, own) in self_times(spans) {
                expected.entry((name, false)).or_default().1 += own;
            }
        }
        for &(name, begin, end) in lane {
            expected.entry((name, true)).or_default().0.push(end - begin);
        }
        prop_assert_eq!(found.len(), expected.len());
        prop_assert!(found.is_sorted_by_key(|one| -one.total));
        for one in found {
            let name = profile.text(one.name)[1..].parse::<u8>().unwrap();
            let (mut lengths, own) = expected.remove(&(name, one.is_asynchronous)).unwrap();
            lengths.sort_unstable();
            prop_assert_eq!(one.count, lengths.len() as u64);
            if name == UNFINISHED {
                prop_assert_eq!((one.unfinished, one.total, one.lengths), (one.count, 0, None));
                continue;
            }
            prop_assert_eq!((one.unfinished, one.total), (0, lengths.iter().sum::<i64>()));
            prop_assert_eq!(one.self_time, (!one.is_asynchronous).then_some(own));
            let rank = |share: f64| lengths[(lengths.len() as f64 * share).ceil() as usize - 1];
            let told = one.lengths.unwrap();
            let told = [told.shortest, told.median, told.p95, told.p99, told.longest];
            let wanted = [lengths[0], rank(0.5), rank(0.95), rank(0.99), lengths[lengths.len() - 1]];
            prop_assert_eq!(told, wanted);
            let (row, track) = one.longest;
            prop_assert!(profile.timeline.spans.of_track(track).contains(&row));
            prop_assert_eq!(profile.timeline.spans.length(row), told[4]);
        }
        let summaries = track_summaries(&filtered);
        for (summary, spans) in summaries.iter().zip(&all) {
            let end = spans.iter().map(|one| one.2).max().unwrap_or(0);
            let whole: Vec<_> = spans.iter().filter(|one| one.0 != UNFINISHED).collect();
            let busy = (0..end).filter(|at| whole.iter().any(|one| (one.1..one.2).contains(at)));
            prop_assert_eq!((summary.spans, summary.busy), (spans.len() as u64, busy.count() as i64));
            prop_assert_eq!(summary.total, whole.iter().map(|one| one.2 - one.1).sum::<i64>());
            let extent = spans.iter().map(|one| one.1).min().map(|first| [first, end]);
            prop_assert_eq!(summary.extent, extent);
        }
    }
}

proptest! {
    /// With all its lanes, and only once where they overlap; they themselves have their own.
    #[test]
    fn threads_are_busy_with_what_stands_beside_them(
        tracks in prop::collection::vec(prop::collection::vec(nest(), 0..4), 3..6),
    ) {
        let (profile, all) = profile_of(&tracks, true);
        let filtered = Filtered::new(Arc::new(profile), &[], false).unwrap();
        let summaries = track_summaries(&filtered);
        let threads = &all[..all.len() - 1];
        let busy = |tracks: &[Vec<(u8, i64, i64)>]| {
            let is_busy = |at: &i64| {
                let spans = tracks.iter().flatten().filter(|one| one.0 != UNFINISHED);
                spans.into_iter().any(|one| (one.1..one.2).contains(at))
            };
            (0..10_000).filter(is_busy).count() as i64
        };
        prop_assert_eq!(summaries[0].busy, busy(threads));
        prop_assert_eq!(summaries[1].busy, busy(&threads[1..2]));
    }
}

proptest! {
    /// Samples of a thread that waits are not time in which it is busy, in sums and in any part of its row.
    #[test]
    fn a_thread_is_busy_while_its_samples_tell_that_it_runs(
        samples in prop::collection::vec((1..50i64, 0..=100i64), 1..200),
        parts in prop::collection::vec((0..5000i64, 1..500i64), 1..20),
    ) {
        let metrics = vec![
            Metric { timing: Timing::Length, ..Metric::new("wall time", "nanoseconds") },
            Metric::new("CPU time", "nanoseconds"),
        ];
        let mut builder = ProfileBuilder::new(metrics);
        let thread = builder.thread(None, "1");
        let place = builder.place(&Place { function: "f", ..Place::default() });
        let context = builder.stack([place]);
        let (mut at, mut runs) = (0, vec![]);
        for (wall, share) in samples {
            let ran = wall * share / 100;
            let point = Point { context, time: Some(at), thread: Some(thread), ..Point::default() };
            builder.points.push_point(point, &[wall, ran]);
            runs.push((at, wall, ran));
            at += wall;
        }
        let profile = Arc::new(builder.finish());
        let filtered = Filtered::new(profile.clone(), &[], false).unwrap();
        let track = profile.timeline.tracks.iter().position(|track| track.kind == TrackKind::Thread).unwrap();
        let ran: i64 = runs.iter().map(|run| run.2).sum();
        prop_assert_eq!(track_summaries(&filtered)[track].busy, ran);
        let chart = TrackChart::new(&profile, TrackId(track as u32));
        let row = chart.samples().unwrap();
        for (from, length) in parts {
            let edges = [row.edge(&profile, from, None), row.edge(&profile, from + length, None)];
            let found = row.busy(&profile, &mut 0, edges).map_or(0, |busy| busy.all);
            let expected: f64 = runs
                .iter()
                .map(|&(begin, wall, ran)| {
                    let seen = (begin + wall).min(from + length) - begin.max(from);
                    seen.max(0) as f64 * ran as f64 / wall as f64
                })
                .sum();
            // Both ends are cut, and rounded down.
            prop_assert!((expected - found as f64).abs() <= 2.0, "{from}+{length}: {found} {expected}");
        }
    }
}

#[test]
fn tracks_stand_under_their_parents_by_their_order() {
    let mut builder = ProfileBuilder::new(vec![]);
    let mut track = |parent: Option<u32>, order: i64, kind: TrackKind| {
        let parent = parent.map(TrackId);
        builder.timeline.track(Track { parent, order, kind, ..Track::default() }).0
    };
    use TrackKind::{Lane, Process, Thread};
    let second = track(None, 2, Process);
    let first = track(None, -1, Process);
    let lane = track(Some(first), 0, Lane);
    let thread = track(Some(first), 0, Thread);
    let early = track(Some(first), -5, Lane);
    let inner = track(Some(thread), 0, Thread);
    let shown: Vec<(u32, u32)> = shown_tracks(&builder.finish())
        .into_iter()
        .map(|(track, depth)| (track.0, depth))
        .collect();
    assert_eq!(shown, [(first, 0), (early, 1), (thread, 1), (inner, 2), (lane, 1), (second, 0)]);
}
