//! From tables of samples to points.

use profile::{
    Label, LabelSetId, LabelValue, Metric, Point, Points, ProfileBuilder, StringId, ThreadId,
};

use super::frames::Stack;
use super::table::Table;
use crate::Warnings;

/// Columns of samples and allocations.
pub(super) type SampleTable = Table<6>;

pub(super) const STACK: usize = 0;
pub(super) const TIME: usize = 1;
pub(super) const DELTA: usize = 2;
pub(super) const WEIGHT: usize = 3;
pub(super) const CPU: usize = 4;
/// Weights of allocations in their oldest form.
pub(super) const DURATION: usize = 5;

pub(super) const SAMPLE_COLUMNS: [(&str, u8); 6] = [
    ("stack", 0),
    // Milliseconds.
    ("time", 6),
    ("timeDeltas", 6),
    ("weight", 6),
    ("threadCPUDelta", 3),
    ("duration", 0),
];

/// What the samples of a table measure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Measure {
    Samples,
    JsAllocations,
    NativeAllocations,
}

/// The samples of one thread.
pub(super) struct ThreadSamples {
    pub(super) thread: ThreadId,
    pub(super) measure: Measure,
    pub(super) table: SampleTable,
    /// What is added to times, in nanoseconds.
    pub(super) offset: i64,
}

/// The tables of a thread by what their samples are.
#[derive(Default)]
pub(super) struct SampleTables {
    pub(super) samples: SampleTable,
    pub(super) js: SampleTable,
    pub(super) native: SampleTable,
}

impl SampleTables {
    pub(super) fn heap_bytes(&self) -> usize {
        [&self.samples, &self.js, &self.native].map(SampleTable::heap_bytes).iter().sum()
    }

    pub(super) fn of_thread(self, thread: ThreadId, offset: i64) -> [ThreadSamples; 3] {
        let tables = [
            (Measure::Samples, self.samples),
            (Measure::JsAllocations, self.js),
            (Measure::NativeAllocations, self.native),
        ];
        tables.map(|(measure, table)| ThreadSamples { thread, measure, table, offset })
    }
}

/// Where values go; none where no thread has them.
#[derive(Debug, Default)]
pub(super) struct Metrics {
    samples: Option<usize>,
    time: Option<usize>,
    bytes: Option<usize>,
    cpu: Option<usize>,
    js: Option<usize>,
    allocated: Option<usize>,
    freed: Option<usize>,
    /// Nanoseconds, or whatever, of a thousandth of the unit of CPU deltas.
    cpu_scale: (i64, i64),
}

impl Metrics {
    /// The metrics of these samples, which become those of the profile. `cpu_unit` is that of CPU
    /// deltas.
    pub(super) fn new<'a>(
        all: impl Iterator<Item = &'a ThreadSamples> + Clone,
        cpu_unit: &str,
        builder: &mut ProfileBuilder,
    ) -> Metrics {
        let mut list = vec![];
        let mut add = |wanted: bool, name: &str, unit: &str| {
            wanted.then(|| {
                list.push(Metric {
                    name: name.into(),
                    unit: unit.into(),
                    decimals: 0,
                    ..Metric::default()
                });
                list.len() - 1
            })
        };
        let sampled = || all.clone().filter(|samples| samples.measure == Measure::Samples);
        let weighed =
            |kind: &str| sampled().any(|s| s.table.weight_type == kind && s.table.has(WEIGHT));
        let has = |measure: Measure| all.clone().any(|s| s.measure == measure && s.table.len() > 0);
        let (cpu_name, cpu_scale) = cpu_scale(cpu_unit);
        let plain = sampled().any(|s| {
            let other = matches!(s.table.weight_type.as_str(), "tracing-ms" | "bytes");
            s.table.len() > 0 && !(other && s.table.has(WEIGHT))
        });
        let any_weighed = weighed("tracing-ms") || weighed("bytes");
        let metrics = Metrics {
            time: add(weighed("tracing-ms"), "time", "nanoseconds"),
            bytes: add(weighed("bytes"), "size", "bytes"),
            samples: add(plain || !any_weighed, "samples", "count"),
            cpu: add(sampled().any(|s| s.table.has(CPU)), "cpu", cpu_name),
            js: add(has(Measure::JsAllocations), "JS allocations", "bytes"),
            allocated: add(has(Measure::NativeAllocations), "native allocations", "bytes"),
            freed: add(has(Measure::NativeAllocations), "native deallocations", "bytes"),
            cpu_scale,
        };
        builder.points = Points::new(list.len());
        builder.metrics = list;
        metrics
    }
}

/// The unit of CPU deltas, and what makes it of a thousandth of the file's.
fn cpu_scale(unit: &str) -> (&str, (i64, i64)) {
    match unit {
        "ns" => ("nanoseconds", (1, 1000)),
        "µs" | "us" | "\u{3bc}s" | "" => ("nanoseconds", (1, 1)),
        "ms" => ("nanoseconds", (1000, 1)),
        "variable CPU cycles" => ("cycles", (1, 1000)),
        other => (other, (1, 1000)),
    }
}

/// How much of a processor a thread used from one sample to the next: the share of the time, or cycles in
/// a second.
#[derive(Debug, Default)]
pub(super) struct CpuUse {
    pub(super) unit: &'static str,
    pub(super) values: Vec<(i64, f64)>,
}

