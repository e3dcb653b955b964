//! Callgrind's call graphs, as specified by valgrind's "Callgrind Format Specification"; xdebug,
//! yappi and others write it too.
//!
//! Cachegrind's files are the same without calls: every function is a root.
//!
//! Files hold costs by line, and calls with what they cost in all, but no call paths: those are
//! estimated (see `call_graph`). A file may hold several parts: dumps one after the other, which
//! become members, and threads.
//!
//! Met in the wild and read: names numbered or in full, all names before the first cost,
//! positions relative or absolute, fewer costs on a line than events, files without header lines,
//! xdebug's units in the names of events, files that are cut short.

mod write;

use hashbrown::HashMap;
use profile::{
    FunctionId, Location, Member, MemberId, Metric, ModuleId, Place, Point, Points, Profile,
    ProfileBuilder, ThreadId,
};

use crate::call_graph::{CallGraph, Node, Totals};
use crate::lines::{Line, Lines};
use crate::stream::Stream;
use crate::{
    About, Carries, Feature, Format, Part, ReadError, ReadOptions, Reader, Sniff, Warnings, Writer,
};

pub(crate) const FORMAT: Format = Format {
    name: "callgrind",
    title: "callgrind call graph (valgrind, xdebug, yappi), cachegrind",
    extensions: &["callgrind", "cachegrind"],
    about: About {
        carries: "every event, calls, functions with file and object, lines, addresses, threads, \
                  parts as members, the command",
        estimates: "call paths, from the call graph; self costs are exact, and total costs of \
                    functions those that callgrind_annotate shows",
        skips: "jumps (counted), formulas of derived events",
        checked_against: "callgrind_annotate, cg_annotate",
    },
    reader: Some(Reader { sniff, read }),
    folder: None,
    writer: Some(Writer {
        carries: Carries {
            kept: &[
                Feature::Nanoseconds,
                Feature::Fractions,
                Feature::Metrics,
                Feature::Units,
                Feature::Modules,
                Feature::Files,
                Feature::Lines,
            ],
            as_labels: &[],
        },
        parts: &[Part { name: "", write: write::write }],
    }),
};

fn sniff(head: &[u8], _: &str) -> Sniff {
    let text = String::from_utf8_lossy(head);
    let mut lines = text.lines().map(str::trim_end).filter(|line| !line.is_empty()).take(400);
    let Some(first) = lines.next() else { return Sniff::No };
    if first == "# callgrind format" {
        return Sniff::Yes;
    }
    // Without the mark: the events, and a function before the first cost.
    let is_head = |line: &str| {
        line.split_once(':').is_some_and(|(key, _)| {
            ["version", "creator", "cmd", "events", "positions", "pid", "part", "desc"]
                .contains(&key)
        })
    };
    if !is_head(first) && !first.starts_with('#') {
        return Sniff::No;
    }
    let mut lines = std::iter::once(first).chain(lines);
    let has_events = lines.any(|line| line.starts_with("events:"));
    let has_names = lines.any(|line| line.starts_with("fn=") || line.starts_with("fl="));
    if has_events && has_names { Sniff::Yes } else { Sniff::No }
}

fn read(
    stream: Stream,
    options: &ReadOptions,
    warnings: &mut Warnings,
) -> Result<Profile, ReadError> {
    let mut lines = Lines::new(stream, FORMAT.name)?;
    let mut reading = Reading::default();
    while let Some(line) = lines.next_line()? {
        reading.line(line, warnings)?;
        if line.number.is_multiple_of(4096) {
            options.check_memory(reading.builder.heap_bytes() + reading.graph_bytes())?;
        }
    }
    lines.check_skipped(warnings, &["line"])?;
    reading.finish(warnings)
}

/// A table of compressed names.
type Names = HashMap<u32, String>;

/// Numbers that stand for names.
#[derive(Default)]
struct NameTables {
    files: Names,
    functions: Names,
    objects: Names,
}

/// Where costs belong.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
struct Owner {
    object: String,
    file: String,
    function: String,
}

/// What `cob=`, `cfi=` or `cfl=`, and `cfn=` say. The object is the caller's where none is named,
/// and the file is that of the line which calls: inlined code calls from its own.
#[derive(Default)]
struct Callee {
    object: Option<String>,
    file: Option<String>,
    function: String,
}

