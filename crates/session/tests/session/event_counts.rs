//! What was counted and not sampled: by `perf stat`, by samples of each event, by VisPerf.

use session::{
    BinsQuery, Collector, Division, EventReport, EventRow, EventTimeline, EventsBy, Filter,
    FilterKind, Input, ProfileDocument, ReadOptions, SetsBy, ViewOptions, Watch, event_timeline,
    events,
};
use std::io::Read;

use perfdata::attr::{flag, kind, sample};
use perfdata::write::{NewSample, Writer};
use perfdata::{Attr, ByteOrder, SampleFields, SampleId, Thread};

const NR_CPUS: u32 = 7;
const STAT: u32 = 76;
const STAT_ROUND: u32 = 77;
const MS: u64 = 1_000_000;

struct Unseen;

impl Watch for Unseen {
    fn watch<'a>(&'a self, bytes: Box<dyn Read + Send + 'a>) -> Box<dyn Read + Send + 'a> {
        bytes
    }
}

fn document(recordings: impl IntoIterator<Item = Vec<u8>>) -> ProfileDocument {
    let options = ReadOptions::default();
    let mut collector = Collector::new(&options);
    for (number, bytes) in recordings.into_iter().enumerate() {
        let input = Input::File(Box::new(std::io::Cursor::new(bytes)), None);
        collector.add(input, &Unseen, &format!("run {number}")).unwrap();
    }
    collector.finish("runs")
}

fn report(document: &ProfileDocument) -> EventReport {
    events(document, &ViewOptions::default(), EventsBy::Total).unwrap()
}

fn row<'r>(report: &'r EventReport, name: &str) -> Option<&'r EventRow> {
    report.rows.iter().find(|row| row.name == name)
}

fn timeline(document: &ProfileDocument, event: &str, width: u64) -> EventTimeline {
    let asked = BinsQuery {
        by: EventsBy::Total,
        event: Some(event.to_owned()),
        division: Division::Width(width as i64),
        sets: SetsBy::Sides,
        most_groups: 100,
    };
    event_timeline(document, &ViewOptions::default(), &asked).unwrap()
}

fn is_near(found: Option<f64>, wanted: f64) {
    let found = found.unwrap();
    assert!((found / wanted - 1.0).abs() < 1e-9, "{found} is not {wanted}");
}

/// `perf stat record -I`: by round when it was, and by counter what it showed and for how long it was
/// counted. Counters are those of `cpus`, or of a program.
fn counted(cpus: &[u32], rounds: &[(u64, [[u64; 2]; 2])]) -> Vec<u8> {
    let mut writer = Writer::new(ByteOrder::Little);
    for (config, counter) in [(0, 1), (2, 2)] {
        let sample = SampleFields(sample::IDENTIFIER);
        let attr = Attr { kind: kind::SOFTWARE, config, sample, ..Attr::default() };
        writer.event(attr, vec![counter]);
    }
    writer.event_names(&["cpu-clock", "page-faults"]);
    let mut body = writer.body();
    body.u32(2).u32(2);
    writer.feature(NR_CPUS, body);
    for (time, counters) in rounds {
        for &cpu in cpus {
            for (id, [value, running]) in (1..).zip(counters) {
                let mut body = writer.body();
                body.u64(id).u32(cpu).u32(0).u64(*value).u64(*running).u64(*running);
                writer.record(STAT, 0, &body);
            }
        }
        let mut body = writer.body();
        body.u64(0).u64(*time);
        writer.record(STAT_ROUND, 0, &body);
    }
    writer.finish()
}

const PROGRAM: u32 = u32::MAX;

/// The second is not counted at all, the fourth counts nothing.
fn rounds() -> Vec<(u64, [[u64; 2]; 2])> {
    let both = |time: u64, clock: u64, faults: u64| {
        (time * MS, [[clock * MS, clock * MS], [faults, clock * MS]])
    };
    vec![
        both(200, 100, 1000),
        both(400, 100, 1000),
        both(600, 300, 5000),
        both(800, 400, 5000),
        both(900, 500, 5500),
    ]
}

#[test]
fn counts_of_intervals_are_of_the_time_before_the_reading() {
    let document = document([counted(&[PROGRAM], &rounds())]);
    let told = timeline(&document, "page-faults", 100 * MS);
    let rates: Vec<_> = told.row(0, 0)[..9].iter().map(|cell| cell.value).collect();
    for (bin, wanted) in [(0, 5000.0), (1, 5000.0), (4, 20_000.0), (5, 20_000.0), (8, 5000.0)] {
        is_near(rates[bin], wanted);
    }
    assert_eq!([rates[2], rates[3]], [None, None], "nobody counted");
    assert_eq!([rates[6], rates[7]], [Some(0.0), Some(0.0)], "there were none");
    let total = report(&document);
    assert_eq!(total.lengths, [900 * MS as i64]);
    assert_eq!(row(&total, "page-faults").unwrap().median(), Some(5500.0));
    assert!(row(&total, "interval").is_none(), "it is not an event");
    is_near(row(&total, "processors used").unwrap().median(), 500.0 / 900.0);
    // A range of time has its share.
    let filters = vec![Filter { kind: FilterKind::Time, pattern: "0s..100ms".into() }];
    let options = ViewOptions { filters, ..ViewOptions::default() };
    let early = events(&document, &options, EventsBy::Total).unwrap();
    assert_eq!(row(&early, "page-faults").unwrap().median(), Some(500.0));
}

