//! What `--fail-if` does not let pass.

use std::io::Write;

use anyhow::Result;
use session::{
    Change, ChangeOrder, ChangeRow, Crossing, NO_VALUE, Normalise, Reason, Significance, Unknown,
    Verdict, base_name, visible,
};

use super::View;
use crate::arguments::{Amount, Growth, GrowthOf};
use crate::report::Cell;

/// Functions that a limit does not let pass.
pub(super) struct Grown {
    /// Shown to have grown by more.
    shown: Vec<ChangeRow>,
    /// Of which nothing is shown.
    unknown: Vec<ChangeRow>,
    /// What is known of the total, where totals are judged and it does not pass.
    total: Option<Crossing>,
}

impl Grown {
    pub(super) fn is_empty(&self) -> bool {
        self.shown.is_empty() && self.unknown.is_empty() && self.total.is_none()
    }
}

impl View {
    /// The functions that grew by more than is allowed.
    pub(super) fn grown(&self, growth: &Growth, unknown: Unknown) -> Result<Grown> {
        let whole = self.compared.total(&self.options)?;
        self.check_total(growth, whole)?;
        if matches!(growth.limit, Amount::Percent(_)) && whole.base <= 0 {
            anyhow::bail!(
                "--fail-if: the base's total is {}, of which there is no share: give a value with a unit",
                self.measure().unit.text(whole.base)
            );
        }
        let limit = growth.limit.of(whole.base as f64, self.metric());
        let limit = limit.map_err(|why| anyhow::anyhow!("--fail-if: {why}"))?;
        let (rows, _) =
            self.compared.flat_report(&self.options, ChangeOrder::Change, usize::MAX)?;
        if growth.of == GrowthOf::OwnValue && rows.is_empty() {
            anyhow::bail!("--fail-if: there are no functions whose self values could be judged");
        }
        let test = self.compared.total_test(&self.options)?;
        let total = Crossing::new(
            whole.difference() as f64,
            test.map(|test| test.shift.difference),
            test.is_some_and(|test| test.is_believed()),
            limit,
        );
        let total =
            Some(total).filter(|total| growth.of != GrowthOf::OwnValue && total.fails(unknown));
        let mut grown = Grown { shown: vec![], unknown: vec![], total };
        for row in rows.into_iter().filter(|_| growth.of != GrowthOf::Program) {
            match crossing(growth, &row, whole, limit) {
                Crossing::Beyond => grown.shown.push(row),
                crossing if crossing.fails(unknown) => grown.unknown.push(row),
                _ => {}
            }
        }
        Ok(grown)
    }

    /// Refuses a total that cannot grow, whatever happened.
    fn check_total(&self, growth: &Growth, whole: Change) -> Result<()> {
        let has_none = whole.base == NO_VALUE || whole.new == NO_VALUE;
        if has_none && growth.of != GrowthOf::OwnValue {
            anyhow::bail!("--fail-if: {} has no total on both sides", self.metric().name);
        }
        let is_equal = matches!(self.normalise, Normalise::Total);
        if is_equal && growth.of == GrowthOf::Program {
            anyhow::bail!(
                "--fail-if: --normalise total makes both totals equal, so 'program' cannot grow"
            );
        }
        Ok(())
    }

