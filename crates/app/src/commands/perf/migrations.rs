//! `hotframe perf migrations`.

use std::io::{BufWriter, Write};

use anyhow::Result;
use session::{Migration, MigrationsOfSet, Profile, SetsBy, base_name, time_text};

use super::{Runs, read_by};
use crate::arguments::{PerfMigrations, ReportFormat};
use crate::report::{After, Cell, Column, Fields, Head, Kind, Members, Name, Report};

/// Most that are told as text; the others are in the sums above.
const MOST: usize = 40;

pub(super) fn migrations(arguments: &PerfMigrations) -> Result<()> {
    let Runs { document, options, warnings } =
        read_by(&arguments.files, &arguments.limits, &arguments.view_options)?;
    let sides = document.migrations(&options, SetsBy::Sides)?;
    let mut out = BufWriter::new(std::io::stdout().lock());
    for side in &sides {
        let report = table(document.profile(), side, arguments.format, &warnings)?;
        report.write(arguments.format, &mut out)?;
    }
    Ok(out.flush()?)
}

fn table<'a>(
    profile: &'a Profile,
    side: &'a MigrationsOfSet,
    format: ReportFormat,
    warnings: &[String],
) -> Result<Report<'a>> {
    let is_for_people = matches!(format, ReportFormat::Text | ReportFormat::Markdown);
    let levels = side.levels();
    let members = Members::default()
        .with("runs", &side.runs)?
        .with("exact", &side.is_exact)?
        .with("count", &side.moves.len())?
        .with("by_shared", &levels.iter().copied().collect::<std::collections::BTreeMap<_, _>>())?
        .with("warnings", &warnings)?;
    let by: Vec<String> = levels.iter().map(|(level, count)| format!("{count} {level}")).collect();
    let title = format!(
        "{}{} migrations in {} {}{}",
        if side.is_exact { "" } else { "at least " },
        side.moves.len(),
        side.runs,
        if side.runs == 1 { "run" } else { "runs" },
        if by.is_empty() { String::new() } else { format!("; both share: {}", by.join(", ")) },
    );
    let fields = fields(profile, format);
    let most = if is_for_people { MOST } else { usize::MAX };
    let columns = fields.columns();
    Ok(Report {
        head: Head { title, members, ..Head::default() },
        columns,
        rows: Box::new(move |sink| {
            for one in side.moves.iter().take(most) {
                sink(&fields.row(one, &[], 0))?;
            }
            let mut notes = vec![];
            if let Some(more) = side.moves.len().checked_sub(most).filter(|more| *more > 0) {
                notes.push(format!("{more} more: --format csv tells all"));
            }
            if !side.is_exact {
                notes.push(
                    "seen between samples: a thread that came back in between is not; record \
                     sched:sched_switch to see all"
                        .to_owned(),
                );
            }
            Ok(After { notes, ..After::default() })
        }),
    })
}

fn fields<'a>(profile: &'a Profile, format: ReportFormat) -> Fields<'a, Migration> {
    let mut fields = Fields::new(format);
    fields.add(Column::exact("time_ns", Kind::Text), |row: &Migration, _| {
        Cell::text(row.time.to_string())
    });
    fields
        .add(Column::shown("time", Kind::Value).wide(14), |row, _| Cell::text(time_text(row.time)));
    for (key, cpu) in [("from", 0), ("to", 1)] {
        let of = move |row: &Migration| u64::from([row.from, row.to][cpu]);
        fields.add(Column::exact(key, Kind::Count), move |row, _| Cell::Count(of(row)));
        fields.add(Column::shown(key, Kind::Count).wide(5), move |row, _| Cell::Count(of(row)));
    }
    let shares = |row: &Migration| row.shares.map_or("unknown", session::level_name);
    fields.add(Column::exact("shares", Kind::Text), move |row, _| Cell::text(shares(row)));
    fields.add(Column::shown("shares", Kind::Text).wide(8), move |row, _| Cell::text(shares(row)));
    let thread = move |row: &Migration| -> &'a str {
        let thread = &profile.threads[row.thread.index()];
        match profile.text(thread.name) {
            "" => profile.text(thread.id),
            name => name,
        }
    };
    let run = move |row: &Migration| -> &'a str {
        match profile.members.get(row.member.index()) {
            Some(member) => base_name(&member.name),
            None => "",
        }
    };
    fields
        .add(Column::exact("thread", Kind::Text), move |row, _| Cell::text(thread(row).to_owned()));
    fields.add(Column::exact("run", Kind::Text), move |row, _| Cell::text(run(row).to_owned()));
    fields.add(Column::shown("thread", Kind::Name), move |row, _| {
        let text = [thread(row), run(row)].join("  ");
        Name { text: text.trim_end().to_owned().into(), ..Name::default() }.into()
    });
    fields
}
