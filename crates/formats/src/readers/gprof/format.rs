//! The format, and its two tables.

use hashbrown::{HashMap, HashSet};
use profile::{MemberId, Metric, Place as CodePlace, Point, Profile, ProfileBuilder};

use super::rows::{FlatRow, Row, SPONTANEOUS};
use crate::graph::call_graph::{CallGraph, Node, Totals};
use crate::input::stream::Stream;
use crate::numbers::decimal::Decimal;
use crate::numbers::hexadecimal::hexadecimal;
use crate::text::lines::Lines;
use crate::{About, Format, ReadError, ReadOptions, Reader, Sniff, Warnings};

pub(crate) const FORMAT: Format = Format {
    name: "gprof",
    title: "gprof text, or VTune's gprof-cc report",
    extensions: &["gprof.txt", "gprof"],
    about: About {
        carries: "own time, calls (with those of functions to themselves), functions; lines and \
                  addresses of line-by-line tables",
        estimates: "call paths, from callers and callees; own times are exact, and total ones \
                    (self and children) those of the functions' own lines",
        skips: "percentages, explanations, members of a cycle as a whole",
        checked_against: "gprof's own tables, gprof2dot",
    },
    reader: Some(Reader { sniff, read }),
    folder: None,
    writer: None,
};

fn sniff(head: &[u8], _: &str) -> Sniff {
    let text = String::from_utf8_lossy(head);
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty()).take(400);
    let known = lines.any(|line| table_of(line).is_some_and(|table| table != Table::None));
    if known { Sniff::Yes } else { Sniff::No }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Table {
    /// Explanations and what else is not a table.
    None,
    Flat(Unit),
    Graph(Unit),
}

/// What costs are counted in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Unit {
    Seconds,
    /// As simulators of processors count, which may write thousands, `(K)`.
    Cycles,
}

/// The table that starts or ends with a line.
fn table_of(line: &str) -> Option<Table> {
    let words: Vec<&str> = line.split([' ', ';', '\t']).filter(|word| !word.is_empty()).collect();
    match words[..] {
        ["time", "seconds", "seconds", "calls", .., "name"] => Some(Table::Flat(Unit::Seconds)),
        ["%", "cycles", "cycles", "calls", .., "name"] => Some(Table::Flat(Unit::Cycles)),
        ["index", "%", "time", "self", "children", "called", "name"]
        // BSD's.
        | ["index", "%time", "self", "descendents" | "descendants", .., "index"]
        | ["Index", "%", .., "Name", "Index"] => Some(Table::Graph(Unit::Seconds)),
        ["index", "%", "self", "children", "called", "name"] => Some(Table::Graph(Unit::Cycles)),
        ["%", "the", "percentage", ..] => Some(Table::None),
        ["This", "table", "describes", ..] | ["Index", "by", "function", "name"] => {
            Some(Table::None)
        }
        ["Index", "Function"] | ["flat", "profile:"] => Some(Table::None),
        _ if line.ends_with("all times are in milliseconds") => Some(Table::None),
        _ => None,
    }
}

