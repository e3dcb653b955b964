//! What Android's `simpleperf report-sample --protobuf` writes: `SIMPLEPERF`, a version, then
//! records, each with its length before it, up to a length of 0. Files and threads are named after
//! the samples. See `cmd_report_sample.proto` of simpleperf.

use hashbrown::HashMap;
use profile::{
    ContextId, Label, LabelSetId, LabelValue, Location, LocationId, Metric, Point, Points, Profile,
    ProfileBuilder, ThreadId,
};

use crate::input::stream::Stream;
use crate::time::thread_tracks::ThreadTracks;
use crate::wire::{Fields, Payload, WireError};
use crate::{About, Format, Place, ReadError, ReadOptions, Reader, Sniff, Warnings};

pub(crate) const FORMAT: Format = Format {
    name: "simpleperf",
    title: "simpleperf report-sample (protobuf)",
    extensions: &["simpleperf"],
    about: About {
        carries: "every event with its counts, samples, stacks with modules, addresses and linker \
                  names, threads, processes, times, how code was executed",
        skips: "switches of threads, lost samples (both counted)",
        ..About::NONE
    },
    reader: Some(Reader { sniff, read }),
    folder: None,
    writer: None,
};

const MAGIC: &[u8] = b"SIMPLEPERF";
const HEAD: usize = MAGIC.len() + 2;

fn sniff(head: &[u8], _: &str) -> Sniff {
    if head.starts_with(MAGIC) { Sniff::Yes } else { Sniff::No }
}

fn read(
    mut stream: Stream,
    options: &ReadOptions,
    warnings: &mut Warnings,
) -> Result<Profile, ReadError> {
    let version = stream.peek(HEAD)?.get(MAGIC.len()..HEAD).map(|bytes| bytes[0]);
    if version != Some(1) {
        return Err(ReadError::Unsupported {
            found: format!("version {} of simpleperf's samples", version.unwrap_or(0)),
            instead: "version 1 is",
        });
    }
    stream.consume(HEAD);
    let mut reading = SimpleperfParser::default();
    let mut count = 0u64;
    loop {
        let place = stream.place();
        let Some(&size) = stream.peek(4)?.first_chunk::<4>() else {
            warnings.add("end", || format!("the file has no mark of its end at {place}"));
            break;
        };
        let size = u32::from_le_bytes(size) as usize;
        if size == 0 {
            break;
        }
        stream.consume(4);
        // Asked for in steps, so that a length that lies costs nothing.
        options.check_memory(size)?;
        let Some(record) = stream.peek(size)?.get(..size) else {
            warnings.add("cut", || format!("the file is cut short in the record at {place}"));
            break;
        };
        if let Err(error) = reading.record(record) {
            let offset = place.0 + 4 + error.offset as u64;
            return Err(ReadError::Malformed {
                format: FORMAT.name,
                place: Place(offset),
                reason: error.reason.to_owned(),
            });
        }
        stream.consume(size);
        count += 1;
        if count.is_multiple_of(1024) {
            options.check_memory(reading.heap_bytes())?;
        }
    }
    reading.finish(warnings)
}

/// A frame until its file is named.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
struct Frame {
    address: u64,
    file: u64,
    /// Negative if unknown.
    symbol: i32,
    execution: u8,
}

/// How code was executed, as frames number it.
const EXECUTIONS: [&str; 4] = ["native", "interpreted", "JIT compiled", "compiled ahead"];

struct Record {
    time: i64,
    thread: u64,
    context: ContextId,
    execution: u8,
    event: u64,
    count: i64,
}

#[derive(Default)]
struct File {
    path: String,
    symbols: Vec<String>,
    mangled: Vec<String>,
}

#[derive(Default)]
struct SimpleperfParser {
    builder: ProfileBuilder,
    frames: Vec<Frame>,
    numbers: HashMap<Frame, u32>,
    records: Vec<Record>,
    files: HashMap<u64, File>,
    /// Process and name by thread.
    threads: HashMap<u64, (u64, String)>,
    events: Vec<String>,
    switches: u64,
    lost: u64,
    path: Vec<LocationId>,
    bytes: usize,
}

impl SimpleperfParser {
    fn heap_bytes(&self) -> usize {
        self.builder.heap_bytes()
            + self.frames.len() * 2 * size_of::<Frame>()
            + self.records.len() * size_of::<Record>()
            + self.bytes
    }

    fn record(&mut self, bytes: &[u8]) -> Result<(), WireError> {
        let mut fields = Fields::new(bytes);
        while let Some((field, payload)) = fields.next()? {
            let Payload::Bytes(bytes) = payload else { continue };
            match field {
                1 => self.sample(bytes)?,
                2 => self.lost(bytes)?,
                3 => self.file(bytes)?,
                4 => self.thread(bytes)?,
                5 => self.meta(bytes)?,
                6 => self.switches += 1,
                _ => {}
            }
        }
        Ok(())
    }

