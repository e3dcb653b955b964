//! Events from samples that were sorted once, against going through all points.

use std::sync::Arc;

use analysis::{
    BinAxis, BinSum, EventBins, EventColumns, EventIndex, EventSource, EventSum, EventTable,
    EventsBy, Filter, FilterKind, Filtered, FrameEvents, FrameKeys, Granularity, HeatGrid, LoadOf,
    Samples, frame_sums, loads, measured, threads_of,
};
use profile::{
    Clock, Label, LabelSetId, LabelValue, Member, MemberId, Metric, MetricId, Place, Point,
    Profile, ProfileBuilder, Span, Timing, Track, TrackKind,
};
use proptest::prelude::*;

/// Member, thread, processor, label, time, stack and values; what is 0 of the first ones is none.
type Reading = ((u8, u8, u8, u8), Option<i64>, Vec<u8>, [i64; 5]);

const CYCLES: u32 = 0;
const INSTRUCTIONS: u32 = 1;
const SAMPLES: u32 = 2;
const LENGTH: u32 = 3;
const AWAY: u32 = 4;

fn readings() -> impl Strategy<Value = Reading> {
    let value =
        || prop_oneof![3 => Just(0i64), 5 => 1..2000i64, 1 => -50..0i64, 1 => Just(1 << 14)];
    let values = (value(), value(), 0..3i64, prop_oneof![9 => Just(0i64), 1 => 1..40i64], 0..2i64);
    let values = values.prop_map(|(a, b, c, d, e)| [a, b, c, d, e]);
    let time = prop_oneof![1 => Just(None), 12 => (0..100i64).prop_map(Some)];
    let stack = prop::collection::vec(0..4u8, 0..4);
    ((0..2u8, 0..3u8, 0..3u8, 0..3u8), time, stack, values)
}

fn profile(all: &[Reading], spans: &[(u8, u8)], is_moved: bool) -> Arc<Profile> {
    let metric = |name: &str, unit: &str, timing| Metric { timing, ..Metric::new(name, unit) };
    let mut builder = ProfileBuilder::new(vec![
        Metric::new("cycles", "count"),
        Metric::new("instructions", "count"),
        Metric::new("samples", "count"),
        metric("length", "nanoseconds", Timing::Length),
        metric("away", "count", Timing::Begins),
    ]);
    let process = Some(builder.process("1"));
    for ((member, thread, cpu, label), time, stack, values) in all {
        let thread = (*thread > 0).then(|| builder.thread(process, &format!("t{thread}")));
        let key = builder.strings.intern("kind");
        let text = builder.strings.intern(&format!("l{label}"));
        let labels = match label {
            0 => LabelSetId::default(),
            _ => builder.labels.add(&[Label { key, value: LabelValue::Text(text) }]),
        };
        let places: Vec<_> = stack
            .iter()
            .map(|name| {
                let function = format!("f{name}");
                builder.place(&Place { function: &function, ..Place::default() })
            })
            .collect();
        let point = Point {
            context: builder.stack(places),
            labels,
            time: *time,
            thread,
            cpu: (*cpu > 0).then(|| u32::from(*cpu)),
            member: MemberId((*member).into()),
            ..Point::default()
        };
        builder.points.push_point(point, values);
    }
    let thread = builder.thread(process, "t1");
    let (kind, of) = (TrackKind::Thread, Some(thread));
    let track = builder.timeline.track(Track { kind, thread: of, process, ..Track::default() });
    let mut at = 0;
    for (before, length) in spans {
        let place = Point { thread: of, cpu: Some(1), ..Point::default() };
        let point = builder.points.push_point(place, &[7, 0, 0, 0, 1]);
        at += i64::from(*before);
        let length = i64::from(*length);
        let span = Span { begin: at, length, point, ..Span::default() };
        builder.timeline.spans.push(track, span);
        at += length;
    }
    let mut profile = builder.finish();
    let member = |name: &str| Member { name: name.to_owned(), ..Member::default() };
    profile.members = vec![member("one"), member("two")];
    if is_moved {
        let stretched = Clock::new(vec![[0, 10], [50, 30], [100, 130]]);
        profile.timeline.clocks = vec![Clock::default(), stretched];
    }
    assert_eq!(profile.check(), []);
    Arc::new(profile)
}

