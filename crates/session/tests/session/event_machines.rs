//! How busy processors were and how evenly, in recordings whose every figure is known.

use session::{
    Better, BinsQuery, Collector, Division, EventReport, EventRow, EventsBy, Filter, FilterKind,
    Input, ProfileDocument, ReadOptions, SetsBy, ViewOptions, Watch, compare_events,
    event_timeline, events,
};
use std::io::Read;

use perfdata::attr::{kind, sample};
use perfdata::write::{NewSample, Writer};
use perfdata::{Attr, ByteOrder, SampleFields, SampleId, Thread};

/// The number of a feature of the header.
const NR_CPUS: u32 = 7;
const CMDLINE: u32 = 11;

const MS: u64 = 1_000_000;

/// A sample: event, process and thread, processor, and what it stands for.
type ExpectedTimes = (usize, [u32; 2], u32, u64);

/// One sample a microsecond, and the last one so late that all stand for 100 ms, on a machine of four
/// processors.
fn recording(events: &[(u32, u64, &str)], samples: &[ExpectedTimes]) -> ProfileDocument {
    recording_by(&["perf", "record"], events, samples)
}

/// The same, of a command of perf.
fn recording_by(
    command: &[&str],
    events: &[(u32, u64, &str)],
    samples: &[ExpectedTimes],
) -> ProfileDocument {
    opened(vec![bytes_by(command, events, samples)])
}

/// Recordings as one document.
fn opened(files: Vec<Vec<u8>>) -> ProfileDocument {
    let options = ReadOptions::default();
    let mut collector = Collector::new(&options);
    for (number, bytes) in (1..).zip(files) {
        let input = Input::File(Box::new(std::io::Cursor::new(bytes)), None);
        collector.add(input, &Unseen, &format!("run-{number}")).unwrap();
    }
    collector.finish("run")
}

fn bytes_by(command: &[&str], events: &[(u32, u64, &str)], samples: &[ExpectedTimes]) -> Vec<u8> {
    let mut writer = Writer::new(ByteOrder::Little);
    let fields =
        sample::IDENTIFIER | sample::IP | sample::TID | sample::TIME | sample::CPU | sample::PERIOD;
    for (&(kind, config, _), counter) in events.iter().zip(1..) {
        let sample = SampleFields(fields);
        writer.event(Attr { kind, config, period: MS, sample, ..Attr::default() }, vec![counter]);
    }
    writer.event_names(&events.iter().map(|&(_, _, name)| name).collect::<Vec<&str>>());
    let mut body = writer.body();
    body.u32(4).u32(4);
    writer.feature(NR_CPUS, body);
    let mut body = writer.body();
    body.u32(command.len() as u32);
    for argument in command {
        body.header_text(argument);
    }
    writer.feature(CMDLINE, body);
    for (pid, tid, name) in [(0, 0, "swapper"), (7, 8, "left"), (7, 9, "right")] {
        writer.comm(Thread { pid, tid }, name, SampleId::default());
    }
    let count = samples.len() as u64;
    for (number, &(event, [pid, tid], cpu, period)) in (0..).zip(samples) {
        // Each stands for the time before it.
        let last = 1 + 100 * MS * (count - 1) / count;
        let time = if number + 1 == count { last } else { 1 + 1000 * number };
        let thread = Some(Thread { pid, tid });
        let id = SampleId { thread, time: Some(time), id: Some(event as u64 + 1), cpu: Some(cpu) };
        writer.sample(event, &NewSample { id, ip: 0x1000, period, ..NewSample::default() });
    }
    writer.finish()
}

struct Unseen;

impl Watch for Unseen {
    fn watch<'a>(&'a self, bytes: Box<dyn Read + Send + 'a>) -> Box<dyn Read + Send + 'a> {
        bytes
    }
}

const TASK_CLOCK: (u32, u64, &str) = (kind::SOFTWARE, 1, "task-clock");
const CPU_CLOCK: (u32, u64, &str) = (kind::SOFTWARE, 0, "cpu-clock");

const LEFT: [u32; 2] = [7, 8];
const RIGHT: [u32; 2] = [7, 9];
const IDLE: [u32; 2] = [0, 0];

/// A thread has ten samples of a millisecond on each of two processors, the other has twenty on one.
fn shared() -> Vec<ExpectedTimes> {
    let on = |thread: [u32; 2], cpu: u32, count: usize| vec![(0, thread, cpu, MS); count];
    [on(LEFT, 0, 10), on(LEFT, 1, 10), on(RIGHT, 2, 20)].concat()
}