    fn sample(&mut self, bytes: &[u8]) -> Result<(), WireError> {
        let mut record = Record {
            time: 0,
            thread: 0,
            context: ContextId::ROOT,
            execution: 0,
            event: 0,
            count: 0,
        };
        self.path.clear();
        let mut fields = Fields::new(bytes);
        while let Some((field, payload)) = fields.next()? {
            match (field, payload) {
                (1, Payload::Varint(time)) => record.time = i64::try_from(time).unwrap_or(i64::MAX),
                (2, Payload::Varint(thread)) => record.thread = thread & u64::from(u32::MAX),
                (3, Payload::Bytes(entry)) => {
                    let frame = Frame::parse(entry)?;
                    if self.path.is_empty() {
                        record.execution = frame.execution;
                    }
                    let next = self.frames.len() as u32;
                    let number = *self.numbers.entry(frame).or_insert_with(|| {
                        self.frames.push(frame);
                        next
                    });
                    self.path.push(LocationId(number));
                }
                (4, Payload::Varint(count)) => {
                    record.count = i64::try_from(count).unwrap_or(i64::MAX);
                }
                (5, Payload::Varint(event)) => record.event = event,
                _ => {}
            }
        }
        record.context = self.builder.stack(self.path.iter().rev().copied());
        self.records.push(record);
        Ok(())
    }

    fn lost(&mut self, bytes: &[u8]) -> Result<(), WireError> {
        let mut fields = Fields::new(bytes);
        while let Some((field, payload)) = fields.next()? {
            if let (2, Payload::Varint(lost)) = (field, payload) {
                self.lost = self.lost.max(lost);
            }
        }
        Ok(())
    }

    fn file(&mut self, bytes: &[u8]) -> Result<(), WireError> {
        let (mut id, mut file) = (0, File::default());
        let mut fields = Fields::new(bytes);
        while let Some((field, payload)) = fields.next()? {
            match (field, payload) {
                (1, Payload::Varint(number)) => id = number,
                (2, Payload::Bytes(path)) => file.path = text(path),
                (3, Payload::Bytes(symbol)) => file.symbols.push(text(symbol)),
                (4, Payload::Bytes(symbol)) => file.mangled.push(text(symbol)),
                _ => {}
            }
        }
        self.bytes += bytes.len() + (file.symbols.len() + file.mangled.len()) * size_of::<String>();
        self.files.insert(id, file);
        Ok(())
    }

    fn thread(&mut self, bytes: &[u8]) -> Result<(), WireError> {
        let (mut thread, mut process, mut name) = (0, 0, String::new());
        let mut fields = Fields::new(bytes);
        while let Some((field, payload)) = fields.next()? {
            match (field, payload) {
                (1, Payload::Varint(id)) => thread = id,
                (2, Payload::Varint(id)) => process = id,
                (3, Payload::Bytes(bytes)) => name = text(bytes),
                _ => {}
            }
        }
        self.bytes += bytes.len() + 64;
        self.threads.insert(thread, (process, name));
        Ok(())
    }

    fn meta(&mut self, bytes: &[u8]) -> Result<(), WireError> {
        let mut fields = Fields::new(bytes);
        while let Some((field, payload)) = fields.next()? {
            let comments = &mut self.builder.origin.comments;
            match (field, payload) {
                (1, Payload::Bytes(event)) => self.events.push(text(event)),
                (2, Payload::Bytes(name)) => comments.push(format!("app: {}", text(name))),
                (3, Payload::Bytes(kind)) => comments.push(format!("app type: {}", text(kind))),
                (4, Payload::Bytes(sdk)) => comments.push(format!("Android SDK: {}", text(sdk))),
                (5, Payload::Bytes(kind)) => comments.push(format!("build type: {}", text(kind))),
                (6, Payload::Varint(1)) => comments.push("with time off the processor".to_owned()),
                _ => {}
            }
        }
        self.bytes += bytes.len();
        Ok(())
    }

