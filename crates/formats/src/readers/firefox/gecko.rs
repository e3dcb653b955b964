//! The form that Firefox itself writes: tables of rows with a schema, places in code as texts,
//! processes inside their parent.

use hashbrown::HashMap;
use profile::{Profile, ProfileBuilder, StringId};

use super::GECKO;
use super::frames::{self, Frame};
use super::processed::{self, Lib, Meta, text};
use super::samples::{
    self, Categories, Measure, Metrics, SAMPLE_COLUMNS, SampleTable, ThreadSamples,
};
use super::table::Table;
use crate::json::{Json, Kind};
use crate::stream::Stream;
use crate::{ReadError, ReadOptions, Warnings};

/// A process: its threads and libraries.
#[derive(Default)]
struct Process {
    meta: Meta,
    libs: Vec<Lib>,
    threads: Vec<Thread>,
    /// Names of source files.
    sources: Table<1>,
}

#[derive(Default)]
struct Thread {
    strings: Vec<StringId>,
    stacks: Table<2>,
    frames: Table<4>,
    samples: SampleTable,
    js: SampleTable,
    native: SampleTable,
    markers: u64,
    name: String,
    process: String,
    process_type: String,
    pid: String,
    tid: String,
}

pub(super) fn read(
    stream: Stream,
    options: &ReadOptions,
    warnings: &mut Warnings,
) -> Result<Profile, ReadError> {
    let mut builder = ProfileBuilder::default();
    let mut texts = vec![];
    let mut json = Json::new(stream, GECKO.name)?;
    let mut all = processes(&mut json, &mut texts, &mut builder, options, warnings)?;
    let mut deeper = vec![];
    for text in &texts {
        let stream = Stream::new(Box::new(text.as_bytes()), u64::MAX);
        let mut json = Json::new(stream, GECKO.name)?;
        all.extend(processes(&mut json, &mut deeper, &mut builder, options, warnings)?);
    }
    ReadError::unless(!all.is_empty(), GECKO.name, "process with \"threads\"")?;
    let count = deeper.len() as u64;
    if count > 0 {
        warnings
            .add_many("texts", count, || "processes inside such of texts are not shown".to_owned());
    }
    Ok(finish(all, builder, warnings))
}

/// The process at the cursor with those inside it, and those that are only there as texts, as the
/// oldest files have them.
fn processes(
    json: &mut Json,
    texts: &mut Vec<String>,
    builder: &mut ProfileBuilder,
    options: &ReadOptions,
    warnings: &mut Warnings,
) -> Result<Vec<Process>, ReadError> {
    let mut done: Vec<Process> = vec![];
    // Processes that are open, each inside the one before, with whether it is an element of a list.
    let mut open: Vec<(Process, bool)> = vec![];
    json.object()?;
    open.push((Process::default(), false));
    let mut held = 0;
    while let Some((process, _)) = open.last_mut() {
        let inner = match json.next_key()? {
            Some("meta") => {
                process.meta.read(json, builder)?;
                None
            }
            Some("libs") => {
                process.libs = libs(json, builder)?;
                None
            }
            Some("sources") => {
                process.sources.read(json, &[("filename", 0)], builder, options)?;
                None
            }
            Some("threads") => {
                if json.try_array()? {
                    while json.next_element()? {
                        if json.kind()? == Kind::String {
                            texts.push(json.string()?.to_owned());
                        } else if json.try_object()? {
                            let thread = Thread::read(json, builder, options)?;
                            held += thread.heap_bytes();
                            process.threads.push(thread);
                            options.check_memory(builder.heap_bytes() + held)?;
                        }
                    }
                }
                None
            }
            Some("counters") => {
                if json.try_array()? {
                    while json.next_element()? {
                        warnings.add("counters", || "counters are not shown".to_owned());
                    }
                }
                None
            }
            Some("processes") => (json.try_array()? && next_object(json)?).then_some(true),
            // The developer tools' envelope.
            Some("profile") => json.try_object()?.then_some(false),
            Some(_) => None,
            None => {
                let Some((process, is_element)) = open.pop() else { break };
                // An envelope is no process.
                if !process.threads.is_empty() || process.meta.start.is_some() {
                    done.push(process);
                }
                (is_element && next_object(json)?).then_some(true)
            }
        };
        if let Some(is_element) = inner {
            open.push((Process::default(), is_element));
        }
    }
    json.finish()?;
    // The outermost was finished last.
    done.reverse();
    Ok(done)
}

