//! The writer: one profile a metric, all on one dictionary.

use std::io::Write;

use hashbrown::HashMap;
use profile::{ContextId, FrameId, LabelValue, LocationId, MetricId, Profile};

use super::format::{BUILD_ID, CPU, PROCESS_ID, PROCESS_NAME, THREAD_ID, THREAD_NAME};
use super::schema::{
    any_value, attribute, data, dictionary, function, line, location, mapping, profile as fields,
    resource_profiles, sample, scope, scope_profiles, stack, value_type,
};
use crate::WriteError;
use crate::numbers::whole_unit::WholeUnit;
use crate::wire::MessageWriter;

pub(super) fn write(profile: &Profile, out: &mut dyn Write) -> Result<(), WriteError> {
    let mut tables = Tables::new(profile);
    let mut profiles = MessageWriter::default();
    let mut inner = MessageWriter::default();
    inner.text(scope::NAME, "hotframe");
    profiles.bytes(scope_profiles::SCOPE, &inner.bytes);
    // The one to show first stands first.
    let default = profile.origin.default_metric;
    let others = profile.metric_ids().filter(|&metric| metric != default);
    let metrics =
        (default.index() < profile.metrics.len()).then_some(default).into_iter().chain(others);
    for metric in metrics {
        profiles.bytes(scope_profiles::PROFILES, &tables.profile(metric).bytes);
    }
    let mut resource = MessageWriter::default();
    resource.bytes(resource_profiles::SCOPE_PROFILES, &profiles.bytes);
    let mut file = MessageWriter::default();
    file.bytes(data::RESOURCE_PROFILES, &resource.bytes);
    file.bytes(data::DICTIONARY, &tables.dictionary().bytes);
    out.write_all(&file.bytes)?;
    Ok(())
}

/// The dictionary under construction. Functions, locations and modules keep their order behind
/// entry 0.
struct Tables<'a> {
    profile: &'a Profile,
    /// Texts that are not in the profile's own table.
    more_strings: Vec<String>,
    string_rows: HashMap<String, u64>,
    stacks: HashMap<ContextId, u64>,
    stack_table: MessageWriter,
    attributes: HashMap<Vec<u8>, u64>,
    attribute_table: MessageWriter,
}

impl<'a> Tables<'a> {
    fn new(profile: &'a Profile) -> Self {
        let mut tables = Tables {
            profile,
            more_strings: vec![],
            string_rows: HashMap::new(),
            stacks: HashMap::new(),
            stack_table: MessageWriter::default(),
            attributes: HashMap::new(),
            attribute_table: MessageWriter::default(),
        };
        tables.stack_table.bytes(dictionary::STACK, &[]);
        tables.stacks.insert(ContextId::ROOT, 0);
        tables.attribute_table.bytes(dictionary::ATTRIBUTE, &[]);
        tables
    }

    fn string(&mut self, text: &str) -> u64 {
        if text.is_empty() {
            return 0;
        }
        if let Some(&row) = self.string_rows.get(text) {
            return row;
        }
        let row = (self.profile.strings.len() + self.more_strings.len()) as u64;
        self.more_strings.push(text.to_owned());
        self.string_rows.insert(text.to_owned(), row);
        row
    }

    fn profile(&mut self, metric: MetricId) -> MessageWriter {
        let (profile, origin) = (self.profile, &self.profile.origin);
        let mut message = MessageWriter::default();
        let mut inner = MessageWriter::default();
        let entry = profile.metric(metric);
        inner.integer(value_type::TYPE, self.string(&entry.name));
        let (unit, scale) = WholeUnit::new(entry, profile.points.values(metric));
        inner.integer(value_type::UNIT, self.string(unit));
        message.bytes(fields::SAMPLE_TYPE, &inner.bytes);
        let is_timed = profile.points.has_times();
        for row in 0..profile.points.len() {
            let value = profile.points.value(row, metric);
            // With one metric a sample without value is still a sample.
            if value == 0 && profile.metrics.len() > 1 {
                continue;
            }
            let mut inner = MessageWriter::default();
            inner.integer(sample::STACK_INDEX, self.stack(profile.points.context[row]));
            let attributes = self.attributes(row);
            inner.packed(sample::ATTRIBUTE_INDICES, attributes.into_iter());
            inner.packed(sample::VALUES, [scale.value(value) as u64].into_iter());
            if is_timed && let Some(time) = profile.points.time(row) {
                let time = origin.time_ns.wrapping_add(time);
                inner.bytes(sample::TIMESTAMPS, &time.to_le_bytes());
            }
            message.bytes(fields::SAMPLES, &inner.bytes);
        }
        if origin.time_ns != 0 {
            message.fixed64(fields::TIME_UNIX_NANO, origin.time_ns as u64);
        }
        message.integer(fields::DURATION_NANO, origin.duration_ns.max(0) as u64);
        if let Some((kind, unit)) = &origin.period_type {
            let mut inner = MessageWriter::default();
            inner.integer(value_type::TYPE, self.string(kind));
            inner.integer(value_type::UNIT, self.string(unit));
            message.bytes(fields::PERIOD_TYPE, &inner.bytes);
        }
        message.integer(fields::PERIOD, origin.period as u64);
        message
    }

    fn stack(&mut self, context: ContextId) -> u64 {
        if let Some(&row) = self.stacks.get(&context) {
            return row;
        }
        let row = self.stacks.len() as u64;
        self.stacks.insert(context, row);
        let contexts = &self.profile.contexts;
        let path = std::iter::successors(Some(context), |&at| contexts.parent(at));
        let locations = path.filter_map(|at| contexts.location(at)).map(|l| u64::from(l.0) + 1);
        let mut inner = MessageWriter::default();
        inner.packed(stack::LOCATION_INDICES, locations);
        self.stack_table.bytes(dictionary::STACK, &inner.bytes);
        row
    }

