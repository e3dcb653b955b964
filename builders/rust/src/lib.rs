// SPDX-License-Identifier: MIT OR Apache-2.0
// Copyright (c) 2026 The Hotframe authors
//! Writes Hotframe's exchange file: profiles that `hotframe open` shows.
//!
//! ```no_run
//! use hotframe_builder::{ContextRow, Frame, Metric, Origin, Point, Profile};
//!
//! # fn main() -> Result<(), hotframe_builder::Error> {
//! let mut profile = Profile::create("run.hotframe", &Origin::default())?;
//! let time = profile.metric(&Metric::new("time", "nanoseconds"))?;
//! let main = profile.frame(&Frame { function: "main", file: "main.rs", line: 3, ..Frame::default() })?;
//! let main = profile.context(ContextRow::ROOT, main)?;
//! profile.point(&Point { context: main, values: &[(time, 1200)], ..Point::default() })?;
//! profile.close()
//! # }
//! ```
//!
//! Rows are written block by block: what is held in memory are the tables that name things, never
//! the points. Labels are kept until they are many, then they are forgotten and written again where
//! they return. The format is schema/profile.proto; the crate needs nothing but the standard
//! library.
//!
//! A call that is wrong is refused with [`Error::Wrong`] and changes nothing. After an error of
//! writing nothing more is written. A profile that is dropped writes the rest and says nothing of
//! errors, so close it where they matter.

use std::collections::HashMap;
use std::fmt;
use std::fs::File;
use std::hash::Hash;
use std::io::{self, Write};
use std::path::Path;

mod wire;

use wire::{deltas, zigzag, Message};

const MAGIC: &str = "hotframe profile";
const VERSION: u64 = 1;
/// Points in one block.
const BLOCK_POINTS: usize = 4096;
/// Label sets and texts of labels that are remembered beyond a block.
const MOST_LABELS: usize = 65_536;
const MOST_DECIMALS: u32 = 18;
/// How a link of a note begins: others lead nowhere, or run something.
const LINKS: [&str; 3] = ["https://", "http://", "file://"];

/// Why a call failed.
#[derive(Debug)]
pub enum Error {
    /// The call was wrong and changed nothing: what was wrong with it.
    Wrong(String),
    /// The file could not be written.
    Io(io::Error),
    /// The file could not be written earlier, so nothing more is.
    Broken,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Wrong(what) => f.write_str(what),
            Error::Io(error) => write!(f, "cannot write the profile: {error}"),
            Error::Broken => f.write_str("an earlier block of the profile could not be written"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::Io(error) => Some(error),
            Error::Wrong(_) | Error::Broken => None,
        }
    }
}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        Error::Io(error)
    }
}

macro_rules! rows {
    ($($(#[$text:meta])* $name:ident)*) => {$(
        $(#[$text])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub struct $name(u64);
    )*};
}

rows! {
    /// The row of a metric. The same arguments give the same row.
    MetricRow
    /// The row of a module.
    ModuleRow
    /// The row of a frame.
    FrameRow
    /// The row of a context.
    ContextRow
    /// The row of a process.
    ProcessRow
    /// The row of a thread.
    ThreadRow
    /// The row of a member.
    MemberRow
}

impl ContextRow {
    /// The whole program: the parent of the first frame of a stack.
    pub const ROOT: ContextRow = ContextRow(0);
}

impl Default for ContextRow {
    fn default() -> Self {
        ContextRow::ROOT
    }
}

/// What a frame is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Kind {
    /// Code of a function.
    #[default]
    Code = 0,
    /// A loop of the function around it.
    Loop = 1,
    /// A variable, or the memory that its parent context allocated.
    Data = 2,
    /// A phase, an annotation, an event.
    Region = 3,
    /// A basic block of the function around it: instructions that run one after the other.
    Block = 4,
}

/// What several values together say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Combine {
    /// Their sum.
    #[default]
    Sum = 0,
    /// The largest.
    Maximum = 1,
    /// The smallest.
    Minimum = 2,
    /// The last in time; of points without time the last in the file.
    Last = 3,
    /// Their mean.
    Mean = 4,
    /// There is no such figure.
    None = 5,
}

