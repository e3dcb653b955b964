//! Reading graphs and writing tables of them.

use std::io::{Read, Write};
use std::path::Path;

use anyhow::{Context, Result};
use sdfg::model::Program;
use sdfg::{Limits, ReadError, read};

use crate::arguments::{ReportFormat, SdfgOutput};
use crate::report::{After, Fields, Head, Report, Sections};

pub(super) fn open(path: &Path, max_size: u64) -> Result<Program> {
    read_as(path, max_size, read)
}

/// Reads a file, or standard input.
pub(super) fn read_as<T>(
    path: &Path,
    max_size: u64,
    read: impl FnOnce(Box<dyn Read>, &Limits) -> Result<T, ReadError>,
) -> Result<T> {
    from(bytes_of(path)?, path, max_size, read)
}

/// The bytes of a file, or of standard input.
pub(super) fn bytes_of(path: &Path) -> Result<Box<dyn Read>> {
    if path.as_os_str() == "-" {
        return Ok(Box::new(std::io::stdin().lock()));
    }
    let file = crate::access::open(path);
    Ok(Box::new(file.with_context(|| format!("cannot open {}", path.display()))?))
}

/// Reads bytes of a path.
pub(super) fn from<T>(
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
pub(super) fn write(sections: Sections<'_>, output: &SdfgOutput) -> Result<()> {
    let mut out = crate::text::stdout();
    sections.write(output.format, output.table.as_deref(), &mut out)?;
    Ok(out.flush()?)
}

/// How many rows people get; the others get all.
pub(super) fn limit(format: ReportFormat, asked: usize) -> usize {
    if format.is_for_people() && asked > 0 { asked } else { usize::MAX }
}

/// A table of what is there already, of which `limit` rows are told.
pub(super) fn table<'a, R: 'a>(
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