/// A part of the file with a header of its own: one dump of one thread.
struct Dump {
    graph: CallGraph,
    nodes: HashMap<Owner, Node>,
    thread: Option<String>,
    name: String,
}

#[derive(Default)]
struct Reading {
    builder: ProfileBuilder,
    names: NameTables,
    /// Parts that are complete, and the one that is being read.
    parts: Vec<Dump>,
    header: Header,
    /// Whether `header` belongs to the part that is read last.
    in_part: bool,
    /// Columns of positions on a line, and which of them is an address.
    positions: Positions,
    /// The function's file, and the file of the lines to come, which differs for inlined code.
    here: Owner,
    line_file: String,
    /// Functions and modules of `here`, looked up once.
    place: Option<Here>,
    /// What the lines before a call said of the function that is called.
    callee: Callee,
    call: Option<Call>,
    /// Positions of the line before.
    last: [u64; 2],
    values: Vec<i64>,
    /// Whether any function calls another: not in cachegrind's files.
    has_calls: bool,
    /// After a jump comes a line with its source, without costs.
    after_jump: bool,
}

/// What precedes the costs of a part.
#[derive(Default)]
struct Header {
    thread: Option<String>,
    part: Option<String>,
    trigger: String,
    events: Option<Vec<Event>>,
    /// What the file says that its first event is in all: at the head of parts, and at their ends.
    summary: Option<i64>,
    totals: Option<i64>,
}

#[derive(Debug, Clone, PartialEq)]
struct Event {
    metric: Metric,
    /// Its unit counted in the metric's.
    scale: i64,
}

#[derive(Clone, Copy)]
struct Positions {
    address: Option<usize>,
    line: Option<usize>,
    count: usize,
}

impl Default for Positions {
    fn default() -> Self {
        Positions { address: None, line: Some(0), count: 1 }
    }
}

/// Where costs go, looked up.
#[derive(Clone, Copy)]
struct Here {
    node: Node,
    function: FunctionId,
    module: Option<ModuleId>,
}

/// A `calls=` line, waiting for the line with its cost.
struct Call {
    count: i64,
    callee: Owner,
}

impl Reading {
    fn line(&mut self, line: Line<'_>, warnings: &mut Warnings) -> Result<(), ReadError> {
        let text = line.text.trim();
        let Some(&first) = text.as_bytes().first() else { return Ok(()) };
        if first.is_ascii_digit() || matches!(first, b'+' | b'-' | b'*') {
            return self.costs(text, line, warnings);
        }
        if first == b'#' {
            return Ok(());
        }
        let is_key = |byte: &u8| !byte.is_ascii_alphanumeric();
        let end = text.bytes().position(|byte| is_key(&byte)).unwrap_or(text.len());
        match text.as_bytes().get(end) {
            Some(b'=') => {
                self.body(&text[..end], &text[end + 1..], line, warnings);
                Ok(())
            }
            Some(b':') => self.head(&text[..end], text[end + 1..].trim(), line, warnings),
            _ => {
                self.skip(line, warnings);
                Ok(())
            }
        }
    }

    fn skip(&mut self, line: Line<'_>, warnings: &mut Warnings) {
        warnings.add("line", || {
            let start: String = line.text.chars().take(40).collect();
            format!("line {} is skipped, it is no callgrind: {start}", line.number)
        });
    }

    /// A line `key: value`.
    fn head(
        &mut self,
        key: &str,
        value: &str,
        line: Line<'_>,
        warnings: &mut Warnings,
    ) -> Result<(), ReadError> {
        let starts_header =
            matches!(key, "version" | "creator" | "part" | "thread" | "pid" | "events" | "cmd");
        if self.in_part && starts_header {
            // The next part. What it does not say again stays as it was.
            self.in_part = false;
            self.header.part = None;
            self.header.trigger.clear();
        }
        match key {
            "creator" => value.clone_into(&mut self.builder.origin.producer),
            "cmd" => {
                let comment = format!("command: {value}");
                if !value.is_empty() && !self.builder.origin.comments.contains(&comment) {
                    self.builder.origin.comments.push(comment);
                }
            }
            "thread" => self.header.thread = Some(value.to_owned()),
            "part" => self.header.part = Some(value.to_owned()),
            "desc" => {
                if let Some(trigger) = value.strip_prefix("Trigger:") {
                    trigger.trim().clone_into(&mut self.header.trigger);
                }
            }
            "positions" => self.positions = Positions::of(value),
            "events" => {
                let events: Vec<Event> = value.split_whitespace().map(Event::of).collect();
                match &self.header.events {
                    Some(known) if *known != events => {
                        return Err(ReadError::Malformed {
                            format: FORMAT.name,
                            place: line.place,
                            reason: "a part has other events than the first one".to_owned(),
                        });
                    }
                    Some(_) => {}
                    None => self.set_events(events),
                }
            }
            "summary" => add_first(&mut self.header.summary, value),
            "totals" => add_first(&mut self.header.totals, value),
            "version" | "pid" | "event" | "rcalls" => {}
            _ => self.skip(line, warnings),
        }
        Ok(())
    }

