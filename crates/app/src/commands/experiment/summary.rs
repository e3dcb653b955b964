//! `hotframe experiment summary`: what was measured in each cell, what factors do, what failed.

use anyhow::Result;
use session::{
    Contrast, EffectReport, Estimate, ExperimentRuns, FactorEffect, Interaction, Matrix,
    MatrixCell, Trouble, TroubledRun, count_text, factor_effects, matrix, ratio_interval,
    ratio_text, troubled_runs, visible, zero_note,
};

use super::query::{self, ENDS, RunsQuery, chance, exact, mean_fields, ratio_cells};
use crate::arguments::{ExperimentSummary, ReportFormat};
use crate::report::{After, Cell, Column, Fields, Head, Kind, Name, Report, Section, Sections};

/// Most runs that failed are told to people; programs get all.
const MOST_FAILED: usize = 10;

pub(super) fn summary(arguments: &ExperimentSummary) -> Result<()> {
    let asked = RunsQuery::read(&arguments.asked)?;
    let format = arguments.asked.format;
    let runs = &*session::runs_of_experiment(&asked.document)?;
    let matrix = matrix(&asked.document, &asked.options, &asked.quantity)?;
    let effects = factor_effects(&asked.document, &asked.options, &asked.quantity)?;
    let failed = troubled_runs(&asked.document);
    let mut notes = vec![matrix.noise_sentence()];
    notes.extend(asked.filter_note(&matrix.measured));
    notes.extend(zero_note(&asked.document, &asked.quantity, &matrix.measured));
    let cells = cells(&asked, runs, &matrix, format)?;
    let mut tables = vec![Section::new("cells", cells)];
    let programs = !format.is_for_people();
    if programs || effects.believed().next().is_some() {
        tables.push(Section::new("effects", single(runs, &effects, format)));
    } else if !effects.single.is_empty() {
        notes.push("no factor does more than chance would (q above 5 % for all)".to_owned());
    }
    if programs || effects.believed_together().next().is_some() {
        tables.push(Section::new("interactions", together(runs, &effects, format)));
    }
    let (doubtful, lost): (Vec<_>, Vec<_>) =
        failed.iter().partition(|run| run.trouble == Trouble::Doubtful);
    if programs {
        tables.push(Section::new("failures", failures(failed.iter().collect(), format)));
    } else if !lost.is_empty() {
        tables.push(Section::new("failures", failures(lost, format)));
    }
    if let (false, Some(first)) = (programs, doubtful.first()) {
        notes.push(format!(
            "values of functions may be off in {} of {} runs, as in {}: {}",
            doubtful.len(),
            runs.runs.len(),
            visible(&first.name),
            visible(&first.why)
        ));
    }
    let members = query::members(&matrix.measured)?
        .with_some("noise_floor", &matrix.noise_floor)?
        .with("notes", &notes)?;
    let sections = Sections { members, tables, notes, more: Default::default() };
    query::write(sections, &arguments.asked)
}

fn cells<'a>(
    asked: &RunsQuery,
    runs: &'a ExperimentRuns,
    matrix: &'a Matrix,
    format: ReportFormat,
) -> Result<Report<'a>> {
    type Row<'a> = (usize, String, &'a MatrixCell);
    let rows: Vec<Row<'a>> = (matrix.cells.iter().enumerate())
        .map(|(number, cell)| (number, runs.title(number), cell))
        .collect();
    let mut fields = Fields::<Row<'a>>::new(format);
    fields.add(Column::exact("cell", Kind::Text), |row, _| Cell::text(&row.1));
    mean_fields(&mut fields, &matrix.measured, |row: &Row<'_>| row.2.mean);
    let contrast = |row: &Row<'a>| -> Option<Contrast> { row.2.to_first };
    ratio_fields(&mut fields, contrast);
    fields.add(Column::exact("left_out", Kind::Count), |row, _| Cell::Count(row.2.left_out as u64));
    let first = matrix.cells.iter().position(|cell| cell.mean.is_some());
    fields.add(Column::shown("to the first", Kind::Value).wide(12), move |row, _| {
        if Some(row.0) == first {
            return Cell::text("first");
        }
        let of = contrast(row);
        let [ratio, _] = ratio_cells(of.as_ref().and_then(|one| one.ratio.as_ref()), true);
        ratio
    });
    fields.add(Column::shown("runs", Kind::Count).wide(4), |row, _| {
        Cell::Count(row.2.mean.map_or(0, |mean| mean.runs as u64))
    });
    fields.add(Column::shown("left out", Kind::Count).wide(8), |row, _| {
        if row.2.left_out == 0 { Cell::Nothing } else { Cell::Count(row.2.left_out as u64) }
    });
    fields.add(Column::shown("cell", Kind::Name), |row, _| named(&row.1));
    let head = Head {
        title: asked.document.title().to_owned(),
        note: matrix.caption(),
        ..Head::default()
    };
    Ok(report(head, fields, rows))
}

