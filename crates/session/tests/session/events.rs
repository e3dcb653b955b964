//! Events of recordings whose every figure is known: 40 processors in two sockets, made by the
//! writer of `perfdata`.

use session::{
    BinsQuery, Collector, Division, EventReport, EventRow, EventTimeline, EventsBy, Filter,
    FilterKind, Input, Interval, MigrationSource, ProfileDocument, ReadOptions, Reason, SetsBy,
    Verdict, ViewOptions, Watch, compare_events, event_timeline, events, migrations,
};
use std::io::Read;

use perfdata::attr::{flag, kind, sample};
use perfdata::write::{NewSample, Writer};
use perfdata::{Attr, ByteOrder, SampleFields, SampleId, Thread};

const CPUS: u32 = 40;

/// Samples of each event on each processor.
const SAMPLES: u64 = 12;

/// Numbers of features of the header.
const HOSTNAME: u32 = 3;
const NR_CPUS: u32 = 7;
const CPU_TOPOLOGY: u32 = 13;

/// As Linux numbers them: the second processors of all cores come after the first ones.
fn socket(cpu: u32) -> u32 {
    (cpu % 20) / 10
}

/// What a sample of a processor stands for: in the first socket an instruction takes half a cycle,
/// in the second two.
fn periods(cpu: u32, scale: u64) -> [u64; 2] {
    let cycles = 100 * scale * u64::from(cpu + 1);
    [cycles, if socket(cpu) == 0 { 2 * cycles } else { cycles / 2 }]
}

fn recording(scale: u64) -> Vec<u8> {
    recording_of("", scale)
}

/// Of a host.
fn recording_of(host: &str, scale: u64) -> Vec<u8> {
    let mut writer = Writer::new(ByteOrder::Little);
    let fields =
        sample::IDENTIFIER | sample::IP | sample::TID | sample::TIME | sample::CPU | sample::PERIOD;
    for (config, counter) in [(0, 1), (1, 2)] {
        let attr = Attr {
            kind: kind::HARDWARE,
            config,
            period: 4000,
            sample: SampleFields(fields),
            flags: flag::SAMPLE_ID_ALL | flag::FREQ,
            ..Attr::default()
        };
        writer.event(attr, vec![counter]);
    }
    writer.event_names(&["cycles:u", "instructions:u"]);
    if !host.is_empty() {
        let mut body = writer.body();
        body.header_text(host);
        writer.feature(HOSTNAME, body);
    }
    let mut body = writer.body();
    body.u32(CPUS).u32(CPUS);
    writer.feature(NR_CPUS, body);
    let mut body = writer.body();
    body.u32(2).header_text("0-9,20-29").header_text("10-19,30-39").u32(20);
    for core in 0..20 {
        body.header_text(&format!("{core},{}", core + 20));
    }
    writer.feature(CPU_TOPOLOGY, body);
    for socket in [0, 1] {
        let thread = Thread { pid: 7, tid: 8 + socket };
        let name = ["left", "right"][socket as usize];
        writer.comm(thread, name, SampleId::default());
    }
    for number in 0..SAMPLES {
        for cpu in 0..CPUS {
            let thread = Some(Thread { pid: 7, tid: 8 + socket(cpu) });
            for (event, period) in periods(cpu, scale).into_iter().enumerate() {
                let time = Some(1_000_000 * number + u64::from(cpu) + 1);
                let id = SampleId { thread, time, id: Some(event as u64 + 1), cpu: Some(cpu) };
                writer.sample(event, &NewSample { id, ip: 0x1000, period, ..NewSample::default() });
            }
        }
    }
    writer.finish()
}

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

fn report(document: &ProfileDocument, by: EventsBy) -> EventReport {
    events(document, &ViewOptions::default(), by).unwrap()
}

fn row<'r>(report: &'r EventReport, group: &str, name: &str) -> &'r EventRow {
    let mut rows = report.rows.iter().filter(|row| row.group == group && row.name == name);
    let found = rows.next().unwrap_or_else(|| panic!("no {name} of {group}"));
    assert!(rows.next().is_none(), "{name} of {group} is there twice");
    found
}

