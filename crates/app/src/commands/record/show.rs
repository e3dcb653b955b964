//! `hotframe record show`: what a manifest says, as tables.

use std::io::Write as _;
use std::rc::Rc;

use anyhow::Result;
use record::{Cost, Count, Event, Experiment, Finding, Manifest, Run, Sampling, Status, costs};
use session::Unit;

use crate::arguments::{ReportFormat, ShowRecording};
use crate::report::{
    After, Cell, Column, Fields, Head, Kind, Measure, Members, Name, Report, Section, Sections,
};

/// Something of an experiment.
struct Of<'a, T> {
    experiment: &'a str,
    item: T,
}

pub(super) fn show(arguments: &ShowRecording) -> Result<()> {
    let manifest = Manifest::read(&arguments.manifest)?;
    let format = arguments.format;
    let experiments = &manifest.experiments;
    let mut tables = vec![
        Section::new("runs", table("runs", run_fields(format), of(experiments, |e| e.runs.iter()))),
        Section::new("events", {
            let events = of(experiments, |e| e.events.opened.iter());
            table("events", event_fields(format), events)
        }),
    ];
    let counts = of(experiments, |e| {
        e.runs.iter().flat_map(|run| run.counts.iter().map(move |count| (run.number, count)))
    });
    let costs = of(experiments, |e| costs(e).into_iter());
    let findings = of(experiments, |e| {
        let of_runs = e
            .runs
            .iter()
            .flat_map(|run| run.findings.iter().map(move |finding| (Some(run.number), finding)));
        e.findings.iter().map(|finding| (None, finding)).chain(of_runs)
    });
    let is_for_people = format.is_for_people();
    let is_told = |rows: usize| rows > 0 || !is_for_people;
    if is_told(counts.len()) {
        tables.push(Section::new("counts", table("counts", count_fields(format), counts)));
    }
    if is_told(costs.len()) {
        let title = "what runs took, the median";
        tables.push(Section::new("costs", table(title, cost_fields(format), costs)));
    }
    if is_told(findings.len()) {
        tables.push(Section::new("findings", table("findings", finding_fields(format), findings)));
    }
    let not_supported = experiments.iter().flat_map(|e| &e.events.not_supported);
    let notes =
        not_supported.map(|event| format!("not measured: {}: {}", event.name, event.reason));
    let sections = Sections {
        members: Members::default(),
        tables,
        notes: notes.collect(),
        more: Members::default(),
    };
    let mut out = crate::text::stdout();
    sections.write(format, arguments.table.as_deref(), &mut out)?;
    Ok(out.flush()?)
}

fn of<'a, T, I: Iterator<Item = T>>(
    experiments: &'a [Experiment],
    items: impl Fn(&'a Experiment) -> I,
) -> Vec<Of<'a, T>> {
    let of_one = |experiment: &'a Experiment| -> Vec<Of<'a, T>> {
        items(experiment).map(|item| Of { experiment: &experiment.name, item }).collect()
    };
    experiments.iter().flat_map(of_one).collect()
}

