//! The reader: one block at a time.

use hashbrown::HashSet;
use profile::{
    Combine, ContextId, FunctionId, Label, LabelSetId, LabelValue, Location, LocationId,
    LocationKind, Member, MemberId, Metric, Module, ModuleId, NamedFormula, Origin, Point, Points,
    Process, ProcessId, Profile, ProfileBuilder, RoleId, StringId, Thread, ThreadId,
};

use super::schema::{
    block, contexts, file, formula, function_totals, functions, label_sets, locations, member,
    metric, module, origin, points, process, thread, values,
};
use super::{FORMAT, MAGIC, VERSION};
use crate::stream::Stream;
use crate::wire::{Fields, Payload, WireError, next_field, repeated, unzigzag, varint};
use crate::{Place, ReadError, ReadOptions, Warnings};

pub(super) fn read(
    mut stream: Stream,
    options: &ReadOptions,
    warnings: &mut Warnings,
) -> Result<Profile, ReadError> {
    let mut tables = Tables::default();
    loop {
        let place = stream.place();
        let next = match next_field(&mut stream, FORMAT.name) {
            Err(error @ (ReadError::Malformed { .. } | ReadError::Truncated { .. }))
                if tables.read_any =>
            {
                left_out(warnings, &error.to_string());
                break;
            }
            next => next?,
        };
        let Some((field, wire, start, len)) = next else { break };
        let total = start + len;
        let bytes = stream.peek(total)?;
        if bytes.len() < total {
            let end = Place(place.0 + bytes.len() as u64);
            if !tables.read_any {
                let reason = "before the end of its first block".to_owned();
                return Err(ReadError::Truncated { format: FORMAT.name, place: end, reason });
            }
            warnings.add("cut", || {
                format!("the file is cut short at {end}: the blocks before are shown")
            });
            break;
        }
        let payload = &bytes[start..total];
        match (field, wire) {
            (file::MAGIC, 2) if payload == MAGIC.as_bytes() => {}
            (file::MAGIC, 2) => {
                return Err(malformed(place, "the magic is not \"hotframe profile\""));
            }
            (file::VERSION, 0) => {
                let version = varint(payload, &mut 0).unwrap_or_default();
                if version > VERSION {
                    return Err(ReadError::Unsupported {
                        found: format!("version {version} of the Hotframe exchange file"),
                        instead: "a newer Hotframe reads it",
                    });
                }
            }
            (file::BLOCK, 2) => {
                let at = Place(place.0 + start as u64);
                let mark = tables.builder.mark();
                match tables.block(payload) {
                    Ok(()) => tables.read_any = true,
                    Err(fault) => {
                        let error = malformed(Place(at.0 + fault.offset as u64), &fault.reason);
                        if !tables.read_any {
                            return Err(error);
                        }
                        tables.builder.rewind(&mark);
                        left_out(warnings, &error.to_string());
                        break;
                    }
                }
            }
            _ => tables.unknown += 1,
        }
        stream.consume(total);
        options.check_memory(tables.builder.heap_bytes())?;
    }
    if tables.unknown > 0 {
        warnings.add("unknown", || {
            format!("{} fields of a later version of the format were skipped", tables.unknown)
        });
    }
    let mut builder = tables.builder;
    if !builder.metrics.is_empty() && builder.origin.default_metric >= builder.metrics.len() {
        warnings.add("default metric", || {
            format!(
                "the default metric is number {}, but there are {}",
                builder.origin.default_metric,
                builder.metrics.len()
            )
        });
        builder.origin.default_metric = 0;
    }
    let metrics = builder.metrics.len();
    for metric in &mut builder.metrics {
        if metric.combining.weight.is_some_and(|weight| weight >= metrics) {
            metric.combining.weight = None;
            warnings.add("weight", || {
                format!("the mean {} is weighted by a metric that does not exist", metric.name)
            });
        }
    }
    if builder.origin.format.is_empty() {
        FORMAT.name.clone_into(&mut builder.origin.format);
    }
    Ok(builder.finish())
}

