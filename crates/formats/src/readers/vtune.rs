//! Reports of Intel's VTune (`vtune -report`, before that `amplxe-cl`): flat ones (`hotspots`,
//! `hw-events`) and the tree of calls (`top-down`), with commas, semicolons or tabs between the
//! columns, or in columns of text under a line of dashes. Which column means what, its name tells.

use profile::{LocationKind, Metric, MetricId, Place, Profile, ProfileBuilder};

use crate::input::stream::Stream;
use crate::numbers::combining::{SHARE, by_name};
use crate::numbers::decimal::Decimal;
use crate::numbers::hexadecimal::hexadecimal;
use crate::text::indented::{IndentedTree, Inside};
use crate::text::lines::Lines;
use crate::text::separated::Records;
use crate::{About, Format, ReadError, ReadOptions, Reader, Sniff, Warnings};

pub(crate) const FORMAT: Format = Format {
    name: "vtune",
    title: "VTune's hotspots, hw-events and top-down reports (CSV or text)",
    extensions: &["vtune.csv", "vtune.txt"],
    about: About {
        carries: "call paths (top-down), all times, counts and sizes, functions, modules, files, \
                  first addresses, loops, processes and threads",
        estimates: "own values where a report has totals only: what callees leave of them",
        skips: "columns that cannot be summed, such as rates (named)",
        checked_against: "sums by the reports' definition",
    },
    reader: Some(Reader { sniff, read }),
    folder: None,
    writer: None,
};

/// What the words of a column say of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Meaning {
    Stack,
    Function,
    FullFunction,
    Module,
    File,
    Line,
    Address,
    Process,
    Thread,
    /// Other words about the row.
    Other,
}

const WORDS: [(&str, Meaning); 18] = [
    ("Function Stack", Meaning::Stack),
    ("Function", Meaning::Function),
    ("Source Function", Meaning::Function),
    ("Function (Full)", Meaning::FullFunction),
    ("Source Function (Full)", Meaning::FullFunction),
    ("Module", Meaning::Module),
    ("Package", Meaning::Module),
    ("Module Path", Meaning::Other),
    ("Source File", Meaning::File),
    ("Source File Path", Meaning::Other),
    ("Source Line", Meaning::Line),
    ("Start Address", Meaning::Address),
    ("Process", Meaning::Process),
    ("Thread", Meaning::Thread),
    ("PID", Meaning::Other),
    ("TID", Meaning::Other),
    ("Class", Meaning::Other),
    ("Viewing Thread", Meaning::Other),
];

fn meaning(title: &str) -> Option<Meaning> {
    let title = title.trim();
    WORDS.iter().find(|(word, _)| *word == title).map(|&(_, meaning)| meaning)
}

/// What a column of numbers begins with in reports that are surely VTune's.
const MEASURES: [&str; 9] = [
    "CPU Time",
    "Hardware Event",
    "Wait Time",
    "Allocation Size",
    "Allocations",
    "Clockticks",
    "Instructions Retired",
    "Elapsed Time",
    "Loads",
];

/// Whether these are the columns of a report.
fn is_header<'t>(titles: impl Iterator<Item = &'t str> + Clone) -> bool {
    let mut first = titles.clone();
    let is_about_code = first
        .next()
        .is_some_and(|title| meaning(title).is_some_and(|meaning| meaning != Meaning::Other));
    is_about_code
        && titles.clone().any(|title| MEASURES.iter().any(|word| title.trim().starts_with(word)))
}

/// How columns are told apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    Separated(u8),
    Text,
}

