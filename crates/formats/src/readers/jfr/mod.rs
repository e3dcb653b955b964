//! Java Flight Recorder's files, versions 1 and 2, from the JDK and from async-profiler.
//!
//! A file is a row of chunks that know nothing of each other. Each has a header, events, metadata
//! that say how its events are written (near its end), and checkpoints with constants: threads,
//! stacks, methods. There is no specification; `jdk.jfr.internal.consumer` of the JDK reads it.
//!
//! Every kind of event that can have a stack is a metric that counts it, with further metrics for
//! its duration and sizes. Other events are counted only.

mod classes;
mod cursor;
mod names;
mod pools;

use std::borrow::Cow;
use std::collections::BTreeMap;

use hashbrown::HashMap;
use profile::{
    ContextId, FunctionId, Label, LabelSetId, LabelValue, Location, LocationId, Metric, ModuleId,
    Point, Points, Profile, ProfileBuilder, StringId, Thread, ThreadId,
};

use crate::stream::Stream;
use crate::{About, Format, Place, ReadError, ReadOptions, Reader, Sniff, Warnings};
use classes::{Classes, IGNORED, Program, Value};
use cursor::Cursor;
use pools::{Pool, Pools};

pub(crate) const FORMAT: Format = Format {
    name: "jfr",
    title: "Java Flight Recorder",
    extensions: &["jfr"],
    about: About {
        carries: "every event that has a stack: how many, how long, how many bytes; stacks with \
                  inlined frames and lines, threads, times, thread states, classes of objects and \
                  monitors, the sampling period",
        estimates: "",
        skips: "events without stacks (counted), byte code indices, other fields of events",
        checked_against: "jfr summary, jfr print",
    },
    reader: Some(Reader { sniff, read }),
    folder: None,
    writer: None,
};

const MAGIC: &[u8] = b"FLR\0";
const HEADER: usize = 68;

fn sniff(head: &[u8], _: &str) -> Sniff {
    if head.starts_with(MAGIC) { Sniff::Yes } else { Sniff::No }
}

fn read(
    mut stream: Stream,
    options: &ReadOptions,
    warnings: &mut Warnings,
) -> Result<Profile, ReadError> {
    let mut reading = Reading::default();
    loop {
        let place = stream.place();
        let head = stream.peek(HEADER)?;
        if head.is_empty() {
            break;
        }
        let Some(header) = Header::parse(head) else {
            if place.0 > 0 {
                // What a programme wrote after its last flush before it was killed.
                warnings.add("rest", || {
                    format!("what follows the last finished chunk at {place} is left out")
                });
                break;
            }
            let left = Place(place.0 + head.len() as u64);
            let reason = "inside of the header of its first chunk".to_owned();
            return Err(ReadError::Truncated { format: FORMAT.name, place: left, reason });
        };
        if !(1..=2).contains(&header.major) {
            return Err(ReadError::Unsupported {
                found: format!("version {} of JFR", header.major),
                instead: "versions 1 and 2 are, which JDK 9 and later write",
            });
        }
        let size = match usize::try_from(header.size) {
            Ok(size) if size >= HEADER => size,
            _ => {
                warnings.add("unfinished", || {
                    format!(
                        "the chunk at {place} was never finished; what can be read of it is shown"
                    )
                });
                usize::MAX
            }
        };
        // Metadata stand at the end of a chunk, so all of it must be there.
        let mut have = stream.peek(HEADER)?.len();
        while have < size {
            options.check_memory(have + reading.heap_bytes())?;
            let now = stream.peek(size.min(have.saturating_mul(2)))?.len();
            if now == have {
                break;
            }
            have = now;
        }
        let bytes = stream.peek(HEADER)?;
        if bytes.len() < size && size < usize::MAX {
            warnings.add("cut", || {
                format!("the chunk at {place} is cut short; what can be read of it is shown")
            });
        }
        let bytes = &bytes[..bytes.len().min(size)];
        let used = reading.chunk(&header, bytes, place, options, warnings)?;
        let used = if size < usize::MAX { bytes.len() } else { used };
        stream.consume(used);
    }
    let bytes = reading.records.len().saturating_mul(8 * reading.metric_count());
    options.check_memory(reading.heap_bytes().saturating_add(bytes))?;
    Ok(reading.finish(warnings))
}