    fn set_events(&mut self, events: Vec<Event>) {
        let calls = Metric {
            name: "calls".to_owned(),
            unit: "count".to_owned(),
            decimals: 0,
            ..Metric::default()
        };
        let metrics = events.iter().map(|event| event.metric.clone()).chain([calls]);
        self.builder.metrics = metrics.collect();
        self.builder.points = Points::new(self.builder.metrics.len());
        self.header.events = Some(events);
    }

    /// The part that costs go to.
    fn part(&mut self) -> &mut Dump {
        if !self.in_part {
            let Header { thread, part, trigger, events, .. } = &self.header;
            let mut name = part.as_ref().map_or(String::new(), |part| format!("part {part}"));
            if !trigger.is_empty() {
                name = if name.is_empty() { trigger.clone() } else { format!("{name}: {trigger}") };
            }
            self.parts.push(Dump {
                graph: CallGraph::new(events.as_ref().map_or(0, Vec::len)),
                nodes: HashMap::new(),
                thread: thread.clone(),
                name,
            });
            self.in_part = true;
            self.place = None;
            self.last = [0; 2];
        }
        let last = self.parts.len() - 1;
        &mut self.parts[last]
    }

    /// A line `key=value`.
    fn body(&mut self, key: &str, value: &str, line: Line<'_>, warnings: &mut Warnings) {
        // What callgrind does not know it calls `???`.
        let unnumbered = |name: Option<String>| name.filter(|n| n != "???").unwrap_or_default();
        match key {
            "ob" => {
                self.here.object = unnumbered(name(&mut self.names.objects, value));
                self.place = None;
            }
            "fl" => {
                self.here.file = unnumbered(name(&mut self.names.files, value));
                self.line_file.clone_from(&self.here.file);
                self.place = None;
            }
            "fi" | "fe" => {
                self.line_file = unnumbered(name(&mut self.names.files, value));
                if let Some(here) = &mut self.place {
                    here.function = self.builder.function(&self.here.function, &self.line_file, 0);
                }
            }
            "fn" => {
                self.here.function = unnumbered(name(&mut self.names.functions, value));
                self.line_file.clone_from(&self.here.file);
                self.callee = Callee::default();
                self.place = None;
            }
            "cob" => self.callee.object = Some(unnumbered(name(&mut self.names.objects, value))),
            "cfi" | "cfl" => {
                self.callee.file = Some(unnumbered(name(&mut self.names.files, value)));
            }
            "cfn" => self.callee.function = unnumbered(name(&mut self.names.functions, value)),
            "calls" => {
                let count = value.split_whitespace().next().and_then(number).unwrap_or(0);
                let count = i64::try_from(count).unwrap_or(i64::MAX);
                let Callee { object, file, function } = std::mem::take(&mut self.callee);
                let callee = Owner {
                    object: object.unwrap_or_else(|| self.here.object.clone()),
                    file: file.unwrap_or_else(|| self.line_file.clone()),
                    function,
                };
                self.has_calls = true;
                self.call = Some(Call { count, callee });
            }
            "jump" | "jcnd" => {
                self.after_jump = true;
                warnings.add("jumps", || "jumps between lines are not shown".to_owned());
            }
            // Where a jump leads, and the chain of callers: their numbers may be used later.
            "jfi" => drop(name(&mut self.names.files, value)),
            "jfn" | "frfn" => drop(name(&mut self.names.functions, value)),
            "rcalls" => {}
            _ => self.skip(line, warnings),
        }
    }