/// The lines before the columns' names, and the shape of what follows.
fn shape(head: &str) -> Option<(usize, Shape)> {
    /// VTune says a few things before, such as that a filter is on.
    const MOST_BEFORE: usize = 20;
    let lines: Vec<&str> = head.lines().take(MOST_BEFORE).collect();
    for (row, line) in lines.iter().enumerate() {
        for separator in [b',', b';', b'\t'] {
            let titles = line.split(char::from(separator)).map(|title| title.trim_matches('"'));
            if is_header(titles) {
                return Some((row, Shape::Separated(separator)));
            }
        }
        if row > 0 && is_ruler(line) && lines[..row].iter().any(|line| is_text_header(line)) {
            let above = lines[..row].iter().rposition(|line| is_text_header(line)).unwrap_or(0);
            return Some((above, Shape::Text));
        }
    }
    None
}

/// Columns of text under a line of dashes.
fn is_ruler(line: &str) -> bool {
    line.starts_with("--") && line.contains(' ') && line.bytes().all(|b| matches!(b, b'-' | b' '))
}

fn is_text_header(line: &str) -> bool {
    is_header(line.split("  ").filter(|title| !title.trim().is_empty()))
}

fn sniff(head: &[u8], _: &str) -> Sniff {
    if shape(&String::from_utf8_lossy(head)).is_some() { Sniff::Yes } else { Sniff::No }
}

fn read(
    stream: Stream,
    options: &ReadOptions,
    warnings: &mut Warnings,
) -> Result<Profile, ReadError> {
    let mut lines = Lines::new(stream, FORMAT.name)?;
    let head = String::from_utf8_lossy(lines.peek(crate::SNIFF_BYTES)?).into_owned();
    let Some((before, shape)) = shape(&head) else {
        return Err(ReadError::Malformed {
            format: FORMAT.name,
            place: crate::Place(0),
            reason: "no line names the columns".to_owned(),
        });
    };
    for _ in 0..before {
        lines.next_line()?;
    }
    match shape {
        Shape::Separated(separator) => {
            let mut records = Records::new(lines, separator);
            let titles = match records.next_record()? {
                Some(record) => (0..record.len().min(MOST_COLUMNS))
                    .map(|at| record.get(at).to_owned())
                    .collect(),
                None => vec![],
            };
            let mut report: Option<Report> = None;
            let mut count = 0u64;
            while let Some(record) = records.next_record()? {
                let cell = |at: usize| record.get(at);
                let report = match &mut report {
                    Some(report) => report,
                    None => report.insert(Report::new(&titles, cell, warnings)?),
                };
                report.push(cell, warnings);
                count += 1;
                if count.is_multiple_of(1024) {
                    options.check_memory(report.builder.heap_bytes())?;
                }
            }
            finish(report, &titles, warnings)
        }
        Shape::Text => {
            let mut above: Vec<String> = vec![];
            let ranges = loop {
                let Some(line) = lines.next_line()? else { return finish(None, &[], warnings) };
                if is_ruler(line.text) {
                    break columns(line.text);
                }
                above.push(line.text.to_owned());
            };
            // Long names are broken over several lines.
            let titles: Vec<String> = (0..ranges.len())
                .map(|at| {
                    let parts = above.iter().map(|line| slice(line, &ranges, at).trim());
                    let words: Vec<_> = parts.filter(|part| !part.is_empty()).collect();
                    words.join(" ").replace(": ", ":")
                })
                .collect();
            let mut report: Option<Report> = None;
            let mut count = 0u64;
            while let Some(line) = lines.next_line()? {
                if line.text.trim().is_empty() {
                    continue;
                }
                let cell = |at: usize| slice(line.text, &ranges, at);
                let report = match &mut report {
                    Some(report) => report,
                    None => report.insert(Report::new(&titles, cell, warnings)?),
                };
                report.push(cell, warnings);
                count += 1;
                if count.is_multiple_of(1024) {
                    options.check_memory(report.builder.heap_bytes())?;
                }
            }
            finish(report, &titles, warnings)
        }
    }
}

