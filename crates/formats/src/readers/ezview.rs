//! EasyView's and DrCCTProf's profiles: a protobuf of their own, near to pprof's.
//!
//! ```text
//! profile   1 metric type, 2 sample, 3 context, 4 location, 5 function, 6 source file, 7 string
//! metric type   1 kind, 2 unit, 3 name            sample     1 context, 2 metric
//! metric        1 int, 2 unsigned, 3 string       context    1 id, 2 location, 3 parent, 4 children
//! location      1 id, 2 line (1 function, 2 line) function   1 id, 2 name, 3 system name, 4 file, 5 line
//! source file   1 id, 2 name, 3 path
//! ```
//! There is no schema published with the samples; the layout is read off them and off the builder
//! of DrCCTProf.
//!
//! A metric called `... context` holds the id of another context: the profile relates several
//! contexts in one record (where memory was allocated, used, and used again), and each becomes a
//! role. Such profiles have each record once for every role, told apart by a metric `sample type`;
//! the last of them names all contexts, the others are its projections. DrCCTProf merges contexts
//! of equal paths but leaves their old ids in the records that name them; the projection before
//! such a record has the id that is left.

use hashbrown::HashMap;
use profile::{
    ContextId, FunctionId, Label, LabelValue, Location, LocationId, LocationKind, Metric,
    Place as CodePlace, Point, Points, Profile, ProfileBuilder, RoleId, ThreadId,
};

use crate::stream::Stream;
use crate::wire::{Fields, Payload, WireError, next_field};
use crate::{About, Format, Place, ReadError, ReadOptions, Reader, Sniff, Warnings};

pub(crate) const FORMAT: Format = Format {
    name: "ezview",
    title: "EasyView and DrCCTProf",
    extensions: &["ezview", "drcctprof"],
    about: About {
        carries: "every metric, call paths with files and lines, threads, and the contexts that a \
                  record relates, each with its role",
        skips: "records that repeat another one for one of its roles (counted)",
        checked_against: "sums and paths of an independent script",
        ..About::NONE
    },
    reader: Some(Reader { sniff, read }),
    folder: None,
    writer: None,
};

/// What its messages hold and pprof's do not: several values a sample, types of metrics with three
/// texts, contexts with lists of children, locations with a message in the second field, a table
/// of texts in field 7. Where there are samples with one value only, whose bytes mean something in
/// either, many of them tell.
pub(crate) fn sniff(head: &[u8], _: &str) -> Sniff {
    let mut walk = Fields::new(head);
    /// Samples with one context and one message each, which pprof's would be by chance.
    const ENOUGH: usize = 16;
    let (mut is_own, mut samples) = (false, 0);
    let has = |bytes: &[u8], wanted: u64, as_bytes: bool| {
        let mut inner = Fields::new(bytes);
        let mut found = false;
        while let Ok(Some((field, payload))) = inner.next() {
            found |= field == wanted && matches!(payload, Payload::Bytes(_)) == as_bytes;
        }
        found
    };
    while let Ok(Some((field, payload))) = walk.next() {
        let Payload::Bytes(bytes) = payload else { return Sniff::No };
        match field {
            2 => match sample_values(bytes) {
                Some(values) => {
                    is_own |= values > 1;
                    samples += usize::from(values == 1);
                }
                None => return Sniff::No,
            },
            1 => is_own |= has(bytes, 3, false),
            3 => is_own |= has(bytes, 4, true),
            4 => is_own |= has(bytes, 2, true),
            7 => is_own = true,
            5 | 6 => {}
            _ => return Sniff::No,
        }
    }
    if is_own || samples >= ENOUGH { Sniff::Yes } else { Sniff::No }
}