fn sum(cpus: impl Iterator<Item = u32>, event: usize) -> f64 {
    cpus.map(|cpu| SAMPLES * periods(cpu, 10)[event]).sum::<u64>() as f64
}

#[test]
fn reports_counts_are_sums_of_periods_wherever_they() {
    let document = document([recording(10)]);
    let total = report(&document, EventsBy::Total);
    assert_eq!(row(&total, "total", "cycles:u").median(), Some(sum(0..CPUS, 0)));
    assert_eq!(row(&total, "total", "instructions:u").median(), Some(sum(0..CPUS, 1)));
    for (by, groups) in [("cpu", 40), ("core", 20), ("socket", 2), ("thread", 2)] {
        let report = report(&document, by.parse().unwrap());
        let cycles: Vec<_> = report.rows.iter().filter(|row| row.name == "cycles:u").collect();
        assert_eq!(cycles.len(), groups, "{by}");
        let all: f64 = cycles.iter().filter_map(|row| row.median()).sum();
        assert_eq!(all, sum(0..CPUS, 0), "{by}");
    }
    let sockets = report(&document, "socket".parse().unwrap());
    for socket_number in [0, 1] {
        let group = format!("socket {socket_number}");
        let own = || (0..CPUS).filter(|&cpu| socket(cpu) == socket_number);
        assert_eq!(row(&sockets, &group, "cycles:u").median(), Some(sum(own(), 0)));
    }
    let cores = report(&document, "core".parse().unwrap());
    let both = [3, 23].into_iter();
    assert_eq!(row(&cores, "core 3", "cycles:u").median(), Some(sum(both, 0)));
}

#[test]
fn ratios_are_of_sums() {
    let document = document([recording(10)]);
    let sockets = report(&document, "socket".parse().unwrap());
    assert_eq!(row(&sockets, "socket 0", "IPC:u").median(), Some(2.0));
    assert_eq!(row(&sockets, "socket 1", "IPC:u").median(), Some(0.5));
    let total = report(&document, EventsBy::Total);
    let ipc = row(&total, "total", "IPC:u").median().unwrap();
    assert_eq!(ipc, sum(0..CPUS, 1) / sum(0..CPUS, 0));
    // Of n equal periods the error is 1/sqrt(n); of a ratio both add up in squares.
    let cpus = report(&document, "cpu".parse().unwrap());
    let error = row(&cpus, "cpu 5", "cycles:u").error.unwrap();
    assert!((error - 1.0 / (SAMPLES as f64).sqrt()).abs() < 1e-12);
    let error = row(&cpus, "cpu 5", "IPC:u").error.unwrap();
    assert!((error - (2.0 / SAMPLES as f64).sqrt()).abs() < 1e-12);
}

#[test]
fn filters_count_their_part() {
    let document = document([recording(10)]);
    let filters = vec![Filter { kind: FilterKind::LabelFocus, pattern: "thread=^left".into() }];
    let options = ViewOptions { filters, ..ViewOptions::default() };
    let left = events(&document, &options, "socket".parse().unwrap()).unwrap();
    let own = || (0..CPUS).filter(|&cpu| socket(cpu) == 0);
    assert_eq!(row(&left, "socket 0", "cycles:u").median(), Some(sum(own(), 0)));
    assert!(left.rows.iter().all(|row| row.group == "socket 0"));
    // Two of twelve rounds, a millisecond each.
    let filters = vec![Filter { kind: FilterKind::Time, pattern: "0s..2ms".into() }];
    let options = ViewOptions { filters, ..ViewOptions::default() };
    let early = events(&document, &options, EventsBy::Total).unwrap();
    let cycles = row(&early, "total", "cycles:u");
    assert_eq!(cycles.median(), Some(sum(0..CPUS, 0) * 2.0 / SAMPLES as f64));
    let rates: Vec<f64> = cycles.per_second(&early.lengths).collect();
    assert_eq!(rates, [cycles.median().unwrap() / 0.002]);
}

