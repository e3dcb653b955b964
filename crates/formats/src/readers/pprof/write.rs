//! The writer. Locations, functions and modules keep their order; ids are their rows plus one.

use std::io::Write;

use hashbrown::HashMap;
use profile::{
    ContextId, FrameId, Functions, LabelSetId, LabelValue, LocationId, Module, Profile, StringId,
};

use super::schema::{
    function, label, line, location, mapping, profile as fields, sample, value_type,
};
use crate::WriteError;
use crate::numbers::whole_unit::WholeUnit;
use crate::wire::MessageWriter;

pub(super) fn write(profile: &Profile, out: &mut dyn Write) -> Result<(), WriteError> {
    let mut strings = StringTable { profile, extra: vec![], known: HashMap::new() };
    let mut message = MessageWriter::default();
    let mut put = |field: u64, message: &mut MessageWriter| -> Result<(), WriteError> {
        let mut head = MessageWriter::default();
        head.put_varint(field << 3 | 2);
        head.put_varint(message.bytes.len() as u64);
        out.write_all(&head.bytes)?;
        out.write_all(&message.bytes)?;
        message.clear();
        Ok(())
    };

    let mut units = vec![];
    for (metric, id) in profile.metrics.iter().zip(profile.metric_ids()) {
        let (unit, scale) = WholeUnit::new(metric, profile.points.values(id));
        units.push(scale);
        message.integer(value_type::TYPE, strings.add(&metric.name));
        message.integer(value_type::UNIT, strings.add(unit));
        put(fields::SAMPLE_TYPE, &mut message)?;
    }

    for (row, &context) in profile.points.context.iter().enumerate() {
        message.packed(sample::LOCATION_ID, path_ids(profile, context));
        let values = profile.points.row(row).iter().zip(&units);
        message.packed(sample::VALUE, values.map(|(&value, unit)| unit.value(value) as u64));
        put_labels(profile, profile.points.labels(row), &mut message);
        for (key, value) in place_labels(profile, row) {
            let mut inner = MessageWriter::default();
            inner.integer(label::KEY, strings.add(key));
            match value {
                PlaceLabel::Text(text) => inner.integer(label::STR, strings.add(&text)),
                PlaceLabel::Number(number) => inner.integer(label::NUM, number),
            }
            message.bytes(sample::LABEL, &inner.bytes);
        }
        put(fields::SAMPLE, &mut message)?;
    }

    for (row, module) in profile.modules.iter().enumerate() {
        put_module(row, module, &mut message);
        put(fields::MAPPING, &mut message)?;
    }
    for row in 0..profile.locations.len() {
        put_location(profile, LocationId(row as u32), &mut message);
        put(fields::LOCATION, &mut message)?;
    }
    for row in 0..profile.functions.len() {
        put_function(&profile.functions, row, &mut message);
        put(fields::FUNCTION, &mut message)?;
    }

    let tail = facts(profile, &mut strings);
    if let Some((kind, unit)) = &profile.origin.period_type {
        message.integer(value_type::TYPE, strings.add(kind));
        message.integer(value_type::UNIT, strings.add(unit));
        put(fields::PERIOD_TYPE, &mut message)?;
    }
    for row in 0..profile.strings.len() {
        message.bytes.extend_from_slice(profile.text(StringId(row as u32)).as_bytes());
        put(fields::STRING_TABLE, &mut message)?;
    }
    for text in strings.extra {
        message.bytes.extend_from_slice(text.as_bytes());
        put(fields::STRING_TABLE, &mut message)?;
    }
    out.write_all(&tail.bytes)?;
    Ok(())
}

fn put_module(row: usize, module: &Module, message: &mut MessageWriter) {
    message.integer(mapping::ID, row as u64 + 1);
    message.integer(mapping::MEMORY_START, module.memory_start);
    message.integer(mapping::MEMORY_LIMIT, module.memory_limit);
    message.integer(mapping::FILE_OFFSET, module.file_offset);
    message.integer(mapping::FILENAME, module.name.0.into());
    message.integer(mapping::BUILD_ID, module.build_id.0.into());
    message.integer(mapping::HAS_FUNCTIONS, module.flags.functions.into());
    message.integer(mapping::HAS_FILENAMES, module.flags.file_names.into());
    message.integer(mapping::HAS_LINE_NUMBERS, module.flags.line_numbers.into());
    message.integer(mapping::HAS_INLINE_FRAMES, module.flags.inline_frames.into());
}

fn put_function(functions: &Functions, row: usize, message: &mut MessageWriter) {
    message.integer(function::ID, row as u64 + 1);
    message.integer(function::NAME, functions.name[row].0.into());
    message.integer(function::SYSTEM_NAME, functions.system_name[row].0.into());
    message.integer(function::FILENAME, functions.file[row].0.into());
    message.integer(function::START_LINE, functions.start_line[row].into());
}

