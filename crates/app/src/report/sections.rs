//! Reports of several tables, such as what a graph costs: in total, by edge and by node.

use std::io::Write;

use anyhow::{Context as _, Result};

use super::write::Report;
use super::{Members, csv, json, markdown, parquet, text};
use crate::arguments::ReportFormat;
use crate::text::Harmless;

/// Tables one after the other.
pub(crate) struct Sections<'a> {
    /// Members of the JSON object before the tables.
    pub(crate) members: Members,
    pub(crate) tables: Vec<Section<'a>>,
    /// Sentences for people, after the tables.
    pub(crate) notes: Vec<String>,
    /// Members of the JSON object after the tables.
    pub(crate) more: Members,
}

/// One of the tables.
pub(crate) struct Section<'a> {
    /// Its member of the JSON object, and its name for CSV and Parquet, which have room for one.
    pub(crate) name: &'static str,
    pub(crate) report: Report<'a>,
}

impl<'a> Section<'a> {
    pub(crate) fn new(name: &'static str, report: Report<'a>) -> Section<'a> {
        Section { name, report }
    }
}

impl<'a> Sections<'a> {
    /// Writes the tables in the format that their columns are for. CSV and Parquet get the one named `table`.
    ///
    /// # Errors
    /// CSV or Parquet without the name of a table.
    pub(crate) fn write(
        self,
        format: ReportFormat,
        table: Option<&str>,
        out: &mut dyn Write,
    ) -> Result<()> {
        match format {
            ReportFormat::Text => {
                let mut out = Harmless::new(out);
                for (place, section) in self.tables.into_iter().enumerate() {
                    if place > 0 {
                        writeln!(out)?;
                    }
                    text::write(section.report, &mut out)?;
                }
                for note in self.notes {
                    writeln!(out, "{note}")?;
                }
                Ok(out.flush()?)
            }
            ReportFormat::Markdown => {
                for (place, section) in self.tables.into_iter().enumerate() {
                    if place > 0 {
                        writeln!(out)?;
                    }
                    markdown::write(section.report, out)?;
                }
                for note in self.notes {
                    writeln!(out, "\n{}", markdown::field(&note))?;
                }
                Ok(())
            }
            ReportFormat::Json => {
                let mut is_first = json::begin(out)?;
                json::write_members(&self.members, &mut is_first, out)?;
                for Section { name, report } in self.tables {
                    json::separate(out, &mut is_first)?;
                    write!(out, "\"{name}\":")?;
                    json::write_rows(&report.columns, report.rows, out)?;
                }
                json::write_members(&self.more, &mut is_first, out)?;
                Ok(writeln!(out, "}}")?)
            }
            ReportFormat::Csv => csv::write(self.one(table, "CSV")?, out),
            ReportFormat::Parquet => {
                let around = json::object([&self.members, &self.more])?;
                parquet::write_with(self.one(table, "Parquet")?, around, out)
            }
        }
    }

    /// The report of the table of a name.
    fn one(self, table: Option<&str>, format: &str) -> Result<Report<'a>> {
        let names: Vec<&str> = self.tables.iter().map(|section| section.name).collect();
        let names = names.join(", ");
        let table = table.with_context(|| {
            format!("{format} has room for one table: choose one with --table ({names})")
        })?;
        let mut tables = self.tables.into_iter();
        let section = tables.find(|section| section.name == table);
        let section =
            section.with_context(|| format!("there is no table {table}, there are {names}"))?;
        Ok(section.report)
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample::of_rows;
    use super::super::{Cell, Column, Head, Kind, Row};
    use super::*;

    fn sections(format: ReportFormat) -> Sections<'static> {
        let table = |name: &'static str, rows: &[&'static str]| {
            let column = match format {
                ReportFormat::Json | ReportFormat::Csv => Column::exact("name", Kind::Text),
                _ => Column::shown("name", Kind::Text),
            };
            let rows =
                rows.iter().map(|&text| Row { cells: vec![Cell::text(text)], ..Row::default() });
            let mut report = of_rows(vec![column], rows.collect());
            report.head = Head { title: name.to_owned(), ..Head::default() };
            Section::new(name, report)
        };
        Sections {
            members: Members::default().with("of", &1).unwrap(),
            tables: vec![table("edges", &["=a"]), table("nodes", &[])],
            notes: vec!["one *note*".to_owned()],
            more: Members::default().with("notes", &["one"]).unwrap(),
        }
    }

    fn written(format: ReportFormat, table: Option<&str>) -> Result<String> {
        let mut out = vec![];
        sections(format).write(format, table, &mut out)?;
        Ok(String::from_utf8(out)?)
    }

    #[test]
    fn json_has_a_member_for_each_table() {
        let expected = "{\"version\":1,\"of\":1,\"edges\":[{\"name\":\"=a\"}],\"nodes\":[],\"notes\":[\"one\"]}\n";
        assert_eq!(written(ReportFormat::Json, None).unwrap(), expected);
    }

    #[test]
    fn csv_has_the_table_that_is_chosen() {
        let csv = |table| written(ReportFormat::Csv, table).map_err(|error| error.to_string());
        assert_eq!(csv(Some("edges")).unwrap(), "name\r\n'=a\r\n");
        assert_eq!(csv(Some("nodes")).unwrap(), "name\r\n");
        assert!(csv(None).unwrap_err().contains("--table (edges, nodes)"));
        assert!(csv(Some("x")).unwrap_err().contains("no table x, there are edges, nodes"));
    }

    #[test]
    fn people_get_all_tables_and_the_notes() {
        for format in [ReportFormat::Text, ReportFormat::Markdown] {
            let told = written(format, None).unwrap();
            let places = ["edges", "=a", "nodes", "note"].map(|text| told.find(text));
            assert!(places.is_sorted() && places[0].is_some(), "{told}");
        }
    }
}