/// Where a profile comes from; what is unknown is empty or 0.
#[derive(Debug, Clone, Copy, Default)]
pub struct Origin<'a> {
    /// What measured it, with version.
    pub producer: &'a str,
    /// Start, in nanoseconds since 1970; 0 if unknown.
    pub time_ns: i64,
    /// Length in nanoseconds; 0 if unknown; see [`Profile::duration`].
    pub duration_ns: i64,
    /// What the producer's own clock showed at time 0 of the points, in nanoseconds.
    pub clock_ns: i64,
    /// Events between two samples.
    pub period: i64,
    /// What the period counts.
    pub period_type: &'a str,
    /// The unit of the period.
    pub period_unit: &'a str,
    /// Remarks.
    pub comments: &'a [&'a str],
}

/// A metric.
#[derive(Debug, Clone, Copy, Default)]
pub struct Metric<'a> {
    /// Name.
    pub name: &'a str,
    /// Unit, written out.
    pub unit: &'a str,
    /// Values count 10^-decimals of the unit; at most 18 decimals.
    pub decimals: u32,
    /// Of the contexts below one, or of several contexts shown as one.
    pub over_contexts: Combine,
    /// Of one context at several times.
    pub over_time: Combine,
    /// Of several members.
    pub over_members: Combine,
    /// The metric that weights a mean; none if all points weigh the same.
    pub weight: Option<MetricRow>,
}

impl<'a> Metric<'a> {
    /// A metric whose values add up.
    pub fn new(name: &'a str, unit: &'a str) -> Self {
        Metric { name, unit, ..Metric::default() }
    }
}

/// A binary or library; what is unknown is empty or 0.
#[derive(Debug, Clone, Copy, Default)]
pub struct Module<'a> {
    /// Path.
    pub path: &'a str,
    /// Build id.
    pub build_id: &'a str,
    /// The mapping's first address.
    pub memory_start: u64,
    /// The first address after the mapping.
    pub memory_limit: u64,
    /// The mapping's offset in the file.
    pub file_offset: u64,
}

/// A place in code; what is unknown is empty or 0.
#[derive(Debug, Clone, Copy, Default)]
pub struct Frame<'a> {
    /// Name of the function, for people.
    pub function: &'a str,
    /// The linker's name.
    pub system_name: &'a str,
    /// Source file.
    pub file: &'a str,
    /// Line.
    pub line: u32,
    /// Column.
    pub column: u32,
    /// Line where the function starts.
    pub start_line: u32,
    /// Binary or library.
    pub module: Option<ModuleRow>,
    /// Address.
    pub address: u64,
    /// The instruction at the address, as a disassembler writes it.
    pub instruction: &'a str,
    /// What it is.
    pub kind: Kind,
    /// Functions that the compiler put there, the outermost first.
    pub inlined: &'a [Inlined<'a>],
}

/// A function that was inlined; what is unknown is empty or 0.
#[derive(Debug, Clone, Copy, Default)]
pub struct Inlined<'a> {
    /// Name of the function, for people.
    pub function: &'a str,
    /// The linker's name.
    pub system_name: &'a str,
    /// Source file.
    pub file: &'a str,
    /// Line.
    pub line: u32,
    /// Column.
    pub column: u32,
    /// Line where the function starts.
    pub start_line: u32,
}

/// One of several profiles in the file: a snapshot, a run; what is unknown is empty or 0.
#[derive(Debug, Clone, Copy, Default)]
pub struct Member<'a> {
    /// Name.
    pub name: &'a str,
    /// What measured it, with version.
    pub producer: &'a str,
    /// Where it was measured.
    pub host: &'a str,
    /// Start, in nanoseconds since 1970; 0 if unknown.
    pub time_ns: i64,
    /// Length in nanoseconds; 0 if unknown.
    pub duration_ns: i64,
}