    pub(super) fn verdict(
        &self,
        out: &mut dyn Write,
        growth: &Growth,
        grown: &Grown,
    ) -> Result<()> {
        let (of, limit) = (word_of(growth), &growth.limit);
        let limit = match limit {
            Amount::Percent(_) => format!("{limit} of the base"),
            Amount::Value(..) => limit.to_string(),
        };
        if grown.is_empty() {
            match growth.of {
                GrowthOf::Program => {
                    writeln!(out, "\nThe total is not shown to have grown by more than {limit}.")?
                }
                _ => writeln!(
                    out,
                    "\nNo function's {of} is shown to have grown by more than {limit}."
                )?,
            }
            return Ok(());
        }
        let who = |rows: &[ChangeRow]| match rows.len() {
            1 => "One function's".to_owned(),
            many => format!("{many} functions'"),
        };
        match grown.total {
            Some(Crossing::Beyond) => writeln!(out, "\nThe total grew by more than {limit}.")?,
            Some(_) => writeln!(out, "\nThe total may have grown by more than {limit}.")?,
            None => {}
        }
        if !grown.shown.is_empty() {
            writeln!(out, "\n{} {of} grew by more than {limit}:", who(&grown.shown))?;
            self.rows_of(out, growth, &grown.shown)?;
        }
        if !grown.unknown.is_empty() {
            let why = match verdict_of(growth, &grown.unknown[0]).reason() {
                Some(Reason::OneRun) => "1 run on a side does not show whether it did",
                _ => "the runs do not show whether it did",
            };
            let who = who(&grown.unknown);
            writeln!(out, "\n{who} {of} may have grown by more than {limit}; {why}:")?;
            self.rows_of(out, growth, &grown.unknown)?;
        }
        Ok(())
    }

    /// Writes down why the runs of both sides may not be alike.
    pub(super) fn doubts(&self, out: &mut dyn Write) -> Result<()> {
        for doubt in &self.compared.doubts {
            writeln!(out, "\nWarning: {}.", visible(doubt))?;
        }
        Ok(())
    }

    fn rows_of(&self, out: &mut dyn Write, growth: &Growth, rows: &[ChangeRow]) -> Result<()> {
        /// More are counted only.
        const MOST: usize = 10;
        let measure = self.measure();
        for row in rows.iter().take(MOST) {
            let measured = value_of(growth, row).difference();
            let by = match test_of(growth, row) {
                Some(test) => {
                    let end = |value: f64| Cell::change(value.round() as i64, &measure).shown();
                    let of = test.shift.difference;
                    format!("{} ({} to {})", end(of.estimate), end(of.low), end(of.high))
                }
                None => Cell::change(measured, &measure).shown(),
            };
            let place = match base_name(&row.row.place.file) {
                "" => String::new(),
                file => format!(" ({})", visible(file)),
            };
            writeln!(out, "- {}: {by}{place}", visible(&row.row.label))?;
        }
        if rows.len() > MOST {
            writeln!(out, "- and {} more", rows.len() - MOST)?;
        }
        Ok(())
    }
}

/// What is known of a function's growth.
fn crossing(growth: &Growth, row: &ChangeRow, whole: Change, limit: f64) -> Crossing {
    let change = value_of(growth, row);
    if change == Change::default() {
        return Crossing::Within;
    }
    let test = test_of(growth, row);
    let measured = change.difference() as f64;
    // What is too small to be tested is smaller than a limit that is larger than that.
    let least = whole.both() as f64 * Significance::LEAST_SHARE;
    let is_small = verdict_of(growth, row) == Verdict::Unknown(Reason::Small);
    if is_small && measured <= limit && limit >= least {
        return Crossing::Within;
    }
    let interval = test.map(|test| test.shift.difference);
    Crossing::new(measured, interval, test.is_some_and(|test| test.is_believed()), limit)
}

fn test_of(growth: &Growth, row: &ChangeRow) -> Option<Significance> {
    let [own, total] = row.tests;
    if growth.of == GrowthOf::OwnValue { own } else { total }
}

fn verdict_of(growth: &Growth, row: &ChangeRow) -> Verdict {
    if growth.of == GrowthOf::OwnValue { row.own_verdict } else { row.verdict }
}

fn value_of(growth: &Growth, row: &ChangeRow) -> Change {
    if growth.of == GrowthOf::OwnValue { row.own } else { row.total }
}

fn word_of(growth: &Growth) -> &'static str {
    if growth.of == GrowthOf::OwnValue { "self value" } else { "total" }
}