#[test]
fn clocks_of_processors_that_were_counted_tell_not_how_busy_they_were() {
    let total = report(&document([counted(&[0, 1], &rounds())]));
    assert_eq!(row(&total, "cpu-clock").unwrap().median(), Some(1000.0 * MS as f64));
    for name in ["utilisation", "processors used", "load imbalance (cpu)"] {
        assert!(row(&total, name).is_none(), "{name}");
    }
    let [note] = &total.notes[..] else { panic!("{:?}", total.notes) };
    assert!(note.contains("go on while idle") && !note.contains("swapper"), "{note}");
}

#[test]
fn counts_of_seconds_are_of_all_of_the_second() {
    let text = r#"{"cpus": 2, "cpu_setup": [[0, 0]], "cpu_labels": [["CPU0", "CPU1"]], "events_captured":
        ["cycles"], "experiments": {"a": {"r": {"threads": {"time_series": {"cycles": {
        "0": {"CPU0": {"w": 600}}, "1": {"CPU0": {"w": 100}, "CPU1": {"w": 300}}}}}}}}}"#;
    let document = document([text.as_bytes().to_vec()]);
    assert_eq!(report(&document).lengths, [2_000_000_000]);
    for (width, wanted) in
        [(1000, &[600.0, 400.0][..]), (500, &[600.0, 600.0, 400.0, 400.0]), (2000, &[500.0])]
    {
        let told = timeline(&document, "cycles", width * MS);
        for (cell, wanted) in told.row(0, 0).iter().zip(wanted) {
            is_near(cell.value, *wanted);
        }
    }
}

/// Page faults, one a sample, or sampled in another way.
fn faults(period: u64, flags: u64) -> Vec<u8> {
    let mut writer = Writer::new(ByteOrder::Little);
    let fields =
        sample::IDENTIFIER | sample::IP | sample::TID | sample::TIME | sample::CPU | sample::PERIOD;
    let attr = Attr {
        kind: kind::SOFTWARE,
        config: 2,
        period,
        sample: SampleFields(fields),
        flags: flag::SAMPLE_ID_ALL | flags,
        ..Attr::default()
    };
    writer.event(attr, vec![1]);
    writer.event_names(&["page-faults"]);
    for number in 0..4 {
        let thread = Some(Thread { pid: 7, tid: 7 });
        let time = Some(1 + number * MS);
        let id = SampleId { thread, time, id: Some(1), cpu: Some(0) };
        writer.sample(0, &NewSample { id, ip: 0x1000, period: 1, ..NewSample::default() });
    }
    writer.finish()
}

#[test]
fn a_sample_of_each_event_is_a_count() {
    let told = |recordings: &[Vec<u8>]| {
        let document = document(recordings.to_vec());
        let total = report(&document);
        let row = row(&total, "page-faults").unwrap();
        let bins = timeline(&document, "page-faults", MS);
        let cell = bins.row(0, 0)[0];
        assert_eq!((row.median(), cell.value.is_some()), (Some(4.0), true));
        assert_eq!((cell.error.is_some(), cell.is_enough), (row.error.is_some(), row.is_enough));
        (row.error, row.is_enough)
    };
    let (each, some) = (faults(1, 0), faults(97, flag::FREQ));
    assert_eq!(told(std::slice::from_ref(&each)), (None, true));
    assert_eq!(told(std::slice::from_ref(&some)), (Some(0.5), false));
    // Where some runs are estimates the event is one.
    assert_eq!(told(&[each, some]), (Some(0.5), false));
}

/// perf tells no name of what runs where nothing does.
#[test]
fn idle_processors_can_be_left_out_by_name() {
    let mut writer = Writer::new(ByteOrder::Little);
    let fields =
        sample::IDENTIFIER | sample::IP | sample::TID | sample::TIME | sample::CPU | sample::PERIOD;
    let sample = SampleFields(fields);
    let attr = Attr { kind: kind::SOFTWARE, period: MS, sample, ..Attr::default() };
    writer.event(attr, vec![1]);
    writer.event_names(&["cpu-clock"]);
    let mut body = writer.body();
    body.u32(2).u32(2);
    writer.feature(NR_CPUS, body);
    for number in 0..20u64 {
        for pid in [0, 7] {
            let thread = Some(Thread { pid, tid: pid });
            let id =
                SampleId { thread, time: Some(1 + number * MS), id: Some(1), cpu: Some(pid % 2) };
            writer.sample(0, &NewSample { id, ip: 0x1000, period: MS, ..NewSample::default() });
        }
    }
    let document = document([writer.finish()]);
    let total = report(&document);
    assert!(row(&total, "utilisation").is_none());
    let advice = "--label-ignore 'thread=^swapper'";
    assert!(total.notes.iter().any(|note| note.contains(advice)), "{:?}", total.notes);
    let filters = vec![Filter { kind: FilterKind::LabelIgnore, pattern: "thread=^swapper".into() }];
    let options = ViewOptions { filters, ..ViewOptions::default() };
    let busy = events(&document, &options, EventsBy::Total).unwrap();
    is_near(row(&busy, "processors used").unwrap().median(), 1.0);
}
