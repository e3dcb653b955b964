//! The reports of what changed of what happened when.

use std::rc::Rc;

use anyhow::Result;
use session::{
    Change, Metric, Normalise, SpanChange, SpanStatistics, StretchChange, base_name, time_text,
};

use super::View;
use super::changes::{change_cell, growth};
use crate::arguments::{DiffView, ReportFormat};
use crate::commands::view_warnings;
use crate::report::{
    After, Cell, Column, Fields, Head, Kind, Measure, Members, Name, Report, Sink,
};

/// Stretches of time where no limit says how many.
const STRETCHES: usize = 40;

/// What is told of a change, beside its share.
const OF_CHANGE: [&str; 5] = ["tag", "base", "new", "difference", "ratio"];

/// A figure of spans of one side.
type Figure = (&'static str, fn(&SpanStatistics) -> Option<i64>);

/// Those that only programs get.
const FIGURES: [Figure; 5] = [
    ("shortest_ns", |one| Some(one.lengths?.shortest)),
    ("median_ns", |one| Some(one.lengths?.median)),
    ("p95_ns", |one| Some(one.lengths?.p95)),
    ("p99_ns", |one| Some(one.lengths?.p99)),
    ("longest_ns", |one| Some(one.lengths?.longest)),
];

impl View {
    /// The report of a view of time.
    pub(super) fn time_report(&self, view: DiffView, format: ReportFormat) -> Result<Report<'_>> {
        if view == DiffView::Spans { self.spans(format) } else { self.stretches(format) }
    }

    fn spans(&self, format: ReportFormat) -> Result<Report<'_>> {
        let (rows, all) = self.compared.span_changes(&self.options, self.order, self.limit)?;
        let measure = nanoseconds();
        let fields = span_fields(format, &measure);
        let runs = rows.first().map_or([1, 1], |row| row.runs);
        let mut head = self.time_head("spans", "spans by name", "time (nanoseconds)")?;
        if runs != [1, 1] {
            let [base, new] = runs;
            head.notes.push(format!(
                "counts and sums are of one run, the mean of {base} and {new}; medians and longest \
                 are of all spans of a side; chance was not asked"
            ));
        }
        if self.is_scaled() {
            head.notes
                .push("lengths of spans are as they were measured: they are not scaled".into());
        }
        let columns = fields.columns();
        let rows = move |sink: &mut Sink<'_>| {
            for row in &rows {
                sink(&fields.row(row, std::slice::from_ref(&row.name), 0))?;
            }
            Ok(After::left_out(all - rows.len(), "names"))
        };
        Ok(Report { head, columns, rows: Box::new(rows) })
    }

    fn stretches(&self, format: ReportFormat) -> Result<Report<'_>> {
        let stretches = if self.limit == usize::MAX { STRETCHES } else { self.limit };
        let changes = self.compared.stretch_changes(&self.options, stretches)?;
        let measure = self.measure();
        let fields = stretch_fields(format, &measure, self.noise);
        let metric = self.compared.metrics[self.options.metric.index()].name.clone();
        let mut head = self.time_head("timeline", "by stretches of time", &metric)?;
        for (side, untimed) in ["base", "new"].into_iter().zip(changes.untimed) {
            if untimed != 0.0 {
                let untimed = measure.unit.text(untimed.round() as i64);
                head.notes.push(format!("{side}: {untimed} have no time and are in no stretch"));
            }
        }
        let columns = fields.columns();
        let rows = move |sink: &mut Sink<'_>| {
            for row in &changes.rows {
                sink(&fields.row(row, &[], 0))?;
            }
            Ok(After::default())
        };
        Ok(Report { head, columns, rows: Box::new(rows) })
    }

    fn is_scaled(&self) -> bool {
        let comparison = self.compared.document.comparison();
        comparison.is_some_and(|of| of.normalise != Normalise::Absolute)
    }

    fn time_head(&self, view: &'static str, shape: &str, metric: &str) -> Result<Head> {
        let document = &self.compared.document;
        let unit = &self.compared.metrics[self.options.metric.index()].unit;
        let unit = if view == "spans" { "nanoseconds" } else { unit };
        let members = Members::default()
            .with("title", &document.title())?
            .with("metric", &metric)?
            .with("unit", &unit)?
            .with("warnings", &view_warnings(document, &self.options)?)?
            .with("view", &view)?
            .with_some("sides", &self.sides())?;
        Ok(Head {
            title: document.title().to_owned(),
            metric: metric.to_owned(),
            view: shape.to_owned(),
            notes: self.side_sentences(),
            members,
            ..Head::default()
        })
    }
}

fn nanoseconds() -> Rc<Measure> {
    Measure::of(&Metric { unit: "nanoseconds".into(), ..Metric::default() })
}