/// By how much it differs from what it is held against, for programs.
pub(super) fn ratio_fields<'a, R: 'a>(
    fields: &mut Fields<'a, R>,
    contrast: impl Fn(&R) -> Option<Contrast> + Copy + 'a,
) {
    let ratio = move |row: &R| contrast(row).and_then(|one| one.ratio);
    fields.add(exact("value", "ratio", "ratio"), move |row, _| {
        Cell::maybe(ratio(row), |one| Cell::Real(one.value))
    });
    for (key, end) in ENDS {
        let title = if key == "low" { "ratio low" } else { "ratio high" };
        fields.add(exact(key, "ratio", title), move |row, _| {
            let known = contrast(row).filter(|one| one.is_known).and_then(|one| one.ratio);
            Cell::maybe(known, |one| Cell::Real(end(&one)))
        });
    }
}

fn single<'a>(
    runs: &'a ExperimentRuns,
    effects: &'a EffectReport,
    format: ReportFormat,
) -> Report<'a> {
    let rows: Vec<FactorEffect> = if !format.is_for_people() {
        effects.single.clone()
    } else {
        effects.believed().cloned().collect()
    };
    let mut fields = Fields::<FactorEffect>::new(format);
    let of = move |row: &FactorEffect| &runs.factors[row.factor];
    let text = |key| Column::exact(key, Kind::Text);
    fields.add(text("factor"), move |row, _| Cell::text(of(row).name.clone()));
    fields.add(text("base"), move |row, _| Cell::text(of(row).levels[0].clone()));
    fields.add(text("level"), move |row, _| Cell::text(of(row).levels[row.level].clone()));
    ratio_fields(&mut fields, |row: &FactorEffect| Some(row.contrast));
    fields.add(Column::exact("p", Kind::Value), |row, _| Cell::Real(row.contrast.p));
    fields.add(Column::exact("q", Kind::Value), |row, _| Cell::Real(row.q));
    fields
        .add(Column::exact("pairs", Kind::Count), |row, _| Cell::Count(row.contrast.pairs as u64));
    people_ratio(&mut fields, |row: &FactorEffect| {
        let difference = effects.measured.change_text(row.contrast.difference.value);
        (row.contrast.ratio, difference, row.q)
    });
    fields.add(Column::shown("factor", Kind::Name), move |row, _| {
        let factor = of(row);
        named(&format!(
            "{}: {} against {}",
            factor.name, factor.levels[row.level], factor.levels[0]
        ))
    });
    let note = "what each factor does, on average over the levels of the others".to_owned();
    report(Head { title: "Effects".to_owned(), note, ..Head::default() }, fields, rows)
}

/// Ratio with interval, difference and q, for people.
fn people_ratio<'a, R: 'a>(
    fields: &mut Fields<'a, R>,
    of: impl Fn(&R) -> (Option<Estimate>, String, f64) + Copy + 'a,
) {
    fields.add(Column::shown("by", Kind::Value), move |row, _| match of(row) {
        (Some(ratio), ..) => Cell::text(ratio_text(ratio.value)),
        (None, difference, _) => Cell::text(difference),
    });
    fields.add(Column::shown("95 % interval", Kind::Value).wide(22), move |row, _| {
        Cell::maybe(of(row).0, |ratio| Cell::text(ratio_interval(&ratio)))
    });
    fields
        .add(Column::shown("q", Kind::Value).wide(6), move |row, _| Cell::text(chance(of(row).2)));
}

