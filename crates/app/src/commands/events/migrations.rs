//! `hotframe events migrations`.

use std::io::{BufWriter, Write};

use anyhow::Result;
use session::{Migration, MigrationSource, MigrationsOfSet, Profile, SetsBy, time_text};

use super::reading::{Runs, read_by};
use crate::arguments::{EventsMigrations, ReportFormat};
use crate::report::{After, Cell, Column, Fields, Head, Kind, Members, Name, Report};

/// Most that are told as text; the others are in the sums above.
const MOST: usize = 40;

pub(super) fn migrations(arguments: &EventsMigrations) -> Result<()> {
    let Runs { document, options, mut warnings } =
        read_by(&arguments.files, &arguments.limits, &arguments.view_options, None)?;
    let (sides, notes) = session::migrations(&document, &options, SetsBy::Sides)?;
    crate::commands::notes::tell_notes(&notes)?;
    warnings.extend(notes);
    let mut out = BufWriter::new(crate::text::stdout());
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
    let is_for_people = format.is_for_people();
    let levels = side.levels();
    let told_by = match side.told_by {
        MigrationSource::Switches => "switches",
        MigrationSource::Events => "events",
        MigrationSource::Samples => "samples",
    };
    let members = Members::default()
        .with("runs", &side.runs.len())?
        .with("exact", &(side.told_by == MigrationSource::Switches))?
        .with("told_by", &told_by)?
        .with("count", &side.moves.len())?
        .with("seen", &side.seen)?
        .with("by_shared", &levels.iter().copied().collect::<std::collections::BTreeMap<_, _>>())?
        .with("warnings", &warnings)?;
    let by: Vec<String> = levels.iter().map(|(level, count)| format!("{count} {level}")).collect();
    let count = side.moves.len();
    let ending = if count == 1 { "" } else { "s" };
    let what = match side.told_by {
        MigrationSource::Switches => format!("{count} migration{ending}"),
        MigrationSource::Events => {
            format!("{count} migration{ending} that an event was recorded of")
        }
        // Another name than the metric's: these are not what it counts.
        MigrationSource::Samples => {
            format!("at least {count} change{ending} of processor, seen between samples")
        }
    };
    let title = format!(
        "{what} in {} {}{}",
        side.runs.len(),
        if side.runs.len() == 1 { "run" } else { "runs" },
        if by.is_empty() { String::new() } else { format!("; both share: {}", by.join(", ")) },
    );
    let fields = fields(profile, side, format);
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
                notes.push(format!("{more} more: --format csv lists all"));
            }
            match side.told_by {
                MigrationSource::Switches => {}
                MigrationSource::Events => notes.push(format!(
                    "sched:sched_migrate_task is recorded for whoever moves a thread, which may be another program. The samples show at least {} changes of processor; record sched:sched_switch to see all",
                    side.seen
                )),
                MigrationSource::Samples => notes.push(
                    "a thread that came back between two samples is not seen; record \
                     sched:sched_switch to see all"
                        .to_owned(),
                ),
            }
            Ok(After { notes, ..After::default() })
        }),
    })
}

/// A migration with the place of its run.
type Move = (usize, Migration);

fn fields<'a>(
    profile: &'a Profile,
    side: &'a MigrationsOfSet,
    format: ReportFormat,
) -> Fields<'a, Move> {
    let mut fields = Fields::new(format);
    fields.add(Column::exact("time_ns", Kind::Count), |(_, one): &Move, _| {
        Cell::Number(one.time.into())
    });
    fields.add(Column::shown("time", Kind::Value).wide(14), |(_, one), _| {
        Cell::text(time_text(one.time))
    });
    for (key, cpu) in [("from", 0), ("to", 1)] {
        let of = move |one: &Migration| [Some(one.from), one.to][cpu].map(u64::from);
        fields.add(Column::exact(key, Kind::Count), move |(_, one), _| {
            Cell::maybe(of(one), Cell::Count)
        });
        fields.add(Column::shown(key, Kind::Count).wide(5), move |(_, one), _| {
            of(one).map_or(Cell::text("–"), Cell::Count)
        });
    }
    let shares = |one: &Migration| one.shares.map_or("unknown", session::level_name);
    fields.add(Column::exact("shares", Kind::Text), move |(_, one), _| Cell::text(shares(one)));
    fields.add(Column::shown("shares", Kind::Text).wide(8), move |(_, one), _| {
        Cell::text(shares(one))
    });
    let thread = move |one: &Migration| -> &'a str {
        let thread = &profile.threads[one.thread.index()];
        match profile.text(thread.name) {
            "" => profile.text(thread.id),
            name => name,
        }
    };
    let run = move |run: usize| if profile.members.is_empty() { "" } else { &*side.runs[run] };
    fields.add(Column::exact("thread", Kind::Text), move |(_, one), _| {
        Cell::text(thread(one).to_owned())
    });
    fields.add(Column::exact("run", Kind::Text), move |(of, _), _| Cell::text(run(*of).to_owned()));
    fields.add(Column::shown("thread", Kind::Name), move |(of, one), _| {
        let text = [thread(one), run(*of)].join("  ");
        Name { text: text.trim_end().to_owned().into(), ..Name::default() }.into()
    });
    fields
}
