//! What is told of measured elements.

use std::sync::Arc;

use serde_json::Number;

use super::rows::Row;
use super::runs::MeasuredElement;
use crate::arguments::ReportFormat;
use crate::commands::sdfg::value::add_cost;
use crate::report::{Cell, Column, Fields, Kind};

impl Row<'_> {
    /// What people should know of the numbers.
    fn remark(&self) -> String {
        let mut told = vec![];
        if let Some(durations) = self.durations.filter(|durations| durations.count > 1) {
            let shown = |time: u64| session::quantity_text(time as f64, "nanoseconds");
            told.push(format!(
                "{} times, {} to {}, {} in the middle",
                durations.count,
                shown(durations.min),
                shown(durations.max),
                shown(durations.median)
            ));
        }
        for (total, unit) in [(&self.bytes, "bytes"), (&self.work, "operations")] {
            match total.number() {
                Some(number) => {
                    let shown = session::quantity_text(number, unit);
                    let certainty = total.certainty;
                    let certainty =
                        if certainty == "exact" { "" } else { &format!("{certainty} ") };
                    told.push(format!("{certainty}{shown}"));
                }
                None => {
                    let expression = total.cost.expression.as_deref();
                    told.push(format!("{} {unit}", expression.unwrap_or("unknown")));
                }
            }
        }
        told.join("; ")
    }
}

pub(super) fn fields<'a>(format: ReportFormat) -> Fields<'a, Row<'a>> {
    let number = |value: Option<u64>| Cell::maybe(value, Cell::Count);
    let exact = |value: &Option<Number>| Cell::maybe(value.clone(), Cell::Number);
    let mut fields = Fields::<Row<'_>>::new(format);
    fields.add(Column::exact("id", Kind::Text), |row, _| Cell::text(&row.of.id));
    fields.add(Column::exact("label", Kind::Text), |row, _| Cell::text(row.of.label));
    fields.add(Column::exact("kind", Kind::Text), |row, _| Cell::text(row.of.kind));
    fields.add(Column::exact("measured_time", Kind::Value), move |row, _| exact(&row.time));
    fields.add(Column::exact("count", Kind::Count), move |row, _| {
        number(row.durations.map(|all| all.count))
    });
    fields.add(Column::exact("min", Kind::Value), move |row, _| {
        number(row.durations.map(|all| all.min))
    });
    fields.add(Column::exact("median", Kind::Value), move |row, _| {
        number(row.durations.map(|all| all.median))
    });
    fields.add(Column::exact("max", Kind::Value), move |row, _| {
        number(row.durations.map(|all| all.max))
    });
    add_cost(&mut fields, ["work", "work", "work expression"], |row| &row.work.cost);
    fields
        .add(Column::exact("work_certainty", Kind::Text), |row, _| Cell::text(row.work.certainty));
    add_cost(&mut fields, ["bytes", "bytes", "bytes expression"], |row| &row.bytes.cost);
    fields.add(Column::exact("bytes_certainty", Kind::Text), |row, _| {
        Cell::text(row.bytes.certainty)
    });
    fields.add(Column::exact("bandwidth", Kind::Value), move |row, _| exact(&row.bandwidth));
    fields.add(Column::exact("rate", Kind::Value), move |row, _| exact(&row.rate));
    let counters = Column::exact("counters", Kind::Value).only(ReportFormat::Json);
    fields.add(counters, |row, _| {
        let record = |(name, value): &(Arc<str>, Number)| {
            vec![("name", Cell::text(name.to_string())), ("value", Cell::Number(value.clone()))]
        };
        Cell::Records(row.counters.iter().map(record).collect())
    });
    let shown = |value: &Option<Number>, unit: &str| {
        let text = |value| Cell::text(session::quantity_text(value, unit));
        Cell::maybe(value.as_ref().and_then(Number::as_f64), text)
    };
    fields.add(Column::shown("time", Kind::Value), move |row, _| shown(&row.time, "nanoseconds"));
    fields.add(Column::shown("bandwidth", Kind::Value).wide(12), move |row, _| {
        shown(&row.bandwidth, "bytes/second")
    });
    fields.add(Column::shown("rate", Kind::Value).wide(12), move |row, _| {
        shown(&row.rate, "operations/second")
    });
    fields.add(Column::shown("element", Kind::Name), |row, _| row.of.name(row.remark()));
    fields
}

/// A counter of an element.
pub(super) struct Counted<'a> {
    of: MeasuredElement<'a>,
    counter: Arc<str>,
    value: Number,
}

impl<'a> Counted<'a> {
    pub(super) fn all(row: &Row<'a>) -> Vec<Counted<'a>> {
        let counters = row.counters.iter().cloned();
        counters.map(|(counter, value)| Counted { of: row.of.clone(), counter, value }).collect()
    }
}

pub(super) fn counter_fields<'a>(format: ReportFormat) -> Fields<'a, Counted<'a>> {
    let mut fields = Fields::<Counted<'_>>::new(format);
    fields.add(Column::exact("id", Kind::Text), |row, _| Cell::text(&row.of.id));
    fields.add(Column::exact("counter", Kind::Text), |row, _| Cell::text(&*row.counter));
    fields.add(Column::exact("value", Kind::Value), |row, _| Cell::Number(row.value.clone()));
    fields.add(Column::shown("value", Kind::Value).wide(18), |row, _| {
        Cell::Number(row.value.clone())
    });
    fields.add(Column::shown("counter", Kind::Name), |row, _| row.of.name(row.counter.to_string()));
    fields
}