const FILTERS: [(FilterKind, &str); 14] = [
    (FilterKind::LabelFocus, "thread=t1"),
    (FilterKind::LabelIgnore, "thread=t1"),
    (FilterKind::LabelFocus, "cpu=1"),
    (FilterKind::LabelFocus, "cpu=2:"),
    (FilterKind::LabelFocus, "kind=l1,l2"),
    (FilterKind::LabelFocus, "t2,l1"),
    (FilterKind::LabelIgnore, "member=two"),
    (FilterKind::Time, "10ns..60ns"),
    (FilterKind::Time, "70ns.."),
    (FilterKind::Focus, "f1"),
    (FilterKind::Ignore, "f2"),
    (FilterKind::Hide, "f0"),
    (FilterKind::Show, "f1|f2"),
    (FilterKind::ShowFrom, "f3"),
];

fn sums_alike(one: Option<&EventSum>, other: Option<&EventSum>) -> bool {
    let [Some(one), Some(other)] = [one, other] else { return one.is_none() && other.is_none() };
    let parts = |sum: &EventSum| (sum.value, sum.samples, sum.is_enough(), sum.coverage());
    parts(one) == parts(other) && are_near(one.error(), other.error())
}

fn are_near(one: Option<f64>, other: Option<f64>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => (one - other).abs() <= 1e-9 * one.abs().max(other.abs()),
        (one, other) => one.is_none() && other.is_none(),
    }
}

fn bins_alike(one: &BinSum, other: &BinSum) -> bool {
    let near = |one: f64, other: f64| (one - other).abs() <= 1e-6 * one.abs().max(1.0);
    near(one.value, other.value)
        && near(one.samples, other.samples)
        && one.is_enough() == other.is_enough()
        && are_near(one.error(), other.error())
}

fn tables_alike(one: &EventTable, other: &EventTable, metrics: usize) {
    assert_eq!((&one.groups, &one.places, &one.runs), (&other.groups, &other.places, &other.runs));
    assert_eq!(one.lengths, other.lengths);
    for (group, run, metric) in (0..one.groups.len())
        .flat_map(|group| (0..one.runs.len()).map(move |run| (group, run)))
        .flat_map(|(group, run)| (0..metrics).map(move |metric| (group, run, metric)))
    {
        let both = [one, other].map(|table| table.get(group, run, metric));
        assert!(sums_alike(both[0], both[1]), "{} {run} {metric}: {both:?}", one.groups[group]);
    }
}

fn timelines_alike(one: &EventBins, other: &EventBins, sets: usize, metrics: usize) {
    assert_eq!((&one.groups, &one.places), (&other.groups, &other.places));
    assert_eq!(one.untimed, other.untimed);
    for set in 0..sets {
        for group in 0..one.groups.len() {
            assert_eq!(one.covered(set, group), other.covered(set, group));
            for metric in 0..metrics {
                let both = [one, other].map(|bins| bins.get(set, group, metric));
                let alike = both[0].iter().zip(both[1]).all(|(one, other)| bins_alike(one, other));
                assert!(alike, "{set} {} {metric}: {both:?}", one.groups[group]);
            }
        }
    }
}

