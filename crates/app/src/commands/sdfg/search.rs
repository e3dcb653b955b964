//! `hotframe sdfg simulate --search`, and what is to be written for a change.

use std::io::Write;

use anyhow::Result;
use locality::{Caches, Change, Language, Placement, Searching, Smaller, search, written};
use session::{Accesses, Setting};

use super::progress::Progress;
use crate::arguments::{Exported, ReportFormat, SdfgSimulate};
use crate::commands::sdfg::files::{limit, table, write};
use crate::report::{Cell, Column, Fields, Kind, Members, Name, Section, Sections};

/// A variant of the search.
struct Row {
    changes: Vec<Change>,
    /// By level.
    misses: Vec<u64>,
    bytes: u64,
    /// Misses as the program is, of the first level.
    plain: u64,
    is_unproven: bool,
}

impl Row {
    fn text(&self) -> String {
        let all: Vec<String> = self.changes.iter().map(Change::to_string).collect();
        if all.is_empty() { "as it is".to_owned() } else { all.join("; ") }
    }
}

/// Prints what misses least.
pub(super) fn searched(
    own: &Accesses,
    smaller: Smaller<'_>,
    caches: &Caches,
    placement: Placement,
    arguments: &SdfgSimulate,
    most: usize,
) -> Result<()> {
    let progress = Progress::new(arguments.variants as u128, "variants");
    let searching = Searching {
        caches,
        placement,
        line: arguments.line,
        most: arguments.variants,
        goes_on: &|done| progress.see(done as u128),
    };
    let found = search(&own.program, smaller, &searching)?;
    drop(progress);
    let plain = found.plain.misses.first().copied().unwrap_or(0);
    let row = |variant: &locality::Variant| Row {
        changes: variant.changes.clone(),
        misses: variant.misses.clone(),
        bytes: variant.misses.first().copied().unwrap_or(0) * arguments.line,
        plain,
        is_unproven: variant.is_unproven,
    };
    let rows: Vec<Row> = found.variants.iter().take(most.max(1)).map(row).collect();
    let output = &arguments.output;
    let format = output.format;
    let mut notes = vec![format!(
        "{} variants were simulated, each at these sizes; {}, and other variants may be better",
        found.variants.len(),
        if found.has_ended { "none that is near the best is left" } else { "more are left" }
    )];
    if found.refused > 0 {
        notes.push(format!(
            "{} are left out: dependences forbid their order, or they cannot be simulated",
            found.refused
        ));
    }
    let unproven = rows.iter().filter(|row| row.is_unproven).count();
    if unproven > 0 {
        notes.push(format!(
            "{unproven} are not proven: their loop order was checked at smaller sizes only"
        ));
    }
    if found.skipped > 0 {
        notes.push(format!(
            "{} were not simulated to the end: they already miss more than the best",
            found.skipped
        ));
    }
    notes.extend(own.notes.iter().cloned());
    let title = "variants by misses of the first level, those that miss least first";
    let tables = vec![Section::new(
        "variants",
        table(title, fields(format), rows, (limit(format, 0), "variants")),
    )];
    let sections = Sections {
        members: Members::default()
            .with("misses_as_it_is", &found.plain.misses)?
            .with("method", &"exact")?
            .with("simulated", &found.variants.len())?
            .with("refused", &found.refused)?
            .with("skipped", &found.skipped)?
            .with("has_ended", &found.has_ended)?,
        tables,
        notes,
        more: Members::default(),
    };
    write(sections, output)
}

fn fields<'a>(format: ReportFormat) -> Fields<'a, Row> {
    let mut fields = Fields::<Row>::new(format);
    fields.add(Column::exact("changes", Kind::Text), |row, _| Cell::text(row.text()));
    fields.add(Column::exact("misses", Kind::Count), |row, _| {
        Cell::Count(row.misses.first().copied().unwrap_or(0))
    });
    fields.add(Column::exact("bytes", Kind::Count), |row, _| Cell::Count(row.bytes));
    fields.add(Column::exact("levels", Kind::Text), |row, _| {
        let all: Vec<String> = row.misses.iter().map(u64::to_string).collect();
        Cell::text(all.join(" "))
    });
    fields.add(Column::shown("misses", Kind::Value).wide(12), |row, _| {
        Cell::Count(row.misses.first().copied().unwrap_or(0))
    });
    fields.add(Column::shown("change", Kind::Value).wide(9), |row, _| {
        let misses = row.misses.first().copied().unwrap_or(0) as f64;
        let change = (misses / row.plain.max(1) as f64 - 1.0) * 100.0;
        Cell::text(format!("{change:+.1} %"))
    });
    fields.add(Column::shown("bytes", Kind::Value).wide(14), |row, _| Cell::Count(row.bytes));
    fields.add(Column::shown("of", Kind::Name), |row, _| {
        let remark = if row.is_unproven { "not proven" } else { "" };
        Name { text: row.text().into(), remark: remark.into(), ..Name::default() }.into()
    });
    fields.add(Column::exact("proven", Kind::Flag), |row, _| Cell::Is(!row.is_unproven));
    fields
}

/// Prints what is to be written.
pub(super) fn export(own: &Accesses, setting: &Setting, language: Exported) -> Result<()> {
    let language = match language {
        Exported::C => Language::C,
        Exported::Numpy => Language::Numpy,
        Exported::Dace => Language::Dace,
    };
    let mut out = crate::text::stdout();
    out.write_all(written(&own.program, &setting.changes, language).as_bytes())?;
    Ok(out.flush()?)
}
