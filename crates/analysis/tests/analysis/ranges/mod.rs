//! Ranges of time, against counting every nanosecond.

mod around;
mod figures;
mod kept;
mod notes;

use std::collections::BTreeMap;
use std::sync::Arc;

use analysis::{Filter, FilterKind, Filtered, HeatGrid, heat};
use profile::{
    ContextId, Mark, Metric, Place, Point, PointId, Points, Profile, ProfileBuilder, Span,
    ThreadId, Timing, Track, TrackId, TrackKind,
};
use proptest::prelude::*;

/// A name, how long before it nothing is, how long it is itself, and what is inside.
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
    leaf.prop_recursive(4, 20, 3, |inner| {
        (0..4u8, 0..4u8, 0..5u8, prop::collection::vec(inner, 0..3))
            .prop_map(|(name, before, own, inside)| Nest { name, before, own, inside })
    })
}

/// Spans of this name never end: their time is that of what is around them.
const UNFINISHED: u8 = 3;

/// A span: the names around it and its own, its begin and its end.
type Called = (Vec<u8>, i64, i64);

fn flat(nests: &[Nest], path: &[u8], start: i64, out: &mut Vec<Called>) {
    let mut at = start;
    for one in nests {
        at += i64::from(one.before);
        let mut path = path.to_vec();
        path.push(one.name);
        out.push((path.clone(), at, at + one.length()));
        flat(&one.inside, &path, at, out);
        at += one.length();
    }
}

/// Of each thread its calls; operations that overlap on a lane, each with what is inside; samples: their
/// name, thread, time, length and weight.
#[derive(Debug, Clone)]
struct Recording {
    threads: Vec<Vec<Nest>>,
    operations: Vec<(u8, Nest)>,
    samples: Vec<(u8, u8, u8, u8, i8)>,
}

fn recording() -> impl Strategy<Value = Recording> {
    let threads = prop::collection::vec(prop::collection::vec(nest(), 0..4), 2);
    let operations = prop::collection::vec((0..10u8, nest()), 0..4);
    let samples = prop::collection::vec((0..3u8, 0..2u8, 0..30u8, 0..6u8, any::<i8>()), 0..8);
    (threads, operations, samples).prop_map(|(threads, operations, samples)| Recording {
        threads,
        operations,
        samples,
    })
}

const TIME: usize = 0;
const CALLS: usize = 1;
const LENGTH: usize = 3;
const WEIGHT: usize = 4;

fn metrics() -> Vec<Metric> {
    let metric = |name: &str, unit: &str, timing| Metric { timing, ..Metric::new(name, unit) };
    vec![
        metric("time", "nanoseconds", Timing::Instant),
        metric("calls", "count", Timing::Begins),
        metric("bytes", "bytes", Timing::Instant),
        metric("length", "nanoseconds", Timing::Length),
        metric("weight", "count", Timing::Instant),
        metric("begun", "count", Timing::Begins),
    ]
}

fn context(builder: &mut ProfileBuilder, path: &[u8]) -> ContextId {
    let places: Vec<_> = path
        .iter()
        .map(|name| {
            let function = format!("f{name}");
            builder.place(&Place { function: &function, ..Place::default() })
        })
        .collect();
    builder.stack(places)
}

/// The points that count spans, by thread and path.
#[derive(Default)]
struct Counting(BTreeMap<(u32, Vec<u8>), PointId>);

impl Counting {
    fn push(
        &mut self,
        builder: &mut ProfileBuilder,
        (track, thread): (profile::TrackId, ThreadId),
        calls: &[Called],
    ) {
        for (path, begin, end) in calls {
            let context = context(builder, path);
            let point = *self.0.entry((thread.0, path.clone())).or_insert_with(|| {
                let point = Point { context, thread: Some(thread), ..Point::default() };
                builder.points.push_point(point, &[0; 6])
            });
            let is_unfinished = path.last() == Some(&UNFINISHED);
            let row = builder.points.row_mut(point);
            (row[CALLS], row[2]) = (row[CALLS] + 1, row[2] + 7);
            if !is_unfinished {
                row[TIME] += end - begin;
                let mut around = &path[..path.len() - 1];
                while around.last() == Some(&UNFINISHED) {
                    around = &around[..around.len() - 1];
                }
                if let Some(caller) = self.0.get(&(thread.0, around.to_vec())) {
                    builder.points.row_mut(*caller)[TIME] -= end - begin;
                }
            }
            let length = end - begin;
            let span = Span { begin: *begin, length, point, is_unfinished, ..Span::default() };
            builder.timeline.spans.push(track, span);
        }
    }
}