impl CpuUse {
    /// That of the samples of a thread; nothing where its unit is of something else.
    pub(super) fn new(table: &SampleTable, offset: i64, cpu_unit: &str) -> CpuUse {
        let (unit, (times, divided)) = cpu_scale(cpu_unit);
        let (unit, second) = match unit {
            "nanoseconds" => ("ratio", 1.0),
            "cycles" => ("hertz", 1e9),
            _ => return CpuUse::default(),
        };
        let scale = times as f64 / divided as f64 * second;
        let mut values = vec![];
        let mut before: Option<i64> = None;
        for (row, time) in times_of(table) {
            // What a sample tells is of the time since the one before.
            if let (Some(from), Some(cpu)) = (before, table.get(CPU, row))
                && time > from
            {
                let used = cpu as f64 * scale / time.saturating_sub(from) as f64;
                values.push((from.saturating_add(offset), used));
            }
            before = Some(time);
        }
        CpuUse { unit, values }
    }
}

/// Labels of categories, made as they come up.
pub(super) struct Categories<'a> {
    pub(super) names: &'a [StringId],
    pub(super) labels: Vec<Option<LabelSetId>>,
}

impl Categories<'_> {
    pub(super) fn label(
        &mut self,
        category: Option<usize>,
        builder: &mut ProfileBuilder,
    ) -> LabelSetId {
        let Some((category, &name)) = category.and_then(|c| Some((c, self.names.get(c)?))) else {
            return LabelSetId(0);
        };
        self.labels.resize(self.names.len(), None);
        *self.labels[category].get_or_insert_with(|| {
            let key = builder.strings.intern("category");
            builder.labels.add(&[Label { key, value: LabelValue::Text(name) }])
        })
    }
}

/// The latest time of a table, in nanoseconds.
pub(super) fn last_time(table: &SampleTable) -> Option<i64> {
    times_of(table).map(|(_, time)| time).max()
}

/// Rows with a time, in nanoseconds.
fn times_of(table: &SampleTable) -> impl Iterator<Item = (usize, i64)> {
    let mut clock = 0i64;
    let has_deltas = table.has(DELTA);
    (0..table.len()).filter_map(move |row| {
        clock = clock.saturating_add(table.get(DELTA, row).unwrap_or(0));
        let time = if has_deltas { Some(clock) } else { table.get(TIME, row) };
        time.map(|time| (row, time))
    })
}

/// Pushes the points of a thread.
pub(super) fn push_points(
    samples: &ThreadSamples,
    stacks: &[Stack],
    metrics: &Metrics,
    categories: &mut Categories,
    builder: &mut ProfileBuilder,
    warnings: &mut Warnings,
) {
    let table = &samples.table;
    let mut values = vec![0i64; builder.metrics.len()];
    let mut clock = 0i64;
    let (has_deltas, has_weights) = (table.has(DELTA), table.has(WEIGHT));
    for row in 0..table.len() {
        clock = clock.saturating_add(table.get(DELTA, row).unwrap_or(0));
        let time = if has_deltas { Some(clock) } else { table.get(TIME, row) };
        let stack = match table.row(STACK, row) {
            None => None,
            Some(stack) => match stacks.get(stack) {
                Some(stack) => Some(stack),
                None => {
                    warnings
                        .add("samples", || "samples whose stack is not in the table".to_owned());
                    None
                }
            },
        };
        values.fill(0);
        let mut set = |metric: Option<usize>, value: i64| {
            if let Some(metric) = metric {
                values[metric] = value;
            }
        };
        // Weights are kept with six decimals, as milliseconds are.
        let weight = table.get(WEIGHT, row);
        let whole = |weight: i64| {
            (weight / 1_000_000).saturating_add(i64::from(weight % 1_000_000 >= 500_000))
        };
        match samples.measure {
            Measure::Samples => match (table.weight_type.as_str(), weight) {
                ("tracing-ms", Some(weight)) => set(metrics.time, weight),
                ("bytes", Some(weight)) => set(metrics.bytes, whole(weight)),
                (_, Some(weight)) => set(metrics.samples, whole(weight)),
                (_, None) if has_weights => {}
                (_, None) => set(metrics.samples, 1),
            },
            measure => {
                let bytes = weight.map(whole).or(table.get(DURATION, row)).unwrap_or(0);
                match (measure, bytes) {
                    (Measure::JsAllocations, bytes) => set(metrics.js, bytes),
                    (_, bytes) if bytes < 0 => set(metrics.freed, bytes.saturating_neg()),
                    (_, bytes) => set(metrics.allocated, bytes),
                }
            }
        }
        if let (Measure::Samples, Some(cpu)) = (samples.measure, table.get(CPU, row)) {
            let (times, divided) = metrics.cpu_scale;
            set(metrics.cpu, cpu.saturating_mul(times) / divided);
        }
        let point = Point {
            context: stack.map_or(profile::ContextId::ROOT, |stack| stack.context),
            labels: categories.label(stack.and_then(|stack| stack.category), builder),
            time: time.map(|time| time.saturating_add(samples.offset)),
            thread: Some(samples.thread),
            ..Point::default()
        };
        builder.points.push_point(point, &values);
    }
}
