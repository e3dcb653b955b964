//! `hotframe experiment status`: what waits, runs and has ended, and what failed.

use std::io::Write as _;

use anyhow::{Result, bail};
use experiment::{Experiment, PlanFile, batch_of, body_of};
use jobs::{Counts, End, JobStatus, Phase, Which};

use super::plan::chosen;
use super::queue;
use crate::arguments::{ExperimentStatus, ReportFormat};
use crate::report::{After, Cell, Column, Fields, Head, Kind, Members, Name, Report};

/// A job for people.
struct Row {
    title: String,
    phase: &'static str,
    worker: String,
    attempt: u32,
    what: String,
}

pub(super) fn status(arguments: &ExperimentStatus) -> Result<()> {
    let plan = PlanFile::read(&arguments.plan)?;
    let format = arguments.format;
    let folders = queue::folders(&arguments.folders)?;
    let (store, _) = queue::open(&arguments.queue, &folders)?;
    let wanted = chosen(&plan, arguments.name.as_deref())?;
    if !format.is_for_people() && wanted.len() > 1 {
        bail!("the plan has several experiments: choose one with --name");
    }
    let mut out = crate::text::stdout();
    for (at, experiment) in wanted.into_iter().enumerate() {
        let batch = batch_of(experiment);
        let counts = store.counts(&batch, Which::Measured)?;
        let built = builds(&counts, &store.counts(&batch, Which::All)?);
        let jobs = store.jobs(&batch)?;
        let rows: Vec<Row> = jobs
            .into_iter()
            .map(|job| {
                let body = body_of(&folders, &batch, &job.key);
                row(job, body.as_ref())
            })
            .collect();
        if at > 0 {
            writeln!(out)?;
        }
        report(experiment, &counts, built, &rows, format)?.write(format, &mut out)?;
    }
    Ok(out.flush()?)
}

fn row(job: JobStatus, body: Option<&experiment::Body>) -> Row {
    let title = body.filter(|_| job.measured).map_or_else(
        || "an environment".to_owned(),
        |body| format!("{} #{}", body.title(), body.run),
    );
    let troubles = job.troubles.join("; ");
    let (phase, worker, what) = match job.phase {
        Phase::Waiting => ("waiting", String::new(), troubles),
        Phase::Delayed { .. } => ("delayed", String::new(), troubles),
        Phase::Running { worker, progress, .. } => ("running", worker, progress.line),
        Phase::Ended { end: End::Done { .. }, .. } => ("done", String::new(), troubles),
        Phase::Ended { end: End::Failed { what, .. }, .. } => ("failed", String::new(), what),
        Phase::Ended { end: End::Cancelled, .. } => ("cancelled", String::new(), troubles),
    };
    Row { title, phase, worker, attempt: job.attempt, what }
}

/// What is known of jobs that only build environments: those that are not runs.
fn builds(runs: &Counts, all: &Counts) -> Option<String> {
    let count = |of: fn(&Counts) -> u64| of(all).saturating_sub(of(runs));
    let parts = [
        (count(|counts| counts.waiting + counts.delayed + counts.running), "to be built"),
        (count(|counts| counts.done), "built"),
        (count(|counts| counts.failed), "that could not be built"),
        (count(|counts| counts.cancelled), "cancelled"),
    ];
    let parts = parts.iter().filter(|(count, _)| *count > 0);
    let parts: Vec<String> = parts.map(|(count, what)| format!("{count} {what}")).collect();
    (!parts.is_empty()).then(|| format!("environments: {}", parts.join(", ")))
}

fn report<'a>(
    experiment: &'a Experiment,
    counts: &Counts,
    built: Option<String>,
    rows: &'a [Row],
    format: ReportFormat,
) -> Result<Report<'a>> {
    let mut fields = Fields::<Row>::new(format);
    for exact in [true, false] {
        let column = |name: &'static str, kind| {
            if exact { Column::exact(name, kind) } else { Column::shown(name, kind) }
        };
        fields.add(column("phase", Kind::Text), |row, _| Cell::text(row.phase));
        fields.add(column("attempt", Kind::Count), |row, _| Cell::Count(row.attempt.into()));
        if exact {
            fields.add(column("job", Kind::Text), |row, _| Cell::text(&row.title));
            fields.add(column("worker", Kind::Text), |row, _| Cell::text(&row.worker));
        } else {
            fields.add(column("job", Kind::Name), |row, _| {
                Name { text: row.title.as_str().into(), ..Name::default() }.into()
            });
        }
        fields.add(column("what", Kind::Text), |row, _| Cell::text(&row.what));
    }
    // People look for what has not gone well; programs get all.
    let is_for_people = format.is_for_people();
    Ok(Report {
        head: Head {
            title: format!(
                "{}: {} waiting, {} running, {} done, {} failed, {} cancelled",
                experiment.asked.name,
                counts.waiting + counts.delayed,
                counts.running,
                counts.done,
                counts.failed,
                counts.cancelled
            ),
            notes: built.into_iter().collect(),
            members: Members::default()
                .with("name", &experiment.asked.name)?
                .with("waiting", &counts.waiting)?
                .with("delayed", &counts.delayed)?
                .with("running", &counts.running)?
                .with("done", &counts.done)?
                .with("failed", &counts.failed)?
                .with("cancelled", &counts.cancelled)?,
            ..Head::default()
        },
        columns: fields.columns(),
        rows: Box::new(move |sink| {
            let is_shown = |row: &&Row| !is_for_people || row.phase != "done";
            rows.iter().filter(is_shown).try_for_each(|row| sink(&fields.row(row, &[], 0)))?;
            Ok(After::default())
        }),
    })
}
