//! The text of Linux' `perf script`, whatever fields were chosen.
//!
//! ```text
//! comm  pid/tid [cpu] seconds:  period event: fields of a tracepoint
//! <tab> address symbol+0xoffset (module)           leaf first
//!   file:line                                      with srcline
//! <empty line>
//! ```
//! Without call stacks the one frame stands on the first line. Frames marked `(inlined)` share
//! their address with the frame below them. The fields are printed by `tools/perf/builtin-script.c`
//! of the kernel.

mod line;

use std::hash::BuildHasher;

use hashbrown::{DefaultHashBuilder, HashMap, HashTable};
use profile::{
    ContextId, FunctionId, Label, LabelSetId, LabelValue, Location, LocationId, LocationKind,
    Metric, ModuleId, Place, Point, Points, ProcessId, Profile, ProfileBuilder, StringId, ThreadId,
};

use crate::encoding;
use crate::lines::{Line, Lines};
use crate::stream::Stream;
use crate::{About, Format, ReadError, ReadOptions, Reader, Sniff, Warnings};
use line::{Frame, Header, flat_frame, hexadecimal, is_branch, source_line, without_branches};

pub(crate) const FORMAT: Format = Format {
    name: "perf-script",
    title: "text of Linux' perf script",
    extensions: &["perf-script", "perf"],
    about: About {
        carries: "every event with its periods, samples, stacks with inlined frames, addresses, \
                  modules, source lines, threads, processors, times, fields of tracepoints, the \
                  header",
        estimates: "",
        skips: "branch stacks, registers and records other than samples (counted); offsets in \
                functions",
        checked_against: "perf report",
    },
    reader: Some(Reader { sniff, read }),
    folder: None,
    writer: None,
};

fn sniff(head: &[u8], _: &str) -> Sniff {
    const ENOUGH: usize = 400;
    let text = encoding::head_text(head);
    let mut after_header = false;
    let mut bare = 0;
    for line in text.lines().take(ENOUGH) {
        if line.starts_with("# captured on") {
            return Sniff::Yes;
        }
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        // The title of gperftools' texts, whose frames look alike.
        if line.starts_with("--- ") {
            return Sniff::No;
        }
        if line.starts_with('\t') {
            match Frame::parse(line).filter(|frame| is_told(line, frame)) {
                Some(_) if after_header => return Sniff::Yes,
                Some(_) if bare < 3 => bare += 1,
                Some(_) => return Sniff::Yes,
                None => return Sniff::No,
            }
            continue;
        }
        if after_header && is_aligned(line) && Frame::parse(line).is_some() {
            return Sniff::Yes;
        }
        let Some(header) = Header::parse(line, None) else {
            if after_header || bare > 0 {
                return Sniff::No;
            }
            // A name alone, perhaps.
            after_header = false;
            continue;
        };
        let is_traced = header.cpu.is_some() && header.time.is_some() && header.event.contains(':');
        let is_whole = is_traced
            || flat_frame(header.rest).is_some()
            || header.event.starts_with("PERF_RECORD_");
        if header.is_sure() && is_whole {
            return Sniff::Yes;
        }
        after_header = header.tid.is_some() || header.time.is_some() || !header.event.is_empty();
    }
    if bare > 0 { Sniff::Maybe } else { Sniff::No }
}

/// Whether an address ends where perf lets addresses end; the number behind an empty collapsed
/// stack stands nearer.
fn is_aligned(line: &str) -> bool {
    const WIDTH: usize = 16;
    let address = line.trim_start();
    let indent = line.len() - address.len();
    line.starts_with(' ') && indent + address.find([' ', '\t']).unwrap_or(address.len()) >= WIDTH
}

/// Whether a line is a frame as simpleperf's `report_sample.py` prints it: an address, a tab, a
/// name. Addresses of the kernel fill their column, so that nothing stands before them.
fn is_simpleperf(line: &str) -> bool {
    line.split_once('\t').is_some_and(|(address, _)| hexadecimal(address.trim_start()).is_some())
}