fn table<'a, R: 'a>(title: &str, fields: Fields<'a, R>, rows: Vec<R>) -> Report<'a> {
    Report {
        head: Head { title: title.to_owned(), ..Head::default() },
        columns: fields.columns(),
        rows: Box::new(move |sink| {
            rows.iter().try_for_each(|row| sink(&fields.row(row, &[], 0)))?;
            Ok(After::default())
        }),
    }
}

fn experiment<'a, T: 'a>(fields: &mut Fields<'a, Of<'a, T>>) {
    fields.add(Column::exact("experiment", Kind::Text), |row, _| Cell::text(row.experiment));
    fields
        .add(Column::shown("experiment", Kind::Text).wide(12), |row, _| Cell::text(row.experiment));
}

fn measure(unit: &str) -> Rc<Measure> {
    Rc::new(Measure { unit: Unit::new(unit, 0), decimals: 0 })
}

/// A number for programs.
fn exact<'a, R: 'a>(
    fields: &mut Fields<'a, R>,
    key: &'static str,
    get: impl Fn(&R) -> u64 + Copy + 'a,
) {
    fields.add(Column::exact(key, Kind::Count), move |row, _| Cell::Count(get(row)));
}

/// A value that is a number to programs.
fn value<'a, R: 'a>(
    fields: &mut Fields<'a, R>,
    (key, title, unit): (&'static str, &'static str, &str),
    get: impl Fn(&R) -> u64 + Copy + 'a,
) {
    let measure = measure(unit);
    fields.add(Column::exact(key, Kind::Count), move |row, _| Cell::Count(get(row)));
    fields.add(Column::shown(title, Kind::Value), move |row, _| {
        Cell::value(i64::try_from(get(row)).unwrap_or(i64::MAX), &measure)
    });
}

fn name<'r>(text: impl Into<std::borrow::Cow<'r, str>>) -> Cell<'r> {
    Name { text: text.into(), ..Name::default() }.into()
}

fn status(run: &Run) -> String {
    let how = match run.status {
        None => String::new(),
        Some(Status::Exit(code)) => format!("exit {code}"),
        Some(Status::Signal(signal)) => format!("signal {signal}"),
    };
    if run.course.is_stopped { format!("{how}, stopped") } else { how }
}

fn run_fields<'a>(format: ReportFormat) -> Fields<'a, Of<'a, &'a Run>> {
    let mut fields = Fields::new(format);
    experiment(&mut fields);
    fields.add(Column::exact("run", Kind::Count), |row: &Of<'_, &Run>, _| {
        Cell::Count(row.item.number.into())
    });
    fields.add(Column::shown("run", Kind::Count).wide(5), |row, _| {
        Cell::Count(row.item.number.into())
    });
    fields.add(Column::exact("kind", Kind::Text), |row, _| Cell::text(row.item.kind.name()));
    fields
        .add(Column::shown("kind", Kind::Text).wide(11), |row, _| Cell::text(row.item.kind.name()));
    fields.add(Column::exact("status", Kind::Text), |row, _| Cell::text(status(row.item)));
    fields.add(Column::shown("status", Kind::Text).wide(10), |row, _| Cell::text(status(row.item)));
    value(&mut fields, ("duration_ns", "duration", "nanoseconds"), |row| {
        row.item.course.duration_ns
    });
    value(&mut fields, ("cpu_ns", "CPU time", "nanoseconds"), |row| row.item.course.cpu_ns);
    value(&mut fields, ("size", "size", "bytes"), |row| row.item.size);
    let samples = |run: &Run| run.holds.as_ref().map(|holds| holds.samples.values().sum());
    fields.add(Column::exact("samples", Kind::Count), move |row, _| {
        Cell::maybe(samples(row.item), Cell::Count)
    });
    fields.add(Column::shown("samples", Kind::Count), move |row, _| {
        Cell::maybe(samples(row.item), Cell::Count)
    });
    let threads = |run: &Run| run.holds.as_ref().map(|holds| holds.threads);
    fields.add(Column::exact("threads", Kind::Count), move |row, _| {
        Cell::maybe(threads(row.item), Cell::Count)
    });
    let lost = |run: &Run| run.holds.as_ref().map(|holds| holds.lost);
    fields.add(Column::exact("lost", Kind::Count), move |row, _| {
        Cell::maybe(lost(row.item), Cell::Count)
    });
    let file = |run: &Run| run.file.as_ref().map(|file| file.display().to_string());
    fields.add(Column::exact("file", Kind::Text), move |row, _| {
        Cell::maybe(file(row.item), Cell::text)
    });
    fields.add(Column::exact("events", Kind::Text), |row, _| Cell::text(row.item.events.join(",")));
    fields.add(Column::shown("events", Kind::Name), |row, _| name(row.item.events.join(", ")));
    fields
}

