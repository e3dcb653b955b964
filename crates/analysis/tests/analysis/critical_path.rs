//! Ways through spans.

use std::sync::Arc;

use analysis::{
    CriticalPath, Filter, FilterKind, Filtered, PathPart, critical_path, critical_path_of,
};
use profile::{
    Flow, FlowEnd, Metric, Place, Point, Points, Profile, ProfileBuilder, Span, Track, TrackId,
};
use proptest::prelude::*;

/// Spans as track, name, begin and end; flows as track and time of both ends.
pub(crate) fn profile(
    tracks: u32,
    spans: &[(u32, &str, i64, i64)],
    flows: &[[(u32, i64); 2]],
) -> Arc<Profile> {
    let mut builder = ProfileBuilder::new(vec![Metric::new("calls", "count")]);
    builder.points = Points::new(1);
    for number in 0..tracks {
        let thread = Some(builder.thread(None, &number.to_string()));
        builder.timeline.track(Track { thread, ..Track::default() });
    }
    for &(track, name, begin, end) in spans {
        let place = builder.place(&Place { function: name, ..Place::default() });
        let context = builder.stack([place]);
        let thread = Some(profile::ThreadId(track));
        let point = builder.points.push_point(Point { context, thread, ..Point::default() }, &[1]);
        let span = Span { begin, length: end - begin, point, ..Span::default() };
        builder.timeline.spans.push(TrackId(track), span);
    }
    for &[from, to] in flows {
        let end = |(track, time)| FlowEnd { track: TrackId(track), time };
        builder.timeline.flows.push(Flow { from: end(from), to: end(to), ..Flow::default() });
    }
    let profile = builder.finish();
    assert_eq!(profile.check(), []);
    Arc::new(profile)
}

fn path(profile: &Arc<Profile>, filters: &[Filter]) -> Option<CriticalPath> {
    let filtered = Filtered::new(profile.clone(), filters, false).unwrap();
    critical_path(&filtered, filters).unwrap()
}

/// Track, begin, end and name of each piece.
fn named_pieces(profile: &Profile, path: &CriticalPath) -> Vec<(u32, i64, i64, String)> {
    let name = |part: PathPart| match part {
        PathPart::Waiting => "waiting".to_owned(),
        PathPart::Flow(_) => "flow".to_owned(),
        PathPart::Span(row) => {
            let point = profile.timeline.spans.point(row).index();
            let frame = profile.frames_of(profile.points.context[point]).next_back().unwrap();
            profile.frame_name(profile::FrameId(frame)).into_owned()
        }
    };
    let pieces = path.pieces.iter();
    pieces.map(|one| (one.track.0, one.begin, one.end, name(one.part))).collect()
}

fn named(all: &[(u32, i64, i64, &str)]) -> Vec<(u32, i64, i64, String)> {
    all.iter().map(|&(track, begin, end, name)| (track, begin, end, name.to_owned())).collect()
}

#[test]
fn the_way_goes_from_what_arrives_last_to_where_it_left() {
    let spans = [
        (0, "request", 0, 100),
        (0, "wait", 12, 85),
        (1, "look up", 12, 30),
        (1, "reply", 60, 80),
        (2, "read", 30, 55),
    ];
    let flows = [
        [(0, 10), (1, 12)],
        [(1, 25), (2, 30)],
        [(2, 50), (1, 60)],
        [(1, 80), (0, 85)],
        // It arrives later than the span ends; it arrives before it leaves; it goes nowhere else.
        [(2, 90), (0, 101)],
        [(2, 99), (0, 95)],
        [(0, 20), (0, 95)],
    ];
    let found = profile(3, &spans, &flows);
    let way = path(&found, &[]).unwrap();
    let expected = [
        (0, 0, 10, "request"),
        (1, 10, 12, "flow"),
        (1, 12, 25, "look up"),
        (2, 25, 30, "flow"),
        (2, 30, 50, "read"),
        (1, 50, 60, "flow"),
        (1, 60, 80, "reply"),
        (0, 80, 85, "flow"),
        (0, 85, 100, "request"),
    ];
    assert_eq!(named_pieces(&found, &way), named(&expected));
    // Of another span; the thread of nothing that ran waits.
    let during =
        |pattern: &str| vec![Filter { kind: FilterKind::During, pattern: pattern.to_owned() }];
    let way = path(&found, &during("wait")).unwrap();
    let expected = [
        (1, 12, 25, "look up"),
        (2, 25, 30, "flow"),
        (2, 30, 50, "read"),
        (1, 50, 60, "flow"),
        (1, 60, 80, "reply"),
        (0, 80, 85, "flow"),
    ];
    assert_eq!(named_pieces(&found, &way), named(&expected));
    let idle = profile(2, &[(0, "a", 0, 50), (1, "b", 10, 20)], &[[(1, 40), (0, 45)]]);
    let way = path(&idle, &[]).unwrap();
    let expected = [
        (1, 0, 10, "waiting"),
        (1, 10, 20, "b"),
        (1, 20, 40, "waiting"),
        (0, 40, 45, "flow"),
        (0, 45, 50, "a"),
    ];
    assert_eq!(named_pieces(&idle, &way), named(&expected));
    assert_eq!(path(&idle, &during("nothing")), None);
}