fn together<'a>(
    runs: &'a ExperimentRuns,
    effects: &'a EffectReport,
    format: ReportFormat,
) -> Report<'a> {
    let rows: Vec<Interaction> = if !format.is_for_people() {
        effects.together.clone()
    } else {
        effects.believed_together().cloned().collect()
    };
    let mut fields = Fields::<Interaction>::new(format);
    let of = move |row: &Interaction, at: usize, level: usize| {
        let factor = &runs.factors[row.factors[at]];
        format!("{}={}", factor.name, factor.levels[level])
    };
    for (at, key) in ["first", "second"].into_iter().enumerate() {
        fields.add(Column::exact(key, Kind::Text), move |row, _| {
            Cell::text(of(row, at, row.levels[at]))
        });
    }
    fields.add(exact("value", "ratio", "ratio"), |row, _| Cell::Real(row.ratio.value));
    fields.add(exact("low", "ratio", "ratio low"), |row, _| Cell::Real(row.ratio.low));
    fields.add(exact("high", "ratio", "ratio high"), |row, _| Cell::Real(row.ratio.high));
    fields.add(Column::exact("p", Kind::Value), |row, _| Cell::Real(row.p));
    fields.add(Column::exact("q", Kind::Value), |row, _| Cell::Real(row.q));
    people_ratio(&mut fields, |row: &Interaction| (Some(row.ratio), String::new(), row.q));
    fields.add(Column::shown("together", Kind::Name), move |row, _| {
        named(&format!("{} with {}", of(row, 0, row.levels[0]), of(row, 1, row.levels[1])))
    });
    let note = "what two levels do beyond the product of what each does alone".to_owned();
    report(Head { title: "Interactions".to_owned(), note, ..Head::default() }, fields, rows)
}

fn failures(failed: Vec<&TroubledRun>, format: ReportFormat) -> Report<'_> {
    let mut fields = Fields::<&TroubledRun>::new(format);
    fields.add(Column::exact("run", Kind::Text), |row, _| Cell::text(&row.name));
    fields.add(Column::exact("failed", Kind::Flag), |row, _| {
        Cell::Is(row.trouble == Trouble::Failed)
    });
    fields.add(Column::exact("trouble", Kind::Text), |row, _| Cell::text(row.trouble.name()));
    fields.add(Column::exact("why", Kind::Text), |row, _| Cell::text(&row.why));
    fields.add(Column::exact("output", Kind::Text), |row, _| Cell::text(&row.output));
    fields.add(Column::shown("", Kind::Text).wide(9), |row, _| Cell::text(row.trouble.name()));
    fields.add(Column::shown("run", Kind::Name), |row, _| {
        let last = row.output.lines().next_back().unwrap_or_default();
        let why = if last.is_empty() { row.why.clone() } else { format!("{}: {last}", row.why) };
        Name { text: row.name.as_str().into(), remark: why.into(), ..Name::default() }.into()
    });
    let people = format.is_for_people();
    let shown = if people { failed.len().min(MOST_FAILED) } else { failed.len() };
    let title = format!(
        "Runs that failed, were disturbed or are outdated: {}",
        count_text(failed.len() as u64)
    );
    let columns = fields.columns();
    Report {
        head: Head { title, ..Head::default() },
        columns,
        rows: Box::new(move |sink| {
            failed[..shown].iter().try_for_each(|row| sink(&fields.row(row, &[], 0)))?;
            let notes = match failed.len() - shown {
                0 => vec![],
                more => vec![format!("… {more} more runs (--format json lists all)")],
            };
            Ok(After { notes, ..After::default() })
        }),
    }
}

pub(super) fn named(text: &str) -> Cell<'static> {
    Name { text: visible(text).into_owned().into(), ..Name::default() }.into()
}

/// A report of rows that are there.
pub(super) fn report<'a, R: 'a>(head: Head, fields: Fields<'a, R>, rows: Vec<R>) -> Report<'a> {
    Report {
        head,
        columns: fields.columns(),
        rows: Box::new(move |sink| {
            rows.iter().try_for_each(|row| sink(&fields.row(row, &[], 0)))?;
            Ok(After::default())
        }),
    }
}