fn profile(recording: &Recording) -> Arc<Profile> {
    marked(recording, &[])
}

/// Track, time and kind of marks, of which there are two. Tracks are of two threads, of a lane, and of the
/// process of all of them.
fn marked(recording: &Recording, marks: &[(u8, u8, u8)]) -> Arc<Profile> {
    let mut builder = ProfileBuilder::new(metrics());
    builder.points = Points::new(6);
    let process = Some(builder.process("1"));
    let mut counting = Counting::default();
    for (number, nests) in recording.threads.iter().enumerate() {
        let thread = builder.thread(process, &number.to_string());
        let (kind, of) = (TrackKind::Thread, Some(thread));
        let track = Track { kind, thread: of, process, ..Track::default() };
        let track = builder.timeline.track(track);
        let mut calls = vec![];
        flat(nests, &[], 0, &mut calls);
        counting.push(&mut builder, (track, thread), &calls);
    }
    let lane = builder.thread(process, "lane");
    let (kind, of) = (TrackKind::Lane, Some(lane));
    let track = builder.timeline.track(Track { kind, thread: of, process, ..Track::default() });
    for (start, nest) in &recording.operations {
        let mut calls = vec![];
        flat(std::slice::from_ref(nest), &[], i64::from(*start), &mut calls);
        counting.push(&mut builder, (track, lane), &calls);
    }
    for &(name, thread, time, length, weight) in &recording.samples {
        let context = context(&mut builder, &[name]);
        let (time, thread) = (Some(i64::from(time)), Some(ThreadId(thread.into())));
        let values = [0, 0, 0, length.into(), weight.into(), 1];
        builder.points.push_point(Point { context, time, thread, ..Point::default() }, &values);
    }
    builder.timeline.track(Track { kind: TrackKind::Process, process, ..Track::default() });
    for &(track, time, kind) in marks {
        let kind = builder.strings.intern(["GC", "frame"][usize::from(kind)]);
        let (track, time) = (TrackId(track.into()), time.into());
        builder.timeline.mark(Mark { track, time, kind, ..Mark::default() });
    }
    let profile = builder.finish();
    assert_eq!(profile.check(), []);
    Arc::new(profile)
}

fn filtered(profile: &Arc<Profile>, filters: &[(FilterKind, &str)]) -> Filtered {
    let filters: Vec<Filter> = filters
        .iter()
        .map(|(kind, pattern)| Filter { kind: *kind, pattern: (*pattern).to_owned() })
        .collect();
    Filtered::new(profile.clone(), &filters, false).unwrap()
}

/// Self values of contexts, without those that are 0.
fn values(filtered: &Filtered) -> BTreeMap<u32, Vec<i64>> {
    let rows = filtered.self_values();
    let rows = rows.iter().map(|(context, row)| (context.0, row.to_vec()));
    rows.filter(|(_, row)| row.iter().any(|value| *value != 0)).collect()
}

fn added(parts: impl IntoIterator<Item = BTreeMap<u32, Vec<i64>>>) -> BTreeMap<u32, Vec<i64>> {
    let mut all = BTreeMap::<u32, Vec<i64>>::new();
    for (context, row) in parts.into_iter().flatten() {
        let sums = all.entry(context).or_insert_with(|| vec![0; row.len()]);
        sums.iter_mut().zip(row).for_each(|(sum, value)| *sum += value);
    }
    all.retain(|_, row| row.iter().any(|value| *value != 0));
    all
}

