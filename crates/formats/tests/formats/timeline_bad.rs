//! Traces that are wrong: what is repaired by which rule, what is left out, and what is said of it.

use crate::measured::{folded, profile, read};
use crate::timeline::name_of;
use profile::{LabelValue, MetricId, TrackId};

/// Name, begin and length of all spans in nanoseconds, by track; then what is said, each with its count.
fn spans_and_warnings(events: &str) -> (Vec<(String, i64, i64)>, Vec<(String, u64)>) {
    let found = profile(events);
    let spans = &found.timeline.spans;
    let all =
        (0..spans.len()).map(|row| (name_of(&found, row), spans.begin(row), spans.length(row)));
    let opened = read(events).unwrap();
    let warnings = opened.warnings.iter().map(|one| (one.message.clone(), one.count));
    (all.collect(), warnings.collect())
}

fn check(events: &str, spans: &[(&str, i64, i64)], warnings: &[(&str, u64)]) {
    let (found, said) = spans_and_warnings(&format!("[{events}]"));
    let spans: Vec<_> =
        spans.iter().map(|&(name, begin, length)| (name.to_owned(), begin, length)).collect();
    assert_eq!(found, spans, "{events}");
    let mut warnings: Vec<_> =
        warnings.iter().map(|&(message, count)| (message.to_owned(), count)).collect();
    let mut said = said;
    warnings.sort();
    said.sort();
    assert_eq!(said, warnings, "{events}");
}

const NEVER_BEGAN: &str = "ends of spans that did not begin";
const NEVER_ENDED: &str =
    "spans never end: they are shown as unfinished, and their time is in no sum";
const CROSS: &str = "spans overlap without one being inside the other: they are on lanes of their own, \
    and the time in which they overlap counts in each";
const UNTIMED: &str = "events without a time are left out";
const NO_LENGTH: &str = "spans whose duration is missing or no time are taken as 0 long";

