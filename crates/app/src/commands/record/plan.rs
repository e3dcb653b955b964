//! `hotframe record perf --dry-run`: what would run.

use std::io::Write as _;

use anyhow::Result;
use record::{Place, PlannedRun, RecordOptions, Series};

use super::messages;
use crate::arguments::ReportFormat;
use crate::report::{After, Cell, Column, Fields, Head, Kind, Members, Name, Report};

pub(super) fn tell(asked: &RecordOptions, place: Place, format: ReportFormat) -> Result<()> {
    let series = Series::new(asked, place)?;
    messages::plan(&series)?;
    let plan = series.plan();
    let forecast = plan.forecast;
    let mut fields = Fields::<PlannedRun>::new(format);
    fields.add(Column::exact("run", Kind::Count), |run, _| Cell::Count(run.number.into()));
    fields.add(Column::exact("kind", Kind::Text), |run, _| Cell::text(run.kind.name()));
    fields.add(Column::exact("events", Kind::Text), |run, _| Cell::text(run.events.join(",")));
    fields.add(Column::exact("frequency", Kind::Count), |run, _| {
        Cell::maybe(run.frequency, |frequency| Cell::Count(frequency.into()))
    });
    fields.add(Column::exact("arguments", Kind::Text), |run, _| Cell::text(arguments(run)));
    fields.add(Column::shown("run", Kind::Count).wide(5), |run, _| Cell::Count(run.number.into()));
    fields.add(Column::shown("kind", Kind::Text).wide(11), |run, _| Cell::text(run.kind.name()));
    fields.add(Column::shown("events", Kind::Name), |run, _| {
        Name { text: run.title().into(), ..Name::default() }.into()
    });
    let report = Report {
        head: Head {
            title: format!("{}: {} runs", asked.name, plan.runs.len()),
            members: Members::default()
                .with("name", &asked.name)?
                .with("command", &asked.command)?
                .with("recorder", &plan.tool)?
                .with("events", &plan.events)?
                .with("bytes_per_minute", &forecast.bytes_per_minute)?
                .with("descriptors", &forecast.descriptors)?
                .with("findings", &plan.findings)?,
            ..Head::default()
        },
        columns: fields.columns(),
        rows: Box::new(|sink| {
            plan.runs.iter().try_for_each(|run| sink(&fields.row(run, &[], 0)))?;
            Ok(After::default())
        }),
    };
    let mut out = crate::text::stdout();
    report.write(format, &mut out)?;
    Ok(out.flush()?)
}

/// Arguments of the recorder, as a shell has them apart.
fn arguments(run: &PlannedRun) -> String {
    let words = run.arguments.iter().map(|word| word.to_string_lossy());
    words.collect::<Vec<_>>().join(" ")
}