/// What holds of the whole profile.
fn facts(profile: &Profile, strings: &mut StringTable<'_>) -> MessageWriter {
    let origin = &profile.origin;
    let mut tail = MessageWriter::default();
    tail.integer(fields::DROP_FRAMES, strings.add(&origin.drop_frames));
    tail.integer(fields::KEEP_FRAMES, strings.add(&origin.keep_frames));
    tail.integer(fields::TIME_NANOS, origin.time_ns as u64);
    tail.integer(fields::DURATION_NANOS, origin.duration_ns as u64);
    tail.integer(fields::PERIOD, origin.period as u64);
    tail.integer(fields::DOC_URL, strings.add(&origin.doc_url));
    let mut comments: Vec<u64> = origin.comments.iter().map(|text| strings.add(text)).collect();
    if origin.format != super::FORMAT.name && !origin.producer.is_empty() {
        comments.push(strings.add(&format!("recorded by {}", origin.producer)));
    }
    tail.packed(fields::COMMENT, comments.into_iter());
    // Readers take the last one where none is named.
    if origin.default_metric_named || origin.default_metric.index() + 1 < profile.metrics.len() {
        let name = &profile.metric(origin.default_metric).name;
        tail.integer(fields::DEFAULT_SAMPLE_TYPE, strings.add(name));
    }
    tail
}

/// The profile's strings, and after them those that are not interned in it.
struct StringTable<'a> {
    profile: &'a Profile,
    extra: Vec<String>,
    known: HashMap<String, u64>,
}

impl StringTable<'_> {
    fn add(&mut self, text: &str) -> u64 {
        if text.is_empty() {
            return 0;
        }
        if let Some(&known) = self.known.get(text) {
            return known;
        }
        let index = (self.profile.strings.len() + self.extra.len()) as u64;
        self.extra.push(text.to_owned());
        self.known.insert(text.to_owned(), index);
        index
    }
}

/// Location ids from the leaf to the root.
fn path_ids(profile: &Profile, context: ContextId) -> impl Iterator<Item = u64> {
    let mut at = context;
    std::iter::from_fn(move || {
        let location = profile.contexts.location(at)?;
        at = profile.contexts.parent(at)?;
        Some(u64::from(location.0) + 1)
    })
}

fn put_labels(profile: &Profile, set: LabelSetId, message: &mut MessageWriter) {
    for entry in profile.label_sets.get(set) {
        let mut inner = MessageWriter::default();
        inner.integer(label::KEY, entry.key.0.into());
        match entry.value {
            LabelValue::Text(text) => inner.integer(label::STR, text.0.into()),
            LabelValue::Number(number, unit) => {
                inner.integer(label::NUM, number as u64);
                inner.integer(label::NUM_UNIT, unit.0.into());
            }
        }
        message.bytes(sample::LABEL, &inner.bytes);
    }
}

/// Where a point was measured, as labels: pprof has no other place for it.
fn place_labels(profile: &Profile, row: usize) -> Vec<(&'static str, PlaceLabel)> {
    let points = &profile.points;
    let mut labels = vec![];
    if let Some(thread) = points.thread(row) {
        if let Some(process) = profile.threads[thread.index()].process {
            labels.push(("process", PlaceLabel::Text(profile.process_name(process))));
        }
        labels.push(("thread", PlaceLabel::Text(profile.thread_name(thread))));
    }
    if let Some(cpu) = points.cpu(row) {
        labels.push(("cpu", PlaceLabel::Number(cpu.into())));
    }
    if let Some(member) = profile.members.get(points.member(row).index()) {
        labels.push(("member", PlaceLabel::Text(member.name.clone())));
    }
    labels
}

enum PlaceLabel {
    Text(String),
    Number(u64),
}

fn put_location(profile: &Profile, id: LocationId, message: &mut MessageWriter) {
    message.integer(location::ID, u64::from(id.0) + 1);
    let module = profile.locations.module(id).map_or(0, |module| u64::from(module.0) + 1);
    message.integer(location::MAPPING_ID, module);
    message.integer(location::ADDRESS, profile.locations.address[id.index()]);
    for frame in profile.locations.frames(id).rev().map(FrameId) {
        let (number, column) =
            (profile.frames.line[frame.index()], profile.frames.column[frame.index()]);
        let owner = profile.frames.function(frame);
        if owner.is_none() && number == 0 && column == 0 {
            continue;
        }
        let mut inner = MessageWriter::default();
        inner.integer(line::FUNCTION_ID, owner.map_or(0, |f| u64::from(f.0) + 1));
        inner.integer(line::LINE, number.into());
        inner.integer(line::COLUMN, column.into());
        message.bytes(location::LINE, &inner.bytes);
    }
    message.integer(location::IS_FOLDED, profile.locations.folded[id.index()].into());
}
