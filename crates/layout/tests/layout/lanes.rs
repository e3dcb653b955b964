//! Bars of time against looking at every span.

use analysis::TrackChart;
use layout::{BarOf, LanesView, activity, lanes};
use profile::{
    Clock, Metric, Place, Point, Profile, ProfileBuilder, Span, Track, TrackId, TrackKind,
};
use proptest::prelude::*;

/// Begin and end of spans that nest, what is around before what is inside, with their depth.
fn nested() -> impl Strategy<Value = Vec<(i64, i64, u32)>> {
    let step = (0..3u8, 0..40i64);
    prop::collection::vec(step, 0..120).prop_map(|steps| {
        let mut spans: Vec<(i64, i64, u32)> = vec![];
        let mut open: Vec<usize> = vec![];
        let mut now = 0;
        for (what, after) in steps {
            now += after;
            if what == 0 {
                if let Some(last) = open.pop() {
                    spans[last].1 = now;
                }
                continue;
            }
            open.push(spans.len());
            spans.push((now, now, open.len() as u32 - 1));
        }
        open.into_iter().for_each(|last| spans[last].1 = now + 1);
        // Of those without a length it is not plain what is inside of what.
        let mut kept: Vec<(i64, i64, u32)> = vec![];
        for (begin, end, _) in spans.into_iter().filter(|(begin, end, _)| end > begin) {
            let depth = kept.iter().filter(|(from, to, _)| *from <= begin && end <= *to).count();
            kept.push((begin, end, depth as u32));
        }
        kept
    })
}

fn profile(spans: &[(i64, i64, u32)]) -> Profile {
    on_track(TrackKind::Thread, spans)
}

fn on_track(kind: TrackKind, spans: &[(i64, i64, u32)]) -> Profile {
    let mut builder = ProfileBuilder::new(vec![Metric::new("calls", "count")]);
    let track = builder.timeline.track(Track { kind, ..Track::default() });
    for &(begin, end, depth) in spans {
        let function = format!("f{depth}");
        let place = builder.place(&Place { function: &function, ..Place::default() });
        let context = builder.stack([place]);
        let point = builder.points.push_point(Point { context, ..Point::default() }, &[1]);
        let span = Span { begin, length: end - begin, point, ..Span::default() };
        builder.timeline.spans.push(track, span);
    }
    builder.finish()
}