/// The header of a chunk.
struct Header {
    major: u16,
    size: i64,
    /// Nanoseconds since 1970.
    start: i64,
    duration: i64,
    start_ticks: i64,
    ticks_a_second: i64,
    compressed: bool,
}

impl Header {
    fn parse(head: &[u8]) -> Option<Header> {
        let head = head.first_chunk::<HEADER>()?;
        let long =
            |at: usize| head[at..].first_chunk().map_or(0, |&bytes| i64::from_be_bytes(bytes));
        head.starts_with(MAGIC).then(|| Header {
            major: u16::from_be_bytes([head[4], head[5]]),
            size: long(8),
            start: long(32),
            duration: long(40),
            start_ticks: long(48),
            ticks_a_second: long(56).max(1),
            compressed: head[67] & 1 != 0,
        })
    }

    /// A number of ticks in nanoseconds.
    fn nanoseconds(&self, ticks: i64) -> i64 {
        let nanoseconds = i128::from(ticks) * 1_000_000_000 / i128::from(self.ticks_a_second);
        nanoseconds.clamp(i64::MIN.into(), i64::MAX.into()) as i64
    }
}

/// Fields whose values are metrics of their own, and their units. Durations are ticks in the file.
const MEASURES: [(&str, &str); 7] = [
    ("duration", "nanoseconds"),
    ("weight", "bytes"),
    ("allocationSize", "bytes"),
    ("tlabSize", "bytes"),
    ("objectSize", "bytes"),
    ("bytesRead", "bytes"),
    ("bytesWritten", "bytes"),
];

/// How many of them an event may have; none has more.
const MOST_MEASURES: usize = 2;

/// Slots of the fields of events.
mod slot {
    pub(super) const START: u8 = 0;
    pub(super) const THREAD: u8 = 1;
    pub(super) const SAMPLED: u8 = 2;
    pub(super) const STACK: u8 = 3;
    pub(super) const STATE: u8 = 4;
    pub(super) const CLASS: u8 = 5;
    pub(super) const SAMPLES: u8 = 6;
    pub(super) const ID: u8 = 7;
    pub(super) const NAME: u8 = 8;
    pub(super) const VALUE: u8 = 9;
    pub(super) const JVM_NAME: u8 = 10;
    pub(super) const JVM_VERSION: u8 = 11;
    pub(super) const JVM_ARGUMENTS: u8 = 12;
    pub(super) const JAVA_ARGUMENTS: u8 = 13;
    /// The first of the measures.
    pub(super) const MEASURE: u8 = 14;
    pub(super) const COUNT: usize = 16;
}

/// A kind of event that is shown.
struct Kind {
    name: String,
    /// Which of [`MEASURES`] it has.
    measures: Vec<usize>,
    /// Which of those were ever more than 0.
    measured: [bool; MOST_MEASURES],
    events: u64,
    with_stack: u64,
}

/// An event that is shown.
struct Record {
    time: i64,
    context: ContextId,
    labels: LabelSetId,
    thread: Option<ThreadId>,
    kind: u32,
    count: i64,
    measures: [i64; MOST_MEASURES],
}

/// What is done with events of a type.
enum Action {
    Show(u32, Program),
    Setting(Program),
    Machine(Program),
    Count(String),
}

#[derive(Default)]
struct Reading {
    builder: ProfileBuilder,
    kinds: Vec<Kind>,
    records: Vec<Record>,
    threads: HashMap<(i64, i64, StringId), ThreadId>,
    /// Start of the first chunk, and end of the last, in nanoseconds since 1970.
    start: Option<i64>,
    end: i64,
    others: BTreeMap<String, u64>,
    truncated: u64,
    without_stack: u64,
    labels: Vec<Label>,
}