fn event_fields<'a>(format: ReportFormat) -> Fields<'a, Of<'a, &'a Event>> {
    let sampling = |event: &Event| match event.sampling {
        None => "counted".to_owned(),
        Some(Sampling::Frequency(frequency)) => format!("{frequency} samples/s"),
        Some(Sampling::Period(period)) => format!("a sample after {period}"),
        Some(Sampling::Default) => "as perf does".to_owned(),
        Some(Sampling::Read) => "read with others".to_owned(),
    };
    let mut fields = Fields::new(format);
    experiment(&mut fields);
    fields.add(Column::exact("event", Kind::Text), |row: &Of<'_, &Event>, _| {
        Cell::text(&*row.item.name)
    });
    fields.add(Column::exact("sampling", Kind::Text), move |row, _| Cell::text(sampling(row.item)));
    fields.add(Column::shown("sampling", Kind::Text), move |row, _| Cell::text(sampling(row.item)));
    fields.add(Column::exact("set", Kind::Count), |row, _| {
        Cell::maybe(row.item.set, |set| Cell::Count(set.into()))
    });
    fields.add(Column::exact("is_time", Kind::Flag), |row, _| Cell::Is(row.item.is_time));
    fields.add(Column::shown("event", Kind::Name), |row, _| {
        let remark = if row.item.is_time { " (time, no counter)" } else { "" };
        Name { text: (&*row.item.name).into(), remark: remark.into(), ..Name::default() }.into()
    });
    fields
}

fn count_fields<'a>(format: ReportFormat) -> Fields<'a, Of<'a, (u32, &'a Count)>> {
    let mut fields = Fields::new(format);
    experiment(&mut fields);
    fields.add(Column::exact("run", Kind::Count), |row: &Of<'_, (u32, &Count)>, _| {
        Cell::Count(row.item.0.into())
    });
    fields.add(Column::shown("run", Kind::Count).wide(5), |row, _| Cell::Count(row.item.0.into()));
    fields.add(Column::exact("event", Kind::Text), |row, _| Cell::text(&*row.item.1.event));
    fields.add(Column::exact("cpu", Kind::Count), |row, _| {
        Cell::maybe(row.item.1.cpu, |cpu| Cell::Count(cpu.into()))
    });
    fields.add(Column::shown("CPU", Kind::Text).wide(5), |row, _| {
        Cell::maybe(row.item.1.cpu, |cpu| Cell::Count(cpu.into()))
    });
    fields.add(Column::exact("total", Kind::Value), |row, _| Cell::Real(row.item.1.total));
    fields.add(Column::exact("unit", Kind::Text), |row, _| Cell::text(&*row.item.1.unit));
    fields.add(Column::shown("total", Kind::Value).wide(18), |row, _| {
        let Count { total, unit, .. } = row.item.1;
        Cell::text(session::quantity_text(*total, unit))
    });
    fields.add(Column::exact("intervals", Kind::Count), |row, _| Cell::Count(row.item.1.intervals));
    fields.add(Column::exact("coverage", Kind::Value), |row, _| Cell::Real(row.item.1.coverage));
    fields.add(Column::shown("coverage", Kind::Share).wide(9), |row, _| {
        Cell::Share((row.item.1.coverage * 1e4).round() as i64, 10_000)
    });
    fields.add(Column::shown("event", Kind::Name), |row, _| name(&*row.item.1.event));
    fields
}

