//! Bars and busy view units of many spans and samples against looking at every one.

use analysis::TrackChart;
use layout::{BarOf, LanesView, activity, lanes};
use profile::{
    Clock, Metric, Place, Point, Profile, ProfileBuilder, Span, Track, TrackId, TrackKind,
};

/// A generator of pseudo-random numbers below a limit.
fn random(mut state: u64) -> impl FnMut(u64) -> u64 {
    move |limit| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % limit
    }
}

/// Begin, end and depth of many calls, and of some that end behind what is around them where `overlaps`.
fn calls(count: usize, overlaps: bool) -> Vec<(i64, i64, usize)> {
    let mut random = random(7);
    let mut spans: Vec<(i64, i64, usize)> = vec![];
    let mut open: Vec<usize> = vec![];
    let mut now = 0;
    while spans.len() < count {
        now += [0, 1, 3, 50][random(4) as usize] * random(20) as i64;
        if open.len() > random(9) as usize {
            let last = open.pop().unwrap_or_default();
            let late = if overlaps && random(50) == 0 { 30 } else { 0 };
            spans[last] = (spans[last].0, now + late, 0);
        } else {
            open.push(spans.len());
            spans.push((now, now, 0));
        }
    }
    open.into_iter().for_each(|last| spans[last].1 = now + 1);
    spans.sort_by_key(|&(begin, end, _)| (begin, -end));
    let mut ends: Vec<i64> = vec![];
    for (begin, end, depth) in &mut spans {
        while ends.last().is_some_and(|last| last <= begin) {
            ends.pop();
        }
        *depth = ends.len();
        ends.push(*end);
    }
    spans
}

fn of_calls(spans: &[(i64, i64, usize)]) -> Profile {
    let mut builder = ProfileBuilder::new(vec![Metric::new("calls", "count")]);
    let track = Track { kind: TrackKind::Thread, ..Track::default() };
    let track = builder.timeline.track(track);
    let place = builder.place(&Place { function: "f", ..Place::default() });
    let context = builder.stack([place]);
    let point = builder.points.push_point(Point { context, ..Point::default() }, &[1]);
    for &(begin, end, _) in spans {
        let span = Span { begin, length: end - begin, point, ..Span::default() };
        builder.timeline.spans.push(track, span);
    }
    builder.finish()
}

fn view(from: i64, to: i64, width: f64) -> LanesView<'static> {
    let clock = Clock::even();
    LanesView { clock, from, to, width, first_row: 0, rows: 100, most_bars: usize::MAX }
}

/// The first of the longest within a part of time, how long it is there, and how long all are.
fn longest(
    row: &[(usize, i64, i64)],
    [from, to]: [i64; 2],
) -> Option<((usize, i64, i64), i64, i64)> {
    let inside =
        |(_, begin, end): &&(usize, i64, i64)| *begin < to && (*end > from || *begin >= from);
    let mut found = None;
    let mut all = 0;
    for &one in row.iter().filter(inside) {
        let length = (one.2.min(to) - one.1.max(from)).max(0);
        all += length;
        if found.is_none_or(|(_, known)| length > known) {
            found = Some((one, length));
        }
    }
    found.map(|(one, length)| (one, length, all))
}

