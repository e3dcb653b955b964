//! What of events goes onto the timeline, kept until all threads are known.

use profile::{ContextId, LabelSetId, LocationId, LocationKind, Place, StringId, ThreadId};

use super::chunk::Chunk;
use super::classes::{Class, Classes, IGNORED, Value};
use super::events::Layout;
use super::format::JfrParser;
use super::pools::Pool;
use super::slot;

/// What events of a type are on the timeline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OnTimeline {
    /// An instant, or a span where it lasted.
    Event,
    /// Values of counters.
    Series,
    /// A point alone: samples, of which there are many.
    Point,
    /// Nothing: what it tells holds all the time.
    Nothing,
}

/// Endings of the names of types that tell of settings, or list what the machine has.
const SETTINGS: [&str; 16] = [
    "Flag",
    "Property",
    "Variable",
    "Configuration",
    "Information",
    "ActiveRecording",
    "ActiveSetting",
    "ModuleExport",
    "ModuleRequire",
    "NativeLibrary",
    "NativeAgent",
    "JavaAgent",
    "SystemProcess",
    "ThreadDump",
    "CPUTimeStampCounter",
    "profiler.Log",
];

/// Parts of the names of types that are samples.
const SAMPLES: [&str; 4] = ["Sample", "ObjectAllocation", "profiler.Malloc", "profiler.Free"];

impl OnTimeline {
    /// Of a type.
    pub(super) fn new(name: &str) -> OnTimeline {
        let short = name.rsplit('.').next().unwrap_or_default();
        if SETTINGS.iter().any(|ending| name.ends_with(ending)) {
            OnTimeline::Nothing
        } else if SERIES.iter().any(|(of, ..)| *of == short) {
            OnTimeline::Series
        } else if SAMPLES.iter().any(|part| name.contains(part)) || name == "profiler.LiveObject" {
            OnTimeline::Point
        } else {
            OnTimeline::Event
        }
    }
}

