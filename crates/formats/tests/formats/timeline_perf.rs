//! Tracks of perf script's samples, its tracepoints, and what ran on its processors.

use profile::{MetricId, Profile, TrackId, TrackKind};

use crate::measured::{metric, profile, read, sample};
use crate::timeline::{labels, marks, name_of};

fn switch(comm: &str, tid: u32, cpu: u32, at: &str, next: (&str, u32)) -> String {
    let (next_comm, next_pid) = next;
    format!(
        "{comm} {tid} [{cpu:03}] {at}: sched:sched_switch: prev_comm={comm} prev_pid={tid} \
         prev_prio=120 prev_state=S ==> next_comm={next_comm} next_pid={next_pid} next_prio=120\n\n"
    )
}

/// By processor, name, begin and length.
fn runs(found: &Profile) -> Vec<(u32, String, i64, i64)> {
    let tracks = found.timeline.tracks.iter().enumerate();
    let rows = tracks.filter(|(_, track)| track.kind == TrackKind::Processor);
    let rows = rows.flat_map(|(row, track)| {
        let cpu = track.cpu.unwrap();
        found.timeline.spans.of_track(TrackId(row as u32)).map(move |row| (cpu, row))
    });
    let rows = rows.map(|(cpu, row)| {
        let span = found.timeline.spans.get(row);
        (cpu, name_of(found, row), span.begin, span.length)
    });
    rows.collect()
}

fn tells_no_run_time(found: &Profile) {
    let names: Vec<&str> = found.metrics.iter().map(|metric| &*metric.name).collect();
    for name in ["run time", "runs", "off-CPU time", "off-CPU intervals", "run-queue time"] {
        assert!(!names.contains(&name), "{names:?}");
    }
}

#[test]
fn what_a_switch_began_and_the_next_one_ended_ran() {
    let text = [
        switch("apple picker", 7, 0, "5.000001", ("b", 8)),
        switch("idle", 0, 1, "5.000002", ("apple picker", 7)),
        switch("b", 8, 0, "5.000004", ("swapper/0", 0)),
        switch("swapper", 0, 0, "5.000006", ("b", 8)),
        switch("apple picker", 7, 1, "5.000009", ("b", 8)),
        // Thread 9 came without a switch that tells of it.
        switch("c", 9, 0, "5.000010", ("b", 8)),
        "b 8 [000] 5.000011: sched:sched_wakeup: comm=apple picker pid=7 prio=120 target_cpu=001\n\n".to_owned(),
        "b 8 [000] 5.000012: 250 cycles: \n\t1f main (/bin/b)\n\n".to_owned(),
    ]
    .concat();
    let found = profile(&text);
    assert_eq!(
        runs(&found),
        // Of a run whose begin or end no switch tells, the other one is known.
        [
            (0, "b".to_owned(), 0, 3000),
            (0, "apple picker".to_owned(), 0, 0),
            (0, "b".to_owned(), 5000, 0),
            (0, "c".to_owned(), 9000, 0),
            (0, "b".to_owned(), 9000, 0),
            (1, "apple picker".to_owned(), 1000, 7000),
            (1, "b".to_owned(), 8000, 0),
        ]
    );
    tells_no_run_time(&found);
    let told = |row: usize| labels(&found, found.timeline.spans.get(row).arguments);
    assert_eq!(told(1), ["recorded=end alone", "then=sleeping"]);
    assert_eq!(
        (told(0), told(2)),
        (vec!["then=sleeping".to_owned()], vec!["recorded=begin alone".to_owned()])
    );
    let point = found.timeline.spans.point(0).index();
    assert_eq!(found.thread_name(found.points.thread(point).unwrap()), "b (8)");
    // Samples and their metrics are what they were.
    assert_eq!(found.metric_total(metric(&found, "sched:sched_switch")).0, 6);
    assert_eq!(found.metric_total(metric(&found, "cycles")).0, 250);
    assert_eq!(found.metric(found.origin.default_metric).name, "sched:sched_switch");
    let opened = read(&text).unwrap();
    let told: Vec<_> =
        opened.warnings.iter().map(|one| (one.message.as_str(), one.count)).collect();
    assert_eq!(
        told.iter().filter(|(message, _)| message.contains("was not recorded")).count(),
        1,
        "{told:?}"
    );
    // Tracepoints are instants on the threads that they happened on.
    let told = marks(&found);
    assert_eq!(told.iter().filter(|mark| mark.1 == "sched:sched_switch").count(), 6);
    let wakeup = told.iter().find(|mark| mark.1 == "sched:sched_wakeup").unwrap();
    assert_eq!((wakeup.0.as_str(), wakeup.2), ("b (8)", 10_000));
    let track = found
        .timeline
        .tracks
        .iter()
        .position(|one| one.thread.is_some_and(|thread| found.thread_name(thread) == "b (8)"));
    let track = TrackId(track.unwrap() as u32);
    let mut rows =
        found.timeline.marks.of_track(track).map(|row| found.timeline.marks.get(track, row));
    let fields = rows.next_back().unwrap().fields;
    let expected = ["comm=apple picker", "pid=7", "prio=120", "target_cpu=001"];
    assert_eq!(labels(&found, fields), expected);
}

