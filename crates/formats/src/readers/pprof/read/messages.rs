//! The messages of the file, one after the other, into its tables.

use profile::{ContextId, Label, LabelSetId, LabelValue, Points, StringId};

use super::file::Fault;
use super::raw::{
    RawFunction, RawLine, RawLocation, RawMapping, RawProfile, RawString, RawValueType,
};
use crate::readers::pprof::schema::{
    function, label, line, location, mapping, profile as fields, sample, value_type,
};
use crate::wire::{Fields, Payload, repeated};
use crate::{Place, Warnings};

impl RawProfile {
    pub(super) fn integer(&mut self, field: u64, value: u64, place: Place) -> Result<(), Fault> {
        let string = RawString { index: value, place: place.0 };
        let origin = &mut self.builder.origin;
        match field {
            fields::DROP_FRAMES => self.drop_frames = string,
            fields::KEEP_FRAMES => self.keep_frames = string,
            fields::TIME_NANOS if origin.time_ns != 0 => {
                let reason = "a second start time: concatenated profiles detected; \
                              merge them with a profiler's own tool instead of `cat`";
                return Err(Fault::At { offset: 0, reason: reason.to_owned() });
            }
            fields::TIME_NANOS => origin.time_ns = value as i64,
            fields::DURATION_NANOS => origin.duration_ns = value as i64,
            fields::PERIOD => origin.period = value as i64,
            fields::COMMENT => self.comments.push(string),
            fields::DEFAULT_SAMPLE_TYPE => self.default_type = string,
            fields::DOC_URL => self.doc_url = string,
            _ => {}
        }
        Ok(())
    }

    #[inline]
    pub(super) fn message(
        &mut self,
        field: u64,
        bytes: &[u8],
        place: Place,
        warnings: &mut Warnings,
    ) -> Result<(), Fault> {
        match field {
            fields::SAMPLE => self.sample(bytes, place)?,
            fields::SAMPLE_TYPE => self.sample_types.push(read_value_type(bytes, place)?),
            fields::MAPPING => self.mapping(bytes, place)?,
            fields::LOCATION => self.location(bytes)?,
            fields::FUNCTION => self.function(bytes, place)?,
            fields::STRING_TABLE => self.string(bytes, place, warnings),
            fields::PERIOD_TYPE => self.period_type = Some(read_value_type(bytes, place)?),
            fields::COMMENT => repeated(Payload::Bytes(bytes), |index| {
                self.comments.push(RawString { index, place: place.0 });
            })?,
            _ => {}
        }
        Ok(())
    }

    #[inline]
    fn sample(&mut self, bytes: &[u8], place: Place) -> Result<(), Fault> {
        self.values.clear();
        self.labels.clear();
        self.ids.clear();
        let mut packed: Option<&[u8]> = None;
        let mut walk = Fields::new(bytes);
        while let Some((number, payload)) = walk.next()? {
            match (number, payload) {
                (sample::LOCATION_ID, Payload::Bytes(list))
                    if packed.is_none() && self.ids.is_empty() =>
                {
                    packed = Some(list);
                }
                (sample::LOCATION_ID, payload) => {
                    if let Some(first) = packed.take() {
                        repeated(Payload::Bytes(first), |id| self.ids.push(id))?;
                    }
                    repeated(payload, |id| self.ids.push(id))?;
                }
                (sample::VALUE, payload) => repeated(payload, |v| self.values.push(v as i64))?,
                (sample::LABEL, Payload::Bytes(bytes)) => {
                    let at = place.0 + walk.position() as u64;
                    let label = read_label(bytes, at, &mut self.largest_label_string)?;
                    self.labels.push(label);
                }
                _ => {}
            }
        }
        let builder = &mut self.builder;
        if builder.points.is_empty() {
            builder.points = Points::new(self.values.len());
        }
        if self.values.len() != builder.points.metrics() {
            let (count, before) = (self.values.len(), builder.points.metrics());
            let reason = format!("a sample has {count} values, the ones before have {before}");
            return Err(Fault::At { offset: 0, reason });
        }
        let labels =
            if self.labels.is_empty() { LabelSetId(0) } else { builder.labels.add(&self.labels) };
        match packed {
            Some(list) if list.last().is_some_and(|&byte| byte >= 0x80) => {
                let reason = "a packed location id is cut short".to_owned();
                return Err(Fault::At { offset: 0, reason });
            }
            Some(list) => self.stacks.packed(list, place)?,
            None => self.stacks.ids(&self.ids, place)?,
        }
        // Contexts come when all stacks have theirs.
        builder.points.push(ContextId::ROOT, labels, &self.values);
        Ok(())
    }

