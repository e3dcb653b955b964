//! A report, and how it is written in each format.

use std::io::Write;

use anyhow::Result;

use super::column::Column;
use super::head::Head;
use super::rows::Rows;
use super::{csv, json, markdown, parquet, text};
use crate::arguments::ReportFormat;
use crate::text::Harmless;

/// A report.
pub(crate) struct Report<'a> {
    pub(crate) head: Head,
    /// Those of the format that it is written in.
    pub(crate) columns: Vec<Column>,
    pub(crate) rows: Rows<'a>,
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
            ReportFormat::Parquet => parquet::write(self, out),
        }
    }
}
