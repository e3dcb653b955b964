//! The form that Firefox itself writes: tables of rows with a schema, places in code as texts,
//! processes inside their parent.

use profile::{Profile, ProfileBuilder, StringId};

use super::GECKO;
use super::counters::Counter;
use super::frames::{self, Frame};
use super::libs::{Lib, mapped_libs};
use super::marker_table::MarkerTable;
use super::markers::{self, Around};
use super::meta::Meta;
use super::places::{self, MappedLibs};
use super::processed::{strings, text};
use super::samples::{self, Categories, CpuUse, Metrics, SAMPLE_COLUMNS, SampleTables};
use super::table::Table;
use super::thread_names::ThreadNames;
use super::timeline::{self, ThreadLine};
use crate::input::stream::Stream;
use crate::json::{Json, Kind};
use crate::{ReadError, ReadOptions, Warnings};

/// A process: its threads and libraries.
#[derive(Default)]
struct Process {
    meta: Meta,
    libs: Vec<Lib>,
    threads: Vec<Thread>,
    counters: Vec<Counter>,
    /// Names of source files.
    sources: Table<1>,
}

#[derive(Default)]
struct Thread {
    strings: Vec<StringId>,
    stacks: Table<2>,
    frames: Table<4>,
    samples: SampleTables,
    markers: MarkerTable,
    names: ThreadNames,
}

pub(super) fn read(
    stream: Stream,
    options: &ReadOptions,
    warnings: &mut Warnings,
) -> Result<Profile, ReadError> {
    let mut builder = ProfileBuilder::default();
    let mut texts = vec![];
    let mut json = Json::new(stream, GECKO.name)?;
    let mut all = processes(&mut json, &mut texts, &mut builder, options)?;
    let mut deeper = vec![];
    for text in &texts {
        let stream = Stream::new(Box::new(text.as_bytes()), u64::MAX);
        let mut json = Json::new(stream, GECKO.name)?;
        all.extend(processes(&mut json, &mut deeper, &mut builder, options)?);
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
                Counter::read_all(json, &mut process.counters, builder, options)?;
                held += process.counters.iter().map(Counter::heap_bytes).sum::<usize>();
                None
            }
            Some("processes") => (json.try_array()? && next_object(json)?).then_some(true),
            // The developer tools' envelope.
            Some("profile") => json.try_object()?.then_some(false),
            Some(_) => None,
            None => {
                let Some((process, is_element)) = open.pop() else { break };
                // An envelope is not a process.
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
        return mapped_libs(json, builder);
    }
    let text = json.string()?.to_owned();
    let stream = Stream::new(Box::new(text.as_bytes()), u64::MAX);
    let mut inner = Json::new(stream, GECKO.name)?;
    mapped_libs(&mut inner, builder)
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
                "stringTable" => thread.strings = strings(json, builder, options)?,
                "stackTable" => {
                    thread.stacks.read(json, &[("prefix", 0), ("frame", 0)], builder, options)?;
                }
                "frameTable" => {
                    let columns = [("location", 0), ("line", 0), ("column", 0), ("category", 0)];
                    thread.frames.read(json, &columns, builder, options)?;
                }
                "samples" => {
                    thread.samples.samples.read(json, &SAMPLE_COLUMNS, builder, options)?
                }
                "jsAllocations" => thread.samples.js.read(json, &ALLOCATIONS, builder, options)?,
                "nativeAllocations" => {
                    thread.samples.native.read(json, &ALLOCATIONS, builder, options)?
                }
                "markers" => thread.markers.read(json, builder, options)?,
                "name" => thread.names.name = text(json)?,
                "processName" => thread.names.process = text(json)?,
                "processType" => thread.names.process_type = text(json)?,
                "pid" => thread.names.pid = text(json)?,
                "tid" => thread.names.tid = text(json)?,
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
            + self.markers.heap_bytes()
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
    mut processes: Vec<Process>,
    mut builder: ProfileBuilder,
    warnings: &mut Warnings,
) -> Profile {
    GECKO.name.clone_into(&mut builder.origin.format);
    let main = processes.first_mut().map(|process| std::mem::take(&mut process.meta));
    let main = main.unwrap_or_default();
    main.tell(&mut builder);
    let start = builder.origin.time_ns;
    let mut categories = Categories { names: &main.categories, labels: vec![] };
    let (mut all, mut lines, mut counters) = (vec![], vec![], vec![]);
    for (row, process) in processes.into_iter().enumerate() {
        let libs = MappedLibs::new(&process.libs);
        let own = process.meta.start.and_then(|start| start.to_scaled(6));
        let offset = own.map_or(0, |own| own.saturating_sub(start));
        let own_schemas = !process.meta.schemas.is_empty();
        let schemas = if own_schemas { &process.meta.schemas } else { &main.schemas };
        let mut of_counters = None;
        for (index, thread) in process.threads.into_iter().enumerate() {
            let (process, id) = thread.names.tell(&row.to_string(), index, &mut builder);
            of_counters.get_or_insert(process);
            let (frames, strings) = (&thread.frames, &thread.strings);
            let frames: Vec<Frame> = (0..frames.len())
                .map(|frame| places::place(frames, frame, strings, &libs, &mut builder))
                .collect();
            let row = |index: usize| (thread.stacks.row(0, index), thread.stacks.row(1, index));
            let stacks = frames::stacks(thread.stacks.len(), row, &frames, &mut builder, warnings);
            let last = samples::last_time(&thread.samples.samples);
            let last_sample = last.map(|time| time.saturating_add(offset));
            let strings = &thread.strings;
            let around = Around { strings, schemas, offset, stacks: &stacks, last_sample };
            let markers =
                markers::resolve(&thread.markers, &around, &mut categories, &mut builder, warnings);
            let has_samples = last_sample.is_some();
            let cpu_use = CpuUse::new(&thread.samples.samples, offset, &main.cpu_unit);
            lines.push(ThreadLine { thread: id, process, markers, has_samples, cpu_use });
            all.push((thread.samples.of_thread(id, offset), stacks));
        }
        for counter in process.counters {
            let of = *of_counters.get_or_insert_with(|| builder.process(&row.to_string()));
            counters.push((of, offset, counter));
        }
    }
    let each = all.iter().flat_map(|(samples, _)| samples.iter());
    let metrics = Metrics::new(each, &main.cpu_unit, &mut builder);
    let of_markers = timeline::add_metrics(&lines, &mut builder);
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
    timeline::tell_duration(&lines, &mut builder);
    timeline::push(lines, &counters, of_markers, &mut builder, warnings);
    builder.finish()
}
