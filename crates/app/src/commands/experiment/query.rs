//! What `summary`, `compare` and `history` have in common: the profile, and what is asked of its runs.

use std::io::{BufWriter, Write as _};

use anyhow::Result;
use session::{
    CellMean, Estimate, Measured, ProfileDocument, Quantity, RunQuantity, ViewOptions,
    function_named, ratio_interval, ratio_text, usual_quantity,
};

use crate::arguments::{self};
use crate::commands::filters::check_filters;
use crate::commands::notes::tell_warnings;
use crate::reading;
use crate::report::{Cell, Column, Fields, Kind, Members, Sections};

/// A profile of runs, and what is asked of them.
pub(super) struct RunsQuery {
    pub(super) document: ProfileDocument,
    pub(super) options: ViewOptions,
    pub(super) quantity: Quantity,
    pub(super) which: RunQuantity,
}

impl RunsQuery {
    pub(super) fn read(arguments: &arguments::RunsOptions) -> Result<RunsQuery> {
        let document = reading::read(std::slice::from_ref(&arguments.file), &arguments.limits)?;
        tell_warnings(&document)?;
        let runs = &*session::runs_of_experiment(&document)?;
        let which = if arguments.total { RunQuantity::Total } else { RunQuantity::Own };
        // A figure of whole runs is not a metric, and where nothing was recorded there is no other.
        let named = arguments.view.metric.first();
        let measure = named.filter(|name| {
            runs.measures(document.profile()).iter().any(|(known, _)| known == *name)
        });
        let has_metrics = !document.profile().metrics.is_empty();
        let options = if has_metrics {
            reading::view_options_but(&document, &arguments.view, measure.is_some())?
        } else {
            ViewOptions::default()
        };
        let quantity = match (&arguments.function, measure) {
            (Some(name), _) => {
                Quantity::Function(function_named(&document, &options, name)?, which)
            }
            (None, Some(name)) => Quantity::Measure(name.clone()),
            (None, None) if named.is_none() => usual_quantity(&document),
            (None, None) if has_metrics => Quantity::Metric,
            (None, None) => Quantity::Measure(named.cloned().unwrap_or_default()),
        };
        if has_metrics {
            check_filters(&document, &options)?;
        }
        Ok(RunsQuery { document, options, quantity, which })
    }

    /// What holds for the quantity, for people.
    pub(super) fn filter_note(&self, measured: &Measured) -> Option<String> {
        let is_unfiltered = !measured.is_filtered && !self.options.filters.is_empty();
        is_unfiltered.then(|| {
            format!("{} is measured for whole runs: filters do not apply to it", measured.title)
        })
    }
}

/// Writes tables; of CSV the first unless another is chosen.
pub(super) fn write(sections: Sections<'_>, arguments: &arguments::RunsOptions) -> Result<()> {
    let mut out = BufWriter::new(crate::text::stdout());
    let first = sections.tables.first().map(|section| section.name);
    let table = arguments.table.as_deref().or(first);
    sections.write(arguments.format, table, &mut out)?;
    Ok(out.flush()?)
}

/// What every table begins with in JSON.
pub(super) fn members(measured: &Measured) -> Result<Members> {
    Members::default().with("quantity", &measured.title)?.with("unit", &measured.metric.unit)
}

/// A column for programs in an object of a row.
pub(super) fn exact(key: &'static str, group: &'static str, title: &'static str) -> Column {
    Column::exact(key, Kind::Value).within(group).titled(title)
}

/// Mean and interval of a cell, in the unit.
pub(super) fn mean_fields<'a, R: 'a>(
    fields: &mut Fields<'a, R>,
    measured: &'a Measured,
    mean: impl Fn(&R) -> Option<CellMean> + Copy + 'a,
) {
    fields.add(Column::exact("mean", Kind::Value), move |row, _| {
        Cell::maybe(mean(row), |one| Cell::Real(measured.in_unit(one.mean.value)))
    });
    for (key, end) in ENDS {
        fields.add(Column::exact(key, Kind::Value), move |row, _| {
            let known = mean(row).filter(|one| one.is_known);
            Cell::maybe(known, |one| Cell::Real(measured.in_unit(end(&one.mean))))
        });
    }
    fields.add(Column::exact("runs", Kind::Count), move |row, _| {
        Cell::Count(mean(row).map_or(0, |one| one.runs as u64))
    });
    fields.add(Column::shown("mean", Kind::Value), move |row, _| match mean(row) {
        Some(one) => Cell::text(measured.text(one.mean.value)),
        None => Cell::text("–"),
    });
    fields.add(Column::shown("95 % interval", Kind::Value).wide(22), move |row, _| {
        Cell::text(match mean(row) {
            None => "not measured".to_owned(),
            Some(one) if !one.is_known => "one run: no interval".to_owned(),
            Some(one) => interval(measured, &measured.shown(one.mean)),
        })
    });
}

/// The ends of intervals.
pub(super) const ENDS: [(&str, fn(&Estimate) -> f64); 2] =
    [("low", |one| one.low), ("high", |one| one.high)];

pub(super) fn interval(measured: &Measured, of: &Estimate) -> String {
    format!("{} to {}", measured.text(of.low), measured.text(of.high))
}

/// By how much something differs, with its interval, for people.
pub(super) fn ratio_cells(ratio: Option<&Estimate>, is_known: bool) -> [Cell<'static>; 2] {
    let Some(ratio) = ratio else { return [Cell::text("–"), Cell::Nothing] };
    let interval = if is_known { ratio_interval(ratio) } else { "no interval".to_owned() };
    [Cell::text(ratio_text(ratio.value)), Cell::text(interval)]
}

/// A probability for people.
pub(super) fn chance(p: f64) -> String {
    match p {
        p if p < 0.001 => "<0.001".to_owned(),
        p => format!("{p:.3}"),
    }
}