/// The value of a label.
#[derive(Debug, Clone, Copy)]
pub enum Value<'a> {
    /// A text.
    Text(&'a str),
    /// A number and its unit, which may be empty.
    Number(i64, &'a str),
}

/// A monitoring point: values by metric, measured in a context.
#[derive(Debug, Clone, Copy, Default)]
pub struct Point<'a> {
    /// Where it was measured.
    pub context: ContextRow,
    /// A metric without a value is 0.
    pub values: &'a [(MetricRow, i64)],
    /// Labels: each its key and its value.
    pub labels: &'a [(&'a str, Value<'a>)],
    /// Nanoseconds after the start of the member, or of the profile.
    pub time_ns: Option<i64>,
    /// Thread.
    pub thread: Option<ThreadRow>,
    /// Processor.
    pub cpu: Option<u32>,
    /// One of several profiles in the file.
    pub member: Option<MemberRow>,
    /// Contexts that the point relates, each with its role. Its own must be among them.
    pub links: &'a [(&'a str, ContextRow)],
}

/// What is to be said of a place: of one context, function or line, or, if none is given, of the
/// whole program. Texts are plain.
#[derive(Debug, Clone, Copy, Default)]
pub struct Note<'a> {
    /// A few words.
    pub title: &'a str,
    /// More of it; may be empty.
    pub text: &'a str,
    /// Where more is said: begins with https://, http:// or file://; may be empty.
    pub link: &'a str,
    /// Context.
    pub context: ContextRow,
    /// A frame: its function, wherever it is called.
    pub frame: Option<FrameRow>,
    /// Source file.
    pub file: &'a str,
    /// A line of the file, from 1.
    pub line: u32,
}

/// A profile under construction.
#[derive(Debug)]
pub struct Profile<W: Write = File> {
    /// None once it is closed.
    out: Option<W>,
    head_written: bool,
    has_points: bool,
    broken: bool,
    rows: Rows,
    new: New,
    points: Points,
    /// The key of a row while it is looked up.
    cells: Vec<u64>,
}

/// Rows by what tells them apart.
#[derive(Debug, Default)]
struct Rows {
    /// How many strings the file has.
    string_count: u64,
    label_set_count: u64,
    strings: HashMap<Box<str>, u64>,
    /// Texts that only labels use so far; they can be forgotten.
    label_strings: HashMap<Box<str>, u64>,
    label_sets: HashMap<Box<[u64]>, u64>,
    metrics: HashMap<Vec<u8>, u64>,
    modules: HashMap<[u64; 5], u64>,
    functions: HashMap<[u64; 4], u64>,
    locations: HashMap<Box<[u64]>, u64>,
    contexts: HashMap<[u64; 2], u64>,
    processes: HashMap<[u64; 2], u64>,
    threads: HashMap<[u64; 3], u64>,
    members: HashMap<Vec<u8>, u64>,
    roles: HashMap<u64, u64>,
    notes: HashMap<[u64; 6], u64>,
    /// The function of each frame, where it has a name.
    frame_functions: Vec<Option<u64>>,
}

/// Rows that are not written yet: messages of the tables of messages, columns of the others.
#[derive(Debug, Default)]
struct New {
    strings: Message,
    origin: Message,
    metrics: Message,
    modules: Message,
    processes: Message,
    threads: Message,
    members: Message,
    roles: Vec<u64>,
    /// Name, linker's name, file, first line.
    functions: [Vec<u64>; 4],
    /// Kind, module, address, instruction.
    locations: [Vec<u64>; 4],
    frame_counts: Vec<u64>,
    /// Function, line, column.
    frames: [Vec<u64>; 3],
    /// Distance to the parent, location.
    contexts: [Vec<u64>; 2],
    label_counts: Vec<u64>,
    /// Key, unit, value.
    labels: [Vec<u64>; 3],
    /// Kind and row of what it is about, line, title, text, link.
    notes: [Vec<u64>; 6],
}

