//! [`protocol::Request::Events`].

use std::collections::HashMap;

use analysis::{EventTable, EventsBy};
use profile::Shared;
use protocol::{
    ErrorCode, EventDifference, EventEntry, EventFigures, EventPlace, EventsParams, EventsResult,
    NoColumns, ProtocolError, Reply,
};

use crate::ProfileDocument;
use crate::kinds::profile::events::{
    EventChange, EventReport, EventRow, SetsBy, compare_events, events_by_set,
};
use crate::kinds::profile::trees::views::view_options;

pub(crate) fn events(
    document: &ProfileDocument,
    params: &EventsParams,
) -> Result<Reply<EventsResult, NoColumns>, ProtocolError> {
    let by: EventsBy =
        params.by.parse().map_err(|error| ProtocolError::new(ErrorCode::BadRequest, error))?;
    let options = view_options(document, &params.view)?;
    let by_sets: SetsBy =
        params.sets.parse().map_err(|error| ProtocolError::new(ErrorCode::BadRequest, error))?;
    let (sets, table) = events_by_set(document, &options, by, by_sets)?;
    let (sets, reports): (Vec<String>, Vec<EventReport>) = sets.into_iter().unzip();
    let is_compared = by_sets == SetsBy::Sides && document.comparison().is_some();
    let is_asked = |row: &EventRow| params.event.as_ref().is_none_or(|name| row.name == *name);
    let (rows, notes) = match &reports[..] {
        [base, new] if is_compared => {
            let changes = compare_events(base, new);
            let asked = changes.rows.iter().filter(|change| is_asked(change.either()));
            (asked.map(|change| compared(change, [base, new])).collect(), changes.notes)
        }
        reports => {
            let notes = reports.iter().flat_map(|report| report.notes.clone());
            (beside(reports, is_asked), notes.collect())
        }
    };
    let runs = reports.iter().map(|report| report.runs.len() as u32).collect();
    let places = if by == EventsBy::Place(Shared::Cpu) { places(document, &table) } else { vec![] };
    Ok(EventsResult { sets, runs, rows, places, notes }.into())
}

/// What sets of runs have of the same, each in its column.
fn beside(reports: &[EventReport], is_asked: impl Fn(&EventRow) -> bool) -> Vec<EventEntry> {
    let mut entries: Vec<EventEntry> = vec![];
    let mut known: HashMap<(&str, &str), usize> = HashMap::new();
    for (set, report) in reports.iter().enumerate() {
        for row in report.rows.iter().filter(|row| is_asked(row)) {
            let at = *known.entry((&row.group, &row.name)).or_insert_with(|| {
                entries.push(entry(row, vec![None; reports.len()], None));
                entries.len() - 1
            });
            entries[at].sides[set] = Some(figures(row, report));
        }
    }
    entries
}

fn compared(change: &EventChange, reports: [&EventReport; 2]) -> EventEntry {
    let sides = change.sides.iter().zip(reports);
    let sides = sides.map(|(row, report)| row.as_ref().map(|row| figures(row, report))).collect();
    let difference = EventDifference {
        ratio: change.ratio,
        interval: change.interval().map(|interval| [interval.low, interval.high]),
        verdict: change.verdict.name().to_owned(),
        reason: change.remark().to_owned(),
    };
    entry(change.either(), sides, Some(difference))
}

fn entry(
    row: &EventRow,
    sides: Vec<Option<EventFigures>>,
    change: Option<EventDifference>,
) -> EventEntry {
    EventEntry {
        group: row.group.clone(),
        name: row.name.clone(),
        unit: row.unit.as_ref().map(|unit| unit.unit.clone()),
        decimals: row.unit.as_ref().map_or(0, |unit| unit.decimals),
        better: row.better.map(|better| better.name().to_owned()),
        description: row.description.to_owned(),
        sides,
        change,
    }
}

fn figures(row: &EventRow, report: &EventReport) -> EventFigures {
    let range = row.range();
    EventFigures {
        median: row.median(),
        least: range.map(|[least, _]| least),
        most: range.map(|[_, most]| most),
        per_second: row.median_per_second(&report.lengths),
        samples: row.samples as f64,
        error: row.error,
        coverage: row.coverage,
        is_enough: row.is_enough,
    }
}

fn places(document: &ProfileDocument, table: &EventTable) -> Vec<EventPlace> {
    let profile = document.profile();
    let names = profile.machine_names();
    let are_several = names.iter().any(|name| *name != names[0]);
    let told = |(group, place): (&String, &Option<(Option<profile::MachineId>, u32)>)| {
        let (machine, number) = (*place)?;
        let name = machine.filter(|_| are_several).map(|one| names[one.index()].clone());
        let machine = machine.map(|machine| profile.machine(machine));
        let cpu = machine.and_then(|machine| machine.cpu(number));
        let at = |level: Shared| cpu.and_then(|cpu| cpu.place(level));
        Some(EventPlace {
            group: group.clone(),
            machine: name.unwrap_or_default(),
            cpu: number,
            core: at(Shared::Core),
            cache: at(Shared::Cache),
            node: at(Shared::Node),
            socket: at(Shared::Socket),
        })
    };
    table.groups.iter().zip(&table.places).filter_map(told).collect()
}
