//! Perfetto's traces: against a report made with the format's own descriptors, and packet by packet.

use std::collections::BTreeMap;

use profile::{FrameId, Profile, TrackId, TrackKind};

use crate::measured::{profile, read, sample, text, warnings};

/// Writes protobuf, as far as these tests need it.
#[derive(Default, Clone)]
struct Message(Vec<u8>);

impl Message {
    fn varint(mut self, mut value: u64) -> Self {
        while value >= 0x80 {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
        self
    }

    fn int(self, field: u64, value: u64) -> Self {
        self.varint(field << 3).varint(value)
    }

    fn fixed(mut self, field: u64, value: u64) -> Self {
        self = self.varint(field << 3 | 1);
        self.0.extend(value.to_le_bytes());
        self
    }

    fn bytes(mut self, field: u64, bytes: &[u8]) -> Self {
        self = self.varint(field << 3 | 2).varint(bytes.len() as u64);
        self.0.extend(bytes);
        self
    }

    fn text(self, field: u64, text: &str) -> Self {
        self.bytes(field, text.as_bytes())
    }

    fn message(self, field: u64, inner: Message) -> Self {
        self.bytes(field, &inner.0)
    }

    fn double(self, field: u64, value: f64) -> Self {
        self.fixed(field, value.to_bits())
    }
}

fn new() -> Message {
    Message::default()
}

fn trace(packets: impl IntoIterator<Item = Message>) -> Vec<u8> {
    packets.into_iter().fold(new(), |all, packet| all.message(1, packet)).0
}

/// A track event on a track.
fn event(time: u64, kind: u64, track: u64, name: &str) -> Message {
    let event = new().int(9, kind).int(11, track);
    let event = if name.is_empty() { event } else { event.text(23, name) };
    new().int(8, time).int(10, 1).message(11, event)
}

fn descriptor(uuid: u64, parent: u64, inside: Message) -> Message {
    let known = if parent == 0 { new() } else { new().int(5, parent) };
    let mut known = known.int(1, uuid);
    known.0.extend(inside.0);
    new().int(10, 1).message(60, known)
}

fn thread(pid: u64, tid: u64, name: &str) -> Message {
    new().message(4, new().int(1, pid).int(2, tid).text(5, name))
}

const BEGIN: u64 = 1;
const END: u64 = 2;
const INSTANT: u64 = 3;
const VALUE: u64 = 4;

fn name_of(profile: &Profile, row: usize) -> String {
    let context = profile.points.context[profile.timeline.spans.point(row).index()];
    let frame = FrameId(profile.frames_of(context).next_back().unwrap());
    profile.frame_name(frame).into_owned()
}

fn track_name(profile: &Profile, track: TrackId) -> String {
    let track = profile.timeline.tracks[track.index()];
    match track.thread {
        Some(thread) if track.kind == TrackKind::Thread => {
            profile.text(profile.threads[thread.index()].name).to_owned()
        }
        _ => profile.text(track.name).to_owned(),
    }
}

/// Track, name, begin and length of all spans.
fn spans(profile: &Profile) -> Vec<(String, String, i64, i64)> {
    let mut all = vec![];
    for track in (0..profile.timeline.tracks.len() as u32).map(TrackId) {
        for row in profile.timeline.spans.of_track(track) {
            let span = profile.timeline.spans.get(row);
            let name = name_of(profile, row);
            all.push((track_name(profile, track), name, span.begin, span.length));
        }
    }
    all
}

fn span(track: &str, name: &str, begin: i64, length: i64) -> (String, String, i64, i64) {
    (track.to_owned(), name.to_owned(), begin, length)
}

/// Slices, instants, counters, flows, running threads and samples are what the report says.
#[test]
fn the_bakery_is_what_its_report_says() {
    let found = sample("perfetto/bakery.perfetto-trace");
    let timeline = &found.timeline;
    let mut lines = vec![];
    let mut sums = BTreeMap::<(String, String), (u64, i64)>::new();
    let mut ran = BTreeMap::<(u32, String), i64>::new();
    for track in (0..timeline.tracks.len() as u32).map(TrackId) {
        let rows = timeline.spans.of_track(track);
        let cpu = timeline.tracks[track.index()].cpu;
        let last = rows.end;
        for row in rows {
            let span = timeline.spans.get(row);
            if let Some(cpu) = cpu {
                let thread = found.points.thread(span.point.index()).unwrap();
                let thread = found.text(found.threads[thread.index()].id).to_owned();
                // The last one has no end in the file.
                if cpu == 0 || row + 1 < last {
                    *ran.entry((cpu, thread)).or_default() += span.length;
                }
                continue;
            }
            let sum = sums.entry((track_name(&found, track), name_of(&found, row))).or_default();
            *sum = (sum.0 + 1, sum.1 + span.length);
        }
    }
    for ((track, name), (count, length)) in sums {
        lines.push(format!("slice\t{track}\t{name}\t{count}\t{length}"));
    }
    let mut instants = BTreeMap::<&str, u64>::new();
    for track in (0..timeline.tracks.len() as u32).map(TrackId) {
        for row in timeline.marks.of_track(track) {
            let kind = found.text(timeline.marks.get(track, row).kind);
            *instants.entry(kind).or_default() += 1;
        }
    }
    lines.extend(instants.iter().map(|(name, count)| format!("instant\t{name}\t{count}")));
    let mut counters: Vec<String> = timeline
        .counters
        .iter()
        .map(|counter| {
            let (count, sum) = (counter.values.len(), counter.values.iter().sum::<f64>());
            format!("counter\t{}\t{count}\t{sum:?}", found.text(counter.name))
        })
        .collect();
    counters.sort();
    lines.extend(counters);
    for flow in timeline.flows.iter().filter(|flow| found.text(flow.name) != "waking") {
        lines.push(format!("flow\t{}", flow.to.time - flow.from.time));
    }
    for ((cpu, thread), length) in ran {
        lines.push(format!("ran\t{cpu}\t{thread}\t{length}"));
    }
    let samples = crate::measured::metric(&found, "samples");
    for line in crate::measured::folded(&found, samples) {
        let (stack, count) = line.rsplit_once(' ').unwrap();
        lines.push(format!("sample\t{stack}\t{count}"));
    }
    let report = text("perfetto/reports/bakery.txt");
    assert_eq!(lines, report.lines().collect::<Vec<_>>());
}

#[test]
fn slices_nest_by_their_track() {
    let found = profile(trace([
        descriptor(7, 0, thread(1, 2, "main")),
        event(100, BEGIN, 7, "outer"),
        event(110, BEGIN, 7, "inner"),
        event(110, INSTANT, 7, "tick"),
        event(130, END, 7, ""),
        event(150, END, 7, ""),
        // The same thread by another identifier, and in another order of time.
        descriptor(8, 0, thread(1, 2, "main")),
        event(145, END, 8, ""),
        event(140, BEGIN, 8, "other"),
    ]));
    let expected =
        [span("main", "outer", 0, 50), span("main", "inner", 10, 20), span("main", "other", 40, 5)];
    assert_eq!(spans(&found), expected);
    assert_eq!(found.origin.clock_ns, 100);
    assert_eq!(found.metric_total(crate::measured::metric(&found, "time")).0, 50);
    assert_eq!(found.metric_total(crate::measured::metric(&found, "calls")).0, 3);
}

#[test]
fn clocks_are_related_by_snapshots() {
    let reading = |clock, time| new().int(1, clock).int(2, time);
    let snapshot = |inner: Message| new().int(10, 1).message(6, inner);
    let mut monotonic = event(1_030, BEGIN, 7, "by another clock");
    monotonic = monotonic.int(58, 3);
    let mut by_way = event(5, END, 7, "");
    by_way = by_way.int(58, 70);
    let mut unknown = event(5, BEGIN, 7, "lost");
    unknown = unknown.int(58, 9);
    let bytes = trace([
        descriptor(7, 0, thread(1, 2, "main")),
        snapshot(new().message(1, reading(6, 2_000)).message(1, reading(3, 1_000))),
        event(2_010, BEGIN, 7, "by the boot's"),
        monotonic,
        // The clock 70 is the sequence's own, in tens of nanoseconds, and related by the monotonic one.
        snapshot(
            new().message(1, new().int(1, 70).int(2, 1).int(4, 10)).message(1, reading(3, 1_000)),
        ),
        by_way,
        event(2_070, END, 7, ""),
        unknown,
        // The monotonic clock was set: later times are by the later snapshot.
        snapshot(new().message(1, reading(6, 3_000)).message(1, reading(3, 1_500))),
        event(1_510, INSTANT, 7, "later").int(58, 3),
    ]);
    let found = profile(&bytes);
    let expected = [span("main", "by the boot's", 0, 60), span("main", "by another clock", 20, 10)];
    assert_eq!(spans(&found), expected);
    assert_eq!(found.timeline.marks.times().collect::<Vec<_>>(), [1_000]);
    let told = "events by clocks that no snapshot before relates to the trace's are left out";
    assert_eq!(warnings(&bytes), [told]);
}

#[test]
fn numbered_names_are_of_their_sequence_and_time() {
    let name = |number, text: &str| new().message(2, new().int(1, number).text(2, text));
    let begin = |sequence, time, number| {
        let event = new().int(9, BEGIN).int(11, 7).int(10, number);
        new().int(8, time).int(10, sequence).int(13, 2).message(11, event)
    };
    let end = |time| event(time, END, 7, "");
    let bytes = trace([
        descriptor(7, 0, thread(1, 2, "main")),
        begin(1, 1, 5).int(13, 1).message(12, name(5, "first")),
        end(2),
        begin(2, 3, 5).int(13, 1).message(12, name(5, "second")),
        end(4),
        begin(1, 5, 5),
        end(6),
        begin(1, 7, 5).int(13, 1).message(12, name(6, "another")),
        end(8),
        begin(1, 9, 6).int(42, 1),
    ]);
    let names: Vec<String> = spans(&profile(&bytes)).into_iter().map(|span| span.1).collect();
    assert_eq!(names, ["first", "second", "first", "(unnamed)"]);
    let told = warnings(&bytes);
    for expected in [
        "names and categories that no packet has are empty",
        "times that packets before were lost",
        "packets that build on lost ones are left out",
    ] {
        assert!(told.iter().any(|told| told == expected), "{expected} of {told:?}");
    }
}

#[test]
fn counters_add_up_and_are_scaled() {
    let counter = |name: &str, inner: Message| new().text(2, name).message(8, inner);
    let value = |time, value: u64| {
        let event = new().int(9, VALUE).int(11, 8).int(30, value);
        new().int(8, time).int(10, 1).message(11, event)
    };
    let extra = new().int(9, BEGIN).int(11, 7).int(31, 9).int(12, 4).int(45, 10).double(46, 0.5);
    let found = profile(trace([
        descriptor(7, 0, thread(1, 2, "main")),
        descriptor(8, 7, counter("read", new().int(3, 3).int(4, 1024).int(5, 1))),
        descriptor(9, 7, counter("", new().int(1, 1))),
        descriptor(10, 0, counter("load", new().text(6, "percent"))),
        value(1, 2),
        value(2, 3),
        value(3, (-1i64) as u64),
        new().int(8, 4).int(10, 1).message(11, extra),
        event(9, END, 7, ""),
    ]));
    let told: Vec<_> = found
        .timeline
        .counters
        .iter()
        .map(|counter| {
            let kind = found.timeline.tracks[counter.track.index()].kind;
            let texts = [found.text(counter.name), found.text(counter.unit)];
            (texts, kind, &counter.values[..])
        })
        .collect();
    let expected = [
        (["read", "bytes"], TrackKind::Thread, &[2048.0, 5120.0, 4096.0][..]),
        (["thread time", "nanoseconds"], TrackKind::Thread, &[4.0][..]),
        (["load", "percent"], TrackKind::Lane, &[0.5][..]),
    ];
    assert_eq!(told, expected);
}

#[test]
fn operations_of_one_name_are_one_lane() {
    let lane = |uuid| descriptor(uuid, 7, new().text(2, "requests"));
    let found = profile(trace([
        descriptor(7, 0, new().message(3, new().int(1, 1).text(6, "app"))),
        lane(20),
        lane(21),
        event(0, BEGIN, 20, "get"),
        event(5, BEGIN, 21, "get"),
        event(8, BEGIN, 21, "parse"),
        event(9, END, 21, ""),
        event(10, END, 20, ""),
        event(20, END, 21, ""),
    ]));
    let expected = [
        span("requests", "get", 0, 10),
        span("requests", "get", 5, 15),
        span("requests", "parse", 8, 1),
    ];
    assert_eq!(spans(&found), expected);
    let kinds: Vec<_> = found.timeline.tracks.iter().map(|track| track.kind).collect();
    assert_eq!(kinds, [TrackKind::Process, TrackKind::Lane]);
    assert_eq!(found.metric_total(crate::measured::metric(&found, "asynchronous time")).0, 25);
}

#[test]
fn flows_go_from_step_to_step() {
    let step = |time, track, field, id: u64| {
        let event = new().int(9, INSTANT).int(11, track).text(23, "at").fixed(field, id);
        new().int(8, time).int(10, 1).message(11, event)
    };
    let bytes = trace([
        descriptor(7, 0, thread(1, 2, "a")),
        descriptor(8, 0, thread(1, 3, "b")),
        step(1, 7, 47, u64::MAX),
        step(3, 8, 48, u64::MAX),
        step(2, 8, 47, u64::MAX),
        step(4, 7, 47, u64::MAX),
        step(6, 8, 47, u64::MAX),
    ]);
    let found = profile(&bytes);
    let flows: Vec<_> =
        found.timeline.flows.iter().map(|flow| (flow.from.time, flow.to.time)).collect();
    assert_eq!(flows, [(0, 1), (1, 2), (3, 5)]);
}

#[test]
fn tracks_in_circles_and_without_descriptors_are_read() {
    let bytes = trace([
        descriptor(20, 21, new().text(2, "a")),
        descriptor(21, 20, new().text(2, "b")),
        descriptor(u64::MAX, u64::MAX, new().text(2, "own")),
        event(0, BEGIN, 20, "x"),
        event(1, BEGIN, 21, "y"),
        event(2, BEGIN, u64::MAX, "z"),
        event(3, INSTANT, 99, "w"),
        event(4, BEGIN, 0, "everywhere"),
        event(5, END, 0, ""),
    ]);
    let found = profile(&bytes);
    assert_eq!(found.timeline.spans.len(), 4);
    assert!(warnings(&bytes).contains(&"tracks that no packet describes".to_owned()));
}

#[test]
fn reports_damage() {
    let good = trace([descriptor(7, 0, thread(1, 2, "main")), event(1, BEGIN, 7, "a")]);
    let cut = &good[..good.len() - 2];
    let nothing = read(cut).unwrap_err().to_string();
    assert!(nothing.contains("could be read: the file ends inside"), "{nothing}");
    let cut = [&good[..], cut].concat();
    assert!(warnings(&cut).iter().any(|told| told.starts_with("the file ends inside")));
    // A time that is a text, a track that is a time of eight bytes, an event that is a number.
    let odd = trace([
        descriptor(7, 0, thread(1, 2, "main")),
        event(1, BEGIN, 7, "a"),
        event(5, 200, 7, "odd"),
        new().int(8, u64::MAX).int(10, 1).message(11, new().int(9, BEGIN).int(11, 7)),
        new().int(10, 1).message(11, new().int(9, BEGIN).int(11, 7)),
        new().int(8, 3).int(10, 1).message(11, new().text(9, "kind").fixed(11, 7)),
        new().int(8, 3).int(10, 1).bytes(11, &[0x0b, 0x80]),
        new().int(8, 3).int(10, 1).bytes(50, b"not packed"),
        new().int(10, 1).bytes(999, b""),
        event(9, END, 7, ""),
    ]);
    let opened = read(&odd).unwrap();
    assert_eq!(opened.profile.check(), []);
    assert_eq!(spans(&opened.profile), [span("main", "a", 0, 8)]);
    let told: Vec<_> =
        opened.warnings.iter().map(|told| (told.message.as_str(), told.count)).collect();
    let expected = [
        ("track events of other kinds are not shown", 2),
        ("events without a time, or beyond 292 years, are left out", 2),
        ("packets that are damaged", 1),
        ("packed packets that cannot be unpacked whole", 1),
        ("packets of other kinds are not shown", 1),
    ];
    assert_eq!(told, expected);
}

/// Some writers leave a zero between packets, and begin with a packet that tells nothing but clocks.
#[test]
fn zeros_between_packets_are_stepped_over() {
    let clocks =
        new().int(3, 1000).message(6, new().int(2, 6).message(1, new().int(1, 6).int(2, 5)));
    let event = |kind: u64, time: u64| {
        let event = new().int(9, kind).int(11, 7).text(23, "step");
        new().int(8, time).int(10, 1).int(13, 1).message(11, event)
    };
    let whole = trace([clocks, event(1, 10), event(2, 30)]);
    let end = trace([event(1, 40), event(2, 45)]);
    let file = [&*whole, &[0], &*end].concat();
    let found = profile(&file);
    assert_eq!(found.origin.format, "perfetto");
    assert_eq!(found.timeline.spans.len(), 2);
    assert!(warnings(&file).contains(&"zero bytes between packets are stepped over".to_owned()));
    // At the beginning it is none of its files.
    assert!(read([&[0], &*whole].concat()).is_err());
}

/// Packets that are packed with zstd are read like others, wherever they stand.
#[test]
fn packets_packed_with_zstd_are_read() {
    use ruzstd::encoding::{CompressionLevel, compress_to_vec};
    let inner = trace([
        descriptor(7, 0, new().text(2, "bench")),
        event(1000, BEGIN, 7, "work"),
        event(5000, END, 7, ""),
    ]);
    let packed = compress_to_vec(inner.as_slice(), CompressionLevel::Fastest);
    let file = trace([new().bytes(133, &packed)]);
    assert_eq!(spans(&profile(&file)), [span("bench", "work", 0, 4000)]);
    // Half a frame is told, and what is around it is read.
    let rest = event(9000, INSTANT, 7, "done");
    let file = trace([new().bytes(133, &packed[..packed.len() / 2]), rest]);
    let read = read(&file).unwrap();
    assert!(warnings(&file).iter().any(|told| told.contains("cannot be unpacked whole")));
    assert_eq!(read.profile.timeline.marks.len(), 1);
}

/// A trace of nothing but the kernel's events is known for one; messages like it are not.
#[test]
fn bundles_of_the_kernel_are_known() {
    let print = |time: u64, text: &str| {
        new().message(2, new().int(1, time).int(2, 5).message(3, new().text(2, text)))
    };
    let mut bundle = new().int(1, 0);
    bundle.0.extend(print(1000, "B|5|draw\n").0);
    bundle.0.extend(print(3000, "E|5\n").0);
    let read = read(trace([new().message(1, bundle)])).unwrap();
    assert_eq!(read.profile.origin.format, "perfetto");
    assert_eq!(read.profile.timeline.spans.len(), 1);
    assert_eq!(read.profile.timeline.spans.get(0).length, 2000);
    let other = new().message(1, new().message(1, new().text(1, "x")));
    let error = self::read(trace([other])).unwrap_err();
    assert!(error.to_string().contains("no known profile format"), "{error}");
}

/// The metrics' names, and their sums over all points.
fn sums(profile: &Profile) -> Vec<(String, i64)> {
    let of = |metric: usize| profile.points.values(profile::MetricId(metric as u32));
    let metrics = profile.metrics.iter().enumerate();
    let sum = |row: usize| of(row).fold(0, i64::saturating_add);
    metrics.map(|(row, metric)| (metric.name.clone(), sum(row))).collect()
}

fn pairs(expected: &[(&str, i64)]) -> Vec<(String, i64)> {
    expected.iter().map(|&(name, value)| (name.to_owned(), value)).collect()
}

/// Stack samples: inline and numbered stacks, weights by default, by number and told in place.
#[test]
fn stack_samples_weigh_what_they_say() {
    let counter = |id: u64, name: &str, unit: u64| new().int(1, id).text(2, name).int(3, unit);
    let string = |id: u64, text: &str| new().int(1, id).text(2, text);
    let interned = new()
        .message(5, string(1, "main"))
        .message(5, string(2, "leaf"))
        .message(6, new().int(1, 1).int(2, 1))
        .message(6, new().int(1, 2).int(2, 2))
        .message(7, new().int(1, 9).int(2, 1).int(2, 2))
        .message(2000, new().int(1, 3).int(2, 70).int(3, 71))
        .message(2002, counter(4, "pages", 5));
    let defaults = new().message(100, new().text(1, "wall").message(2, counter(0, "wall-time", 1)));
    let first = new().int(8, 1000).int(10, 1).int(13, 1).message(12, interned);
    let sample = |time: u64, inside: Message| new().int(8, time).int(10, 1).message(135, inside);
    let frame = |name: &str| new().text(1, name).text(2, "a.c").int(3, 7);
    let inline = new().message(1, frame("main")).message(1, frame("work"));
    let file = trace([
        first.message(59, defaults),
        // By default, of a numbered thread and stack.
        sample(2000, new().int(2, 3).int(6, 9).int(11, 10)),
        // Another thread, the stack in place; with another counter beside the first.
        sample(
            3000,
            new()
                .message(1, new().int(2, 70).int(3, 72))
                .message(3, new().int(2, 1))
                .message(5, inline)
                .int(11, 20)
                .message(12, counter(0, "misses", 6).int(5, 100))
                .int(14, 3),
        ),
        // By the number of a counter.
        sample(4000, new().int(2, 3).int(6, 9).int(10, 4).int(11, 5)),
        // Beyond what numbers hold.
        sample(5000, new().int(2, 3).int(6, 9).int(10, 4).int(11, u64::MAX)),
        // A number that nothing tells.
        sample(6000, new().int(2, 33).int(6, 9).int(11, 1)),
    ]);
    let read = read(&file).unwrap();
    let found = &read.profile;
    let expected =
        [("samples", 5), ("wall-time", 31), ("misses", 300), ("pages", i64::MAX)].as_slice();
    let mut all = sums(found);
    all.sort();
    let mut expected = pairs(expected);
    expected.sort();
    assert_eq!(all, expected);
    assert_eq!(found.metrics[found.origin.default_metric.0 as usize].name, "wall-time");
    let told = warnings(&file);
    assert!(told.iter().any(|told| told.contains("beyond 63 bits")), "{told:?}");
    assert!(told.iter().any(|told| told.contains("no earlier packet has")), "{told:?}");
    let threads: Vec<&str> = found.threads.iter().map(|thread| found.text(thread.id)).collect();
    assert!(threads.contains(&"71") && threads.contains(&"72"), "{threads:?}");
}

/// Heap profiles: parts of one belong together, a later one takes an earlier one's place.
#[test]
fn the_last_heap_profile_counts() {
    let string = |id: u64, text: &str| new().int(1, id).text(2, text);
    let interned = new()
        .message(5, string(1, "main"))
        .message(6, new().int(1, 1).int(2, 1))
        .message(7, new().int(1, 1).int(2, 1));
    let sample = |allocated: u64, freed: u64, count: u64, frees: u64| {
        new().int(1, 1).int(2, allocated).int(3, freed).int(5, count).int(6, frees)
    };
    let dump = |pid: u64, samples: &[Message]| {
        samples.iter().fold(new().int(1, pid).text(11, "malloc"), |all, sample| {
            all.message(2, sample.clone())
        })
    };
    let packet = |dumps: &[Message], is_continued: bool| {
        let profile = dumps.iter().fold(new(), |all, dump| all.message(5, dump.clone()));
        new().int(8, 5).int(10, 1).message(37, profile.int(6, is_continued.into()))
    };
    let file = trace([
        new().int(8, 1).int(10, 1).int(13, 1).message(12, interned),
        packet(&[dump(1, &[sample(100, 0, 1, 0)]), dump(2, &[sample(7, 0, 1, 0)])], false),
        packet(&[dump(1, &[sample(300, 100, 3, 1)])], true),
        packet(&[dump(1, &[sample(50, 50, 5, 5)])], false),
    ]);
    let read = read(&file).unwrap();
    let expected = [
        ("in use", 200 + 7),
        ("allocations in use", 2 + 1),
        ("allocated", 350 + 7),
        ("allocations", 8 + 1),
    ];
    assert_eq!(sums(&read.profile), pairs(&expected));
    assert!(warnings(&file).iter().any(|told| told.contains("earlier profiles")));
    assert_eq!(read.profile.processes.len(), 2);
}

/// Stages of a GPU are on the lanes of their queues; a stage without a length is an instant.
#[test]
fn stages_of_gpus_are_spans_of_their_queues() {
    let interned = new()
        .message(24, new().int(1, 1).text(2, "compute"))
        .message(24, new().int(1, 2).text(2, "matmul"));
    let stage = |time: u64, inside: Message| new().int(8, time).int(10, 1).message(53, inside);
    let file = trace([
        new().int(8, 1).int(10, 1).int(13, 1).message(12, interned),
        stage(1000, new().int(1, 1).int(2, 50).int(13, 1).int(14, 2)),
        stage(1020, new().int(1, 2).int(2, 50).int(13, 1).int(14, 2)),
        stage(1100, new().int(1, 3).int(13, 1).text(17, "fence")),
    ]);
    let read = read(&file).unwrap();
    let mut lengths: Vec<i64> = spans(&read.profile).iter().map(|span| span.3).collect();
    lengths.sort_unstable();
    assert_eq!(lengths, [50, 50]);
    assert!(spans(&read.profile).iter().all(|span| span.1 == "matmul"));
    assert!(spans(&read.profile).iter().any(|span| span.0 == "GPU 0: compute"));
    assert_eq!(read.profile.timeline.marks.len(), 1);
}

/// An asynchronous operation that begins once more while it is open is one; its identifier is of all processes.
#[test]
fn operations_that_do_not_nest_begin_once() {
    let older = |time: u64, track: u64, phase: u8, id: Message| {
        let mut legacy = new().int(2, phase.into());
        legacy.0.extend(id.0);
        let event = new().int(11, track).text(22, "net").text(23, "load").message(6, legacy);
        new().int(8, time).int(10, 1).message(11, event)
    };
    let packets = |field: u64| {
        trace([
            descriptor(1, 0, thread(10, 11, "one")),
            descriptor(2, 0, thread(20, 21, "two")),
            older(1000, 1, b'S', new().int(field, 7)),
            older(2000, 1, b'S', new().int(field, 7)),
            older(5000, 2, b'F', new().int(field, 7)),
            older(6000, 2, b'F', new().int(field, 7)),
        ])
    };
    for global in [6, 11] {
        let found = profile(packets(global));
        let lengths: Vec<i64> = spans(&found).iter().map(|span| span.3).collect();
        assert_eq!(lengths, [4000], "{global}");
        assert!(warnings(packets(global)).iter().any(|told| told.contains("they are one")));
    }
    // A local one is of its process: in the other, nothing began.
    let found = profile(packets(10));
    let timeline = &found.timeline;
    assert!((0..timeline.spans.len()).all(|row| timeline.spans.get(row).is_unfinished));
}

/// Events of a program whose clock is coarser than the kernel's stand beside those of the kernel, if it says so.
#[test]
fn tracks_apart_from_the_kernels_are_their_own() {
    let print = |time: u64, text: &str| {
        new().message(2, new().int(1, time).int(2, 11).message(3, new().text(2, text)))
    };
    let packets = |is_apart: u64| {
        let mut bundle = new().int(1, 0);
        bundle.0.extend(print(1000, "B|10|frame\n").0);
        bundle.0.extend(print(3000, "E|10\n").0);
        let mut inside = thread(10, 11, "main");
        inside.0.extend(new().int(9, is_apart).0);
        trace([
            descriptor(1, 0, inside),
            event(2000, BEGIN, 1, "work"),
            event(5000, END, 1, ""),
            new().message(1, bundle),
        ])
    };
    let apart = profile(packets(1));
    let mut found = spans(&apart);
    found.sort();
    assert_eq!(found.iter().map(|span| span.3).collect::<Vec<_>>(), [2000, 3000]);
    let tracks = &apart.timeline.tracks;
    let beside =
        (0..tracks.len() as u32).filter(|id| apart.timeline.beside(TrackId(*id)).is_some());
    assert_eq!(beside.count(), 1);
    assert_eq!(apart.threads.len(), 1);
}
