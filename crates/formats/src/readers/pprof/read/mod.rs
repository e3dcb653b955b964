//! The reader: one pass over the stream, sample by sample; tables that refer to each other are
//! joined at the end.

use hashbrown::HashMap;
use profile::{
    ContextId, FunctionId, Label, LabelSetId, LabelValue, Location, LocationId, Member, MemberId,
    Metric, Module, ModuleId, Point, Points, Profile, ProfileBuilder, StringId,
};

use super::schema::{
    function, label, line, location, mapping, profile as fields, sample, value_type,
};
use super::stacks::{Overlong, StackInterner};
use crate::stream::Stream;
use crate::wire::{Fields, Payload, WireError, next_field, repeated, varint};
use crate::{Place, ReadError, ReadOptions, Warnings};

const NAME: &str = "pprof";

/// Bytes of the file between two looks at the memory in use.
const BYTES_BETWEEN_CHECKS: usize = 64 << 10;

pub(super) fn read(
    mut stream: Stream,
    options: &ReadOptions,
    warnings: &mut Warnings,
) -> Result<Profile, ReadError> {
    let mut raw = RawProfile::new();
    let mut unchecked = 0;
    loop {
        let place = stream.place();
        let Some((field, wire, start, len)) = next_field(&mut stream, NAME)? else { break };
        let total = start + len;
        let bytes = stream.peek(total)?;
        if bytes.len() < total {
            return Err(ReadError::Truncated {
                format: NAME,
                place: Place(place.0 + bytes.len() as u64),
                reason: format!(
                    "{} bytes of field {field} at {place} are missing",
                    total - bytes.len()
                ),
            });
        }
        let payload = &bytes[start..total];
        let result = match wire {
            0 => raw.integer(field, varint(payload, &mut 0).unwrap_or_default(), place),
            2 => raw.message(field, payload, Place(place.0 + start as u64), warnings),
            _ => Ok(()),
        };
        result.map_err(|fault| fault.into_error(Place(place.0 + start as u64)))?;
        stream.consume(total);
        unchecked += total;
        if unchecked >= BYTES_BETWEEN_CHECKS {
            unchecked = 0;
            options.check_memory(raw.heap_bytes())?;
        }
    }
    options.check_memory(raw.heap_bytes())?;
    raw.join(stream.place(), warnings)
}

/// What is wrong inside a field.
enum Fault {
    Wire(WireError),
    At { offset: usize, reason: String },
}

impl From<WireError> for Fault {
    fn from(error: WireError) -> Self {
        Fault::Wire(error)
    }
}

impl From<Overlong> for Fault {
    fn from(Overlong: Overlong) -> Self {
        let reason = "one of the last samples has a location id of more than ten bytes".to_owned();
        Fault::At { offset: 0, reason }
    }
}

impl Fault {
    fn into_error(self, start: Place) -> ReadError {
        let (offset, reason) = match self {
            Fault::Wire(error) => (error.offset, error.reason.to_owned()),
            Fault::At { offset, reason } => (offset, reason),
        };
        ReadError::Malformed { format: NAME, place: Place(start.0 + offset as u64), reason }
    }
}

/// EasyView keeps the snapshots of a series as so many sample types of one profile, of which only
/// one has a name: they become members.
fn split_snapshots(builder: &mut ProfileBuilder) {
    let is_named = |metric: &Metric| !metric.name.is_empty() || !metric.unit.is_empty();
    let mut named = builder.metrics.iter().filter(|metric| is_named(metric));
    let (Some(metric), None) = (named.next().cloned(), named.next()) else { return };
    if builder.metrics.len() < 2 {
        return;
    }
    let all = std::mem::replace(&mut builder.points, Points::new(1));
    for point in 0..all.len() {
        for (member, &value) in all.row(point).iter().enumerate() {
            if value != 0 {
                let member = MemberId(member as u32);
                builder.points.push_point(Point { member, ..all.get(point) }, &[value]);
            }
        }
    }
    builder.members = (1..=builder.metrics.len())
        .map(|number| Member { name: format!("snapshot {number}"), ..Member::default() })
        .collect();
    builder.metrics = vec![metric];
    builder.origin.default_metric = 0;
}

