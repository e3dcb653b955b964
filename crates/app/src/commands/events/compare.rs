//! `hotframe events compare`.

use std::collections::BTreeSet;
use std::io::{BufWriter, Write};
use std::process::ExitCode;

use anyhow::Result;
use session::{
    Crossing, EventChange, EventChanges, EventReport, EventRow, EventsBy, Interval, Reason,
    Unknown, Verdict, compare_events, events, events_of_both,
};

use super::cells::{after, exact, has_value, named, of_some_runs, shown};
use super::reading::{read_by, tell_notes_of};
use crate::arguments::{EventLimit, EventsCompare, ReportFormat};
use crate::commands::diff::FAILED;
use crate::report::{Cell, Column, Fields, Head, Kind, Members, Name, Report};

pub(super) fn compare(arguments: &EventsCompare) -> Result<ExitCode> {
    let view = &arguments.view;
    let frames = view.frames()?;
    let read_side = |files, side| read_by(files, &view.limits, &view.view_options, side);
    let [base, new] = ["base", "new"].map(|side| Some(side).filter(|_| !arguments.with_failed));
    let sides = [read_side(&arguments.base, base)?, read_side(&arguments.new, new)?];
    let documents = sides.each_ref().map(|side| &side.document);
    crate::commands::filters::check_names(&documents, &sides[0].options.filters, "--")?;
    let viewed = sides.each_ref().map(|side| (&side.document, &side.options));
    let [base, new] = match frames {
        Some(limits) => events_of_both(viewed[0], viewed[1], limits)?,
        None => {
            let [base, new] = viewed.map(|(document, options)| events(document, options, view.by));
            [base?, new?]
        }
    };
    let mut warnings: Vec<String> = sides.into_iter().flat_map(|side| side.warnings).collect();
    warnings.extend(tell_notes_of([&base, &new])?);
    let changes = compare_events(&base, &new);
    crate::commands::notes::tell_notes(&changes.notes)?;
    warnings.extend(changes.notes.iter().cloned());
    let Limits { broken, impossible, notes } =
        judged(&changes, &arguments.fail_if, arguments.unknown.policy());
    crate::commands::notes::tell_notes(&notes)?;
    let mut out = BufWriter::new(crate::text::stdout());
    table([&base, &new], &changes, view.by, view.format, warnings)?.write(view.format, &mut out)?;
    out.flush()?;
    let mut errors = crate::text::stderr();
    for line in broken.iter().chain(&impossible) {
        writeln!(errors, "hotframe: {}", session::visible(line))?;
    }
    Ok(match (broken.is_empty(), impossible.is_empty()) {
        (false, _) => ExitCode::from(FAILED),
        (true, false) => ExitCode::FAILURE,
        (true, true) => ExitCode::SUCCESS,
    })
}

/// What became of limits, as sentences.
#[derive(Default)]
struct Limits {
    /// Those that are broken.
    broken: Vec<String>,
    /// Those of which nothing can be said, whatever happens.
    impossible: Vec<String>,
    /// What is to be known of the others.
    notes: Vec<String>,
}

fn judged(changes: &EventChanges, limits: &[EventLimit], unknown: Unknown) -> Limits {
    let mut found = Limits::default();
    for limit in limits {
        let is_meant =
            |row: &&EventChange| row.sides.iter().flatten().any(|side| side.is_called(&limit.name));
        let rows: Vec<&EventChange> = changes.rows.iter().filter(is_meant).collect();
        let (mut is_judged, mut missing) = (false, vec![]);
        for row in &rows {
            let of = format!("{} of {}", limit.name, row.either().group);
            let Some(change) = measured(row) else {
                missing.push(format!("--fail-if: {of} was not measured on both sides"));
                continue;
            };
            is_judged = true;
            let by = match row.ratio {
                Some(ratio) => growth(ratio),
                None => "from 0".to_owned(),
            };
            let is_believed = matches!(row.verdict, Verdict::More | Verdict::Less);
            let interval = row.interval().map(|ratio| Interval {
                estimate: ratio.estimate - 1.0,
                low: ratio.low - 1.0,
                high: ratio.high - 1.0,
            });
            let crossing = Crossing::new(change, interval, is_believed, limit.growth);
            let why = match (row.verdict.reason(), interval) {
                (None, Some(Interval { low, high, .. })) => format!(
                    "the interval {} to {} holds the limit",
                    growth(1.0 + low),
                    growth(1.0 + high)
                ),
                (reason, _) => reason.map_or("", Reason::text).to_owned(),
            };
            match (crossing, crossing.fails(unknown)) {
                (Crossing::Beyond, _) => found.broken.push(format!("{of} changed by {by}")),
                (Crossing::Within, _) => {}
                (_, true) => {
                    found.broken.push(format!("{of} changed by {by} as measured; {why}"));
                }
                (_, false) => found.notes.push(format!("--fail-if: {of} is unknown: {why}")),
            }
        }
        if rows.is_empty() {
            let names: BTreeSet<&str> =
                changes.rows.iter().map(|row| &*row.either().name).collect();
            let names: Vec<&str> = names.into_iter().collect();
            let line = format!("there is no {}; there are {}", limit.name, names.join(", "));
            found.impossible.push(format!("--fail-if: {line}"));
        }
        if is_judged {
            found.notes.extend(missing);
        } else {
            found.impossible.extend(missing);
        }
    }
    found
}

