//! Filters and members by arguments of spans, against counting every nanosecond.

use std::collections::BTreeMap;
use std::sync::Arc;

use analysis::{Filter, FilterKind, Filtered, MembersBy, members_by, span_statistics};
use profile::{
    Label, LabelSetId, LabelValue, Metric, Place, Point, PointId, Points, Profile, ProfileBuilder,
    Span, StringId, Timing, Track, TrackKind,
};
use proptest::prelude::*;

/// A call: its name, what its arguments say, what is before it, its own time, and what is inside.
#[derive(Debug, Clone)]
struct Call {
    name: u8,
    route: Option<u8>,
    size: Option<u8>,
    before: u8,
    own: u8,
    inside: Vec<Call>,
}

fn call() -> impl Strategy<Value = Call> {
    let one = || (0..3u8, prop::option::of(0..2u8), prop::option::of(0..9u8), 0..3u8, 0..4u8);
    let leaf = one().prop_map(|(name, route, size, before, own)| Call {
        name,
        route,
        size,
        before,
        own,
        inside: vec![],
    });
    leaf.prop_recursive(4, 24, 3, move |inner| {
        (one(), prop::collection::vec(inner, 0..3)).prop_map(
            |((name, route, size, before, own), inside)| Call {
                name,
                route,
                size,
                before,
                // What ends with the call around it might as well belong to the next one.
                own: own.max(1),
                inside,
            },
        )
    })
}

/// A call in time: the names around it and its own, and the values that count for it.
#[derive(Debug, Clone)]
struct Called {
    path: Vec<u8>,
    /// Its own arguments.
    arguments: (Option<u8>, Option<u8>),
    /// Those of itself or else of the nearest call around it.
    route: Option<u8>,
    size: Option<u8>,
    begin: i64,
    end: i64,
}

fn flat(calls: &[Call], around: Option<&Called>, start: i64, out: &mut Vec<Called>) -> i64 {
    let mut at = start;
    for call in calls {
        at += i64::from(call.before);
        let mut path = around.map_or_else(Vec::new, |around| around.path.clone());
        path.push(call.name);
        let place = out.len();
        let mut called = Called {
            path,
            arguments: (call.route, call.size),
            route: call.route.or(around.and_then(|around| around.route)),
            size: call.size.or(around.and_then(|around| around.size)),
            begin: at,
            end: at,
        };
        out.push(called.clone());
        called.end = flat(&call.inside, Some(&called), at, out) + i64::from(call.own);
        at = called.end;
        out[place] = called;
    }
    at
}

const TIME: usize = 0;
const CALLS: usize = 1;

fn labels(builder: &mut ProfileBuilder, (route, size): (Option<u8>, Option<u8>)) -> LabelSetId {
    let mut labels = vec![];
    if let Some(route) = route {
        let text = builder.strings.intern(["/a", "/b"][usize::from(route)]);
        let key = builder.strings.intern("route");
        labels.push(Label { key, value: LabelValue::Text(text) });
    }
    if let Some(size) = size {
        let key = builder.strings.intern("size");
        labels.push(Label { key, value: LabelValue::Number(size.into(), StringId::EMPTY) });
    }
    builder.labels.add(&labels)
}