/// Blocks build on those before them, so that nothing can be read after a bad one.
fn left_out(warnings: &mut Warnings, reason: &str) {
    warnings.add("bad block", || {
        format!("{reason}: the blocks before are shown, this one and all after it are left out")
    });
}

fn malformed(place: Place, reason: &str) -> ReadError {
    ReadError::Malformed { format: FORMAT.name, place, reason: reason.to_owned() }
}

/// What is wrong in a block.
struct Fault {
    offset: usize,
    reason: String,
}

impl From<WireError> for Fault {
    fn from(error: WireError) -> Self {
        Fault { offset: error.offset, reason: error.reason.to_owned() }
    }
}

fn fault<T>(reason: impl Into<String>) -> Result<T, Fault> {
    Err(Fault { offset: 0, reason: reason.into() })
}

/// What the blocks so far hold.
#[derive(Default)]
struct Tables {
    builder: ProfileBuilder,
    /// The builder's string of each string row after row 0.
    strings: Vec<StringId>,
    /// The builder's context of each context row after row 0.
    contexts: Vec<ContextId>,
    label_sets: usize,
    /// Which functions have a stored total, by member.
    totals_seen: HashSet<(FunctionId, MemberId)>,
    read_any: bool,
    unknown: u64,
    columns: Columns,
}

/// The columns of a table while it is read, kept to reuse their memory.
#[derive(Default)]
struct Columns {
    count: usize,
    /// By field number; a column that is not in the message is empty.
    by_field: [Vec<u64>; 13],
    /// One column a metric.
    values: Vec<Vec<u64>>,
}

impl Columns {
    /// Reads a message whose field 1 is the count and whose other fields are columns.
    fn read(&mut self, bytes: &[u8], fields: u64, unknown: &mut u64) -> Result<(), Fault> {
        self.count = 0;
        self.by_field.iter_mut().for_each(Vec::clear);
        let mut metrics = 0;
        let mut walk = Fields::new(bytes);
        while let Some((field, payload)) = walk.next()? {
            match (field, payload) {
                (1, Payload::Varint(count)) => self.count = count as usize,
                (points::VALUES, Payload::Bytes(bytes)) if fields == points::LINK_CONTEXT => {
                    if self.values.len() == metrics {
                        self.values.push(vec![]);
                    }
                    let column = &mut self.values[metrics];
                    column.clear();
                    let mut inner = Fields::new(bytes);
                    while let Some((field, payload)) = inner.next()? {
                        match field {
                            values::VALUE => repeated(payload, |value| column.push(value))?,
                            _ => *unknown += 1,
                        }
                    }
                    metrics += 1;
                }
                (2.., payload) if field <= fields => {
                    let column = &mut self.by_field[field as usize];
                    repeated(payload, |value| column.push(value))?;
                }
                _ => *unknown += 1,
            }
        }
        self.values.truncate(metrics);
        Ok(())
    }

    /// Checks that a column is empty or has `count` entries.
    fn expect(&self, field: u64, count: usize, name: &str) -> Result<(), Fault> {
        match self.by_field[field as usize].len() {
            0 => Ok(()),
            len if len == count => Ok(()),
            len => fault(format!("the column {name} has {len} entries, not {count}")),
        }
    }

    fn get(&self, field: u64, row: usize) -> u64 {
        self.by_field[field as usize].get(row).copied().unwrap_or(0)
    }

    fn sum(&self, field: u64) -> usize {
        let total = self.by_field[field as usize].iter().fold(0u64, |a, &b| a.saturating_add(b));
        usize::try_from(total).unwrap_or(usize::MAX)
    }
}

/// A row number, checked against the length of its table.
fn row(number: u64, len: usize, table: &str) -> Result<u32, Fault> {
    match usize::try_from(number) {
        Ok(index) if index < len => Ok(index as u32),
        _ => fault(format!("row {number} of the {table} is named, but there are {len}")),
    }
}

