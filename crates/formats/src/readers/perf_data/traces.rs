//! What tracepoints told, kept as raw bytes until their formats are known: a file has them at its
//! end.

use hashbrown::HashMap;
use perfdata::{Format, Head, TracingData, Value, attr};
use profile::{ContextId, Label, LabelSetId, LabelValue, Mark, ProfileBuilder, StringId};

use crate::Warnings;
use crate::time::schedule::{Events, Moved, Switch, Task, WakeKind, Wakeup};
use crate::time::thread_states;
use crate::time::thread_tracks::ThreadTracks;

/// Raw bytes of tracepoints, in the order of time.
#[derive(Default)]
pub(super) struct Traces {
    /// Blocks, so that what was used can be given back.
    blocks: Vec<Vec<u8>>,
    list: Vec<Trace>,
}

/// How many tracepoints of the scheduler are of events of which not each was sampled.
#[derive(Default)]
pub(super) struct Sampled {
    pub(super) switches: u64,
    /// Wake-ups and moves.
    pub(super) others: u64,
}

struct Trace {
    point: u32,
    event: u32,
    block: u32,
    start: u32,
    size: u32,
}

const BLOCK: usize = 1 << 20;
/// Bytes that the fields of a tracepoint take on the timeline.
const TRACED: usize = 192;

impl Sampled {
    /// Says what is not told for it: `is_alone` if nothing else tells of switches.
    pub(super) fn warn(&self, is_alone: bool, warnings: &mut Warnings) {
        if self.switches > 0 && is_alone {
            warnings.add_many("sampled switches", self.switches, || {
                "switches were sampled, and not each recorded: how long threads ran and were away is not shown; record sched:sched_switch with a period of 1 (-c 1), as \
                 hotframe record perf does"
                    .to_owned()
            });
        }
        if self.others > 0 {
            warnings.add_many("sampled wake-ups", self.others, || {
                "wake-ups or moves were sampled, and not each recorded: nothing is computed from them; \
                 record them with a period of 1 (-c 1)"
                    .to_owned()
            });
        }
    }
}

impl Traces {
    pub(super) fn heap_bytes(&self) -> usize {
        self.blocks.len() * BLOCK + self.list.len() * (size_of::<Trace>() + TRACED)
    }

    pub(super) fn push(&mut self, point: usize, event: usize, raw: &[u8]) {
        let fits = |block: &&mut Vec<u8>| block.len() + raw.len() <= BLOCK;
        if self.blocks.last_mut().filter(fits).is_none() {
            self.blocks.push(Vec::with_capacity(BLOCK));
        }
        let block = self.blocks.len() - 1;
        let start = self.blocks[block].len() as u32;
        self.blocks[block].extend_from_slice(raw);
        let (point, event, size) = (point as u32, event as u32, raw.len() as u32);
        self.list.push(Trace { point, event, block: block as u32, start, size });
    }

    /// What the scheduler's tracepoints tell. Of events that were not sampled each time switches tell on
    /// which stack threads left, and the others nothing.
    pub(super) fn schedule(&self, head: &Head, builder: &mut ProfileBuilder) -> (Events, Sampled) {
        let (mut events, mut sampled) = (Events::default(), Sampled::default());
        let Some(tracing) = &head.features.tracing else { return (events, sampled) };
        for trace in &self.list {
            let Some(format) = format(head, tracing, trace.event) else { continue };
            let (time, cpu) = self.place(trace, builder);
            let Some((time, cpu)) = time.zip(cpu) else { continue };
            let told = Tracepoint { format, tracing, raw: self.raw(trace) };
            let point = trace.point as usize;
            let context = builder.points.context[point];
            let event = &head.events[trace.event as usize];
            let has_stack = event.attr.has(attr::sample::CALLCHAIN);
            let is_sampled = u64::from(!event.attr.samples_each());
            match (&*format.name, WakeKind::new(&format.name)) {
                ("sched_switch", _) => {
                    let Some(mut switch) = told.switch(time, cpu, builder) else { continue };
                    sampled.switches += is_sampled;
                    (switch.context, switch.has_stack) = (context, has_stack);
                    // What ends is not a thread any more where it is sampled.
                    let sampled = builder.points.thread(point);
                    switch.thread = sampled
                        .filter(|thread| builder.threads[thread.index()].id == switch.before.tid);
                    events.switches.push(switch);
                }
                ("sched_migrate_task", _) | (_, Some(_)) if is_sampled != 0 => sampled.others += 1,
                ("sched_migrate_task", _) => {
                    let (Some(pid), Some(from)) = (told.number("pid"), told.number("orig_cpu"))
                    else {
                        continue;
                    };
                    let Ok(from) = u32::try_from(from) else { continue };
                    let comm = told.value("comm").map(|comm| comm.to_string()).unwrap_or_default();
                    let [tid, comm] =
                        [pid.to_string(), comm].map(|text| builder.strings.intern(&text));
                    events.moved.push(Moved { time, from, tid, comm, context });
                }
                (_, Some(kind)) => {
                    let Some(woken) = told.number("pid") else { continue };
                    let name = builder.strings.intern(&event.name());
                    let woken = builder.strings.intern(&woken.to_string());
                    let stack = Some(context).filter(|_| has_stack);
                    events.wakeups.push(Wakeup { time, cpu, name, kind, woken, stack });
                }
                (_, None) => {}
            }
        }
        (events, sampled)
    }