fn set(scales: [u64; 3]) -> EventReport {
    report(&document(scales.map(recording)), EventsBy::Total)
}

#[test]
fn sets_of_runs_are_compared_by_their_medians() {
    let (base, new) = (set([100, 101, 102]), set([150, 151, 152]));
    let changes = compare_events(&base, &new);
    let change =
        |name: &str| changes.rows.iter().find(|change| change.either().name == name).unwrap();
    let cycles = change("cycles:u");
    assert_eq!(cycles.ratio, Some(151.0 / 101.0));
    assert_eq!((cycles.verdict, cycles.is_better()), (Verdict::More, Some(false)));
    let Interval { low, high, .. } = cycles.interval().unwrap();
    assert!(low > 1.4 && low < high && high < 1.6, "{low} {high}");
    let instructions = change("instructions:u");
    assert_eq!((instructions.verdict, instructions.is_better()), (Verdict::More, None));
    assert_eq!(change("IPC:u").verdict, Verdict::Same, "it is the same in every run");
    let ratio = change("IPC:u").ratio.unwrap();
    assert!((ratio - 1.0).abs() < 1e-9, "{ratio}");
    let swapped = compare_events(&new, &base);
    let cycles = swapped.rows.iter().find(|change| change.either().name == "cycles:u").unwrap();
    assert_eq!((cycles.ratio, cycles.verdict), (Some(101.0 / 151.0), Verdict::Less));
    assert_eq!(cycles.is_better(), Some(true));
}

#[test]
fn nothing_is_said_of_what_says_nothing() {
    let base = set([100, 101, 102]);
    let one = report(&document([150].map(recording)), EventsBy::Total);
    let verdicts = |changes: session::EventChanges| -> Vec<Verdict> {
        changes.rows.iter().map(|change| change.verdict).collect()
    };
    let few = compare_events(&base, &one);
    assert!(few.rows.iter().all(|change| change.interval().is_none()));
    let is_one = |&verdict: &Verdict| verdict == Verdict::Unknown(Reason::OneRun);
    assert!(verdicts(few).iter().all(is_one));
    // Three runs that differ by a hundredth are not shown to be the same as themselves, nor others.
    let is_shown = |&verdict: &Verdict| matches!(verdict, Verdict::More | Verdict::Less);
    let itself = verdicts(compare_events(&base, &base.clone()));
    assert!(!itself.iter().any(is_shown), "{itself:?}");
    // Runs that differ by as much as the sides do.
    let changes = verdicts(compare_events(&set([80, 100, 120]), &set([95, 110, 130])));
    assert!(!changes.iter().any(is_shown), "{changes:?}");
    assert!(changes.contains(&Verdict::Unknown(Reason::Wide)), "{changes:?}");
}

#[test]
fn what_a_recording_does_not_tell_is_an_error_that_says_what_to_do() {
    let document = document([recording(10)]);
    let error = events(&document, &ViewOptions::default(), "node".parse().unwrap()).unwrap_err();
    assert_eq!(error.message, "no file says which processors share a node of memory");
}

#[test]
fn other_modes_are_other_events() {
    let named = |cycles: &str, instructions: &str| {
        let mut bytes = recording(10);
        for (from, to) in [("cycles:u", cycles), ("instructions:u", instructions)] {
            let at =
                bytes.windows(from.len() + 1).position(|w| w == [from.as_bytes(), b"\0"].concat());
            bytes[at.unwrap()..][..to.len()].copy_from_slice(to.as_bytes());
        }
        report(&document([bytes]), EventsBy::Total)
    };
    let (user, kernel) = (named("cycles:u", "instructions:u"), named("cycles:k", "instructions:u"));
    assert!(kernel.rows.iter().all(|row| !row.name.starts_with("IPC")), "of two modes");
    let changes = compare_events(&user, &kernel);
    let cycles: Vec<_> =
        changes.rows.iter().filter(|change| change.either().name.starts_with("cycles")).collect();
    assert_eq!(cycles.len(), 2);
    assert!(cycles.iter().all(|change| change.verdict == Verdict::Unknown(Reason::NotMeasured)));
}