/// Whether a frame's line cannot be a mere number.
fn is_told(line: &str, frame: &Frame<'_>) -> bool {
    !frame.symbol.is_empty() || line.contains("[unknown]") || !frame.module.is_empty()
}

fn read(
    stream: Stream,
    options: &ReadOptions,
    warnings: &mut Warnings,
) -> Result<Profile, ReadError> {
    let mut lines = Lines::new(stream, FORMAT.name)?;
    let mut reading = Reading::default();
    while let Some(line) = lines.next_line()? {
        if line.repaired {
            warnings.add("utf8", || {
                format!("line {} is not UTF-8: bad bytes show as \u{fffd}", line.number)
            });
        }
        reading.line(line, warnings);
        if line.number.is_multiple_of(4096) {
            options.check_memory(reading.heap_bytes())?;
        }
    }
    reading.end_sample();
    reading.skip_name(warnings);
    lines.check_skipped(warnings, &["line", "frame"])?;
    let is_told = reading.bare == 0 || reading.bare * 2 <= reading.records.len();
    let missing = "event, time, process or stack in most of what could be its samples";
    ReadError::unless(is_told, FORMAT.name, missing)?;
    let bytes = reading.records.len().saturating_mul(8 * (reading.events.len() + 1));
    options.check_memory(reading.heap_bytes().saturating_add(bytes))?;
    Ok(reading.finish(warnings))
}

/// A sample. Its event's values find their place when all events are known.
struct Record {
    context: ContextId,
    labels: LabelSetId,
    thread: Option<ThreadId>,
    cpu: Option<u32>,
    /// The producer's clock in nanoseconds.
    time: Option<i64>,
    event: Option<u32>,
    value: i64,
}

/// What a frame's line says, interned.
#[derive(Clone, Copy)]
struct RawFrame {
    address: u64,
    function: Option<(StringId, u32)>,
    module: Option<ModuleId>,
    inlined: bool,
    /// The location, where the frame stands alone and without a source line.
    location: Option<LocationId>,
}

/// A frame of the sample that is read, with the line below it.
#[derive(Clone, Copy)]
struct StackFrame {
    raw: u32,
    inlined: bool,
    source: Option<(StringId, u32)>,
}

struct Event {
    name: StringId,
    has_periods: bool,
    samples: u64,
}

struct ThreadOf {
    id: ThreadId,
    comm: StringId,
}

#[derive(Default)]
struct Reading {
    builder: ProfileBuilder,
    records: Vec<Record>,
    events: Vec<Event>,
    event_numbers: HashMap<StringId, u32>,
    threads: HashMap<(StringId, StringId), ThreadOf>,
    /// Frames by the text of their line.
    raw: Vec<RawFrame>,
    raw_texts: Texts,
    /// The sample that is read: what its first line says, and its frames, leaf first.
    open: Option<Record>,
    stack: Vec<StackFrame>,
    path: Vec<LocationId>,
    frames: Vec<(Option<FunctionId>, u32, u32)>,
    /// A line that may be the name of a thread, if frames follow.
    name_only: Option<String>,
    has_period: Option<bool>,
    labels: Vec<Label>,
    /// Whether the first line of the sample that is read says enough to be one.
    is_told: bool,
    /// Samples of which that does not hold and that have no stack either.
    bare: usize,
}

/// Texts in one buffer with their numbers.
#[derive(Default)]
struct Texts {
    bytes: String,
    ends: Vec<usize>,
    table: HashTable<u32>,
    hasher: DefaultHashBuilder,
}

impl Texts {
    fn get(&self, id: u32) -> &str {
        let index = id as usize;
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.bytes[start..self.ends[index]]
    }

