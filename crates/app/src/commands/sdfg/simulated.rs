//! What `hotframe sdfg simulate` prints.

use std::collections::BTreeMap;

use anyhow::Result;
use locality::{Method, Outcome, Split};
use serde::Serialize;
use session::{Accesses, count_text};

use crate::arguments::{ReportFormat, SdfgSimulate};
use crate::commands::sdfg::files::{limit, table, write};
use crate::report::{Cell, Column, Fields, Kind, Members, Name, Section, Sections};

/// What a container, a reference or all of them do.
struct Row {
    name: String,
    split: Split,
    /// Lines that were touched; none of references.
    lines: Option<u64>,
    bytes: u64,
}

#[derive(Serialize)]
struct MissesJson {
    cold: u64,
    capacity: u64,
    conflict: i64,
}

#[derive(Serialize)]
struct TotalsJson {
    accesses: u64,
    lines: u64,
    misses: MissesJson,
    bytes: u64,
}

impl TotalsJson {
    fn new(split: Split, lines: u64, line: u64) -> TotalsJson {
        let Split { accesses, cold, capacity, conflict } = split;
        let misses = MissesJson { cold, capacity, conflict };
        TotalsJson { accesses, lines, misses, bytes: split.misses() * line }
    }
}

/// Who drove out lines of whom, by container.
struct Eviction {
    level: usize,
    by: String,
    of: String,
    lines: u64,
}

/// What was simulated.
pub(super) struct Simulated<'a> {
    pub(super) own: &'a Accesses,
    pub(super) outcome: &'a Outcome,
    /// Bytes of a line.
    pub(super) line: u64,
    /// What places of accesses are called.
    pub(super) word: &'static str,
    /// Whether it was recorded: a program has more arrays than are accessed.
    pub(super) is_recorded: bool,
}

/// Prints it, and before it all accesses and lines of the program as it is, if that is another.
pub(super) fn print_simulated(
    simulated: &Simulated<'_>,
    as_it_is: Option<(Split, u64)>,
    arguments: &SdfgSimulate,
) -> Result<()> {
    let &Simulated { own, outcome, line, word, .. } = simulated;
    let all = || 0..own.program.nest.references.len();
    let lines: u64 = outcome.distances.lines.iter().sum();
    let of_all = outcome.sum(0, all());
    let totals = TotalsJson::new(of_all, lines, line);
    let row = |name: String, split: Split, lines| Row {
        name,
        split,
        lines,
        bytes: split.misses() * line,
    };
    let containers: Vec<Row> = own
        .program
        .containers
        .iter()
        .enumerate()
        .map(|(number, container)| {
            let its = |reference: &usize| {
                own.program.nest.references[*reference].container as usize == number
            };
            let split = outcome.sum(0, all().filter(its));
            row(container.name.clone(), split, Some(outcome.distances.lines[number]))
        })
        .filter(|row| !simulated.is_recorded || row.split.accesses > 0)
        .collect();
    let levels: Vec<Row> = arguments
        .cache
        .iter()
        .enumerate()
        .map(|(level, cache)| row(cache_name(level, *cache), outcome.sum(level, all()), None))
        .collect();
    let references: Vec<Row> = edges(own, outcome, line, simulated.is_recorded);

    let format = arguments.output.format;
    let most = limit(format, arguments.limit);
    let mut tables = vec![];
    if format != ReportFormat::Json {
        let mut whole = vec![row("all".to_owned(), of_all, Some(lines))];
        if let Some((split, lines)) = as_it_is {
            whole[0].name = arguments.what_if.join("; ");
            whole.insert(0, row("as it is".to_owned(), split, Some(lines)));
        }
        let title = format!("accesses in lines of {} bytes, {}", line, levels[0].name);
        tables.push(Section::new("totals", table(title, fields(format), whole, (2, ""))));
    }
    tables.push(Section::new(
        "containers",
        table("containers", fields(format), containers, (most, "containers")),
    ));
    tables.push(Section::new("levels", table("levels", fields(format), levels, (usize::MAX, ""))));
    let title = format!("{word}, each with the misses of its own accesses");
    tables.push(Section::new(word, table(title, fields(format), references, (most, word))));
    let evictions = evictions(own, outcome);
    if !evictions.is_empty() {
        let title = "evicted lines, by the container that evicts and the one that is evicted";
        let print_simulated = table(title, eviction_fields(format), evictions, (most, "pairs"));
        tables.push(Section::new("evictions", print_simulated));
    }
    let notes = notes(own, outcome, of_all.accesses);
    let left_out: BTreeMap<String, &str> =
        own.left_out.iter().map(|(what, why)| (what.clone(), &**why)).collect();
    let as_it_is = as_it_is.map(|(split, lines)| TotalsJson::new(split, lines, line));
    let sections = Sections {
        members: Members::default()
            .with("totals", &totals)?
            .with("as_it_is", &as_it_is)?
            .with("method", &"exact")?
            .with("simulated", &outcome.simulated())?,
        tables,
        notes,
        more: Members::default().with("left_out", &left_out)?.with("assumed", &own.notes)?,
    };
    write(sections, &arguments.output)
}

fn cache_name(level: usize, (size, ways): (u64, Option<u32>)) -> String {
    let size = match size {
        size if size.is_multiple_of(1 << 20) => format!("{} MiB", size >> 20),
        size if size.is_multiple_of(1 << 10) => format!("{} KiB", size >> 10),
        size => format!("{size} bytes"),
    };
    match ways {
        Some(ways) => format!("L{}: {size} of {ways} ways", level + 1),
        None => format!("L{}: {size}, fully associative", level + 1),
    }
}