/// An optional row number.
fn optional_row(plus_1: u64, len: usize, table: &str) -> Result<Option<u32>, Fault> {
    match plus_1 {
        0 => Ok(None),
        number => row(number - 1, len, table).map(Some),
    }
}

/// A number that must fit 32 bits: a line, a column, a processor.
fn narrow(number: u64, what: &str) -> Result<u32, Fault> {
    u32::try_from(number).or_else(|_| fault(format!("{what} {number} is out of range")))
}

impl Tables {
    fn block(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        // The order of fields is free, but tables refer to earlier ones.
        let mut messages: Vec<(u64, Payload<'_>, usize)> = vec![];
        let mut walk = Fields::new(bytes);
        while let Some((field, payload)) = walk.next()? {
            match (field, payload) {
                (block::STRING, Payload::Bytes(text)) => {
                    let text = String::from_utf8_lossy(text);
                    self.strings.push(self.builder.strings.intern(&text));
                }
                (1..=block::FUNCTION_TOTALS, payload) => {
                    messages.push((field, payload, walk.position()))
                }
                _ => self.unknown += 1,
            }
        }
        messages.sort_by_key(|&(field, ..)| match field {
            // Threads name processes, all else stands in the order of the numbers.
            block::POINTS => u64::MAX - 1,
            // What it says is not taken back, so it is read once all else was sound.
            block::ORIGIN => u64::MAX,
            field => field,
        });
        for &(field, payload, end) in &messages {
            if let (block::ORIGIN, Payload::Bytes(bytes)) = (field, payload) {
                let start = end - bytes.len();
                check_origin(bytes)
                    .map_err(|fault| Fault { offset: fault.offset + start, ..fault })?;
            }
        }
        for (field, payload, end) in messages {
            let mut start = 0;
            let read = match payload {
                Payload::Bytes(bytes) => {
                    start = end - bytes.len();
                    self.table(field, bytes)
                }
                Payload::Varint(role) if field == block::ROLE => self.role(role),
                _ => {
                    self.unknown += 1;
                    Ok(())
                }
            };
            read.map_err(|fault| Fault { offset: fault.offset + start, ..fault })?;
        }
        Ok(())
    }

    fn table(&mut self, field: u64, bytes: &[u8]) -> Result<(), Fault> {
        let last_field = match field {
            block::ORIGIN => return self.origin(bytes),
            block::METRIC => return self.metric(bytes),
            block::MODULE => return self.module(bytes),
            block::PROCESS => return self.process(bytes),
            block::THREAD => return self.thread(bytes),
            block::MEMBER => return self.member(bytes),
            block::ROLE => {
                let mut roles = vec![];
                repeated(Payload::Bytes(bytes), |role| roles.push(role))?;
                return roles.into_iter().try_for_each(|role| self.role(role));
            }
            block::FUNCTIONS => functions::START_COLUMN,
            block::LOCATIONS => locations::FRAME_COLUMN,
            block::CONTEXTS => contexts::LOCATION,
            block::LABEL_SETS => label_sets::VALUE,
            block::FUNCTION_TOTALS => function_totals::VALUE,
            _ => points::LINK_CONTEXT,
        };
        let mut columns = std::mem::take(&mut self.columns);
        let read = columns.read(bytes, last_field, &mut self.unknown).and_then(|()| match field {
            block::FUNCTIONS => self.functions(&columns),
            block::LOCATIONS => self.locations(&columns),
            block::CONTEXTS => self.contexts(&columns),
            block::LABEL_SETS => self.label_sets(&columns),
            block::FUNCTION_TOTALS => self.function_totals(&columns),
            _ => self.points(&columns),
        });
        self.columns = columns;
        read
    }

    fn string(&self, number: u64) -> Result<StringId, Fault> {
        match number {
            0 => Ok(StringId::EMPTY),
            number => {
                let index = row(number, self.strings.len() + 1, "strings")?;
                Ok(self.strings[index as usize - 1])
            }
        }
    }

    fn context(&self, number: u64) -> Result<ContextId, Fault> {
        match number {
            0 => Ok(ContextId::ROOT),
            number => {
                let index = row(number, self.contexts.len() + 1, "contexts")?;
                Ok(self.contexts[index as usize - 1])
            }
        }
    }

    fn origin(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        let Origin { period_type, .. } = &mut self.builder.origin;
        let (mut kind, mut unit) = period_type.take().unzip();
        let mut walk = Fields::new(bytes);
        while let Some((field, payload)) = walk.next()? {
            let to = &mut self.builder.origin;
            match payload {
                Payload::Varint(number) => match field {
                    origin::DEFAULT_METRIC => to.default_metric = number as usize,
                    origin::DEFAULT_METRIC_NAMED => to.default_metric_named = number != 0,
                    origin::TIME_NS => to.time_ns = unzigzag(number),
                    origin::DURATION_NS => to.duration_ns = unzigzag(number),
                    origin::CLOCK_NS => to.clock_ns = unzigzag(number),
                    origin::PERIOD => to.period = unzigzag(number),
                    origin::ESTIMATED_PATHS => to.estimated_paths = number != 0,
                    _ => self.unknown += 1,
                },
                Payload::Bytes(bytes) => {
                    if field == origin::FORMULA {
                        self.formula(bytes)?;
                        continue;
                    }
                    let text = String::from_utf8_lossy(bytes).into_owned();
                    match field {
                        origin::FORMAT => to.format = text,
                        origin::PRODUCER => to.producer = text,
                        origin::PERIOD_TYPE => kind = Some(text),
                        origin::PERIOD_UNIT => unit = Some(text),
                        origin::DROP_FRAMES => to.drop_frames = text,
                        origin::KEEP_FRAMES => to.keep_frames = text,
                        origin::COMMENT => to.comments.push(text),
                        origin::DOC_URL => to.doc_url = text,
                        _ => self.unknown += 1,
                    }
                }
                Payload::Fixed32(_) | Payload::Fixed64(_) => self.unknown += 1,
            }
        }
        if kind.is_some() || unit.is_some() {
            let period_type = (kind.unwrap_or_default(), unit.unwrap_or_default());
            self.builder.origin.period_type = Some(period_type);
        }
        Ok(())
    }

    fn formula(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        let mut found = NamedFormula::default();
        let mut walk = Fields::new(bytes);
        while let Some((field, payload)) = walk.next()? {
            match (field, payload) {
                (formula::NAME, Payload::Bytes(text)) => {
                    found.name = String::from_utf8_lossy(text).into_owned();
                }
                (formula::TEXT, Payload::Bytes(text)) => {
                    found.formula = String::from_utf8_lossy(text).into_owned();
                }
                _ => self.unknown += 1,
            }
        }
        self.builder.origin.formulas.push(found);
        Ok(())
    }

    fn metric(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        /// More decimals would leave nothing of 64 bits.
        const MOST_DECIMALS: u64 = 18;
        if !self.builder.points.is_empty() {
            return fault("a metric stands after the first point");
        }
        let mut entry = Metric::default();
        let mut walk = Fields::new(bytes);
        while let Some((field, payload)) = walk.next()? {
            match (field, payload) {
                (metric::NAME, Payload::Bytes(text)) => entry.name = lossy(text),
                (metric::UNIT, Payload::Bytes(text)) => entry.unit = lossy(text),
                (metric::DECIMALS, Payload::Varint(decimals @ 0..=MOST_DECIMALS)) => {
                    entry.decimals = decimals as u8;
                }
                (metric::DECIMALS, Payload::Varint(decimals)) => {
                    return fault(format!(
                        "a metric has {decimals} decimals, at most 18 are possible"
                    ));
                }
                (metric::OVER_CONTEXTS, Payload::Varint(combine)) => {
                    entry.combining.contexts = combine_of(combine)?;
                }
                (metric::OVER_TIME, Payload::Varint(combine)) => {
                    entry.combining.time = combine_of(combine)?;
                }
                (metric::OVER_MEMBERS, Payload::Varint(combine)) => {
                    entry.combining.members = combine_of(combine)?;
                }
                (metric::WEIGHT_PLUS_1, Payload::Varint(plus_1)) => {
                    entry.combining.weight = plus_1.checked_sub(1).map(|weight| weight as usize);
                }
                _ => self.unknown += 1,
            }
        }
        self.builder.metrics.push(entry);
        self.builder.points = Points::new(self.builder.metrics.len());
        Ok(())
    }

    fn module(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        let mut entry = Module::default();
        let mut walk = Fields::new(bytes);
        while let Some((field, payload)) = walk.next()? {
            let Payload::Varint(number) = payload else {
                self.unknown += 1;
                continue;
            };
            match field {
                module::NAME => entry.name = self.string(number)?,
                module::BUILD_ID => entry.build_id = self.string(number)?,
                module::MEMORY_START => entry.memory_start = number,
                module::MEMORY_LIMIT => entry.memory_limit = number,
                module::FILE_OFFSET => entry.file_offset = number,
                module::HAS_FUNCTIONS => entry.flags.functions = number != 0,
                module::HAS_FILE_NAMES => entry.flags.file_names = number != 0,
                module::HAS_LINE_NUMBERS => entry.flags.line_numbers = number != 0,
                module::HAS_INLINE_FRAMES => entry.flags.inline_frames = number != 0,
                _ => self.unknown += 1,
            }
        }
        self.builder.modules.push(entry);
        Ok(())
    }

    fn process(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        let mut entry = Process::default();
        let mut walk = Fields::new(bytes);
        while let Some((field, payload)) = walk.next()? {
            match (field, payload) {
                (process::ID, Payload::Varint(number)) => entry.id = self.string(number)?,
                (process::NAME, Payload::Varint(number)) => entry.name = self.string(number)?,
                _ => self.unknown += 1,
            }
        }
        self.builder.processes.push(entry);
        Ok(())
    }

    fn thread(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        let mut entry = Thread::default();
        let mut walk = Fields::new(bytes);
        while let Some((field, payload)) = walk.next()? {
            match (field, payload) {
                (thread::PROCESS_PLUS_1, Payload::Varint(number)) => {
                    let processes = self.builder.processes.len();
                    entry.process = optional_row(number, processes, "processes")?.map(ProcessId);
                }
                (thread::ID, Payload::Varint(number)) => entry.id = self.string(number)?,
                (thread::NAME, Payload::Varint(number)) => entry.name = self.string(number)?,
                _ => self.unknown += 1,
            }
        }
        self.builder.threads.push(entry);
        Ok(())
    }

    fn member(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        let mut entry = Member::default();
        let mut walk = Fields::new(bytes);
        while let Some((field, payload)) = walk.next()? {
            match (field, payload) {
                (member::NAME, Payload::Bytes(text)) => entry.name = lossy(text),
                (member::PRODUCER, Payload::Bytes(text)) => entry.producer = lossy(text),
                (member::HOST, Payload::Bytes(text)) => entry.host = lossy(text),
                (member::TIME_NS, Payload::Varint(number)) => entry.time_ns = unzigzag(number),
                (member::DURATION_NS, Payload::Varint(ns)) => entry.duration_ns = unzigzag(ns),
                _ => self.unknown += 1,
            }
        }
        self.builder.members.push(entry);
        Ok(())
    }

    fn role(&mut self, number: u64) -> Result<(), Fault> {
        let role = self.string(number)?;
        self.builder.roles.push(role);
        Ok(())
    }

    fn functions(&mut self, columns: &Columns) -> Result<(), Fault> {
        columns.expect(functions::NAME, columns.count, "name")?;
        columns.expect(functions::SYSTEM_NAME, columns.count, "system_name")?;
        columns.expect(functions::FILE, columns.count, "file")?;
        columns.expect(functions::START_LINE, columns.count, "start_line")?;
        columns.expect(functions::START_COLUMN, columns.count, "start_column")?;
        check_count(columns)?;
        for row in 0..columns.count {
            let text = |field| self.string(columns.get(field, row));
            let name = text(functions::NAME)?;
            let system_name = text(functions::SYSTEM_NAME)?;
            let file = text(functions::FILE)?;
            let start_line = narrow(columns.get(functions::START_LINE, row), "line")?;
            let function = self.builder.functions.push(name, system_name, file, start_line);
            self.builder.functions.start_column[function.index()] =
                narrow(columns.get(functions::START_COLUMN, row), "column")?;
        }
        Ok(())
    }

    fn locations(&mut self, columns: &Columns) -> Result<(), Fault> {
        let count = columns.count;
        columns.expect(locations::KIND, count, "kind")?;
        columns.expect(locations::MODULE_PLUS_1, count, "module_plus_1")?;
        columns.expect(locations::ADDRESS_DELTA, count, "address_delta")?;
        columns.expect(locations::FOLDED, count, "folded")?;
        columns.expect(locations::FRAME_COUNT, count, "frame_count")?;
        check_count(columns)?;
        let one_each = columns.by_field[locations::FRAME_COUNT as usize].is_empty();
        let frame_count = if one_each { count } else { columns.sum(locations::FRAME_COUNT) };
        columns.expect(locations::FRAME_FUNCTION_PLUS_1, frame_count, "frame_function_plus_1")?;
        columns.expect(locations::FRAME_LINE, frame_count, "frame_line")?;
        columns.expect(locations::FRAME_COLUMN, frame_count, "frame_column")?;
        if frame_count > MOST_DEFAULT_ROWS.max(count)
            && columns.by_field[locations::FRAME_FUNCTION_PLUS_1 as usize].is_empty()
        {
            return fault(format!("{frame_count} frames without a function"));
        }
        let mut address = 0u64;
        let mut next_frame = 0;
        let mut frames = vec![];
        for index in 0..count {
            address =
                address.wrapping_add_signed(unzigzag(columns.get(locations::ADDRESS_DELTA, index)));
            let kind = columns.get(locations::KIND, index);
            let Some(&kind) = LocationKind::ALL.get(kind as usize) else {
                return fault(format!("the kind of a location is {kind}"));
            };
            let modules = self.builder.modules.len();
            let module = columns.get(locations::MODULE_PLUS_1, index);
            let module = optional_row(module, modules, "modules")?.map(ModuleId);
            let own_frames =
                if one_each { 1 } else { columns.get(locations::FRAME_COUNT, index) as usize };
            if own_frames == 0 {
                return fault("a location has no frame");
            }
            frames.clear();
            for frame in next_frame..next_frame + own_frames {
                let functions = self.builder.functions.len();
                let function = columns.get(locations::FRAME_FUNCTION_PLUS_1, frame);
                let function = optional_row(function, functions, "functions")?.map(FunctionId);
                let line = narrow(columns.get(locations::FRAME_LINE, frame), "line")?;
                let column = narrow(columns.get(locations::FRAME_COLUMN, frame), "column")?;
                frames.push((function, line, column));
            }
            next_frame += own_frames;
            let folded = columns.get(locations::FOLDED, index) != 0;
            self.builder.push_location(Location { kind, module, address, folded }, &frames);
        }
        Ok(())
    }

    fn contexts(&mut self, columns: &Columns) -> Result<(), Fault> {
        columns.expect(contexts::PARENT_DISTANCE, columns.count, "parent_distance")?;
        columns.expect(contexts::LOCATION, columns.count, "location")?;
        check_count(columns)?;
        let places = self.builder.location_count();
        for index in 0..columns.count {
            let own = self.contexts.len() as u64 + 1;
            let distance = columns.get(contexts::PARENT_DISTANCE, index);
            if distance == 0 || distance > own {
                return fault(format!("the parent of context {own} is {distance} rows before it"));
            }
            let parent = self.context(own - distance)?;
            let place = row(columns.get(contexts::LOCATION, index), places, "locations")?;
            self.contexts.push(self.builder.contexts.child(parent, LocationId(place)));
        }
        Ok(())
    }

    fn label_sets(&mut self, columns: &Columns) -> Result<(), Fault> {
        columns.expect(label_sets::LABEL_COUNT, columns.count, "label_count")?;
        let labels = columns.sum(label_sets::LABEL_COUNT);
        columns.expect(label_sets::KEY, labels, "key")?;
        columns.expect(label_sets::UNIT_PLUS_1, labels, "unit_plus_1")?;
        columns.expect(label_sets::VALUE, labels, "value")?;
        check_count(columns)?;
        if columns.by_field[label_sets::KEY as usize].len() < labels {
            return fault("labels have no keys");
        }
        let mut next = 0;
        let mut set = vec![];
        for index in 0..columns.count {
            let own = columns.get(label_sets::LABEL_COUNT, index) as usize;
            if own == 0 {
                return fault("a label set is empty: only set 0 is");
            }
            set.clear();
            for label in next..next + own {
                let key = self.string(columns.get(label_sets::KEY, label))?;
                let value = unzigzag(columns.get(label_sets::VALUE, label));
                let value = match columns.get(label_sets::UNIT_PLUS_1, label) {
                    0 => LabelValue::Text(self.string(value as u64)?),
                    unit => LabelValue::Number(value, self.string(unit - 1)?),
                };
                set.push(Label { key, value });
            }
            next += own;
            self.builder.labels.push(&set);
            self.label_sets += 1;
        }
        Ok(())
    }

    fn points(&mut self, columns: &Columns) -> Result<(), Fault> {
        let count = columns.count;
        columns.expect(points::CONTEXT_DELTA, count, "context_delta")?;
        columns.expect(points::LABEL_SET, count, "label_set")?;
        columns.expect(points::TIMED, count, "timed")?;
        columns.expect(points::THREAD_PLUS_1, count, "thread_plus_1")?;
        columns.expect(points::CPU_PLUS_1, count, "cpu_plus_1")?;
        columns.expect(points::MEMBER, count, "member")?;
        columns.expect(points::LINK_COUNT, count, "link_count")?;
        let partly_timed = !columns.by_field[points::TIMED as usize].is_empty();
        let times = if partly_timed { columns.sum(points::TIMED) } else { count };
        columns.expect(points::TIME_DELTA, times, "time_delta")?;
        let has_times = !columns.by_field[points::TIME_DELTA as usize].is_empty();
        let links = columns.sum(points::LINK_COUNT);
        columns.expect(points::LINK_ROLE, links, "link_role")?;
        columns.expect(points::LINK_CONTEXT, links, "link_context")?;
        let metrics = self.builder.metrics.len();
        if columns.values.len() > metrics {
            return fault(format!("{} metrics have values, not {metrics}", columns.values.len()));
        }
        if let Some(odd) = columns.values.iter().find(|c| !c.is_empty() && c.len() != count) {
            return fault(format!("a metric has {} values, not {count}", odd.len()));
        }
        check_count(columns)?;

        let mut context = 0i64;
        let mut time = 0i64;
        let (mut next_time, mut next_link) = (0, 0);
        let mut own_links = vec![];
        let mut own_values = vec![0; metrics];
        for index in 0..count {
            let delta = unzigzag(columns.get(points::CONTEXT_DELTA, index));
            context = context.wrapping_add(delta);
            let labels = columns.get(points::LABEL_SET, index);
            let labels = LabelSetId(row(labels, self.label_sets + 1, "label sets")?);
            let is_timed = has_times && (!partly_timed || columns.get(points::TIMED, index) != 0);
            if is_timed {
                time = time.wrapping_add(unzigzag(columns.get(points::TIME_DELTA, next_time)));
                next_time += 1;
            }
            let thread = columns.get(points::THREAD_PLUS_1, index);
            let thread = optional_row(thread, self.builder.threads.len(), "threads")?.map(ThreadId);
            let cpu = match columns.get(points::CPU_PLUS_1, index) {
                0 => None,
                plus_1 => Some(narrow(plus_1 - 1, "processor")?),
            };
            let members = self.builder.members.len().max(1);
            let member = MemberId(row(columns.get(points::MEMBER, index), members, "members")?);
            own_links.clear();
            let own = columns.get(points::LINK_COUNT, index) as usize;
            for link in next_link..next_link + own {
                let roles = self.builder.roles.len();
                let role = RoleId(row(columns.get(points::LINK_ROLE, link), roles, "roles")?);
                own_links.push((role, self.context(columns.get(points::LINK_CONTEXT, link))?));
            }
            next_link += own;
            for (value, column) in own_values.iter_mut().zip(&columns.values) {
                *value = column.get(index).map_or(0, |&value| unzigzag(value));
            }
            let context = self.context(context as u64)?;
            if own > 0 && !own_links.iter().any(|&(_, linked)| linked == context) {
                return fault("a point's context is not among its linked ones");
            }
            let time = is_timed.then_some(time);
            let links = own_links.as_slice();
            let point = Point { context, labels, time, thread, cpu, member, links };
            self.builder.points.push_point(point, &own_values);
        }
        Ok(())
    }

    fn function_totals(&mut self, columns: &Columns) -> Result<(), Fault> {
        let count = columns.count;
        columns.expect(function_totals::FUNCTION, count, "function")?;
        columns.expect(function_totals::MEMBER, count, "member")?;
        let metrics: Vec<usize> = columns.by_field[function_totals::METRIC as usize]
            .iter()
            .map(|&metric| {
                row(metric, self.builder.metrics.len(), "metrics").map(|row| row as usize)
            })
            .collect::<Result<_, _>>()?;
        let values = count.saturating_mul(metrics.len());
        columns.expect(function_totals::VALUE, values, "value")?;
        check_count(columns)?;
        let totals = &self.builder.function_totals;
        if !totals.is_empty() && totals.metrics != metrics {
            return fault("stored totals have other metrics than those of the block before");
        }
        self.builder.function_totals.metrics = metrics;
        let width = self.builder.function_totals.metrics.len();
        let mut own = vec![];
        for index in 0..count {
            let functions = self.builder.functions.len();
            let function = columns.get(function_totals::FUNCTION, index);
            let function = FunctionId(row(function, functions, "functions")?);
            let members = self.builder.members.len().max(1);
            let member = columns.get(function_totals::MEMBER, index);
            let member = MemberId(row(member, members, "members")?);
            if !self.totals_seen.insert((function, member)) {
                return fault(format!("function {} has two stored totals", function.0));
            }
            own.clear();
            let cells = index * width..(index + 1) * width;
            own.extend(cells.map(|cell| unzigzag(columns.get(function_totals::VALUE, cell))));
            self.builder.function_totals.push(function, member, &own);
        }
        Ok(())
    }
}

/// Walks through an origin, so that reading it will not end in the middle.
fn check_origin(bytes: &[u8]) -> Result<(), Fault> {
    let mut walk = Fields::new(bytes);
    while let Some((field, payload)) = walk.next()? {
        if let (origin::FORMULA, Payload::Bytes(bytes)) = (field, payload) {
            let mut inner = Fields::new(bytes);
            while inner.next()?.is_some() {}
        }
    }
    Ok(())
}

fn combine_of(number: u64) -> Result<Combine, Fault> {
    match Combine::ALL.get(number as usize) {
        Some(&combine) => Ok(combine),
        None => fault(format!("a metric combines in way {number}, of which nothing is known")),
    }
}

/// Rows that may stand in a block without a single column: all their entries are 0.
const MOST_DEFAULT_ROWS: usize = 1 << 20;

/// Refuses a count that nothing in the message bears out, before rows are made of it.
fn check_count(columns: &Columns) -> Result<(), Fault> {
    let mut all = columns.by_field.iter().chain(&columns.values);
    match all.any(|column| !column.is_empty()) || columns.count <= MOST_DEFAULT_ROWS {
        true => Ok(()),
        false => fault(format!("{} rows without a column", columns.count)),
    }
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