    #[inline]
    fn find(&self, text: &str) -> Option<u32> {
        let hash = self.hasher.hash_one(text);
        self.table.find(hash, |&id| self.get(id) == text).copied()
    }

    fn push(&mut self, text: &str) {
        let id = self.ends.len() as u32;
        self.bytes.push_str(text);
        self.ends.push(self.bytes.len());
        let hash = self.hasher.hash_one(text);
        let Texts { bytes, ends, table, hasher } = self;
        table.insert_unique(hash, id, |&id| {
            let start = if id == 0 { 0 } else { ends[id as usize - 1] };
            hasher.hash_one(&bytes[start..ends[id as usize]])
        });
    }

    fn heap_bytes(&self) -> usize {
        self.bytes.capacity() + self.ends.len() * 8 + self.table.capacity() * 4
    }
}

impl Reading {
    fn heap_bytes(&self) -> usize {
        self.builder.heap_bytes()
            + self.records.len() * size_of::<Record>()
            + self.raw.len() * size_of::<RawFrame>()
            + self.raw_texts.heap_bytes()
            + self.stack.len() * size_of::<StackFrame>()
    }

    fn line(&mut self, line: Line<'_>, warnings: &mut Warnings) {
        let text = line.text;
        match text.as_bytes().first() {
            None => self.end_sample(),
            Some(b'\t') => self.frame(line, warnings),
            Some(b'#') if self.open.is_none() => self.comment(text),
            Some(b' ') => self.indented(line, warnings),
            Some(_) if self.open.is_some() && is_simpleperf(text) => self.frame(line, warnings),
            Some(_) => self.header(line, warnings),
        }
    }

    /// A line that starts with a space: a source line, a frame whose tab was lost, a first line
    /// with the name aligned to the right, or other columns.
    fn indented(&mut self, line: Line<'_>, warnings: &mut Warnings) {
        let text = line.text;
        if text.trim().is_empty() {
            return self.end_sample();
        }
        let header = Header::parse(text, self.has_period).filter(Header::is_sure);
        if header.is_some() && !self.stack.last().is_some_and(|_| is_source(text)) {
            return self.header(line, warnings);
        }
        if let Some(top) = self.stack.last_mut()
            && text.starts_with("  ")
            && is_source(text)
        {
            let (file, number, inlined) = source_line(text);
            let file = self.builder.strings.intern(file);
            top.source = Some((file, number));
            top.inlined |= inlined;
            return;
        }
        let first = text.split_ascii_whitespace().next().unwrap_or_default();
        let in_sample = self.open.is_some() || self.name_only.is_some();
        if in_sample && hexadecimal(first).is_some() && !first.starts_with("0x") {
            return self.frame(line, warnings);
        }
        if in_sample {
            return self.other_columns(text, warnings);
        }
        self.header(line, warnings);
    }

    fn other_columns(&mut self, text: &str, warnings: &mut Warnings) {
        let what = match text.split_ascii_whitespace().any(is_branch) {
            true => "branches",
            false => "other columns",
        };
        warnings.add(what, || {
            let start: String = text.trim().chars().take(40).collect();
            format!("{what} of samples are not shown: {start}")
        });
    }

    fn comment(&mut self, text: &str) {
        let Some((key, value)) = text.trim_start_matches('#').split_once(':') else { return };
        let (key, value) = (key.trim(), value.trim());
        let origin = &mut self.builder.origin;
        match key {
            "perf version" => origin.producer = format!("perf {value}"),
            "captured on" | "hostname" | "os release" | "arch" | "nrcpus online" | "cpudesc"
            | "total memory" | "cmdline" => origin.comments.push(format!("{key}: {value}")),
            _ => {}
        }
    }