#[test]
fn one_recording_twice_is_one_run() {
    let twice = report(&document([1, 1, 2].map(recording)), EventsBy::Total);
    assert_eq!((twice.runs.len(), twice.notes.len()), (2, 1));
    let document = document([1, 1, 2].map(recording));
    let query = query(EventsBy::Total, "cycles:u", Division::Progress(2));
    let told = timeline(&document, BinsQuery { sets: SetsBy::Runs, ..query.clone() });
    assert_eq!((told.runs.len(), told.notes.len()), (2, 1));
    let together = timeline(&document, query);
    assert_eq!(together.runs, [["run 0", "run 2"]]);
    let (sides, notes) = migrations(&document, &ViewOptions::default(), SetsBy::Sides).unwrap();
    assert_eq!((sides[0].runs.len(), notes.len()), (2, 1));
}

/// Two machines that did the same at the same nanoseconds are two runs.
#[test]
fn recordings_of_two_hosts_are_not_one() {
    let hosts = document([recording_of("alder", 1), recording_of("birch", 1)]);
    assert_eq!(report(&hosts, EventsBy::Total).runs.len(), 2);
    let same = document([recording_of("alder", 1), recording_of("alder", 1)]);
    assert_eq!(report(&same, EventsBy::Total).runs.len(), 1);
}

/// A sample every 300 ms: four of them stand for 1.2 s, though 900 ms are between the ends.
#[test]
fn a_sample_stands_for_the_time_before_it() {
    let mut writer = Writer::new(ByteOrder::Little);
    let fields = sample::IDENTIFIER | sample::IP | sample::TID | sample::TIME | sample::PERIOD;
    let attr = Attr {
        kind: kind::SOFTWARE,
        period: 300_000_000,
        sample: SampleFields(fields),
        ..Attr::default()
    };
    writer.event(attr, vec![1]);
    writer.event_names(&["cpu-clock"]);
    for number in 0..4 {
        let thread = Some(Thread { pid: 7, tid: 7 });
        let id = SampleId { thread, time: Some(1 + number * 300_000_000), id: Some(1), cpu: None };
        writer.sample(0, &NewSample { id, ip: 1, period: 300_000_000, ..NewSample::default() });
    }
    let document = document([writer.finish()]);
    let total = report(&document, EventsBy::Total);
    assert_eq!(total.lengths, [1_200_000_000]);
    let second = Some(1e9);
    assert_eq!(row(&total, "total", "cpu-clock").median_per_second(&total.lengths), second);
    let width = Division::Width(300_000_000);
    let told = timeline(&document, query(EventsBy::Total, "cpu-clock", width));
    let rates: Vec<f64> = told.row(0, 0).iter().map(|cell| cell.value.unwrap()).collect();
    // The last one is as long as the others, and no sliver.
    assert_eq!(rates, [1e9; 4]);
}

/// Of an event that is there twice both are told, and no formula guesses which is meant.
#[test]
fn events_of_one_name_have_numbers() {
    let mut bytes = recording(10);
    let at = bytes.windows(15).position(|w| w == b"instructions:u\0").unwrap();
    bytes[at..][..9].copy_from_slice(b"cycles:u\0");
    let document = document([bytes]);
    let total = report(&document, EventsBy::Total);
    assert_eq!(row(&total, "total", "cycles:u").median(), Some(sum(0..CPUS, 0)));
    assert_eq!(row(&total, "total", "cycles:u (2)").median(), Some(sum(0..CPUS, 1)));
    let second = timeline(&document, query(EventsBy::Total, "cycles:u (2)", Division::Progress(1)));
    let of_bin = second.row(0, 0)[0].value.unwrap() * total.lengths[0] as f64 / 1e9;
    assert!((of_bin / sum(0..CPUS, 1) - 1.0).abs() < 1e-9);
}

