//! What `--fail-if` does not let pass.

use std::io::Write;

use anyhow::Result;
use session::{Change, ChangeOrder, ChangeRow, Tag, base_name, visible};

use super::View;
use crate::arguments::Growth;
use crate::report::Cell;

impl View {
    /// The functions that grew by more than is allowed.
    pub(super) fn grown(&self, growth: &Growth) -> Result<Vec<ChangeRow>> {
        let whole = self.compared.total(&self.options)?.base;
        let (rows, _) =
            self.compared.flat_report(&self.options, ChangeOrder::Change, usize::MAX)?;
        let is_too_much = |row: &ChangeRow| {
            let change = value_of(growth, row);
            let by = change.difference() as f64;
            // What runs do not show to be more than chance is no growth.
            let tag = if growth.of_self { row.own_tag } else { row.tag };
            let is_noise = tag == Tag::Unchanged && self.compared.is_tested(&self.options);
            by > 0.0 && by > growth.limit.0 / 100.0 * whole as f64 && !is_noise
        };
        Ok(rows.into_iter().filter(is_too_much).collect())
    }

    pub(super) fn verdict(
        &self,
        out: &mut dyn Write,
        growth: &Growth,
        grown: &[ChangeRow],
    ) -> Result<()> {
        /// More are counted only.
        const MOST: usize = 10;
        let (measure, of, percent) = (self.measure(), word_of(growth), growth.limit.0);
        if grown.is_empty() {
            writeln!(out, "\nNo function's {of} grew by more than {percent} % of the base.")?;
            return Ok(());
        }
        let who = match grown.len() {
            1 => "One function's".to_owned(),
            many => format!("{many} functions'"),
        };
        writeln!(out, "\n{who} {of} grew by more than {percent} % of the base:")?;
        for row in grown.iter().take(MOST) {
            let by = Cell::change(value_of(growth, row).difference(), &measure).shown();
            let place = match base_name(&row.row.place.file) {
                "" => String::new(),
                file => format!(" ({})", visible(file)),
            };
            writeln!(out, "- {}: {by}{place}", visible(&row.row.label))?;
        }
        if grown.len() > MOST {
            writeln!(out, "- and {} more", grown.len() - MOST)?;
        }
        Ok(())
    }
}

fn value_of(growth: &Growth, row: &ChangeRow) -> Change {
    if growth.of_self { row.own } else { row.total }
}

fn word_of(growth: &Growth) -> &'static str {
    if growth.of_self { "self value" } else { "total" }
}