    /// Makes the locations that stacks name already.
    fn push_locations(&self, builder: &mut ProfileBuilder) {
        let mut functions = HashMap::new();
        for (number, frame) in self.frames.iter().enumerate() {
            let file = self.files.get(&frame.file);
            let module = file.and_then(|file| builder.module(&file.path));
            let symbol = usize::try_from(frame.symbol).ok();
            let symbol = symbol.and_then(|symbol| Some((symbol, file?.symbols.get(symbol)?)));
            let function = symbol.map(|(index, name)| {
                *functions.entry((frame.file, index)).or_insert_with(|| {
                    let mangled = file.and_then(|file| file.mangled.get(index));
                    let mangled = mangled.filter(|mangled| *mangled != name);
                    let name = builder.strings.intern(name);
                    let mangled = builder.strings.intern(mangled.map_or("", String::as_str));
                    builder.functions.push(name, mangled, profile::StringId::EMPTY, 0)
                })
            });
            let location = Location { module, address: frame.address, ..Location::default() };
            let frames: Vec<_> =
                function.map(|function| (Some(function), 0, 0)).into_iter().collect();
            let id = builder.push_location(location, &frames);
            debug_assert_eq!(id.index(), number);
        }
    }

    fn thread_of(&self, number: u64, builder: &mut ProfileBuilder) -> ThreadId {
        let known = self.threads.get(&number);
        let process = known.map(|(process, _)| builder.process(&process.to_string()));
        let id = builder.thread(process, &number.to_string());
        let name = builder.strings.intern(known.map_or("", |(_, name)| name.as_str()));
        builder.threads[id.index()].name = name;
        if let (Some(process), Some((own, _))) = (process, known)
            && *own == number
        {
            builder.processes[process.index()].name = name;
        }
        id
    }

    fn finish(mut self, warnings: &mut Warnings) -> Result<Profile, ReadError> {
        let mut builder = std::mem::take(&mut self.builder);
        self.push_locations(&mut builder);
        if self.events.is_empty() {
            self.events.push("event".to_owned());
        }
        builder.metrics = self.events.iter().map(|event| metric_of(event)).collect();
        builder.metrics.push(Metric::new("samples", "count"));
        builder.points = Points::new(builder.metrics.len());
        let first = self.records.iter().map(|record| record.time).min().unwrap_or(0);
        let last = self.records.iter().map(|record| record.time).max().unwrap_or(0);
        builder.origin.clock_ns = first;
        builder.origin.duration_ns = last.saturating_sub(first);
        let mut threads = HashMap::<u64, ThreadId>::new();
        let mut values = vec![0; builder.metrics.len()];
        let samples = values.len() - 1;
        for record in std::mem::take(&mut self.records) {
            let thread = *threads
                .entry(record.thread)
                .or_insert_with(|| self.thread_of(record.thread, &mut builder));
            values.fill(0);
            values[samples] = 1;
            match usize::try_from(record.event).ok().filter(|&event| event < samples) {
                Some(event) => values[event] = record.count,
                None => warnings.add("event", || "samples of an unnamed event".to_owned()),
            }
            let labels = match EXECUTIONS.get(usize::from(record.execution)) {
                Some(&execution) if record.execution > 0 => {
                    let key = builder.strings.intern("code");
                    let value = LabelValue::Text(builder.strings.intern(execution));
                    builder.labels.add(&[Label { key, value }])
                }
                _ => LabelSetId(0),
            };
            let time = Some(record.time.saturating_sub(first));
            let thread = Some(thread);
            let point = Point { context: record.context, labels, time, thread, ..Point::default() };
            builder.points.push_point(point, &values);
        }
        ThreadTracks::make(&mut builder);
        if self.switches > 0 {
            warnings.add_many("switches", self.switches, || {
                "switches of threads are not shown".to_owned()
            });
        }
        if self.lost > 0 {
            warnings.add_many("lost", self.lost, || "samples were lost while recording".to_owned());
        }
        if builder.points.is_empty() {
            warnings.add(crate::warnings::NO_SAMPLES, || "the file holds no samples".to_owned());
        }
        FORMAT.name.clone_into(&mut builder.origin.format);
        "simpleperf".clone_into(&mut builder.origin.producer);
        Ok(builder.finish())
    }
}

fn metric_of(event: &str) -> Metric {
    let is_clock = ["cpu-clock", "task-clock"].contains(&event.split(':').next().unwrap_or(event));
    Metric::new(event, if is_clock { "nanoseconds" } else { "count" })
}

impl Frame {
    fn parse(bytes: &[u8]) -> Result<Frame, WireError> {
        let mut frame = Frame { symbol: -1, ..Frame::default() };
        // The first symbol is the default, which is not written.
        let mut symbol = Some(0);
        let mut fields = Fields::new(bytes);
        while let Some((field, payload)) = fields.next()? {
            match (field, payload) {
                (1, Payload::Varint(address)) => frame.address = address,
                (2, Payload::Varint(file)) => frame.file = file,
                (3, Payload::Varint(number)) => symbol = i32::try_from(number as i64).ok(),
                (4, Payload::Varint(kind)) => frame.execution = u8::try_from(kind).unwrap_or(0),
                _ => {}
            }
        }
        frame.symbol = symbol.unwrap_or(-1);
        Ok(frame)
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
