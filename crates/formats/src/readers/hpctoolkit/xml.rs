//! `experiment.xml`, version 2.0: names, and the tree of scopes.
//!
//! ```text
//! PF   a procedure frame     C   a call site in it, around the PF that is called
//! Pr   an inlined procedure  L   a loop     S   a statement     M   an inclusive value
//! ```
//! A value is inclusive; what a scope has beyond those inside of it is its own.

use std::io::{self, BufRead, Read};

use hashbrown::HashMap;
use profile::{
    ContextId, FunctionId, Location, LocationKind, Metric, Point, Points, Profile, ProfileBuilder,
};
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use super::FORMAT;
use super::metric_db::{MetricDb, RankThread};
use super::names::name_and_unit;
use crate::input::stream::Stream;
use crate::numbers::combining::by_name;
use crate::{Place, ReadError, ReadOptions, Warnings};

/// What the XML tells.
pub(super) struct Experiment {
    builder: ProfileBuilder,
    /// Metrics of the XML's own values, by their id, and those of the ranks' files.
    summary: Vec<MetricEntry>,
    ranks: Vec<MetricEntry>,
    scopes: Vec<Scope>,
    /// Values by scope and metric id.
    values: Vec<(u32, u32, f64)>,
}

#[derive(Debug, Clone)]
struct MetricEntry {
    id: u32,
    name: String,
    /// Column in the ranks' files.
    column: usize,
    is_inclusive: bool,
}

struct Scope {
    /// The scope around it; none for the outermost.
    parent: Option<u32>,
    /// Number that the ranks' files know it by.
    id: u64,
    /// Where its own values go.
    context: ContextId,
}

/// What lines inside of a scope belong to.
#[derive(Clone, Copy)]
struct Owner {
    /// The context that called it.
    caller: ContextId,
    function: FunctionId,
    location: Location,
}

pub(super) fn read(
    stream: Stream,
    options: &ReadOptions,
    warnings: &mut Warnings,
) -> Result<Experiment, ReadError> {
    let mut bytes = StreamBytes { stream, error: None };
    let mut xml = Reader::from_reader(&mut bytes);
    let mut tree = Tree::default();
    let mut buffer = Vec::new();
    loop {
        buffer.clear();
        let event = match xml.read_event_into(&mut buffer) {
            Ok(event) => event,
            // All errors of syntax are that something has no end.
            Err(quick_xml::Error::Syntax(_)) if !tree.scopes.is_empty() => break,
            Err(error) => {
                let place = Place(xml.buffer_position());
                if let Some(error) = bytes.error {
                    return Err(error);
                }
                return Err(ReadError::Malformed {
                    format: FORMAT.name,
                    place,
                    reason: error.to_string(),
                });
            }
        };
        match event {
            Event::Start(start) => tree.open(&start, false, warnings),
            Event::Empty(start) => tree.open(&start, true, warnings),
            Event::End(end) => tree.close(end.name().as_ref()),
            Event::Eof => break,
            _ => {}
        }
        options.check_memory(
            tree.builder.heap_bytes()
                + tree.scopes.len() * size_of::<Scope>()
                + tree.values.len() * 16
                + tree.open.len() * 64,
        )?;
    }
    if !tree.is_whole {
        warnings.add("cut", || "experiment.xml is cut short: the part before is shown".to_owned());
    }
    let Tree { builder, summary, ranks, scopes, values, .. } = tree;
    Ok(Experiment { builder, summary, ranks, scopes, values })
}

#[derive(Default)]
struct Tree {
    builder: ProfileBuilder,
    summary: Vec<MetricEntry>,
    ranks: Vec<MetricEntry>,
    modules: HashMap<String, String>,
    files: HashMap<String, String>,
    procedures: HashMap<String, String>,
    scopes: Vec<Scope>,
    values: Vec<(u32, u32, f64)>,
    /// Scopes around the cursor: their row, and what owns their lines.
    open: Vec<(u32, Option<Owner>)>,
    is_whole: bool,
}

