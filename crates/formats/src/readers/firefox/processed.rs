//! The form that Firefox Profiler saves.

#![allow(
    clippy::collapsible_match,
    reason = "a guard cannot borrow the reader that the key is borrowed from"
)]

use profile::{ModuleId, Profile, ProfileBuilder, StringId};

use super::counters::Counter;
use super::frames::{self, Frame, Stack};
use super::libs::libs;
use super::marker_table::MarkerTable;
use super::markers::{self, Around};
use super::meta::Meta;
use super::samples::{self, Categories, CpuUse, Metrics, SAMPLE_COLUMNS, SampleTables};
use super::table::Table;
use super::thread_names::ThreadNames;
use super::timeline::{self, ThreadLine};
use super::{FORMAT, slabs};
use crate::input::stream::Stream;
use crate::json::{Json, Kind};
use crate::numbers::decimal::Decimal;
use crate::numbers::hexadecimal::{hexadecimal, is_hexadecimal};
use crate::{ReadError, ReadOptions, Warnings};

pub(super) fn read(
    stream: Stream,
    options: &ReadOptions,
    warnings: &mut Warnings,
) -> Result<Profile, ReadError> {
    let mut json = Json::new(slabs::unrolled(stream, options)?, FORMAT.name)?;
    let mut file = File::default();
    let mut is_one = false;
    json.object()?;
    while let Some(key) = json.next_key()? {
        match key {
            "meta" => file.meta.read(&mut json, &mut file.builder)?,
            "libs" => file.libs = libs(&mut json, &mut file.builder)?,
            "shared" => {
                if json.try_object()? {
                    file.shared.read(&mut json, &mut file.builder, options)?;
                }
            }
            "threads" => {
                is_one = true;
                json.array()?;
                while json.next_element()? {
                    let mut thread = Tables::default();
                    if json.try_object()? {
                        thread.read(&mut json, &mut file.builder, options)?;
                    }
                    file.held += thread.heap_bytes();
                    file.threads.push(thread);
                    options.check_memory(file.builder.heap_bytes() + file.held)?;
                }
            }
            "counters" => {
                Counter::read_all(&mut json, &mut file.counters, &file.builder, options)?;
                file.held += file.counters.iter().map(Counter::heap_bytes).sum::<usize>();
            }
            _ => {}
        }
    }
    json.finish()?;
    ReadError::unless(is_one, FORMAT.name, "list of \"threads\"")?;
    Ok(file.finish(warnings))
}

#[derive(Default)]
struct File {
    builder: ProfileBuilder,
    meta: Meta,
    libs: Vec<Option<ModuleId>>,
    shared: Tables,
    threads: Vec<Tables>,
    counters: Vec<Counter>,
    held: usize,
}

/// The tables of a thread, or those that threads share.
#[derive(Default)]
struct Tables {
    strings: Vec<StringId>,
    stacks: Table<3>,
    frames: Table<7>,
    functions: Table<7>,
    resources: Table<1>,
    /// Names of source files.
    sources: Table<1>,
    markers: MarkerTable,
    libs: Vec<Option<ModuleId>>,
    samples: SampleTables,
    names: ThreadNames,
}

const STACKS: [(&str, u8); 3] = [("prefix", 0), ("prefixOffset", 0), ("frame", 0)];
const FRAMES: [(&str, u8); 7] = [
    ("address", 0),
    ("category", 0),
    ("func", 0),
    ("line", 0),
    ("column", 0),
    ("inlineDepth", 0),
    ("lib", 0),
];
const FUNCTIONS: [(&str, u8); 7] = [
    ("name", 0),
    ("resource", 0),
    ("fileName", 0),
    ("source", 0),
    ("lineNumber", 0),
    ("columnNumber", 0),
    ("address", 0),
];

