//! Hotframe's own recordings of memory, as the package of Python writes them (`calltrace::memory`): contexts, and
//! what changed of them from snapshot to snapshot.

use calltrace::MEMORY_MAGIC;
use calltrace::memory::{
    FIRST_OTHER, FURTHER_OUT, NO_PARENT, OTHER_INTERPRETER, PARTS, Row, Step, THREAD,
    WITHOUT_INTERPRETER, unpack,
};
use profile::{
    ContextId, LocationId, Metric, Place, Point, Profile, ProfileBuilder, ThreadId, Track,
    TrackKind,
};

use super::clock::Clock;
use super::process::{Memory, Process};
use super::read::{metrics_of, sections, unpacked};
use crate::input::stream::Stream;
use crate::{About, Format, ReadError, ReadOptions, Reader, Sniff, Warnings};

pub(crate) const FORMAT: Format = Format {
    name: "memory",
    title: "Hotframe memory recording",
    extensions: &["memory"],
    about: About {
        carries: "bytes and blocks allocated, bytes held at the peak and at the end (leaked), by stacks with lines, \
                  threads and processes, over time; bytes held and resident memory as counters",
        estimates: "all of these but resident memory, where blocks were sampled: each sample stands for as many as \
                    its size makes likely, and each sum has its error",
        skips: "nothing",
        checked_against: "tracemalloc in the same run; memray",
    },
    reader: Some(Reader { sniff, read }),
    folder: None,
    writer: None,
};

/// In this order, in the words of heaptrack.
const METRICS: [(&str, &str); 4] =
    [("allocated", "bytes"), ("allocations", "count"), ("peak", "bytes"), ("leaked", "bytes")];
const PEAK: usize = 2;

fn sniff(head: &[u8], _: &str) -> Sniff {
    if head.starts_with(&MEMORY_MAGIC[..15]) { Sniff::Yes } else { Sniff::No }
}

fn read(
    stream: Stream,
    options: &ReadOptions,
    warnings: &mut Warnings,
) -> Result<Profile, ReadError> {
    let processes = sections(stream, FORMAT.name, options, warnings)?;
    let mut builder = ProfileBuilder::default();
    metrics_of(&mut builder, METRICS.map(|(name, unit)| Metric::new(name, unit)).into(), PEAK);
    FORMAT.name.clone_into(&mut builder.origin.format);
    "Hotframe".clone_into(&mut builder.origin.producer);
    let (clocks, zero) = Clock::of_all(&processes, &mut builder);
    let mut end = zero;
    let mut quality = Quality::default();
    for (process, clock) in processes.iter().zip(&clocks) {
        let Some(memory) = &process.memory else {
            warnings.add("traces", || "traces of calls in between are left out".to_owned());
            continue;
        };
        let mut held = Held::new(process, memory, clock, zero, &mut builder, warnings);
        end = end.max(held.snapshots(options, warnings)?);
        quality.add(memory.mean, held.allocated);
    }
    quality.tell(&mut builder.origin.comments);
    builder.origin.duration_ns = end.saturating_sub(zero);
    Ok(builder.finish())
}

/// What a process holds, on its way to the profile.
struct Held<'a> {
    memory: &'a Memory,
    clock: &'a Clock,
    zero: i64,
    builder: &'a mut ProfileBuilder,
    track: profile::TrackId,
    contexts: Vec<Account>,
    /// Bytes that are held, that were allocated, and that were held at the peak.
    held: i64,
    allocated: i64,
}

/// A context, with sums up to now.
#[derive(Debug, Clone, Copy)]
struct Account {
    context: ContextId,
    thread: Option<ThreadId>,
    /// Parts of allocations.
    parts: u64,
    peak: i64,
}

