//! The reader: one block at a time.

use hashbrown::HashSet;
use profile::{
    ContextId, FunctionId, Label, LabelSetId, LabelValue, Location, LocationId, LocationKind,
    MemberId, MetricId, ModuleId, Point, Profile, ProfileBuilder, RoleId, StringId, ThreadId,
};

use super::columns::{
    Columns, Fault, MOST_DEFAULT_ROWS, check_count, fault, narrow, optional_row, row,
};
use super::messages::check_origin;
use super::schema::{
    block, contexts, counter_values, counters, file, flows, function_totals, functions, label_sets,
    locations, marks, notes, points, spans, switched_off, tracks,
};
use super::{FORMAT, MAGIC, VERSION};
use crate::stream::Stream;
use crate::wire::{Fields, Payload, next_field, repeated, unzigzag, varint};
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
                let mark = tables.builder.checkpoint();
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
    if !builder.metrics.is_empty() && builder.origin.default_metric.index() >= builder.metrics.len()
    {
        warnings.add("default metric", || {
            format!(
                "the default metric is number {}, but there are {}",
                builder.origin.default_metric.0,
                builder.metrics.len()
            )
        });
        builder.origin.default_metric = MetricId(0);
    }
    let metrics = builder.metrics.len();
    for metric in &mut builder.metrics {
        if metric.combining.weight.is_some_and(|weight| weight.index() >= metrics) {
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

/// What the blocks so far hold.
#[derive(Default)]
pub(super) struct Tables {
    pub(super) builder: ProfileBuilder,
    /// The builder's string of each string row after row 0.
    strings: Vec<StringId>,
    /// The builder's context of each context row after row 0.
    contexts: Vec<ContextId>,
    label_sets: usize,
    /// Which functions have a stored total, by member.
    totals_seen: HashSet<(FunctionId, MemberId)>,
    read_any: bool,
    pub(super) unknown: u64,
    columns: Columns,
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
                (1..=block::NOTES, payload) => messages.push((field, payload, walk.position())),
                _ => self.unknown += 1,
            }
        }
        messages.sort_by_key(|&(field, ..)| match field {
            // Members name machines, threads processes; all else stands in the order of the numbers.
            block::MACHINE => 0,
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
            block::MACHINE => return self.machine(bytes),
            block::ROLE => {
                let mut roles = vec![];
                repeated(Payload::Bytes(bytes), |role| roles.push(role))?;
                return roles.into_iter().try_for_each(|role| self.role(role));
            }
            block::FUNCTIONS => functions::START_COLUMN,
            block::LOCATIONS => locations::INSTRUCTION,
            block::CONTEXTS => contexts::LOCATION,
            block::LABEL_SETS => label_sets::VALUE,
            block::FUNCTION_TOTALS => function_totals::VALUE,
            block::SWITCHED_OFF => switched_off::OF_SAMPLES,
            block::NOTES => notes::LINK,
            block::TRACKS => tracks::MEMBER,
            block::SPANS => spans::ARGUMENTS,
            block::MARKS => marks::FIELDS,
            block::COUNTERS => counters::UNIT,
            block::COUNTER_VALUES => counter_values::VALUE,
            block::FLOWS => flows::DURATION,
            _ => points::CONTEXT_PLACE,
        };
        let mut columns = std::mem::take(&mut self.columns);
        let doubles = (field == block::COUNTER_VALUES).then_some(counter_values::VALUE);
        let fields = (last_field, doubles);
        let read = columns.read(bytes, fields, &mut self.unknown).and_then(|()| match field {
            block::FUNCTIONS => self.functions(&columns),
            block::LOCATIONS => self.locations(&columns),
            block::CONTEXTS => self.contexts(&columns),
            block::LABEL_SETS => self.label_sets(&columns),
            block::FUNCTION_TOTALS => self.function_totals(&columns),
            block::SWITCHED_OFF => self.switched_off(&columns),
            block::NOTES => self.notes(&columns),
            block::TRACKS => self.tracks(&columns),
            block::SPANS => self.spans(&columns),
            block::MARKS => self.marks(&columns),
            block::COUNTERS => self.counters(&columns),
            block::COUNTER_VALUES => self.counter_values(&columns),
            block::FLOWS => self.flows(&columns),
            _ => self.points(&columns),
        });
        self.columns = columns;
        read
    }

    /// How many label sets there are, with set 0.
    pub(super) fn label_set_count(&self) -> usize {
        self.label_sets + 1
    }

    pub(super) fn string(&self, number: u64) -> Result<StringId, Fault> {
        match number {
            0 => Ok(StringId::EMPTY),
            number => {
                let index = row(number, self.strings.len() + 1, "strings")?;
                Ok(self.strings[index as usize - 1])
            }
        }
    }

    pub(super) fn context(&self, number: u64) -> Result<ContextId, Fault> {
        match number {
            0 => Ok(ContextId::ROOT),
            number => {
                let index = row(number, self.contexts.len() + 1, "contexts")?;
                Ok(self.contexts[index as usize - 1])
            }
        }
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
        columns.expect(locations::INSTRUCTION, count, "instruction")?;
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
            let instruction = self.string(columns.get(locations::INSTRUCTION, index))?;
            let location = Location { kind, module, address, folded, instruction };
            self.builder.push_location(location, &frames);
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
        columns.expect(points::CONTEXT_PLACE, count, "context_place")?;
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

        let frequent = &columns.by_field[points::FREQUENT_CONTEXT as usize];
        let has_places = !columns.by_field[points::CONTEXT_PLACE as usize].is_empty();
        let mut at = 0i64;
        let mut time = 0i64;
        let (mut next_time, mut next_link) = (0, 0);
        let mut own_links = vec![];
        let mut own_values = vec![0; metrics];
        for index in 0..count {
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
            let context = if has_places {
                let place = columns.get(points::CONTEXT_PLACE, index);
                frequent[row(place, frequent.len(), "frequent contexts")? as usize]
            } else {
                at = at.wrapping_add(unzigzag(columns.get(points::CONTEXT_DELTA, index)));
                at as u64
            };
            let context = self.context(context)?;
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
        let metrics: Vec<MetricId> = columns.by_field[function_totals::METRIC as usize]
            .iter()
            .map(|&metric| row(metric, self.builder.metrics.len(), "metrics").map(MetricId))
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