/// By path, the nanoseconds of a thread in which its innermost call ran, of those that count.
fn self_times(calls: &[Called], counts: impl Fn(i64) -> bool) -> BTreeMap<Vec<u8>, i64> {
    let mut sums = BTreeMap::new();
    for at in (0..200).filter(|at| counts(*at)) {
        let innermost = calls.iter().filter(|(path, begin, end)| {
            (*begin..*end).contains(&at) && path.last() != Some(&UNFINISHED)
        });
        if let Some((path, ..)) = innermost.max_by_key(|(path, ..)| path.len()) {
            *sums.entry(path.clone()).or_default() += 1;
        }
    }
    sums
}

fn calls_of(recording: &Recording) -> Vec<Vec<Called>> {
    let mut all: Vec<Vec<Called>> = vec![];
    for nests in &recording.threads {
        let mut calls = vec![];
        flat(nests, &[], 0, &mut calls);
        all.push(calls);
    }
    for (start, nest) in &recording.operations {
        let mut calls = vec![];
        flat(std::slice::from_ref(nest), &[], i64::from(*start), &mut calls);
        all.push(calls);
    }
    all
}

/// By path, values of a metric.
fn by_path(filtered: &Filtered, metric: usize) -> BTreeMap<Vec<u8>, i64> {
    let profile = filtered.profile();
    let path = |context: ContextId| -> Vec<u8> {
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
    };
    let rows = filtered.self_values();
    let rows = rows.iter().map(|(context, row)| (path(context), row[metric]));
    rows.filter(|(_, value)| *value != 0).collect()
}