fn read(
    stream: Stream,
    options: &ReadOptions,
    warnings: &mut Warnings,
) -> Result<Profile, ReadError> {
    let metric = |name: &str, unit: &str| Metric {
        name: name.to_owned(),
        unit: unit.to_owned(),
        decimals: 0,
        ..Metric::default()
    };
    let metrics = vec![metric("time", "nanoseconds"), metric("calls", "count")];
    let mut tables = Tables {
        builder: ProfileBuilder::new(metrics),
        graph: CallGraph::new(1),
        by_index: HashMap::new(),
        known: HashMap::new(),
        entered: HashSet::new(),
        callers: vec![],
        flat: vec![],
        unit: Unit::Seconds,
        exponent: NANOSECONDS,
    };
    let mut lines = Lines::new(stream, FORMAT.name)?;
    let (mut table, mut has_table) = (Table::None, false);
    let mut entry = Entry::default();
    while let Some(line) = lines.next_line()? {
        let text = line.text.trim();
        if let Some(next) = table_of(text) {
            table = next;
            if let Table::Flat(unit) | Table::Graph(unit) = table {
                tables.count_in(unit);
                has_table = true;
            }
            continue;
        }
        let is_rule = !text.is_empty() && text.bytes().all(|byte| matches!(byte, b'-' | b' '));
        match table {
            Table::None => {}
            Table::Graph(_) | Table::Flat(_) if tables.is_scale(text) => {}
            Table::Graph(_) if text.is_empty() || is_rule => {
                tables.graph_entry(&mut entry);
                if line.text.contains(FORM_FEED) {
                    table = Table::None;
                }
            }
            Table::Graph(_) => match Row::new(text) {
                Some(row) => entry.rows.push(row),
                // The second line of BSD's heading.
                None if text.starts_with("called/total") => {}
                None => skipped(line.number, text, warnings),
            },
            Table::Flat(_) if text.is_empty() => {
                if !tables.flat.is_empty() {
                    table = Table::None;
                }
            }
            Table::Flat(_) => match FlatRow::new(text) {
                Some(row) => tables.flat.push(row),
                None => skipped(line.number, text, warnings),
            },
        }
        if line.number.is_multiple_of(4096) {
            let held = tables.flat.len() * size_of::<FlatRow>() + entry.rows.len() * 100;
            let callers = tables.callers.len() * 100;
            let tables = tables.builder.heap_bytes() + tables.graph.heap_bytes();
            options.check_memory(held + callers + tables)?;
        }
    }
    ReadError::unless(has_table, FORMAT.name, "flat profile and no call graph")?;
    lines.check_skipped(warnings, &["row"])?;
    tables.graph_entry(&mut entry);
    Ok(tables.finish(warnings))
}

fn skipped(number: u64, text: &str, warnings: &mut Warnings) {
    warnings.add("row", || {
        let start: String = text.chars().take(60).collect();
        format!("line {number} is skipped, it is not a row of the table: {start}")
    });
}

/// What the tables hold.
struct Tables {
    builder: ProfileBuilder,
    graph: CallGraph,
    /// Functions of the call graph by gprof's number; names may repeat.
    by_index: HashMap<u64, Node>,
    /// Names in the call graph.
    known: HashMap<String, Node>,
    /// The functions that have an entry of their own.
    entered: HashSet<u64>,
    /// Callers as their callees tell them.
    callers: Vec<Call>,
    flat: Vec<FlatRow>,
    unit: Unit,
    /// Costs are written in units of ten to this power of what the metric counts.
    exponent: u8,
}

/// What a function called, as the entry of the callee has it.
struct Call {
    /// The caller's number and name.
    caller: (u64, String),
    callee: Node,
    calls: i64,
    cost: i64,
}

/// Of seconds.
const NANOSECONDS: u8 = 9;

/// The end of the name of all members of a cycle together.
const AS_A_WHOLE: &str = "as a whole>";

/// Between two parts of the output.
const FORM_FEED: char = '\u{c}';

/// The rows between two rules of the call graph.
#[derive(Default)]
struct Entry {
    rows: Vec<Row>,
}

impl Tables {
    fn count_in(&mut self, unit: Unit) {
        if unit == self.unit {
            return;
        }
        let (exponent, name, unit_name) = match unit {
            Unit::Seconds => (NANOSECONDS, "time", "nanoseconds"),
            Unit::Cycles => (0, "cycles", "cycles"),
        };
        (self.unit, self.exponent) = (unit, exponent);
        name.clone_into(&mut self.builder.metrics[0].name);
        unit_name.clone_into(&mut self.builder.metrics[0].unit);
    }

    /// Takes the line below a heading that says what multiples of cycles the columns have.
    fn is_scale(&mut self, text: &str) -> bool {
        let exponent = match text.split_whitespace().next() {
            Some("(K)") => 3,
            Some("(M)") => 6,
            Some("(G)") => 9,
            _ => return false,
        };
        let is_scale = self.unit == Unit::Cycles;
        if is_scale {
            self.exponent = exponent;
        }
        is_scale
    }

    fn cost(&self, written: Decimal) -> i64 {
        scaled(written, self.exponent)
    }

