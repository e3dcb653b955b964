//! Recordings that did the same in other times.

use std::sync::Arc;

use analysis::{
    AlignBy, AlignError, Filter, FilterKind, Filtered, HeatGrid, Merge, align, heat, recorded_time,
    span_statistics,
};
use profile::{
    Clock, MemberId, Metric, MetricId, Place, Point, Profile, ProfileBuilder, Span, Track, TrackId,
    TrackKind,
};
use proptest::prelude::*;

/// A recording of one thread: names of spans with the pause before each and its length. Values are times.
fn recording(spans: &[(&str, i64, i64)], samples: &[i64]) -> Profile {
    let metric = Metric::new("time", "nanoseconds");
    let mut builder = ProfileBuilder::new(vec![metric]);
    let thread = builder.thread(None, "1");
    let kind = TrackKind::Thread;
    let track = builder.timeline.track(Track { kind, thread: Some(thread), ..Track::default() });
    let mut at = 0;
    for &(function, pause, length) in spans {
        let place = builder.place(&Place { function, ..Place::default() });
        let context = builder.stack([place]);
        let point = Point { context, thread: Some(thread), ..Point::default() };
        let point = builder.points.push_point(point, &[length]);
        let begin = at + pause;
        builder.timeline.spans.push(track, Span { begin, length, point, ..Span::default() });
        at = begin + length;
    }
    let place = builder.place(&Place { function: "sampled", ..Place::default() });
    let context = builder.stack([place]);
    for &time in samples {
        let point = Point { context, thread: Some(thread), time: Some(time), ..Point::default() };
        builder.points.push_point(point, &[1]);
    }
    let profile = builder.finish();
    assert_eq!(profile.check(), []);
    profile
}

fn merged(recordings: &[Profile]) -> Profile {
    let mut merge = Merge::default();
    for (number, recording) in recordings.iter().enumerate() {
        merge.add(&format!("run {number}"), recording);
    }
    merge.finish().profile
}

fn filtered(profile: &Profile, kind: FilterKind, pattern: &str) -> Filtered {
    let filters = [Filter { kind, pattern: pattern.to_owned() }];
    Filtered::new(Arc::new(profile.clone()), &filters, false).unwrap()
}

/// Begin and end of all spans of a member, on the axis.
fn shown(profile: &Profile, member: u32) -> Vec<[i64; 2]> {
    let timeline = &profile.timeline;
    let is_of = |track: &TrackId| timeline.tracks[track.index()].member == MemberId(member);
    let tracks = (0..timeline.tracks.len() as u32).map(TrackId).filter(is_of);
    let spans = tracks.flat_map(|track| timeline.spans.of_track(track));
    let on_axis = |time| timeline.on_axis(MemberId(member), time);
    spans
        .map(|row| timeline.spans.get(row))
        .map(|span| [span.begin, span.end()].map(on_axis))
        .collect()
}

const NAMES: [&str; 3] = ["read", "work", "write"];

