//! Calls of speedscope's evented profiles as spans.

use profile::{MetricId, Profile, Timing, TrackId, TrackKind};

use crate::measured::{folded, profile, sample, warnings};
use crate::timeline::name_of;

fn file(profiles: &str) -> String {
    format!(
        r#"{{"$schema":"https://www.speedscope.app/file-format-schema.json",
        "shared":{{"frames":[{{"name":"a"}},{{"name":"b"}}]}},"profiles":[{profiles}]}}"#
    )
}

/// By track, name, begin and length.
fn calls(found: &Profile) -> Vec<(u32, String, i64, i64)> {
    let tracks = (0..found.timeline.tracks.len() as u32).map(TrackId);
    let of = |track| found.timeline.spans.of_track(track).map(move |row| (track, row));
    let rows = tracks.flat_map(of).map(|(track, row)| {
        let span = found.timeline.spans.get(row);
        (track.0, name_of(found, row), span.begin, span.length)
    });
    rows.collect()
}

#[test]
fn every_call_is_a_span_on_the_track_of_its_profile() {
    // The times of the second have more decimals than the first ones.
    let events = r#"[{"type":"O","frame":0,"at":10},{"type":"O","frame":1,"at":12},
        {"type":"C","frame":1,"at":13},{"type":"O","frame":1,"at":13.25},{"type":"C","frame":1,"at":15},
        {"type":"C","frame":0,"at":15},{"type":"O","frame":0,"at":15},{"type":"C","frame":0,"at":15}]"#;
    let one = |name: &str| {
        format!(
            r#"{{"type":"evented","name":"{name}","unit":"microseconds","startValue":9,"endValue":15,"events":{events}}}"#
        )
    };
    let found = profile(file(&format!(
        "{},{},{}",
        one("x"),
        one("x"),
        one(r#"Process 4 Thread 5 \"main\""#)
    )));
    let of = |track: u32| {
        let rows = [("a", 1000, 5000), ("b", 3000, 1000), ("b", 4250, 1750), ("a", 6000, 0)];
        rows.map(|(name, begin, length)| (track, name.to_owned(), begin, length))
    };
    assert_eq!(calls(&found), [of(0), of(1), of(3)].concat());
    let kinds: Vec<_> =
        found.timeline.tracks.iter().map(|one| (one.kind, one.thread.map(|id| id.0))).collect();
    use TrackKind::{Process, Thread};
    assert_eq!(
        kinds,
        [(Thread, Some(0)), (Thread, Some(0)), (Process, None), (Thread, Some(1))],
        "a track a profile, also where their names are equal"
    );
    assert_eq!(found.timeline.tracks[3].parent, Some(TrackId(2)));
    assert_eq!(folded(&found, MetricId(0)), ["a 675", "a;b 825"]);
    assert_eq!(folded(&found, MetricId(1)), ["a 6", "a;b 6"]);
    assert_eq!(found.metrics[1].timing, Timing::Begins);
    assert_eq!(found.points.len(), 4, "one for a thread and a context");
}

#[test]
fn one_profile_has_a_track_and_other_units_have_none() {
    let events = r#"[{"type":"O","frame":0,"at":1},{"type":"C","frame":0,"at":3}]"#;
    let of = |unit: &str| {
        profile(file(&format!(
            r#"{{"type":"evented","name":"only","unit":"{unit}","startValue":0,"endValue":3,"events":{events}}}"#
        )))
    };
    let timed = of("seconds");
    let track = timed.timeline.tracks[0];
    assert_eq!((timed.text(track.name), track.thread), ("only", None));
    assert_eq!(calls(&timed), [(0, "a".to_owned(), 1_000_000_000, 2_000_000_000)]);
    let bytes = of("bytes");
    assert!(bytes.timeline.is_empty() && !bytes.points.has_times());
    assert_eq!(folded(&bytes, MetricId(0)), ["a 2"]);
}

#[test]
fn samples_last_as_long_as_they_weigh() {
    let sampled = |unit: &str, weights: &str| {
        profile(file(&format!(
            r#"{{"type":"sampled","name":"x","unit":"{unit}","startValue":5,"endValue":8,
            "samples":[[0],[0,1]],"weights":{weights}}}"#
        )))
    };
    let timed = sampled("seconds", "[1,2]");
    assert_eq!(timed.metrics[0].timing, Timing::Length);
    let times: Vec<_> = (0..2).map(|row| timed.points.time(row)).collect();
    assert_eq!(times, [Some(0), Some(1_000_000_000)]);
    assert_eq!((timed.timeline.tracks.len(), timed.timeline.spans.len()), (1, 0));
    assert_eq!(sampled("seconds", "[1,-2]").metrics[0].timing, Timing::Instant);
    assert_eq!(sampled("none", "[1,2]").metrics[0].timing, Timing::Instant);
}

#[test]
fn damage_is_repaired_and_reported() {
    let found = |events: &str| {
        let text = file(&format!(
            r#"{{"type":"evented","name":"x","unit":"nanoseconds","startValue":0,"endValue":9,"events":{events}}}"#
        ));
        (calls(&profile(&text)), warnings(&text).join("; "))
    };
    let row = |name: &str, begin: i64, length: i64| (0, name.to_owned(), begin, length);
    // Never closed, closed and never opened, and a clock that goes back.
    let (rows, told) = found(
        r#"[{"type":"C","frame":1,"at":1},{"type":"O","frame":0,"at":3},{"type":"O","frame":1,"at":2},{"type":"C","frame":1,"at":4}]"#,
    );
    assert_eq!(rows, [row("a", 3, 6), row("b", 3, 1)]);
    for part in ["were not open", "never close", "go back"] {
        assert!(told.contains(part), "{told}");
    }
    // Crossed: what was opened later ends with the one around it.
    let (rows, told) = found(
        r#"[{"type":"O","frame":0,"at":1},{"type":"O","frame":1,"at":2},{"type":"C","frame":0,"at":5},{"type":"C","frame":1,"at":7}]"#,
    );
    assert_eq!(rows, [row("a", 1, 4), row("b", 2, 3)]);
    assert!(told.contains("end with the one around them"), "{told}");
    // Times of 64 bits, and beyond.
    let (rows, told) = found(
        r#"[{"type":"O","frame":0,"at":-9223372036854775000},{"type":"O","frame":1,"at":9223372036854775000},{"type":"C","frame":1,"at":9300000000000000000},{"type":"C","frame":0,"at":9223372036854775001}]"#,
    );
    assert_eq!(rows.len(), 2);
    assert!(rows.iter().all(|row| row.3 >= 0), "{rows:?}");
    assert!(told.contains("not numbers of 64 bits"), "{told}");
}

/// Calls and the sum of their lengths, counted by a program that reads the JSON alone.
#[test]
fn a_real_file_has_what_was_counted() {
    let found = sample("speedscope/pyinstrument.speedscope.json");
    let rows = calls(&found);
    let sum: i64 = rows.iter().map(|row| row.3).sum();
    assert_eq!(rows.len(), 164);
    assert!((sum - 5_528_867_295).abs() <= 164, "{sum}");
}
