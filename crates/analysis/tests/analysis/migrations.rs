//! Threads that change processors, by whatever tells of it.

use std::sync::Arc;

use analysis::{Filter, FilterKind, Filtered, MigrationMetrics, MigrationSource, Migrations};
use profile::{
    ContextId, Label, LabelValue, Mark, MemberId, Metric, MetricId, Point, ProfileBuilder, Span,
    StringId, Timing, Track, TrackKind,
};

const COUNT: usize = 1;
const RUNS: usize = 2;

/// Thread, time, processor and values.
type ExpectedMigrations = (&'static str, i64, u32, [i64; 3]);

fn builder(points: &[ExpectedMigrations]) -> ProfileBuilder {
    let count = Metric { timing: Timing::Begins, ..Metric::new("migrations", "count") };
    let metrics = vec![Metric::new("samples", "count"), count, Metric::new("runs", "count")];
    let mut builder = ProfileBuilder::new(metrics);
    for &(thread, time, cpu, values) in points {
        let thread = Some(builder.thread(None, thread));
        let place = Point { thread, time: Some(time), cpu: Some(cpu), ..Point::default() };
        builder.points.push_point(place, &values);
    }
    builder
}

fn migrations(builder: ProfileBuilder, filters: &[(FilterKind, &str)]) -> Migrations {
    let filter = |&(kind, pattern): &(FilterKind, &str)| Filter { kind, pattern: pattern.into() };
    let filters: Vec<Filter> = filters.iter().map(filter).collect();
    let filtered = Filtered::new(Arc::new(builder.finish()), &filters, false).unwrap();
    let metrics =
        MigrationMetrics { runs: Some(MetricId(RUNS as u32)), count: Some(MetricId(COUNT as u32)) };
    Migrations::new(&filtered, &[MemberId(0)], metrics)
}

fn places(told: &Migrations) -> Vec<(i64, u32, Option<u32>)> {
    told.moves.iter().map(|one| (one.time, one.from, one.to)).collect()
}

const SAMPLE: [i64; 3] = [1, 0, 0];
const MOVED: [i64; 3] = [0, 1, 0];

#[test]
fn samples_tell_of_changes_in_the_order_of_time() {
    let points =
        [("7", 1, 0, SAMPLE), ("7", 9, 1, SAMPLE), ("8", 2, 3, SAMPLE), ("8", 4, 2, SAMPLE)];
    let told = migrations(builder(&points), &[]);
    assert_eq!(places(&told), [(1, 0, Some(1)), (2, 3, Some(2))]);
    assert_eq!((told.told_by, told.seen), (vec![MigrationSource::Samples], 0));
    // Sums of a while tell that a thread was on both, and not which came first.
    let at_once =
        [("7", 1, 0, SAMPLE), ("7", 5, 0, SAMPLE), ("7", 5, 1, SAMPLE), ("7", 9, 0, SAMPLE)];
    assert_eq!(places(&migrations(builder(&at_once), &[])), []);
}

/// The event is of what is counted; where it went the fields say, on the track of whoever moved it.
#[test]
fn events_tell_of_those_that_the_metric_counts() {
    let with_marks = || {
        let points =
            [("7", 1, 0, SAMPLE), ("7", 3, 1, SAMPLE), ("9", 4, 1, MOVED), ("9", 6, 0, MOVED)];
        let mut builder = builder(&points);
        let thread = Some(builder.thread(None, "7"));
        let track = Track { kind: TrackKind::Thread, thread, ..Track::default() };
        let track = builder.timeline.track(track);
        let kind = builder.strings.intern("sched:sched_migrate_task");
        let fields = [("pid", 9), ("orig_cpu", 1), ("dest_cpu", 2)].map(|(key, number)| Label {
            key: builder.strings.intern(key),
            value: LabelValue::Number(number, StringId::EMPTY),
        });
        let fields = builder.labels.add(&fields);
        builder.timeline.mark(Mark { track, time: 4, kind, fields });
        builder
    };
    let told = migrations(with_marks(), &[]);
    assert_eq!(places(&told), [(4, 1, Some(2)), (6, 0, None)], "of one there is no mark");
    assert_eq!(told.told_by, [MigrationSource::Events]);
    assert_eq!(told.seen, 2, "of either thread, between its points");
    let of_cpu = migrations(with_marks(), &[(FilterKind::LabelFocus, "cpu=^1$")]);
    assert_eq!(places(&of_cpu), [(4, 1, Some(2))], "the processor that was left");
}

#[test]
fn switches_tell_where_it_went_and_filters_choose_what_was_left() {
    let with_runs = || {
        let mut builder = builder(&[("7", 5, 0, MOVED), ("7", 9, 1, MOVED), ("7", 6, 3, SAMPLE)]);
        let thread = Some(builder.thread(None, "7"));
        for (begin, length, cpu) in [(0, 5, 0), (7, 2, 1), (12, 3, 0)] {
            let track = Track { kind: TrackKind::Processor, ..Track::default() };
            let track = builder.timeline.track(track);
            let point =
                Point { thread, cpu: Some(cpu), context: ContextId::ROOT, ..Point::default() };
            let point = builder.points.push_point(point, &[0, 0, 1]);
            builder.timeline.spans.push(track, Span { begin, length, point, ..Span::default() });
        }
        builder
    };
    let told = migrations(with_runs(), &[]);
    assert_eq!(places(&told), [(5, 0, Some(1)), (9, 1, Some(0))], "samples say nothing more");
    assert_eq!(told.told_by, [MigrationSource::Switches]);
    for (kind, pattern, count) in [
        (FilterKind::LabelFocus, "cpu=^0$", 1),
        (FilterKind::Time, "0ns..6ns", 1),
        (FilterKind::Time, "10ns..20ns", 0),
        (FilterKind::Focus, "burn", 0),
    ] {
        assert_eq!(migrations(with_runs(), &[(kind, pattern)]).moves.len(), count, "{pattern}");
    }
}
