//! Which metric an event's values are of, and what samples say of counters.

use hashbrown::HashMap;
use perfdata::{Head, Sample, attr};
use profile::{Metric, Timing};

use crate::time::schedule::ScheduleMetrics;

/// Columns of the points: a metric for each event, then what some recordings have besides.
#[derive(Default)]
pub(super) struct Columns {
    /// By event.
    pub(super) of_event: Vec<usize>,
    /// Samples.
    pub(super) samples: usize,
    /// What accesses cost.
    pub(super) weight: Option<usize>,
    /// For how long counters were wanted and counted.
    pub(super) times: Option<[usize; 2]>,
    /// Branches, mispredicted ones, cycles between them.
    pub(super) branches: Option<[usize; 3]>,
    /// How long counts without samples took.
    pub(super) interval: Option<usize>,
    /// What ran on processors, and what was away from them.
    pub(super) schedule: Option<ScheduleMetrics>,
    pub(super) metrics: Vec<Metric>,
    /// The metric that tracepoints share where there are very many events.
    pub(super) shared: Option<usize>,
}

/// With more events, tracepoints share a metric, and a label says which they are: a point has a
/// value in each metric.
pub(super) const MOST_METRICS: usize = 64;

impl Columns {
    pub(super) fn new(head: &Head) -> Columns {
        let mut columns = Columns::default();
        let has = |bits: u64| head.events.iter().any(|event| event.attr.has(bits));
        let is_crowded = head.events.len() > MOST_METRICS;
        for event in &head.events {
            let next = columns.metrics.len();
            let is_shared = is_crowded && event.attr.kind == attr::kind::TRACEPOINT;
            let column = if is_shared { *columns.shared.get_or_insert(next) } else { next };
            columns.of_event.push(column);
            if column == next {
                columns.metrics.push(Metric::new("", "count"));
            }
        }
        let mut add = |name: &str, unit: &str| {
            columns.metrics.push(Metric::new(name, unit));
            columns.metrics.len() - 1
        };
        columns.samples = add("samples", "count");
        if has(attr::sample::WEIGHT | attr::sample::WEIGHT_STRUCT) {
            columns.weight = Some(add("weight", "cycles"));
        }
        let both = attr::read::TIME_ENABLED | attr::read::TIME_RUNNING;
        let is_timed =
            |attr: &perfdata::Attr| attr.has(attr::sample::READ) && attr.read_format & both == both;
        if head.events.iter().any(|event| is_timed(&event.attr)) {
            let unit = "nanoseconds";
            columns.times = Some([add("time enabled", unit), add("time counted", unit)]);
        }
        let has_branches =
            |attr: &perfdata::Attr| attr.has(attr::sample::BRANCH_STACK) && !attr.is_call_stack();
        if head.events.iter().any(|event| has_branches(&event.attr)) {
            let [all, wrong] =
                ["branches recorded", "branches mispredicted"].map(|n| add(n, "count"));
            columns.branches = Some([all, wrong, add("cycles between branches", "cycles")]);
        }
        if head.events.iter().any(|event| event.attr.period == 0) {
            let interval = add("interval", "nanoseconds");
            columns.metrics[interval].timing = Timing::Length;
            columns.interval = Some(interval);
        }
        let tells_runs = |attr: &perfdata::Attr| {
            attr.kind == attr::kind::TRACEPOINT || attr.is(attr::flag::CONTEXT_SWITCH)
        };
        if head.events.iter().any(|event| tells_runs(&event.attr)) {
            columns.schedule = Some(ScheduleMetrics::add(&mut columns.metrics));
        }
        columns
    }
}

/// What counters showed when they were read last.
#[derive(Default)]
pub(super) struct Counters {
    /// By counter, and by thread where threads inherited it.
    last: HashMap<(u64, u32), u64>,
    /// How often one showed less than before.
    pub(super) backwards: u64,
    /// Counters of no event.
    pub(super) unknown: u64,
    /// Times of all reads: wanted and counted.
    pub(super) times: [u64; 2],
    /// The values of the next point.
    pub(super) values: Vec<i64>,
}

impl Counters {
    pub(super) fn heap_bytes(&self) -> usize {
        self.last.len() * 32
    }

    /// Writes what a sample's counters counted since they were read before.
    pub(super) fn read(
        &mut self,
        head: &Head,
        event: usize,
        sample: &Sample<'_>,
        columns: &Columns,
    ) {
        let attr = &head.events[event].attr;
        let Some(read) = sample.read else { return };
        let thread = if attr.is(attr::flag::INHERIT) {
            sample.thread.map_or(0, |thread| thread.tid)
        } else {
            0
        };
        let mut leader = None;
        for counter in read.counters() {
            let id = counter.id.or(sample.id).unwrap_or_default();
            leader.get_or_insert(id);
            if !attr.reads_group() {
                break;
            }
            let Some(of) = head.event_of(id) else {
                self.unknown += 1;
                continue;
            };
            let counted = self.since(id, thread, counter.value);
            let value = &mut self.values[columns.of_event[of]];
            *value = value.saturating_add(counted);
        }
        let (Some(columns), Some(leader)) = (columns.times, leader) else { return };
        let Some(times) = read.time_enabled.zip(read.time_running) else { return };
        // The two highest bits tell these from the counter itself.
        for (number, time) in [times.0, times.1].into_iter().enumerate() {
            let key = leader ^ ((number as u64 + 1) << 62);
            let since = self.since(key, thread, time);
            self.values[columns[number]] = since;
            self.times[number] = self.times[number].saturating_add(since.cast_unsigned());
        }
    }

    /// How much a counter counted since it was read before: all of it at first.
    fn since(&mut self, id: u64, thread: u32, value: u64) -> i64 {
        let before = self.last.insert((id, thread), value).unwrap_or(0);
        let counted = value.checked_sub(before);
        self.backwards += u64::from(counted.is_none());
        counted.map_or(0, |counted| i64::try_from(counted).unwrap_or(i64::MAX))
    }
}