impl Tables {
    fn read(
        &mut self,
        json: &mut Json,
        builder: &mut ProfileBuilder,
        options: &ReadOptions,
    ) -> Result<(), ReadError> {
        while let Some(key) = json.next_key()? {
            match key {
                "stringArray" | "stringTable" => self.strings = strings(json, builder, options)?,
                "stackTable" => self.stacks.read(json, &STACKS, builder, options)?,
                "frameTable" => self.frames.read(json, &FRAMES, builder, options)?,
                "funcTable" => self.functions.read(json, &FUNCTIONS, builder, options)?,
                "resourceTable" => self.resources.read(json, &[("lib", 0)], builder, options)?,
                "sources" => self.sources.read(json, &[("filename", 0)], builder, options)?,
                "samples" => self.samples.samples.read(json, &SAMPLE_COLUMNS, builder, options)?,
                "jsAllocations" => self.samples.js.read(json, &SAMPLE_COLUMNS, builder, options)?,
                "nativeAllocations" => {
                    self.samples.native.read(json, &SAMPLE_COLUMNS, builder, options)?
                }
                "markers" => self.markers.read(json, builder, options)?,
                "libs" => self.libs = libs(json, builder)?,
                "name" => self.names.name = text(json)?,
                "processName" => self.names.process = text(json)?,
                "pid" => self.names.pid = text(json)?,
                "tid" => self.names.tid = text(json)?,
                _ => {}
            }
        }
        Ok(())
    }

    fn heap_bytes(&self) -> usize {
        self.strings.capacity() * 4
            + self.stacks.heap_bytes()
            + self.frames.heap_bytes()
            + self.functions.heap_bytes()
            + self.samples.heap_bytes()
            + self.markers.heap_bytes()
    }

    /// The contexts of its stacks; what it lacks is among `shared`.
    fn resolve(
        &self,
        shared: &Tables,
        all_libs: &[Option<ModuleId>],
        builder: &mut ProfileBuilder,
        warnings: &mut Warnings,
    ) -> Vec<Stack> {
        let strings = if self.strings.is_empty() { &shared.strings } else { &self.strings };
        let own_frames = self.frames.len() > 0;
        let frame_table = if own_frames { &self.frames } else { &shared.frames };
        let functions = if self.functions.len() > 0 { &self.functions } else { &shared.functions };
        let resources = if self.resources.len() > 0 { &self.resources } else { &shared.resources };
        let libs = if self.libs.is_empty() { all_libs } else { &self.libs };
        let string = |id: Option<usize>| {
            id.and_then(|id| strings.get(id)).copied().unwrap_or(StringId::EMPTY)
        };
        let mut made = Vec::with_capacity(frame_table.len());
        for row in 0..frame_table.len() {
            let [address, category, func, line, column, depth, lib] = [0, 1, 2, 3, 4, 5, 6];
            let mut frame = Frame {
                line: frame_table.position(line, row),
                column: frame_table.position(column, row),
                address: frame_table
                    .get(address, row)
                    .and_then(|a| u64::try_from(a).ok())
                    .unwrap_or(0),
                inline_depth: frame_table.position(depth, row),
                category: frame_table.row(category, row),
                ..Frame::default()
            };
            let mut library = frame_table.row(lib, row);
            if let Some(function) = frame_table.row(func, row) {
                let [name, resource, file, source, line, column, address] = [0, 1, 2, 3, 4, 5, 6];
                let start_line = functions.position(line, function);
                let of_source = functions.row(source, function);
                let file = functions
                    .row(file, function)
                    .or_else(|| of_source.and_then(|source| shared.sources.row(0, source)));
                let (name, file) = (string(functions.row(name, function)), string(file));
                library = library.or_else(|| resources.row(0, functions.row(resource, function)?));
                if frame.line == 0 {
                    frame.line = start_line;
                }
                let start_column = functions.position(column, function);
                if frame.column == 0 {
                    frame.column = start_column;
                }
                if frame.address == 0 {
                    let address = functions.get(address, function);
                    frame.address = address.and_then(|a| u64::try_from(a).ok()).unwrap_or(0);
                }
                let name = builder.strings.get(name).to_owned();
                let file = builder.strings.get(file).to_owned();
                // What has no symbol is named by its address.
                let digits = name.strip_prefix("0x").filter(|digits| is_hexadecimal(digits));
                let is_symbol = digits.is_none();
                if frame.address == 0 {
                    frame.address = digits.and_then(hexadecimal).unwrap_or(0);
                }
                frame.function =
                    is_symbol.then(|| builder.function_at(&name, &file, start_line, start_column));
            }
            frame.module = library.and_then(|lib| libs.get(lib).copied().flatten());
            made.push(frame);
        }
        let table = if self.stacks.len() > 0 { &self.stacks } else { &shared.stacks };
        let by_offset = table.has(1);
        let row = |index: usize| {
            let prefix = if by_offset {
                table.row(1, index).filter(|&o| o > 0).and_then(|o| index.checked_sub(o))
            } else {
                table.row(0, index)
            };
            (prefix, table.row(2, index))
        };
        frames::stacks(table.len(), row, &made, builder, warnings)
    }
}