/// Goes to the next element that is an object, and into it.
fn next_object(json: &mut Json) -> Result<bool, ReadError> {
    while json.next_element()? {
        if json.try_object()? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Libraries; the oldest files have them as a text that is JSON.
fn libs(json: &mut Json, builder: &mut ProfileBuilder) -> Result<Vec<Lib>, ReadError> {
    if json.kind()? != Kind::String {
        return processed::mapped_libs(json, builder);
    }
    let text = json.string()?.to_owned();
    let stream = Stream::new(Box::new(text.as_bytes()), u64::MAX);
    let mut inner = Json::new(stream, GECKO.name)?;
    processed::mapped_libs(&mut inner, builder)
}

impl Thread {
    fn read(
        json: &mut Json,
        builder: &mut ProfileBuilder,
        options: &ReadOptions,
    ) -> Result<Thread, ReadError> {
        let mut thread = Thread::default();
        while let Some(key) = json.next_key()? {
            match key {
                "stringTable" => thread.strings = processed::strings(json, builder, options)?,
                "stackTable" => {
                    thread.stacks.read(json, &[("prefix", 0), ("frame", 0)], builder, options)?;
                }
                "frameTable" => {
                    let columns = [("location", 0), ("line", 0), ("column", 0), ("category", 0)];
                    thread.frames.read(json, &columns, builder, options)?;
                }
                "samples" => thread.samples.read(json, &SAMPLE_COLUMNS, builder, options)?,
                "jsAllocations" => thread.js.read(json, &ALLOCATIONS, builder, options)?,
                "nativeAllocations" => thread.native.read(json, &ALLOCATIONS, builder, options)?,
                "markers" => {
                    let mut markers = Table::<0>::default();
                    markers.read(json, &[], builder, options)?;
                    thread.markers = markers.length;
                }
                "name" => thread.name = text(json)?,
                "processName" => thread.process = text(json)?,
                "processType" => thread.process_type = text(json)?,
                "pid" => thread.pid = text(json)?,
                "tid" => thread.tid = text(json)?,
                _ => {}
            }
        }
        Ok(thread)
    }

    fn heap_bytes(&self) -> usize {
        self.strings.capacity() * 4
            + self.stacks.heap_bytes()
            + self.frames.heap_bytes()
            + self.samples.heap_bytes()
            + self.js.heap_bytes()
            + self.native.heap_bytes()
    }
}

/// Allocations have their bytes as `size`, or as a weight.
const ALLOCATIONS: [(&str, u8); 6] = [
    ("stack", 0),
    ("time", 6),
    ("timeDeltas", 6),
    ("weight", 6),
    ("threadCPUDelta", 3),
    ("size", 0),
];

fn finish(
    processes: Vec<Process>,
    mut builder: ProfileBuilder,
    warnings: &mut Warnings,
) -> Profile {
    GECKO.name.clone_into(&mut builder.origin.format);
    let default = Meta::default();
    let main = processes.first().map_or(&default, |process| &process.meta);
    main.tell(&mut builder);
    let start = builder.origin.time_ns;
    let (unit, names) = (main.cpu_unit.clone(), main.categories.clone());
    let mut all = vec![];
    for (row, process) in processes.iter().enumerate() {
        let libs = MappedLibs::of(&process.libs);
        let own = process.meta.start.and_then(|start| start.to_scaled(6));
        let offset = own.map_or(0, |own| own.saturating_sub(start));
        for (index, thread) in process.threads.iter().enumerate() {
            let pid = if thread.pid.is_empty() { row.to_string() } else { thread.pid.clone() };
            let of = builder.process(&pid);
            let names = [&thread.process, &thread.process_type];
            let name = names.into_iter().find(|name| !name.is_empty()).cloned().unwrap_or_default();
            builder.processes[of.index()].name = builder.strings.intern(&name);
            let tid = if thread.tid.is_empty() { index.to_string() } else { thread.tid.clone() };
            let id = builder.thread(Some(of), &tid);
            builder.threads[id.index()].name = builder.strings.intern(&thread.name);
            if thread.markers > 0 {
                warnings.add_many("markers", thread.markers, || "markers are not shown".to_owned());
            }
            let frames: Vec<Frame> = (0..thread.frames.len())
                .map(|frame| place(thread, frame, &libs, &mut builder))
                .collect();
            let row = |index: usize| (thread.stacks.row(0, index), thread.stacks.row(1, index));
            let stacks = frames::stacks(thread.stacks.len(), row, &frames, &mut builder, warnings);
            all.push((id, offset, stacks));
        }
    }
    let threads = processes.into_iter().flat_map(|process| process.threads);
    let all: Vec<_> = threads
        .zip(all)
        .map(|(thread, (id, offset, stacks))| {
            let samples = [
                (Measure::Samples, thread.samples),
                (Measure::JsAllocations, thread.js),
                (Measure::NativeAllocations, thread.native),
            ];
            let samples = samples.map(|(measure, table)| ThreadSamples {
                thread: id,
                measure,
                table,
                offset,
            });
            (samples, stacks)
        })
        .collect();
    let each = all.iter().flat_map(|(samples, _)| samples.iter());
    let metrics = Metrics::of(each, &unit, &mut builder);
    let mut categories = Categories { names: &names, labels: vec![] };
    for (samples, stacks) in &all {
        for samples in samples {
            samples::push_points(
                samples,
                stacks,
                &metrics,
                &mut categories,
                &mut builder,
                warnings,
            );
        }
    }
    let first = builder.points.first_time().unwrap_or(0);
    let last = builder.points.last_time().unwrap_or(first);
    builder.origin.duration_ns = last.saturating_sub(first);
    builder.finish()
}

/// Libraries by where they are and by name.
struct MappedLibs<'a> {
    /// By start.
    sorted: Vec<&'a Lib>,
    named: HashMap<&'a str, &'a Lib>,
}

impl<'a> MappedLibs<'a> {
    fn of(libs: &'a [Lib]) -> Self {
        let mut sorted: Vec<_> = libs.iter().collect();
        sorted.sort_by_key(|lib| lib.start);
        MappedLibs { sorted, named: libs.iter().map(|lib| (lib.name.as_str(), lib)).collect() }
    }

    fn at(&self, address: u64) -> Option<&'a Lib> {
        let after = self.sorted.partition_point(|lib| lib.start <= address);
        let lib = *self.sorted.get(after.checked_sub(1)?)?;
        (address < lib.end).then_some(lib)
    }
}