/// The points of a block, as columns.
#[derive(Debug, Default)]
struct Points {
    contexts: Vec<u64>,
    /// All metrics of a point follow each other.
    values: Vec<u64>,
    label_sets: Vec<u64>,
    times: Vec<u64>,
    timed: Vec<u64>,
    threads: Vec<u64>,
    cpus: Vec<u64>,
    members: Vec<u64>,
    link_counts: Vec<u64>,
    link_roles: Vec<u64>,
    link_contexts: Vec<u64>,
}

/// The row of a key, and whether it is new.
fn intern<K: Eq + Hash>(rows: &mut HashMap<K, u64>, key: K, first: u64) -> (u64, bool) {
    let next = rows.len() as u64 + first;
    let row = *rows.entry(key).or_insert(next);
    (row, row == next)
}

fn wrong<T>(what: impl Into<String>) -> Result<T, Error> {
    Err(Error::Wrong(what.into()))
}

/// Refuses a row that does not exist, such as one of another profile.
fn check(row: u64, count: usize, what: &str) -> Result<u64, Error> {
    match row < count as u64 {
        true => Ok(row),
        false => wrong(format!("{what} {row} is not defined: there are {count}")),
    }
}

impl Profile<File> {
    /// Makes a file.
    pub fn create(path: impl AsRef<Path>, origin: &Origin<'_>) -> Result<Self, Error> {
        Ok(Profile::new(File::create(path)?, origin))
    }
}

impl<W: Write> Profile<W> {
    /// Writes to `out`, a block at a time: it needs no buffer.
    pub fn new(out: W, origin: &Origin<'_>) -> Self {
        let mut new = New::default();
        new.origin.text(2, origin.producer);
        new.origin.integer(5, zigzag(origin.time_ns));
        new.origin.integer(6, zigzag(origin.duration_ns));
        new.origin.integer(7, zigzag(origin.clock_ns));
        new.origin.integer(8, zigzag(origin.period));
        new.origin.text(9, origin.period_type);
        new.origin.text(10, origin.period_unit);
        for comment in origin.comments {
            new.origin.text(13, comment);
        }
        // String 0, context 0 and label set 0 always exist.
        let rows = Rows { string_count: 1, label_set_count: 1, ..Rows::default() };
        Profile {
            out: Some(out),
            head_written: false,
            has_points: false,
            broken: false,
            rows,
            new,
            points: Points::default(),
            cells: vec![],
        }
    }

    /// Adds a metric. All must come before the first point.
    pub fn metric(&mut self, metric: &Metric<'_>) -> Result<MetricRow, Error> {
        self.check_open()?;
        if metric.name.is_empty() {
            return wrong("a metric needs a name");
        }
        if metric.decimals > MOST_DECIMALS {
            return wrong(format!(
                "a metric has {} decimals, at most 18 are possible",
                metric.decimals
            ));
        }
        let weight = metric.weight.map(|row| check(row.0, self.rows.metrics.len(), "metric"));
        let mut message = Message::default();
        message.text(1, metric.name);
        message.text(2, metric.unit);
        message.integers(
            3,
            &[
                metric.decimals.into(),
                metric.over_contexts as u64,
                metric.over_time as u64,
                metric.over_members as u64,
                weight.transpose()?.map_or(0, |row| row + 1),
            ],
        );
        if self.has_points && !self.rows.metrics.contains_key(&message.0) {
            return wrong(format!("the metric {:?} comes after the first point", metric.name));
        }
        let (row, is_new) = intern(&mut self.rows.metrics, message.0.clone(), 0);
        if is_new {
            self.new.metrics.bytes(3, &message.0);
        }
        Ok(MetricRow(row))
    }

    /// Tells which metric to show first.
    pub fn default_metric(&mut self, metric: MetricRow) -> Result<(), Error> {
        self.check_open()?;
        let row = check(metric.0, self.rows.metrics.len(), "metric")?;
        self.new.origin.set(3, row);
        self.new.origin.set(4, 1);
        Ok(())
    }

    /// Tells the profile's length in nanoseconds, once it is known.
    pub fn duration(&mut self, duration_ns: i64) -> Result<(), Error> {
        self.check_open()?;
        self.new.origin.set(6, zigzag(duration_ns));
        Ok(())
    }