/// The attributes of an element that are used anywhere.
#[derive(Default)]
struct Attributes {
    id: String,
    name: String,
    kind: String,
    module: String,
    file: String,
    line: String,
    value: String,
    column: String,
}

impl Attributes {
    fn new(start: &BytesStart<'_>) -> Attributes {
        let mut found = Attributes::default();
        for attribute in start.attributes().flatten() {
            let cell = match attribute.key.as_ref() {
                "i" => &mut found.id,
                "n" => &mut found.name,
                "t" => &mut found.kind,
                "lm" => &mut found.module,
                "f" => &mut found.file,
                "l" => &mut found.line,
                "v" => &mut found.value,
                "db-id" => &mut found.column,
                _ => continue,
            };
            *cell = unescaped(&attribute.value);
        }
        found
    }
}

fn unescaped(text: &str) -> String {
    quick_xml::escape::unescape(text).map_or_else(|_| text.to_owned(), |text| text.into_owned())
}

impl Tree {
    fn open(&mut self, start: &BytesStart<'_>, is_empty: bool, warnings: &mut Warnings) {
        let attributes = Attributes::new(start);
        match start.name().as_ref() {
            "Metric" => self.summary.push(metric_entry(&attributes)),
            "MetricDB" => self.ranks.push(metric_entry(&attributes)),
            "LoadModule" => drop(self.modules.insert(attributes.id, attributes.name)),
            "File" => drop(self.files.insert(attributes.id, attributes.name)),
            "Procedure" | "P" if self.open.is_empty() => {
                drop(self.procedures.insert(attributes.id, attributes.name));
            }
            "M" => {
                let (id, value) = (attributes.name.parse(), attributes.value.parse());
                match (self.open.last(), id, value) {
                    (Some(&(scope, _)), Ok(id), Ok(value)) => self.values.push((scope, id, value)),
                    // The value of the whole program stands before the first scope.
                    (None, Ok(_), Ok(_)) => {}
                    _ => warnings.add("value", || {
                        format!(
                            "a value is not understood: n={:?} v={:?}",
                            attributes.name, attributes.value
                        )
                    }),
                }
            }
            "PF" | "Pr" | "C" | "L" | "S" => {
                self.scope(start.name().as_ref(), &attributes);
                if is_empty {
                    self.open.pop();
                }
            }
            _ => {}
        }
    }

    fn close(&mut self, name: &str) {
        match name {
            "PF" | "Pr" | "C" | "L" | "S" => drop(self.open.pop()),
            "HPCToolkitExperiment" => self.is_whole = true,
            _ => {}
        }
    }

    fn scope(&mut self, kind: &str, attributes: &Attributes) {
        let line =
            attributes.line.split('-').next().and_then(|line| line.parse().ok()).unwrap_or(0);
        let around = self.open.last().copied();
        let outer = around.and_then(|(_, owner)| owner);
        let within = match around {
            Some((scope, _)) => self.scopes[scope as usize].context,
            None => ContextId::ROOT,
        };
        let known = |table: &HashMap<String, String>, text: &String| {
            table.get(text).map_or_else(|| text.clone(), String::clone)
        };
        let owner = match kind {
            "PF" | "Pr" => {
                let name = known(&self.procedures, &attributes.name);
                let file = known(&self.files, &attributes.file);
                let file = if file.starts_with("<unknown") || file.starts_with("~unknown") {
                    ""
                } else {
                    &file
                };
                let module = known(&self.modules, &attributes.module);
                let function = self.builder.function(&name, file, line);
                let module = if module.is_empty() {
                    outer.and_then(|outer| outer.location.module)
                } else {
                    self.builder.module(&module)
                };
                let location = Location { module, ..Location::default() };
                Some(Owner { caller: within, function, location })
            }
            "L" => {
                let file = match (attributes.file.as_str(), outer) {
                    ("", Some(outer)) => {
                        let file = self.builder.functions.file[outer.function.index()];
                        self.builder.strings.get(file).to_owned()
                    }
                    _ => known(&self.files, &attributes.file),
                };
                let name = format!("loop at {}:{line}", profile::base_name(&file));
                let function = self.builder.function(&name, &file, line);
                let module = outer.and_then(|outer| outer.location.module);
                let location = Location { kind: LocationKind::Loop, module, ..Location::default() };
                Some(Owner { caller: within, function, location })
            }
            // A call site or statement is a line of what is around it.
            _ => outer,
        };
        let context = match owner {
            Some(owner) => {
                let line = if matches!(kind, "C" | "S") { line } else { 0 };
                let place =
                    self.builder.location(owner.location, &[(Some(owner.function), line, 0)]);
                self.builder.contexts.child(owner.caller, place)
            }
            None => within,
        };
        let parent = around.map(|(scope, _)| scope);
        let id = attributes.id.parse().unwrap_or(0);
        self.scopes.push(Scope { parent, id, context });
        self.open.push((self.scopes.len() as u32 - 1, owner));
    }
}