/// How many metrics a sample has; none if it is no sample of this format.
fn sample_values(bytes: &[u8]) -> Option<usize> {
    let mut walk = Fields::new(bytes);
    let (mut contexts, mut values) = (0, 0);
    while let Some((field, payload)) = walk.next().ok()? {
        match (field, payload) {
            (1, Payload::Varint(_)) => contexts += 1,
            (2, Payload::Bytes(value)) => {
                let mut inner = Fields::new(value);
                while let Some((field, _)) = inner.next().ok()? {
                    if field > 3 {
                        return None;
                    }
                }
                values += 1;
            }
            _ => return None,
        }
    }
    (contexts == 1).then_some(values)
}

fn read(
    mut stream: Stream,
    options: &ReadOptions,
    warnings: &mut Warnings,
) -> Result<Profile, ReadError> {
    let mut tables = Tables::default();
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
        if wire == 2 {
            tables.message(field, &bytes[start..total]).map_err(|error: WireError| {
                ReadError::Malformed {
                    format: FORMAT.name,
                    place: Place(place.0 + (start + error.offset) as u64),
                    reason: error.reason.to_owned(),
                }
            })?;
        } else {
            tables.unknown += 1;
        }
        stream.consume(total);
        options.check_memory(tables.bytes)?;
    }
    Ok(Joined::new(tables, warnings).finish(warnings))
}

/// The tables as they stand in the file.
#[derive(Default)]
struct Tables {
    metrics: Vec<RawMetric>,
    samples: Vec<RawSample>,
    /// Values of all samples, one after the other.
    values: Vec<Value>,
    contexts: HashMap<u64, RawContext>,
    locations: HashMap<u64, Vec<(u64, u64)>>,
    functions: HashMap<u64, RawFunction>,
    files: HashMap<u64, (u64, u64)>,
    strings: Vec<String>,
    unknown: u64,
    bytes: usize,
}

#[derive(Default)]
struct RawMetric {
    unit: u64,
    name: u64,
}

struct RawSample {
    context: u64,
    /// Where its values start and end.
    values: (usize, usize),
}

#[derive(Debug, Clone, Copy, Default)]
struct Value {
    number: i64,
    /// A string, or 0.
    text: u64,
}

#[derive(Default)]
struct RawContext {
    location: u64,
    parent: u64,
}

#[derive(Default)]
struct RawFunction {
    name: u64,
    file: u64,
    start_line: u64,
}

impl Tables {
    fn message(&mut self, field: u64, bytes: &[u8]) -> Result<(), WireError> {
        self.bytes += 48 + bytes.len();
        match field {
            1 => {
                let [_, unit, name, ..] = self.numbers(bytes)?;
                self.metrics.push(RawMetric { unit, name });
            }
            2 => self.sample(bytes)?,
            3 => {
                let [id, location, parent, ..] = self.numbers(bytes)?;
                self.contexts.insert(id, RawContext { location, parent });
            }
            4 => {
                let (mut id, mut lines) = (0, vec![]);
                let mut walk = Fields::new(bytes);
                while let Some((field, payload)) = walk.next()? {
                    match (field, payload) {
                        (1, Payload::Varint(number)) => id = number,
                        (2, Payload::Bytes(line)) => {
                            let [function, line, ..] = self.numbers(line)?;
                            lines.push((function, line));
                        }
                        _ => self.unknown += 1,
                    }
                }
                self.locations.insert(id, lines);
            }
            5 => {
                let [id, name, _, file, start_line] = self.numbers(bytes)?;
                self.functions.insert(id, RawFunction { name, file, start_line });
            }
            6 => {
                let [id, name, path, ..] = self.numbers(bytes)?;
                self.files.insert(id, (name, path));
            }
            7 => self.strings.push(String::from_utf8_lossy(bytes).into_owned()),
            _ => self.unknown += 1,
        }
        Ok(())
    }

