//! What "Deep Copy" in Instruments' call tree puts into the clipboard: columns of text with tabs
//! between them, which differ from version to version and are told apart by their names, and the
//! tree of calls as indentation. Numbers are rounded there; what callees leave of totals is too.

use profile::{Metric, Place, Profile, ProfileBuilder, ThreadId};

use crate::input::stream::Stream;
use crate::numbers::decimal::Decimal;
use crate::text::indented::{IndentedTree, Inside};
use crate::text::lines::Lines;
use crate::{About, Format, ReadError, ReadOptions, Reader, Sniff, Warnings};

pub(crate) const FORMAT: Format = Format {
    name: "instruments",
    title: "Instruments' call tree (Deep Copy)",
    extensions: &["instruments.txt"],
    about: About {
        carries: "call paths, times, cycles, bytes and counts as far as they are written, source \
                  files, libraries, processes and threads",
        estimates: "own values where only totals are copied: what callees leave of them; bytes of \
                    KB, MB and GB, which are rounded",
        skips: "shares in percent",
        checked_against: "the totals that the tree begins with",
    },
    reader: Some(Reader { sniff, read }),
    folder: None,
    writer: None,
};

/// A column, by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Meaning {
    Symbol,
    File,
    Module,
    Total,
    Own,
    /// Totals of another kind.
    Count,
    Other,
}

fn meaning(title: &str) -> Meaning {
    match title.trim() {
        "Symbol Name" | "Symbol Names" => Meaning::Symbol,
        "Source Path" | "Source File" => Meaning::File,
        "Library" | "Binary" | "Library Name" => Meaning::Module,
        "Weight" | "Running Time" | "Bytes Used" => Meaning::Total,
        "Count" | "Samples" | "Allocations" => Meaning::Count,
        title if title.starts_with("Self") => Meaning::Own,
        _ => Meaning::Other,
    }
}

fn is_header(line: &str) -> bool {
    let has = |wanted: &[Meaning]| line.split('\t').any(|title| wanted.contains(&meaning(title)));
    has(&[Meaning::Symbol]) && has(&[Meaning::Total, Meaning::Own, Meaning::Count])
}

fn sniff(head: &[u8], _: &str) -> Sniff {
    let text = String::from_utf8_lossy(head);
    let first = text.lines().find(|line| !line.trim().is_empty());
    if first.is_some_and(is_header) { Sniff::Yes } else { Sniff::No }
}

/// More columns are not read.
const MOST_COLUMNS: usize = 100;

fn read(
    stream: Stream,
    options: &ReadOptions,
    warnings: &mut Warnings,
) -> Result<Profile, ReadError> {
    let mut lines = Lines::new(stream, FORMAT.name)?;
    let mut titles: Vec<String> = vec![];
    while titles.is_empty() {
        let Some(line) = lines.next_line()? else { break };
        if !line.text.trim().is_empty() {
            let all = line.text.split('\t').take(MOST_COLUMNS);
            titles = all.map(|title| title.trim().to_owned()).collect();
        }
    }
    let mut tree: Option<Tree> = None;
    while let Some(line) = lines.next_line()? {
        let number = line.number;
        if line.text.trim().is_empty() {
            continue;
        }
        let cells: Cells = Cells { line: line.text };
        let tree = tree.get_or_insert_with(|| Tree::new(&titles, cells));
        tree.push(cells, number, warnings);
        if number.is_multiple_of(1024) {
            options.check_memory(tree.builder.heap_bytes())?;
        }
    }
    let mut tree = tree.unwrap_or_else(|| Tree::new(&titles, Cells { line: "" }));
    tree.rows.finish(&mut tree.builder, warnings);
    Ok(tree.builder.finish())
}

/// A line of cells with tabs between them.
#[derive(Debug, Clone, Copy)]
struct Cells<'l> {
    line: &'l str,
}

impl<'l> Cells<'l> {
    fn get(self, column: usize) -> &'l str {
        self.line.split('\t').nth(column).unwrap_or("")
    }
}