fn metric_entry(attributes: &Attributes) -> MetricEntry {
    MetricEntry {
        id: attributes.id.parse().unwrap_or(u32::MAX),
        name: attributes.name.clone(),
        column: attributes.column.parse().unwrap_or(0),
        is_inclusive: attributes.kind == "inclusive" || attributes.name.ends_with("(I)"),
    }
}

/// `CPUTIME (usec):Sum (I)`: name, unit, and the statistic if it is one over ranks.
fn split_name(text: &str) -> (String, &'static str, &str) {
    let text = text.trim_end_matches("(I)").trim_end_matches("(E)").trim_end();
    let (base, statistic) = text.rsplit_once(':').unwrap_or((text, ""));
    let (name, unit) = name_and_unit(base);
    (name.to_owned(), unit, statistic)
}

impl Experiment {
    /// Joins the tree with the values of the ranks, or, without any, with its own.
    pub(super) fn finish(
        mut self,
        mut ranks: Vec<(RankThread, MetricDb)>,
        warnings: &mut Warnings,
    ) -> Result<Profile, ReadError> {
        let mut builder = std::mem::take(&mut self.builder);
        FORMAT.name.clone_into(&mut builder.origin.format);
        builder.origin.producer = "HPCToolkit".to_owned();
        ranks.sort_by_key(|(place, _)| *place);
        let from_ranks = !ranks.is_empty();
        let entries = if from_ranks { &self.ranks } else { &self.summary };
        let is_taken = |entry: &&MetricEntry| {
            entry.is_inclusive && matches!(split_name(&entry.name).2, "" | "Sum")
        };
        let taken: Vec<&MetricEntry> = entries.iter().filter(is_taken).collect();
        let statistics = entries.iter().filter(|entry| entry.is_inclusive).count() - taken.len();
        if statistics > 0 {
            warnings.add_many("statistics", statistics as u64, || {
                "statistics over ranks are not shown: the values of the ranks have the same information".to_owned()
            });
        }
        if !from_ranks && !self.ranks.is_empty() {
            warnings.add("ranks", || {
                "the values of ranks and threads stand in .metric-db files, which are not here: \
                 open the folder"
                    .to_owned()
            });
        }

        let columns = self.columns(&ranks, &taken);
        let decimals: Vec<u8> = (0..taken.len())
            .map(|metric| {
                let own = columns.iter().filter(|column| column.metric == metric);
                let values = own.flat_map(|column| &column.own);
                values.map(|&value| decimals_of(value)).max().unwrap_or(0)
            })
            .collect();
        for (entry, &decimals) in taken.iter().zip(&decimals) {
            let (name, unit, _) = split_name(&entry.name);
            let combining = by_name(&entry.name);
            builder.metrics.push(Metric { decimals, combining, ..Metric::new(name, unit) });
        }
        builder.points = Points::new(taken.len());
        for chunk in columns.chunks(taken.len().max(1)) {
            let thread = chunk[0].place.map(|place| thread(&mut builder, place));
            for (row, scope) in self.scopes.iter().enumerate() {
                let values: Vec<i64> = (chunk.iter().zip(&decimals))
                    .map(|(column, &decimals)| {
                        (column.own[row] * 10f64.powi(decimals.into())).round() as i64
                    })
                    .collect();
                if values.iter().any(|&value| value != 0) {
                    let point = Point { context: scope.context, thread, ..Point::default() };
                    builder.points.push_point(point, &values);
                }
            }
        }
        Ok(builder.finish())
    }