    fn place(&self, trace: &Trace, builder: &ProfileBuilder) -> (Option<i64>, Option<u32>) {
        let point = trace.point as usize;
        (builder.points.time(point), builder.points.cpu(point))
    }

    fn raw(&self, trace: &Trace) -> &[u8] {
        &self.blocks[trace.block as usize][trace.start as usize..][..trace.size as usize]
    }

    /// Puts an instant with its fields onto the track of the thread of each.
    pub(super) fn push_marks(
        mut self,
        head: &Head,
        tracks: &mut ThreadTracks,
        builder: &mut ProfileBuilder,
        warnings: &mut Warnings,
    ) {
        let names: Vec<StringId> = {
            let strings = &mut builder.strings;
            head.events.iter().map(|event| strings.intern(&event.name())).collect()
        };
        let mut cache = Interned::default();
        let list = std::mem::take(&mut self.list);
        for trace in &list {
            let point = trace.point as usize;
            let Some(time) = builder.points.time(point) else { continue };
            let track = match (builder.points.thread(point), builder.points.cpu(point)) {
                (Some(thread), _) => Some(tracks.of(thread, builder)),
                (None, Some(cpu)) => tracks.of_processor(cpu),
                (None, None) => None,
            };
            let Some(track) = track else { continue };
            let tracing = head.features.tracing.as_ref();
            let format = tracing.and_then(|tracing| format(head, tracing, trace.event));
            let fields = match (tracing, format) {
                (Some(tracing), Some(format)) => {
                    let told = Tracepoint { format, tracing, raw: self.raw(trace) };
                    told.fields(&mut cache, builder)
                }
                _ => {
                    warnings.add("format", || {
                        let name = head.events[trace.event as usize].name();
                        format!("fields of tracepoints whose format is not in the file: {name}")
                    });
                    LabelSetId(0)
                }
            };
            let kind = names[trace.event as usize];
            builder.timeline.mark(Mark { track, time, kind, fields });
            // What was used is given back.
            if trace.block > 0 {
                self.blocks[trace.block as usize - 1] = Vec::new();
            }
        }
    }
}

fn format<'a>(head: &Head, tracing: &'a TracingData, event: u32) -> Option<&'a Format> {
    tracing.formats.get(&head.events[event as usize].attr.config)
}

/// Texts that come again and again, by the places where they stand.
#[derive(Default)]
struct Interned {
    keys: HashMap<*const str, StringId>,
    labels: Vec<Label>,
}

/// A tracepoint with its format.
struct Tracepoint<'a> {
    format: &'a Format,
    tracing: &'a TracingData,
    raw: &'a [u8],
}

impl Tracepoint<'_> {
    fn value(&self, name: &str) -> Option<Value<'_>> {
        self.format.field(name)?.value(self.raw, self.tracing.order)
    }

    fn number(&self, name: &str) -> Option<i64> {
        self.value(name)?.number()
    }

    fn switch(&self, time: i64, cpu: u32, builder: &mut ProfileBuilder) -> Option<Switch> {
        let mut task = |pid: &str, comm: &str| {
            let tid = builder.strings.intern(&self.number(pid)?.to_string());
            let comm = self.value(comm).map(|comm| comm.to_string()).unwrap_or_default();
            Some(Task { tid, comm: builder.strings.intern(&comm) })
        };
        let before = task("prev_pid", "prev_comm")?;
        let next = task("next_pid", "next_comm")?;
        let then = self.number("prev_state").and_then(thread_states::of_bits).unwrap_or_default();
        let then = builder.strings.intern(then);
        let (context, has_stack, thread) = (ContextId::ROOT, false, None);
        Some(Switch { time, cpu, before, then, next, context, has_stack, thread })
    }

    fn fields(&self, cache: &mut Interned, builder: &mut ProfileBuilder) -> LabelSetId {
        cache.labels.clear();
        for field in &self.format.fields {
            let Some(value) = field.value(self.raw, self.tracing.order) else { continue };
            let key = *(cache.keys.entry(std::ptr::from_ref(&*field.name)))
                .or_insert_with(|| builder.strings.intern(&field.name));
            let number = value.number();
            let name = field.names.as_ref().zip(number);
            let name = name.and_then(|(names, number)| names.of(number.cast_unsigned()));
            let value = match (name, number) {
                (Some(name), _) => LabelValue::Text(builder.strings.intern(&name)),
                (None, Some(number)) => LabelValue::Number(number, StringId::EMPTY),
                (None, None) => LabelValue::Text(builder.strings.intern(&value.to_string())),
            };
            cache.labels.push(Label { key, value });
        }
        builder.labels.add(&cache.labels)
    }
}