/// A unit of amounts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Unit {
    /// As metrics have it.
    name: &'static str,
    /// How many of those it is, as digits and zeros behind them.
    factor: i64,
    zeros: i32,
}

/// The unit of a word; none if it is not known.
fn unit(word: &str) -> Option<Unit> {
    let unit = |name, factor, zeros| Some(Unit { name, factor, zeros });
    match word {
        "ns" => unit("nanoseconds", 1, 0),
        "us" | "µs" | "\u{3bc}s" => unit("nanoseconds", 1, 3),
        "ms" => unit("nanoseconds", 1, 6),
        "s" => unit("nanoseconds", 1, 9),
        "min" => unit("nanoseconds", 6, 10),
        "h" | "hr" => unit("nanoseconds", 36, 11),
        "B" | "Bytes" | "bytes" | "Byte" => unit("bytes", 1, 0),
        "KB" | "KiB" | "kB" => unit("bytes", 1 << 10, 0),
        "MB" | "MiB" => unit("bytes", 1 << 20, 0),
        "GB" | "GiB" => unit("bytes", 1 << 30, 0),
        "TB" | "TiB" => unit("bytes", 1 << 40, 0),
        "cycles" | "c" => unit("cycles", 1, 0),
        "Kc" => unit("cycles", 1, 3),
        "Mc" => unit("cycles", 1, 6),
        "Gc" => unit("cycles", 1, 9),
        "Tc" => unit("cycles", 1, 12),
        "" => unit("count", 1, 0),
        "K" | "k" => unit("count", 1, 3),
        "M" => unit("count", 1, 6),
        "G" => unit("count", 1, 9),
        _ => None,
    }
}

/// The amount that a cell begins with, in whole units, and their name. A dash is nothing.
fn amount(cell: &str, of_title: &str) -> Option<(i64, &'static str)> {
    let cell = cell.trim();
    if matches!(cell, "" | "-" | "--") {
        return Some((0, ""));
    }
    let digits = cell.find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | ',' | '-')));
    let (digits, rest) = cell.split_at(digits.unwrap_or(cell.len()));
    let word = rest.split_whitespace().next().unwrap_or("");
    // A share follows at once where the unit stands in the title.
    let is_share = word.starts_with(|c: char| c.is_ascii_digit());
    let unit = unit(if is_share || word.is_empty() { of_title } else { word })?;
    let plain: String = digits.chars().filter(|&c| c != ',').collect();
    let mut number = Decimal::parse(plain.as_bytes())?;
    number.mantissa = number.mantissa.checked_mul(unit.factor)?;
    number.exponent += unit.zeros;
    Some((number.to_scaled(0)?, unit.name))
}

struct Measure {
    column: usize,
    /// The unit that its title has in brackets.
    unit: String,
    /// Whether a cell told the unit.
    is_known: bool,
}

struct Tree {
    builder: ProfileBuilder,
    columns: Vec<Meaning>,
    symbol: usize,
    measures: Vec<Measure>,
    rows: IndentedTree,
    values: Vec<i64>,
}