    fn header(&mut self, line: Line<'_>, warnings: &mut Warnings) {
        self.end_sample();
        let header = match Header::parse(line.text, self.has_period) {
            Some(header) => header,
            None => {
                self.skip_name(warnings);
                self.name_only = Some(line.text.trim().to_owned());
                return;
            }
        };
        self.skip_name(warnings);
        if header.event.starts_with("PERF_RECORD_") {
            return self.other_record(&header, warnings);
        }
        if self.has_period.is_none() && !header.event.is_empty() && header.time.is_some() {
            self.has_period = Some(header.period.is_some());
        }
        self.is_told = header.is_sure();
        let record = self.start(&header, warnings);
        self.open = Some(record);
        let rest = header.rest.trim();
        if rest.is_empty() {
            return;
        }
        if let Some((before, frame)) = flat_frame(header.rest) {
            if !before.is_empty() {
                self.trace("address", before);
            }
            let shown = without_branches(header.rest);
            if shown.len() < header.rest.trim_end().len() {
                self.other_columns(header.rest[shown.len()..].trim(), warnings);
            }
            let start = shown.len() - shown.trim_start().len() + before.len();
            let raw = self.raw_frame(shown[start..].trim(), frame);
            self.stack.push(StackFrame { raw, inlined: frame.inlined, source: None });
        } else {
            self.trace("trace", rest);
        }
    }

    /// Gives the open sample a label.
    fn trace(&mut self, key: &str, text: &str) {
        let key = self.builder.strings.intern(key);
        let value = LabelValue::Text(self.builder.strings.intern(text));
        self.labels.push(Label { key, value });
    }

    fn skip_name(&mut self, warnings: &mut Warnings) {
        if let Some(name) = self.name_only.take() {
            warnings.add("line", || {
                let start: String = name.chars().take(40).collect();
                format!("a line is skipped, it is no sample: {start}")
            });
        }
    }

    fn other_record(&mut self, header: &Header<'_>, warnings: &mut Warnings) {
        let kind = header.event.split([' ', ':', '(']).next().unwrap_or_default();
        if kind.starts_with("PERF_RECORD_LOST") {
            let mut numbers = header.event.split([' ', ':']).filter_map(|word| word.parse().ok());
            let lost: u64 = numbers.next_back().unwrap_or(1);
            warnings.add_many("lost", lost, || "events were lost while recording".to_owned());
            return;
        }
        warnings.add("records", || {
            format!("records other than samples, such as {kind}, are not shown")
        });
    }

    fn start(&mut self, header: &Header<'_>, warnings: &mut Warnings) -> Record {
        let event = (!header.event.is_empty()).then(|| {
            let name = self.builder.strings.intern(header.event);
            *self.event_numbers.entry(name).or_insert_with(|| {
                self.events.push(Event { name, has_periods: false, samples: 0 });
                self.events.len() as u32 - 1
            })
        });
        if let Some(event) = event {
            let event = &mut self.events[event as usize];
            event.samples += 1;
            event.has_periods |= header.period.is_some();
        } else if header.period.is_some() {
            warnings.add("period", || {
                "periods are not shown where the event is not printed".to_owned()
            });
        }
        let thread = header.tid.map(|tid| self.thread(header.pid, tid, header.comm, warnings));
        let thread = thread.or_else(|| {
            (!header.comm.is_empty()).then(|| self.thread(None, header.comm, header.comm, warnings))
        });
        Record {
            context: ContextId::ROOT,
            labels: LabelSetId(0),
            thread,
            cpu: header.cpu,
            time: header.time,
            event,
            value: header.period.unwrap_or(1),
        }
    }

    fn thread(
        &mut self,
        pid: Option<&str>,
        tid: &str,
        comm: &str,
        warnings: &mut Warnings,
    ) -> ThreadId {
        let builder = &mut self.builder;
        let key = (builder.strings.intern(pid.unwrap_or_default()), builder.strings.intern(tid));
        let comm = builder.strings.intern(comm);
        if let Some(known) = self.threads.get_mut(&key) {
            if known.comm != comm {
                let old = builder.strings.get(known.comm);
                let new = builder.strings.get(comm);
                warnings.add("renamed", || {
                    format!("thread {tid} is called {old} and then {new}, which is the name shown")
                });
                known.comm = comm;
                name_thread(builder, known.id, comm, pid == Some(tid));
            }
            return known.id;
        }
        let process = pid.map(|pid| builder.process(pid));
        let id = builder.thread(process, tid);
        name_thread(builder, id, comm, pid == Some(tid));
        self.threads.insert(key, ThreadOf { id, comm });
        id
    }