proptest! {
    #[test]
    fn sorted_samples_tell_what_all_points_tell(
        all in prop::collection::vec(readings(), 0..60),
        spans in prop::collection::vec((0..20u8, 1..20u8), 0..4),
        is_moved in any::<bool>(),
        chosen in prop::collection::vec(0..FILTERS.len(), 0..3),
        samples in 0..3usize,
    ) {
        let profile = profile(&all, &spans, is_moved);
        let filter = |&number: &usize| Filter {
            kind: FILTERS[number].0,
            pattern: FILTERS[number].1.to_owned(),
        };
        let filters: Vec<Filter> = chosen.iter().map(filter).collect();
        let filtered = Filtered::new(profile.clone(), &filters, false).unwrap();
        let columns = EventColumns {
            metrics: vec![MetricId(CYCLES), MetricId(INSTRUCTIONS), MetricId(AWAY)],
            samples: [
                Samples::Unknown,
                Samples::Metric(MetricId(SAMPLES)),
                Samples::Scaled(MetricId(SAMPLES)),
            ][samples],
            times: Some([MetricId(SAMPLES), MetricId(LENGTH)]),
            interval: Some(MetricId(LENGTH)),
            together: vec![1, 2],
        };
        let index = EventIndex::new(&profile, &columns).unwrap();
        let sorted = EventSource::new(&filtered, Some(&index));
        let plain = EventSource::new(&filtered, None);
        let runs = [MemberId(1), MemberId(0)];
        let metrics = columns.metrics.len();
        for column in 0..metrics {
            let [one, other] = [&sorted, &plain].map(|from| measured(from, &columns, &[column]));
            prop_assert_eq!(one, other);
        }
        for of in [LoadOf::Cpus, LoadOf::Threads] {
            let [one, other] = [&sorted, &plain].map(|from| loads(from, &runs, &columns, of));
            prop_assert_eq!(one, other);
        }
        let sets = [vec![MemberId(0)], vec![MemberId(1)]];
        let grid = HeatGrid { begin: 3, cell: 7, cells: 12 };
        let axes = [BinAxis::Time(grid), BinAxis::Progress(5)];
        for by in ["total", "cpu", "thread", "process"].map(|by| by.parse::<EventsBy>().unwrap()) {
            let tables = [&sorted, &plain].map(|from| EventTable::new(from, by, &runs, &columns));
            match &tables {
                [Ok(one), Ok(other)] => tables_alike(one, other, metrics),
                [one, other] => {
                    prop_assert_eq!(one.as_ref().err(), other.as_ref().err());
                    continue;
                }
            }
            let [one, other] = [&sorted, &plain].map(|from| threads_of(from, by, &runs).unwrap());
            prop_assert_eq!(one, other);
            for axis in axes {
                let [one, other] = [&sorted, &plain]
                    .map(|from| EventBins::new(from, by, &sets, &columns, axis).unwrap());
                timelines_alike(&one, &other, sets.len(), metrics);
            }
        }
        let keys = FrameKeys::new(&profile, Granularity::Function);
        let named = keys.all().map(|key| (Some(key), keys.name(&profile, key).into_owned()));
        let named: Vec<_> = named.chain([(None, "elsewhere".to_owned())]).collect();
        for is_total in [false, true] {
            for &metric in &columns.metrics {
                let [one, other] =
                    [&sorted, &plain].map(|from| frame_sums(from, &keys, metric, is_total));
                prop_assert_eq!((one.of_key, one.elsewhere), (other.of_key, other.elsewhere));
            }
            for chosen in [&named[..], &named[..named.len().min(1)]] {
                let frames = FrameEvents { keys: &keys, chosen, is_total };
                let [one, other] = [&sorted, &plain]
                    .map(|from| EventTable::of_frames(from, &frames, &runs, &columns));
                tables_alike(&one, &other, metrics);
                for (axis, rest) in axes.into_iter().zip([None, Some("rest")]) {
                    let [one, other] = [&sorted, &plain].map(|from| {
                        EventBins::of_frames(from, &frames, rest, &sets, &columns, axis).unwrap()
                    });
                    timelines_alike(&one, &other, sets.len(), metrics);
                }
            }
        }
    }
}
