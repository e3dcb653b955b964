//! The reports of what changed of what happened when.

use std::rc::Rc;

use anyhow::Result;
use session::{
    Change, ChangeOrder, ListKind, ListOptions, Metric, StretchChange, list, list_of, time_text,
};

use super::View;
use super::changes::{change_cell, change_kind, growth};
use crate::arguments::{DiffView, ReportFormat};
use crate::commands::notes::{tell_notes, view_warnings};
use crate::report::{
    After, Cell, Column, Fields, Head, Kind, Measure, Members, Name, Report, Sink, of_table, reader,
};

/// Stretches of time where no limit says how many.
const STRETCHES: usize = 40;

/// What is told of a change, beside its share.
const OF_CHANGE: [&str; 5] = ["tag", "base", "new", "difference", "ratio"];

impl View {
    /// The report of a view of time.
    pub(super) fn time_report(&self, view: DiffView, format: ReportFormat) -> Result<Report<'_>> {
        if view == DiffView::Spans { self.spans(format) } else { self.stretches(format) }
    }

    fn spans(&self, format: ReportFormat) -> Result<Report<'_>> {
        let sort = match self.order {
            ChangeOrder::Change => None,
            ChangeOrder::Own => Some("self.new"),
            ChangeOrder::Total => Some("total.new"),
            ChangeOrder::Name => Some("name"),
        };
        let options = ListOptions { sort, ..ListOptions::first(self.limit, reader(format)) };
        let document = &self.compared.document;
        let table = list(document, ListKind::SpanChanges, &self.options, &options)?;
        if format.is_rows() {
            tell_notes(&table.notes)?;
        }
        let of = list_of(ListKind::SpanChanges);
        let head = self.time_head(of.name, of.title, "time (nanoseconds)", &table.notes)?;
        Ok(of_table(head, table, format))
    }

    fn stretches(&self, format: ReportFormat) -> Result<Report<'_>> {
        let stretches = if self.limit == usize::MAX { STRETCHES } else { self.limit };
        let changes = self.compared.stretch_changes(&self.options, stretches)?;
        let measure = self.measure();
        let fields = stretch_fields(format, &measure, self.noise);
        let metric = self.compared.metrics[self.options.metric.index()].name.clone();
        let mut head = self.time_head("timeline", "by stretches of time", &metric, &[])?;
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

    fn time_head(
        &self,
        view: &'static str,
        shape: &str,
        metric: &str,
        notes: &[String],
    ) -> Result<Head> {
        let document = &self.compared.document;
        let unit = &self.compared.metrics[self.options.metric.index()].unit;
        let unit = if view == "spans" { "nanoseconds" } else { unit };
        let members = Members::default()
            .with("title", &document.title())?
            .with("metric", &metric)?
            .with("unit", &unit)?
            .with("warnings", &[&view_warnings(document, &self.options)?, notes].concat())?
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
    Measure::new(&Metric { unit: "nanoseconds".into(), ..Metric::default() })
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
        fields.add(Column::exact(key, Kind::Count), move |row, _| {
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
        let kind = change_kind(key, measure);
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