    /// A line of positions and costs.
    fn costs(
        &mut self,
        text: &str,
        line: Line<'_>,
        warnings: &mut Warnings,
    ) -> Result<(), ReadError> {
        let Some(events) = self.header.events.as_ref().map(Vec::len) else {
            return Err(ReadError::Malformed {
                format: FORMAT.name,
                place: line.place,
                reason: format!("costs before the events on line {}", line.number),
            });
        };
        // A part starts anew with its positions.
        self.part();
        let mut words = text.split_ascii_whitespace();
        let Positions { address, line: line_column, count } = self.positions;
        for column in 0..count {
            match words.next().and_then(|word| position(word, self.last[column])) {
                Some(found) => self.last[column] = found,
                None => {
                    self.skip(line, warnings);
                    return Ok(());
                }
            }
        }
        if std::mem::take(&mut self.after_jump) {
            return Ok(());
        }
        self.values.clear();
        for (index, word) in words.enumerate() {
            // Cachegrind may write a point for 0.
            let word = if word == "." { "0" } else { word };
            match number(word).and_then(|value| i64::try_from(value).ok()) {
                Some(value) if index < events => self.values.push(value),
                _ => {
                    self.call = None;
                    self.skip(line, warnings);
                    return Ok(());
                }
            }
        }
        self.values.resize(events, 0);
        if let Some(events) = &self.header.events {
            for (value, event) in self.values.iter_mut().zip(events) {
                *value = value.saturating_mul(event.scale);
            }
        }
        let address = address.map_or(0, |column| self.last[column]);
        let at = line_column.map_or(0, |column| self.last[column]);
        let at = u32::try_from(at).unwrap_or_else(|_| {
            warnings.add("lines", || format!("line {}: there is no source line {at}", line.number));
            0
        });
        let place = self.place();
        let location = Location { module: place.module, address, ..Location::default() };
        let location = self.builder.location(location, &[(Some(place.function), at, 0)]);
        let call = self.call.take();
        let callee = call.map(|Call { count, callee }| (count, self.node(callee)));
        let values = std::mem::take(&mut self.values);
        let graph = &mut self.part().graph;
        match callee {
            Some((count, callee)) => {
                graph.add_calls(place.node, location, callee, count, &values);
            }
            None => graph.add_self(place.node, location, &values),
        }
        self.values = values;
        Ok(())
    }

    fn place(&mut self) -> Here {
        if let Some(here) = self.place {
            return here;
        }
        let node = self.node(self.here.clone());
        let function = self.builder.function(&self.here.function, &self.line_file, 0);
        let module = self.builder.module(&self.here.object);
        *self.place.insert(Here { node, function, module })
    }

    fn node(&mut self, owner: Owner) -> Node {
        if let Some(&known) = self.part().nodes.get(&owner) {
            return known;
        }
        let entry = self.builder.place(&Place {
            function: &owner.function,
            file: &owner.file,
            module: &owner.object,
            ..Place::default()
        });
        let part = self.part();
        let node = part.graph.function(entry);
        part.nodes.insert(owner, node);
        node
    }

    fn graph_bytes(&self) -> usize {
        self.parts.iter().map(|part| part.graph.heap_bytes()).sum()
    }

    fn finish(mut self, warnings: &mut Warnings) -> Result<Profile, ReadError> {
        FORMAT.name.clone_into(&mut self.builder.origin.format);
        self.builder.origin.estimated_paths = true;
        if self.header.events.is_none() {
            return Err(ReadError::Truncated {
                format: FORMAT.name,
                place: crate::Place(0),
                reason: "before its events are named".to_owned(),
            });
        }
        let said = self.header.summary.max(self.header.totals);
        let scale = self.header.events.as_ref().map_or(1, |events| events[0].scale);
        let threads: Vec<Option<ThreadId>> = (self.parts.iter())
            .map(|part| part.thread.as_ref().map(|id| self.builder.thread(None, id)))
            .collect();
        let members = members_of(&self.parts, &threads);
        let most = members.iter().max().map_or(0, |last| last + 1);
        let events = self.builder.metrics.len() - 1;
        if !self.has_calls {
            self.builder.metrics.truncate(events);
            self.builder.points = Points::new(events);
        }
        let mut totals = Totals::default();
        for ((part, thread), member) in self.parts.into_iter().zip(threads).zip(members) {
            let mut like = Point { thread, ..Point::default() };
            if most > 1 {
                like.member = MemberId(member as u32);
                if member == self.builder.members.len() {
                    self.builder.members.push(Member { name: part.name, ..Member::default() });
                }
            }
            totals.add_charged(&part.graph, like.member, &self.builder);
            let graph = if self.has_calls { part.graph } else { part.graph.without_calls() };
            graph.estimate(&mut self.builder, like, warnings);
        }
        let found: i64 = self.builder.points.values(0).fold(0, i64::saturating_add);
        if let Some(said) = said.map(|said| said.saturating_mul(scale))
            && said != found
        {
            let name = &self.builder.metrics[0].name;
            warnings.add("totals", || {
                format!(
                    "the file says that {name} is {said} in all, and its lines add up to {found}: \
                     it is cut short, or was changed"
                )
            });
        }
        if self.has_calls {
            totals.finish(events, &mut self.builder);
        } else {
            self.builder.origin.estimated_paths = false;
        }
        Ok(self.builder.finish())
    }
}