/// Spans with two lengths and pauses, one for each of two recordings.
fn two() -> impl Strategy<Value = [Vec<(&'static str, i64, i64)>; 2]> {
    let one = (0..3usize, [1..20i64, 1..20], [1..50i64, 1..50]);
    prop::collection::vec(one, 1..40).prop_map(|all| {
        [0, 1].map(|side| {
            all.iter()
                .map(|(name, pauses, lengths)| (NAMES[*name], pauses[side], lengths[side]))
                .collect()
        })
    })
}

proptest! {
    /// What did the same in the same order stands together, begin by begin and end by end.
    #[test]
    fn the_same_steps_stand_together([one, other] in two()) {
        let mut profile = merged(&[recording(&one, &[]), recording(&other, &[])]);
        let before = shown(&profile, 0);
        let aligned = align(&mut profile, &AlignBy::Progress(None)).unwrap();
        prop_assert_eq!(&aligned.matches, &[0, one.len()]);
        prop_assert_eq!(shown(&profile, 0), before.clone());
        prop_assert_eq!(shown(&profile, 1), before);
        // Lengths are as they were measured.
        let all = span_statistics(&Filtered::new(Arc::new(profile), &[], false).unwrap());
        let told: i64 = all.iter().map(|one| one.total).sum();
        let whole: i64 = one.iter().chain(&other).map(|span| span.2).sum();
        prop_assert_eq!(told, whole);
    }

    /// Ranges of the axis that partition it take each recording's time apart without a rest.
    #[test]
    fn ranges_of_the_axis_add_up([one, other] in two(), at in 1..300i64) {
        let mut profile = merged(&[recording(&one, &[7]), recording(&other, &[3, 900])]);
        align(&mut profile, &AlignBy::Progress(None)).unwrap();
        let [first, last] = recorded_time(&profile).unwrap();
        let at = first + at;
        let parts = [format!("{first}ns..{at}ns"), format!("{at}ns..{}ns", last.max(at) + 1)];
        let of = |range: &str| {
            let filtered = filtered(&profile, FilterKind::Time, range);
            let spans: i64 = span_statistics(&filtered).iter().map(|one| one.total).sum();
            let grid = HeatGrid { begin: first, cell: 10, cells: 500 };
            let heat = heat(&filtered, MetricId(0), grid).unwrap();
            (spans, heat.values.iter().sum::<f64>() + heat.outside)
        };
        let (spans, values) = parts.iter().map(|part| of(part)).fold((0, 0.0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
        let whole: i64 = one.iter().chain(&other).map(|span| span.2).sum();
        prop_assert_eq!(spans, whole);
        prop_assert!((values - (whole + 3) as f64).abs() < 1e-6, "{} of {}", values, whole + 3);
    }

    /// By stretches of the axis there is what was between their ends on the recording's own clock.
    #[test]
    fn stretches_have_what_was_in_them_by_the_own_clock(spans in prop::collection::vec((1..20i64, 1..50i64), 1..20), by in 1..5i64) {
        let spans: Vec<_> = spans.into_iter().map(|(pause, length)| ("work", pause, length)).collect();
        let mut profile = merged(&[recording(&[("other", 0, 1)], &[]), recording(&spans, &[])]);
        let end = shown(&profile, 1).last().unwrap()[1];
        // Its first half runs `by` times as slowly.
        let half = end / 2;
        profile.timeline.clocks = vec![
            Clock::default(),
            Clock::new(vec![[0, 0], [half, half * by], [end, half * by + (end - half)]]),
        ];
        let everything = Filtered::new(Arc::new(profile.clone()), &[], false).unwrap();
        let grid = HeatGrid { begin: 0, cell: by, cells: 1500 };
        let found = heat(&everything, MetricId(0), grid).unwrap().values;
        let mut wanted = vec![0.0f64; 1500];
        // The other recording's one nanosecond.
        wanted[0] += 1.0;
        for [begin, stop] in shown(&merged(&[recording(&[], &[]), recording(&spans, &[])]), 1) {
            for own in begin..stop {
                let [from, to] = [own, own + 1].map(|time| profile.timeline.on_axis(MemberId(1), time));
                for at in from..to {
                    wanted[(at / by) as usize] += 1.0 / (to - from) as f64;
                }
            }
        }
        for (cell, (found, wanted)) in found.iter().zip(&wanted).enumerate() {
            prop_assert!((found - wanted).abs() < 1e-6, "stretch {}: {} for {}", cell, found, wanted);
        }
    }
}

/// Two recordings of one program have threads of the same number: what is inside a span of one is not inside one
/// of the other.
#[test]
fn spans_choose_time_of_their_own_recording() {
    let one = recording(&[("phase", 0, 10)], &[5, 50]);
    let other = recording(&[("phase", 45, 10)], &[5, 50]);
    let profile = merged(&[one, other]);
    let inside = filtered(&profile, FilterKind::During, "phase");
    let kept: Vec<_> = (0..profile.points.len())
        .filter(|&point| inside.keeps_point(point))
        .filter_map(|point| Some((profile.points.member(point).0, profile.points.time(point)?)))
        .collect();
    assert_eq!(kept, [(0, 5), (1, 50)]);
}

#[test]
fn steps_that_are_chosen_need_not_be_as_many() {
    let one = recording(&[("step", 10, 5), ("step", 10, 5), ("extra", 1, 1)], &[]);
    let other = recording(&[("step", 1, 10), ("step", 1, 10), ("step", 1, 10)], &[]);
    let mut profile = merged(&[one, other]);
    let error = align(&mut profile, &AlignBy::Progress(None)).unwrap_err();
    assert!(matches!(error, AlignError::NoProgress { .. }), "{error}");
    assert!(profile.timeline.clocks.is_empty());
    let by = AlignBy::Progress(Some("^step$".to_owned()));
    assert_eq!(align(&mut profile, &by).unwrap().matches, [0, 2]);
    assert_eq!(shown(&profile, 1), [[10, 15], [25, 30], [31, 41]]);
    // Aligned another way, nothing of it is left.
    align(&mut profile, &AlignBy::Start).unwrap();
    assert!(profile.timeline.clocks.is_empty());
    assert_eq!(shown(&profile, 1), [[10, 20], [21, 31], [32, 42]]);
    align(&mut profile, &AlignBy::Hand(vec![("run 1".to_owned(), 100)])).unwrap();
    assert_eq!(shown(&profile, 1)[0], [101, 111], "from where it was recorded");
}

/// Steps in another order contradict each other: what does not stand together does not count as if it did.
#[test]
fn reports_only_what_stands_together() {
    let one = recording(&[("x", 0, 100), ("y", 0, 100)], &[]);
    let other = recording(&[("y", 0, 100), ("x", 0, 100)], &[]);
    let mut profile = merged(&[one, other]);
    assert_eq!(align(&mut profile, &AlignBy::Progress(None)).unwrap().matches, [0, 1]);
    let both = [shown(&profile, 0), shown(&profile, 1)];
    let stand = both[1].iter().filter(|span| both[0].contains(span)).count();
    assert_eq!(stand, 1);
    // As they were recorded, and no two places for one.
    align(&mut profile, &AlignBy::Recorded).unwrap();
    assert_eq!(shown(&profile, 1), [[0, 100], [100, 200]]);
    let twice = AlignBy::Hand(vec![("#2".to_owned(), 1), ("run 1".to_owned(), 2)]);
    assert_eq!(align(&mut profile, &twice), Err(AlignError::Twice("run 1".to_owned())));
}