    /// Each metric of each rank, or of the XML, after the other.
    fn columns(&self, ranks: &[(RankThread, MetricDb)], taken: &[&MetricEntry]) -> Vec<Column> {
        let mut columns = vec![];
        for (place, db) in ranks {
            for (metric, entry) in taken.iter().enumerate() {
                let own = self.own_values(|row| db.get(self.scopes[row].id, entry.column));
                columns.push(Column { place: Some(*place), metric, own });
            }
        }
        if ranks.is_empty() {
            for (metric, entry) in taken.iter().enumerate() {
                let mut by_scope = vec![0.0; self.scopes.len()];
                for &(scope, id, value) in &self.values {
                    if id == entry.id {
                        by_scope[scope as usize] = value;
                    }
                }
                let own = self.own_values(|row| by_scope[row]);
                columns.push(Column { place: None, metric, own });
            }
        }
        columns
    }

    /// What a scope has beyond the scopes inside of it.
    fn own_values(&self, inclusive: impl Fn(usize) -> f64) -> Vec<f64> {
        let mut own: Vec<f64> = (0..self.scopes.len()).map(&inclusive).collect();
        for (row, scope) in self.scopes.iter().enumerate() {
            if let Some(parent) = scope.parent {
                own[parent as usize] -= inclusive(row);
            }
        }
        own
    }
}

/// The own values of a metric by scope.
struct Column {
    /// None of the XML's own values.
    place: Option<RankThread>,
    metric: usize,
    own: Vec<f64>,
}

fn thread(builder: &mut ProfileBuilder, place: RankThread) -> profile::ThreadId {
    /// Threads from here on are streams of accelerators.
    const FIRST_STREAM: u32 = 500;
    let RankThread { rank, thread } = place;
    let process = builder.process(&rank.to_string());
    builder.processes[process.index()].name = builder.strings.intern(&format!("rank {rank}"));
    let id = builder.thread(Some(process), &thread.to_string());
    let kind = if thread >= FIRST_STREAM { "GPU stream" } else { "thread" };
    let name = builder.strings.intern(&format!("rank {rank} {kind} {thread}"));
    builder.threads[id.index()].name = name;
    id
}

/// How many decimals, at most six, a measured value has.
fn decimals_of(value: f64) -> u8 {
    // Differences of sums have noise far behind the digits that were measured.
    let noise = (value.abs() * 1e-9).max(1e-9);
    let is_exact = |decimals: &i32| {
        let scaled = value * 10f64.powi(*decimals);
        (scaled - scaled.round()).abs() <= noise * 10f64.powi(*decimals)
    };
    (0..6).find(is_exact).unwrap_or(6) as u8
}

/// A stream as the XML reader wants it.
struct StreamBytes<'a> {
    stream: Stream<'a>,
    /// The stream's own error, which says more than one of `std::io`.
    error: Option<ReadError>,
}

impl Read for StreamBytes<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let bytes = self.fill_buf()?;
        let count = bytes.len().min(out.len());
        out[..count].copy_from_slice(&bytes[..count]);
        self.consume(count);
        Ok(count)
    }
}

impl BufRead for StreamBytes<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        match self.stream.peek(1) {
            Ok(bytes) => Ok(bytes),
            Err(error) => {
                let message = error.to_string();
                self.error = Some(error);
                Err(io::Error::other(message))
            }
        }
    }

    fn consume(&mut self, count: usize) {
        self.stream.consume(count);
    }
}
