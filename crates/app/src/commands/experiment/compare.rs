//! `hotframe experiment compare`: two groups of cells, in all and by function.

use std::io::Write;
use std::process::ExitCode;

use anyhow::{Result, bail};
use session::{
    BELIEVED, Contrast, Crossing, DifferenceReport, DifferenceRow, Estimate, Interval, Measured,
    OnlyRow, Pairs, Selection, Unknown, count_text, differences, ratio_interval, ratio_text,
    zero_note,
};

use super::query::{self, RunsQuery, chance, exact, interval, ratio_cells};
use super::summary::{named, ratio_fields, report};
use crate::arguments::{ExperimentCompare, ReportFormat};
use crate::commands::diff::FAILED;
use crate::report::{
    After, Cell, Column, Fields, Head, Kind, Name, Report, Section, Sections, Span,
};

pub(super) fn compare(arguments: &ExperimentCompare) -> Result<ExitCode> {
    let asked = RunsQuery::read(&arguments.asked)?;
    let format = arguments.asked.format;
    let runs = &*session::runs_of_experiment(&asked.document)?;
    let [base, new] = sides(arguments)?;
    for side in [&base, &new] {
        side.check(runs).map_err(anyhow::Error::msg)?;
    }
    let pairs = Pairs::new(runs, &base, &new);
    let mut told =
        differences(&asked.document, &asked.options, &asked.quantity, pairs, asked.which)?;
    let is_shared = |&cell: &usize| base.has(runs, cell) && new.has(runs, cell);
    let shared: Vec<usize> = (0..runs.cells.len()).filter(is_shared).collect();
    if let [first, ..] = shared[..] {
        let (count, title) = (shared.len(), runs.title(first));
        told.notes
            .push(format!("cells on both sides, which are not compared: {count}, such as {title}"));
    }
    told.notes.extend(asked.filter_note(&told.whole));
    told.notes.extend(zero_note(&asked.document, &asked.quantity, &told.whole));
    let limit = format.limit(arguments.limit);
    let mut tables = vec![Section::new("functions", functions(&asked, &told, format, limit))];
    if !format.is_for_people() || !told.only.is_empty() {
        tables.push(Section::new("only_in", only(&told, format, limit)));
    }
    let unpaired: Vec<String> =
        told.pairs.unpaired.iter().flatten().map(|&cell| runs.title(cell)).collect();
    let members = query::members(&told.whole)?
        .with_cell("whole", &whole_record(&told))?
        .with("pairs", &told.pairs.pairs.len())?
        .with("unpaired", &unpaired)?
        .with("metric", &told.of_functions.title)?
        .with("notes", &told.notes)?;
    let notes = told.notes.clone();
    let sections = Sections { members, tables, notes, more: Default::default() };
    query::write(sections, &arguments.asked)?;
    match arguments.fail_if {
        Some(limit) => judged(&told, limit, arguments.unknown.policy()),
        None => Ok(ExitCode::SUCCESS),
    }
}

/// What is meant by base and new side.
fn sides(arguments: &ExperimentCompare) -> Result<[Selection; 2]> {
    let (base, new) = if arguments.base.is_empty() {
        (&arguments.base_cells, &arguments.new_cells)
    } else {
        (&arguments.base, &arguments.new)
    };
    if new.is_empty() {
        bail!("name the new side, too: compare FILE interpreter=3.11 -- interpreter=3.12");
    }
    if let Some(option) = new.iter().find(|text| text.starts_with("--")) {
        bail!("after -- come levels: write {option} before FILE");
    }
    let parse = |texts: &[String]| {
        Selection::parse(texts.iter().map(String::as_str)).map_err(anyhow::Error::msg)
    };
    Ok([parse(base)?, parse(new)?])
}