/// An event of thread 1, of process 1.
fn event(phase: &str, name: &str, rest: &str) -> String {
    format!(r#"{{"ph":"{phase}","pid":1,"tid":1,"name":"{name}"{rest}}}"#)
}

fn at(phase: &str, name: &str, time: i64) -> String {
    event(phase, name, &format!(r#","ts":{time}"#))
}

fn lasting(name: &str, time: &str, length: &str) -> String {
    event("X", name, &format!(r#","ts":{time},"dur":{length}"#))
}

#[test]
fn ends_without_begins_are_left_out_and_begins_without_ends_end_with_their_thread() {
    let end = event("E", "", r#","ts":9"#);
    let events = [at("E", "a", 1), lasting("b", "2", "3"), end].join(",");
    check(&events, &[("b", 1000, 3000)], &[(NEVER_BEGAN, 2)]);
    let other = r#"{"ph":"X","pid":1,"tid":2,"ts":100,"dur":3,"name":"d"}"#.to_owned();
    let events = [at("B", "a", 1), at("B", "b", 2), lasting("c", "4", "3"), other].join(",");
    let spans = [("a", 0, 6000), ("b", 1000, 5000), ("c", 3000, 3000), ("d", 99_000, 3000)];
    check(&events, &spans, &[(NEVER_ENDED, 2)]);
}

#[test]
fn clocks_that_go_back_make_no_negative_length() {
    // By time the end comes before the begin.
    let events = [at("B", "a", 10), at("E", "a", 5)].join(",");
    check(&events, &[("a", 5000, 0)], &[(NEVER_BEGAN, 1), (NEVER_ENDED, 1)]);
    // At the same time the order of the file does not count.
    let events = [at("E", "a", 5), at("B", "a", 5), lasting("b", "7", "1")].join(",");
    check(&events, &[("a", 0, 0), ("b", 2000, 1000)], &[(NEVER_BEGAN, 1)]);
}

/// The track of each span, with its name, begin and length in microseconds.
fn by_track(events: &str) -> Vec<(String, String, i64, i64)> {
    let found = profile(events);
    let timeline = &found.timeline;
    let tracks = (0..timeline.tracks.len() as u32).map(TrackId);
    let of_track = tracks.flat_map(|track| {
        let name = found.text(timeline.tracks[track.index()].name).to_owned();
        let rows = timeline.spans.of_track(track);
        rows.map(move |row| (name.clone(), row)).collect::<Vec<_>>()
    });
    let spans_and_warnings = of_track.map(|(track, row)| {
        let span = timeline.spans.get(row);
        (track, name_of(&found, row), span.begin / 1000, span.length / 1000)
    });
    spans_and_warnings.collect()
}

fn rows(wanted: &[(&str, &str, i64, i64)]) -> Vec<(String, String, i64, i64)> {
    let owned = |&(track, name, begin, length): &(&str, &str, i64, i64)| {
        (track.to_owned(), name.to_owned(), begin, length)
    };
    wanted.iter().map(owned).collect()
}

#[test]
fn spans_that_cross_stay_whole_on_lanes_of_their_own() {
    let events = [lasting("a", "0", "10"), lasting("b", "5", "10")].join(",");
    check(&events, &[("a", 0, 10_000), ("b", 5000, 10_000)], &[(CROSS, 1)]);
    let lanes = [("", "a", 0, 10), ("overlapping 1", "b", 5, 10)];
    assert_eq!(by_track(&format!("[{events}]")), rows(&lanes));
    // What begins in one that is on a lane and ends before it is inside of it there.
    let inside = lasting("c", "6", "3");
    let events = [lasting("a", "0", "10"), lasting("b", "5", "10"), inside].join(",");
    let lanes = [("", "a", 0, 10), ("overlapping 1", "b", 5, 10), ("overlapping 1", "c", 6, 3)];
    assert_eq!(by_track(&format!("[{events}]")), rows(&lanes));
    // A lane that is free again is used again, the track itself first.
    let many = [("a", "0", "10"), ("b", "5", "10"), ("c", "8", "10"), ("d", "12", "9")];
    let events: Vec<_> =
        many.iter().map(|(name, time, length)| lasting(name, time, length)).collect();
    let lanes = [
        ("", "a", 0, 10),
        ("", "d", 12, 9),
        ("overlapping 1", "b", 5, 10),
        ("overlapping 2", "c", 8, 10),
    ];
    assert_eq!(by_track(&format!("[{}]", events.join(","))), rows(&lanes));
}

/// Beyond what lanes nest on, spans stay whole as well, on one on which they overlap.
#[test]
fn any_number_of_spans_may_overlap() {
    let events: Vec<_> = (0..200)
        .map(|number| lasting("f", &number.to_string(), "1000"))
        .chain([lasting("g", "1500", "5")])
        .collect();
    let found = profile(format!("[{}]", events.join(",")));
    let spans = &found.timeline.spans;
    let whole = (0..spans.len()).filter(|&row| spans.length(row) == 1_000_000).count();
    assert_eq!((spans.len(), whole), (201, 200));
    let kinds: Vec<_> = found.timeline.tracks.iter().map(|track| track.kind.name()).collect();
    assert_eq!(kinds.len(), 34, "the process, 32 tracks of the thread, and a lane");
    assert_eq!(kinds[33], "lane");
    assert_eq!(spans.of_track(TrackId(33)).len(), 168);
    assert_eq!(found.metric_total(MetricId(0)).0, 200 * 1_000_000 + 5000);
    assert_eq!(found.metric_total(MetricId(1)).0, 201);
}

#[test]
fn ends_at_one_time_in_any_order_cross_nothing() {
    let events = [at("B", "a", 0), at("B", "b", 1), at("E", "a", 3), at("E", "b", 3)].join(",");
    check(&events, &[("a", 0, 3000), ("b", 1000, 2000)], &[]);
    // What comes at that instant is inside of nothing that is over.
    let events = [at("B", "a", 0), at("B", "b", 1), at("E", "a", 3), at("B", "c", 3)].join(",");
    let events = format!("[{events},{},{}]", at("E", "c", 3), at("E", "b", 5));
    let lanes = [("", "a", 0, 3), ("overlapping 1", "b", 1, 4), ("overlapping 1", "c", 3, 0)];
    assert_eq!(by_track(&events), rows(&lanes));
}

/// Arguments of an end are those of the span that it ends, wherever that is.
#[test]
fn arguments_of_ends_stay_with_their_spans() {
    let end = |name: &str, time: i64, value: i64| {
        event("E", name, &format!(r#","ts":{time},"args":{{"v":{value}}}"#))
    };
    for [first, second] in [[3, 5], [3, 3], [5, 3]] {
        let ends = [end("a", first, 1), end("b", second, 2)].join(",");
        let events = [at("B", "a", 0), at("B", "b", 1), ends].join(",");
        let found = profile(format!("[{events}]"));
        let value = |row: usize| {
            let label = found.label_sets.get(found.timeline.spans.get(row).arguments).next();
            label.map(|label| label.value)
        };
        let number = |number| Some(LabelValue::Number(number, profile::StringId::EMPTY));
        assert_eq!([value(0), value(1)], [number(1), number(2)], "{first} {second}");
    }
}

/// Lost ends do not move what comes later to lanes.
#[test]
fn a_span_without_an_end_lasts_as_long_as_what_is_around_it() {
    let turn = |from: i64| {
        [at("B", "outer", from), at("B", "inner", from + 1), at("E", "outer", from + 5)].join(",")
    };
    let events = format!("[{},{},{}]", turn(0), turn(10), lasting("last", "20", "1"));
    let found = profile(&*events);
    let lanes = [
        ("", "outer", 0, 5),
        ("", "inner", 1, 4),
        ("", "outer", 10, 5),
        ("", "inner", 11, 4),
        ("", "last", 20, 1),
    ];
    assert_eq!(by_track(&events), rows(&lanes));
    let spans = &found.timeline.spans;
    let unfinished: Vec<_> = (0..5).filter(|&row| spans.is_unfinished(row)).collect();
    assert_eq!(unfinished, [1, 3]);
    // The time is that of what is around it.
    assert_eq!(folded(&found, MetricId(0)), ["last 1000", "outer 10000"]);
}

#[test]
fn what_never_ends_lasts_until_the_last_event_of_its_thread_of_any_kind() {
    let begin = [at("B", "a", 1), at("B", "b", 2), at("E", "b", 4)].join(",");
    let spans = |length| [("a", 0, length), ("b", 1000, 2000)];
    let never = [(NEVER_ENDED, 1)];
    let instant = event("i", "m", r#","ts":9,"s":"t""#);
    check(&[begin.clone(), instant].join(","), &spans(8000), &never);
    let flow = |phase: &str, time: u32| event(phase, "f", &format!(r#","id":1,"ts":{time}"#));
    check(&[begin.clone(), flow("s", 3), flow("f", 7)].join(","), &spans(6000), &never);
    // An instant of the process is none of the thread.
    let instant = event("i", "m", r#","ts":9,"s":"p""#);
    check(&[begin, instant].join(","), &spans(3000), &never);
}

#[test]
fn lengths_that_are_none_are_instants() {
    let negative = ("durations below 0 are taken as 0", 1);
    let events = [lasting("a", "0", "-10"), lasting("b", "5", "0")].join(",");
    check(&events, &[("a", 0, 0), ("b", 5000, 0)], &[negative]);
    for length in ["null", "NaN", "\"long\"", "1e400", "9223372036854775808"] {
        let events = lasting("a", "5", length);
        check(&events, &[("a", 0, 0)], &[(NO_LENGTH, 1)]);
    }
    check(&at("X", "a", 5), &[("a", 0, 0)], &[(NO_LENGTH, 1)]);
}

#[test]
fn events_without_a_time_are_left_out() {
    let known = lasting("d", "6", "1");
    for time in ["null", "NaN", "-Infinity", "\"soon\"", "1e400", "9223372036854775808"] {
        for wrong in [lasting("a", time, "1"), event("i", "m", &format!(r#","ts":{time}"#))] {
            check(&[wrong, known.clone()].join(","), &[("d", 0, 1000)], &[(UNTIMED, 1)]);
        }
    }
    let events = [event("B", "a", ""), event("C", "k", ""), known].join(",");
    check(&events, &[("d", 0, 1000)], &[(UNTIMED, 2)]);
}

#[test]
fn flows_of_one_end_are_left_out() {
    let flow =
        |phase: &str, id: u32, time: u32| event(phase, "f", &format!(r#","id":{id},"ts":{time}"#));
    let events = [
        flow("s", 1, 1),
        flow("f", 2, 2),
        flow("s", 3, 3),
        flow("s", 3, 4),
        flow("f", 3, 6),
        flow("t", 4, 7),
        lasting("d", "1", "9"),
    ];
    let said = [
        ("flows that leave and never arrive are left out", 2),
        ("flows that arrive and never left are left out", 2),
    ];
    check(&events.join(","), &[("d", 0, 9000)], &said);
    let found = profile(format!("[{}]", events.join(",")));
    let flows: Vec<_> =
        found.timeline.flows.iter().map(|flow| (flow.from.time, flow.to.time)).collect();
    assert_eq!(flows, [(3000, 5000)]);
}

/// Every event on a thread of its own: as many tracks, and no more memory for each.
#[test]
fn as_many_tracks_as_events_stay_within_bounds() {
    const TRACKS: i64 = 100_000;
    let events: Vec<String> = (0..TRACKS)
        .map(|tid| format!(r#"{{"ph":"X","pid":1,"tid":{tid},"ts":{tid},"dur":5,"name":"f"}}"#))
        .collect();
    let found = profile(format!("[{}]", events.join(",")));
    assert_eq!(found.timeline.tracks.len() as i64, TRACKS + 1);
    assert_eq!(found.timeline.spans.len() as i64, TRACKS);
    let each = found.timeline.heap_bytes() / TRACKS as usize;
    assert!(each < 200, "{each} bytes a track");
}

/// What spans will take counts before there are any.
#[test]
fn spans_count_towards_the_memory_while_they_are_read() {
    const SPANS: usize = 100_000;
    let spans: Vec<String> =
        (0..SPANS).map(|number| lasting("f", &number.to_string(), "0.5")).collect();
    let bytes = format!("[{}]", spans.join(","));
    let read = |max_memory: usize| {
        let source = formats::Source { bytes: Box::new(bytes.as_bytes()), file_name: "" };
        formats::read(source, &formats::ReadOptions { max_memory, ..Default::default() })
    };
    let takes = read(usize::MAX).unwrap().profile.timeline.heap_bytes();
    let error = read(takes).unwrap_err();
    assert!(error.to_string().contains("--max-memory"), "{error}");
    assert!(read(takes * 2).is_ok());
}

#[test]
fn traces_that_are_not_read_are_named() {
    for (head, name) in [
        (&b"\x10\0\x04FxT\x16\0\x31\0\0\0\0\0\0\0"[..], "Fuchsia"),
        (b"/* CTF 1.8 */\ntypealias integer {", "Common Trace Format"),
        (b"\xc1\x1f\xfc\xc1\0\0\0\0", "Common Trace Format"),
        (b"\x57\x1d\xd1\x75\0\0\0\0", "Common Trace Format"),
    ] {
        let source = formats::Source { bytes: Box::new(head), file_name: "" };
        let error = formats::read(source, &formats::ReadOptions::default()).unwrap_err();
        assert!(matches!(error, formats::ReadError::Unsupported { .. }), "{error}");
        assert!(error.to_string().contains(name), "{error}");
    }
}