/// An index into the string table, not yet checked, with the place that names it.
#[derive(Debug, Clone, Copy, Default)]
struct RawString {
    index: u64,
    place: u64,
}

#[derive(Debug, Default)]
struct RawMapping {
    id: u64,
    module: Module,
    name: RawString,
    build_id: RawString,
}

#[derive(Debug, Default)]
struct RawFunction {
    id: u64,
    name: RawString,
    system_name: RawString,
    file: RawString,
    start_line: u64,
}

#[derive(Debug, Default)]
struct RawLocation {
    id: u64,
    mapping: u64,
    address: u64,
    folded: bool,
    /// Range in `RawProfile::lines`.
    lines: (usize, usize),
}

#[derive(Debug, Default)]
struct RawLine {
    function: u64,
    line: u64,
    column: u64,
}

#[derive(Debug, Default, Clone, Copy)]
struct RawValueType {
    kind: RawString,
    unit: RawString,
}

/// The file's tables as they stand in it.
struct RawProfile {
    /// Contexts, label sets (naming raw strings) and points are built on the way.
    builder: ProfileBuilder,
    stacks: StackInterner,
    sample_types: Vec<RawValueType>,
    mappings: Vec<RawMapping>,
    functions: Vec<RawFunction>,
    locations: Vec<RawLocation>,
    lines: Vec<RawLine>,
    /// By raw index.
    strings: Vec<StringId>,
    first_string_empty: bool,
    largest_label_string: RawString,
    drop_frames: RawString,
    keep_frames: RawString,
    default_type: RawString,
    doc_url: RawString,
    comments: Vec<RawString>,
    period_type: Option<RawValueType>,
    // Taken and put back for each sample, so that no sample allocates.
    ids: Vec<u64>,
    values: Vec<i64>,
    labels: Vec<Label>,
}

/// Bytes of a location, a line and a function after joining, with the indexes that joining needs.
const JOINED_LOCATION: usize = 64;
const JOINED_LINE: usize = 32;
const JOINED_FUNCTION: usize = 64;

impl RawProfile {
    fn new() -> Self {
        RawProfile {
            builder: ProfileBuilder::default(),
            stacks: StackInterner::new(),
            sample_types: vec![],
            mappings: vec![],
            functions: vec![],
            locations: vec![],
            lines: vec![],
            strings: vec![],
            first_string_empty: true,
            largest_label_string: RawString::default(),
            drop_frames: RawString::default(),
            keep_frames: RawString::default(),
            default_type: RawString::default(),
            doc_url: RawString::default(),
            comments: vec![],
            period_type: None,
            ids: vec![],
            values: vec![],
            labels: vec![],
        }
    }

    fn heap_bytes(&self) -> usize {
        self.builder.heap_bytes()
            + self.stacks.heap_bytes()
            + self.strings.capacity() * size_of::<StringId>()
            + self.locations.capacity() * size_of::<RawLocation>()
            + self.lines.capacity() * size_of::<RawLine>()
            + self.functions.capacity() * size_of::<RawFunction>()
            + self.mappings.capacity() * size_of::<RawMapping>()
            + self.sample_types.capacity() * size_of::<RawValueType>()
            + self.comments.capacity() * size_of::<RawString>()
            // What joining them makes of them: tables, and indexes by their ids.
            + self.locations.len() * JOINED_LOCATION
            + self.lines.len() * JOINED_LINE
            + self.functions.len() * JOINED_FUNCTION
    }