    /// Takes the entry apart. Most callers have entries of their own, whose callees are the same calls.
    fn graph_entry(&mut self, entry: &mut Entry) {
        let rows = std::mem::take(&mut entry.rows);
        let Some(primary) = rows.iter().position(|row| row.is_primary) else { return };
        let row = &rows[primary];
        // What VTune has above all that nobody called costs nothing beside it.
        if row.name.ends_with(AS_A_WHOLE) || row.name == SPONTANEOUS {
            return;
        }
        let Some(index) = row.index else { return };
        let node = self.node(index, &row.name);
        self.entered.insert(index);
        let at = self.entry(&row.name);
        // The columns are share, own time, time of callees.
        let own = row.times.get(1).map_or(0, |time| self.cost(*time));
        self.graph.add_self(node, at, &[own]);
        let children = row.times.get(2).map_or(0, |time| self.cost(*time));
        self.graph.set_total(node, &[own.saturating_add(children)]);
        let mut calls_in = 0i64;
        for caller in &rows[..primary] {
            let Some(index) = caller.index else { continue };
            calls_in = calls_in.saturating_add(caller.calls);
            if !caller.name.ends_with(AS_A_WHOLE) {
                let cost = self.cost_of(caller);
                let caller_of = (index, caller.name.clone());
                self.callers.push(Call {
                    caller: caller_of,
                    callee: node,
                    calls: caller.calls,
                    cost,
                });
            }
        }
        let outside = row.calls.saturating_sub(calls_in);
        if outside > 0 {
            self.graph.add_calls_from_outside(node, outside);
        }
        for callee in &rows[primary + 1..] {
            let Some(index) = callee.index else { continue };
            if callee.name.ends_with(AS_A_WHOLE) {
                continue;
            }
            let to = self.node(index, &callee.name);
            self.graph.add_calls(node, at, to, callee.calls, &[self.cost_of(callee)]);
        }
    }

    /// Own time of a row and that of its callees.
    fn cost_of(&self, row: &Row) -> i64 {
        row.times.iter().map(|time| self.cost(*time)).fold(0, i64::saturating_add)
    }

    /// Adds the calls of callers without an entry: those that took no time and were never called.
    fn calls_without_entry(&mut self) {
        for Call { caller: (index, name), callee, calls, cost } in std::mem::take(&mut self.callers)
        {
            if !self.entered.contains(&index) {
                let caller = self.node(index, &name);
                let at = self.entry(&name);
                self.graph.add_calls(caller, at, callee, calls, &[cost]);
            }
        }
    }

    fn entry(&mut self, name: &str) -> profile::LocationId {
        self.builder.place(&code_place(name))
    }

    fn node(&mut self, index: u64, name: &str) -> Node {
        if let Some(&node) = self.by_index.get(&index) {
            return node;
        }
        let at = self.entry(name);
        let node = self.graph.function(at);
        self.by_index.insert(index, node);
        self.known.insert(name.to_owned(), node);
        node
    }

    fn finish(mut self, warnings: &mut Warnings) -> Profile {
        FORMAT.name.clone_into(&mut self.builder.origin.format);
        let has_graph = !self.by_index.is_empty();
        self.calls_without_entry();
        if has_graph {
            let mut totals = Totals::default();
            totals.take_stored(&mut self.graph, MemberId(0), &self.builder, warnings);
            totals.finish(1, &mut self.builder);
            self.graph.estimate(&mut self.builder, Point::default(), warnings);
        } else {
            warnings.add("flat", || {
                "there is a flat profile only: who called whom is not known".to_owned()
            });
        }
        for row in std::mem::take(&mut self.flat) {
            let is_known = match row.index {
                Some(index) => self.by_index.contains_key(&index),
                None => self.known.contains_key(&row.name),
            };
            if !is_known {
                let at = self.builder.place(&code_place(&row.name));
                let context = self.builder.stack([at]);
                let values = [scaled(row.own, self.exponent), row.calls];
                self.builder.points.push_point(Point { context, ..Point::default() }, &values);
            }
        }
        self.builder.finish()
    }
}

/// The place of a name, which in line-by-line tables is `function (file:line @ address)`.
fn code_place(name: &str) -> CodePlace<'_> {
    let by_line = || {
        let (function, place) = name.strip_suffix(')')?.rsplit_once(" (")?;
        let (place, address) = place.rsplit_once(" @ ")?;
        let (file, line) = place.rsplit_once(':')?;
        let (line, address) = (line.parse().ok()?, hexadecimal(address)?);
        Some(CodePlace { function, file, line, address, ..CodePlace::default() })
    };
    by_line().unwrap_or(CodePlace { function: name, ..CodePlace::default() })
}

/// A cost in what the metric counts.
fn scaled(written: Decimal, exponent: u8) -> i64 {
    let most = if written.mantissa < 0 { i64::MIN } else { i64::MAX };
    written.to_scaled(exponent).unwrap_or(most)
}