/// A thread with calls, whose points count all calls of a path.
fn profile(calls: &[Called]) -> Arc<Profile> {
    let mut builder = ProfileBuilder::new(vec![
        Metric::new("time", "nanoseconds"),
        Metric { timing: Timing::Begins, ..Metric::new("calls", "count") },
    ]);
    builder.points = Points::new(2);
    let thread = Some(builder.thread(None, "1"));
    let track = Track { kind: TrackKind::Thread, thread, ..Track::default() };
    let track = builder.timeline.track(track);
    let mut points = BTreeMap::<Vec<u8>, PointId>::new();
    for call in calls {
        let point = match points.get(&call.path) {
            Some(point) => *point,
            None => {
                let names = call.path.iter().map(|name| format!("f{name}"));
                let places: Vec<_> = names
                    .map(|name| builder.place(&Place { function: &name, ..Place::default() }))
                    .collect();
                let context = builder.stack(places);
                let point = Point { context, thread, ..Point::default() };
                let point = builder.points.push_point(point, &[0, 0]);
                points.insert(call.path.clone(), point);
                point
            }
        };
        let length = call.end - call.begin;
        let row = builder.points.row_mut(point);
        (row[TIME], row[CALLS]) = (row[TIME] + length, row[CALLS] + 1);
        if let Some(caller) = points.get(&call.path[..call.path.len() - 1]).copied() {
            builder.points.row_mut(caller)[TIME] -= length;
        }
        let arguments = labels(&mut builder, call.arguments);
        let span = Span { begin: call.begin, length, point, arguments, ..Span::default() };
        builder.timeline.spans.push(track, span);
    }
    let profile = builder.finish();
    assert_eq!(profile.check(), []);
    Arc::new(profile)
}

/// By path, own nanoseconds and calls of those that `counts` says, in a range of time.
fn expected(
    calls: &[Called],
    [from, to]: [i64; 2],
    counts: impl Fn(&Called) -> bool,
) -> BTreeMap<Vec<u8>, [i64; 2]> {
    let mut sums = BTreeMap::<Vec<u8>, [i64; 2]>::new();
    for at in from..to.min(300) {
        let running = calls.iter().filter(|call| (call.begin..call.end).contains(&at));
        if let Some(call) = running.max_by_key(|call| call.path.len()).filter(|call| counts(call)) {
            sums.entry(call.path.clone()).or_default()[TIME] += 1;
        }
    }
    for call in calls.iter().filter(|call| counts(call) && (from..to).contains(&call.begin)) {
        sums.entry(call.path.clone()).or_default()[CALLS] += 1;
    }
    sums
}

fn path(profile: &Profile, context: profile::ContextId) -> Vec<u8> {
    let mut names = vec![];
    let mut at = Some(context);
    while let Some(context) = at {
        for frame in profile.frames_of(context).rev() {
            names.push(profile.frame_name(profile::FrameId(frame))[1..].parse().unwrap());
        }
        at = profile.contexts.parent(context);
    }
    names.reverse();
    names
}

fn filtered(profile: &Arc<Profile>, filters: &[(FilterKind, &str)]) -> Filtered {
    let filter = |(kind, pattern): &(FilterKind, &str)| Filter {
        kind: *kind,
        pattern: (*pattern).to_owned(),
    };
    let filters: Vec<Filter> = filters.iter().map(filter).collect();
    Filtered::new(profile.clone(), &filters, false).unwrap()
}

fn found(filtered: &Filtered) -> BTreeMap<Vec<u8>, [i64; 2]> {
    let rows = filtered.self_values();
    let rows = rows.iter().map(|(context, row)| (path(filtered.profile(), context), row));
    rows.filter(|(_, row)| **row != [0, 0]).map(|(path, row)| (path, [row[0], row[1]])).collect()
}

type Counts = Box<dyn Fn(&Called) -> bool>;