    fn integer(&mut self, field: u64, value: u64, place: Place) -> Result<(), Fault> {
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
    fn message(
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
        let labels = match self.labels.is_empty() {
            true => LabelSetId(0),
            false => builder.labels.add(&self.labels),
        };
        let point = builder.points.len();
        match packed {
            Some(list) if list.last().is_some_and(|&byte| byte >= 0x80) => {
                let reason = "a packed location id is cut short".to_owned();
                return Err(Fault::At { offset: 0, reason });
            }
            Some(list) => self.stacks.packed(list, point),
            None => self.stacks.ids(&self.ids, point),
        }
        builder.points.push(ContextId::ROOT, labels, &self.values);
        if self.stacks.is_full() {
            self.stacks.settle(&mut builder.contexts, &mut builder.points.context)?;
        }
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

    fn resolve(&self, raw: RawString) -> Result<StringId, ReadError> {
        match usize::try_from(raw.index).ok().and_then(|index| self.strings.get(index)) {
            Some(&id) => Ok(id),
            // A profile with nothing in it may have no strings at all.
            None if raw.index == 0 => Ok(StringId::EMPTY),
            None => Err(ReadError::Malformed {
                format: NAME,
                place: Place(raw.place),
                reason: format!(
                    "string {} is named, but the string table has {} entries,",
                    raw.index as i64,
                    self.strings.len()
                ),
            }),
        }
    }

    /// Joins the tables.
    fn join(mut self, end: Place, warnings: &mut Warnings) -> Result<Profile, ReadError> {
        let settled =
            self.stacks.settle(&mut self.builder.contexts, &mut self.builder.points.context);
        settled.map_err(|overlong| Fault::from(overlong).into_error(end))?;
        let malformed = |reason: String| ReadError::Malformed { format: NAME, place: end, reason };
        if self.strings.is_empty()
            && !(self.builder.points.is_empty() && self.sample_types.is_empty())
        {
            return Err(ReadError::Truncated {
                format: NAME,
                place: end,
                reason: "before its string table".to_owned(),
            });
        }
        if !self.first_string_empty {
            let first = self.builder.strings.get(self.strings[0]);
            return Err(malformed(format!(
                "string 0 is {first:?}; the specification wants it empty"
            )));
        }
        let types = self.sample_types.len();
        if self.builder.points.is_empty() {
            self.builder.points = Points::new(types);
        }
        if types != self.builder.points.metrics() {
            let values = self.builder.points.metrics();
            return Err(malformed(format!(
                "samples have {values} values, but {types} sample types are declared"
            )));
        }

        self.resolve(self.largest_label_string)?;
        self.join_modules_and_functions_and_locations(warnings)?;
        self.join_metrics()?;
        let origin = &mut self.builder.origin;
        origin.format = NAME.to_owned();
        let drop_frames = self.resolve(self.drop_frames)?;
        let keep_frames = self.resolve(self.keep_frames)?;
        let doc_url = self.resolve(self.doc_url)?;
        let comments =
            self.comments.iter().map(|&raw| self.resolve(raw)).collect::<Result<Vec<_>, _>>()?;
        let text = |id| self.builder.strings.get(id).to_owned();
        let (drop_frames, keep_frames, doc_url) =
            (text(drop_frames), text(keep_frames), text(doc_url));
        let comments = comments.into_iter().map(text).collect();
        let origin = &mut self.builder.origin;
        origin.drop_frames = drop_frames;
        origin.keep_frames = keep_frames;
        origin.doc_url = doc_url;
        origin.comments = comments;

        let strings = self.strings;
        let mut builder = self.builder;
        builder.labels.map_strings(|raw| strings.get(raw.index()).copied().unwrap_or_default());
        drop(self.stacks);
        split_snapshots(&mut builder);
        Ok(builder.finish())
    }

    fn join_metrics(&mut self) -> Result<(), ReadError> {
        let text = |this: &Self, raw| -> Result<String, ReadError> {
            Ok(this.builder.strings.get(this.resolve(raw)?).to_owned())
        };
        let mut metrics = vec![];
        for raw in &self.sample_types {
            metrics.push(Metric {
                name: text(self, raw.kind)?,
                unit: text(self, raw.unit)?,
                decimals: 0,
                ..Metric::default()
            });
        }
        let default_type = text(self, self.default_type)?;
        let named = metrics.iter().position(|m| !default_type.is_empty() && m.name == default_type);
        let period_type = match self.period_type {
            Some(raw) => Some((text(self, raw.kind)?, text(self, raw.unit)?)),
            None => None,
        };
        let origin = &mut self.builder.origin;
        origin.default_metric = named.unwrap_or(metrics.len().saturating_sub(1));
        origin.default_metric_named = named.is_some();
        origin.period_type =
            period_type.filter(|(kind, unit)| !kind.is_empty() || !unit.is_empty());
        self.builder.metrics = metrics;
        Ok(())
    }

    fn join_modules_and_functions_and_locations(
        &mut self,
        warnings: &mut Warnings,
    ) -> Result<(), ReadError> {
        let mut modules = HashMap::new();
        for (row, raw) in std::mem::take(&mut self.mappings).into_iter().enumerate() {
            let module = Module {
                name: self.resolve(raw.name)?,
                build_id: self.resolve(raw.build_id)?,
                ..raw.module
            };
            self.builder.modules.push(module);
            if modules.insert(raw.id, ModuleId(row as u32)).is_some() {
                warnings.add("mapping twice", || {
                    format!("mapping {} is defined twice; the last counts", raw.id)
                });
            }
        }
        let mut functions = HashMap::new();
        for raw in std::mem::take(&mut self.functions) {
            let (name, system, file) =
                (self.resolve(raw.name)?, self.resolve(raw.system_name)?, self.resolve(raw.file)?);
            let start_line = line_number(raw.start_line, warnings);
            let id = self.builder.functions.push(name, system, file, start_line);
            if functions.insert(raw.id, id).is_some() {
                warnings.add("function twice", || {
                    format!("function {} is defined twice; the last counts", raw.id)
                });
            }
        }

        let raw_locations = std::mem::take(&mut self.locations);
        let mut rows = HashMap::new();
        for (row, raw) in raw_locations.iter().enumerate() {
            if rows.insert(raw.id, row).is_some() {
                warnings.add("location twice", || {
                    format!("location {} is defined twice; the last counts", raw.id)
                });
            }
        }
        let used = std::mem::take(&mut self.stacks.locations);
        let mut frames: Vec<(Option<FunctionId>, u32, u32)> = vec![];
        let mut push =
            |builder: &mut ProfileBuilder, raw: &RawLocation, warnings: &mut Warnings| {
                frames.clear();
                for entry in self.lines[raw.lines.0..raw.lines.1].iter().rev() {
                    let function = functions.get(&entry.function).copied();
                    if function.is_none() && entry.function != 0 {
                        warnings.add("function missing", || {
                            format!(
                                "location {} names function {}, which is not defined",
                                raw.id, entry.function
                            )
                        });
                    }
                    let (line, column) =
                        (line_number(entry.line, warnings), line_number(entry.column, warnings));
                    frames.push((function, line, column));
                }
                let module = modules.get(&raw.mapping).copied();
                if module.is_none() && raw.mapping != 0 {
                    warnings.add("mapping missing", || {
                        format!(
                            "location {} names mapping {}, which is not defined",
                            raw.id, raw.mapping
                        )
                    });
                }
                let location = Location {
                    module,
                    address: raw.address,
                    folded: raw.folded,
                    ..Location::default()
                };
                builder.push_location(location, &frames)
            };
        for (number, &id) in used.ids().iter().enumerate() {
            let pushed = match rows.get(&id) {
                Some(&row) => push(&mut self.builder, &raw_locations[row], warnings),
                None => {
                    warnings.add("location missing", || {
                        format!("a sample names location {id}, which is not defined; it shows as [missing location {id}]")
                    });
                    let function =
                        self.builder.function(&format!("[missing location {id}]"), "", 0);
                    self.builder.push_location(Location::default(), &[(Some(function), 0, 0)])
                }
            };
            debug_assert_eq!(pushed, LocationId(number as u32));
        }
        for (row, raw) in raw_locations.iter().enumerate() {
            if rows.get(&raw.id) == Some(&row) && used.find(raw.id).is_none() {
                push(&mut self.builder, raw, warnings);
            }
        }
        Ok(())
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

/// A line or column; what does not fit 32 bits is unknown.
fn line_number(value: u64, warnings: &mut Warnings) -> u32 {
    u32::try_from(value).unwrap_or_else(|_| {
        warnings.add("line number", || {
            format!("line or column {} is out of range and shows as unknown", value as i64)
        });
        0
    })
}