fn span_fields<'a>(format: ReportFormat, measure: &Rc<Measure>) -> Fields<'a, SpanChange> {
    let mut fields = Fields::<SpanChange>::new(format);
    let value = |title: &'static str| Column::shown(title, Kind::Value);
    let [base, new, by, of_half, own] = std::array::from_fn(|_| Rc::clone(measure));
    fields.add(value("base"), move |row, _| Cell::value(row.total().base, &base));
    fields.add(value("new"), move |row, _| Cell::value(row.total().new, &new));
    fields.add(Column::shown("change", Kind::Change), move |row, _| {
        Cell::change(row.total().difference(), &by)
    });
    fields.add(Column::shown("by", Kind::Change).wide(8), |row, _| growth(row.total()));
    fields.add(Column::shown("self change", Kind::Change), move |row, _| {
        Cell::maybe(row.self_time(), |of| Cell::change(of.difference(), &own))
    });
    fields.add(Column::shown("count", Kind::Text).wide(16), |row, _| {
        let [base, new] = row.counts().map(count_text);
        Cell::text(if base == new { base } else { format!("{base} → {new}") })
    });
    fields.add(Column::shown("median", Kind::Change), move |row, _| {
        let [Some(base), Some(new)] = &row.sides else { return Cell::Nothing };
        let [Some(base), Some(new)] = [base.lengths, new.lengths] else { return Cell::Nothing };
        Cell::change(new.median.saturating_sub(base.median), &of_half)
    });
    fields.add(Column::shown("", Kind::Mark), |row, _| Cell::text(row.tag.sign()));
    fields.add(Column::shown("span", Kind::Name), |row, _| {
        let remark = if row.is_asynchronous { "asynchronous" } else { "" };
        let text = if row.name.is_empty() { "[no frame]" } else { &row.name };
        let at = base_name(&row.file).into();
        Name { text: text.into(), at, remark: remark.into(), ..Name::default() }.into()
    });
    fields.add(Column::exact("name", Kind::Text), |row, _| Cell::text(&row.name));
    fields.add(Column::exact("file", Kind::Text), |row, _| Cell::text(&row.file));
    let asynchronous = Column::exact("asynchronous", Kind::Text);
    fields.add(asynchronous, |row, _| Cell::Is(row.is_asynchronous));
    changes(&mut fields, "total", measure, |row| Some((row.total(), row.tag.sign())));
    changes(&mut fields, "self", measure, |row| row.self_time().map(|of| (of, of.tag(0.0).sign())));
    for (side, group) in ["base", "new"].into_iter().enumerate() {
        let titled = |key: &'static str| {
            Column::exact(key, Kind::Value).within(group).titled(format!("{group} {key}"))
        };
        fields.add(titled("count"), move |row, _| match row.counts()[side] {
            count if count.fract() == 0.0 => Cell::Count(count as u64),
            mean => Cell::maybe(serde_json::Number::from_f64(mean), Cell::Number),
        });
        for (key, figure) in FIGURES {
            let measure = Rc::clone(measure);
            fields.add(titled(key), move |row, _| {
                let figure = row.sides[side].as_ref().and_then(figure);
                Cell::maybe(figure, |value| Cell::value(value, &measure))
            });
        }
    }
    fields
}

/// How many, of one run: a mean may be no whole number.
fn count_text(count: f64) -> String {
    if count.fract() == 0.0 { session::count_text(count as u64) } else { format!("{count:.1}") }
}

fn stretch_fields<'a>(
    format: ReportFormat,
    measure: &Rc<Measure>,
    noise: f64,
) -> Fields<'a, StretchChange> {
    fn of(row: &StretchChange) -> Change {
        let [base, new] = row.values;
        Change { base, new }
    }
    let mut fields = Fields::<StretchChange>::new(format);
    let [base, new, by] = std::array::from_fn(|_| Rc::clone(measure));
    let value = |title: &'static str| Column::shown(title, Kind::Value);
    fields.add(value("base"), move |row, _| Cell::value(of(row).base, &base));
    fields.add(value("new"), move |row, _| Cell::value(of(row).new, &new));
    fields.add(Column::shown("change", Kind::Change), move |row, _| {
        Cell::change(of(row).difference(), &by)
    });
    fields.add(Column::shown("by", Kind::Change).wide(8), |row, _| growth(of(row)));
    fields.add(Column::shown("", Kind::Mark), move |row, _| Cell::text(of(row).tag(noise).sign()));
    fields.add(Column::shown("time", Kind::Name), |row, _| {
        let [begin, end] = row.times.map(time_text);
        Name { text: format!("{begin}..{end}").into(), ..Name::default() }.into()
    });
    for (key, side) in [("begin_ns", 0), ("end_ns", 1)] {
        let measure = nanoseconds();
        fields.add(Column::exact(key, Kind::Value), move |row, _| {
            Cell::value(row.times[side], &measure)
        });
    }
    changes(&mut fields, "value", measure, move |row| Some((of(row), of(row).tag(noise).sign())));
    fields
}

/// Both sides of a change and how they differ, for programs.
fn changes<'a, R: 'a>(
    fields: &mut Fields<'a, R>,
    group: &'static str,
    measure: &Rc<Measure>,
    of: impl Fn(&R) -> Option<(Change, &'static str)> + Copy + 'a,
) {
    for key in OF_CHANGE {
        let kind = if key == "tag" { Kind::Text } else { Kind::Value };
        let column = Column::exact(key, kind).within(group).titled(format!("{group} {key}"));
        let measure = Rc::clone(measure);
        fields.add(column, move |row, _| {
            Cell::maybe(of(row), |(change, sign)| match key {
                "tag" => Cell::text(sign),
                _ => change_cell(key, change, change, &measure),
            })
        });
    }
}