fn finish(
    report: Option<Report>,
    titles: &[String],
    warnings: &mut Warnings,
) -> Result<Profile, ReadError> {
    let report = match report {
        Some(report) => report,
        None => {
            warnings.add(crate::warnings::NO_SAMPLES, || "the report has no rows".to_owned());
            Report::new(titles, |_| "", warnings)?
        }
    };
    Ok(report.finish(warnings))
}

/// Where columns begin, in characters.
fn columns(ruler: &str) -> Vec<usize> {
    let bytes = ruler.as_bytes();
    let starts = |&at: &usize| bytes[at] == b'-' && (at == 0 || bytes[at - 1] == b' ');
    (0..bytes.len()).filter(starts).take(MOST_COLUMNS).collect()
}

/// The text of a column, up to where the next begins.
fn slice<'l>(line: &'l str, starts: &[usize], column: usize) -> &'l str {
    let at = |chars: usize| line.char_indices().nth(chars).map_or(line.len(), |(byte, _)| byte);
    let start = starts.get(column).map_or(line.len(), |&start| at(start));
    let end = starts.get(column + 1).map_or(line.len(), |&end| at(end));
    &line[start..end]
}

/// More columns are not read: the widest reports have some hundred.
const MOST_COLUMNS: usize = 1000;

/// A column of numbers.
struct Measure {
    column: usize,
    decimals: u8,
}

struct Report {
    builder: ProfileBuilder,
    /// Columns of words.
    words: Vec<(Meaning, usize)>,
    measures: Vec<Measure>,
    tree: IndentedTree,
    values: Vec<i64>,
}

