//! The reader. Samples usually stand before the dictionary that explains them, so they are kept as
//! numbers until the end of the file.

use profile::{
    ContextId, FunctionId, Label, LabelValue, Location, LocationId, Metric, Module, ModuleFlags,
    ModuleId, Point, Points, Profile, ProfileBuilder, StringId,
};

use super::schema::{
    any_value, attribute, data, dictionary, function, key_value, line, link, location, mapping,
    profile as fields, resource, resource_profiles, sample, scope, scope_profiles, stack,
    value_type,
};
use super::{BUILD_ID, CPU, FORMAT, PROCESS_ID, PROCESS_NAME, THREAD_ID, THREAD_NAME};
use crate::stream::Stream;
use crate::wire::{Fields, Payload, WireError, next_field, repeated};
use crate::{Place, ReadError, ReadOptions, Warnings};

pub(super) fn read(
    mut stream: Stream,
    options: &ReadOptions,
    warnings: &mut Warnings,
) -> Result<Profile, ReadError> {
    let mut raw = Raw::default();
    loop {
        let place = stream.place();
        let Some((field, wire, start, len)) = next_field(&mut stream, FORMAT.name)? else { break };
        let total = start + len;
        let bytes = stream.peek(total)?;
        if bytes.len() < total {
            return Err(ReadError::Truncated {
                format: FORMAT.name,
                place: Place(place.0 + bytes.len() as u64),
                reason: format!("in field {field} at {place}"),
            });
        }
        let payload = &bytes[start..total];
        let result = match (field, wire) {
            (data::RESOURCE_PROFILES, 2) => raw.resource_profiles(payload),
            (data::DICTIONARY, 2) => raw.dictionary(payload),
            _ => {
                raw.unknown += 1;
                Ok(())
            }
        };
        result.map_err(|error| ReadError::Malformed {
            format: FORMAT.name,
            place: Place(place.0 + (start + error.offset) as u64),
            reason: error.reason.to_owned(),
        })?;
        stream.consume(total);
        options.check_memory(raw.bytes)?;
    }
    raw.join(stream.place(), options, warnings)
}

/// An attribute, its key and texts still as they stand in the file.
#[derive(Debug, Clone, Default)]
struct Attribute {
    /// Index into the string table, or the text itself.
    key: Text,
    value: Value,
    unit: u64,
}

#[derive(Debug, Clone)]
enum Text {
    Index(u64),
    Own(String),
}

impl Default for Text {
    fn default() -> Self {
        Text::Index(0)
    }
}

#[derive(Debug, Clone, Default)]
enum Value {
    #[default]
    Empty,
    Text(Text),
    Number(i64),
}

#[derive(Default)]
struct RawLocation {
    mapping: u64,
    address: u64,
    /// Function, line, column; the innermost function first.
    lines: Vec<[u64; 3]>,
}

#[derive(Default)]
struct RawProfile {
    kind: u64,
    unit: u64,
    time: u64,
    duration: u64,
    period: i64,
    period_type: (u64, u64),
    resource: usize,
    /// Where its samples start and end in `Raw::samples`.
    samples: (usize, usize),
    attributes: Vec<u64>,
}

#[derive(Default)]
struct RawSample {
    stack: u64,
    link: u64,
    /// Ends in `Raw::{attributes, values, times}`; a sample's start is the end before.
    attributes: usize,
    values: usize,
    times: usize,
}

/// The file as it stands.
#[derive(Default)]
struct Raw {
    strings: Vec<String>,
    mappings: Vec<([u64; 4], Vec<u64>)>,
    locations: Vec<RawLocation>,
    functions: Vec<[u64; 4]>,
    links: Vec<(String, String)>,
    attribute_table: Vec<Attribute>,
    stacks: Vec<Vec<u64>>,
    has_dictionary: bool,
    /// Attributes of each resource.
    resources: Vec<Vec<Attribute>>,
    profiles: Vec<RawProfile>,
    samples: Vec<RawSample>,
    attributes: Vec<u64>,
    values: Vec<i64>,
    times: Vec<u64>,
    producer: String,
    payloads: u64,
    location_attributes: u64,
    unknown: u64,
    bytes: usize,
}

