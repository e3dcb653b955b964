//! Recordings on one axis of time.

use analysis::{AlignBy, AlignError, Merge, align};
use profile::{
    FlowEnd, Mark, Metric, Place, Point, PointId, Profile, ProfileBuilder, Span, Track, TrackId,
    TrackKind,
};
use proptest::prelude::*;

/// A recording whose spans `phase` begin at `spans`, with a sample, a mark `lap`, a value and a flow at
/// each of `times`.
fn recording(spans: &[i64], times: &[i64], measured: i64) -> Profile {
    let mut builder = ProfileBuilder::new(vec![Metric::new("time", "nanoseconds")]);
    builder.origin.time_ns = measured;
    let place = builder.place(&Place { function: "phase", ..Place::default() });
    let context = builder.stack([place]);
    let thread = builder.thread(None, "1");
    let kind = TrackKind::Thread;
    let track = Track { kind, thread: Some(thread), ..Track::default() };
    let track = builder.timeline.track(track);
    let point = Point { context, thread: Some(thread), ..Point::default() };
    let counted = builder.points.push_point(point, &[1]);
    for &begin in spans {
        let span = Span { begin, length: 2, point: counted, ..Span::default() };
        builder.timeline.spans.push(track, span);
    }
    let lap = builder.strings.intern("lap");
    for &time in times {
        builder.points.push_point(Point { time: Some(time), ..point }, &[1]);
        builder.timeline.mark(Mark { track, time, kind: lap, ..Mark::default() });
        builder.timeline.counter(track, lap, lap).push(time, 1.0);
        let end = FlowEnd { track, time };
        builder.timeline.flows.push(profile::Flow { name: lap, from: end, to: end });
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

/// All times of a member, in words.
fn times(profile: &Profile, member: usize) -> Vec<String> {
    let timeline = &profile.timeline;
    let is_of = |track: TrackId| timeline.tracks[track.index()].member.index() == member;
    let mut all = vec![];
    for point in 0..profile.points.len() {
        if profile.points.member(point).index() == member {
            all.extend(profile.points.time(point).map(|time| format!("point {time}")));
        }
    }
    for track in (0..timeline.tracks.len() as u32).map(TrackId).filter(|track| is_of(*track)) {
        for row in timeline.spans.of_track(track) {
            let Span { begin, length, point: PointId(_), .. } = timeline.spans.get(row);
            all.push(format!("span {begin} {length}"));
        }
        let marks = timeline.marks.of_track(track);
        all.extend(marks.map(|row| format!("mark {}", timeline.marks.get(track, row).time)));
    }
    for counter in timeline.counters.iter().filter(|counter| is_of(counter.track)) {
        all.extend(counter.times.iter().map(|time| format!("value {time}")));
    }
    for flow in timeline.flows.iter().filter(|flow| is_of(flow.from.track)) {
        all.push(format!("flow {} {}", flow.from.time, flow.to.time));
    }
    all.sort();
    all
}

proptest! {
    /// What is moved is the recording with every time that much later.
    #[test]
    fn all_of_a_recording_moves(
        spans in prop::collection::btree_set(0..50i64, 1..4),
        at in prop::collection::btree_set(0..50i64, 0..4),
        by in -1000..1000i64,
    ) {
        let (spans, at): (Vec<_>, Vec<_>) = (spans.into_iter().collect(), at.into_iter().collect());
        let later = |times: &[i64]| times.iter().map(|time| time + by).collect::<Vec<_>>();
        let (first, second) = (recording(&[7], &[9], 0), recording(&spans, &at, 0));
        let expected = merged(&[first.clone(), recording(&later(&spans), &later(&at), 0)]);
        let mut told = merged(&[first, second]);
        let name = told.members[1].name.clone();
        let aligned = align(&mut told, &AlignBy::Hand(vec![(name, by)])).unwrap();
        prop_assert_eq!(aligned.moved, [0, by]);
        prop_assert_eq!(told.check(), []);
        for member in 0..2 {
            prop_assert_eq!(times(&told, member), times(&expected, member));
        }
    }

    /// What recordings are aligned by stands at one time, that of the first.
    #[test]
    fn what_belongs_together_stands_together(
        runs in prop::collection::vec((prop::collection::btree_set(0..50i64, 1..4), 1..90i64), 2..4),
        by in prop::sample::select(vec!["start", "clock", "at:^pha", "at:lap"]),
    ) {
        let recordings: Vec<Profile> = runs
            .iter()
            .map(|(spans, measured)| {
                let spans: Vec<i64> = spans.iter().copied().collect();
                recording(&spans, &[spans[0] + 5], *measured)
            })
            .collect();
        let mut all = merged(&recordings);
        let moved = align(&mut all, &by.parse().unwrap()).unwrap().moved;
        let began = |run: usize| *runs[run].0.first().unwrap();
        for run in 0..runs.len() {
            let expected = if by == "clock" { runs[run].1 - runs[0].1 } else { began(0) - began(run) };
            prop_assert_eq!(moved[run], expected);
        }
    }
}

#[test]
fn what_cannot_be_aligned_says_why() {
    let [one, two] = [recording(&[3], &[], 0), recording(&[5], &[], 7)];
    let of = |by: &str, recordings: &[Profile]| {
        let error = align(&mut merged(recordings), &by.parse().unwrap()).unwrap_err();
        error.to_string()
    };
    assert_eq!(of("start", std::slice::from_ref(&one)), AlignError::Single.to_string());
    let both = [one, two];
    assert_eq!(
        of("clock", &both),
        "'run 0' does not say when it was measured: align by start, or at a span"
    );
    assert_eq!(of("at:nowhere", &both), "no span and no mark of 'run 0' matches 'nowhere'");
    assert_eq!(
        of("run 2=1s", &both),
        "0 recordings are called 'run 2': there are 'run 0', 'run 1'"
    );
    for wrong in ["", "end", "at:", "a=b", "a=1", "a=1s,"] {
        assert!(wrong.parse::<AlignBy>().is_err(), "{wrong}");
    }
    let moved = align(&mut merged(&both), &"#2=1s".parse().unwrap()).unwrap().moved;
    assert_eq!(moved, [0, 1_000_000_000]);
    for by in ["start", "clock", "at:^a=b$", "a=1.5s,b=-20ms"] {
        assert_eq!(by.parse::<AlignBy>().unwrap().to_string(), by);
    }
}
