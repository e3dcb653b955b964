//! What each line means: first lines of samples, frames, source lines, comments.

use hashbrown::HashMap;
use profile::{
    ContextId, FunctionId, Label, LabelSetId, LabelValue, LocationId, ProcessId, ProfileBuilder,
    StringId, ThreadId,
};

use super::line::{Header, flat_frame, is_branch, source_line, without_branches};
use super::sniff::is_bare_frame;
use super::stack::{RawFrame, StackFrame};
use super::texts::Texts;
use crate::Warnings;
use crate::numbers::hexadecimal::address;
use crate::text::lines::Line;

#[derive(Default)]
pub(super) struct ScriptParser {
    pub(super) builder: ProfileBuilder,
    pub(super) records: Vec<Record>,
    pub(super) events: Vec<Event>,
    event_numbers: HashMap<StringId, u32>,
    threads: HashMap<(StringId, StringId), ThreadOf>,
    pub(super) known: KnownFrames,
    pub(super) sample: OpenSample,
    /// A line that may be the name of a thread, if frames follow.
    pub(super) name_only: Option<String>,
    has_period: Option<bool>,
    /// Samples without a stack whose first line does not say enough.
    pub(super) bare: usize,
    /// Samples with fields of a tracepoint.
    traced: usize,
}

/// Frames by the text of their line.
#[derive(Default)]
pub(super) struct KnownFrames {
    pub(super) raw: Vec<RawFrame>,
    pub(super) texts: Texts,
    pub(super) path: Vec<LocationId>,
    pub(super) frames: Vec<(Option<FunctionId>, u32, u32)>,
}

/// The sample that is read.
#[derive(Default)]
pub(super) struct OpenSample {
    /// What its first line says.
    pub(super) record: Option<Record>,
    /// Whether that is enough to be one.
    pub(super) is_frame: bool,
    /// Its frames, leaf first.
    pub(super) stack: Vec<StackFrame>,
    pub(super) labels: Vec<Label>,
}

/// A sample. Its event's values find their place when all events are known.
pub(super) struct Record {
    pub(super) context: ContextId,
    pub(super) labels: LabelSetId,
    pub(super) thread: Option<ThreadId>,
    pub(super) cpu: Option<u32>,
    /// The producer's clock in nanoseconds.
    pub(super) time: Option<i64>,
    pub(super) event: Option<u32>,
    pub(super) value: i64,
    /// What a tracepoint tells; empty for others.
    pub(super) trace: StringId,
}

pub(super) struct Event {
    pub(super) name: StringId,
    pub(super) has_periods: bool,
    pub(super) samples: u64,
}

/// Bytes that the fields of a tracepoint take on the timeline.
const TRACED: usize = 256;

struct ThreadOf {
    id: ThreadId,
    comm: StringId,
}

impl ScriptParser {
    pub(super) fn heap_bytes(&self) -> usize {
        self.builder.heap_bytes()
            + self.records.len() * size_of::<Record>()
            // What becomes of them: a mark, a run, and a span.
            + self.traced * TRACED
            + self.known.raw.len() * size_of::<RawFrame>()
            + self.known.texts.heap_bytes()
            + self.sample.stack.len() * size_of::<StackFrame>()
    }

    pub(super) fn line(&mut self, line: Line<'_>, warnings: &mut Warnings) {
        let text = line.text;
        match text.as_bytes().first() {
            // Some texts have an empty line between the first line of a sample and its stack.
            None if self.sample.record.is_some() && self.sample.stack.is_empty() => {}
            None => self.end_sample(),
            Some(b'\t') => self.frame(line, warnings),
            Some(b'#') if self.sample.record.is_none() || self.sample.stack.is_empty() => {
                self.comment(text)
            }
            Some(b' ') => self.indented(line, warnings),
            Some(_) if self.sample.record.is_some() && is_simpleperf(text) => {
                self.frame(line, warnings)
            }
            Some(_) if self.sample.record.is_some() && is_bare_frame(text) => {
                self.frame(line, warnings)
            }
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
        if header.is_some() && !self.sample.stack.last().is_some_and(|_| is_source(text)) {
            return self.header(line, warnings);
        }
        if let Some(top) = self.sample.stack.last_mut()
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
        let in_sample = self.sample.record.is_some() || self.name_only.is_some();
        if in_sample && address(first).is_some() && !first.starts_with("0x") {
            return self.frame(line, warnings);
        }
        if in_sample {
            return self.other_columns(text, warnings);
        }
        self.header(line, warnings);
    }

    fn other_columns(&mut self, text: &str, warnings: &mut Warnings) {
        let what =
            if text.split_ascii_whitespace().any(is_branch) { "branches" } else { "other columns" };
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
        self.sample.is_frame = header.is_sure();
        let record = self.start(&header, warnings);
        self.sample.record = Some(record);
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
            self.sample.stack.push(StackFrame { raw, inlined: frame.inlined, source: None });
        } else {
            let trace = self.trace("trace", rest);
            if let Some(record) = &mut self.sample.record {
                record.trace = trace;
                self.traced += 1;
            }
        }
    }

    /// Gives the open sample a label.
    fn trace(&mut self, key: &str, text: &str) -> StringId {
        let key = self.builder.strings.intern(key);
        let text = self.builder.strings.intern(text);
        self.sample.labels.push(Label { key, value: LabelValue::Text(text) });
        text
    }

    pub(super) fn skip_name(&mut self, warnings: &mut Warnings) {
        if let Some(name) = self.name_only.take() {
            warnings.add("line", || {
                let start: String = name.chars().take(40).collect();
                format!("a line is skipped, it is not a sample: {start}")
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

    pub(super) fn start(&mut self, header: &Header<'_>, warnings: &mut Warnings) -> Record {
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
        let value = i64::try_from(header.period.unwrap_or(1)).unwrap_or_else(|_| {
            warnings.add("large period", || {
                format!("a period of more than 63 bits counts as {}", i64::MAX)
            });
            i64::MAX
        });
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
            value,
            trace: StringId::EMPTY,
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

/// Whether a line is a frame as simpleperf's `report_sample.py` prints it: an address, a tab, a
/// name. Addresses of the kernel fill their column, so that nothing stands before them.
fn is_simpleperf(line: &str) -> bool {
    line.split_once('\t').is_some_and(|(word, _)| address(word.trim_start()).is_some())
}

/// Whether a line below a frame tells its place in the source.
pub(super) fn is_source(text: &str) -> bool {
    let text = text.trim();
    let place = text.strip_suffix("(inlined)").unwrap_or(text).trim_end();
    let place = place.split_once(" (discriminator").map_or(place, |(place, _)| place);
    let is_line = |line: &str| line == "?" || line.bytes().all(|b| b.is_ascii_digit());
    place
        .rsplit_once(':')
        .is_some_and(|(file, line)| !line.is_empty() && is_line(line) && !file.is_empty())
        || (place.ends_with(']') && place.contains('['))
}