/// Adds the first number of a list.
fn add_first(sum: &mut Option<i64>, list: &str) {
    let first = list.split_whitespace().next().and_then(|number| number.parse::<i64>().ok());
    if let Some(first) = first {
        *sum = Some(sum.unwrap_or(0).saturating_add(first));
    }
}

/// The member that each part belongs to: a snapshot has one part a thread, so the next begins
/// where a thread comes again, or the dump has another name.
fn members_of(parts: &[Dump], threads: &[Option<ThreadId>]) -> Vec<usize> {
    let mut known: HashMap<(&str, usize), usize> = HashMap::new();
    let mut seen: HashMap<(&str, Option<ThreadId>), usize> = HashMap::new();
    let rows = parts.iter().zip(threads).map(|(part, &thread)| {
        let times = seen.entry((&part.name, thread)).or_default();
        *times += 1;
        let next = known.len();
        *known.entry((&part.name, *times)).or_insert(next)
    });
    rows.collect()
}

impl Positions {
    fn of(value: &str) -> Positions {
        let names: Vec<&str> = value.split_whitespace().take(2).collect();
        Positions {
            address: names.iter().position(|&name| name == "instr"),
            line: names.iter().position(|&name| name == "line"),
            count: names.len().max(1),
        }
    }
}

impl Event {
    /// An event by its name, which may hold a unit: `Time_(10ns)`, `Memory_(bytes)`.
    fn of(name: &str) -> Event {
        let (name, unit) = match name.strip_suffix(')').and_then(|name| name.rsplit_once('(')) {
            Some((start, unit)) if !start.trim_end_matches('_').is_empty() => {
                (start.trim_end_matches('_'), unit)
            }
            _ => (name, "count"),
        };
        let digits = unit.len() - unit.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let scale = unit[..digits].parse().unwrap_or(1);
        let unit = match &unit[digits..] {
            "ns" => "nanoseconds",
            "us" | "µs" | "\u{3bc}s" => "microseconds",
            "ms" => "milliseconds",
            "s" => "seconds",
            other => other,
        };
        let metric = Metric {
            name: name.to_owned(),
            unit: unit.to_owned(),
            decimals: 0,
            ..Metric::default()
        };
        Event { metric, scale }
    }
}

/// The name that `(12) name`, `(12)` or `name` mean; none for a number that was never named.
fn name(names: &mut Names, text: &str) -> Option<String> {
    let text = text.trim();
    let numbered = text.strip_prefix('(').and_then(|rest| {
        let (number, name) = rest.split_once(')')?;
        Some((number.parse::<u32>().ok()?, name.trim()))
    });
    match numbered {
        Some((number, "")) => names.get(&number).cloned(),
        Some((number, name)) => {
            names.insert(number, name.to_owned());
            Some(name.to_owned())
        }
        None => Some(text.to_owned()),
    }
}

/// A position: absolute, or relative to the one before in its column.
fn position(word: &str, last: u64) -> Option<u64> {
    match word.as_bytes() {
        [b'*'] => Some(last),
        [b'+', ..] => last.checked_add(number(&word[1..])?),
        [b'-', ..] => last.checked_sub(number(&word[1..])?),
        _ => number(word),
    }
}

/// A decimal or, after `0x`, hexadecimal number.
fn number(word: &str) -> Option<u64> {
    match word.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => word.parse().ok(),
    }
}
