//! How long a choice on the page of processors takes: ten runs of three million samples in one document.
//! `cargo bench -p session --bench dashboard [RUNS [SAMPLES]]`. Prints the median of five, in milliseconds.

#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a bench prints, and fails by panicking"
)]

use session::{
    BinsQuery, Collector, Division, Filter, FilterKind, Input, ProfileDocument, ReadOptions,
    SetsBy, ViewOptions, Watch, event_timeline, events,
};
use std::io::Read;
use std::time::Instant;

use perfdata::attr::{flag, kind, sample};
use perfdata::write::{NewSample, Writer};
use perfdata::{Attr, ByteOrder, SampleFields, SampleId, Thread};

const CPUS: u64 = 40;
const THREADS: u64 = 64;
const FUNCTIONS: u64 = 500;
const NR_CPUS: u32 = 7;
const TIMES: usize = 5;

struct Unseen;

impl Watch for Unseen {
    fn watch<'a>(&'a self, bytes: Box<dyn Read + Send + 'a>) -> Box<dyn Read + Send + 'a> {
        bytes
    }
}

fn main() {
    let numbers: Vec<u64> = std::env::args().filter_map(|one| one.parse().ok()).collect();
    let (runs, samples) =
        (numbers.first().copied().unwrap_or(10), numbers.get(1).copied().unwrap_or(3_000_000));
    let started = Instant::now();
    let options = ReadOptions { max_memory: 16 << 30, ..ReadOptions::default() };
    let mut collector = Collector::new(&options);
    for run in 0..runs {
        let input = Input::File(Box::new(std::io::Cursor::new(recording(run, samples))), None);
        collector.add(input, &Unseen, &format!("run-{run}.perf.data")).unwrap();
    }
    let document = collector.finish("runs");
    println!("{runs} runs of {samples} samples: made and read in {:.1?}", started.elapsed());
    let started = Instant::now();
    events(&document, &ViewOptions::default(), "total".parse().unwrap()).unwrap();
    println!("the first answer: {:.1?}", started.elapsed());
    let filters = [
        ("all", vec![]),
        ("a thread", vec![(FilterKind::LabelFocus, "thread=^worker 7$")]),
        ("other threads", vec![(FilterKind::LabelIgnore, "thread=^worker 7$")]),
        ("a range", vec![(FilterKind::Time, "3s..27s")]),
        ("a short range", vec![(FilterKind::Time, "3s..3.5s")]),
    ];
    for (what, filters) in filters {
        // Each time another view, so that nothing is known of what a filter leaves.
        let views: Vec<ViewOptions> = (0..TIMES)
            .map(|number| {
                let filter = |(kind, pattern): &(FilterKind, &str)| {
                    let is_time = *kind == FilterKind::Time;
                    let other =
                        if is_time { " ".repeat(number) } else { format!("|^no {number}$") };
                    Filter { kind: *kind, pattern: format!("{pattern}{other}") }
                };
                let filters = filters.iter().map(filter).collect();
                ViewOptions { filters, ..ViewOptions::default() }
            })
            .collect();
        for by in ["total", "cpu", "thread", "function"] {
            let by = by.parse().unwrap();
            bench_median(&format!("{what}: events by {by}"), &views, |view| {
                drop(events(&document, view, by).unwrap());
            });
        }
        for (by, sets) in [
            ("cpu", SetsBy::Sides),
            ("cpu", SetsBy::Runs),
            ("thread", SetsBy::Sides),
            ("function", SetsBy::Sides),
        ] {
            bench_median(&format!("{what}: bins by {by}, {sets:?}"), &views, |view| {
                bins(&document, view, by, sets)
            });
        }
    }
}

fn bins(document: &ProfileDocument, view: &ViewOptions, by: &str, sets: SetsBy) {
    let asked = BinsQuery {
        by: by.parse().unwrap(),
        event: None,
        division: Division::Most(240),
        sets,
        most_groups: 1024,
    };
    event_timeline(document, view, &asked).unwrap();
}

/// The median over views that are alike.
fn bench_median(what: &str, views: &[ViewOptions], run: impl Fn(&ViewOptions)) {
    let time = |view| {
        let started = Instant::now();
        run(view);
        started.elapsed().as_secs_f64() * 1e3
    };
    let mut times: Vec<f64> = views.iter().map(time).collect();
    let first = times[0];
    times.sort_by(f64::total_cmp);
    println!("{what}: {:.0} ms, at first {first:.0} ms", times[TIMES / 2]);
}

/// A recording of two events on 40 processors, 64 threads and 500 places; no two are alike.
fn recording(run: u64, samples: u64) -> Vec<u8> {
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
    let mut body = writer.body();
    body.u32(CPUS as u32).u32(CPUS as u32);
    writer.feature(NR_CPUS, body);
    for thread in 0..THREADS {
        let tid = 8 + thread as u32;
        writer.comm(Thread { pid: 7, tid }, &format!("worker {thread}"), SampleId::default());
    }
    let mut random = run + 1;
    for number in 0..samples {
        // A linear congruential generator (Knuth's MMIX).
        random =
            random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let pick = random >> 33;
        let (cpu, thread) = (pick % CPUS, pick / CPUS % THREADS);
        let id = SampleId {
            thread: Some(Thread { pid: 7, tid: 8 + thread as u32 }),
            time: Some(10_000 * number + run + 1),
            id: Some(number % 2 + 1),
            cpu: Some(cpu as u32),
        };
        let ip = 0x1000 + 16 * (pick / 7 % FUNCTIONS);
        let sample = NewSample { id, ip, period: 1000 + pick % 5000, ..NewSample::default() };
        writer.sample((number % 2) as usize, &sample);
    }
    writer.finish()
}