fn cost_fields<'a>(format: ReportFormat) -> Fields<'a, Of<'a, Cost>> {
    let mut fields = Fields::new(format);
    experiment(&mut fields);
    fields.add(Column::exact("kind", Kind::Text), |row: &Of<'_, Cost>, _| {
        Cell::text(row.item.kind.name())
    });
    fields.add(Column::exact("frequency", Kind::Count), |row, _| {
        Cell::maybe(row.item.frequency, |frequency| Cell::Count(frequency.into()))
    });
    fields.add(Column::exact("runs", Kind::Count), |row, _| Cell::Count(row.item.runs as u64));
    fields.add(Column::shown("runs", Kind::Count).wide(5), |row, _| {
        Cell::Count(row.item.runs as u64)
    });
    value(&mut fields, ("duration_ns", "time", "nanoseconds"), |row| row.item.duration.median);
    exact(&mut fields, "duration_least_ns", |row| row.item.duration.least);
    exact(&mut fields, "duration_most_ns", |row| row.item.duration.most);
    fields.add(Column::exact("duration_ratio", Kind::Value), |row, _| {
        Cell::maybe(row.item.duration_ratio, Cell::Real)
    });
    fields.add(Column::shown("more", Kind::Change).wide(9), |row, _| {
        Cell::maybe(row.item.duration_ratio, Cell::Growth)
    });
    value(&mut fields, ("cpu_ns", "CPU time", "nanoseconds"), |row| row.item.cpu.median);
    exact(&mut fields, "cpu_least_ns", |row| row.item.cpu.least);
    exact(&mut fields, "cpu_most_ns", |row| row.item.cpu.most);
    fields.add(Column::exact("cpu_ratio", Kind::Value), |row, _| {
        Cell::maybe(row.item.cpu_ratio, Cell::Real)
    });
    fields.add(Column::shown("more", Kind::Change).wide(9), |row, _| {
        Cell::maybe(row.item.cpu_ratio, Cell::Growth)
    });
    value(&mut fields, ("recorder_cpu_ns", "recorder", "nanoseconds"), |row| row.item.recorder_cpu);
    value(&mut fields, ("size", "size", "bytes"), |row| row.item.size);
    fields
        .add(Column::exact("descriptors", Kind::Count), |row, _| Cell::Count(row.item.descriptors));
    fields.add(Column::shown("files", Kind::Count).wide(6), |row, _| {
        Cell::Count(row.item.descriptors)
    });
    fields.add(Column::exact("events", Kind::Text), |row, _| Cell::text(&*row.item.events));
    fields.add(Column::shown("runs that are", Kind::Name), |row, _| {
        let Cost { kind, frequency, events, .. } = &row.item;
        let frequency = frequency.map_or(String::new(), |hertz| format!(" at {hertz} Hz"));
        let events = if events.is_empty() { String::new() } else { format!(": {events}") };
        name(format!("{}{frequency}{events}", kind.name()))
    });
    fields
}

fn finding_fields<'a>(format: ReportFormat) -> Fields<'a, Of<'a, (Option<u32>, &'a Finding)>> {
    let mut fields = Fields::new(format);
    experiment(&mut fields);
    fields.add(Column::exact("run", Kind::Count), |row: &Of<'_, (Option<u32>, &Finding)>, _| {
        Cell::maybe(row.item.0, |run| Cell::Count(run.into()))
    });
    fields.add(Column::shown("run", Kind::Count).wide(5), |row, _| {
        Cell::maybe(row.item.0, |run| Cell::Count(run.into()))
    });
    fields.add(Column::exact("severity", Kind::Text), |row, _| {
        Cell::text(row.item.1.severity.name())
    });
    fields.add(Column::shown("severity", Kind::Text).wide(8), |row, _| {
        Cell::text(row.item.1.severity.name())
    });
    fields.add(Column::exact("what", Kind::Text), |row, _| Cell::text(&*row.item.1.what));
    fields.add(Column::exact("advice", Kind::Text), |row, _| Cell::text(&*row.item.1.advice));
    fields.add(Column::shown("what was found", Kind::Name), |row, _| {
        let remark = match &*row.item.1.advice {
            "" => String::new(),
            advice => format!(" ({advice})"),
        };
        Name { text: (&*row.item.1.what).into(), remark: remark.into(), ..Name::default() }.into()
    });
    fields
}