impl Raw {
    fn resource_profiles(&mut self, bytes: &[u8]) -> Result<(), WireError> {
        self.resources.push(vec![]);
        let mut walk = Fields::new(bytes);
        while let Some((field, payload)) = walk.next()? {
            match (field, payload) {
                (resource_profiles::RESOURCE, Payload::Bytes(bytes)) => {
                    let mut walk = Fields::new(bytes);
                    while let Some((field, payload)) = walk.next()? {
                        if let (resource::ATTRIBUTES, Payload::Bytes(bytes)) = (field, payload) {
                            let attribute = self.key_value(bytes)?;
                            let last = self.resources.len() - 1;
                            self.resources[last].push(attribute);
                        }
                    }
                }
                (resource_profiles::SCOPE_PROFILES, Payload::Bytes(bytes)) => {
                    let mut walk = Fields::new(bytes);
                    while let Some((field, payload)) = walk.next()? {
                        match (field, payload) {
                            (scope_profiles::SCOPE, Payload::Bytes(bytes)) => self.scope(bytes)?,
                            (scope_profiles::PROFILES, Payload::Bytes(bytes)) => {
                                self.profile(bytes)?;
                            }
                            _ => {}
                        }
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn scope(&mut self, bytes: &[u8]) -> Result<(), WireError> {
        let (mut name, mut version) = (String::new(), String::new());
        let mut walk = Fields::new(bytes);
        while let Some((field, payload)) = walk.next()? {
            match (field, payload) {
                (scope::NAME, Payload::Bytes(text)) => name = lossy(text),
                (scope::VERSION, Payload::Bytes(text)) => version = lossy(text),
                _ => {}
            }
        }
        if self.producer.is_empty() {
            self.producer = format!("{name} {version}").trim().to_owned();
        }
        Ok(())
    }

    fn profile(&mut self, bytes: &[u8]) -> Result<(), WireError> {
        let mut raw = RawProfile { resource: self.resources.len() - 1, ..RawProfile::default() };
        raw.samples.0 = self.samples.len();
        let mut walk = Fields::new(bytes);
        while let Some((field, payload)) = walk.next()? {
            match (field, payload) {
                (fields::SAMPLE_TYPE, Payload::Bytes(bytes)) => {
                    (raw.kind, raw.unit) = self.value_type(bytes)?;
                }
                (fields::PERIOD_TYPE, Payload::Bytes(bytes)) => {
                    raw.period_type = self.value_type(bytes)?;
                }
                (fields::SAMPLES, Payload::Bytes(bytes)) => self.sample(bytes)?,
                (fields::TIME_UNIX_NANO, Payload::Fixed64(time)) => raw.time = time,
                (fields::DURATION_NANO, Payload::Varint(duration)) => raw.duration = duration,
                (fields::PERIOD, Payload::Varint(period)) => raw.period = period as i64,
                (fields::ORIGINAL_PAYLOAD, Payload::Bytes(_)) => self.payloads += 1,
                (fields::ATTRIBUTE_INDICES, payload) => {
                    repeated(payload, |index| raw.attributes.push(index))?;
                }
                _ => {}
            }
        }
        raw.samples.1 = self.samples.len();
        self.profiles.push(raw);
        Ok(())
    }

    fn value_type(&mut self, bytes: &[u8]) -> Result<(u64, u64), WireError> {
        let [kind, unit] = self.integers(bytes, [value_type::TYPE, value_type::UNIT])?;
        Ok((kind, unit))
    }

    /// The integer fields of a message by their numbers.
    fn integers<const N: usize>(
        &mut self,
        bytes: &[u8],
        numbers: [u64; N],
    ) -> Result<[u64; N], WireError> {
        let mut found = [0; N];
        let mut walk = Fields::new(bytes);
        while let Some((field, payload)) = walk.next()? {
            match (numbers.iter().position(|&number| number == field), payload) {
                (Some(at), Payload::Varint(value)) => found[at] = value,
                _ => self.unknown += 1,
            }
        }
        Ok(found)
    }

    #[inline]
    fn sample(&mut self, bytes: &[u8]) -> Result<(), WireError> {
        let mut raw = RawSample::default();
        let mut walk = Fields::new(bytes);
        while let Some((field, payload)) = walk.next()? {
            match (field, payload) {
                (sample::STACK_INDEX, Payload::Varint(index)) => raw.stack = index,
                (sample::LINK_INDEX, Payload::Varint(index)) => raw.link = index,
                (sample::ATTRIBUTE_INDICES, payload) => {
                    repeated(payload, |index| self.attributes.push(index))?;
                }
                (sample::VALUES, payload) => {
                    repeated(payload, |value| self.values.push(value as i64))?;
                }
                (sample::TIMESTAMPS, Payload::Bytes(packed)) => {
                    let times = packed.chunks_exact(8);
                    if !times.remainder().is_empty() {
                        let reason = "packed times are cut short";
                        return Err(WireError { offset: 0, reason });
                    }
                    let time =
                        |chunk: &[u8]| chunk.iter().rev().fold(0, |n, &b| n << 8 | u64::from(b));
                    self.times.extend(times.map(time));
                }
                (sample::TIMESTAMPS, Payload::Fixed64(time)) => self.times.push(time),
                _ => self.unknown += 1,
            }
        }
        self.bytes += size_of::<RawSample>() + 16;
        raw.attributes = self.attributes.len();
        raw.values = self.values.len();
        raw.times = self.times.len();
        self.samples.push(raw);
        Ok(())
    }

    fn dictionary(&mut self, bytes: &[u8]) -> Result<(), WireError> {
        self.has_dictionary = true;
        let mut walk = Fields::new(bytes);
        while let Some((field, payload)) = walk.next()? {
            let Payload::Bytes(bytes) = payload else {
                self.unknown += 1;
                continue;
            };
            self.bytes += bytes.len() + 24;
            match field {
                dictionary::STRING => self.strings.push(lossy(bytes)),
                dictionary::MAPPING => self.mapping(bytes)?,
                dictionary::LOCATION => self.location(bytes)?,
                dictionary::FUNCTION => {
                    let numbers = [
                        function::NAME,
                        function::SYSTEM_NAME,
                        function::FILENAME,
                        function::START_LINE,
                    ];
                    let row = self.integers(bytes, numbers)?;
                    self.functions.push(row);
                }
                dictionary::LINK => {
                    let (mut trace, mut span) = (String::new(), String::new());
                    let mut walk = Fields::new(bytes);
                    while let Some((field, payload)) = walk.next()? {
                        match (field, payload) {
                            (link::TRACE_ID, Payload::Bytes(id)) => trace = hexadecimal(id),
                            (link::SPAN_ID, Payload::Bytes(id)) => span = hexadecimal(id),
                            _ => self.unknown += 1,
                        }
                    }
                    self.links.push((trace, span));
                }
                dictionary::ATTRIBUTE => {
                    let attribute = self.attribute(bytes)?;
                    self.attribute_table.push(attribute);
                }
                dictionary::STACK => {
                    let mut locations = vec![];
                    let mut walk = Fields::new(bytes);
                    while let Some((field, payload)) = walk.next()? {
                        match field {
                            stack::LOCATION_INDICES => {
                                repeated(payload, |index| locations.push(index))?;
                            }
                            _ => self.unknown += 1,
                        }
                    }
                    self.bytes += locations.len() * 8;
                    self.stacks.push(locations);
                }
                _ => self.unknown += 1,
            }
        }
        Ok(())
    }

    fn mapping(&mut self, bytes: &[u8]) -> Result<(), WireError> {
        let (mut numbers, mut attributes) = ([0; 4], vec![]);
        let mut walk = Fields::new(bytes);
        while let Some((field, payload)) = walk.next()? {
            match (field, payload) {
                (mapping::MEMORY_START..=mapping::FILENAME, Payload::Varint(value)) => {
                    numbers[field as usize - 1] = value;
                }
                (mapping::ATTRIBUTE_INDICES, payload) => {
                    repeated(payload, |index| attributes.push(index))?;
                }
                _ => self.unknown += 1,
            }
        }
        self.mappings.push((numbers, attributes));
        Ok(())
    }

    fn location(&mut self, bytes: &[u8]) -> Result<(), WireError> {
        let mut raw = RawLocation::default();
        let mut walk = Fields::new(bytes);
        while let Some((field, payload)) = walk.next()? {
            match (field, payload) {
                (location::MAPPING_INDEX, Payload::Varint(index)) => raw.mapping = index,
                (location::ADDRESS, Payload::Varint(address)) => raw.address = address,
                (location::LINES, Payload::Bytes(bytes)) => {
                    let numbers = [line::FUNCTION_INDEX, line::LINE, line::COLUMN];
                    let row = self.integers(bytes, numbers)?;
                    raw.lines.push(row);
                }
                (location::ATTRIBUTE_INDICES, _) => self.location_attributes += 1,
                _ => self.unknown += 1,
            }
        }
        self.locations.push(raw);
        Ok(())
    }

    /// A `KeyValueAndUnit` of the dictionary.
    fn attribute(&mut self, bytes: &[u8]) -> Result<Attribute, WireError> {
        let mut found = Attribute::default();
        let mut walk = Fields::new(bytes);
        while let Some((field, payload)) = walk.next()? {
            match (field, payload) {
                (attribute::KEY, Payload::Varint(index)) => found.key = Text::Index(index),
                (attribute::VALUE, Payload::Bytes(bytes)) => found.value = any_value_of(bytes)?,
                (attribute::UNIT, Payload::Varint(index)) => found.unit = index,
                _ => self.unknown += 1,
            }
        }
        Ok(found)
    }

    /// A `KeyValue` of a resource.
    fn key_value(&mut self, bytes: &[u8]) -> Result<Attribute, WireError> {
        let mut found = Attribute::default();
        let mut walk = Fields::new(bytes);
        while let Some((field, payload)) = walk.next()? {
            match (field, payload) {
                (key_value::KEY, Payload::Bytes(text)) => found.key = Text::Own(lossy(text)),
                (key_value::VALUE, Payload::Bytes(bytes)) => found.value = any_value_of(bytes)?,
                _ => self.unknown += 1,
            }
        }
        Ok(found)
    }

    fn text<'a>(&'a self, text: &'a Text) -> &'a str {
        match text {
            Text::Own(text) => text,
            Text::Index(index) => self.string(*index),
        }
    }

    fn string(&self, index: u64) -> &str {
        usize::try_from(index).ok().and_then(|i| self.strings.get(i)).map_or("", String::as_str)
    }

    fn join(
        mut self,
        end: Place,
        options: &ReadOptions,
        warnings: &mut Warnings,
    ) -> Result<Profile, ReadError> {
        let is_older = !self.has_dictionary
            || self.stacks.is_empty() && !self.samples.is_empty() && self.locations.len() > 1;
        if is_older {
            return Err(ReadError::Unsupported {
                found: "an OpenTelemetry profile from before OTLP 1.8".to_owned(),
                instead: "have the profiler or collector write the current version",
            });
        }
        if self.strings.first().is_some_and(|first| !first.is_empty()) {
            return Err(ReadError::Malformed {
                format: FORMAT.name,
                place: end,
                reason: "entry 0 of the string table is not empty".to_owned(),
            });
        }
        for (count, what) in [
            (self.payloads, "original payloads inside of the file are not opened"),
            (self.location_attributes, "attributes of locations are not shown"),
            (self.unknown, "fields of a later version are skipped"),
        ] {
            if count > 0 {
                warnings.add_many(what, count, || what.to_owned());
            }
        }
        let mut join = Join::new(&self, warnings);
        join.profiles(options, warnings)?;
        let mut builder = join.builder;
        FORMAT.name.clone_into(&mut builder.origin.format);
        builder.origin.producer = std::mem::take(&mut self.producer);
        Ok(builder.finish())
    }
}

/// Tables of the file and of the profile, joined.
struct Join<'a> {
    raw: &'a Raw,
    builder: ProfileBuilder,
    /// By stack of the file; filled when a sample names it.
    contexts: Vec<Option<ContextId>>,
    locations: Vec<LocationId>,
}

impl<'a> Join<'a> {
    fn new(raw: &'a Raw, warnings: &mut Warnings) -> Join<'a> {
        let mut builder = ProfileBuilder::default();
        let mut modules = vec![];
        for (numbers, attributes) in &raw.mappings {
            let [memory_start, memory_limit, file_offset, name] = *numbers;
            let build_id = attributes.iter().find_map(|&index| {
                let attribute = raw.attribute_table.get(usize::try_from(index).ok()?)?;
                match &attribute.value {
                    Value::Text(text) if raw.text(&attribute.key).contains("build_id") => {
                        Some(raw.text(text))
                    }
                    _ => None,
                }
            });
            let name = builder.strings.intern(raw.string(name));
            let build_id = builder.strings.intern(build_id.unwrap_or(""));
            let flags = ModuleFlags::default();
            let module = Module { name, build_id, memory_start, memory_limit, file_offset, flags };
            // Entry 0 is the zero value: no module.
            modules.push((module != Module::default()).then(|| {
                builder.modules.push(module);
                ModuleId(builder.modules.len() as u32 - 1)
            }));
        }
        let functions: Vec<Option<FunctionId>> = (raw.functions.iter())
            .map(|&[name, system_name, file, start_line]| {
                if [name, system_name, file, start_line] == [0; 4] {
                    return None;
                }
                let mut text = |index| builder.strings.intern(raw.string(index));
                let (name, system_name, file) = (text(name), text(system_name), text(file));
                let start_line = u32::try_from(start_line).unwrap_or(0);
                Some(builder.functions.push(name, system_name, file, start_line))
            })
            .collect();
        let mut locations = vec![];
        for row in &raw.locations {
            let module = usize::try_from(row.mapping).ok().and_then(|row| modules.get(row));
            if module.is_none() && row.mapping != 0 {
                warnings.add("mapping", || format!("mapping {} is not defined", row.mapping));
            }
            let frames: Vec<_> = (row.lines.iter().rev())
                .map(|&[function, line, column]| {
                    let function = usize::try_from(function).ok().and_then(|f| functions.get(f));
                    let narrow = |number| u32::try_from(number).unwrap_or(0);
                    (function.copied().flatten(), narrow(line), narrow(column))
                })
                .collect();
            let module = module.copied().flatten();
            let location = Location { module, address: row.address, ..Location::default() };
            locations.push(builder.push_location(location, &frames));
        }
        let contexts = vec![None; raw.stacks.len()];
        Join { raw, builder, contexts, locations }
    }

    fn profiles(
        &mut self,
        options: &ReadOptions,
        warnings: &mut Warnings,
    ) -> Result<(), ReadError> {
        let raw = self.raw;
        let mut metrics = vec![];
        for profile in &raw.profiles {
            let metric = Metric {
                name: raw.string(profile.kind).to_owned(),
                unit: raw.string(profile.unit).to_owned(),
                decimals: 0,
                ..Metric::default()
            };
            let known = self.builder.metrics.iter().position(|known| *known == metric);
            metrics.push(known.unwrap_or_else(|| {
                self.builder.metrics.push(metric);
                self.builder.metrics.len() - 1
            }));
        }
        self.builder.points = Points::new(self.builder.metrics.len());
        let start = raw.profiles.iter().map(|profile| profile.time).filter(|&t| t != 0).min();
        let origin = &mut self.builder.origin;
        origin.time_ns = start.map_or(0, |time| time as i64);
        if let Some(first) = raw.profiles.first() {
            origin.period = first.period;
            let (kind, unit) = first.period_type;
            let texts = (raw.string(kind).to_owned(), raw.string(unit).to_owned());
            origin.period_type = (kind != 0 || unit != 0).then_some(texts);
        }
        let ends = raw.profiles.iter().map(|p| p.time.saturating_add(p.duration));
        origin.duration_ns = match (start, ends.max()) {
            (Some(start), Some(end)) => end.saturating_sub(start) as i64,
            _ => raw.profiles.iter().map(|p| p.duration).max().unwrap_or(0) as i64,
        };
        for (profile, metric) in raw.profiles.iter().zip(metrics) {
            for row in profile.samples.0..profile.samples.1 {
                self.sample(profile, row, metric, warnings);
                if row.is_multiple_of(4096) {
                    options.check_memory(raw.bytes + self.builder.heap_bytes())?;
                }
            }
        }
        Ok(())
    }

    fn sample(&mut self, profile: &RawProfile, row: usize, metric: usize, warnings: &mut Warnings) {
        let raw = self.raw;
        let sample = &raw.samples[row];
        let before = match row {
            0 => &RawSample::default(),
            row => &raw.samples[row - 1],
        };
        let mut place = Where::default();
        let mut labels = vec![];
        for attribute in &raw.resources[profile.resource] {
            self.attribute(attribute, &mut place, &mut labels);
        }
        let own = &raw.attributes[before.attributes..sample.attributes];
        for &index in profile.attributes.iter().chain(own) {
            let known = usize::try_from(index).ok().and_then(|i| raw.attribute_table.get(i));
            match known {
                Some(attribute) => self.attribute(attribute, &mut place, &mut labels),
                None => warnings.add("attribute", || format!("attribute {index} is not defined")),
            }
        }
        if sample.link != 0
            && let Some((trace, span)) =
                usize::try_from(sample.link).ok().and_then(|index| raw.links.get(index))
        {
            for (key, id) in [("trace_id", trace), ("span_id", span)] {
                labels.push(Label {
                    key: self.builder.strings.intern(key),
                    value: LabelValue::Text(self.builder.strings.intern(id)),
                });
            }
        }
        let context = self.context(sample.stack, warnings);
        let labels = self.builder.labels.add(&labels);
        let thread = self.thread(&place);
        let start = self.builder.origin.time_ns;
        let values = &raw.values[before.values..sample.values];
        let times = &raw.times[before.times..sample.times];
        if !values.is_empty() && !times.is_empty() && values.len() != times.len() {
            warnings.add("lengths", || {
                format!("a sample has {} values and {} times", values.len(), times.len())
            });
        }
        // Every observation is a point; a time without a value counts 1.
        let mut all = vec![0; self.builder.metrics.len()];
        for index in 0..values.len().max(times.len()) {
            all[metric] = match values {
                [] => 1,
                values => values.get(index).copied().unwrap_or(0),
            };
            let time = times.get(index).map(|&time| (time as i64).saturating_sub(start));
            let cpu = place.cpu;
            let point = Point { context, labels, time, thread, cpu, ..Point::default() };
            self.builder.points.push_point(point, &all);
        }
    }

    fn attribute(&mut self, from: &Attribute, place: &mut Where, labels: &mut Vec<Label>) {
        let raw = self.raw;
        let key = raw.text(&from.key);
        let text = || match &from.value {
            Value::Text(text) => raw.text(text).to_owned(),
            Value::Number(number) => number.to_string(),
            Value::Empty => String::new(),
        };
        match key {
            THREAD_ID => place.thread_id = Some(text()),
            THREAD_NAME => place.thread_name = Some(text()),
            PROCESS_ID => place.process_id = Some(text()),
            PROCESS_NAME => place.process_name = Some(text()),
            CPU => {
                place.cpu = match from.value {
                    Value::Number(number) => u32::try_from(number).ok(),
                    _ => text().parse().ok(),
                }
            }
            BUILD_ID | "" => {}
            key => {
                let value = match &from.value {
                    Value::Number(number) => {
                        let unit = self.builder.strings.intern(raw.string(from.unit));
                        LabelValue::Number(*number, unit)
                    }
                    _ => LabelValue::Text(self.builder.strings.intern(&text())),
                };
                labels.push(Label { key: self.builder.strings.intern(key), value });
            }
        }
    }

    fn thread(&mut self, place: &Where) -> Option<profile::ThreadId> {
        let name = |builder: &mut ProfileBuilder, name: &Option<String>| {
            name.as_deref().map_or(StringId::EMPTY, |name| builder.strings.intern(name))
        };
        if place.process_id.is_none() && place.thread_id.is_none() && place.thread_name.is_none() {
            return None;
        }
        let process = place.process_id.as_deref().map(|id| self.builder.process(id));
        if let Some(process) = process {
            let name = name(&mut self.builder, &place.process_name);
            self.builder.processes[process.index()].name = name;
        }
        let id = place.thread_id.as_deref().or(place.thread_name.as_deref()).unwrap_or("");
        let thread = self.builder.thread(process, id);
        let name = name(&mut self.builder, &place.thread_name);
        self.builder.threads[thread.index()].name = name;
        Some(thread)
    }

    fn context(&mut self, stack: u64, warnings: &mut Warnings) -> ContextId {
        let Some(row) = usize::try_from(stack).ok().filter(|&row| row < self.raw.stacks.len())
        else {
            if stack != 0 {
                warnings.add("stack", || format!("stack {stack} is not defined"));
            }
            return ContextId::ROOT;
        };
        if let Some(known) = self.contexts[row] {
            return known;
        }
        let mut at = ContextId::ROOT;
        // The leaf stands first.
        for &index in self.raw.stacks[row].iter().rev() {
            match usize::try_from(index).ok().and_then(|index| self.locations.get(index)) {
                Some(&location) => at = self.builder.contexts.child(at, location),
                None => warnings.add("location", || format!("location {index} is not defined")),
            }
        }
        self.contexts[row] = Some(at);
        at
    }
}

/// Where a sample was taken, by its attributes and those of its resource.
#[derive(Default)]
struct Where {
    process_id: Option<String>,
    process_name: Option<String>,
    thread_id: Option<String>,
    thread_name: Option<String>,
    cpu: Option<u32>,
}

fn any_value_of(bytes: &[u8]) -> Result<Value, WireError> {
    let mut found = Value::Empty;
    let mut walk = Fields::new(bytes);
    while let Some((field, payload)) = walk.next()? {
        found = match (field, payload) {
            (any_value::STRING, Payload::Bytes(text)) => Value::Text(Text::Own(lossy(text))),
            (any_value::STRING_INDEX, Payload::Varint(index)) => Value::Text(Text::Index(index)),
            (any_value::BOOL, Payload::Varint(value)) => {
                Value::Text(Text::Own((value != 0).to_string()))
            }
            (any_value::INT, Payload::Varint(value)) => Value::Number(value as i64),
            (any_value::DOUBLE, Payload::Fixed64(bits)) => {
                Value::Text(Text::Own(f64::from_bits(bits).to_string()))
            }
            (any_value::BYTES, Payload::Bytes(bytes)) => Value::Text(Text::Own(hexadecimal(bytes))),
            _ => Value::Text(Text::Own("(nested value)".to_owned())),
        };
    }
    Ok(found)
}

fn hexadecimal(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