impl Report {
    /// A report with these columns; `cell` is of its first row.
    fn new<'c>(
        titles: &[String],
        cell: impl Fn(usize) -> &'c str,
        warnings: &mut Warnings,
    ) -> Result<Report, ReadError> {
        let words = titles.iter().enumerate();
        let words: Vec<_> =
            words.filter_map(|(column, title)| Some((meaning(title)?, column))).collect();
        let has = |meaning: Meaning| words.iter().any(|&(known, _)| known == meaning);
        if has(Meaning::Stack) && has(Meaning::Function) {
            return Err(ReadError::Unsupported {
                found: "VTune's callstacks report".to_owned(),
                instead: "`vtune -report top-down -format csv` makes one that is",
            });
        }
        let mut metrics: Vec<Metric> = vec![];
        let (mut measures, mut totals): (Vec<Measure>, Vec<bool>) = (vec![], vec![]);
        for (column, title) in titles.iter().enumerate() {
            let title = title.trim();
            if meaning(title).is_some() || title.is_empty() {
                continue;
            }
            let name = title.strip_suffix(":Self").or(title.strip_suffix(":Total"));
            let is_total = title.ends_with(":Total");
            let has_self = || {
                titles
                    .iter()
                    .any(|other| other.trim().strip_suffix(":Self") == name && name.is_some())
            };
            if is_total && has_self() {
                continue;
            }
            let name = name.unwrap_or(title);
            if !is_sum(name) {
                warnings
                    .add("columns", || format!("columns that cannot be summed, such as {name}"));
                continue;
            }
            let (unit, decimals) = match () {
                () if cell(column).trim().ends_with('%') => ("percent", 3),
                () if name.split(':').any(|part| part.trim().ends_with("Time")) => {
                    ("nanoseconds", 9)
                }
                () if name.contains("Size") => ("bytes", 0),
                () => ("count", 0),
            };
            let kept = if unit == "percent" { decimals } else { 0 };
            metrics.push(Metric {
                name: name.to_owned(),
                unit: unit.to_owned(),
                decimals: kept,
                combining: if unit == "percent" { SHARE } else { by_name(name) },
                ..Metric::default()
            });
            measures.push(Measure { column, decimals });
            totals.push(is_total && has(Meaning::Stack));
        }
        let mut builder = ProfileBuilder::new(metrics);
        FORMAT.name.clone_into(&mut builder.origin.format);
        "VTune".clone_into(&mut builder.origin.producer);
        let values = vec![0; measures.len()];
        Ok(Report { builder, words, measures, tree: IndentedTree::new(totals), values })
    }

    fn push<'c>(&mut self, cell: impl Fn(usize) -> &'c str, warnings: &mut Warnings) {
        let word = |meaning: Meaning| {
            let column = self.words.iter().find(|&&(known, _)| known == meaning);
            column.map_or("", |&(_, column)| cell(column))
        };
        let known = |meaning: Meaning| match word(meaning).trim() {
            "[Unknown]" => "",
            word => word,
        };
        for (value, measure) in self.values.iter_mut().zip(&self.measures) {
            let text = cell(measure.column);
            *value = number(text, measure.decimals).unwrap_or_else(|| {
                warnings.add("numbers", || format!("cells that are not numbers, such as {text}"));
                0
            });
        }
        let stack = word(Meaning::Stack);
        let indent = stack.len() - stack.trim_start_matches(' ').len();
        let name = match (word(Meaning::FullFunction).trim(), stack.trim()) {
            // The row of a loop has the function around it in that column.
            ("" | "[Unknown]", stack) if !stack.is_empty() => stack,
            (_, stack) if stack.starts_with("[Loop ") => stack,
            ("" | "[Unknown]", _) => word(Meaning::Function).trim(),
            (full, _) => full,
        };
        let address = known(Meaning::Address).trim_start_matches("0x");
        let place = Place {
            kind: if name.starts_with("[Loop ") { LocationKind::Loop } else { LocationKind::Code },
            function: name,
            file: known(Meaning::File),
            line: known(Meaning::Line).parse().unwrap_or(0),
            module: known(Meaning::Module),
            address: hexadecimal(address).unwrap_or(0),
            ..Place::default()
        };
        let (process, thread) = (word(Meaning::Process).trim(), word(Meaning::Thread).trim());
        let builder = &mut self.builder;
        // Rows of a flat report are inside nothing.
        let mut inside = self.tree.leave(indent, builder, warnings);
        let is_whole = indent == 0 && stack.trim() == "Total";
        if !is_whole {
            let location = builder.place(&place);
            inside.context = builder.contexts.child(inside.context, location);
        }
        if !process.is_empty() || !thread.is_empty() {
            let process = (!process.is_empty()).then(|| builder.process(process));
            inside.thread = Some(builder.thread(process, thread));
        }
        self.tree.enter(indent, Inside { ..inside }, &self.values);
    }

    fn finish(mut self, warnings: &mut Warnings) -> Profile {
        self.tree.finish(&mut self.builder, warnings);
        let metrics = &self.builder.metrics;
        let time = metrics.iter().position(|metric| metric.name == "CPU Time");
        self.builder.origin.default_metric = MetricId(time.unwrap_or(0) as u32);
        self.builder.finish()
    }
}

/// Whether values of a column of this name can be summed: shares of something else, rates and means
/// cannot.
fn is_sum(name: &str) -> bool {
    let of_others = ["(%)", "%", "Rate", "Ratio", "Usage", "Utilization"];
    !of_others.iter().any(|end| name.ends_with(end))
        && !name.contains("Average")
        && !name.contains("Bound")
        && !name.contains("CPI")
}

/// A number, perhaps with its unit; nothing is 0.
fn number(text: &str, decimals: u8) -> Option<i64> {
    let text = text.trim();
    if text.is_empty() {
        return Some(0);
    }
    let digits = text.trim_end_matches(|c: char| c.is_alphabetic() || c == '%' || c == ' ');
    let exponent = match text[digits.len()..].trim() {
        "ms" => -3,
        "us" | "µs" | "\u{3bc}s" => -6,
        "ns" => -9,
        _ => 0,
    };
    let mut number = Decimal::parse_local(digits)?;
    number.exponent += exponent;
    number.to_scaled(decimals)
}