proptest! {
    #[test]
    fn the_whole_range_is_no_filter(recording in recording()) {
        let profile = profile(&recording);
        let whole = values(&filtered(&profile, &[]));
        for range in ["..", "0ns..", "..1h", "-5ns..99us", "0ns..7ns,7ns..1s"] {
            prop_assert_eq!(&values(&filtered(&profile, &[(FilterKind::Time, range)])), &whole);
        }
    }

    #[test]
    fn ranges_that_partition_time_add_up(recording in recording(), cuts in prop::collection::vec(0..60i64, 0..5)) {
        let profile = profile(&recording);
        let mut cuts = cuts;
        cuts.sort_unstable();
        cuts.dedup();
        let mut ranges: Vec<String> = cuts.windows(2).map(|pair| format!("{}ns..{}ns", pair[0], pair[1])).collect();
        if let (Some(first), Some(last)) = (cuts.first(), cuts.last()) {
            ranges.extend([format!("..{first}ns"), format!("{last}ns..")]);
        } else {
            ranges.push("..".into());
        }
        let parts = ranges.iter().map(|range| values(&filtered(&profile, &[(FilterKind::Time, range)])));
        prop_assert_eq!(added(parts), values(&filtered(&profile, &[])));
        // Several at once are what they are together.
        let pairs: Vec<_> = ranges.iter().map(|range| (FilterKind::Time, &**range)).collect();
        prop_assert_eq!(values(&filtered(&profile, &pairs)), values(&filtered(&profile, &[])));
    }

    #[test]
    fn a_range_has_the_time_that_is_in_it(recording in recording(), begin in 0..50i64, length in 1..30i64) {
        let profile = profile(&recording);
        let range = format!("{begin}ns..{}ns", begin + length);
        let filtered = filtered(&profile, &[(FilterKind::Time, &range)]);
        let counts = |at: i64| (begin..begin + length).contains(&at);
        let mut expected = BTreeMap::<Vec<u8>, i64>::new();
        let mut calls = BTreeMap::<Vec<u8>, i64>::new();
        for track in calls_of(&recording) {
            for (path, time) in self_times(&track, counts) {
                *expected.entry(path).or_default() += time;
            }
            for (path, ..) in track.iter().filter(|(_, begin, _)| counts(*begin)) {
                *calls.entry(path.clone()).or_default() += 1;
            }
        }
        prop_assert_eq!(by_path(&filtered, TIME), expected);
        prop_assert_eq!(by_path(&filtered, CALLS), calls);
        let mut lengths = BTreeMap::<Vec<u8>, i64>::new();
        let mut weights = BTreeMap::<Vec<u8>, i64>::new();
        for &(name, _, time, length, weight) in &recording.samples {
            let (time, length) = (i64::from(time), i64::from(length));
            let inside = (time..time + length).filter(|at| counts(*at)).count() as i64;
            *lengths.entry(vec![name]).or_default() += inside;
            if length == 0 && counts(time) {
                *weights.entry(vec![name]).or_default() += i64::from(weight);
            }
        }
        lengths.retain(|_, value| *value != 0);
        prop_assert_eq!(by_path(&filtered, LENGTH), lengths);
        if recording.samples.iter().all(|sample| sample.3 == 0) {
            weights.retain(|_, value| *value != 0);
            prop_assert_eq!(by_path(&filtered, WEIGHT), weights);
        }
    }

    #[test]
    fn heat_is_what_each_range_has(
        recording in recording(),
        (begin, cell, cells) in (-5..40i64, 1..9i64, 1..12usize),
        range in prop::option::of((0..20i64, 1..30i64)),
    ) {
        let profile = profile(&recording);
        let range = range.map(|(from, length)| [from, from + length]);
        let of = |from: i64, to: i64| {
            let [from, to] = range.map_or([from, to], |[least, most]| [from.max(least), to.min(most)]);
            let pattern = format!("{from}ns..{to}ns");
            (from < to).then(|| filtered(&profile, &[(FilterKind::Time, &pattern)]))
        };
        let whole = of(-1000, 1000).unwrap();
        for metric in profile.metric_ids() {
            let told = heat(&whole, metric, HeatGrid { begin, cell, cells }).unwrap();
            let mut all = told.outside + told.untimed;
            for (number, value) in told.values.iter().enumerate() {
                all += value;
                let from = begin + cell * number as i64;
                let expected = of(from, from + cell).map_or(0, |of| of.program_total(metric));
                // Values in part are rounded for each point.
                let exact = [TIME, CALLS, LENGTH].contains(&metric.index());
                let most = if exact { 1e-6 } else { profile.points.len() as f64 };
                prop_assert!((value - expected as f64).abs() <= most, "{metric:?} {number}: {value}, {expected}");
            }
            let off = (all - whole.program_total(metric) as f64).abs();
            prop_assert!(off <= profile.points.len() as f64, "{metric:?}: {off}");
        }
    }

    #[test]
    fn during_spans_of_a_name_is_the_time_inside_them(recording in recording(), name in 0..3u8) {
        let recording = Recording { operations: vec![], ..recording };
        let profile = profile(&recording);
        let pattern = format!("^f{name}$");
        let filtered = filtered(&profile, &[(FilterKind::During, &pattern)]);
        let mut expected = BTreeMap::<Vec<u8>, i64>::new();
        let mut sampled = BTreeMap::<Vec<u8>, i64>::new();
        for (thread, track) in calls_of(&recording).iter().enumerate() {
            let counts = |at: i64| {
                track.iter().any(|(path, begin, end)| path.last() == Some(&name) && (*begin..*end).contains(&at))
            };
            for (path, time) in self_times(track, counts) {
                *expected.entry(path).or_default() += time;
            }
            for &(name, of, time, length, _) in recording.samples.iter().filter(|sample| usize::from(sample.1) == thread) {
                let _ = of;
                let (time, length) = (i64::from(time), i64::from(length));
                *sampled.entry(vec![name]).or_default() += (time..time + length).filter(|at| counts(*at)).count() as i64;
            }
        }
        sampled.retain(|_, value| *value != 0);
        prop_assert_eq!(by_path(&filtered, TIME), expected);
        prop_assert_eq!(by_path(&filtered, LENGTH), sampled);
    }

}

fn untimed() -> Arc<Profile> {
    let mut builder = ProfileBuilder::new(metrics());
    let context = context(&mut builder, &[1]);
    builder.points.push_point(Point { context, ..Point::default() }, &[1; 6]);
    Arc::new(builder.finish())
}

#[test]
fn what_has_no_time_is_left_out_by_ranges() {
    let profile = untimed();
    assert!(values(&filtered(&profile, &[(FilterKind::Time, "..")])).is_empty());
    let filter = Filter { kind: FilterKind::Time, pattern: "1s..0s".into() };
    let error = Filtered::new(profile, &[filter], false).unwrap_err();
    assert_eq!(error.to_string(), "the range of time '1s..0s' ends before it begins");
}