    fn frame(&mut self, line: Line<'_>, warnings: &mut Warnings) {
        if let Some(name) = self.name_only.take() {
            let header = Header { comm: &name, ..Header::default() };
            self.open = Some(self.start(&header, warnings));
        } else if self.open.is_none() {
            // Only stacks were printed.
            self.open = Some(self.start(&Header::default(), warnings));
        }
        let text = line.text.trim();
        let raw = match self.raw_texts.find(text) {
            Some(raw) => raw,
            None => match Frame::parse(text) {
                Some(frame) => self.raw_frame(text, frame),
                None => {
                    if self.stack.last().is_some() && is_source(line.text) {
                        return;
                    }
                    warnings.add("frame", || {
                        let start: String = text.chars().take(40).collect();
                        format!("line {} is skipped, it is no frame: {start}", line.number)
                    });
                    return;
                }
            },
        };
        self.stack.push(StackFrame { raw, inlined: self.raw[raw as usize].inlined, source: None });
    }

    fn raw_frame(&mut self, text: &str, frame: Frame<'_>) -> u32 {
        if let Some(known) = self.raw_texts.find(text) {
            return known;
        }
        let module = self.builder.module(frame.module);
        let function = (!frame.symbol.is_empty()).then(|| {
            let function = self.builder.function(frame.symbol, "", 0);
            (self.builder.functions.name[function.index()], function.0)
        });
        let Frame { address, inlined, .. } = frame;
        self.raw.push(RawFrame { address, function, module, inlined, location: None });
        self.raw_texts.push(text);
        self.raw.len() as u32 - 1
    }

    /// Puts the open sample on record.
    fn end_sample(&mut self) {
        let Some(mut record) = self.open.take() else { return };
        let stack = std::mem::take(&mut self.stack);
        self.path.clear();
        let mut start = 0;
        while start < stack.len() {
            let address = self.raw[stack[start].raw as usize].address;
            let mut end = start + 1;
            // Inlined frames come before the one that holds them.
            while stack[end - 1].inlined
                && end < stack.len()
                && self.raw[stack[end].raw as usize].address == address
            {
                end += 1;
            }
            let location = self.location(&stack[start..end]);
            self.path.push(location);
            start = end;
        }
        if self.path.is_empty() {
            self.bare += usize::from(!self.is_told);
            let place =
                Place { kind: LocationKind::Region, function: "(no stack)", ..Place::default() };
            self.path.push(self.builder.place(&place));
        }
        record.context = self.builder.stack(self.path.iter().rev().copied());
        record.labels = self.builder.labels.add(&self.labels);
        self.labels.clear();
        self.records.push(record);
        self.stack = stack;
        self.stack.clear();
    }

    /// The location of frames at one address, innermost first.
    fn location(&mut self, frames: &[StackFrame]) -> LocationId {
        let outer = frames[frames.len() - 1];
        let raw = self.raw[outer.raw as usize];
        let is_plain = frames.len() == 1 && outer.source.is_none();
        if is_plain && let Some(known) = raw.location {
            return known;
        }
        self.frames.clear();
        for frame in frames.iter().rev() {
            let function = self.raw[frame.raw as usize].function;
            let (file, line) = frame.source.unwrap_or_default();
            let function = match function {
                Some((name, _)) if file != StringId::EMPTY => {
                    let builder = &mut self.builder;
                    let name = builder.strings.get(name).to_owned();
                    let file = builder.strings.get(file).to_owned();
                    Some(builder.function(&name, &file, 0))
                }
                Some((_, function)) => Some(FunctionId(function)),
                None if file != StringId::EMPTY => {
                    let file = self.builder.strings.get(file).to_owned();
                    Some(self.builder.function("", &file, 0))
                }
                None => None,
            };
            self.frames.push((function, line, 0));
        }
        let location = Location { module: raw.module, address: raw.address, ..Location::default() };
        let id = self.builder.location(location, &self.frames);
        if is_plain {
            self.raw[outer.raw as usize].location = Some(id);
        }
        id
    }

