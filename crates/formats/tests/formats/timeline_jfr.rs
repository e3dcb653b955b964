//! What of Java's recordings is on the timeline, with `jfr print` as the measure.

use std::collections::BTreeMap;

use profile::{Profile, Timing, TrackKind};

use crate::measured::{corpus, metric, profile, sample, total_values, warnings};
use crate::timeline::{labels, marks, name_of, spans, track_name};

/// Numbers and nanoseconds of spans by type.
fn by_name(found: &Profile) -> BTreeMap<String, (usize, i64)> {
    let mut all = BTreeMap::<String, (usize, i64)>::new();
    for ((_, name), times) in spans(found) {
        let of = all.entry(name).or_default();
        of.0 += times.len();
        of.1 += times.iter().map(|(_, length)| length).sum::<i64>();
    }
    all
}

/// Ticks become nanoseconds with one rounding each, which the JDK does another way.
fn check_spans(found: &Profile, expected: &[(&str, usize, i64)], path: &str) {
    let own = by_name(found);
    assert_eq!(own.len(), expected.len(), "{path}: {own:?}");
    for &(name, count, length) in expected {
        let (own_count, own_length) = own[name];
        assert_eq!(own_count, count, "{path}: {name}");
        assert!((own_length - length).abs() <= count as i64, "{path}: {name} {own_length}");
    }
    // The metric of the spans has the same; what is inside others of its name counts once there.
    let (time, count) = (metric(found, "event time"), metric(found, "events"));
    let events: usize = expected.iter().map(|&(_, count, _)| count).sum();
    assert_eq!(found.metric_total(count).0, events as i64, "{path}");
    let totals = total_values(found, time);
    for (name, (_, length)) in own {
        assert!(totals[&name] <= length, "{path}: {name}");
    }
}

#[test]
fn locks_sleeps_and_collections_are_spans() {
    let found = sample("jfr/plain.jfr");
    check_spans(
        &found,
        &[
            ("jdk.GarbageCollection", 9, 30_878_077),
            ("jdk.JavaMonitorEnter", 30, 70_460_560),
            ("jdk.ThreadSleep", 1, 50_620_613),
        ],
        "plain",
    );
    let kinds: Vec<String> = marks(&found).into_iter().map(|mark| mark.1).collect();
    assert_eq!(kinds, vec!["jdk.ThreadStart"; 6]);
    let timeline = &found.timeline;
    let rows = 0..timeline.spans.len();
    let of = |name: &str| rows.clone().find(|&row| name_of(&found, row) == name);
    let first = of("jdk.GarbageCollection").unwrap();
    assert_eq!(
        labels(&found, timeline.spans.get(first).arguments),
        [
            "gcId=2",
            "name=G1New",
            "cause=G1 Evacuation Pause",
            "sumOfPauses=4130360",
            "longestPause=4130360"
        ]
    );
    // A lock stands on its thread, and its point on the stack that waited.
    let lock = of("jdk.JavaMonitorEnter").unwrap();
    let point = timeline.spans.point(lock).index();
    let stack = crate::measured::names(&found, found.points.context[point]);
    assert!(stack.len() > 2 && stack[0].contains("Thread.run"), "{stack:?}");
    assert!(found.points.thread(point).is_some());
    let arguments = labels(&found, timeline.spans.get(lock).arguments).join(" ");
    assert!(arguments.contains("monitorClass=java.lang.Object previousOwner="), "{arguments}");
    let address = arguments.split("address=").nth(1).unwrap();
    assert!(address.starts_with("0x"), "{arguments}");
    let lanes = timeline.tracks.iter().filter(|track| track.kind == TrackKind::Lane);
    let lanes: Vec<&str> = lanes.map(|track| found.text(track.name)).collect();
    assert_eq!(lanes, ["jdk.GarbageCollection"]);

    // What was a metric stays one, and says what it is of.
    assert_eq!(found.metric_total(metric(&found, "jdk.JavaMonitorEnter")).0, 30);
    let timing = |name: &str| found.metric(metric(&found, name)).timing;
    assert_eq!(timing("jdk.JavaMonitorEnter duration"), Timing::Length);
    assert_eq!(timing("jdk.JavaMonitorEnter"), Timing::Begins);
    assert_eq!(timing("jdk.ExecutionSample"), Timing::Instant);
    assert_eq!(found.metric(found.origin.default_metric).name, "jdk.ExecutionSample");
}