fn report(document: &ProfileDocument, by: &str) -> EventReport {
    events(document, &ViewOptions::default(), by.parse().unwrap()).unwrap()
}

fn row<'r>(report: &'r EventReport, group: &str, name: &str) -> Option<&'r EventRow> {
    report.rows.iter().find(|row| row.group == group && row.name == name)
}

fn value(report: &EventReport, group: &str, name: &str) -> Option<f64> {
    row(report, group, name)?.median()
}

fn is_near(found: Option<f64>, wanted: f64) {
    let found = found.unwrap();
    assert!((found - wanted).abs() <= wanted * 1e-7, "{found} is not {wanted}");
}

#[test]
fn time_on_processors_is_a_share_of_what_they_had() {
    let document = recording(&[TASK_CLOCK], &shared());
    let total = report(&document, "total");
    assert_eq!(total.lengths, [100 * MS as i64]);
    is_near(value(&total, "total", "utilisation"), 0.1);
    is_near(value(&total, "total", "processors used"), 0.4);
    assert_eq!(row(&total, "total", "utilisation").unwrap().better, Some(Better::Higher));
    let error = row(&total, "total", "utilisation").unwrap().error.unwrap();
    assert!((error - 1.0 / 40f64.sqrt()).abs() < 1e-12);
    let cpus = report(&document, "cpu");
    is_near(value(&cpus, "cpu 1", "utilisation"), 0.1);
    is_near(value(&cpus, "cpu 2", "utilisation"), 0.2);
    let threads = report(&document, "thread");
    is_near(value(&threads, "left", "utilisation"), 0.2);
    let processes = report(&document, "process");
    let all = processes.rows.iter().find(|row| row.name == "utilisation").unwrap();
    is_near(all.median(), 0.2);
}

/// Of four processors those that perf was asked for could be used, of one thread a single one.
#[test]
fn processors_that_were_not_recorded_could_not_be_used() {
    let document = recording_by(&["perf", "record", "-C", "0-2"], &[TASK_CLOCK], &shared());
    let total = report(&document, "total");
    is_near(value(&total, "total", "utilisation"), 0.4 / 3.0);
    is_near(value(&total, "total", "processors used"), 0.4);
    is_near(value(&report(&document, "cpu"), "cpu 2", "utilisation"), 0.2);
    is_near(value(&report(&document, "thread"), "left", "utilisation"), 0.2);
    let alone = recording_by(&["perf", "record", "-C", "2"], &[TASK_CLOCK], &shared()[20..]);
    is_near(value(&report(&alone, "total"), "total", "utilisation"), 0.2);
    let all = recording_by(&["perf", "record", "-C", "0-3"], &[TASK_CLOCK], &shared());
    is_near(value(&report(&all, "total"), "total", "utilisation"), 0.1);
}