/// A type of events whose values are counters: the field that tells one series from another, and
/// the paths of the values with their units.
type SeriesOf = (&'static str, &'static str, &'static [(&'static str, &'static str)]);

const SERIES: [SeriesOf; 20] = [
    ("CPULoad", "", &[("jvmUser", "ratio"), ("jvmSystem", "ratio"), ("machineTotal", "ratio")]),
    ("ThreadCPULoad", "", &[("user", "ratio"), ("system", "ratio")]),
    ("GCHeapSummary", "", &[("heapUsed", "bytes"), ("heapSpace.committedSize", "bytes")]),
    ("GCHeapMemoryUsage", "", &[("used", "bytes"), ("committed", "bytes")]),
    ("GCHeapMemoryPoolUsage", "name", &[("used", "bytes"), ("committed", "bytes")]),
    (
        "G1HeapSummary",
        "",
        &[("edenUsedSize", "bytes"), ("survivorUsedSize", "bytes"), ("oldGenUsedSize", "bytes")],
    ),
    (
        "PSHeapSummary",
        "",
        &[
            ("oldObjectSpace.used", "bytes"),
            ("edenSpace.used", "bytes"),
            ("fromSpace.used", "bytes"),
        ],
    ),
    ("MetaspaceSummary", "", &[("metaspace.used", "bytes"), ("metaspace.committed", "bytes")]),
    ("JavaThreadStatistics", "", &[("activeCount", "threads"), ("daemonCount", "threads")]),
    ("ThreadAllocationStatistics", "", &[("allocated", "bytes")]),
    ("ThreadContextSwitchRate", "", &[("switchRate", "hertz")]),
    ("ClassLoadingStatistics", "", &[("loadedClassCount", "classes")]),
    ("ExceptionStatistics", "", &[("throwables", "count")]),
    ("CompilerStatistics", "", &[("compileCount", "count"), ("nmethodsSize", "bytes")]),
    ("CodeCacheStatistics", "codeBlobType", &[("unallocatedCapacity", "bytes")]),
    ("ResidentSetSize", "", &[("size", "bytes")]),
    ("PhysicalMemory", "", &[("usedSize", "bytes")]),
    ("NativeMemoryUsageTotal", "", &[("reserved", "bytes"), ("committed", "bytes")]),
    ("DirectBufferStatistics", "", &[("memoryUsed", "bytes"), ("count", "count")]),
    ("NetworkUtilization", "networkInterface", &[("readRate", "bit/s"), ("writeRate", "bit/s")]),
];

/// A counter of a type of events.
pub(super) struct Series {
    path: &'static str,
    unit: &'static str,
    /// The field that tells one series from another; empty if there is one.
    split: &'static str,
    /// Where texts of that field are.
    split_pool: Option<Pool>,
    slot: u8,
    split_slot: u8,
}

impl Series {
    /// Those of a type.
    pub(super) fn new(class: &Class, classes: &Classes) -> Vec<Series> {
        let short = class.name.rsplit('.').next().unwrap_or_default();
        let Some(&(_, split, values)) = SERIES.iter().find(|(of, ..)| *of == short) else {
            return vec![];
        };
        let field = class.fields.iter().find(|field| field.name == split && field.pooled);
        let split_pool = field.and_then(|field| Pool::of_class(field.class, classes));
        let one = |&(path, unit)| {
            let (slot, split_slot) = (IGNORED, IGNORED);
            Series { path, unit, split, split_pool, slot, split_slot }
        };
        values.iter().map(one).collect()
    }

    /// The fields that it needs.
    pub(super) fn paths(&self) -> impl Iterator<Item = String> {
        [self.path, self.split].into_iter().filter(|path| !path.is_empty()).map(str::to_owned)
    }

    pub(super) fn set_slots(&mut self, slot: impl Fn(&str) -> u8) {
        self.slot = slot(self.path);
        self.split_slot = slot(self.split);
    }
}

/// What of all events goes onto the timeline.
#[derive(Default)]
pub(super) struct Happenings {
    pub(super) events: Vec<Happening>,
    pub(super) values: Vec<CounterValue>,
    /// Durations below 0.
    pub(super) negative: u64,
    /// Values that are not finite numbers.
    pub(super) not_finite: u64,
}

/// An instant, or a span if it lasted.
pub(super) struct Happening {
    pub(super) thread: Option<ThreadId>,
    pub(super) time: i64,
    pub(super) length: i64,
    pub(super) name: StringId,
    /// The place that its type stands for.
    pub(super) location: LocationId,
    /// Its stack.
    pub(super) context: ContextId,
    pub(super) arguments: LabelSetId,
}

pub(super) struct CounterValue {
    pub(super) thread: Option<ThreadId>,
    pub(super) name: StringId,
    pub(super) unit: StringId,
    pub(super) time: i64,
    pub(super) value: f64,
}

impl Happenings {
    /// Bytes held, those of spans and marks to come included.
    pub(super) fn heap_bytes(&self) -> usize {
        self.events.capacity() * (size_of::<Happening>() + size_of::<profile::Span>())
            + self.values.capacity() * (size_of::<CounterValue>() + 16)
    }
}

impl JfrParser {
    /// Keeps what an event tells on the timeline.
    pub(super) fn happen(
        &mut self,
        layout: &Layout,
        context: ContextId,
        values: &[Value],
        chunk: &mut Chunk<'_>,
    ) {
        let time = self.time_of(values, chunk);
        match layout.place {
            OnTimeline::Event => {}
            OnTimeline::Series => return self.count(layout, time, values, chunk),
            OnTimeline::Point | OnTimeline::Nothing => return,
        }
        let thread = self.thread_of(values, chunk);
        let length = match values.get(usize::from(slot::DURATION)) {
            Some(&Value::Int(ticks)) => chunk.header.nanoseconds(ticks),
            _ => 0,
        };
        self.happenings.negative += u64::from(length < 0);
        let arguments = self.arguments(&layout.arguments, values, chunk);
        let name = layout.name;
        let function = self.builder.strings.get(name).to_owned();
        let kind = LocationKind::Region;
        let location = self.builder.place(&Place { kind, function: &function, ..Place::default() });
        let length = length.max(0);
        let happening = Happening { thread, time, length, name, location, context, arguments };
        self.happenings.events.push(happening);
    }

    fn count(&mut self, layout: &Layout, time: i64, values: &[Value], chunk: &mut Chunk<'_>) {
        let thread = self.thread_of(values, chunk);
        for series in &layout.series {
            let value = values.get(usize::from(series.slot)).copied();
            let value = match value {
                Some(Value::Int(value)) => value as f64,
                Some(Value::Float(value)) => value,
                _ => continue,
            };
            if !value.is_finite() {
                self.happenings.not_finite += 1;
                continue;
            }
            let of = self.builder.strings.get(layout.name).to_owned();
            let mut name = format!("{of} {}", series.path);
            if !series.split.is_empty() {
                let split = values.get(usize::from(series.split_slot)).copied().unwrap_or_default();
                let split = match series.split_pool {
                    Some(pool) => chunk.pools.name(chunk.cursor, pool, split),
                    None => chunk.pools.text(chunk.cursor, split),
                };
                name = format!("{name}: {split}");
            }
            let name = self.builder.strings.intern(&name);
            let unit = self.builder.strings.intern(series.unit);
            self.happenings.values.push(CounterValue { thread, name, unit, time, value });
        }
    }
}