proptest! {
    #[test]
    fn filters_keep_what_runs_inside_spans_with_the_argument(
        calls in prop::collection::vec(call(), 0..5),
        from in 0..20i64,
        length in 1..60i64,
    ) {
        let mut all = vec![];
        flat(&calls, None, 0, &mut all);
        let profile = profile(&all);
        use FilterKind::{LabelFocus, LabelIgnore, Time};
        let everything = [0, i64::MAX];
        let range = format!("{from}ns..{}ns", from + length);
        let window = [from, from + length];
        let cases: Vec<(Vec<(FilterKind, &str)>, [i64; 2], Counts)> = vec![
            (vec![(LabelFocus, "route=/a")], everything, Box::new(|c| c.route == Some(0))),
            (vec![(LabelFocus, "route=.")], everything, Box::new(|c| c.route.is_some())),
            (vec![(LabelIgnore, "route=/a")], everything, Box::new(|c| c.route != Some(0))),
            (
                vec![(LabelFocus, "size=3:6")],
                everything,
                Box::new(|c| c.size.is_some_and(|size| (3..=6).contains(&size))),
            ),
            (
                vec![(LabelFocus, "route=/b"), (LabelIgnore, "size=5:")],
                everything,
                Box::new(|c| c.route == Some(1) && c.size.is_none_or(|size| size < 5)),
            ),
            (
                vec![(LabelFocus, "route=/a"), (Time, &range)],
                window,
                Box::new(|c| c.route == Some(0)),
            ),
            (
                vec![(Time, &range), (LabelFocus, "route=/a")],
                window,
                Box::new(|c| c.route == Some(0)),
            ),
            (vec![(LabelFocus, "thread=2")], everything, Box::new(|_| false)),
        ];
        for (filters, window, counts) in cases {
            let filtered = filtered(&profile, &filters);
            prop_assert_eq!(found(&filtered), expected(&all, window, &counts), "{:?}", filters);
            let kept = Arc::new(filtered.kept());
            prop_assert_eq!(kept.check(), []);
            if window == everything {
                // Spans are those that count, one by one.
                let kept = (0..kept.timeline.spans.len()).map(|row| {
                    let span = kept.timeline.spans.get(row);
                    (span.begin, path(&kept, kept.points.context[span.point.index()]), span.length)
                });
                let mut kept: Vec<_> = kept.collect();
                let wanted = all.iter().filter(|call| counts(call));
                let mut wanted: Vec<_> =
                    wanted.map(|c| (c.begin, c.path.clone(), c.end - c.begin)).collect();
                kept.sort();
                wanted.sort();
                prop_assert_eq!(kept, wanted);
                let statistics = span_statistics(&filtered);
                let spans: u64 = statistics.iter().map(|of| of.count).sum();
                prop_assert_eq!(spans as usize, all.iter().filter(|call| counts(call)).count());
            }
        }
    }

    #[test]
    fn members_are_the_values_of_the_argument(calls in prop::collection::vec(call(), 0..5)) {
        let mut all = vec![];
        flat(&calls, None, 0, &mut all);
        let profile = profile(&all);
        let everything = [0, i64::MAX];
        for key in ["route", "size"] {
            let by = MembersBy::Label(key.to_owned());
            let value = |call: &Called| match key {
                "route" => call.route.map(|route| ["/a", "/b"][usize::from(route)].to_owned()),
                _ => call.size.map(|size| size.to_string()),
            };
            let Some(split) = members_by(&profile, &by) else {
                prop_assert!(all.iter().all(|call| value(call).is_none()));
                continue;
            };
            prop_assert!(MembersBy::choices(&profile).contains(&by));
            let split = Arc::new(split);
            let names: Vec<String> =
                split.members.iter().map(|member| member.name.clone()).collect();
            for name in &names {
                let pattern = format!("member=^{}$", name.replace('(', "[(]").replace(')', "[)]"));
                let alone = filtered(&split, &[(FilterKind::LabelFocus, &pattern)]);
                let is_without = *name == format!("(no label {key})");
                let counts = |call: &Called| match value(call) {
                    Some(value) => value == *name,
                    None => is_without,
                };
                prop_assert_eq!(found(&alone), expected(&all, everything, counts), "{}", name);
            }
            let calls = all.iter().map(value);
            for value in calls {
                let name = value.unwrap_or_else(|| format!("(no label {key})"));
                prop_assert!(names.contains(&name), "{}", name);
            }
        }
    }
}