/// Whether the growth is within the limit, a share of the base.
fn judged(told: &DifferenceReport, limit: f64, unknown: Unknown) -> Result<ExitCode> {
    let (title, percent) = (&told.whole.title, limit * 100.0);
    crate::commands::notes::tell_notes(&told.doubts)?;
    let mut out = crate::text::stderr();
    let Some(contrast) = &told.contrast else {
        bail!("{title} was not measured on both sides: there is nothing to judge");
    };
    if contrast.base.min(contrast.new) < 0.0 {
        bail!("{title} is below 0: there is no ratio to judge");
    }
    let interval = |of: &Estimate, by: fn(f64) -> f64| Interval {
        estimate: by(of.value),
        low: by(of.low),
        high: by(of.high),
    };
    // What is 0 in some cell has no ratio.
    let (measured, interval, limit, by) = match &contrast.ratio {
        Some(ratio) => {
            let by =
                format!("{} (95 % interval {})", ratio_text(ratio.value), ratio_interval(ratio));
            (ratio.value - 1.0, interval(ratio, |value| value - 1.0), limit, by)
        }
        None => {
            let difference = &contrast.difference;
            let [base, new] = [contrast.base, contrast.new].map(|side| told.whole.text(side));
            let [low, high] =
                [difference.low, difference.high].map(|end| told.whole.change_text(end));
            let by = format!("{base} → {new} (95 % interval of the difference {low} to {high})");
            let limit = contrast.base * limit;
            (difference.value, interval(difference, |value| value), limit, by)
        }
    };
    let interval = contrast.is_known.then_some(interval);
    let crossing = Crossing::new(measured, interval, contrast.p <= BELIEVED, limit);
    let why =
        if contrast.is_known { "the interval holds the limit" } else { "a cell ran once only" };
    match (crossing, crossing.fails(unknown)) {
        (Crossing::Beyond, _) if contrast.base <= 0.0 => writeln!(
            out,
            "hotframe: {title} grew from nothing, or was not recorded in the base, which is above any \
             limit: {by}"
        )?,
        (Crossing::Beyond, _) => {
            writeln!(out, "hotframe: {title} is more than {percent} % above the base: {by}")?;
        }
        (Crossing::Within, _) => {
            writeln!(out, "hotframe: {title} is at most {percent} % above the base: {by}")?;
        }
        (_, true) => writeln!(
            out,
            "hotframe: {title} may be more than {percent} % above the base: {by}; {why}"
        )?,
        (_, false) => writeln!(
            out,
            "hotframe: {title} is not shown to be {percent} % above the base: {by}; {why}"
        )?,
    }
    Ok(if crossing.fails(unknown) { ExitCode::from(FAILED) } else { ExitCode::SUCCESS })
}

fn whole_record(told: &DifferenceReport) -> Cell<'static> {
    let Some(of) = &told.contrast else { return Cell::Nothing };
    let unit = |value: f64| Cell::Real(told.whole.in_unit(value));
    let known = |cell: Cell<'static>| if of.is_known { cell } else { Cell::Nothing };
    let ratio = |end: fn(&session::Estimate) -> f64| {
        Cell::maybe(of.ratio.as_ref(), |ratio| Cell::Real(end(ratio)))
    };
    Cell::Record(vec![
        ("base", unit(of.base)),
        ("new", unit(of.new)),
        ("difference", unit(of.difference.value)),
        ("difference_low", known(unit(of.difference.low))),
        ("difference_high", known(unit(of.difference.high))),
        ("ratio", ratio(|ratio| ratio.value)),
        ("ratio_low", known(ratio(|ratio| ratio.low))),
        ("ratio_high", known(ratio(|ratio| ratio.high))),
        ("p", known(Cell::Real(of.p))),
        ("pairs", Cell::Count(of.pairs as u64)),
        ("runs", Cell::Count(of.runs as u64)),
    ])
}

