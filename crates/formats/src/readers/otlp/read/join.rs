//! Tables of the file and of the profile, joined.

use std::collections::HashMap;

use profile::{
    ContextId, FunctionId, Label, LabelSetId, LabelValue, Location, LocationId, Metric, Module,
    ModuleFlags, ModuleId, Point, Points, ProcessId, Profile, ProfileBuilder, StringId, ThreadId,
};

use super::raw::{Attribute, Raw, RawProfile, RawSample, Value};
use crate::readers::otlp::FORMAT;
use crate::readers::otlp::format::{
    BUILD_ID, CPU, PROCESS_ID, PROCESS_NAME, THREAD_ID, THREAD_NAME,
};
use crate::{Place, ReadError, ReadOptions, Warnings};

impl Raw {
    pub(super) fn join(
        mut self,
        end: Place,
        options: &ReadOptions,
        warnings: &mut Warnings,
    ) -> Result<Profile, ReadError> {
        let is_older = !self.tables.is_there
            || self.tables.stacks.len() == 0
                && !self.samples.is_empty()
                && self.tables.locations.len() > 1;
        if is_older {
            return Err(ReadError::Unsupported {
                found: "an OpenTelemetry profile from before OTLP 1.8".to_owned(),
                instead: "have the profiler or collector write the current version",
            });
        }
        if self.tables.strings.first().is_some_and(|first| !first.is_empty()) {
            return Err(ReadError::Malformed {
                format: FORMAT.name,
                place: end,
                reason: "entry 0 of the string table is not empty".to_owned(),
            });
        }
        for (count, what) in [
            (self.skipped.payloads, "original payloads inside of the file are not opened"),
            (self.skipped.location_attributes, "attributes of locations are not shown"),
            (self.skipped.fields, "fields of a later version are skipped"),
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
    known: HashMap<Key<'a>, (About, Named)>,
    /// The values of a point; zeros between samples.
    row: Vec<i64>,
}

impl<'a> Join<'a> {
    fn new(raw: &'a Raw, warnings: &mut Warnings) -> Join<'a> {
        let mut builder = ProfileBuilder::default();
        let mut modules = vec![];
        for (numbers, attributes) in &raw.tables.mappings {
            let [memory_start, memory_limit, file_offset, name] = *numbers;
            let build_id = attributes.iter().find_map(|&index| {
                let attribute = raw.tables.attribute_table.get(usize::try_from(index).ok()?)?;
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
        let functions: Vec<Option<FunctionId>> = (raw.tables.functions.iter())
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
        for row in &raw.tables.locations {
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
        let contexts = vec![None; raw.tables.stacks.len()];
        Join { raw, builder, contexts, locations, known: HashMap::new(), row: vec![] }
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
        self.row = vec![0; self.builder.metrics.len()];
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
        let own = &raw.attributes[before.attributes..sample.attributes];
        let About { labels, thread, cpu } = self.about(profile, own, sample.link, warnings);
        let context = self.context(sample.stack, warnings);
        let start = self.builder.origin.time_ns;
        let values = &raw.values[before.values..sample.values];
        let times = &raw.times[before.times..sample.times];
        if !values.is_empty() && !times.is_empty() && values.len() != times.len() {
            warnings.add("lengths", || {
                format!("a sample has {} values and {} times", values.len(), times.len())
            });
        }
        // Every observation is a point; a time without a value counts 1.
        for index in 0..values.len().max(times.len()) {
            self.row[metric] = match values {
                [] => 1,
                values => values.get(index).copied().unwrap_or(0),
            };
            let time = times.get(index).map(|&time| (time as i64).saturating_sub(start));
            let point = Point { context, labels, time, thread, cpu, ..Point::default() };
            self.builder.points.push_point(point, &self.row);
        }
        self.row[metric] = 0;
    }

    /// What the attributes of a sample, of its profile and of its resource tell.
    fn about(
        &mut self,
        profile: &RawProfile,
        own: &'a [u64],
        link: u64,
        warnings: &mut Warnings,
    ) -> About {
        let key = (profile.samples, own, link);
        if let Some(known) = self.known.get(&key) {
            let (about, named) = *known;
            named.apply(&mut self.builder);
            return about;
        }
        let raw = self.raw;
        let mut place = Where::default();
        let mut labels = vec![];
        for attribute in &raw.resources[profile.resource] {
            self.attribute(attribute, &mut place, &mut labels);
        }
        let mut is_defined = true;
        for &index in profile.attributes.iter().chain(own) {
            let known = usize::try_from(index).ok().and_then(|i| raw.tables.attribute_table.get(i));
            match known {
                Some(attribute) => self.attribute(attribute, &mut place, &mut labels),
                None => {
                    is_defined = false;
                    warnings.add("attribute", || format!("attribute {index} is not defined"));
                }
            }
        }
        if link != 0
            && let Some((trace, span)) =
                usize::try_from(link).ok().and_then(|index| raw.tables.links.get(index))
        {
            for (key, id) in [("trace_id", trace), ("span_id", span)] {
                labels.push(Label {
                    key: self.builder.strings.intern(key),
                    value: LabelValue::Text(self.builder.strings.intern(id)),
                });
            }
        }
        let labels = self.builder.labels.add(&labels);
        let named = self.named(&place);
        let about =
            About { labels, thread: named.thread.map(|(thread, _)| thread), cpu: place.cpu };
        named.apply(&mut self.builder);
        // What is not defined is counted by sample.
        if is_defined && self.known.len() < MOST_KNOWN {
            self.known.insert(key, (about, named));
        }
        about
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

    /// The thread and process that attributes name.
    fn named(&mut self, place: &Where) -> Named {
        if place.process_id.is_none() && place.thread_id.is_none() && place.thread_name.is_none() {
            return Named::default();
        }
        let name = |builder: &mut ProfileBuilder, name: &Option<String>| {
            name.as_deref().map_or(StringId::EMPTY, |name| builder.strings.intern(name))
        };
        let builder = &mut self.builder;
        let process = place.process_id.as_deref().map(|id| builder.process(id));
        let process = process.map(|process| (process, name(builder, &place.process_name)));
        let id = place.thread_id.as_deref().or(place.thread_name.as_deref()).unwrap_or("");
        let thread = builder.thread(process.map(|(process, _)| process), id);
        Named { process, thread: Some((thread, name(builder, &place.thread_name))) }
    }

    fn context(&mut self, stack: u64, warnings: &mut Warnings) -> ContextId {
        let Some(row) =
            usize::try_from(stack).ok().filter(|&row| row < self.raw.tables.stacks.len())
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
        for &index in self.raw.tables.stacks.get(row).iter().rev() {
            match usize::try_from(index).ok().and_then(|index| self.locations.get(index)) {
                Some(&location) => at = self.builder.contexts.child(at, location),
                None => warnings.add("location", || format!("location {index} is not defined")),
            }
        }
        self.contexts[row] = Some(at);
        at
    }
}

/// Most attributes of samples that are looked up once.
const MOST_KNOWN: usize = 1 << 16;

/// Samples of a profile, their attributes and their link.
type Key<'a> = ((usize, usize), &'a [u64], u64);

/// What attributes tell of a sample.
#[derive(Debug, Clone, Copy)]
struct About {
    labels: LabelSetId,
    thread: Option<ThreadId>,
    cpu: Option<u32>,
}

/// A process and a thread with their names. The last sample decides what they are called.
#[derive(Debug, Clone, Copy, Default)]
struct Named {
    process: Option<(ProcessId, StringId)>,
    thread: Option<(ThreadId, StringId)>,
}

impl Named {
    fn apply(self, builder: &mut ProfileBuilder) {
        if let Some((process, name)) = self.process {
            builder.processes[process.index()].name = name;
        }
        if let Some((thread, name)) = self.thread {
            builder.threads[thread.index()].name = name;
        }
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