    fn sample(&mut self, bytes: &[u8]) -> Result<(), WireError> {
        let start = self.values.len();
        let mut context = 0;
        let mut walk = Fields::new(bytes);
        while let Some((field, payload)) = walk.next()? {
            match (field, payload) {
                (1, Payload::Varint(id)) => context = id,
                (2, Payload::Bytes(metric)) => {
                    let [int, unsigned, text, ..] = self.numbers(metric)?;
                    let unsigned = i64::try_from(unsigned).unwrap_or(i64::MAX);
                    let number = if int == 0 { unsigned } else { int as i64 };
                    self.values.push(Value { number, text });
                    self.bytes += size_of::<Value>();
                }
                _ => self.unknown += 1,
            }
        }
        self.samples.push(RawSample { context, values: (start, self.values.len()) });
        Ok(())
    }

    /// The integers in fields 1 to 5 of a message.
    fn numbers(&mut self, bytes: &[u8]) -> Result<[u64; 5], WireError> {
        let mut numbers = [0; 5];
        let mut walk = Fields::new(bytes);
        while let Some((field, payload)) = walk.next()? {
            match (numbers.get_mut(field as usize - 1), payload) {
                (Some(number), Payload::Varint(value)) => *number = value,
                // The children of a context; its parent says the same.
                (Some(_), Payload::Bytes(_)) => {}
                _ => self.unknown += 1,
            }
        }
        Ok(numbers)
    }

    fn text(&self, index: u64) -> &str {
        let text = usize::try_from(index).ok().and_then(|index| self.strings.get(index));
        text.map_or("", |text| text.trim())
    }
}

/// What a metric of the file becomes.
#[derive(Debug, Clone, Copy)]
enum Column {
    /// A metric of the profile.
    Metric(usize),
    /// The id of a context that has this role.
    Role(RoleId),
    /// Which of the contexts of a record the sample stands for.
    SampleType,
}

/// Samples before a record that may be its projections: one a role.
const MOST_PROJECTIONS: usize = 8;

/// The tables joined.
struct Joined {
    tables: Tables,
    builder: ProfileBuilder,
    columns: Vec<Column>,
    /// The role of a sample's own context, in profiles that relate contexts.
    own_role: RoleId,
    places: HashMap<u64, LocationId>,
    /// Contexts of the file that are built, with their thread.
    contexts: HashMap<u64, (ContextId, Option<ThreadId>)>,
}

impl Joined {
    fn new(tables: Tables, warnings: &mut Warnings) -> Joined {
        let mut builder = ProfileBuilder::default();
        let mut columns = vec![];
        for metric in &tables.metrics {
            let name = tables.text(metric.name);
            if name == "sample type" {
                columns.push(Column::SampleType);
            } else if let Some(role) = name.strip_suffix(" context") {
                let role = if role == "alloc" { "allocation" } else { role };
                columns.push(Column::Role(builder.role(role)));
            } else {
                columns.push(Column::Metric(builder.metrics.len()));
                let unit = match tables.text(metric.unit) {
                    "" => "count",
                    unit => unit,
                };
                builder.metrics.push(Metric {
                    name: name.to_owned(),
                    unit: unit.to_owned(),
                    decimals: 0,
                    ..Metric::default()
                });
            }
        }
        // Some writers name the first of many metrics only.
        let mut counts = tables.samples.iter().map(|sample| sample.values.1 - sample.values.0);
        if let Some(count) = counts.next().filter(|&first| counts.all(|other| other == first)) {
            let named = builder.metrics.last().cloned();
            for number in columns.len()..count {
                let like = named.clone().unwrap_or(Metric::new("value", "count"));
                columns.push(Column::Metric(builder.metrics.len()));
                builder
                    .metrics
                    .push(Metric { name: format!("{} {}", like.name, number + 1), ..like });
            }
        }
        builder.points = Points::new(builder.metrics.len());
        let has_roles = !builder.roles.is_empty();
        let is_use = builder.roles.iter().any(|&role| builder.strings.get(role) == "use");
        let own_role = match (has_roles, is_use) {
            (false, _) => RoleId(0),
            (true, true) => builder.role("reuse"),
            (true, false) => builder.role("access"),
        };
        if tables.unknown > 0 {
            warnings
                .add_many("unknown", tables.unknown, || "unknown fields are skipped".to_owned());
        }
        let (places, contexts) = (HashMap::new(), HashMap::new());
        Joined { tables, builder, columns, own_role, places, contexts }
    }