    fn finish(mut self, warnings: &mut Warnings) -> Profile {
        self.skip_name(warnings);
        if self.records.is_empty() {
            warnings.add("no samples", || "the file holds no samples".to_owned());
        }
        let mut builder = self.builder;
        let metrics = self
            .events
            .iter()
            .map(|event| metric_of(builder.strings.get(event.name), event.has_periods));
        let samples = Metric {
            name: "samples".to_owned(),
            unit: "count".to_owned(),
            decimals: 0,
            ..Metric::default()
        };
        builder.metrics = metrics.chain([samples]).collect();
        builder.points = Points::new(builder.metrics.len());

        let times = || self.records.iter().filter_map(|record| record.time);
        let first = times().min().unwrap_or(0);
        builder.origin.clock_ns = first;
        builder.origin.duration_ns = times().max().map_or(0, |last| last.saturating_sub(first));
        builder.origin.format = FORMAT.name.to_owned();
        if builder.origin.producer.is_empty() {
            builder.origin.producer = "perf".to_owned();
        }
        let most = self.events.iter().map(|event| event.samples).max();
        let leading = self.events.iter().position(|event| Some(event.samples) == most);
        builder.origin.default_metric = leading.unwrap_or(0);

        let mut values = vec![0; builder.metrics.len()];
        let last = values.len() - 1;
        for record in std::mem::take(&mut self.records) {
            values.fill(0);
            values[last] = 1;
            if let Some(event) = record.event {
                values[event as usize] = record.value;
            }
            let Record { context, labels, thread, cpu, time, .. } = record;
            let time = time.map(|time| time.saturating_sub(first));
            let point = Point { context, labels, time, thread, cpu, ..Point::default() };
            builder.points.push_point(point, &values);
        }
        builder.finish()
    }
}

/// Names a thread, and its process if it is the main thread or the first of its process.
fn name_thread(builder: &mut ProfileBuilder, id: ThreadId, comm: StringId, is_main: bool) {
    let thread = &mut builder.threads[id.index()];
    thread.name = comm;
    if let Some(ProcessId(process)) = thread.process {
        let process = &mut builder.processes[process as usize];
        if is_main || process.name == StringId::EMPTY {
            process.name = comm;
        }
    }
}

/// The metric of an event: clocks count nanoseconds, others what they are called by.
fn metric_of(event: &str, has_periods: bool) -> Metric {
    let base = event.split(':').next().unwrap_or_default();
    let is_clock = matches!(base, "cpu-clock" | "task-clock") && has_periods;
    let unit = if is_clock { "nanoseconds" } else { "count" };
    Metric { name: event.to_owned(), unit: unit.to_owned(), decimals: 0, ..Metric::default() }
}

/// Whether a line below a frame tells its place in the source.
fn is_source(text: &str) -> bool {
    let text = text.trim();
    let place = text.strip_suffix("(inlined)").unwrap_or(text).trim_end();
    let place = place.split_once(" (discriminator").map_or(place, |(place, _)| place);
    let is_line = |line: &str| line == "?" || line.bytes().all(|b| b.is_ascii_digit());
    place
        .rsplit_once(':')
        .is_some_and(|(file, line)| !line.is_empty() && is_line(line) && !file.is_empty())
        || (place.ends_with(']') && place.contains('['))
}