    /// What a point says of itself besides stack, value and time.
    fn attributes(&mut self, row: usize) -> Vec<u64> {
        let profile = self.profile;
        let mut rows = vec![];
        if let Some(thread) = profile.points.thread(row) {
            let thread = profile.threads[thread.index()];
            if let Some(process) = thread.process {
                let process = profile.processes[process.index()];
                rows.push(self.text_attribute(PROCESS_ID, profile.text(process.id)));
                rows.push(self.text_attribute(PROCESS_NAME, profile.text(process.name)));
            }
            rows.push(self.text_attribute(THREAD_ID, profile.text(thread.id)));
            rows.push(self.text_attribute(THREAD_NAME, profile.text(thread.name)));
        }
        if let Some(cpu) = profile.points.cpu(row) {
            rows.push(self.number_attribute(CPU, cpu.into(), ""));
        }
        if let Some(member) = profile.members.get(profile.points.member(row).index()) {
            rows.push(self.text_attribute("member", &member.name));
        }
        for label in profile.label_sets.get(profile.points.labels(row)) {
            let key = profile.text(label.key);
            rows.push(match label.value {
                LabelValue::Text(text) => self.text_attribute(key, profile.text(text)),
                LabelValue::Number(number, unit) => {
                    self.number_attribute(key, number, profile.text(unit))
                }
            });
        }
        rows.retain(|&row| row != 0);
        rows
    }

    fn text_attribute(&mut self, key: &str, text: &str) -> u64 {
        if text.is_empty() {
            return 0;
        }
        let mut value = MessageWriter::default();
        value.text(any_value::STRING, text);
        self.attribute(key, &value, "")
    }

    fn number_attribute(&mut self, key: &str, number: i64, unit: &str) -> u64 {
        let mut value = MessageWriter::default();
        // Written even if it is 0: an absent value is not a number.
        value.put_varint(any_value::INT << 3);
        value.put_varint(number as u64);
        self.attribute(key, &value, unit)
    }

    fn attribute(&mut self, key: &str, value: &MessageWriter, unit: &str) -> u64 {
        let mut inner = MessageWriter::default();
        inner.integer(attribute::KEY, self.string(key));
        inner.bytes(attribute::VALUE, &value.bytes);
        inner.integer(attribute::UNIT, self.string(unit));
        if let Some(&row) = self.attributes.get(&inner.bytes) {
            return row;
        }
        let row = self.attributes.len() as u64 + 1;
        self.attribute_table.bytes(dictionary::ATTRIBUTE, &inner.bytes);
        self.attributes.insert(inner.bytes, row);
        row
    }

    fn dictionary(mut self) -> MessageWriter {
        let profile = self.profile;
        let mut message = MessageWriter::default();
        message.bytes(dictionary::MAPPING, &[]);
        for module in &profile.modules {
            let mut inner = MessageWriter::default();
            inner.integer(mapping::MEMORY_START, module.memory_start);
            inner.integer(mapping::MEMORY_LIMIT, module.memory_limit);
            inner.integer(mapping::FILE_OFFSET, module.file_offset);
            inner.integer(mapping::FILENAME, module.name.0.into());
            let build_id = self.text_attribute(BUILD_ID, profile.text(module.build_id));
            inner.packed(
                mapping::ATTRIBUTE_INDICES,
                (build_id != 0).then_some(build_id).into_iter(),
            );
            message.bytes(dictionary::MAPPING, &inner.bytes);
        }
        message.bytes(dictionary::LOCATION, &[]);
        for row in 0..profile.locations.len() {
            let inner = location_of(profile, LocationId(row as u32));
            message.bytes(dictionary::LOCATION, &inner.bytes);
        }
        message.bytes(dictionary::FUNCTION, &[]);
        let functions = &profile.functions;
        for row in 0..functions.len() {
            let mut inner = MessageWriter::default();
            inner.integer(function::NAME, functions.name[row].0.into());
            inner.integer(function::SYSTEM_NAME, functions.system_name[row].0.into());
            inner.integer(function::FILENAME, functions.file[row].0.into());
            inner.integer(function::START_LINE, functions.start_line[row].into());
            message.bytes(dictionary::FUNCTION, &inner.bytes);
        }
        message.bytes(dictionary::LINK, &[]);
        for row in 0..profile.strings.len() {
            let text = profile.text(profile::StringId(row as u32));
            message.bytes(dictionary::STRING, text.as_bytes());
        }
        for text in &self.more_strings {
            message.bytes(dictionary::STRING, text.as_bytes());
        }
        message.bytes.extend_from_slice(&self.attribute_table.bytes);
        message.bytes.extend_from_slice(&self.stack_table.bytes);
        message
    }
}

fn location_of(profile: &Profile, id: LocationId) -> MessageWriter {
    let mut message = MessageWriter::default();
    let module = profile.locations.module(id).map_or(0, |module| u64::from(module.0) + 1);
    message.integer(location::MAPPING_INDEX, module);
    message.integer(location::ADDRESS, profile.locations.address[id.index()]);
    for frame in profile.locations.frames(id).rev().map(FrameId) {
        let (number, column) =
            (profile.frames.line[frame.index()], profile.frames.column[frame.index()]);
        let owner = profile.frames.function(frame);
        if owner.is_none() && number == 0 && column == 0 {
            continue;
        }
        let mut inner = MessageWriter::default();
        inner.integer(line::FUNCTION_INDEX, owner.map_or(0, |f| u64::from(f.0) + 1));
        inner.integer(line::LINE, number.into());
        inner.integer(line::COLUMN, column.into());
        message.bytes(location::LINES, &inner.bytes);
    }
    message
}