#[test]
fn runs_that_a_filter_leaves_nothing_of_have_none_of_it() {
    let filters = vec![Filter { kind: FilterKind::LabelFocus, pattern: "thread=^nobody".into() }];
    let options = ViewOptions { filters, ..ViewOptions::default() };
    let document = document([10, 20].map(recording));
    let none = events(&document, &options, EventsBy::Total).unwrap();
    assert_eq!((none.runs.len(), none.rows.len()), (2, 0));
    let filters = vec![Filter { kind: FilterKind::Time, pattern: "1h..2h".into() }];
    let options = ViewOptions { filters, ..ViewOptions::default() };
    let late = events(&document, &options, EventsBy::Total).unwrap();
    assert!(late.rows.iter().all(|row| row.measured().next().is_none()));
}

fn timeline(document: &ProfileDocument, query: BinsQuery) -> EventTimeline {
    event_timeline(document, &ViewOptions::default(), &query).unwrap()
}

fn query(by: EventsBy, event: &str, division: Division) -> BinsQuery {
    let event = Some(event.to_owned());
    BinsQuery { by, event, division, sets: SetsBy::Sides, most_groups: 100 }
}

/// A bin has what is in it, on whichever processors; the bins together are all there is.
#[test]
fn bins_are_sums_of_periods_per_second_of_the_runs() {
    let document = document([recording(10), recording(30)]);
    let by = "socket".parse().unwrap();
    let width = Division::Width(1_000_000);
    let told = timeline(&document, query(by, "cycles:u", width));
    assert_eq!(told.groups.len(), 2);
    let bins = told.axis.bins();
    assert_eq!(bins, SAMPLES as usize, "samples come every millisecond, from the first on");
    for (group, number) in [(0, 0), (1, 1)] {
        let own = || (0..CPUS).filter(|&cpu| socket(cpu) == number);
        let each: u64 = own().map(|cpu| periods(cpu, 10)[0] + periods(cpu, 30)[0]).sum();
        for (bin, cell) in told.row(0, group)[..bins - 1].iter().enumerate() {
            // Of a run's second, both runs spent 2 ms in it.
            let rate = each as f64 * 1e9 / 2e6;
            let value = cell.value.unwrap();
            assert!((value / rate - 1.0).abs() < 1e-9, "{bin}: {value} and {rate}");
            assert_eq!(cell.samples, 2.0 * own().count() as f64);
            assert!(cell.is_enough && cell.error.unwrap() > 0.0);
        }
    }
    // A ratio is one of sums, in each bin.
    let ipc = timeline(&document, query(by, "IPC:u", width));
    for (group, expected) in [(0, 2.0), (1, 0.5)] {
        assert!(ipc.row(0, group).iter().all(|cell| cell.value == Some(expected)));
    }
    // By run each is a set; the second has three times as many.
    let apart = BinsQuery { sets: SetsBy::Runs, ..query(by, "cycles:u", width) };
    let apart = timeline(&document, apart);
    assert_eq!(apart.runs, [["run 0"], ["run 1"]]);
    let [one, other] = [0, 1].map(|set| apart.row(set, 0)[3].value.unwrap());
    assert!((other / one - 3.0).abs() < 1e-9);
}

#[test]
fn progress_divides_each_run_and_the_least_groups_are_one() {
    let document = document([recording(10)]);
    let by: EventsBy = "cpu".parse().unwrap();
    let few = BinsQuery { most_groups: 3, ..query(by, "cycles:u", Division::Progress(4)) };
    let told = timeline(&document, few);
    let names: Vec<&str> = told.groups.iter().map(|(name, _)| &**name).collect();
    assert_eq!(names, ["cpu 37", "cpu 38", "cpu 39", "(37 other places)"]);
    let samples: f64 = (0..4).flat_map(|group| told.row(0, group)).map(|cell| cell.samples).sum();
    assert_eq!(samples, (SAMPLES * u64::from(CPUS)) as f64, "none is lost");
    // A quarter of a run has a quarter of its samples.
    let of_first: Vec<f64> = told.row(0, 0).iter().map(|cell| cell.samples).collect();
    assert_eq!(of_first, [3.0; 4]);
    assert!(told.row(0, 0).iter().all(|cell| !cell.is_enough), "three are next to nothing");
}

