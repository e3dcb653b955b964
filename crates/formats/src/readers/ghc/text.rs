//! The report of `+RTS -p` and `-P`: a head, a flat table, and a table whose indentation is a tree.
//!
//! ```text
//!                                                       individual      inherited
//! COST CENTRE  MODULE  SRC             no.   entries  %time %alloc   %time %alloc  ticks  bytes
//! MAIN         MAIN    <built-in>      149         0    1.1    0.0   100.0  100.0      1    816
//!  main        Main    Loom.hs:25:1-9  299         0    0.0    0.1    94.7   89.9      0    200
//! ```
//! `SRC` came with GHC 8; the last two columns are those of `-P`.

use profile::{ContextId, LabelSetId, Metric, Place, Points, Profile, ProfileBuilder};

use super::FORMAT;
use crate::input::stream::Stream;
use crate::numbers::decimal::Decimal;
use crate::text::lines::{Line, Lines};
use crate::{ReadError, ReadOptions, Sniff, Warnings};

const TITLE: &str = "Time and Allocation Profiling Report";

pub(super) fn sniff(head: &[u8]) -> Sniff {
    let text = String::from_utf8_lossy(&head[..head.len().min(4096)]);
    let titled = text.lines().take(4).any(|line| line.contains(TITLE));
    if titled { Sniff::Yes } else { Sniff::No }
}

pub(super) fn read(
    stream: Stream,
    options: &ReadOptions,
    warnings: &mut Warnings,
) -> Result<Profile, ReadError> {
    let mut lines = Lines::new(stream, FORMAT.name)?;
    let mut report = Report::default();
    while let Some(line) = lines.next_line()? {
        report.line(line, warnings);
        if line.number.is_multiple_of(4096) {
            options.check_memory(report.builder.heap_bytes())?;
        }
    }
    lines.check_skipped(warnings, &["row"])?;
    let mut builder = report.builder;
    if report.table.is_none() {
        warnings.add("tree", || "the report ends before the tree of cost centres".to_owned());
    }
    builder.origin.format = FORMAT.name.to_owned();
    builder.origin.producer = "GHC".to_owned();
    Ok(builder.finish())
}

#[derive(Default)]
struct Report {
    builder: ProfileBuilder,
    seen_title: bool,
    /// The columns of the tree, once it started.
    table: Option<Table>,
    /// Contexts from the root to the row before, by depth.
    path: Vec<ContextId>,
}

/// Where columns start, in characters.
#[derive(Clone, Copy)]
struct Table {
    module: usize,
    source: Option<usize>,
    /// Whether ticks and bytes stand at the end.
    exact: bool,
}

/// The numbers of a row that are not sums of rows below it.
struct Row<'l> {
    name: String,
    module: String,
    source: String,
    entries: i64,
    time: &'l str,
    allocated: &'l str,
    exact: Option<(i64, i64)>,
}

impl Report {
    fn line(&mut self, line: Line<'_>, warnings: &mut Warnings) {
        let text = line.text.trim_end();
        let trimmed = text.trim();
        if trimmed.is_empty() {
            return;
        }
        if trimmed.starts_with("COST CENTRE") {
            if trimmed.contains(" no.") {
                self.start_table(text);
            }
            return;
        }
        let Some(table) = self.table else { return self.head(trimmed) };
        match row(text, table) {
            Some(row) => {
                let depth = text.len() - text.trim_start().len();
                self.push(depth, &row);
            }
            None => warnings.add("row", || {
                let start: String = trimmed.chars().take(40).collect();
                format!("line {} is skipped, it is not a cost centre: {start}", line.number)
            }),
        }
    }

    /// A line above the tables.
    fn head(&mut self, text: &str) {
        let origin = &mut self.builder.origin;
        if text.contains(TITLE) {
            self.seen_title = true;
            let date = text.split(TITLE).next().unwrap_or_default().trim();
            origin.comments.push(format!("written: {date}"));
        } else if let Some(rest) = text.strip_prefix("total time") {
            // `= 0.10 secs   (95 ticks @ 1000 us, 1 processor)`
            let seconds = rest.trim_start_matches([' ', '=']).split(' ').next().unwrap_or_default();
            let seconds = Decimal::parse(seconds.as_bytes());
            origin.duration_ns = seconds.and_then(|s| s.to_scaled(9)).unwrap_or(0);
            let interval = rest.split_once("@ ").and_then(|(_, rest)| {
                let mut words = rest.split([' ', ',', ')']);
                let number: i64 = words.next()?.parse().ok()?;
                let unit = if words.next()? == "us" { 1_000 } else { 1_000_000 };
                number.checked_mul(unit)
            });
            if let Some(interval) = interval {
                origin.period = interval;
                origin.period_type = Some(("ticks".to_owned(), "nanoseconds".to_owned()));
            }
        } else if let Some(rest) = text.strip_prefix("total alloc") {
            origin.comments.push(format!("total alloc: {}", rest.trim_start_matches([' ', '='])));
        } else if self.seen_title && !origin.comments.iter().any(|c| c.starts_with("command: ")) {
            origin.comments.push(format!("command: {text}"));
        }
    }

