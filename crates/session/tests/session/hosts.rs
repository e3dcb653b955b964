//! Recordings of two hosts, whose clocks tell what was at once.

use session::{
    AlignBy, Collector, EventsBy, Input, ProfileDocument, ReadOptions, ReadSettings, ViewOptions,
    Watch, events, warnings,
};
use std::io::Read;

use perfdata::attr::{kind, sample};
use perfdata::write::{NewSample, Writer};
use perfdata::{Attr, ByteOrder, SampleFields, SampleId, Thread};

/// Numbers of features of the header.
const HOSTNAME: u32 = 3;
const NR_CPUS: u32 = 7;
const CLOCK_DATA: u32 = 29;

const SECOND: u64 = 1_000_000_000;

/// When the recordings were made, in nanoseconds since 1970.
const WALL: u64 = 1_700_000_000 * SECOND;

/// Eleven samples of a tenth of a second in a second, the first at `begin`, a time of the wall clock; the
/// host's own clock, which counts from its start, is another one.
fn recording(host: &str, begin: u64, booted: u64) -> Vec<u8> {
    let mut writer = Writer::new(ByteOrder::Little);
    let fields = sample::IDENTIFIER | sample::IP | sample::TID | sample::TIME | sample::PERIOD;
    let sample = SampleFields(fields);
    let attr = Attr { kind: kind::SOFTWARE, config: 1, sample, ..Attr::default() };
    writer.event(attr, vec![1]);
    writer.event_names(&["task-clock"]);
    let mut body = writer.body();
    body.header_text(host);
    writer.feature(HOSTNAME, body);
    let mut body = writer.body();
    body.u32(2).u32(2);
    writer.feature(NR_CPUS, body);
    let mut body = writer.body();
    body.u32(1).u32(1).u64(begin).u64(booted);
    writer.feature(CLOCK_DATA, body);
    let thread = Thread { pid: 7, tid: 8 };
    writer.comm(thread, "worker", SampleId::default());
    for number in 0..11 {
        let time = Some(booted + number * SECOND / 10);
        let id = SampleId { thread: Some(thread), time, id: Some(1), cpu: None };
        writer.sample(0, &NewSample { id, ip: 0x1000, period: 1000, ..NewSample::default() });
    }
    writer.finish()
}

struct Unseen;

impl Watch for Unseen {
    fn watch<'a>(&'a self, bytes: Box<dyn Read + Send + 'a>) -> Box<dyn Read + Send + 'a> {
        bytes
    }
}

fn merged(files: Vec<(&str, Vec<u8>)>, align: Option<&str>) -> ProfileDocument {
    let options = ReadOptions::default();
    let align = align.map(|by| by.parse::<AlignBy>().unwrap());
    let mut collector =
        Collector::new(&options).reading_as(ReadSettings { align, ..ReadSettings::default() });
    for (name, bytes) in files {
        let input = Input::File(Box::new(std::io::Cursor::new(bytes)), None);
        collector.add(input, &Unseen, name).unwrap();
    }
    collector.finish("both")
}

/// One host half a second after the other, whose clocks differ by an hour since they were started.
fn at_once(align: Option<&str>) -> ProfileDocument {
    let files = vec![
        ("a.perf.data", recording("alder", WALL, 100 * SECOND)),
        ("b.perf.data", recording("birch", WALL + SECOND / 2, 3700 * SECOND)),
    ];
    merged(files, align)
}

/// By member, when its first sample was.
fn begins(document: &ProfileDocument) -> Vec<i64> {
    let profile = document.profile();
    let points = &profile.points;
    let first = |member: usize| {
        let of = (0..points.len()).filter(|&point| points.member(point).index() == member);
        of.filter_map(|point| points.time(point)).min().unwrap()
    };
    (0..profile.members.len()).map(first).collect()
}

fn messages(document: &ProfileDocument) -> Vec<String> {
    warnings(document).into_iter().map(|(message, _)| message).collect()
}

#[test]
fn what_hosts_did_at_once_stands_together() {
    let document = at_once(None);
    assert_eq!(begins(&document), [0, SECOND as i64 / 2]);
    let messages = messages(&document).join("\n");
    let wanted = "aligned by wall clocks, whose difference is not known: alder, birch";
    assert!(messages.contains(wanted), "{messages}");
    assert!(messages.contains("b.perf.data by 500ms"), "{messages}");
}

#[test]
fn offsets_between_clocks_are_given_and_kept() {
    let document = at_once(Some("clock:birch=-120ms"));
    assert_eq!(begins(&document), [0, 380_000_000]);
    let all = messages(&document).join("\n");
    assert!(!all.contains("not known"), "{all}");
    assert!(all.contains("align by clock:birch=-120ms"), "{all}");
    let mut file = vec![];
    let format = session::format_named("hotframe").unwrap();
    format.write_part("", document.profile(), &mut file).unwrap();
    let again = merged(vec![("all.hotframe", file)], None);
    assert_eq!(begins(&again), [0, 380_000_000]);
    let moved: Vec<i64> = again.profile().members.iter().map(|member| member.moved_ns).collect();
    assert_eq!(moved, [0, 380_000_000]);
}

#[test]
fn hosts_have_threads_of_their_own() {
    let document = at_once(None);
    let profile = document.profile();
    let hosts: Vec<&str> = profile.members.iter().map(|member| &*member.host).collect();
    assert_eq!(hosts, ["alder", "birch"]);
    let names: Vec<&str> = profile.machines.iter().map(|machine| &*machine.name).collect();
    assert_eq!(names, hosts);
    // Each of eleven samples stands for a tenth of a second, wherever the recording stands.
    let total = events(&document, &ViewOptions::default(), EventsBy::Total).unwrap();
    assert_eq!(total.lengths, [SECOND as i64 * 11 / 10; 2]);
}

#[test]
fn runs_one_after_the_other_stay_as_they_were_recorded() {
    let files = || {
        vec![
            ("a.perf.data", recording("alder", WALL, 100 * SECOND)),
            ("b.perf.data", recording("birch", WALL + 60 * SECOND, 3700 * SECOND)),
        ]
    };
    assert_eq!(begins(&merged(files(), None)), [0, 0]);
    assert_eq!(begins(&merged(files(), Some("clock"))), [0, 60 * SECOND as i64]);
    let unknown = merged(files(), Some("clock:cedar=1s"));
    let messages = messages(&unknown).join("\n");
    assert!(messages.contains("no recording was measured on 'cedar'"), "{messages}");
    let one_host = vec![
        ("a.perf.data", recording("alder", WALL, 100 * SECOND)),
        ("b.perf.data", recording("alder", WALL + SECOND / 2, 3700 * SECOND)),
    ];
    assert_eq!(begins(&merged(one_host, None)), [0, 0]);
}
