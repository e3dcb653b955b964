//! `hotframe events timeline`.

use std::io::{BufWriter, Write};

use anyhow::Result;
use session::{
    BinAxis, BinsQuery, Division, EventCell, EventTimeline, EventsBy, Metric, event_timeline,
    time_text,
};

use super::cells::{digits, percent};
use super::reading::{Runs, read};
use crate::arguments::{EventsTimeline, ReportFormat};
use crate::report::{After, Cell, Column, Fields, Head, Kind, Measure, Members, Name, Report};

/// How many bins a table has where nobody says.
const BINS: usize = 100;

/// Groups beyond these are one.
const GROUPS: usize = 1024;

/// The same of functions where nobody says.
const FRAMES: usize = 20;

pub(super) fn timeline(arguments: &EventsTimeline) -> Result<()> {
    let view = &arguments.view;
    let frames = view.frames()?;
    let Runs { document, options, mut warnings } = read(&arguments.files, view)?;
    let asked = BinsQuery {
        by: frames.map_or(view.by, |limits| EventsBy::Frames(limits.by)),
        event: arguments.event.clone(),
        division: match (arguments.width, arguments.progress) {
            (Some(width), _) => Division::Width(width),
            (None, Some(parts)) => Division::Progress(parts),
            (None, None) => Division::Most(BINS),
        },
        sets: arguments.sets.unwrap_or_default(),
        most_groups: match (frames, view.limit) {
            (None, _) => GROUPS,
            (Some(_), None) => FRAMES,
            (Some(_), Some(0)) => usize::MAX,
            (Some(_), Some(limit)) => limit,
        },
    };
    let timeline = event_timeline(&document, &options, &asked)?;
    super::super::notes::tell_notes(&timeline.notes)?;
    warnings.extend(timeline.notes.iter().cloned());
    let mut out = BufWriter::new(crate::text::stdout());
    table(&timeline, view.format, &view.by.to_string(), warnings)?.write(view.format, &mut out)?;
    Ok(out.flush()?)
}

/// A bin of a group of a set.
struct Bin<'a> {
    set: usize,
    group: &'a str,
    number: usize,
    cell: EventCell,
}

fn table<'a>(
    timeline: &'a EventTimeline,
    format: ReportFormat,
    by: &str,
    warnings: Vec<String>,
) -> Result<Report<'a>> {
    let is_for_people = format.is_for_people();
    let fields = fields(timeline, format);
    let members = Members::default()
        .with("by", &by)?
        .with("event", &timeline.name)?
        .with("sets", &timeline.sets)?
        .with("runs", &timeline.runs)?
        .with("warnings", &warnings)?;
    let rate = if timeline.unit.is_some() { ", per second" } else { "" };
    let runs: usize = timeline.runs.iter().map(Vec::len).sum();
    let title =
        format!("{}{rate}; {runs} {}", timeline.name, if runs == 1 { "run" } else { "runs" });
    let columns = fields.columns();
    Ok(Report {
        head: Head { title, members, ..Head::default() },
        columns,
        rows: Box::new(move |sink| {
            let (mut few, mut nothing) = (0usize, 0usize);
            for number in 0..timeline.axis.bins() {
                for set in 0..timeline.runs.len() {
                    for (group, (name, _)) in timeline.groups.iter().enumerate() {
                        let cell = timeline.row(set, group)[number];
                        let is_something = cell.value.is_some_and(|value| value != 0.0);
                        if is_for_people && !is_something {
                            nothing += 1;
                            continue;
                        }
                        few += usize::from(is_something && !cell.is_enough);
                        sink(&fields.row(&Bin { set, group: name, number, cell }, &[], 0))?;
                    }
                }
            }
            let mut notes = vec![];
            if few > 0 && is_for_people {
                notes.push("(few): fewer than 10 samples, too few to compare".to_owned());
            }
            if nothing > 0 {
                let bins = if nothing == 1 { "row" } else { "rows" };
                notes.push(format!(
                    "{nothing} {bins} without values are left out: --format csv lists all"
                ));
            }
            Ok(After { notes, ..After::default() })
        }),
    })
}

fn fields<'a>(timeline: &'a EventTimeline, format: ReportFormat) -> Fields<'a, Bin<'a>> {
    let mut fields = Fields::new(format);
    let ends = move |number: usize| match timeline.axis {
        BinAxis::Time(grid) => {
            let begin = grid.begin.saturating_add(grid.cell.saturating_mul(number as i64));
            [begin as f64, begin.saturating_add(grid.cell) as f64]
        }
        BinAxis::Progress(bins) => [number, number + 1].map(|part| part as f64 / bins as f64),
    };
    let is_progress = matches!(timeline.axis, BinAxis::Progress(_));
    let keys = if is_progress { ["begin_share", "end_share"] } else { ["begin_ns", "end_ns"] };
    for (end, key) in keys.into_iter().enumerate() {
        fields.add(Column::exact(key, Kind::Value), move |row: &Bin<'_>, _| {
            Cell::Real(ends(row.number)[end])
        });
    }
    fields.add(Column::shown("begin", Kind::Value), move |row, _| {
        let [begin, _] = ends(row.number);
        Cell::text(if is_progress { percent(begin) } else { time_text(begin as i64) })
    });
    fields.add(Column::exact("group", Kind::Text), |row, _| Cell::text(row.group));
    let name = move |set: usize| &*timeline.sets[set];
    if timeline.runs.len() > 1 {
        fields.add(Column::exact("set", Kind::Text), move |row, _| Cell::text(name(row.set)));
    }
    let unit = timeline.unit.as_ref();
    fields.add(Column::shown("value", Kind::Value).wide(11), move |row, _| {
        shown(unit, row.cell.value)
    });
    fields.add(Column::exact("value", Kind::Value), move |row, _| {
        let decimals = unit.map_or(0, |unit| unit.decimals);
        Cell::maybe(row.cell.value, |value| Cell::Real(value / 10f64.powi(decimals.into())))
    });
    fields.add(Column::shown("±", Kind::Text).wide(8), |row, _| {
        Cell::maybe(row.cell.error, |error| Cell::text(percent(error)))
    });
    fields
        .add(Column::exact("error", Kind::Value), |row, _| Cell::maybe(row.cell.error, Cell::Real));
    fields
        .add(Column::shown("samples", Kind::Count), |row, _| Cell::Count(row.cell.samples as u64));
    fields
        .add(Column::exact("samples", Kind::Count), |row, _| Cell::Count(row.cell.samples as u64));
    fields.add(Column::exact("enough", Kind::Flag), |row, _| Cell::Is(row.cell.is_enough));
    fields.add(Column::shown("group", Kind::Name), move |row, _| {
        let mut text = row.group.to_owned();
        if timeline.runs.len() > 1 {
            text = format!("{text}  {}", name(row.set));
        }
        let remark = if row.cell.is_enough { "" } else { " (few)" };
        Name { text: text.into(), remark: remark.into(), ..Name::default() }.into()
    });
    fields
}

fn shown(unit: Option<&Metric>, value: Option<f64>) -> Cell<'static> {
    match (unit, value) {
        (_, None) => Cell::text("–"),
        (Some(unit), Some(value)) => Cell::Value(value.round() as i64, Measure::new(unit)),
        (None, Some(value)) => Cell::text(digits(value)),
    }
}
