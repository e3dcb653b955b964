//! `hotframe perf compare`.

use std::collections::BTreeSet;
use std::io::{BufWriter, Write};
use std::process::ExitCode;

use anyhow::Result;
use session::{
    EventChange, EventChanges, EventReport, EventRow, EventsBy, Verdict, compare_events,
    events_of_both,
};

use super::{after, exact, is_told, named, of_some_runs, percent, read, shown, tell_notes_of};
use crate::arguments::{EventLimit, PerfCompare, ReportFormat};
use crate::commands::diff::FAILED;
use crate::report::{Cell, Column, Fields, Head, Kind, Members, Name, Report};

pub(super) fn compare(arguments: &PerfCompare) -> Result<ExitCode> {
    let view = &arguments.view;
    let frames = view.frames()?;
    let sides = [read(&arguments.base, view)?, read(&arguments.new, view)?];
    let viewed = sides.each_ref().map(|side| (&side.document, &side.options));
    let [base, new] = match frames {
        Some(limits) => events_of_both(viewed[0], viewed[1], limits)?,
        None => {
            let [base, new] = viewed.map(|(document, options)| document.events(options, view.by));
            [base?, new?]
        }
    };
    let mut warnings: Vec<String> = sides.into_iter().flat_map(|side| side.warnings).collect();
    warnings.extend(tell_notes_of([&base, &new])?);
    let changes = compare_events(&base, &new);
    crate::commands::tell_notes(&changes.notes)?;
    warnings.extend(changes.notes.iter().cloned());
    let Limits { broken, unknown, notes } = judged(&changes, &arguments.fail_if);
    crate::commands::tell_notes(&notes)?;
    let mut out = BufWriter::new(std::io::stdout().lock());
    table([&base, &new], &changes, view.by, view.format, warnings)?.write(view.format, &mut out)?;
    out.flush()?;
    let mut errors = std::io::stderr().lock();
    for line in broken.iter().chain(&unknown) {
        writeln!(errors, "hotframe: {}", session::visible(line))?;
    }
    Ok(match (broken.is_empty(), unknown.is_empty()) {
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
    /// Those of which nothing can be said: they would pass whatever happens.
    unknown: Vec<String>,
    /// Parts of which nothing can be said, where there are others.
    notes: Vec<String>,
}

fn judged(changes: &EventChanges, limits: &[EventLimit]) -> Limits {
    let mut found = Limits::default();
    for limit in limits {
        let is_meant =
            |row: &&EventChange| row.sides.iter().flatten().any(|side| side.is_called(&limit.name));
        let rows: Vec<&EventChange> = changes.rows.iter().filter(is_meant).collect();
        let (mut is_judged, mut unsaid) = (false, vec![]);
        for row in &rows {
            let of = format!("{} of {}", limit.name, row.either().group);
            match (row.verdict, row.ratio) {
                (Verdict::TooFewRuns, _) => unsaid.push(format!(
                    "{of} has less than three runs on a side, which say nothing of chance: record \
                     more, as `hotframe record perf --runs 5` does"
                )),
                (Verdict::TooFewSamples, _) => unsaid.push(format!(
                    "{of} has less than ten samples in a run: record at a higher frequency, or with \
                     a shorter period"
                )),
                (Verdict::NotComparable, _) | (_, None) => {
                    unsaid.push(format!("{of} was not measured on both sides, or is 0"));
                }
                (Verdict::MayBeChance, _) => is_judged = true,
                (_, Some(ratio)) => {
                    is_judged = true;
                    if limit.is_broken(ratio) {
                        found.broken.push(format!("{of} changed by {}", growth(ratio)));
                    }
                }
            }
        }
        if rows.is_empty() {
            let names: BTreeSet<&str> =
                changes.rows.iter().map(|row| &*row.either().name).collect();
            let names: Vec<&str> = names.into_iter().collect();
            let line = format!("there is no {}; there are {}", limit.name, names.join(", "));
            found.unknown.push(format!("--fail-if: {line}"));
        }
        let unsaid = unsaid.into_iter().map(|line| format!("--fail-if: {line}"));
        if is_judged {
            found.notes.extend(unsaid);
        } else {
            found.unknown.extend(unsaid);
        }
    }
    found
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
    let is_for_people = matches!(format, ReportFormat::Text | ReportFormat::Markdown);
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
        move |row: &&EventChange| !is_for_people || row.sides.iter().flatten().any(is_told);
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
        Cell::maybe(row.interval, |[low, high]| {
            Cell::text(format!("{} to {}", growth(low), growth(high)))
        })
    });
    fields.add(Column::shown("noise", Kind::Text).wide(9), |row, _| {
        Cell::maybe(row.noise, |noise| Cell::text(format!("±{}", percent(noise - 1.0))))
    });
    fields.add(Column::shown("per second", Kind::Change), move |row, _| ratio(row.rate_ratio));
    for (number, key) in [(0, "base"), (1, "new")] {
        fields.add(Column::exact(key, Kind::Count), move |row, _| {
            Cell::maybe(side(row, number), |of| exact(of, of.median()))
        });
    }
    for (number, key) in [(0, "base_per_second"), (1, "new_per_second")] {
        fields.add(Column::exact(key, Kind::Count), move |row, _| {
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
    fields.add(Column::exact("ratio", Kind::Count), |row, _| Cell::maybe(row.ratio, Cell::Real));
    fields.add(Column::exact("rate_ratio", Kind::Count), |row, _| {
        Cell::maybe(row.rate_ratio, Cell::Real)
    });
    for (end, key) in [(0, "low"), (1, "high")] {
        fields.add(Column::exact(key, Kind::Count), move |row, _| {
            Cell::maybe(row.interval, |interval| Cell::Real(interval[end]))
        });
    }
    fields.add(Column::exact("noise", Kind::Count), |row, _| Cell::maybe(row.noise, Cell::Real));
    fields.add(Column::exact("verdict", Kind::Text), |row, _| Cell::text(row.verdict.name()));
    fields.add(Column::shown("verdict", Kind::Text).wide(16), |row, _| {
        Cell::text(row.verdict.name())
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