/// What was looked up in the chunk that is read.
struct Chunk<'b> {
    header: &'b Header,
    /// Stands at its start.
    cursor: Cursor<'b>,
    pools: Pools,
    contexts: HashMap<i64, Found>,
    methods: HashMap<i64, (FunctionId, Option<ModuleId>)>,
    threads: HashMap<i64, Option<ThreadId>>,
    path: Vec<LocationId>,
    frames: Vec<(Option<FunctionId>, u32, u32)>,
}

impl<'b> Chunk<'b> {
    /// Whether a frame was interpreted, compiled, inlined, …
    fn frame_kind(&self, frame: usize) -> Cow<'b, str> {
        let kind = Value::Reference(self.pools.frames[frame].kind);
        self.pools.name(self.cursor, Pool::FrameType, kind)
    }
}

/// A stack that was looked up.
#[derive(Clone, Copy)]
struct Found {
    context: ContextId,
    truncated: bool,
    /// What the innermost frame is.
    kind: StringId,
}

impl Reading {
    fn heap_bytes(&self) -> usize {
        self.builder.heap_bytes() + self.records.len() * size_of::<Record>()
    }

    fn metric_count(&self) -> usize {
        self.kinds.iter().map(|kind| 1 + kind.measures.len()).sum()
    }

    /// Reads a chunk; how many of its bytes are events.
    fn chunk(
        &mut self,
        header: &Header,
        bytes: &[u8],
        place: Place,
        options: &ReadOptions,
        warnings: &mut Warnings,
    ) -> Result<usize, ReadError> {
        let cursor = Cursor { bytes, at: HEADER, compressed: header.compressed };
        let mut metadata = None;
        let mut checkpoints = vec![];
        let mut events = Events { cursor };
        while let Some((kind, body)) = events.next() {
            match kind {
                0 => metadata = Some(body),
                1 => checkpoints.push(body),
                _ => {}
            }
        }
        let used = events.cursor.at;
        if used < bytes.len() && header.size > 0 {
            warnings.add("events", || {
                let at = place.0 + used as u64;
                format!("the events of a chunk are damaged from byte {at} on")
            });
        }
        self.start.get_or_insert(header.start);
        self.end = self.end.max(header.start.saturating_add(header.duration));
        let Some(classes) = metadata.and_then(Classes::read) else {
            warnings.add("metadata", || {
                format!("the chunk at {place} has no metadata, so that its events cannot be read")
            });
            return Ok(used);
        };
        let mut pools = Pools::default();
        let mut programs = HashMap::new();
        for body in checkpoints {
            if pools.read(body, &classes, &mut programs).is_none() {
                warnings
                    .add("constants", || format!("constants of the chunk at {place} are damaged"));
            }
            options.check_memory(self.heap_bytes() + pools.heap_bytes() + bytes.len())?;
        }
        let mut chunk = Chunk {
            header,
            cursor,
            pools,
            contexts: HashMap::new(),
            methods: HashMap::new(),
            threads: HashMap::new(),
            path: vec![],
            frames: vec![],
        };
        let mut actions = HashMap::new();
        let mut events = Events { cursor };
        let mut count = 0u32;
        while let Some((kind, mut body)) = events.next() {
            if kind < 2 {
                continue;
            }
            let action = actions.entry(kind).or_insert_with(|| self.action(kind, &classes));
            let mut values = [Value::None; slot::COUNT];
            if let Action::Show(_, program) | Action::Setting(program) | Action::Machine(program) =
                action
            {
                let sound = program.run(&mut body, |slot, value| {
                    if let Some(place) = values.get_mut(usize::from(slot)) {
                        *place = value;
                    }
                });
                if sound.is_none() {
                    warnings.add("event", || format!("events of the chunk at {place} are damaged"));
                    continue;
                }
            }
            match action {
                Action::Show(kind, _) => self.show(*kind, &values, &mut chunk),
                Action::Setting(_) => self.setting(&values, &classes, &chunk),
                Action::Machine(_) => self.machine(&values, &chunk),
                Action::Count(name) => match self.others.get_mut(name) {
                    Some(count) => *count += 1,
                    None => drop(self.others.insert(name.clone(), 1)),
                },
            }
            count += 1;
            if count.is_multiple_of(4096) {
                options.check_memory(self.heap_bytes() + chunk.pools.heap_bytes() + bytes.len())?;
            }
        }
        Ok(used)
    }

