//! simpleperf's samples, written here field by field as `cmd_report_sample.proto` has them.

use crate::encode::{Message, message};
use crate::measured::{folded, profile, read, stacks, warnings};
use profile::{FrameId, MetricId, ThreadId};

fn file(records: Vec<Message>) -> Vec<u8> {
    let mut bytes = b"SIMPLEPERF\x01\x00".to_vec();
    for record in records {
        bytes.extend((record.0.len() as u32).to_le_bytes());
        bytes.extend(record.0);
    }
    bytes.extend([0; 4]);
    bytes
}

fn entry(address: i64, file: i64, symbol: i64) -> Message {
    message().int(1, address).int(2, file).int(3, symbol)
}

fn sample(time: i64, event: i64, count: i64, frames: Vec<Message>) -> Message {
    let sample = message().int(1, time).int(2, 12);
    let sample = frames.into_iter().fold(sample, |sample, frame| sample.message(3, frame));
    message().message(1, sample.int(4, count).int(5, event))
}

fn all() -> Vec<Message> {
    const UNKNOWN: i64 = -1;
    let text = |message: Message, field, text: &str| message.bytes(field, text.as_bytes());
    vec![
        message()
            .message(5, text(text(text(message(), 1, "cpu-clock:u"), 1, "cycles"), 2, "org.app")),
        sample(1000, 0, 5, vec![entry(0x10, 1, 1), entry(0x20, 1, 0)]),
        sample(3000, 1, 70, vec![entry(0x30, 2, UNKNOWN).int(4, 2), entry(0x20, 1, 0)]),
        message().message(2, message().int(1, 2).int(2, 9)),
        message().message(6, message().int(1, 1).int(2, 5)),
        message().message(
            3,
            text(
                text(text(text(message().int(1, 1), 2, "/lib/a.so"), 3, "main"), 3, "f(int)"),
                4,
                "main",
            ),
        ),
        message().message(3, text(message().int(1, 2), 2, "/lib/b.so")),
        message().message(4, text(message().int(1, 12).int(2, 11), 3, "worker")),
    ]
}

#[test]
fn samples_find_the_names_that_follow_them() {
    let found = profile(file(all()));
    assert_eq!(
        stacks(&found),
        [("main;f(int)".to_owned(), vec![5, 0, 1]), ("main;b.so+0x30".to_owned(), vec![0, 70, 1]),]
    );
    let metrics: Vec<_> =
        found.metrics.iter().map(|m| (m.name.as_str(), m.unit.as_str())).collect();
    assert_eq!(
        metrics,
        [("cpu-clock:u", "nanoseconds"), ("cycles", "count"), ("samples", "count")]
    );
    assert_eq!(found.thread_name(ThreadId(0)), "worker (12)");
    assert_eq!(found.text(found.processes[0].id), "11");
    assert_eq!((found.points.time(0), found.points.time(1)), (Some(0), Some(2000)));
    assert_eq!((found.origin.clock_ns, found.origin.duration_ns), (1000, 2000));
    assert_eq!(found.frame_module(FrameId(0)), "/lib/a.so");
    assert_eq!(found.label_sets.len(), 2);
    assert_eq!(found.origin.comments, ["app: org.app"]);
    let told = warnings(file(all()));
    assert!(told.iter().any(|w| w.contains("lost")) && told.iter().any(|w| w.contains("switches")));
}

#[test]
fn threads_are_tracks_under_their_processes() {
    let found = profile(file(all()));
    let tracks: Vec<_> = found.timeline.tracks.iter().map(|one| (one.kind, one.parent)).collect();
    use profile::{TrackId, TrackKind};
    assert_eq!(tracks, [(TrackKind::Process, None), (TrackKind::Thread, Some(TrackId(0)))]);
}

#[test]
fn reports_damage() {
    let bytes = file(all());
    let cut = read(&bytes[..bytes.len() - 9]).unwrap();
    assert!(cut.warnings.iter().any(|warning| warning.message.contains("cut short")));
    assert_eq!(folded(&cut.profile, MetricId(2)).len(), 2);
    let mut newer = bytes;
    newer[10] = 7;
    assert!(read(&newer).unwrap_err().to_string().contains("version 7"));
}