impl File {
    fn finish(mut self, warnings: &mut Warnings) -> Profile {
        let builder = &mut self.builder;
        FORMAT.name.clone_into(&mut builder.origin.format);
        self.meta.tell(builder);
        let threads = std::mem::take(&mut self.threads);
        let shares = threads.iter().any(|thread| thread.stacks.len() == 0);
        let shared_stacks = if shares && self.shared.stacks.len() > 0 {
            self.shared.resolve(&self.shared, &self.libs, builder, warnings)
        } else {
            vec![]
        };
        let mut categories = Categories { names: &self.meta.categories, labels: vec![] };
        let (mut all, mut lines) = (vec![], vec![]);
        for (row, mut thread) in threads.into_iter().enumerate() {
            let (process, id) = thread.names.tell("", row, builder);
            let stacks = match thread.stacks.len() {
                0 => None,
                _ => Some(thread.resolve(&self.shared, &self.libs, builder, warnings)),
            };
            let own_strings = !thread.strings.is_empty();
            let around = Around {
                strings: if own_strings { &thread.strings } else { &self.shared.strings },
                schemas: &self.meta.schemas,
                offset: 0,
                stacks: stacks.as_ref().unwrap_or(&shared_stacks),
                last_sample: samples::last_time(&thread.samples.samples),
            };
            let markers = std::mem::take(&mut thread.markers);
            let markers = markers::resolve(&markers, &around, &mut categories, builder, warnings);
            let has_samples = around.last_sample.is_some();
            let cpu_use = CpuUse::new(&thread.samples.samples, 0, &self.meta.cpu_unit);
            lines.push(ThreadLine { thread: id, process, markers, has_samples, cpu_use });
            let samples = std::mem::take(&mut thread.samples).of_thread(id, 0);
            all.push((samples, stacks));
        }
        let each = all.iter().flat_map(|(samples, _)| samples.iter());
        let metrics = Metrics::new(each, &self.meta.cpu_unit, builder);
        let of_markers = timeline::add_metrics(&lines, builder);
        for (samples, stacks) in all {
            let stacks = stacks.as_ref().unwrap_or(&shared_stacks);
            for samples in &samples {
                samples::push_points(samples, stacks, &metrics, &mut categories, builder, warnings);
            }
        }
        timeline::tell_duration(&lines, builder);
        let counters = std::mem::take(&mut self.counters).into_iter().map(|counter| {
            let process = timeline::process_of(&counter, &lines, builder);
            (process, 0, counter)
        });
        let counters: Vec<_> = counters.collect();
        timeline::push(lines, &counters, of_markers, builder, warnings);
        self.builder.finish()
    }
}

/// A text or a number as it is written; empty for others.
pub(super) fn text(json: &mut Json) -> Result<String, ReadError> {
    Ok(match json.kind()? {
        Kind::String | Kind::Number => json.string_or_number_text()?.to_owned(),
        _ => String::new(),
    })
}

pub(super) fn number(json: &mut Json) -> Result<Option<Decimal>, ReadError> {
    if json.kind()? == Kind::Number { json.finite() } else { Ok(None) }
}

pub(super) fn strings(
    json: &mut Json,
    builder: &mut ProfileBuilder,
    options: &ReadOptions,
) -> Result<Vec<StringId>, ReadError> {
    let mut strings = vec![];
    if !json.try_array()? {
        return Ok(strings);
    }
    while json.next_element()? {
        strings.push(match json.kind()? {
            Kind::String => builder.strings.intern(json.string()?),
            _ => StringId::EMPTY,
        });
        if strings.len().is_multiple_of(1024) {
            options.check_memory(builder.heap_bytes() + strings.capacity() * 4)?;
        }
    }
    Ok(strings)
}