    fn action(&mut self, id: i64, classes: &Classes) -> Action {
        let Some(class) = classes.by_id.get(&id) else {
            return Action::Count(format!("type {id}"));
        };
        let short = class.name.rsplit('.').next().unwrap_or_default();
        let has_stack = class.fields.iter().any(|field| field.name == "stackTrace");
        let has = |name: &str| class.fields.iter().any(|field| field.name == name);
        let is_size = class.name == "profiler.Malloc";
        let measures: Vec<usize> = (0..MEASURES.len())
            .filter(|&index| has(MEASURES[index].0))
            .take(MOST_MEASURES)
            .collect();
        let slot = |path: &str| match path {
            "startTime" => slot::START,
            "eventThread" => slot::THREAD,
            "sampledThread" => slot::SAMPLED,
            "stackTrace" => slot::STACK,
            "state" => slot::STATE,
            "objectClass" | "monitorClass" | "parkedClass" => slot::CLASS,
            "samples" => slot::SAMPLES,
            "id" => slot::ID,
            "name" => slot::NAME,
            "value" => slot::VALUE,
            "jvmName" => slot::JVM_NAME,
            "jvmVersion" => slot::JVM_VERSION,
            "jvmArguments" => slot::JVM_ARGUMENTS,
            "javaArguments" => slot::JAVA_ARGUMENTS,
            "size" if is_size => slot::MEASURE,
            path => {
                let known = measures.iter().position(|&index| MEASURES[index].0 == path);
                known.map_or(IGNORED, |index| slot::MEASURE + index as u8)
            }
        };
        let Some(program) = classes.program(id, &slot) else {
            return Action::Count(class.name.clone());
        };
        match short {
            "ActiveSetting" => Action::Setting(program),
            "JVMInformation" => Action::Machine(program),
            _ if has_stack => {
                let known = self.kinds.iter().position(|kind| kind.name == class.name);
                let kind = known.unwrap_or_else(|| {
                    // `size` stands for the first measure in bytes.
                    let measures = if is_size { vec![MEASURES.len()] } else { measures };
                    self.kinds.push(Kind {
                        name: class.name.clone(),
                        measures,
                        measured: [false; MOST_MEASURES],
                        events: 0,
                        with_stack: 0,
                    });
                    self.kinds.len() - 1
                });
                Action::Show(kind as u32, program)
            }
            _ => Action::Count(class.name.clone()),
        }
    }