    fn mapping(&mut self, bytes: &[u8], place: Place) -> Result<(), Fault> {
        let mut raw = RawMapping::default();
        let module = &mut raw.module;
        let mut walk = Fields::new(bytes);
        while let Some((number, payload)) = walk.next()? {
            let Payload::Varint(value) = payload else { continue };
            let string = RawString { index: value, place: place.0 };
            match number {
                mapping::ID => raw.id = value,
                mapping::MEMORY_START => module.memory_start = value,
                mapping::MEMORY_LIMIT => module.memory_limit = value,
                mapping::FILE_OFFSET => module.file_offset = value,
                mapping::FILENAME => raw.name = string,
                mapping::BUILD_ID => raw.build_id = string,
                mapping::HAS_FUNCTIONS => module.flags.functions = value != 0,
                mapping::HAS_FILENAMES => module.flags.file_names = value != 0,
                mapping::HAS_LINE_NUMBERS => module.flags.line_numbers = value != 0,
                mapping::HAS_INLINE_FRAMES => module.flags.inline_frames = value != 0,
                _ => {}
            }
        }
        self.mappings.push(raw);
        Ok(())
    }

    fn location(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        let mut raw = RawLocation::default();
        let first = self.lines.len();
        let mut walk = Fields::new(bytes);
        while let Some((number, payload)) = walk.next()? {
            match (number, payload) {
                (location::ID, Payload::Varint(value)) => raw.id = value,
                (location::MAPPING_ID, Payload::Varint(value)) => raw.mapping = value,
                (location::ADDRESS, Payload::Varint(value)) => raw.address = value,
                (location::IS_FOLDED, Payload::Varint(value)) => raw.folded = value != 0,
                (location::LINE, Payload::Bytes(bytes)) => {
                    let mut entry = RawLine::default();
                    let mut walk = Fields::new(bytes);
                    while let Some((number, payload)) = walk.next()? {
                        match (number, payload) {
                            (line::FUNCTION_ID, Payload::Varint(value)) => entry.function = value,
                            (line::LINE, Payload::Varint(value)) => entry.line = value,
                            (line::COLUMN, Payload::Varint(value)) => entry.column = value,
                            _ => {}
                        }
                    }
                    self.lines.push(entry);
                }
                _ => {}
            }
        }
        raw.lines = (first, self.lines.len());
        self.locations.push(raw);
        Ok(())
    }

    fn function(&mut self, bytes: &[u8], place: Place) -> Result<(), Fault> {
        let mut raw = RawFunction::default();
        let mut walk = Fields::new(bytes);
        while let Some((number, payload)) = walk.next()? {
            let Payload::Varint(value) = payload else { continue };
            let string = RawString { index: value, place: place.0 };
            match number {
                function::ID => raw.id = value,
                function::NAME => raw.name = string,
                function::SYSTEM_NAME => raw.system_name = string,
                function::FILENAME => raw.file = string,
                function::START_LINE => raw.start_line = value,
                _ => {}
            }
        }
        self.functions.push(raw);
        Ok(())
    }

    fn string(&mut self, bytes: &[u8], place: Place, warnings: &mut Warnings) {
        let text = String::from_utf8_lossy(bytes);
        if let std::borrow::Cow::Owned(_) = text {
            warnings.add("utf8", || {
                format!(
                    "string {} at {place} is not UTF-8: bad bytes show as \u{fffd}",
                    self.strings.len()
                )
            });
        }
        if self.strings.is_empty() {
            self.first_string_empty = text.is_empty();
        }
        self.strings.push(self.builder.strings.intern(&text));
    }
}

fn read_value_type(bytes: &[u8], place: Place) -> Result<RawValueType, Fault> {
    let mut raw = RawValueType::default();
    let mut walk = Fields::new(bytes);
    while let Some((number, payload)) = walk.next()? {
        let Payload::Varint(index) = payload else { continue };
        let string = RawString { index, place: place.0 };
        match number {
            value_type::TYPE => raw.kind = string,
            value_type::UNIT => raw.unit = string,
            _ => {}
        }
    }
    Ok(raw)
}

/// A label that names raw strings.
#[inline]
fn read_label(bytes: &[u8], place: u64, largest: &mut RawString) -> Result<Label, Fault> {
    let (mut key, mut text, mut number, mut unit) = (0, 0, 0, 0);
    let mut walk = Fields::new(bytes);
    while let Some((field, payload)) = walk.next()? {
        let Payload::Varint(value) = payload else { continue };
        match field {
            label::KEY => key = value,
            label::STR => text = value,
            label::NUM => number = value as i64,
            label::NUM_UNIT => unit = value,
            _ => {}
        }
    }
    let highest = key.max(text).max(unit);
    if highest > largest.index {
        *largest = RawString { index: highest, place };
    }
    if highest >= u64::from(u32::MAX) {
        let reason = format!("a label names string {}", highest as i64);
        return Err(Fault::At { offset: 0, reason });
    }
    let string = |index: u64| StringId(index as u32);
    // A label is a text or a number; a text wins, as in pprof's own reader.
    let value = match text {
        0 => LabelValue::Number(number, string(unit)),
        _ => LabelValue::Text(string(text)),
    };
    Ok(Label { key: string(key), value })
}
