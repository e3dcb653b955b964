//! `hotframe record perf --list`: which events open here.

use std::io::Write as _;

use anyhow::Result;
use record::{EventProbe, Machine, probe_events};

use super::ask::event_lists;
use crate::arguments::RecordPerf;
use crate::report::{After, Cell, Column, Fields, Head, Kind, Members, Name, Report};

/// Those that are asked after where nobody says which: hardware, caches, the kernel's own.
const KNOWN: [&str; 43] = [
    "cpu-cycles",
    "instructions",
    "ref-cycles",
    "bus-cycles",
    "stalled-cycles-frontend",
    "stalled-cycles-backend",
    "branch-instructions",
    "branch-misses",
    "cache-references",
    "cache-misses",
    "L1-dcache-loads",
    "L1-dcache-load-misses",
    "L1-dcache-stores",
    "L1-dcache-prefetches",
    "L1-icache-loads",
    "L1-icache-load-misses",
    "LLC-loads",
    "LLC-load-misses",
    "LLC-stores",
    "LLC-store-misses",
    "dTLB-loads",
    "dTLB-load-misses",
    "dTLB-stores",
    "dTLB-store-misses",
    "iTLB-loads",
    "iTLB-load-misses",
    "branch-loads",
    "branch-load-misses",
    "node-loads",
    "node-load-misses",
    "mem-loads",
    "mem-stores",
    "slots",
    "cpu-clock",
    "task-clock",
    "page-faults",
    "minor-faults",
    "major-faults",
    "context-switches",
    "cpu-migrations",
    "alignment-faults",
    "cgroup-switches",
    "sched:sched_switch",
];

pub(super) fn list(arguments: &RecordPerf) -> Result<()> {
    let asked = event_lists(&arguments.events.events)?;
    let asked = if asked.is_empty() { KNOWN.join("\n") } else { asked.join("\n") };
    let events = probe_events(&asked)?;
    let mut out = crate::text::stdout();
    report(arguments, events)?.write(arguments.format, &mut out)?;
    Ok(out.flush()?)
}

fn report(arguments: &RecordPerf, events: Vec<EventProbe>) -> Result<Report<'static>> {
    let mut fields = Fields::<EventProbe>::new(arguments.format);
    fields.add(Column::exact("event", Kind::Text), |event, _| Cell::text(&*event.name));
    fields.add(Column::exact("counts", Kind::Flag), |event, _| Cell::Is(event.counts));
    fields.add(Column::exact("samples", Kind::Flag), |event, _| Cell::Is(event.samples));
    fields.add(Column::exact("reason", Kind::Text).left_out(), |event, _| {
        if event.reason.is_empty() { Cell::Nothing } else { Cell::text(&*event.reason) }
    });
    fields.add(Column::shown("counts", Kind::Flag).wide(7), |event, _| Cell::Is(event.counts));
    fields.add(Column::shown("samples", Kind::Flag).wide(8), |event, _| Cell::Is(event.samples));
    fields.add(Column::shown("event", Kind::Name), |event, _| {
        let at = (&*event.reason).into();
        Name { text: (&*event.name).into(), at, ..Name::default() }.into()
    });
    let machine = Machine::here();
    let open = events.iter().filter(|event| event.counts).count();
    let title = format!("{open} of {} events open on {}", events.len(), machine.host);
    Ok(Report {
        head: Head {
            title,
            members: Members::default().with("machine", &machine)?,
            ..Head::default()
        },
        columns: fields.columns(),
        rows: Box::new(move |sink| {
            events.iter().try_for_each(|event| sink(&fields.row(event, &[], 0)))?;
            Ok(After::default())
        }),
    })
}