    fn show(&mut self, kind: u32, values: &[Value; slot::COUNT], chunk: &mut Chunk<'_>) {
        let value = |slot: u8| values[usize::from(slot)];
        let int = |slot: u8| if let Value::Int(int) = value(slot) { int } else { 0 };
        let stack = match value(slot::STACK) {
            Value::Reference(key) => self.context(key, chunk),
            _ => None,
        };
        self.labels.clear();
        if let Value::Reference(_) = value(slot::STATE) {
            let state = chunk.pools.name(chunk.cursor, Pool::ThreadState, value(slot::STATE));
            self.label("state", &state);
        }
        let class = chunk.pools.name(chunk.cursor, Pool::Class, value(slot::CLASS));
        if !class.is_empty() {
            self.label("class", &names::class(&class));
        }
        match stack {
            None => {}
            Some(found) => {
                let frame = self.builder.strings.get(found.kind).to_owned();
                if !frame.is_empty() {
                    self.label("frame type", &frame);
                }
                if found.truncated {
                    self.truncated += 1;
                    self.label("truncated", "true");
                }
            }
        }
        let thread = match (value(slot::SAMPLED), value(slot::THREAD)) {
            (Value::Reference(key), _) | (_, Value::Reference(key)) => self.thread(key, chunk),
            _ => None,
        };
        let labels = self.builder.labels.add(&self.labels);
        let start = self.start.unwrap_or(0);
        let since =
            chunk.header.nanoseconds(int(slot::START).saturating_sub(chunk.header.start_ticks));
        let time = chunk.header.start.saturating_add(since).saturating_sub(start);
        let of = &mut self.kinds[kind as usize];
        of.events += 1;
        of.with_stack += u64::from(stack.is_some());
        let mut measures = [0; MOST_MEASURES];
        for (index, place) in measures.iter_mut().enumerate().take(of.measures.len()) {
            let raw = int(slot::MEASURE + index as u8);
            let is_duration = of.measures[index] == 0;
            *place = if is_duration { chunk.header.nanoseconds(raw) } else { raw };
            of.measured[index] |= *place != 0;
        }
        let count = match value(slot::SAMPLES) {
            Value::Int(samples) => samples,
            _ => 1,
        };
        let context = stack.map_or(ContextId::ROOT, |found| found.context);
        self.records.push(Record { time, context, labels, thread, kind, count, measures });
    }

    fn label(&mut self, key: &str, text: &str) {
        let key = self.builder.strings.intern(key);
        let value = LabelValue::Text(self.builder.strings.intern(text));
        self.labels.push(Label { key, value });
    }

    fn context(&mut self, key: i64, chunk: &mut Chunk<'_>) -> Option<Found> {
        if let Some(&known) = chunk.contexts.get(&key) {
            return Some(known);
        }
        let trace = *chunk.pools.traces.get(&key)?;
        chunk.path.clear();
        let (mut at, end) = (trace.start as usize, trace.end as usize);

        let kind = match at < end {
            true => self.builder.strings.intern(&chunk.frame_kind(at)),
            false => StringId::EMPTY,
        };
        while at < end {
            // Inlined frames belong to the compiled one that follows.
            let mut last = at;
            while last + 1 < end && chunk.frame_kind(last) == "Inlined" {
                last += 1;
            }
            chunk.frames.clear();
            let mut module = None;
            for index in (at..=last).rev() {
                let frame = chunk.pools.frames[index];
                let (function, of) = self.method(frame.method, chunk);
                if index == last {
                    module = of;
                }
                chunk.frames.push((Some(function), frame.line, 0));
            }
            let location = Location { module, ..Location::default() };
            chunk.path.push(self.builder.location(location, &chunk.frames));
            at = last + 1;
        }
        let context = self.builder.stack(chunk.path.iter().rev().copied());
        let found = Found { context, truncated: trace.truncated, kind };
        chunk.contexts.insert(key, found);
        Some(found)
    }

    fn method(&mut self, key: i64, chunk: &mut Chunk<'_>) -> (FunctionId, Option<ModuleId>) {
        if let Some(&known) = chunk.methods.get(&key) {
            return known;
        }
        let (pools, cursor) = (&chunk.pools, chunk.cursor);
        let found = match pools.get(Pool::Method, key) {
            Some(&[class, name, descriptor, _]) => {
                let (name, descriptor) = (pools.text(cursor, name), pools.text(cursor, descriptor));
                let class_name = pools.name(cursor, Pool::Class, class);
                let name = names::method(&class_name, &name, &descriptor);
                let follow = |pool, value| match value {
                    Value::Reference(key) => pools.get(pool, key).copied().unwrap_or_default(),
                    _ => [Value::None; 4],
                };
                let [module, ..] = follow(Pool::Package, follow(Pool::Class, class)[1]);
                let module = pools.name(cursor, Pool::Module, module);
                (self.builder.function(&name, "", 0), self.builder.module(&module))
            }
            None => (self.builder.function("[unknown method]", "", 0), None),
        };
        chunk.methods.insert(key, found);
        found
    }