    /// Adds a binary or library.
    pub fn module(&mut self, module: &Module<'_>) -> Result<ModuleRow, Error> {
        self.check_open()?;
        if module.memory_limit < module.memory_start {
            return wrong(format!("the mapping of {:?} ends before it starts", module.path));
        }
        let cells = [
            self.string(module.path),
            self.string(module.build_id),
            module.memory_start,
            module.memory_limit,
            module.file_offset,
        ];
        let (row, is_new) = intern(&mut self.rows.modules, cells, 0);
        if is_new {
            self.new.modules.row(4, &cells);
        }
        Ok(ModuleRow(row))
    }

    /// Adds a place in code.
    pub fn frame(&mut self, frame: &Frame<'_>) -> Result<FrameRow, Error> {
        self.check_open()?;
        let module = frame.module.map(|row| check(row.0, self.rows.modules.len(), "module"));
        let module_plus_1 = module.transpose()?.map_or(0, |row| row + 1);
        let called = Inlined {
            function: frame.function,
            system_name: frame.system_name,
            file: frame.file,
            line: frame.line,
            column: frame.column,
            start_line: frame.start_line,
        };
        let mut cells = std::mem::take(&mut self.cells);
        cells.clear();
        let instruction = self.string(frame.instruction);
        cells.extend([frame.kind as u64, module_plus_1, frame.address, instruction]);
        for place in std::iter::once(&called).chain(frame.inlined) {
            cells.extend([self.function(place), place.line.into(), place.column.into()]);
        }
        let known = self.rows.locations.get(cells.as_slice()).copied();
        let row = known.unwrap_or_else(|| {
            for (column, cell) in self.new.locations.iter_mut().zip(&cells) {
                column.push(*cell);
            }
            self.new.frame_counts.push(1 + frame.inlined.len() as u64);
            for place in cells[4..].chunks(3) {
                self.new.frames[0].push(place[0] + 1);
                self.new.frames[1].push(place[1]);
                self.new.frames[2].push(place[2]);
            }
            let has_name = !frame.function.is_empty() || !frame.system_name.is_empty();
            self.rows.frame_functions.push(has_name.then_some(cells[4]));
            intern(&mut self.rows.locations, cells.as_slice().into(), 0).0
        });
        self.cells = cells;
        Ok(FrameRow(row))
    }

    /// Adds a frame called from the context `parent`.
    pub fn context(&mut self, parent: ContextRow, frame: FrameRow) -> Result<ContextRow, Error> {
        self.check_open()?;
        let cells = [parent.0, frame.0];
        if let Some(&row) = self.rows.contexts.get(&cells) {
            return Ok(ContextRow(row));
        }
        check(parent.0, self.rows.contexts.len() + 1, "context")?;
        check(frame.0, self.rows.locations.len(), "frame")?;
        let (row, _) = intern(&mut self.rows.contexts, cells, 1);
        self.new.contexts[0].push(row - parent.0);
        self.new.contexts[1].push(frame.0);
        Ok(ContextRow(row))
    }

    /// The context of a stack of frames, the outermost first.
    pub fn stack(
        &mut self,
        frames: impl IntoIterator<Item = FrameRow>,
    ) -> Result<ContextRow, Error> {
        frames.into_iter().try_fold(ContextRow::ROOT, |at, frame| self.context(at, frame))
    }

    /// Adds a process, or a rank of a parallel program.
    pub fn process(&mut self, id: &str, name: &str) -> Result<ProcessRow, Error> {
        self.check_open()?;
        let cells = [self.string(id), self.string(name)];
        let (row, is_new) = intern(&mut self.rows.processes, cells, 0);
        if is_new {
            self.new.processes.row(9, &cells);
        }
        Ok(ProcessRow(row))
    }