/// Runs of one host of which each left out others: a processor is the same one in all of them, and a run
/// has nothing of it if it was left out, which is not 0.
#[test]
fn runs_that_left_out_processors_are_none_of_theirs() {
    let of = |cpus: &str, samples: &[ExpectedTimes]| {
        bytes_by(&["perf", "record", "-C", cpus], &[TASK_CLOCK], samples)
    };
    let both = shared();
    // Another recording, for one that is there twice counts once.
    let more = [&both[..], &both[20..21]].concat();
    let files = vec![of("0-2", &both), of("2", &both[20..]), of("0-3", &more)];
    let document = opened(files.clone());
    for document in [&document, &written(&document)] {
        let cpus = report(document, "cpu");
        let groups: Vec<&str> = cpus.rows.iter().map(|row| &*row.group).collect();
        assert!(
            groups.iter().all(|group| ["cpu 0", "cpu 1", "cpu 2"].contains(group)),
            "{groups:?}"
        );
        let of_row = |group: &str, name: &str| row(&cpus, group, name).unwrap().values.clone();
        let ms = MS as f64;
        assert_eq!(of_row("cpu 0", "task-clock"), [Some(10.0 * ms), None, Some(10.0 * ms)]);
        assert_eq!(of_row("cpu 2", "task-clock"), [20.0, 20.0, 21.0].map(|of| Some(of * ms)));
        assert_eq!(of_row("cpu 1", "utilisation")[1], None);
        let total = report(document, "total");
        let used = &row(&total, "total", "utilisation").unwrap().values;
        for (used, wanted) in used.iter().zip([0.4 / 3.0, 0.2, 0.1025]) {
            is_near(*used, wanted);
        }
        let said = |report: &EventReport| {
            report.notes.iter().any(|note| note.contains("the same processors (-C)"))
        };
        assert!(said(&total) && said(&cpus));
        let asked = BinsQuery {
            by: "cpu".parse().unwrap(),
            event: Some("utilisation".to_owned()),
            division: Division::Progress(1),
            sets: SetsBy::Sides,
            most_groups: 100,
        };
        let told = event_timeline(document, &ViewOptions::default(), &asked).unwrap();
        for (group, wanted) in [(0, 0.1), (1, 0.1), (2, 0.61 / 3.0)] {
            is_near(told.row(0, group)[0].value, wanted);
        }
    }
    let [one, other] = [&files[..1], &files[2..]].map(|files| opened(files.to_vec()));
    let changes = compare_events(&report(&one, "total"), &report(&other, "total"));
    assert!(changes.notes.iter().any(|note| note.contains("-C")), "{:?}", changes.notes);
    let same = compare_events(&report(&one, "total"), &report(&one, "total"));
    assert_eq!(same.notes, [] as [&str; 0]);
}

/// What was written as a `.hotframe` and read back.
fn written(document: &ProfileDocument) -> ProfileDocument {
    let mut bytes = vec![];
    session::format_named("hotframe").unwrap().write(document.profile(), &mut bytes).unwrap();
    opened(vec![bytes])
}

/// Over time as in all; a processor that has nothing was idle, and one that a filter takes is not told of.
#[test]
fn reports_use_of_processors_over_time() {
    let document = recording(&[TASK_CLOCK], &shared());
    let told = |by: &str, event: &str, options: &ViewOptions| {
        let asked = BinsQuery {
            by: by.parse().unwrap(),
            event: Some(event.to_owned()),
            division: Division::Width(1000 * MS as i64),
            sets: SetsBy::Sides,
            most_groups: 100,
        };
        let told = event_timeline(&document, options, &asked).unwrap();
        let groups = told.groups.iter().enumerate();
        groups
            .map(|(group, (name, _))| (name.clone(), told.row(0, group)[0].value))
            .collect::<Vec<_>>()
    };
    for by in ["total", "cpu", "thread", "process"] {
        let whole = report(&document, by);
        for event in ["utilisation", "processors used"] {
            for (group, found) in told(by, event, &ViewOptions::default()) {
                is_near(found, value(&whole, &group, event).unwrap());
            }
        }
    }
    let filters = vec![Filter { kind: FilterKind::LabelFocus, pattern: "cpu=^2$".into() }];
    let options = ViewOptions { filters, ..ViewOptions::default() };
    assert_eq!(told("total", "utilisation", &options), [("total".to_owned(), None)]);
    is_near(told("cpu", "utilisation", &options)[0].1, 0.2);
}

#[test]
fn a_clock_that_is_there_twice_is_no_clock() {
    let document = recording(&[TASK_CLOCK, TASK_CLOCK], &shared());
    let total = report(&document, "total");
    assert_eq!(value(&total, "total", "utilisation"), None);
    let notes = total.notes.join(" ");
    assert!(
        notes.contains("utilisation") && notes.contains("several events task-clock"),
        "{notes}"
    );
}

#[test]
fn imbalance_is_over_those_that_have_any() {
    let document = recording(&[TASK_CLOCK], &shared());
    let total = report(&document, "total");
    is_near(value(&total, "total", "load imbalance (cpu)"), 0.5);
    is_near(value(&total, "total", "load variation (cpu)"), 0.125f64.sqrt());
    is_near(value(&total, "total", "load imbalance (thread)"), 0.0);
    is_near(value(&total, "total", "load variation (thread)"), 0.0);
    let imbalance = row(&total, "total", "load imbalance (cpu)").unwrap();
    assert_eq!((imbalance.better, imbalance.is_enough), (Some(Better::Lower), true));
    assert!(report(&document, "cpu").rows.iter().all(|row| !row.name.starts_with("load")));
    let few = recording(&[TASK_CLOCK], &shared()[5..]);
    let few = report(&few, "total");
    assert!(row(&few, "total", "load imbalance (cpu)").unwrap().is_enough);
    let fewer = report(&recording(&[TASK_CLOCK], &shared()[12..]), "total");
    assert!(row(&fewer, "total", "load imbalance (thread)").unwrap().is_enough);
}