impl Tree {
    /// A tree with these columns, whose first row is `first`.
    fn new(titles: &[String], first: Cells) -> Tree {
        let columns: Vec<Meaning> = titles.iter().map(|title| meaning(title)).collect();
        let has_own = columns.contains(&Meaning::Own);
        let (mut metrics, mut measures, mut totals) = (vec![], vec![], vec![]);
        for (column, title) in titles.iter().enumerate() {
            let is_total = match columns[column] {
                Meaning::Own => false,
                Meaning::Total if !has_own => true,
                Meaning::Count => true,
                _ => continue,
            };
            let unit = title.split_once('(').map_or("", |(_, rest)| rest.trim_end_matches(')'));
            // Own values are parts of the totals, by whose name they are known.
            let whole = columns.iter().position(|&meaning| meaning == Meaning::Total);
            let whole = whole.filter(|_| columns[column] == Meaning::Own);
            let name = whole.map_or(title.as_str(), |whole| titles[whole].as_str());
            let share =
                |column: usize| amount(first.get(column), unit).map_or("", |(_, name)| name);
            let known = [column, whole.unwrap_or(column)].into_iter().map(share);
            let unit_name = known.into_iter().find(|name| !name.is_empty());
            metrics.push(Metric {
                name: name.to_lowercase(),
                unit: unit_name.unwrap_or("count").to_owned(),
                decimals: 0,
                ..Metric::default()
            });
            measures.push(Measure { column, unit: unit.to_owned(), is_known: unit_name.is_some() });
            totals.push(is_total);
        }
        let mut builder = ProfileBuilder::new(metrics);
        FORMAT.name.clone_into(&mut builder.origin.format);
        "Instruments".clone_into(&mut builder.origin.producer);
        let symbol = columns.iter().position(|&meaning| meaning == Meaning::Symbol).unwrap_or(0);
        let values = vec![0; measures.len()];
        Tree { builder, columns, symbol, measures, rows: IndentedTree::new(totals), values }
    }

    fn push(&mut self, cells: Cells, line: u64, warnings: &mut Warnings) {
        let text = |meaning: Meaning| {
            let column = self.columns.iter().position(|&known| known == meaning);
            column.map_or("", |column| cells.get(column).trim())
        };
        let symbol = cells.get(self.symbol);
        let name = symbol.trim();
        if name.is_empty() {
            return warnings.add("rows", || format!("line {line} has no symbol and is skipped"));
        }
        for (metric, measure) in self.measures.iter_mut().enumerate() {
            let found = amount(cells.get(measure.column), &measure.unit);
            let unit = &mut self.builder.metrics[metric].unit;
            self.values[metric] = match found {
                Some((0, "")) => 0,
                Some((value, name)) if name == unit.as_str() || !measure.is_known => {
                    name.clone_into(unit);
                    measure.is_known = true;
                    value
                }
                // Nothing is nothing in any unit.
                Some((0, _)) => 0,
                _ => {
                    warnings
                        .add("numbers", || format!("line {line} has an amount in unknown words"));
                    0
                }
            };
        }
        let indent = symbol.len() - symbol.trim_start().len();
        let builder = &mut self.builder;
        let mut inside = self.rows.leave(indent, builder, warnings);
        // Above the code, there may be the process and the thread.
        let is_outside = inside.context == profile::ContextId::ROOT;
        if let Some(thread) = is_outside.then(|| thread_of(name, inside.thread, builder)).flatten()
        {
            inside.thread = Some(thread);
        } else {
            let (file, module) = (text(Meaning::File), text(Meaning::Module));
            let place = Place { function: name, file, module, ..Place::default() };
            let location = builder.place(&place);
            inside.context = builder.contexts.child(inside.context, location);
        }
        self.rows.enter(indent, Inside { ..inside }, &self.values);
    }
}

/// The thread of a row that is one, `Main Thread  0x1234`, or a process, `app (123)`.
fn thread_of(
    name: &str,
    around: Option<ThreadId>,
    builder: &mut ProfileBuilder,
) -> Option<ThreadId> {
    let process = around.and_then(|thread| builder.threads[thread.index()].process);
    if let Some((before, id)) = name.rsplit_once("0x")
        && !id.is_empty()
        && id.bytes().all(|byte| byte.is_ascii_hexdigit())
        && before.ends_with("  ")
    {
        let thread = builder.thread(process, &name[before.len()..]);
        builder.threads[thread.index()].name = builder.strings.intern(before.trim());
        return Some(thread);
    }
    let (before, id) = name.strip_suffix(')')?.rsplit_once(" (")?;
    if around.is_some() || id.is_empty() || !id.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let process = builder.process(id);
    builder.processes[process.index()].name = builder.strings.intern(before);
    Some(builder.thread(Some(process), ""))
}