/// The frame of a row, from the text that names its place.
fn place(thread: &Thread, row: usize, libs: &MappedLibs, builder: &mut ProfileBuilder) -> Frame {
    let location = thread.frames.row(0, row).and_then(|id| thread.strings.get(id)).copied();
    let text = builder.strings.get(location.unwrap_or(StringId::EMPTY)).to_owned();
    let mut frame = Frame {
        line: thread.frames.position(1, row),
        column: thread.frames.position(2, row),
        category: thread.frames.row(3, row),
        ..Frame::default()
    };
    if processed::is_hexadecimal(&text)
        && let Ok(address) = u64::from_str_radix(&text[2..], 16)
    {
        let lib = libs.at(address);
        frame.address = lib.map_or(address, |lib| address - lib.start);
        frame.module = lib.and_then(|lib| lib.module);
        return frame;
    }
    if let Some((name, lib)) = in_library(&text) {
        let known = libs.named.get(lib);
        frame.module = known.map_or_else(|| builder.module(lib), |known| known.module);
        frame.function = Some(builder.function(name, "", 0));
        return frame;
    }
    match script(&text) {
        Some(Script { name, file, line, column }) => {
            let name = match name {
                "" => format!("(root scope) {file}"),
                name => name.to_owned(),
            };
            frame.function = Some(builder.function_at(&name, file, line, column));
            if frame.line == 0 {
                (frame.line, frame.column) = (line, column);
            }
        }
        None => frame.function = (!text.is_empty()).then(|| builder.function(&text, "", 0)),
    }
    frame
}

/// The parts of `name (in library) + 12`.
fn in_library(text: &str) -> Option<(&str, &str)> {
    let (name, rest) = text.split_once(" (in ")?;
    let (lib, rest) = rest.split_once(')')?;
    let rest = rest.trim_start();
    (rest.is_empty() || rest.starts_with(['+', '('])).then_some((name, lib))
}

struct Script<'a> {
    name: &'a str,
    file: &'a str,
    line: u32,
    column: u32,
}

/// The parts of `name (file:line:column)[source]` or `file:line`.
fn script(text: &str) -> Option<Script<'_>> {
    let text = match text.strip_suffix(']').and_then(|rest| rest.rsplit_once('[')) {
        Some((rest, source))
            if !source.is_empty() && source.bytes().all(|b| b.is_ascii_digit()) =>
        {
            rest
        }
        _ => text,
    };
    let (name, place) = match text.strip_suffix(')').and_then(|rest| rest.split_once(" (")) {
        Some((name, place)) => (name, place),
        None => ("", text.trim_matches(['(', ')'])),
    };
    let number = |text: &str| text.parse::<u32>().ok();
    let (file, last) = place.rsplit_once(':')?;
    let last = number(last)?;
    let (file, line, column) = match file.rsplit_once(':').and_then(|(f, n)| Some((f, number(n)?)))
    {
        Some((file, line)) => (file, line, last),
        None => (file, last, 0),
    };
    // A script that loads another is named before it.
    let file = file.rsplit(" -> ").next().unwrap_or(file);
    (!file.is_empty() || !name.is_empty()).then_some(Script { name, file, line, column })
}
