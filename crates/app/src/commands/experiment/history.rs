//! `hotframe experiment history`: a metric by revision, with where it changes and what to run next.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;
use session::{
    ChangePoint, HistoryLine, HistoryReport, HistoryStep, count_text, ratio_text, zero_note,
};

use super::query::{self, RunsQuery, chance, exact, mean_fields};
use super::summary::{named, report};
use crate::arguments::{ExperimentHistory, ReportFormat};
use crate::report::{Cell, Column, Fields, Head, Kind, Name, Report, Section, Sections};

pub(super) fn history(arguments: &ExperimentHistory) -> Result<()> {
    let asked = RunsQuery::read(&arguments.asked)?;
    let format = arguments.asked.format;
    let runs = &*session::runs_of_experiment(&asked.document)?;
    let factor = arguments.factor.as_deref();
    let told = session::history(&asked.document, &asked.options, &asked.quantity, factor)?;
    let repository = arguments.repository.clone().unwrap_or_else(|| PathBuf::from("."));
    let changes: Vec<Change<'_>> = (told.lines.iter())
        .flat_map(|line| line.changes.iter().map(|change| Change::new(line, change, &repository)))
        .collect();
    let caption = told.caption(runs);
    let mut tables = vec![Section::new("steps", steps(&asked, &told, caption, format))];
    let mut notes: Vec<String> = asked.filter_note(&told.measured).into_iter().collect();
    notes.extend(zero_note(&asked.document, &asked.quantity, &told.measured));
    if !format.is_for_people() || !changes.is_empty() {
        tables.push(Section::new("changes", changed(&told, changes, format)));
    } else {
        notes.push("no change that chance would not make (p above 5 % everywhere)".to_owned());
    }
    let members = query::members(&told.measured)?
        .with("factor", &runs.factors[told.factor].name)?
        .with("by_commit_time", &told.is_by_time)?
        .with("notes", &notes)?;
    let sections = Sections { members, tables, notes, more: Default::default() };
    query::write(sections, &arguments.asked)
}

/// A jump with the steps around it.
struct Change<'a> {
    line: &'a HistoryLine,
    at: ChangePoint,
    before: &'a HistoryStep,
    after: &'a HistoryStep,
    next: Next,
}

/// What is known of the commits around a change.
#[derive(Debug, PartialEq)]
enum Next {
    /// Levels have no commits.
    NoCommits,
    /// Nothing lies between.
    Neighbours,
    /// So many commits lie between; the one in the middle.
    Middle(usize, String),
    /// git does not know them there.
    Unknown,
}

impl Change<'_> {
    fn new<'a>(line: &'a HistoryLine, at: &ChangePoint, repository: &Path) -> Change<'a> {
        let after = &line.steps[at.step];
        // Steps that were not measured lie between.
        let measured = line.steps[..at.step].iter().rfind(|step| step.mean.is_some());
        let before = measured.unwrap_or(after);
        Change { line, at: *at, before, after, next: Next::new(before, after, repository) }
    }

    fn sentence(&self) -> String {
        match &self.next {
            Next::NoCommits => String::new(),
            Next::Neighbours => "the commits are neighbours".to_owned(),
            Next::Middle(1, commit) => format!("one commit lies between; run next: {commit}"),
            Next::Middle(between, commit) => {
                format!("{} commits lie between; run next: {commit}", count_text(*between as u64))
            }
            Next::Unknown => {
                "git does not know the commits here: name their repository with --repository FOLDER"
                    .to_owned()
            }
        }
    }
}

impl Next {
    fn new(before: &HistoryStep, after: &HistoryStep, repository: &Path) -> Next {
        if before.commit.is_empty() || after.commit.is_empty() {
            return Next::NoCommits;
        }
        let Some(between) = between(repository, &before.commit, &after.commit) else {
            return Next::Unknown;
        };
        match between.len() {
            0 => Next::Neighbours,
            // Newest first, without the new one.
            count => Next::Middle(count, between[count / 2].clone()),
        }
    }
}

/// The commits after one up to another, that one left out; none where git does not know them.
fn between(repository: &Path, before: &str, after: &str) -> Option<Vec<String>> {
    // Hashes alone: nothing that a file says becomes an option.
    let is_hash = |text: &str| text.len() >= 7 && text.chars().all(|c| c.is_ascii_hexdigit());
    if !is_hash(before) || !is_hash(after) {
        return None;
    }
    let told = Command::new("git")
        .arg("-C")
        .arg(repository)
        .args(["rev-list", "--first-parent", "--max-count=100000"])
        .arg(format!("{before}..{after}"))
        .arg("--")
        .output()
        .ok()?;
    if !told.status.success() {
        return None;
    }
    let text = String::from_utf8(told.stdout).ok()?;
    Some(text.lines().skip(1).map(str::to_owned).collect())
}

/// A row of the table of steps.
type StepRow<'a> = (&'a HistoryLine, usize);

