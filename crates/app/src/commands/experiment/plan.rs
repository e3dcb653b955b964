//! `hotframe experiment plan`: what would run.

use std::collections::HashMap;
use std::io::Write as _;
use std::path::Path;

use anyhow::{Result, bail};
use experiment::{Cell, Experiment, FactorKind, Interpreter, PlanFile, ResultFile, cells};

use crate::arguments::{ExperimentPlan, ReportFormat};
use crate::report::{After, Cell as Shown, Column, Fields, Head, Kind, Members, Name, Report};

/// One cell, and what is known of it.
struct Row {
    title: String,
    runs: u32,
    interpreter: String,
    /// Seconds of a run, as earlier ones were.
    seconds: Option<f64>,
}

pub(super) fn plan(arguments: &ExperimentPlan) -> Result<()> {
    let plan = PlanFile::read(&arguments.plan)?;
    let format = arguments.format;
    let mut out = crate::text::stdout();
    let all: Vec<(&Experiment, Vec<Row>)> = chosen(&plan, arguments.name.as_deref())?
        .into_iter()
        .map(|one| (one, rows(one, &plan.output)))
        .collect();
    let is_for_programs = !format.is_for_people();
    if is_for_programs && all.len() > 1 {
        let names: Vec<&str> = all.iter().map(|(one, _)| one.asked.name.as_str()).collect();
        bail!("the plan has several experiments: choose one with --name ({})", names.join(", "));
    }
    for (at, (experiment, rows)) in all.iter().enumerate() {
        if at > 0 {
            writeln!(out)?;
        }
        report(experiment, rows, format)?.write(format, &mut out)?;
    }
    Ok(out.flush()?)
}

/// The experiments of a plan, or the one of a name.
pub(super) fn chosen<'a>(plan: &'a PlanFile, name: Option<&str>) -> Result<Vec<&'a Experiment>> {
    let is_meant = |one: &&Experiment| name.is_none_or(|name| name == one.asked.name);
    let found: Vec<&Experiment> = plan.experiments.iter().filter(is_meant).collect();
    if found.is_empty() {
        let names: Vec<&str> = plan.experiments.iter().map(|one| one.asked.name.as_str()).collect();
        bail!("the plan has no such experiment, it has: {}", names.join(", "));
    }
    Ok(found)
}

fn rows(experiment: &Experiment, output: &Path) -> Vec<Row> {
    let matrix = &experiment.matrix;
    let known = ResultFile::seconds(&experiment.result_in(output));
    let mut found: HashMap<String, String> = HashMap::new();
    let mut interpreter = |cell: &Cell| {
        let level = cell.of_kind(matrix, FactorKind::Interpreter).next();
        let own = experiment.asked.command.first().filter(|word| word.starts_with("python"));
        let Some(name) = level.map(|(_, level)| level).or(own.map(String::as_str)) else {
            return String::new();
        };
        let told = found.entry(name.to_owned()).or_insert_with(|| {
            match Interpreter::meant(name, &experiment.source.folder) {
                Ok(one) => format!("{} ({})", one.title(), one.program.display()),
                Err(error) => error.to_string().lines().next().unwrap_or_default().to_owned(),
            }
        });
        told.clone()
    };
    let row = |cell: &Cell| Row {
        title: cell.title(matrix),
        runs: experiment.asked.runs,
        interpreter: interpreter(cell),
        seconds: known.get(&cell.title(matrix)).copied(),
    };
    cells(matrix).iter().map(row).collect()
}

fn report<'a>(
    experiment: &'a Experiment,
    rows: &'a [Row],
    format: ReportFormat,
) -> Result<Report<'a>> {
    let mut fields = Fields::<Row>::new(format);
    fields.add(Column::exact("cell", Kind::Text), |row, _| Shown::text(&row.title));
    fields.add(Column::exact("runs", Kind::Count), |row, _| Shown::Count(row.runs.into()));
    fields.add(Column::exact("interpreter", Kind::Text), |row, _| Shown::text(&row.interpreter));
    fields.add(Column::exact("seconds_per_run", Kind::Value), |row, _| {
        Shown::maybe(row.seconds, Shown::Real)
    });
    fields.add(Column::shown("runs", Kind::Count).wide(5), |row, _| Shown::Count(row.runs.into()));
    fields.add(Column::shown("cell", Kind::Name), |row, _| {
        Name { text: row.title.as_str().into(), ..Name::default() }.into()
    });
    fields.add(Column::shown("interpreter", Kind::Text), |row, _| Shown::text(&row.interpreter));
    let runs: u64 = rows.iter().map(|row| u64::from(row.runs)).sum();
    let seconds: Option<f64> =
        rows.iter().map(|row| row.seconds.map(|one| one * f64::from(row.runs))).sum();
    let estimate = match seconds {
        Some(seconds) => format!("about {seconds:.0} s, as earlier runs of the cells took"),
        None => "how long it takes is known once each cell has run".to_owned(),
    };
    let source = &experiment.source;
    let everything = source.takes_everything().then(|| {
        "the source's folder is not in git: a change of any of its files (a log, too) runs everything again; [source] files = [...] names those that count"
            .to_owned()
    });
    Ok(Report {
        head: Head {
            title: format!("{}: {} cells, {runs} runs", experiment.asked.name, rows.len()),
            notes: [Some(estimate), everything].into_iter().flatten().collect(),
            members: Members::default()
                .with("name", &experiment.asked.name)?
                .with("command", &experiment.asked.command)?
                .with("recorder", &experiment.asked.recorder)?
                .with("runs", &runs)?
                .with("seconds", &seconds)?,
            ..Head::default()
        },
        columns: fields.columns(),
        rows: Box::new(move |sink| {
            rows.iter().try_for_each(|row| sink(&fields.row(row, &[], 0)))?;
            Ok(After::default())
        }),
    })
}