    /// Adds a thread.
    pub fn thread(
        &mut self,
        id: &str,
        name: &str,
        process: Option<ProcessRow>,
    ) -> Result<ThreadRow, Error> {
        self.check_open()?;
        let process = process.map(|row| check(row.0, self.rows.processes.len(), "process"));
        let process_plus_1 = process.transpose()?.map_or(0, |row| row + 1);
        let cells = [process_plus_1, self.string(id), self.string(name)];
        let (row, is_new) = intern(&mut self.rows.threads, cells, 0);
        if is_new {
            self.new.threads.row(10, &cells);
        }
        Ok(ThreadRow(row))
    }

    /// Adds one of several profiles in the file: a snapshot, a run.
    pub fn member(&mut self, member: &Member<'_>) -> Result<MemberRow, Error> {
        self.check_open()?;
        let mut message = Message::default();
        message.text(1, member.name);
        message.text(2, member.producer);
        message.text(3, member.host);
        message.integers(4, &[zigzag(member.time_ns), zigzag(member.duration_ns)]);
        let (row, is_new) = intern(&mut self.rows.members, message.0.clone(), 0);
        if is_new {
            self.new.members.bytes(11, &message.0);
        }
        Ok(MemberRow(row))
    }

    /// Adds a monitoring point.
    pub fn point(&mut self, point: &Point<'_>) -> Result<(), Error> {
        self.check_open()?;
        self.check_point(point)?;
        for &(role, context) in point.links {
            let role = self.role(role);
            self.points.link_roles.push(role);
            self.points.link_contexts.push(context.0);
        }
        let label_set = self.label_set(point.labels);
        let points = &mut self.points;
        points.link_counts.push(point.links.len() as u64);
        points.label_sets.push(label_set);
        points.contexts.push(point.context.0);
        let start = points.values.len();
        points.values.resize(start + self.rows.metrics.len(), 0);
        for &(metric, value) in point.values {
            points.values[start + metric.0 as usize] = zigzag(value);
        }
        points.times.extend(point.time_ns.map(|time| time as u64));
        points.timed.push(point.time_ns.is_some().into());
        points.threads.push(point.thread.map_or(0, |row| row.0 + 1));
        points.cpus.push(point.cpu.map_or(0, |cpu| u64::from(cpu) + 1));
        points.members.push(point.member.map_or(0, |row| row.0));
        self.has_points = true;
        match self.points.contexts.len() < BLOCK_POINTS {
            true => Ok(()),
            false => self.flush(),
        }
    }

    /// Says something of a place.
    pub fn note(&mut self, note: &Note<'_>) -> Result<(), Error> {
        self.check_open()?;
        let function = self.check_note(note)?;
        let (kind, about) = match function {
            Some(function) => (1, function),
            None if note.line > 0 => (2, self.string(note.file)),
            None => (0, note.context.0),
        };
        let texts = [note.title, note.text, note.link].map(|text| self.string(text));
        let cells = [kind, about, note.line.into(), texts[0], texts[1], texts[2]];
        let (_, is_new) = intern(&mut self.rows.notes, cells, 0);
        if is_new {
            for (column, cell) in self.new.notes.iter_mut().zip(cells) {
                column.push(cell);
            }
        }
        Ok(())
    }

    /// Writes what is known so far. A file that ends here is a sound profile.
    pub fn flush(&mut self) -> Result<(), Error> {
        self.check_open()?;
        let mut out = Message::default();
        if !self.head_written {
            out.text(1, MAGIC);
            out.integer(2, VERSION);
        }
        let block = self.block();
        if !block.0.is_empty() {
            out.bytes(3, &block.0);
        }
        self.head_written = true;
        if self.rows.label_sets.len() + self.rows.label_strings.len() > MOST_LABELS {
            self.rows.label_sets.clear();
            self.rows.label_strings.clear();
        }
        let Some(to) = &mut self.out else { return Err(Error::Broken) };
        let written = to.write_all(&out.0).and_then(|()| to.flush());
        // Later blocks would name rows of the one that is lost.
        self.broken = written.is_err();
        Ok(written?)
    }

    /// Writes the rest.
    pub fn close(mut self) -> Result<(), Error> {
        let written = self.flush();
        self.out = None;
        written
    }

    fn check_open(&self) -> Result<(), Error> {
        match self.broken {
            true => Err(Error::Broken),
            false => Ok(()),
        }
    }