/// The whole in one line, for people.
fn whole(told: &DifferenceReport) -> Vec<Span> {
    let measured = &told.whole;
    let Some(of) = &told.contrast else {
        return vec![Span::plain(format!("{}: not measured on both sides", measured.title))];
    };
    let (base, new) = (measured.text(of.base), measured.text(of.new));
    let mut spans = vec![Span::plain(format!("{}: {base} → {new}, ", measured.title))];
    match &of.ratio {
        Some(ratio) => spans.push(Span::strong(ratio_text(ratio.value))),
        None => spans.push(Span::strong(measured.change_text(of.difference.value))),
    }
    let pairs = match of.pairs {
        1 => "one pair of cells".to_owned(),
        many => format!("{} pairs of cells", count_text(many as u64)),
    };
    let sure = match (of.is_known, &of.ratio) {
        (false, _) => "one run of a cell: no interval".to_owned(),
        (true, Some(ratio)) => format!("95 % interval {}", ratio_interval(ratio)),
        (true, None) => format!("95 % interval {}", interval(measured, &of.difference)),
    };
    let chance = if of.is_known { format!("p {}, ", chance(of.p)) } else { String::new() };
    spans.push(Span::plain(format!(" ({sure}, {chance}{} runs in {pairs})", of.runs)));
    spans
}

fn functions<'a>(
    asked: &RunsQuery,
    told: &'a DifferenceReport,
    format: ReportFormat,
    limit: usize,
) -> Report<'a> {
    let measured = &told.of_functions;
    let mut fields = Fields::<DifferenceRow>::new(format);
    place_fields(&mut fields, |row: &DifferenceRow| &row.row);
    program_fields(&mut fields, measured);
    people_fields(&mut fields, measured);
    let shown = told.both.len().min(limit);
    Report {
        head: Head {
            title: asked.document.title().to_owned(),
            total: whole(told),
            notes: notes(told),
            ..Head::default()
        },
        columns: fields.columns(),
        rows: Box::new(move |sink| {
            told.both[..shown].iter().try_for_each(|row| sink(&fields.row(row, &[], 0)))?;
            let mut after = After::left_out(told.both.len() - shown, "functions");
            after.notes.extend(told.ratio_note().filter(|_| shown > 0).map(str::to_owned));
            Ok(after)
        }),
    }
}

/// The columns for programs.
fn program_fields<'a>(fields: &mut Fields<'a, DifferenceRow>, measured: &'a Measured) {
    let unit = move |value: f64| Cell::Real(measured.in_unit(value));
    fields.add(Column::exact("base", Kind::Value), move |row, _| unit(row.contrast.base));
    fields.add(Column::exact("new", Kind::Value), move |row, _| unit(row.contrast.new));
    let ends: [(&str, fn(&Contrast) -> f64); 3] = [
        ("value", |one| one.difference.value),
        ("low", |one| one.difference.low),
        ("high", |one| one.difference.high),
    ];
    for (key, end) in ends {
        let title = match key {
            "value" => "difference",
            "low" => "difference low",
            _ => "difference high",
        };
        fields.add(exact(key, "difference", title), move |row, _| {
            let is_told = key == "value" || row.contrast.is_known;
            if is_told { unit(end(&row.contrast)) } else { Cell::Nothing }
        });
    }
    ratio_fields(fields, |row: &DifferenceRow| Some(row.contrast));
    fields.add(Column::exact("p", Kind::Value), |row, _| Cell::Real(row.contrast.p));
    fields.add(Column::exact("q", Kind::Value), |row, _| Cell::Real(row.q));
    fields.add(Column::exact("believed", Kind::Flag), |row, _| Cell::Is(row.is_believed()));
}