/// Flows that take no time, round in a circle.
#[test]
fn circles_end() {
    let flows = [[(0, 5), (1, 5)], [(1, 5), (0, 5)], [(1, 5), (0, 5)]];
    let found = profile(2, &[(0, "a", 0, 10), (1, "b", 2, 9)], &flows);
    let way = path(&found, &[]).unwrap();
    let expected = [(1, 0, 2, "waiting"), (1, 2, 5, "b"), (0, 5, 10, "a")];
    assert_eq!(named_pieces(&found, &way), named(&expected));
}

/// Spans as track, name, begin and end, of spans as track, begin and length: those of a track nest, for what
/// sticks out is cut.
pub(crate) fn nested(mut spans: Vec<(u32, i64, i64)>) -> Vec<(u32, &'static str, i64, i64)> {
    let mut nested: Vec<(u32, &str, i64, i64)> = vec![];
    spans.sort_by_key(|&(track, begin, length)| (track, begin, -length));
    for (track, begin, length) in spans {
        let around = nested.iter().filter(|one| one.0 == track && one.2 <= begin && begin < one.3);
        let end = around.map(|one| one.3).min().unwrap_or(i64::MAX).min(begin + length);
        nested.push((track, "f", begin, end));
    }
    nested
}

proptest! {
    #[test]
    fn pieces_partition_the_span(
        spans in prop::collection::vec((0..4u32, 0..60i64, 0..40i64), 1..20),
        flows in prop::collection::vec((0..4u32, 0..80i64, 0..4u32, -2..20i64), 0..25),
    ) {
        let nested = nested(spans);
        let flows: Vec<[(u32, i64); 2]> =
            flows.iter().map(|&(from, left, to, takes)| [(from, left), (to, left + takes)]).collect();
        let found = profile(4, &nested, &flows);
        let longest = nested.iter().map(|one| one.3 - one.2).max().unwrap();
        let of_longest = path(&found, &[]).unwrap();
        prop_assert_eq!(found.timeline.spans.get(of_longest.span).length, longest);
        for row in 0..nested.len() {
            let way = critical_path_of(&found, row).unwrap();
            prop_assert_eq!(way.span, row);
            if row == of_longest.span {
                prop_assert_eq!(&way, &of_longest);
            }
            is_partition(&found, &flows, &way)?;
        }
        prop_assert_eq!(critical_path_of(&found, nested.len()), None);
    }
}

/// That the pieces of a way follow each other from the begin of its span to the end, and that each is what
/// happened then.
fn is_partition(
    found: &Profile,
    flows: &[[(u32, i64); 2]],
    way: &CriticalPath,
) -> Result<(), TestCaseError> {
    let span = found.timeline.spans.get(way.span);
    let mut at = span.begin;
    for piece in &way.pieces {
        prop_assert_eq!(piece.begin, at);
        prop_assert!(piece.end > at);
        at = piece.end;
        // Nanosecond by nanosecond the innermost span of the track.
        let rows = found.timeline.spans.of_track(piece.track);
        for time in piece.begin..piece.end {
            let mut open = rows.clone().filter(|&row| {
                let one = found.timeline.spans.get(row);
                one.begin <= time && time < one.end()
            });
            match piece.part {
                PathPart::Waiting => prop_assert_eq!(open.count(), 0),
                PathPart::Span(row) => prop_assert_eq!(open.next_back(), Some(row)),
                PathPart::Flow(_) => {
                    let is_it = |flow: &&[(u32, i64); 2]| {
                        flow[1] == (piece.track.0, piece.end)
                            && flow[0].1.max(span.begin) == piece.begin
                    };
                    prop_assert!(flows.iter().any(|flow| is_it(&flow)));
                }
            }
        }
    }
    prop_assert_eq!(at, span.end());
    Ok(())
}