/// By how much something changed as measured, as a share of the base; from nothing it is beyond any limit.
fn measured(row: &EventChange) -> Option<f64> {
    let [base, new] = &row.sides;
    let (base, new) = (base.as_ref()?.median()?, new.as_ref()?.median()?);
    match row.ratio {
        Some(ratio) => Some(ratio - 1.0),
        None if base == new => Some(0.0),
        None => Some(if new > base { f64::INFINITY } else { f64::NEG_INFINITY }),
    }
}

fn growth(ratio: f64) -> String {
    format!("{:+.1} %", (ratio - 1.0) * 100.0)
}

fn table<'a>(
    [base, new]: [&'a EventReport; 2],
    changes: &'a EventChanges,
    by: EventsBy,
    format: ReportFormat,
    warnings: Vec<String>,
) -> Result<Report<'a>> {
    let is_for_people = format.is_for_people();
    let fields = fields([base, new], by, format);
    let members = Members::default()
        .with("by", &by.to_string())?
        .with("base_runs", &base.runs)?
        .with("new_runs", &new.runs)?
        .with("warnings", &warnings)?;
    let runs = |report: &EventReport| match report.runs.len() {
        1 => "1 run".to_owned(),
        runs => format!("{runs} runs"),
    };
    let head = Head {
        title: format!("base of {} → new of {}, medians", runs(base), runs(new)),
        members,
        ..Head::default()
    };
    let is_shown =
        move |row: &&EventChange| !is_for_people || row.sides.iter().flatten().any(has_value);
    let columns = fields.columns();
    Ok(Report {
        head,
        columns,
        rows: Box::new(move |sink| {
            for row in changes.rows.iter().filter(is_shown) {
                sink(&fields.row(row, &[], 0))?;
            }
            Ok(after(new.left_out, by, vec![]))
        }),
    })
}

fn fields<'a>(
    lengths: [&'a EventReport; 2],
    by: EventsBy,
    format: ReportFormat,
) -> Fields<'a, EventChange> {
    let mut fields = Fields::new(format);
    named(&mut fields, EventChange::either);
    fn side(change: &EventChange, side: usize) -> Option<&EventRow> {
        change.sides[side].as_ref()
    }
    for (number, title) in [(0, "base"), (1, "new")] {
        fields.add(Column::shown(title, Kind::Value), move |row: &EventChange, _| {
            match side(row, number) {
                Some(of) => shown(of, of.median()),
                None => Cell::text("–"),
            }
        });
    }
    let ratio = |ratio: Option<f64>| Cell::maybe(ratio, |ratio| Cell::text(growth(ratio)));
    fields.add(Column::shown("change", Kind::Change), move |row, _| ratio(row.ratio));
    fields.add(Column::shown("95 %", Kind::Text).wide(20), |row, _| {
        Cell::maybe(row.interval(), |Interval { low, high, .. }| {
            Cell::text(format!("{} to {}", growth(low), growth(high)))
        })
    });
    fields.add(Column::shown("per second", Kind::Change), move |row, _| ratio(row.rate_ratio));
    for (number, key) in [(0, "base"), (1, "new")] {
        fields.add(Column::exact(key, Kind::Value), move |row, _| {
            Cell::maybe(side(row, number), |of| exact(of, of.median()))
        });
    }
    for (number, key) in [(0, "base_per_second"), (1, "new_per_second")] {
        fields.add(Column::exact(key, Kind::Value), move |row, _| {
            Cell::maybe(side(row, number), |of| {
                exact(of, of.median_per_second(&lengths[number].lengths))
            })
        });
    }
    for (number, key) in [(0, "base_samples"), (1, "new_samples")] {
        fields.add(Column::exact(key, Kind::Count), move |row, _| {
            Cell::maybe(side(row, number), |of| Cell::Count(of.samples))
        });
    }
    fields.add(Column::exact("ratio", Kind::Value), |row, _| Cell::maybe(row.ratio, Cell::Real));
    fields.add(Column::exact("rate_ratio", Kind::Value), |row, _| {
        Cell::maybe(row.rate_ratio, Cell::Real)
    });
    let ends: [(&str, fn(&Interval) -> f64); 2] =
        [("low", |interval| interval.low), ("high", |interval| interval.high)];
    for (key, end) in ends {
        fields.add(Column::exact(key, Kind::Value), move |row, _| {
            Cell::maybe(row.interval(), |interval| Cell::Real(end(&interval)))
        });
    }
    fields.add(Column::exact("verdict", Kind::Text), |row, _| Cell::text(row.verdict.name()));
    fields.add(Column::exact("reason", Kind::Text), |row, _| Cell::text(row.remark()));
    fields.add(Column::shown("verdict", Kind::Text).wide(16), |row, _| {
        Cell::text(match row.remark() {
            "" => row.verdict.name().to_owned(),
            remark => format!("{} ({remark})", row.verdict.name()),
        })
    });
    fields.add(Column::shown("event", Kind::Name), move |row, _| {
        let of = row.either();
        let text = match by {
            EventsBy::Total => of.name.clone(),
            _ => format!("{}  {}", of.group, of.name),
        };
        let remarks = row.sides.iter().flatten().map(of_some_runs).collect::<String>();
        Name { text: text.into(), remark: remarks.into(), ..Name::default() }.into()
    });
    fields
}