    fn check_point(&self, point: &Point<'_>) -> Result<(), Error> {
        let contexts = self.rows.contexts.len() + 1;
        check(point.context.0, contexts, "context")?;
        for (place, &(metric, _)) in point.values.iter().enumerate() {
            check(metric.0, self.rows.metrics.len(), "metric")?;
            if point.values[..place].iter().any(|&(earlier, _)| earlier == metric) {
                return wrong(format!("metric {} has two values", metric.0));
            }
        }
        if let Some(thread) = point.thread {
            check(thread.0, self.rows.threads.len(), "thread")?;
        }
        if let Some(cpu @ u32::MAX) = point.cpu {
            return wrong(format!("there is no processor {cpu}"));
        }
        if let Some(member) = point.member {
            check(member.0, self.rows.members.len(), "member")?;
        }
        for &(_, context) in point.links {
            check(context.0, contexts, "context")?;
        }
        let is_linked = |&(_, context)| context == point.context;
        if !point.links.is_empty() && !point.links.iter().any(is_linked) {
            return wrong("a point's own context must be among its links");
        }
        Ok(())
    }

    /// The function that a note is about, if it is about one.
    fn check_note(&self, note: &Note<'_>) -> Result<Option<u64>, Error> {
        if note.title.is_empty() {
            return wrong("a note needs a title");
        }
        if !note.link.is_empty() && !LINKS.iter().any(|start| note.link.starts_with(start)) {
            return wrong(format!("{:?} is not a link: it begins with {LINKS:?}", note.link));
        }
        check(note.context.0, self.rows.contexts.len() + 1, "context")?;
        let frame = note.frame.map(|row| check(row.0, self.rows.locations.len(), "frame"));
        let function = frame.transpose()?.map(|row| self.rows.frame_functions[row as usize]);
        if function == Some(None) {
            return wrong("a note is about a frame that has no function");
        }
        if note.file.is_empty() != (note.line == 0) {
            return wrong("a note is about a line of a file: it needs both");
        }
        let places = [note.context != ContextRow::ROOT, note.frame.is_some(), note.line > 0];
        if places.into_iter().filter(|&is_given| is_given).count() > 1 {
            return wrong("a note is about one place");
        }
        Ok(function.flatten())
    }

    fn string(&mut self, text: &str) -> u64 {
        if text.is_empty() {
            return 0;
        }
        if let Some(&row) = self.rows.strings.get(text) {
            return row;
        }
        let known = self.rows.label_strings.get(text).copied();
        let row = known.unwrap_or_else(|| self.new_string(text));
        self.rows.strings.insert(text.into(), row);
        row
    }

    /// The row of a text of a label: texts that nothing else uses can be forgotten.
    fn label_string(&mut self, text: &str) -> u64 {
        if text.is_empty() {
            return 0;
        }
        let rows = &self.rows;
        if let Some(&row) = rows.strings.get(text).or_else(|| rows.label_strings.get(text)) {
            return row;
        }
        let row = self.new_string(text);
        self.rows.label_strings.insert(text.into(), row);
        row
    }

    fn new_string(&mut self, text: &str) -> u64 {
        self.new.strings.bytes(1, text.as_bytes());
        self.rows.string_count += 1;
        self.rows.string_count - 1
    }

    fn function(&mut self, place: &Inlined<'_>) -> u64 {
        let cells = [
            self.string(place.function),
            self.string(place.system_name),
            self.string(place.file),
            place.start_line.into(),
        ];
        let (row, is_new) = intern(&mut self.rows.functions, cells, 0);
        if is_new {
            for (column, cell) in self.new.functions.iter_mut().zip(cells) {
                column.push(cell);
            }
        }
        row
    }

    fn role(&mut self, name: &str) -> u64 {
        let text = self.string(name);
        let (row, is_new) = intern(&mut self.rows.roles, text, 0);
        if is_new {
            self.new.roles.push(text);
        }
        row
    }