    fn finish(mut self, warnings: &mut Warnings) -> Profile {
        FORMAT.name.clone_into(&mut self.builder.origin.format);
        let type_column = self.columns.iter().position(|c| matches!(c, Column::SampleType));
        let sample_type = |joined: &Joined, sample: &RawSample| {
            let (start, end) = sample.values;
            let values = &joined.tables.values[start..end];
            type_column.and_then(|column| values.get(column)).map(|value| value.number)
        };
        let samples = std::mem::take(&mut self.tables.samples);
        let types = samples.iter().filter_map(|sample| sample_type(&self, sample));
        let last_type = types.max();
        let mut projections = 0;
        let mut after_record = 0;
        for (row, sample) in samples.iter().enumerate() {
            if sample_type(&self, sample) == last_type {
                self.sample(sample, &samples[after_record..row], warnings);
                after_record = row + 1;
            } else {
                projections += 1;
            }
        }
        if projections > 0 {
            warnings.add_many("projections", projections, || {
                "records that repeat another one for one of its roles are counted once".to_owned()
            });
        }
        self.builder.finish()
    }

    /// Adds a record; `projections` are the samples since the record before.
    fn sample(&mut self, sample: &RawSample, projections: &[RawSample], warnings: &mut Warnings) {
        let mut values = vec![0i64; self.builder.metrics.len()];
        let mut labels = vec![];
        let (own, thread) = self.context(sample.context, warnings);
        let mut links = vec![];
        let (start, end) = sample.values;
        if end - start != self.columns.len() {
            warnings.add("values", || {
                format!("samples have {} values, not {}", end - start, self.columns.len())
            });
        }
        for (index, row) in (start..end).enumerate() {
            let value = self.tables.values[row];
            match self.columns.get(index) {
                Some(&Column::Metric(metric)) => {
                    values[metric] = value.number;
                    if value.text != 0 {
                        let name = self.builder.metrics[metric].name.clone();
                        let key = self.builder.strings.intern(&name);
                        let text = self.builder.strings.intern(self.tables.text(value.text));
                        labels.push(Label { key, value: LabelValue::Text(text) });
                    }
                }
                Some(&Column::Role(role)) if value.number != 0 => {
                    let id = self.defined(value.number as u64, index, sample, projections);
                    if id != value.number as u64 {
                        warnings.add("merged", || {
                            format!(
                                "context {} is not defined: the record's projection tells it",
                                value.number
                            )
                        });
                    }
                    let (context, _) = self.context(id, warnings);
                    links.push((role, context));
                }
                _ => {}
            }
        }
        let mut context = own;
        if !self.builder.roles.is_empty() {
            links.push((self.own_role, own));
            // The first role is where the memory comes from: what the others are asked about.
            context = links[0].1;
        }
        let labels = self.builder.labels.add(&labels);
        let point = Point { context, labels, thread, links: &links, ..Point::default() };
        self.builder.points.push_point(point, &values);
    }

    /// The id of a context that a record names in a column; if nothing defines it, the one that the
    /// record's projection for that column's role has instead.
    fn defined(
        &self,
        id: u64,
        column: usize,
        record: &RawSample,
        projections: &[RawSample],
    ) -> u64 {
        if self.tables.contexts.contains_key(&id) {
            return id;
        }
        let is_role = |column: &&Column| matches!(column, Column::Role(_));
        let role = self.columns[..column].iter().filter(is_role).count() as i64 + 1;
        let row = |sample: &RawSample| {
            self.tables.values[sample.values.0..sample.values.1].iter().map(|value| value.number)
        };
        let agrees = |projection: &&RawSample| {
            let sides = row(projection).zip(row(record));
            sides.zip(&self.columns).enumerate().all(|(index, ((own, whole), kind))| match kind {
                Column::SampleType => own == role,
                Column::Metric(_) => own == whole,
                Column::Role(_) => index >= column || own == whole,
            })
        };
        let nearest = projections.iter().rev().take(MOST_PROJECTIONS);
        nearest
            .filter(|p| self.tables.contexts.contains_key(&p.context))
            .find(agrees)
            .map_or(id, |projection| projection.context)
    }