#[test]
fn a_recording_of_the_machine_is_what_jfr_prints() {
    let Some(bytes) = corpus("jfr/heavy.jfr") else { return };
    let found = profile(&bytes);
    check_spans(
        &found,
        &[
            ("jdk.G1GarbageCollection", 6, 18_188_204),
            ("jdk.GCPhaseConcurrent", 32, 58_372_297),
            ("jdk.GCPhaseConcurrentLevel1", 20, 39_044),
            ("jdk.GCPhaseParallel", 1512, 76_572_687),
            ("jdk.GCPhasePause", 16, 31_187_272),
            ("jdk.GCPhasePauseLevel1", 73, 9_940_395),
            ("jdk.GCPhasePauseLevel2", 25, 23_746),
            ("jdk.GarbageCollection", 12, 672_919_902),
            ("jdk.OldGarbageCollection", 6, 654_731_698),
            ("jdk.SafepointBegin", 6, 570_356_317),
            ("jdk.YoungGarbageCollection", 6, 18_188_204),
        ],
        "heavy",
    );
    let mut kinds = BTreeMap::new();
    for (_, kind, _) in marks(&found) {
        *kinds.entry(kind).or_insert(0) += 1;
    }
    let expected = [
        ("jdk.ClassLoaderStatistics", 6),
        ("jdk.Deoptimization", 37),
        ("jdk.G1AdaptiveIHOP", 6),
        ("jdk.G1BasicIHOP", 6),
        ("jdk.G1EvacuationOldStatistics", 6),
        ("jdk.G1EvacuationYoungStatistics", 6),
        ("jdk.G1MMU", 16),
        ("jdk.GCCPUTime", 16),
        ("jdk.GCReferenceStatistics", 44),
        ("jdk.JavaErrorThrow", 1),
        ("jdk.MetaspaceChunkFreeListSummary", 48),
        ("jdk.Shutdown", 1),
        ("jdk.TenuringDistribution", 90),
        ("jdk.ThreadEnd", 3),
        ("jdk.ThreadStart", 5),
    ];
    assert_eq!(kinds, expected.map(|(kind, count)| (kind.to_owned(), count)).into());
    let counters = &found.timeline.counters;
    let of = |name: &str| -> Vec<(usize, f64, String)> {
        let named = counters.iter().filter(|one| found.text(one.name) == name);
        let row = |one: &profile::Counter| {
            let sum: f64 = one.values.iter().sum();
            (one.values.len(), sum, found.text(one.unit).to_owned())
        };
        named.map(row).collect()
    };
    let bytes_of = |count, sum| vec![(count, sum, "bytes".to_owned())];
    assert_eq!(of("jdk.GCHeapSummary heapUsed"), bytes_of(24, 9_232_369_424.0));
    assert_eq!(of("jdk.GCHeapSummary heapSpace.committedSize"), bytes_of(24, 14_979_956_736.0));
    let threads = of("jdk.JavaThreadStatistics activeCount");
    assert_eq!(threads, [(7, 77.0, "threads".to_owned())]);
    let [(7, load, _)] = &of("jdk.CPULoad machineTotal")[..] else { panic!("a load") };
    assert!((load - 1.198_780_237).abs() < 1e-6, "{load}");
    for pool in ["G1 Eden Space", "G1 Survivor Space", "G1 Old Gen"] {
        assert_eq!(of(&format!("jdk.GCHeapMemoryPoolUsage used: {pool}"))[0].0, 2);
    }
    assert_eq!(
        of("jdk.CodeCacheStatistics unallocatedCapacity: CodeHeap 'non-profiled nmethods'")[0].0,
        2
    );
    // By thread, each on the track of its own.
    let allocated = of("jdk.ThreadAllocationStatistics allocated");
    assert_eq!(allocated.iter().map(|one| one.0).sum::<usize>(), 29);
    assert_eq!(allocated.iter().map(|one| one.1).sum::<f64>(), 23_482_328.0);
    let named = found.text(counters[0].name).to_owned();
    assert!(!track_name(&found, counters[0].track).is_empty(), "{named}");
    let told = warnings(&bytes).join("; ");
    assert!(
        told.contains("events without a time are not shown") && told.contains("jdk.BooleanFlag"),
        "{told}"
    );
}

/// Clocks of one tick a second, and a start at the end of time: what leaves 64 bits stays there.
#[test]
fn clocks_that_are_wrong_are_held_at_the_limit() {
    let bytes = std::fs::read(crate::measured::testdata("jfr/plain.jfr")).unwrap();
    let usual = sample("jfr/plain.jfr");
    for (place, value) in [(56, 1i64), (56, -7), (48, i64::MIN), (48, i64::MAX), (32, i64::MAX)] {
        let mut wrong = bytes.clone();
        wrong[place..place + 8].copy_from_slice(&value.to_be_bytes());
        let found = profile(&wrong);
        let happened = |found: &Profile| found.timeline.spans.len() + found.timeline.marks.len();
        assert_eq!(happened(&found), happened(&usual), "{place} {value}");
    }
}