    fn thread(&mut self, key: i64, chunk: &mut Chunk<'_>) -> Option<ThreadId> {
        if let Some(&known) = chunk.threads.get(&key) {
            return known;
        }
        let found = chunk.pools.get(Pool::Thread, key).copied().map(|[os_name, os, name, java]| {
            let text = |value| chunk.pools.text(chunk.cursor, value);
            let int = |value| if let Value::Int(int) = value { int } else { 0 };
            let name = match text(name) {
                name if name.is_empty() => text(os_name),
                name => name,
            };
            let name = self.builder.strings.intern(&name);
            let key = (int(os), int(java), name);
            *self.threads.entry(key).or_insert_with(|| {
                // Virtual threads have no number in the operating system.
                let number = if key.0 != 0 { key.0 } else { key.1 };
                let id = self.builder.strings.intern(&number.to_string());
                self.builder.threads.push(Thread { process: None, id, name });
                ThreadId(self.builder.threads.len() as u32 - 1)
            })
        });
        chunk.threads.insert(key, found);
        found
    }

    /// A setting: the sampling period is the one that matters.
    fn setting(&mut self, values: &[Value; slot::COUNT], classes: &Classes, chunk: &Chunk<'_>) {
        let value = |slot: u8| values[usize::from(slot)];
        let Value::Int(id) = value(slot::ID) else { return };
        let Some(event) = classes.by_id.get(&id) else { return };
        if !event.name.ends_with(".ExecutionSample") {
            return;
        }
        let name = chunk.pools.text(chunk.cursor, value(slot::NAME));
        let text = chunk.pools.text(chunk.cursor, value(slot::VALUE));
        let origin = &mut self.builder.origin;
        match &*name {
            "period" | "interval" => {
                if let Some(period) = period(&text) {
                    origin.period = period;
                    origin.period_type = Some((event.name.clone(), "nanoseconds".to_owned()));
                }
            }
            "version" => origin.producer = format!("async-profiler {text}"),
            "event" | "engine" => {
                let comment = format!("{name}: {text}");
                if !origin.comments.contains(&comment) {
                    origin.comments.push(comment);
                }
            }
            _ => {}
        }
    }

    fn machine(&mut self, values: &[Value; slot::COUNT], chunk: &Chunk<'_>) {
        let text = |slot: u8| chunk.pools.text(chunk.cursor, values[usize::from(slot)]);
        let origin = &mut self.builder.origin;
        let comments = [
            ("Java machine", text(slot::JVM_NAME)),
            ("version", text(slot::JVM_VERSION)),
            ("arguments of the machine", text(slot::JVM_ARGUMENTS)),
            ("arguments", text(slot::JAVA_ARGUMENTS)),
        ];
        for (key, value) in comments {
            let comment = format!("{key}: {value}");
            if !value.is_empty() && !origin.comments.contains(&comment) {
                origin.comments.push(comment);
            }
        }
    }