/// The columns for people.
fn people_fields<'a>(fields: &mut Fields<'a, DifferenceRow>, measured: &'a Measured) {
    let text = |value: f64| Cell::text(measured.text(value));
    fields.add(Column::shown("base", Kind::Value), move |row, _| text(row.contrast.base));
    fields.add(Column::shown("new", Kind::Value), move |row, _| text(row.contrast.new));
    fields.add(Column::shown("difference", Kind::Value), |row, _| {
        Cell::text(measured.change_text(row.contrast.difference.value))
    });
    fields.add(Column::shown("by", Kind::Value).wide(9), |row, _| {
        let [ratio, _] = ratio_cells(row.contrast.ratio.as_ref(), row.contrast.is_known);
        ratio
    });
    fields.add(Column::shown("95 % interval", Kind::Value).wide(20), |row, _| {
        let [_, interval] = ratio_cells(row.contrast.ratio.as_ref(), row.contrast.is_known);
        interval
    });
    fields.add(Column::shown("q", Kind::Value).wide(6), |row, _| {
        Cell::text(if row.contrast.is_known { chance(row.q) } else { "–".to_owned() })
    });
    fields.add(Column::shown("", Kind::Mark), |row, _| {
        let is_more = row.contrast.difference.value > 0.0;
        Cell::text(match (row.is_believed(), is_more) {
            (false, _) => "   ",
            (true, true) => "[+]",
            (true, false) => "[-]",
        })
    });
    fields.add(Column::shown("function", Kind::Name), |row, _| {
        Name { text: row.row.label.as_str().into(), ..Name::default() }.into()
    });
}

/// How many functions differ by more than chance.
fn notes(told: &DifferenceReport) -> Vec<String> {
    let measured = &told.of_functions;
    let believed = told.both.iter().filter(|row| row.is_believed()).count();
    if told.both.is_empty() && told.only.is_empty() {
        return vec!["no function was recorded".to_owned()];
    }
    vec![format!(
        "{}: {believed} of {} functions differ by more than chance (false discovery at most 5 %){}",
        measured.title,
        told.both.len(),
        if told.small == 0 { String::new() } else { format!("; {} too small to test", told.small) }
    )]
}

/// Where a function is, for programs.
fn place_fields<'a, R: 'a>(
    fields: &mut Fields<'a, R>,
    row: impl Fn(&R) -> &session::ReportRow + Copy + 'a,
) {
    fields.add(Column::exact("function", Kind::Text), move |one, _| {
        Cell::text(row(one).label.clone())
    });
    fields.add(Column::exact("file", Kind::Text), move |one, _| {
        Cell::text(row(one).place.file.clone())
    });
    fields
        .add(Column::exact("line", Kind::Count), move |one, _| Cell::Position(row(one).place.line));
}

fn only<'a>(told: &'a DifferenceReport, format: ReportFormat, limit: usize) -> Report<'a> {
    let measured = &told.of_functions;
    let mut fields = Fields::<&OnlyRow>::new(format);
    place_fields(&mut fields, |row: &&OnlyRow| &row.row);
    let side = |row: &&OnlyRow| if row.is_new { "new" } else { "base" };
    fields.add(Column::exact("side", Kind::Text), move |row, _| Cell::text(side(row)));
    fields.add(Column::exact("mean", Kind::Value), |row, _| Cell::Real(measured.in_unit(row.mean)));
    fields.add(Column::exact("runs", Kind::Count), |row, _| Cell::Count(row.runs.0 as u64));
    fields.add(Column::exact("of_runs", Kind::Count), |row, _| Cell::Count(row.runs.1 as u64));
    fields.add(Column::shown("mean", Kind::Value), |row, _| Cell::text(measured.text(row.mean)));
    fields.add(Column::shown("in runs", Kind::Value), |row, _| {
        Cell::text(format!("{} of {}", row.runs.0, row.runs.1))
    });
    fields.add(Column::shown("only in", Kind::Text).wide(7), move |row, _| Cell::text(side(row)));
    fields.add(Column::shown("function", Kind::Name), |row, _| named(&row.row.label));
    let rows = told.only.iter().take(limit).collect();
    let title = format!("Only on one side: {}", count_text(told.only.len() as u64));
    report(Head { title, ..Head::default() }, fields, rows)
}