#[test]
fn view_units_of_many_spans_are_what_looking_at_each_finds() {
    for overlaps in [false, true] {
        let spans = calls(30_000, overlaps);
        let profile = of_calls(&spans);
        assert!(overlaps || profile.check().is_empty());
        let chart = TrackChart::new(&profile, TrackId(0));
        let mut rows: Vec<Vec<(usize, i64, i64)>> = vec![vec![]; chart.rows()];
        for (at, &(begin, end, depth)) in spans.iter().enumerate() {
            rows[depth].push((at, begin, end));
            assert_eq!(chart.row_of(at), Some(depth));
        }
        let end = spans.iter().map(|span| span.1).max().unwrap_or(0);
        let views = [
            (0, end, 3),
            (0, end, 40),
            (-10, end + 10, 700),
            (end / 3, end / 2, 333),
            (end / 2, end / 2 + 900, 500),
        ];
        for (from, to, width) in views {
            let view = view(from, to, f64::from(width));
            let unit = (to - from) as f64 / f64::from(width);
            let edge = |cell: u32| from + (f64::from(cell) * unit).round() as i64;
            let mut expected = vec![];
            for cell in 0..width {
                let mut part = [edge(cell), edge(cell + 1)];
                let Some((mut one, _, all)) = longest(&rows[0], part).filter(|_| part[1] > part[0])
                else {
                    continue;
                };
                let share = all as f64 / (part[1] - part[0]) as f64;
                for row in &rows[1..] {
                    part = [part[0].max(one.1), part[1].min(one.2)];
                    match longest(row, part) {
                        Some((inner, length, _))
                            if length > 0 && length * 2 >= part[1] - part[0] =>
                        {
                            one = inner
                        }
                        _ => break,
                    }
                }
                expected.push((cell, share.min(1.0), BarOf::Span(one.0)));
            }
            let told = activity(&profile, &chart, &view);
            let told: Vec<_> = told.iter().map(|one| (one.unit, one.busy, one.of)).collect();
            assert_eq!(told, expected, "{from}..{to} in {width}, {overlaps}");

            let is_wide = |one: &(usize, i64, i64)| (one.2 - one.1) as f64 >= unit;
            let mut expected = vec![];
            for (number, row) in (0u32..).zip(&rows) {
                let mut next =
                    row.iter().position(|one| one.2 > from || one.1 >= from).unwrap_or(row.len());
                while next < row.len() && row[next].1 < to {
                    let cell = ((row[next].1 - from) as f64 / unit).floor() + 1.0;
                    let until = (from + (cell * unit).round() as i64).max(row[next].1 + 1);
                    let together = row[next..].iter().take_while(|one| one.1 < until).count();
                    let mut behind = if is_wide(&row[next]) { next + 1 } else { next + together };
                    if behind > next + 1 && is_wide(&row[behind - 1]) {
                        behind -= 1;
                    }
                    let run = &row[next..behind];
                    let Some((one, _, _)) = longest(run, [i64::MIN / 2, i64::MAX / 2]) else {
                        break;
                    };
                    expected.push((
                        number,
                        run[0].1,
                        run[run.len() - 1].2,
                        BarOf::Span(one.0),
                        run.len() as u32 - 1,
                    ));
                    next = behind;
                }
            }
            let told = lanes(&profile, &chart, &view);
            let told: Vec<_> = told
                .bars
                .iter()
                .map(|bar| (bar.row, bar.begin, bar.end, bar.of, bar.merged))
                .collect();
            assert_eq!(told, expected, "{from}..{to} in {width}, {overlaps}");
        }
    }
}

#[test]
fn bars_of_many_samples_are_what_neighbours_share() {
    let mut random = random(3);
    let mut builder = ProfileBuilder::new(vec![Metric::new("samples", "count")]);
    let thread = Some(builder.thread(None, "1"));
    builder.timeline.track(Track { kind: TrackKind::Thread, thread, ..Track::default() });
    let mut samples: Vec<(i64, Vec<String>)> = vec![];
    let mut stack: Vec<String> = vec![];
    let mut time = 0;
    for _ in 0..5_000 {
        stack.truncate(random(10) as usize);
        while stack.len() < 8 && random(3) > 0 {
            stack.push(format!("f{}", random(3)));
        }
        time += if random(100) == 0 { 900 } else { 10 };
        samples.push((time, stack.clone()));
        let places: Vec<_> = stack
            .iter()
            .map(|function| {
                builder.place(&Place { function, line: random(2) as u32, ..Place::default() })
            })
            .collect();
        let context = builder.stack(places);
        builder
            .points
            .push_point(Point { context, time: Some(time), thread, ..Point::default() }, &[1]);
    }
    let profile = builder.finish();
    let chart = TrackChart::new(&profile, TrackId(0));
    let view = LanesView { first_row: 1, ..view(0, time + 20, (time + 20) as f64) };
    let made = lanes(&profile, &chart, &view);
    let mut told: Vec<_> = made
        .bars
        .iter()
        .map(|bar| {
            let BarOf::Sample(frame, _) = bar.of else { panic!("no span") };
            (bar.row, bar.begin, bar.end, profile.frame_name(frame).into_owned())
        })
        .collect();
    let mut expected: Vec<(u32, i64, i64, String)> = vec![];
    for depth in 1..8usize {
        let mut open: Option<(u32, i64, i64, String)> = None;
        let mut before: &[String] = &[];
        for (at, (time, stack)) in samples.iter().enumerate() {
            let end = samples.get(at + 1).map_or(time + 20, |next| next.0.min(time + 20));
            let shares =
                stack.len() > depth && before.len() > depth && before[..=depth] == stack[..=depth];
            match &mut open {
                Some(bar) if shares && bar.2 == *time => bar.2 = end,
                _ => {
                    expected.extend(open.take());
                    open = stack.get(depth).map(|name| (depth as u32, *time, end, name.clone()));
                }
            }
            before = stack;
        }
        expected.extend(open);
    }
    told.sort();
    expected.sort();
    assert_eq!(told.len(), expected.len());
    assert_eq!(told, expected);
    assert_eq!(made.rows, 8);
    // Those that have no room are counted.
    let cut = lanes(&profile, &chart, &LanesView { most_bars: 0, ..view });
    assert_eq!((cut.bars.len(), cut.rows, cut.is_cut), (0, 8, true));
    let some = lanes(&profile, &chart, &LanesView { most_bars: 70, ..view });
    assert_eq!((&some.bars[..], some.is_cut), (&made.bars[..70], true));
}