    fn finish(mut self, warnings: &mut Warnings) -> Profile {
        let mut builder = self.builder;
        self.records.sort_by_key(|record| record.time);
        // What never occurred takes no column.
        let mut columns = vec![];
        for kind in &self.kinds {
            let mut metric = |name: String, unit: &str| {
                builder.metrics.push(Metric {
                    name,
                    unit: unit.to_owned(),
                    decimals: 0,
                    ..Metric::default()
                });
                builder.metrics.len() - 1
            };
            let mut places = [None; 1 + MOST_MEASURES];
            if kind.with_stack > 0 {
                places[0] = Some(metric(kind.name.clone(), "count"));
                for (at, &index) in kind.measures.iter().enumerate() {
                    let (field, unit) = *MEASURES.get(index).unwrap_or(&("size", "bytes"));
                    let name = || format!("{} {field}", kind.name);
                    places[at + 1] = kind.measured[at].then(|| metric(name(), unit));
                }
                self.without_stack += kind.events - kind.with_stack;
            } else if kind.events > 0 {
                *self.others.entry(kind.name.clone()).or_default() += kind.events;
            }
            columns.push(places);
        }
        builder.points = Points::new(builder.metrics.len());
        let mut values = vec![0; builder.metrics.len()];
        for record in std::mem::take(&mut self.records) {
            let places = columns[record.kind as usize];
            if places[0].is_none() {
                continue;
            }
            values.fill(0);
            let found = std::iter::once(record.count).chain(record.measures);
            for (place, value) in places.into_iter().zip(found) {
                if let Some(place) = place {
                    values[place] = value;
                }
            }
            let Record { time, context, labels, thread, .. } = record;
            let point = Point { context, labels, time: Some(time), thread, ..Point::default() };
            builder.points.push_point(point, &values);
        }
        const FIRST: [&str; 5] = [
            ".ExecutionSample",
            ".CPUTimeSample",
            ".WallClockSample",
            ".ObjectAllocationSample weight",
            ".ObjectAllocationInNewTLAB tlabSize",
        ];
        let ends =
            |ending: &str| builder.metrics.iter().position(|metric| metric.name.ends_with(ending));
        builder.origin.default_metric = FIRST.into_iter().find_map(ends).unwrap_or(0);
        builder.origin.format = FORMAT.name.to_owned();
        if builder.origin.producer.is_empty() {
            builder.origin.producer = "Java Flight Recorder".to_owned();
        }
        builder.origin.time_ns = self.start.unwrap_or(0);
        builder.origin.duration_ns = self.end.saturating_sub(builder.origin.time_ns).max(0);
        if builder.metrics.is_empty() {
            warnings.add("no events", || "the file holds no events with stacks".to_owned());
        }
        let count: u64 = self.others.values().sum();
        if count > 0 {
            let names: Vec<_> = self.others.keys().map(String::as_str).collect();
            warnings.add_many("others", count, || {
                let (some, more) = names.split_at(names.len().min(8));
                let more = if more.is_empty() {
                    String::new()
                } else {
                    format!(" and {} more kinds", more.len())
                };
                format!("events without a stack are not shown: {}{more}", some.join(", "))
            });
        }
        if self.truncated > 0 {
            warnings.add_many("truncated", self.truncated, || {
                "stacks are deeper than was recorded, they lack their outermost frames".to_owned()
            });
        }
        if self.without_stack > 0 {
            warnings.add_many("no stack", self.without_stack, || "events have no stack".to_owned());
        }
        builder.finish()
    }
}

/// Walks the events of a chunk.
struct Events<'b> {
    cursor: Cursor<'b>,
}

impl<'b> Events<'b> {
    /// The type of the next event, and its body; none where the events end or are damaged.
    fn next(&mut self) -> Option<(i64, Cursor<'b>)> {
        let start = self.cursor.at;
        let mut body = self.cursor;
        if body.bytes[start..].starts_with(MAGIC) {
            return None;
        }
        let size = body.count().filter(|&size| size > 0)?;
        let kind = body.long()?;
        let end =
            start.checked_add(size).filter(|&end| end <= body.bytes.len() && end >= body.at)?;
        body.bytes = &body.bytes[..end];
        self.cursor.at = end;
        Some((kind, body))
    }
}

/// A period such as `10 ms`, in nanoseconds. async-profiler writes plain nanoseconds.
fn period(text: &str) -> Option<i64> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let number: i64 = text[..digits].parse().ok()?;
    let factor = match text[digits..].trim() {
        "" | "ns" => 1,
        "us" => 1_000,
        "ms" => 1_000_000,
        "s" => 1_000_000_000,
        "m" => 60_000_000_000,
        _ => return None,
    };
    number.checked_mul(factor)
}