    fn start_table(&mut self, text: &str) {
        let column = |name: &str| text.find(name).map(|at| text[..at].chars().count());
        let exact = text.contains(" ticks");
        let metric = |name: &str, unit: &str, decimals: u8| Metric {
            name: name.to_owned(),
            unit: unit.to_owned(),
            decimals,
            ..Metric::default()
        };
        self.table = Some(Table {
            module: column(" MODULE").map_or(0, |at| at + 1),
            source: column(" SRC").map(|at| at + 1),
            exact,
        });
        if self.builder.metrics.is_empty() {
            self.builder.metrics = if exact {
                vec![
                    metric("ticks", "count", 0),
                    metric("alloc", "bytes", 0),
                    metric("entries", "count", 0),
                ]
            } else {
                vec![
                    metric("time", "percent", 1),
                    metric("alloc", "percent", 1),
                    metric("entries", "count", 0),
                ]
            };
            self.builder.points = Points::new(3);
        }
    }

    fn push(&mut self, depth: usize, row: &Row<'_>) {
        let (file, line, column) = place_of(&row.source);
        let location = self.builder.place(&Place {
            function: &row.name,
            file,
            start_line: line,
            line,
            column,
            module: &row.module,
            ..Place::default()
        });
        self.path.truncate(depth);
        let parent = self.path.last().copied().unwrap_or(ContextId::ROOT);
        let context = self.builder.contexts.child(parent, location);
        // A row that is indented too far hangs below the one before.
        self.path.push(context);
        let tenths = |text: &str| {
            Decimal::parse(text.as_bytes()).and_then(|number| number.to_scaled(1)).unwrap_or(0)
        };
        let values = match row.exact {
            Some((ticks, bytes)) => [ticks, bytes, row.entries],
            None => [tenths(row.time), tenths(row.allocated), row.entries],
        };
        if values != [0; 3] {
            self.builder.points.push(context, LabelSetId(0), &values);
        }
    }
}

/// Reads a row: names from the left by columns, numbers from the right.
fn row(text: &str, table: Table) -> Option<Row<'_>> {
    let mut rest = text;
    let mut last = || {
        rest = rest.trim_end();
        let at = rest.rfind(' ')? + 1;
        let word = &rest[at..];
        rest = &rest[..at];
        Some(word)
    };
    let exact = if table.exact {
        let bytes = last()?.parse().ok()?;
        Some((last()?.parse().ok()?, bytes))
    } else {
        None
    };
    let (_inherited_alloc, _inherited_time) = (last()?, last()?);
    let (allocated, time) = (last()?, last()?);
    let entries = last()?.parse().ok()?;
    let _number: u64 = last()?.parse().ok()?;
    let names = rest.trim_end();
    let columns = [Some(table.module), table.source];
    let by_columns = || {
        let characters: Vec<char> = names.chars().collect();
        let (start, end) = (columns[0]?, columns[1].unwrap_or(characters.len()));
        let is_edge = |at: usize| {
            at > 0 && characters.get(at - 1) == Some(&' ') && characters.get(at) != Some(&' ')
        };
        if start > end || !is_edge(start) || columns[1].is_some_and(|at| !is_edge(at)) {
            return None;
        }
        let part = |range: std::ops::Range<usize>| {
            let text: String = characters.get(range)?.iter().collect();
            Some(text.trim().to_owned())
        };
        Some((part(0..start)?, part(start..end)?, part(end..characters.len())?))
    };
    let (name, module, source) = by_columns().or_else(|| {
        let mut words = names.split_ascii_whitespace();
        let (name, module) = (words.next()?.to_owned(), words.next()?.to_owned());
        Some((name, module, words.collect::<Vec<_>>().join(" ")))
    })?;
    Some(Row { name, module, source, entries, time, allocated, exact })
}

/// File, line and column of `Loom.hs:(15,1)-(16,25)` or `Loom.hs:19:30-81`; nothing for
/// `<built-in>` and the like.
pub(super) fn place_of(source: &str) -> (&str, u32, u32) {
    if source.starts_with('<') {
        return ("", 0, 0);
    }
    if let Some((file, rest)) = source.split_once(":(") {
        let mut numbers = rest.split([',', ')']).map(|number| number.parse().unwrap_or(0));
        return (file, numbers.next().unwrap_or(0), numbers.next().unwrap_or(0));
    }
    let place = source.rsplit_once(':').and_then(|(rest, columns)| {
        let (file, line) = rest.rsplit_once(':')?;
        let column = columns.split('-').next()?;
        Some((file, line.parse().ok()?, column.parse().ok()?))
    });
    place.unwrap_or((source, 0, 0))
}
