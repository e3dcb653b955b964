//! Random traces: begins, ends and complete events in any order, which cross, tie, and never end. The oracle
//! goes through the events as the format's description says, without lanes, points or columns.

use proptest::prelude::*;

use crate::measured::profile;
use crate::timeline::name_of;
use profile::{ContextId, MetricId, Profile, TrackId, TrackKind};

/// A span as it was recorded: name, begin, and length if it has an end, in microseconds.
type SpanRow = (String, i64, Option<i64>);

#[derive(Debug, Clone, Copy)]
enum Event {
    Begin(u8),
    End(Option<u8>),
    Complete(u8, i64),
}

fn event() -> impl Strategy<Value = (i64, Event)> {
    let of = prop_oneof![
        3 => (0..4u8).prop_map(Event::Begin),
        3 => proptest::option::weighted(0.8, 0..4u8).prop_map(Event::End),
        3 => (0..4u8, 0..12i64).prop_map(|(name, length)| Event::Complete(name, length)),
    ];
    (0..24i64, of)
}

fn name(number: u8) -> String {
    char::from(b'a' + number).to_string()
}

fn text(events: &[(i64, Event)]) -> String {
    let rows = events.iter().map(|(time, event)| {
        let head = format!(r#"{{"pid":1,"tid":1,"ts":{time}"#);
        match event {
            Event::Begin(of) => format!(r#"{head},"ph":"B","name":"{}"}}"#, name(*of)),
            Event::End(Some(of)) => format!(r#"{head},"ph":"E","name":"{}"}}"#, name(*of)),
            Event::End(None) => format!(r#"{head},"ph":"E"}}"#),
            Event::Complete(of, length) => {
                format!(r#"{head},"ph":"X","name":"{}","dur":{length}}}"#, name(*of))
            }
        }
    });
    format!("[{}]", rows.collect::<Vec<_>>().join(","))
}

/// By time, in the order of the file; an end is of the last begin of its name that has none, or of the last
/// of all. One that comes before a begin of its name at the same time is its end.
fn oracle(events: &[(i64, Event)]) -> Vec<SpanRow> {
    let mut sorted = events.to_vec();
    sorted.sort_by_key(|(time, _)| *time);
    let mut told: Vec<SpanRow> = vec![];
    let mut open: Vec<usize> = vec![];
    let mut early: Vec<(i64, String)> = vec![];
    for (time, event) in sorted {
        match event {
            Event::Complete(of, length) => told.push((name(of), time, Some(length))),
            Event::Begin(of) => {
                let own = (time, name(of));
                if let Some(place) = early.iter().position(|one| *one == own) {
                    early.remove(place);
                    told.push((name(of), time, Some(0)));
                } else {
                    open.push(told.len());
                    told.push((name(of), time, None));
                }
            }
            Event::End(of) => {
                let is_it = |row: &usize| of.is_none_or(|of| told[*row].0 == name(of));
                match open.iter().rposition(is_it) {
                    Some(place) => {
                        let row = open.remove(place);
                        told[row].2 = Some(time - told[row].1);
                    }
                    None => early.push((time, of.map_or(String::new(), name))),
                }
            }
        }
    }
    told.sort();
    told
}

fn found(profile: &Profile) -> Vec<SpanRow> {
    let (spans, clock) = (&profile.timeline.spans, profile.origin.clock_ns);
    let rows = 0..spans.len();
    let mut all: Vec<SpanRow> = rows
        .map(|row| {
            let span = spans.get(row);
            let length = (!span.is_unfinished).then_some(span.length / 1000);
            (name_of(profile, row), (span.begin + clock) / 1000, length)
        })
        .collect();
    all.sort();
    all
}

/// On each track but lanes spans nest as their contexts say.
fn check_nesting(profile: &Profile) {
    let timeline = &profile.timeline;
    for track in (0..timeline.tracks.len() as u32).map(TrackId) {
        if timeline.tracks[track.index()].kind == TrackKind::Lane {
            continue;
        }
        let mut open: Vec<(i64, ContextId)> = vec![];
        for span in timeline.spans.of_track(track).map(|row| timeline.spans.get(row)) {
            let context = profile.points.context[span.point.index()];
            while open.last().is_some_and(|(end, _)| *end <= span.begin) {
                open.pop();
            }
            // Those that take no time stand behind what begins with them, wherever they were.
            if span.length == 0 {
                continue;
            }
            let (end, around) = open.last().copied().unwrap_or((i64::MAX, ContextId::ROOT));
            assert!(span.end() <= end, "{span:?}");
            assert_eq!(profile.contexts.parent(context), Some(around), "{span:?}");
            open.push((span.end(), context));
        }
    }
}

/// The time of each context with all below it is what its spans that end last, but for those that never end.
fn check_sums(profile: &Profile) {
    let spans = &profile.timeline.spans;
    let calls = profile.metric_total(MetricId(1)).0;
    assert_eq!(calls, spans.len() as i64, "calls and spans");
    let mut own = vec![0; profile.contexts.len()];
    for row in 0..profile.points.len() {
        own[profile.points.context[row].index()] += profile.points.row(row)[0];
    }
    let mut lasted = vec![0; profile.contexts.len()];
    let mut has_unfinished = vec![false; profile.contexts.len()];
    for row in 0..spans.len() {
        let span = spans.get(row);
        let context = profile.points.context[span.point.index()].index();
        has_unfinished[context] |= span.is_unfinished;
        lasted[context] += if span.is_unfinished { 0 } else { span.length };
    }
    let mut total = own.clone();
    for context in (1..profile.contexts.len()).rev() {
        if let Some(parent) = profile.contexts.parent(ContextId(context as u32)) {
            total[parent.index()] += total[context];
        }
        if !has_unfinished[context] {
            assert_eq!(total[context], lasted[context], "context {context}");
        }
        assert!(own[context] >= 0);
    }
}

fn check(events: &[(i64, Event)]) {
    let wanted = oracle(events);
    if wanted.is_empty() {
        return;
    }
    let read = profile(text(events));
    assert_eq!(read.check(), []);
    assert_eq!(found(&read), wanted);
    check_nesting(&read);
    check_sums(&read);
}

#[test]
fn traces_that_were_wrong_once_are_right() {
    use Event::{Begin, Complete, End};
    check(&[(0, Begin(0)), (2, Complete(1, 9)), (10, End(None)), (1000, Complete(2, 5))]);
    check(&[(0, Complete(0, 10)), (6, Complete(0, 10)), (12, Complete(1, 10))]);
    check(&[(0, Begin(0)), (1, Begin(1)), (5, End(Some(0))), (6, End(Some(1)))]);
    check(&[(0, Begin(0)), (1, Begin(1)), (5, End(Some(0))), (6, Begin(0))]);
    check(&[(3, Complete(0, 5)), (8, End(None)), (4, Begin(0)), (4, Complete(0, 0))]);
}

/// Many more in the long suite.
fn cases() -> ProptestConfig {
    let is_long = std::env::var_os("HOTFRAME_LONG").is_some();
    ProptestConfig::with_cases(if is_long { 200_000 } else { 1_000 })
}

proptest! {
    #![proptest_config(cases())]
    #[test]
    fn spans_are_as_long_as_they_were_recorded(events in prop::collection::vec(event(), 1..40)) {
        check(&events);
    }
}
