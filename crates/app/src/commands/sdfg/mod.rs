//! `hotframe sdfg`.

mod accesses;
mod compare;
mod cost;
mod draw;
mod elements;
mod fusions;
mod info;
mod measured;
mod memory;
mod progress;
mod search;
mod simulate;
mod simulated;
mod total_sides;
mod totals;
mod traced;
mod value;
mod verdict;

use std::io::{Read, Write};
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result};
use sdfg::model::Program;
use sdfg::{Limits, ReadError, read};

use crate::arguments::{ReportFormat, Sdfg, SdfgCommand, SdfgOutput};
use crate::report::{After, Fields, Head, Report, Sections};

/// Tells what graphs hold or cost.
pub(crate) fn sdfg(arguments: &Sdfg) -> Result<ExitCode> {
    let done = |result: Result<()>| result.map(|()| ExitCode::SUCCESS);
    match &arguments.command {
        SdfgCommand::Info(arguments) => done(info::info(arguments)),
        SdfgCommand::Cost(arguments) => cost::cost(arguments),
        SdfgCommand::Compare(arguments) => compare::compare(arguments),
        SdfgCommand::Fusions(arguments) => done(fusions::fusions(arguments)),
        SdfgCommand::Memory(arguments) => done(memory::memory(arguments)),
        SdfgCommand::Simulate(arguments) => done(simulate::simulate(arguments)),
        SdfgCommand::Draw(arguments) => done(draw::draw(arguments)),
    }
}

fn open(path: &Path, max_size: u64) -> Result<Program> {
    read_as(path, max_size, read)
}

/// Reads a file, or standard input.
fn read_as<T>(
    path: &Path,
    max_size: u64,
    read: impl FnOnce(Box<dyn Read>, &Limits) -> Result<T, ReadError>,
) -> Result<T> {
    from(bytes_of(path)?, path, max_size, read)
}

/// The bytes of a file, or of standard input.
fn bytes_of(path: &Path) -> Result<Box<dyn Read>> {
    if path.as_os_str() == "-" {
        return Ok(Box::new(std::io::stdin().lock()));
    }
    let file = crate::access::open(path);
    Ok(Box::new(file.with_context(|| format!("cannot open {}", path.display()))?))
}

/// Reads bytes of a path.
fn from<T>(
    bytes: Box<dyn Read>,
    path: &Path,
    max_size: u64,
    read: impl FnOnce(Box<dyn Read>, &Limits) -> Result<T, ReadError>,
) -> Result<T> {
    let limits = Limits { max_size };
    let hint = |error: &ReadError| match error {
        ReadError::TooLarge { .. } => " (--max-size lifts the limit)",
        _ => "",
    };
    read(bytes, &limits).map_err(|error| {
        let hint = hint(&error);
        anyhow::Error::new(error).context(format!("cannot read {}{hint}", path.display()))
    })
}

/// Writes tables to standard output.
fn write(sections: Sections<'_>, output: &SdfgOutput) -> Result<()> {
    let mut out = crate::text::stdout();
    sections.write(output.format, output.table.as_deref(), &mut out)?;
    Ok(out.flush()?)
}

/// How many rows people get; the others get all.
fn limit(format: ReportFormat, asked: usize) -> usize {
    match format {
        ReportFormat::Text | ReportFormat::Markdown if asked > 0 => asked,
        _ => usize::MAX,
    }
}

fn is_for_people(format: ReportFormat) -> bool {
    matches!(format, ReportFormat::Text | ReportFormat::Markdown)
}

/// A table of what is there already, of which `limit` rows are told.
fn table<'a, R: 'a>(
    title: impl Into<String>,
    fields: Fields<'a, R>,
    rows: Vec<R>,
    (limit, word): (usize, &'static str),
) -> Report<'a> {
    Report {
        head: Head { title: title.into(), ..Head::default() },
        columns: fields.columns(),
        rows: Box::new(move |sink| {
            for row in rows.iter().take(limit) {
                sink(&fields.row(row, &[], 0))?;
            }
            Ok(After::left_out(rows.len().saturating_sub(limit), word))
        }),
    }
}