/// What accesses of each edge or statement miss, most first.
fn edges(own: &Accesses, outcome: &Outcome, line: u64, is_recorded: bool) -> Vec<Row> {
    let mut by_edge: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (number, origin) in own.origins.iter().enumerate() {
        by_edge.entry(origin.text.clone()).or_default().push(number);
    }
    let mut rows: Vec<Row> = by_edge
        .into_iter()
        .map(|(name, references)| {
            let split = outcome.sum(0, references.into_iter());
            Row { name, split, lines: None, bytes: split.misses() * line }
        })
        .collect();
    // What a recording has of an array need not be read and written.
    rows.retain(|row| !is_recorded || row.split.accesses > 0);
    rows.sort_by_key(|row| std::cmp::Reverse(row.bytes));
    rows
}

fn evictions(own: &Accesses, outcome: &Outcome) -> Vec<Eviction> {
    let Some(run) = &outcome.run else { return vec![] };
    let name = |reference: usize| {
        own.program.containers[own.program.nest.references[reference].container as usize]
            .name
            .clone()
    };
    let mut all: BTreeMap<(usize, String, String), u64> = BTreeMap::new();
    for (level, counts) in run.counts.levels.iter().enumerate() {
        for (by, row) in counts.evictions.iter().enumerate() {
            for (of, &lines) in row.iter().enumerate().filter(|(_, lines)| **lines > 0) {
                *all.entry((level, name(by), name(of))).or_default() += lines;
            }
        }
    }
    let print_simulated = |((level, by, of), lines)| Eviction { level: level + 1, by, of, lines };
    let mut rows: Vec<Eviction> = all.into_iter().map(print_simulated).collect();
    rows.sort_by_key(|row| (row.level, std::cmp::Reverse(row.lines)));
    rows
}

fn notes(own: &Accesses, outcome: &Outcome, accesses: u64) -> Vec<String> {
    let mut notes = own.notes.clone();
    if outcome.method() == Method::Skipped || outcome.simulated() < accesses {
        notes.push(format!(
            "exact: {} touches were simulated, what repeats them elsewhere or in the same lines was \
             counted",
            outcome.simulated()
        ));
    }
    if !own.left_out.is_empty() {
        notes.push("at least: some of the program is left out:".to_owned());
        notes.extend(own.left_out.iter().map(|(id, why)| format!("  {id}: {why}")));
    }
    notes
}

fn fields<'a>(format: ReportFormat) -> Fields<'a, Row> {
    let mut fields = Fields::<Row>::new(format);
    fields.add(Column::exact("name", Kind::Text), |row, _| Cell::text(row.name.clone()));
    fields.add(Column::exact("accesses", Kind::Count), |row, _| Cell::Count(row.split.accesses));
    fields.add(Column::exact("lines", Kind::Count), |row, _| Cell::maybe(row.lines, Cell::Count));
    fields.add(Column::exact("misses", Kind::Text).only(ReportFormat::Json), |row, _| {
        let Split { cold, capacity, conflict, .. } = row.split;
        Cell::Record(vec![
            ("cold", Cell::Count(cold)),
            ("capacity", Cell::Count(capacity)),
            ("conflict", Cell::Number(conflict.into())),
        ])
    });
    for (key, pick) in [
        ("cold", (|split| split.cold.into()) as fn(&Split) -> serde_json::Number),
        ("capacity", |split| split.capacity.into()),
        ("conflict", |split| split.conflict.into()),
    ] {
        let column = Column::exact(key, Kind::Count).only(ReportFormat::Csv);
        fields.add(column, move |row, _| Cell::Number(pick(&row.split)));
    }
    fields.add(Column::exact("bytes", Kind::Count), |row, _| Cell::Count(row.bytes));
    fields.add(Column::shown("accesses", Kind::Value).wide(14), |row, _| {
        Cell::Count(row.split.accesses)
    });
    fields.add(Column::shown("misses", Kind::Value).wide(12), |row, _| {
        Cell::Count(row.split.misses())
    });
    fields.add(Column::shown("cold", Kind::Value).wide(10), |row, _| Cell::Count(row.split.cold));
    fields.add(Column::shown("capacity", Kind::Value).wide(11), |row, _| {
        Cell::Count(row.split.capacity)
    });
    fields.add(Column::shown("conflict", Kind::Value).wide(11), |row, _| {
        // Where lines may stand in few places, another order of evictions may miss less.
        let conflict = row.split.conflict;
        let sign = if conflict < 0 { "-" } else { "" };
        Cell::text(format!("{sign}{}", count_text(conflict.unsigned_abs())))
    });
    fields.add(Column::shown("bytes", Kind::Value).wide(14), |row, _| Cell::Count(row.bytes));
    fields.add(Column::shown("of", Kind::Name), |row, _| {
        Name { text: row.name.clone().into(), ..Name::default() }.into()
    });
    fields
}

fn eviction_fields<'a>(format: ReportFormat) -> Fields<'a, Eviction> {
    let mut fields = Fields::<Eviction>::new(format);
    fields.add(Column::exact("level", Kind::Count), |row, _| Cell::Count(row.level as u64));
    fields.add(Column::exact("by", Kind::Text), |row, _| Cell::text(row.by.clone()));
    fields.add(Column::exact("of", Kind::Text), |row, _| Cell::text(row.of.clone()));
    fields.add(Column::exact("lines", Kind::Count), |row, _| Cell::Count(row.lines));
    fields.add(Column::shown("lines", Kind::Value).wide(12), |row, _| Cell::Count(row.lines));
    fields.add(Column::shown("by and of", Kind::Name), |row, _| {
        let text = format!("L{}: {} evicts {}", row.level, row.by, row.of);
        Name { text: text.into(), ..Name::default() }.into()
    });
    fields
}
