//! Reports as values: a head, columns and rows that come one by one. What a command tells is put
//! together once; each format is written in one place.
//!
//! ```text
//! commands/show, diff, sdfg --- Report --- text | markdown     for people
//!                                      \-- json | csv          for programs
//! ```

mod cell;
mod column;
mod csv;
mod fields;
mod head;
mod json;
mod markdown;
mod sections;
mod table;
mod text;

use std::borrow::Cow;
use std::io::{self, Write};

use anyhow::Result;

pub(crate) use cell::{Cell, Measure, Name, Record, Row, Style};
pub(crate) use column::{Column, Kind};
pub(crate) use fields::Fields;
pub(crate) use head::{Head, Members, Span};
pub(crate) use json::VERSION as JSON_VERSION;
pub(crate) use sections::{Section, Sections};
pub(crate) use table::{of_table, reader};

use crate::arguments::ReportFormat;
use crate::text::Harmless;

/// A report.
pub(crate) struct Report<'a> {
    pub(crate) head: Head,
    /// Those of the format that it is written in.
    pub(crate) columns: Vec<Column>,
    pub(crate) rows: Rows<'a>,
}

/// Gives rows to a writer as they are found, each with one cell a column: a tree of millions of
/// rows never stands in memory as a table.
pub(crate) type Rows<'a> = Box<dyn FnOnce(&mut Sink<'_>) -> Result<After> + 'a>;

/// What takes rows.
pub(crate) type Sink<'s> = dyn FnMut(&Row<'_>) -> io::Result<()> + 's;

/// What is told after the rows.
#[derive(Debug, Default)]
pub(crate) struct After {
    /// How many of what the limit leaves out.
    pub(crate) left_out: Option<(usize, Cow<'static, str>)>,
    /// Sentences for people.
    pub(crate) notes: Vec<String>,
    /// More members of the JSON object.
    pub(crate) members: Members,
}

impl After {
    /// The limit may have left out so many of what a word says.
    pub(crate) fn left_out(count: usize, word: impl Into<Cow<'static, str>>) -> After {
        After { left_out: (count > 0).then(|| (count, word.into())), ..After::default() }
    }
}

impl Report<'_> {
    /// Writes the report in the format that its columns are for.
    pub(crate) fn write(self, format: ReportFormat, out: &mut dyn Write) -> Result<()> {
        match format {
            ReportFormat::Text => {
                let mut out = Harmless::new(out);
                text::write(self, &mut out)?;
                Ok(out.flush()?)
            }
            ReportFormat::Markdown => markdown::write(self, out),
            ReportFormat::Json => json::write(self, out),
            ReportFormat::Csv => csv::write(self, out),
        }
    }
}

/// Rows that are there already.
#[cfg(test)]
fn of_rows<'a>(columns: Vec<Column>, rows: Vec<Row<'static>>) -> Report<'a> {
    let give = move |sink: &mut Sink<'_>| {
        rows.iter().try_for_each(sink)?;
        Ok(After::left_out(2, "functions"))
    };
    Report { head: Head::default(), columns, rows: Box::new(give) }
}