    /// The context of an id in the file.
    fn context(&mut self, id: u64, warnings: &mut Warnings) -> (ContextId, Option<ThreadId>) {
        // Up to the first that is known, then down again.
        let mut path = vec![];
        let mut at = id;
        let mut base = (ContextId::ROOT, None);
        while at != 0 {
            if let Some(&known) = self.contexts.get(&at) {
                base = known;
                break;
            }
            let Some(context) = self.tables.contexts.get(&at) else {
                warnings.add("context", || format!("context {at} is named but not defined"));
                break;
            };
            path.push(at);
            if path.len() > self.tables.contexts.len() {
                warnings.add("cycle", || format!("context {at} is its own ancestor"));
                path.clear();
                break;
            }
            at = context.parent;
        }
        while let Some(id) = path.pop() {
            let location = self.tables.contexts[&id].location;
            base = self.child(base, location, warnings);
            self.contexts.insert(id, base);
        }
        base
    }

    fn child(
        &mut self,
        (parent, thread): (ContextId, Option<ThreadId>),
        location: u64,
        warnings: &mut Warnings,
    ) -> (ContextId, Option<ThreadId>) {
        let lines = self.tables.locations.get(&location);
        if let Some([(function, _)]) = lines.map(Vec::as_slice)
            && let Some(function) = self.tables.functions.get(function)
        {
            // The roots that DrCCTProf puts above all stacks.
            let name = self.tables.text(function.name);
            let root = |kind: &str| {
                name.strip_prefix(kind)?.strip_prefix('[')?.strip_suffix("]_ROOT_CTXT")
            };
            if let Some(number) = root("PROCESS") {
                self.builder.process(number);
                return (parent, thread);
            }
            if let Some(number) = root("THREAD") {
                let process = (!self.builder.processes.is_empty()).then_some(profile::ProcessId(0));
                let thread = self.builder.thread(process, number);
                let name = format!("THREAD[{number}]");
                let kind = LocationKind::Region;
                let place = CodePlace { function: &name, kind, ..CodePlace::default() };
                let place = self.builder.place(&place);
                return (self.builder.contexts.child(parent, place), Some(thread));
            }
        }
        let place = self.place(location, warnings);
        (self.builder.contexts.child(parent, place), thread)
    }

    fn place(&mut self, id: u64, warnings: &mut Warnings) -> LocationId {
        if let Some(&known) = self.places.get(&id) {
            return known;
        }
        let lines = self.tables.locations.get(&id).cloned().unwrap_or_else(|| {
            warnings.add("location", || format!("location {id} is named but not defined"));
            vec![]
        });
        // As in pprof the innermost function comes first.
        let frames: Vec<_> = lines.into_iter().rev().map(|line| self.frame(line)).collect();
        let place = self.builder.location(Location::default(), &frames);
        self.places.insert(id, place);
        place
    }

    fn frame(&mut self, (function, line): (u64, u64)) -> (Option<FunctionId>, u32, u32) {
        let line = u32::try_from(line).unwrap_or(0);
        let Some(raw) = self.tables.functions.get(&function) else { return (None, line, 0) };
        let file = self.tables.files.get(&raw.file).map_or("", |&(name, path)| {
            match self.tables.text(path) {
                "" => self.tables.text(name),
                path => path,
            }
        });
        let file = if file == "<NULL>" { "" } else { file };
        let start_line = u32::try_from(raw.start_line).unwrap_or(0);
        let function = self.builder.function(self.tables.text(raw.name), file, start_line);
        (Some(function), line, 0)
    }
}