#[test]
fn wake_ups_are_arrows_to_where_the_thread_ran_next() {
    let wakeup = |comm: &str, tid: u32, cpu: u32, at: &str, woken: u32| {
        format!(
            "{comm} {tid} [{cpu:03}] {at}: sched:sched_wakeup: comm=x pid={woken} prio=120 target_cpu=000\n\n"
        )
    };
    let text = [
        switch("a", 1, 0, "5.000001", ("b", 2)),
        wakeup("b", 2, 0, "5.000003", 1),
        // It runs already, and thread 9 never does.
        wakeup("c", 3, 1, "5.000004", 2),
        wakeup("c", 3, 1, "5.000005", 9),
        switch("c", 3, 1, "5.000006", ("a", 1)),
        switch("b", 2, 0, "5.000007", ("swapper/0", 0)),
    ]
    .concat();
    let found = profile(&text);
    let end = |end: profile::FlowEnd| (found.timeline.tracks[end.track.index()].cpu, end.time);
    let flows: Vec<_> = found
        .timeline
        .flows
        .iter()
        .map(|flow| (found.text(flow.name), end(flow.from), end(flow.to)))
        .collect();
    let expected = [
        ("migration", (Some(0), 0), (Some(1), 5000)),
        ("sched:sched_wakeup", (Some(0), 2000), (Some(1), 5000)),
    ];
    assert_eq!(flows, expected);
    let whole: Vec<_> = runs(&found).into_iter().filter(|run| run.3 > 0).collect();
    assert_eq!(whole, [(0, "b".to_owned(), 0, 6000)]);
}

#[test]
fn reports_damaged_switches() {
    let text = [
        switch("a", 1, 0, "9000000000.000002", ("b", 2)),
        // Earlier than the one before.
        switch("b", 2, 0, "9000000000.000001", ("a", 1)),
        "a 1 [000] 9000000000.000003: sched:sched_switch: what is this\n\n".to_owned(),
        "a 1 sched:sched_switch: prev_comm=a prev_pid=1 ==> next_comm=b next_pid=2\n\n".to_owned(),
    ]
    .concat();
    let found = profile(&text);
    let expected = [("a", 0, 1000), ("b", 0, 0), ("b", 1000, 0)];
    assert_eq!(
        runs(&found),
        expected.map(|(name, begin, length)| (0, name.to_owned(), begin, length))
    );
    let told: Vec<_> =
        read(&text).unwrap().warnings.iter().map(|one| one.message.clone()).collect();
    assert!(told.iter().any(|message| message.contains("cannot be read")), "{told:?}");
    let first = found.timeline.marks.times().min();
    assert_eq!(first, Some(0));
}

#[test]
fn samples_without_times_have_no_tracks() {
    let found = profile("a 1 250 cycles: \n\t1f main (/bin/b)\n\n");
    assert!(found.timeline.is_empty() && !found.points.has_times());
}

/// Runs and their nanoseconds, counted by a program that reads the text alone.
#[test]
fn a_recording_has_the_runs_that_were_counted() {
    let found = sample("perf-script/tracepoint.perf-script");
    let rows: Vec<_> = runs(&found).into_iter().filter(|run| run.3 > 0).collect();
    assert_eq!((rows.len(), rows.iter().map(|row| row.3).sum::<i64>()), (17, 27_392_000));
    // Those of which both ends are known are not half of all, so that their sum is nobody's run time.
    tells_no_run_time(&found);
    assert_eq!(found.timeline.marks.len(), 35);
    assert_eq!(found.metric_total(MetricId(0)).0, 35);
}