proptest! {
    /// On a lane spans overlap: a view unit is as busy as all of them together make it.
    #[test]
    fn lanes_are_busy_while_anything_runs(
        spans in prop::collection::vec((0..500i64, 1..300i64), 1..30),
        (from, length, width) in (0..400i64, 1..600i64, 1..60u32),
    ) {
        let mut spans: Vec<_> = spans.into_iter().map(|(begin, lasts)| (begin, begin + lasts, 0)).collect();
        spans.sort_unstable();
        let profile = on_track(TrackKind::Lane, &spans);
        let chart = TrackChart::new(&profile, TrackId(0));
        let view = LanesView { clock: Clock::even(), from, to: from + length, width: f64::from(width), first_row: 0, rows: 0, most_bars: 0 };
        let told = activity(&profile, &chart, &view);
        let unit = length as f64 / f64::from(width);
        let edge = |cell: u32| from + (f64::from(cell) * unit).round() as i64;
        let mut expected = vec![];
        for cell in 0..width {
            let all = edge(cell)..edge(cell + 1);
            let runs = |at: &i64| spans.iter().any(|(begin, end, _)| (*begin..*end).contains(at));
            let busy = all.clone().filter(runs).count();
            if busy > 0 {
                expected.push((cell, busy as f64 / (all.end - all.start) as f64));
            }
        }
        let told: Vec<_> = told.iter().map(|one| (one.unit, one.busy)).collect();
        prop_assert_eq!(told, expected);
    }

    #[test]
    fn bars_are_all_spans_of_the_window(spans in nested(), from in 0..2000i64, length in 1..3000i64, width in 1..200u32) {
        let profile = profile(&spans);
        let chart = TrackChart::new(&profile, TrackId(0));
        let view = LanesView { clock: Clock::even(), from, to: from + length, width: f64::from(width), first_row: 0, rows: 100, most_bars: 100_000 };
        let made = lanes(&profile, &chart, &view);
        let deepest = spans.iter().map(|span| span.2 + 1).max().unwrap_or(0);
        prop_assert_eq!(made.rows, deepest);
        let unit = length as f64 / f64::from(width);
        for row in 0..deepest {
            let inside: Vec<_> = spans.iter().filter(|(begin, end, depth)| *depth == row && *begin < from + length && *end > from).collect();
            let bars: Vec<_> = made.bars.iter().filter(|bar| bar.row == row).collect();
            let count: u32 = bars.iter().map(|bar| 1 + bar.merged).sum();
            // Of the last view unit, those behind the window's end may be in it too.
            let more = spans.iter().filter(|(begin, _, depth)| *depth == row && *begin >= from + length && (*begin as f64) < (from + length) as f64 + unit).count();
            prop_assert!((inside.len()..=inside.len() + more).contains(&(count as usize)), "{} {count} {more}", inside.len());
            for pair in bars.windows(2) {
                prop_assert!(pair[0].end <= pair[1].begin);
            }
            for bar in bars {
                let BarOf::Span(span) = bar.of else { panic!("no sample") };
                let span = profile.timeline.spans.get(span);
                prop_assert!(bar.begin <= span.begin && span.end() <= bar.end);
                if bar.merged == 0 {
                    prop_assert_eq!((bar.begin, bar.end), (span.begin, span.end()));
                } else {
                    prop_assert!(((bar.end - bar.begin) as f64) < 2.0 * unit + 2.0);
                    let longest = spans.iter().filter(|(begin, end, depth)| *depth == row && bar.begin <= *begin && *end <= bar.end).map(|(begin, end, _)| end - begin).max();
                    prop_assert_eq!(Some(span.length), longest);
                }
            }
        }
    }

    #[test]
    fn a_view_unit_is_as_busy_as_its_nanoseconds(spans in nested(), from in 0..2000i64, unit in 1..40i64, width in 1..60u32) {
        let profile = profile(&spans);
        let chart = TrackChart::new(&profile, TrackId(0));
        let to = from + unit * i64::from(width);
        let view = LanesView { clock: Clock::even(), from, to, width: f64::from(width), first_row: 0, rows: 0, most_bars: 0 };
        let told = activity(&profile, &chart, &view);
        for cell in 0..width {
            let begin = from + unit * i64::from(cell);
            let busy = (begin..begin + unit).filter(|at| spans.iter().any(|(from, to, _)| (*from..*to).contains(at))).count();
            let found = told.iter().find(|one| one.unit == cell);
            prop_assert_eq!(found.is_some(), busy > 0);
            if let Some(found) = found {
                prop_assert!((found.busy - busy as f64 / unit as f64).abs() < 1e-9);
            }
        }
    }
}

#[test]
fn samples_in_time_order_are_bars_of_their_stacks() {
    let mut builder = ProfileBuilder::new(vec![Metric::new("samples", "count")]);
    let thread = builder.thread(None, "1");
    let of = Some(thread);
    builder.timeline.track(Track { kind: TrackKind::Thread, thread: of, ..Track::default() });
    for (time, stack) in [(0, "ab"), (10, "ab"), (20, "ac"), (30, "a"), (90, "ab")] {
        let places: Vec<_> = stack
            .chars()
            .map(|name| {
                let function = name.to_string();
                builder.place(&Place { function: &function, ..Place::default() })
            })
            .collect();
        let context = builder.stack(places);
        let point = Point { context, time: Some(time), thread: of, ..Point::default() };
        builder.points.push_point(point, &[1]);
    }
    let profile = builder.finish();
    let chart = TrackChart::new(&profile, TrackId(0));
    let view = LanesView {
        clock: Clock::even(),
        from: 0,
        to: 100,
        width: 100.0,
        first_row: 0,
        rows: 9,
        most_bars: 1000,
    };
    let made = lanes(&profile, &chart, &view);
    let told: Vec<_> = made
        .bars
        .iter()
        .map(|bar| {
            let BarOf::Sample(frame, _) = bar.of else { panic!("no span") };
            (bar.row, bar.begin, bar.end, profile.frame_name(frame).into_owned())
        })
        .collect();
    let expected =
        [(0, 0, 50, "a"), (0, 90, 110, "a"), (1, 0, 20, "b"), (1, 20, 30, "c"), (1, 90, 110, "b")];
    let expected: Vec<_> =
        expected.map(|(row, begin, end, name)| (row, begin, end, name.to_owned())).into();
    assert_eq!((told, made.rows), (expected, 2));
}