#[test]
fn time_in_which_nothing_ran_is_no_use_of_processors() {
    let mut samples = shared();
    samples.extend(vec![(0, IDLE, 3, MS); 60]);
    let document = recording(&[CPU_CLOCK], &samples);
    let all = report(&document, "total");
    assert_eq!(value(&all, "total", "utilisation"), None);
    assert_eq!(value(&all, "total", "load imbalance (cpu)"), None);
    assert!(all.notes.iter().any(|note| note.contains("--label-ignore")), "{:?}", all.notes);
    let filters = vec![Filter { kind: FilterKind::LabelIgnore, pattern: "thread=^swapper".into() }];
    let options = ViewOptions { filters, ..ViewOptions::default() };
    let busy = events(&document, &options, EventsBy::Total).unwrap();
    is_near(value(&busy, "total", "utilisation"), 0.1);
    is_near(value(&busy, "total", "load imbalance (cpu)"), 0.5);
    assert_eq!(busy.notes, [] as [&str; 0]);
}

#[test]
fn what_a_filter_leaves_of_processors_is_not_all_of_them() {
    let document = recording(&[TASK_CLOCK], &shared());
    let filters = vec![Filter { kind: FilterKind::LabelFocus, pattern: "cpu=^2$".into() }];
    let options = ViewOptions { filters, ..ViewOptions::default() };
    let of = |by: &str| events(&document, &options, by.parse().unwrap()).unwrap();
    assert_eq!(value(&of("total"), "total", "utilisation"), None);
    is_near(value(&of("total"), "total", "processors used"), 0.2);
    is_near(value(&of("cpu"), "cpu 2", "utilisation"), 0.2);
}

#[test]
fn slots_are_shared_out_and_lines_are_bytes() {
    let names = ["topdown-retiring", "topdown-bad-spec", "topdown-fe-bound", "topdown-be-bound"];
    let names = [&["LLC-load-misses", "slots"][..], &names].concat();
    let events: Vec<(u32, u64, &str)> =
        (0..).zip(names).map(|(config, name)| (kind::RAW, config, name)).collect();
    let counts = [50_000_000, 1000, 400, 100, 200, 300];
    let samples: Vec<ExpectedTimes> =
        counts.into_iter().enumerate().map(|(event, count)| (event, LEFT, 0, count)).collect();
    let total = report(&recording(&events, &samples), "total");
    let shares = [
        ("retiring", 0.4),
        ("bad speculation", 0.1),
        ("frontend bound", 0.2),
        ("backend bound", 0.3),
        // 50 million lines of 64 bytes in a tenth of a second.
        ("memory bandwidth lower bound (GB/s)", 32.0),
    ];
    for (name, share) in shares {
        is_near(value(&total, "total", name), share);
    }
}

#[test]
fn the_frequency_is_of_time_on_processors() {
    let events = [TASK_CLOCK, (kind::HARDWARE, 0, "cycles")];
    let samples = [(0, LEFT, 0, 50 * MS), (1, LEFT, 0, 125 * MS)];
    let total = report(&recording(&events, &samples), "total");
    is_near(value(&total, "total", "cycles per nanosecond"), 2.5);
}

#[test]
fn shares_of_what_the_scheduler_tells_are_of_its_sums() {
    let bytes = include_bytes!("../../../../testdata/perf-data/switches.perf.data");
    let options = ReadOptions::default();
    let mut collector = Collector::new(&options);
    let input = Input::File(Box::new(std::io::Cursor::new(&bytes[..])), None);
    collector.add(input, &Unseen, "run").unwrap();
    let total = report(&collector.finish("run"), "total");
    let [run, away, queue] = ["run time", "off-CPU time", "run-queue time"]
        .map(|name| value(&total, "total", name).unwrap());
    assert!(run > 0.0 && away > 0.0 && queue > 0.0);
    is_near(value(&total, "total", "off-CPU share"), away / (away + run));
    is_near(value(&total, "total", "run-queue share"), queue / (queue + run));
    is_near(value(&total, "total", "processors used"), run / total.lengths[0] as f64);
}