/// Requests of one name that overlap on a lane, each with a query: spans are begin, length, whether it is a
/// query, its arguments and its operation.
fn lane(spans: &[(i64, i64, bool, Option<u8>, u32)]) -> Arc<Profile> {
    let mut builder = ProfileBuilder::new(vec![Metric::new("time", "nanoseconds")]);
    builder.points = Points::new(1);
    let thread = Some(builder.thread(None, "lane"));
    let track = Track { kind: TrackKind::Lane, thread, ..Track::default() };
    let track = builder.timeline.track(track);
    let request = builder.place(&Place { function: "request", ..Place::default() });
    let query = builder.place(&Place { function: "query", ..Place::default() });
    let outer = builder.stack(vec![request]);
    let inner = builder.stack(vec![request, query]);
    let sum = |of: bool| -> i64 {
        spans.iter().filter(|(_, _, is_query, ..)| *is_query == of).map(|span| span.1).sum()
    };
    let of = |context| Point { context, thread, ..Point::default() };
    let outer = builder.points.push_point(of(outer), &[sum(false) - sum(true)]);
    let inner = builder.points.push_point(of(inner), &[sum(true)]);
    for &(begin, length, is_query, route, operation) in spans {
        let point = if is_query { inner } else { outer };
        let arguments = labels(&mut builder, (route, None));
        let span = Span { begin, length, point, arguments, operation, ..Span::default() };
        builder.timeline.spans.push(track, span);
    }
    let profile = builder.finish();
    assert_eq!(profile.check(), []);
    Arc::new(profile)
}

#[test]
fn operations_that_overlap_keep_apart() {
    let profile = lane(&[
        (0, 90, false, Some(0), 1),
        (10, 90, false, Some(1), 2),
        (20, 30, true, None, 1),
        (60, 7, true, None, 2),
    ]);
    let split = members_by(&profile, &MembersBy::Label("route".to_owned())).unwrap();
    let split = Arc::new(split);
    for (route, own, inside) in [("/a", 60, 30), ("/b", 83, 7)] {
        let pattern = format!("route={route}");
        let filtered = filtered(&profile, &[(FilterKind::LabelFocus, &pattern)]);
        let rows: Vec<i64> = filtered.self_values().iter().map(|(_, row)| row[0]).collect();
        assert_eq!(rows, [own, inside], "{route}");
        let member = format!("member={route}");
        let filters = [Filter { kind: FilterKind::LabelFocus, pattern: member }];
        let member = Filtered::new(split.clone(), &filters, false).unwrap();
        let rows: Vec<i64> = member.self_values().iter().map(|(_, row)| row[0]).collect();
        assert_eq!(rows, [own, inside], "{route}");
    }
    // Members that are parts have no spans any more, so nothing says which of them match.
    for kind in [FilterKind::LabelFocus, FilterKind::LabelIgnore] {
        let filters = [Filter { kind, pattern: "route=/a".to_owned() }];
        let error = Filtered::new(split.clone(), &filters, false).unwrap_err().to_string();
        assert!(error.contains("route=/a"), "{error}");
    }
}

#[test]
fn of_several_values_of_a_key_the_innermost_counts() {
    let call = |route, own, inside| Call { name: 0, route, size: None, before: 0, own, inside };
    let calls = [call(Some(0), 5, vec![call(Some(1), 3, vec![call(None, 2, vec![])])])];
    let mut all = vec![];
    flat(&calls, None, 0, &mut all);
    let profile = profile(&all);
    for (pattern, expected) in
        [("route=/a", 5), ("route:/a", 5), ("/a$", 5), ("/b", 5), ("/a,/b", 0), ("route:,/b", 5)]
    {
        let filtered = filtered(&profile, &[(FilterKind::LabelFocus, pattern)]);
        let sum: i64 = filtered.self_values().iter().map(|(_, row)| row[TIME]).sum();
        assert_eq!(sum, expected, "{pattern}");
    }
}

#[test]
fn many_spans_of_one_instant_are_looked_at_once() {
    let mut all = vec![Called {
        path: vec![0],
        arguments: (Some(0), None),
        route: Some(0),
        size: None,
        begin: 0,
        end: 100,
    }];
    let instant =
        Called { path: vec![0, 1], arguments: (None, None), begin: 50, end: 50, ..all[0].clone() };
    all.extend(std::iter::repeat_n(instant, 200_000));
    let profile = profile(&all);
    let filtered = filtered(&profile, &[(FilterKind::LabelFocus, "route=/a")]);
    assert_eq!(found(&filtered)[&vec![0, 1]], [0, 200_000]);
}