    fn label_set(&mut self, labels: &[(&str, Value<'_>)]) -> u64 {
        if labels.is_empty() {
            return 0;
        }
        let mut cells = std::mem::take(&mut self.cells);
        cells.clear();
        for &(key, value) in labels {
            cells.push(self.label_string(key));
            match value {
                Value::Text(text) => cells.extend([0, zigzag(self.label_string(text) as i64)]),
                Value::Number(number, unit) => {
                    cells.extend([self.label_string(unit) + 1, zigzag(number)]);
                }
            }
        }
        let known = self.rows.label_sets.get(cells.as_slice()).copied();
        let row = known.unwrap_or_else(|| {
            let row = self.rows.label_set_count;
            self.rows.label_set_count += 1;
            self.rows.label_sets.insert(cells.as_slice().into(), row);
            self.new.label_counts.push(labels.len() as u64);
            for label in cells.chunks(3) {
                for (column, cell) in self.new.labels.iter_mut().zip(label) {
                    column.push(*cell);
                }
            }
            row
        });
        self.cells = cells;
        row
    }

    /// What was added since the last block, as a block.
    fn block(&mut self) -> Message {
        let new = std::mem::take(&mut self.new);
        let points = std::mem::take(&mut self.points);
        let mut out = new.strings;
        if !self.head_written || !new.origin.0.is_empty() {
            out.bytes(2, &new.origin.0);
        }
        out.0.extend(new.metrics.0);
        out.0.extend(new.modules.0);
        out.table(5, new.functions[0].len(), |message| {
            for (field, column) in (2..).zip(&new.functions) {
                message.column(field, column);
            }
        });
        out.table(6, new.frame_counts.len(), |message| {
            message.column(2, &new.locations[0]);
            message.column(3, &new.locations[1]);
            if new.locations[2].iter().any(|&address| address != 0) {
                message.packed(4, deltas(&new.locations[2]));
            }
            if new.frame_counts.iter().any(|&count| count != 1) {
                message.packed(6, new.frame_counts.iter().copied());
            }
            for (field, column) in (7..).zip(&new.frames) {
                message.column(field, column);
            }
            message.column(10, &new.locations[3]);
        });
        out.table(7, new.contexts[0].len(), |message| {
            message.column(2, &new.contexts[0]);
            message.column(3, &new.contexts[1]);
        });
        out.table(8, new.label_counts.len(), |message| {
            message.column(2, &new.label_counts);
            for (field, column) in (3..).zip(&new.labels) {
                message.column(field, column);
            }
        });
        out.0.extend(new.processes.0);
        out.0.extend(new.threads.0);
        out.0.extend(new.members.0);
        if !new.roles.is_empty() {
            out.packed(12, new.roles.into_iter());
        }
        let metrics = self.rows.metrics.len();
        out.table(13, points.contexts.len(), |message| points.put(metrics, message));
        out.table(23, new.notes[0].len(), |message| {
            for (field, column) in (2..).zip(&new.notes) {
                message.column(field, column);
            }
        });
        out
    }
}

impl<W: Write> Drop for Profile<W> {
    fn drop(&mut self) {
        if self.out.is_some() {
            drop(self.flush());
        }
    }
}

impl Points {
    fn put(&self, metrics: usize, message: &mut Message) {
        let contexts: Vec<u64> = deltas(&self.contexts).collect();
        message.column(2, &contexts);
        for metric in 0..metrics {
            let values: Vec<u64> =
                self.values.iter().skip(metric).step_by(metrics).copied().collect();
            let mut inner = Message::default();
            inner.column(1, &values);
            message.bytes(3, &inner.0);
        }
        message.column(4, &self.label_sets);
        if !self.times.is_empty() {
            message.packed(5, deltas(&self.times));
            if self.times.len() < self.timed.len() {
                message.packed(6, self.timed.iter().copied());
            }
        }
        let columns = [
            &self.threads,
            &self.cpus,
            &self.members,
            &self.link_counts,
            &self.link_roles,
            &self.link_contexts,
        ];
        for (field, column) in (7..).zip(columns) {
            message.column(field, column);
        }
    }
}