impl<'a> Held<'a> {
    fn new(
        process: &Process,
        memory: &'a Memory,
        clock: &'a Clock,
        zero: i64,
        builder: &'a mut ProfileBuilder,
        warnings: &mut Warnings,
    ) -> Held<'a> {
        let (pid, track) = process.tell(builder);
        let mut threads = vec![];
        for thread in &process.threads {
            let id = builder.thread(Some(pid), &thread.id.to_string());
            builder.threads[id.index()].name = builder.strings.intern(&thread.name);
            builder.timeline.track(Track {
                kind: TrackKind::Thread,
                parent: Some(track),
                process: Some(pid),
                thread: Some(id),
                ..Track::default()
            });
            threads.push(id);
        }
        let mut contexts: Vec<Account> = Vec::with_capacity(memory.steps.len());
        for step in &memory.steps {
            let parent = contexts.get(step.parent as usize).copied();
            let above = parent.map_or(ContextId::ROOT, |parent| parent.context);
            if parent.is_none() && step.parent != NO_PARENT {
                warnings.add("contexts", || {
                    "contexts whose callers are not in the file are at the root".to_owned()
                });
            }
            let thread = match step.function {
                THREAD => threads.get(step.line as usize).copied(),
                _ => parent.and_then(|parent| parent.thread),
            };
            // Which thread it was is not a step of a path.
            let context = match step.function {
                THREAD => above,
                _ => {
                    let location = place(step, process, builder);
                    builder.contexts.child(above, location)
                }
            };
            contexts.push(Account { context, thread, parts: 0, peak: 0 });
        }
        Held { memory, clock, zero, builder, track, contexts, held: 0, allocated: 0 }
    }

    /// Adds points of all snapshots, and gives the last time.
    fn snapshots(
        &mut self,
        options: &ReadOptions,
        warnings: &mut Warnings,
    ) -> Result<i64, ReadError> {
        let mut end = self.zero;
        let memory = self.memory;
        let mut last = i64::MIN;
        for (number, snapshot) in memory.snapshots.iter().enumerate() {
            let rows = unpacked(&snapshot.frame, snapshot.length)
                .and_then(|bytes| unpack(&bytes).ok_or_else(|| "rows are cut off".to_owned()));
            let rows = rows.unwrap_or_else(|why| {
                warnings.add("snapshots", || {
                    format!(
                        "snapshots that are damaged are left out, so that sums are too low: {why}"
                    )
                });
                vec![]
            });
            let at = self.clock.nanoseconds(snapshot.ticks);
            end = end.max(at);
            let time = at.saturating_sub(self.zero);
            let before = self.held;
            for row in rows {
                self.row(row, time, warnings);
            }
            self.most_between(number, before, [last, time]);
            last = time;
            self.counter("held", time, self.held as f64);
            self.counter("resident memory", time, snapshot.resident as f64);
            options.check_memory(self.builder.heap_bytes() + memory.heap_bytes())?;
        }
        let peak = memory.snapshots.last().map_or(0, |last| last.peak_ticks);
        let time = self.clock.nanoseconds(peak).saturating_sub(self.zero).max(0);
        for account in std::mem::take(&mut self.contexts) {
            if account.peak != 0 {
                self.push(account, time, [0, 0, account.peak, 0]);
            }
        }
        Ok(end)
    }

    /// What was held for a moment between two snapshots, and more than at both.
    fn most_between(&mut self, number: usize, before: i64, [from, to]: [i64; 2]) {
        let Ok(at) = self.memory.most.binary_search_by_key(&number, |(number, _)| *number) else {
            return;
        };
        let most = self.memory.most[at].1;
        let held = i64::try_from(most.held).unwrap_or(i64::MAX);
        // Writers before took the time of a snapshot after what is in it.
        let time = self.clock.nanoseconds(most.ticks).saturating_sub(self.zero).max(from);
        if held > before.max(self.held) && most.ticks != 0 && time <= to {
            self.counter("held", time, held as f64);
        }
    }

    fn counter(&mut self, name: &str, time: i64, value: f64) {
        let (name, unit) =
            (self.builder.strings.intern(name), self.builder.strings.intern("bytes"));
        self.builder.timeline.counter(self.track, name, unit).push(time, value);
    }

    fn row(&mut self, row: Row, time: i64, warnings: &mut Warnings) {
        let Some(account) = self.contexts.get_mut(row.context as usize) else {
            warnings.add("rows", || {
                "what was allocated in contexts that are not in the file is left out".to_owned()
            });
            return;
        };
        let whole = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
        let allocations = |parts: u64| whole(parts.saturating_add(PARTS / 2) / PARTS);
        let before = allocations(account.parts);
        account.parts = account.parts.saturating_add(row.allocations);
        let count = allocations(account.parts) - before;
        account.peak = row.peak.map_or(account.peak, whole);
        let account = *account;
        let allocated = whole(row.allocated);
        let grown = allocated.saturating_sub(whole(row.freed));
        self.held = self.held.saturating_add(grown);
        self.allocated = self.allocated.saturating_add(allocated);
        if (allocated, count, grown) != (0, 0, 0) {
            self.push(account, time, [allocated, count, 0, grown]);
        }
    }

    fn push(&mut self, account: Account, time: i64, values: [i64; 4]) {
        let Account { context, thread, .. } = account;
        let point = Point { context, time: Some(time), thread, ..Point::default() };
        self.builder.points.push_point(point, &values);
    }
}

/// How good sums are.
#[derive(Debug, Default)]
struct Quality {
    /// Bytes between samples: the most of all processes.
    mean: u64,
    allocated: i64,
    variance: f64,
}

impl Quality {
    fn add(&mut self, mean: u64, allocated: i64) {
        self.mean = self.mean.max(mean);
        self.allocated = self.allocated.saturating_add(allocated);
        // Of each block: its size squared by `(1 - p) / p`, which is the size by the mean at most.
        self.variance += mean as f64 * allocated.max(0) as f64;
    }

    /// Says what the figures are.
    fn tell(&self, comments: &mut Vec<String>) {
        let Quality { mean, allocated, variance } = self;
        comments.push(match mean {
            0 => "every allocation was seen: values are exact".to_owned(),
            mean => format!(
                "allocated, allocations, peak and leaked are estimates: a block is sampled each {mean} bytes on \
                 average; the standard error of B bytes is the square root of {mean} B at most: {:.0} of the \
                 {allocated} bytes that were allocated in all",
                variance.sqrt()
            ),
        });
        comments.push(
            "what is not allocated by the interpreter's allocators is not in it: memory that libraries \
             get from the system by themselves; resident memory, beside it on the timeline, is all of the process"
                .to_owned(),
        );
        comments.push(
            "leaked is what was held at the end of the recording; up to a time it is what was held then, and between \
             times how much that grew"
                .to_owned(),
        );
    }
}

/// Where a step is.
fn place(step: &Step, process: &Process, builder: &mut ProfileBuilder) -> LocationId {
    let other = match step.function {
        WITHOUT_INTERPRETER => "(without the interpreter)",
        OTHER_INTERPRETER => "(another interpreter)",
        FURTHER_OUT => "(calls further out)",
        FIRST_OTHER.. => "(no Python function)",
        number => match process.functions.get(&number) {
            Some(function) => {
                return builder.place(&Place {
                    function: &function.name,
                    file: &function.file,
                    start_line: function.line,
                    line: step.line,
                    ..Place::default()
                });
            }
            None => "function without a name in the recording",
        },
    };
    builder.place(&Place { function: other, ..Place::default() })
}