#[test]
fn bins_get_wider_where_samples_are_few_and_limits_are_reported() {
    let document = document([recording(10)]);
    let by: EventsBy = "cpu".parse().unwrap();
    let told = timeline(&document, query(by, "cycles:u", Division::Most(1000)));
    assert!(told.axis.bins() <= SAMPLES as usize);
    // Of progress, too, where nobody says how many.
    let told = timeline(&document, query(by, "cycles:u", Division::MostParts(100)));
    assert_eq!(told.axis.bins(), 20, "twelve samples each");
    let total = query(EventsBy::Total, "cycles:u", Division::MostParts(25));
    assert_eq!(timeline(&document, total).axis.bins(), 25);
    // 40 processors in 10,000 bins are not too many.
    assert_eq!(
        timeline(&document, query(by, "cycles:u", Division::Progress(10_000))).cells.len(),
        400_000
    );
    for (event, division) in
        [("no such event", Division::Most(10)), ("cycles:u", Division::Width(1))]
    {
        let refused =
            event_timeline(&document, &ViewOptions::default(), &query(by, event, division))
                .unwrap_err();
        assert!(!refused.message.is_empty());
    }
}

/// A thread goes from processor to processor; samples see where it was.
#[test]
fn reports_migrations_by_what_processors_share() {
    let mut writer = Writer::new(ByteOrder::Little);
    let fields =
        sample::IDENTIFIER | sample::IP | sample::TID | sample::TIME | sample::CPU | sample::PERIOD;
    let attr = Attr {
        kind: kind::HARDWARE,
        config: 0,
        period: 4000,
        sample: SampleFields(fields),
        flags: flag::SAMPLE_ID_ALL | flag::FREQ,
        ..Attr::default()
    };
    writer.event(attr, vec![1]);
    writer.event_names(&["cycles"]);
    let mut body = writer.body();
    body.u32(2).header_text("0-9,20-29").header_text("10-19,30-39").u32(20);
    for core in 0..20 {
        body.header_text(&format!("{core},{}", core + 20));
    }
    writer.feature(CPU_TOPOLOGY, body);
    // Within a core, to another core of the socket, to the other socket and back; the idle thread
    // is everywhere.
    for (number, cpu) in (0..).zip([0, 20, 21, 21, 11, 0]) {
        for (pid, cpu) in [(7, cpu), (0, number)] {
            let thread = Some(Thread { pid, tid: pid });
            let time = Some(1_000_000 * u64::from(number) + 1);
            let id = SampleId { thread, time, id: Some(1), cpu: Some(cpu) };
            writer.sample(0, &NewSample { id, ip: 0x1000, period: 1, ..NewSample::default() });
        }
    }
    let document = document([writer.finish()]);
    let (sides, _) = migrations(&document, &ViewOptions::default(), SetsBy::Sides).unwrap();
    let [side] = &sides[..] else { panic!("{sides:?}") };
    assert_eq!(side.told_by, MigrationSource::Samples, "between samples there may be more");
    let moves: Vec<[u32; 2]> =
        side.moves.iter().map(|(_, one)| [one.from, one.to.unwrap()]).collect();
    assert_eq!(moves, [[0, 20], [20, 21], [21, 11], [11, 0]]);
    assert_eq!(side.levels(), [("core", 1), ("socket", 1), ("machine", 2)]);
    // A filter chooses what was left: the time, the processor.
    for (kind, pattern, count) in [
        (FilterKind::Time, "2.5ms..9ms", 2),
        (FilterKind::LabelFocus, "cpu=^0$", 1),
        (FilterKind::LabelFocus, "cpu=^21$", 1),
        (FilterKind::LabelIgnore, "cpu=^0$", 3),
        (FilterKind::Focus, "no such function", 0),
    ] {
        let filters = vec![Filter { kind, pattern: pattern.into() }];
        let options = ViewOptions { filters, ..ViewOptions::default() };
        let (sides, _) = migrations(&document, &options, SetsBy::Sides).unwrap();
        assert_eq!(sides[0].moves.len(), count, "{pattern}");
    }
}