fn steps<'a>(
    asked: &RunsQuery,
    told: &'a HistoryReport,
    caption: String,
    format: ReportFormat,
) -> Report<'a> {
    let mut fields = Fields::<StepRow<'a>>::new(format);
    let step = |row: &StepRow<'a>| -> &'a HistoryStep { &row.0.steps[row.1] };
    let change = |row: &StepRow<'a>| row.0.changes.iter().find(|change| change.step == row.1);
    fields.add(Column::exact("cells", Kind::Text), |row, _| Cell::text(row.0.title.clone()));
    fields.add(Column::exact("level", Kind::Text), move |row, _| Cell::text(&step(row).level));
    fields.add(Column::exact("commit", Kind::Text), move |row, _| Cell::text(&step(row).commit));
    fields.add(Column::exact("subject", Kind::Text), move |row, _| Cell::text(&step(row).subject));
    fields.add(Column::exact("time_s", Kind::Value), move |row, _| {
        Cell::maybe(step(row).time_s, |time| Cell::Number(time.into()))
    });
    mean_fields(&mut fields, &told.measured, move |row: &StepRow<'a>| step(row).mean);
    fields.add(Column::shown("runs", Kind::Count).wide(4), move |row, _| {
        Cell::Count(step(row).mean.map_or(0, |mean| mean.runs as u64))
    });
    fields.add(Column::shown("", Kind::Mark), move |row, _| {
        Cell::text(match change(row) {
            None => "   ",
            Some(change) if change.after > change.before => "[+]",
            Some(_) => "[-]",
        })
    });
    fields.add(Column::shown("level", Kind::Name), move |row, _| {
        let HistoryStep { level, subject, commit, .. } = step(row);
        let line = &row.0.title;
        let text = if line.is_empty() { level.clone() } else { format!("{level}, {line}") };
        let short = commit.get(..10).unwrap_or(commit);
        let is_told = !short.is_empty() && !commit.starts_with(level.as_str());
        let at = if is_told { format!("{short} {subject}") } else { subject.clone() };
        Name { text: text.into(), at: at.into(), ..Name::default() }.into()
    });
    let lines = told.lines.iter();
    let rows = lines.flat_map(|line| (0..line.steps.len()).map(move |at| (line, at))).collect();
    let head = Head { title: asked.document.title().to_owned(), note: caption, ..Head::default() };
    report(head, fields, rows)
}

fn changed<'a>(
    told: &'a HistoryReport,
    changes: Vec<Change<'a>>,
    format: ReportFormat,
) -> Report<'a> {
    let measured = &told.measured;
    let mut fields = Fields::<Change<'a>>::new(format);
    let text = |key| Column::exact(key, Kind::Text);
    fields.add(text("cells"), |row, _| Cell::text(&row.line.title));
    fields.add(text("from"), |row, _| Cell::text(&row.before.level));
    fields.add(text("to"), |row, _| Cell::text(&row.after.level));
    let unit = move |value: f64| Cell::Real(measured.in_unit(value));
    fields.add(Column::exact("before", Kind::Value), move |row, _| unit(row.at.before));
    fields.add(Column::exact("after", Kind::Value), move |row, _| unit(row.at.after));
    fields.add(exact("low", "difference", "difference low"), move |row, _| unit(row.at.low));
    fields.add(exact("high", "difference", "difference high"), move |row, _| unit(row.at.high));
    fields.add(Column::exact("p", Kind::Value), |row, _| Cell::Real(row.at.p));
    fields.add(Column::exact("between", Kind::Count), |row, _| match &row.next {
        Next::Neighbours => Cell::Count(0),
        Next::Middle(between, _) => Cell::Count(*between as u64),
        Next::NoCommits | Next::Unknown => Cell::Nothing,
    });
    fields.add(text("run_next"), |row, _| match &row.next {
        Next::Middle(_, commit) => Cell::text(commit),
        _ => Cell::Nothing,
    });
    fields.add(Column::shown("before", Kind::Value), move |row, _| {
        Cell::text(measured.text(row.at.before))
    });
    fields.add(Column::shown("after", Kind::Value), move |row, _| {
        Cell::text(measured.text(row.at.after))
    });
    fields.add(Column::shown("by", Kind::Value).wide(9), |row, _| {
        let is_ratio = row.at.before > 0.0;
        if is_ratio { Cell::text(ratio_text(row.at.after / row.at.before)) } else { Cell::Nothing }
    });
    fields.add(Column::shown("difference, 95 % interval", Kind::Value).wide(26), |row, _| {
        let ends = [row.at.low, row.at.high].map(|end| measured.change_text(end));
        Cell::text(ends.join(" to "))
    });
    fields.add(Column::shown("p", Kind::Value).wide(6), |row, _| Cell::text(chance(row.at.p)));
    fields.add(Column::shown("where", Kind::Name), |row, _| {
        let mut text = format!("{} → {}", row.before.level, row.after.level);
        if !row.line.title.is_empty() {
            text = format!("{text}, {}", row.line.title);
        }
        let next = row.sentence();
        named(&if next.is_empty() { text } else { format!("{text}: {next}") })
    });
    let note = "places where the level of the values jumps".to_owned();
    report(Head { title: "Changes".to_owned(), note, ..Head::default() }, fields, changes)
}
