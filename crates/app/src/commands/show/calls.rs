//! Callers and callees of functions.

use std::borrow::Cow;
use std::rc::Rc;

use anyhow::Result;
use session::{CallReport, Called, Filter, FilterKind, Metric, call_report, unmatched_filters};

use super::ReportRequest;
use super::functions::{estimated, program_fields};
use super::head::{MetricJson, Values, head};
use crate::arguments::ReportFormat;
use crate::report::{
    After, Cell, Column, Fields, Kind, Measure, Members, Name, Report, Row, Sink, Style,
};

/// Callers and callees of a function that people get to see.
const MOST_CALLS: usize = 8;

/// The report on all functions, or on those that match a pattern.
pub(super) fn report<'a>(
    asked: &'a ReportRequest<'a>,
    pattern: Option<&str>,
) -> Result<Report<'a>> {
    let (mut head, values) = head(asked, "call-graph", "call graph")?;
    let (calls, all) = call_report(asked.document, asked.options, pattern, asked.limit)?;
    // That of a formula's first metric: calls have no self.
    let base = asked.document.base_metric(asked.options.metric);
    let metric = asked.document.metrics().swap_remove(base.index());
    let is_derived = asked.document.is_derived(asked.options.metric);
    if calls.is_empty() {
        if let Some(pattern) = pattern {
            let name = Filter { kind: FilterKind::Focus, pattern: pattern.to_owned() };
            if !unmatched_filters(asked.document, &[name])?.is_empty() {
                anyhow::bail!("no function matches {}", session::visible(pattern));
            }
        }
        head.notes.push("the filters leave no function that matches".to_owned());
    }
    if is_derived {
        head.notes.push(format!("calls are in {}", metric.name));
    }
    let left_out = all - calls.len();
    let calls = Calls { calls, left_out, metric, is_derived };
    match asked.format {
        ReportFormat::Json => {
            let fields = json_fields(Rc::new(values), Measure::new(&calls.metric));
            let columns = fields.columns();
            let rows = move |sink: &mut Sink<'_>| calls.tell_all(&fields, sink);
            Ok(Report { head, columns, rows: Box::new(rows) })
        }
        ReportFormat::Csv | ReportFormat::Parquet => {
            let kinds = [
                ("caller", Kind::Text),
                ("callee", Kind::Text),
                ("value", Measure::new(&calls.metric).kind()),
                ("estimated", Kind::Flag),
            ];
            let columns = kinds.map(|(key, kind)| Column::exact(key, kind)).into();
            let is_estimated = asked.document.profile().origin.estimated_paths;
            let rows = move |sink: &mut Sink<'_>| calls.tell_edges(is_estimated, sink);
            Ok(Report { head, columns, rows: Box::new(rows) })
        }
        ReportFormat::Text | ReportFormat::Markdown => {
            let columns = vec![
                Column::shown("self", Kind::Value),
                Column::shown("self%", Kind::Share),
                Column::shown("total", Kind::Value),
                Column::shown("total%", Kind::Share),
                Column::shown("function", Kind::Name),
            ];
            let most = if pattern.is_some() { usize::MAX } else { MOST_CALLS };
            let rows = move |sink: &mut Sink<'_>| calls.tell_people(&values, most, sink);
            Ok(Report { head, columns, rows: Box::new(rows) })
        }
    }
}

fn json_fields(values: Rc<Values>, of_calls: Rc<Measure>) -> Fields<'static, CallReport> {
    let mut fields = Fields::new(ReportFormat::Json);
    fields.extend(|rows| program_fields(rows, &values), |report: &CallReport| &report.row);
    estimated(&mut fields, |report| report.row.is_estimated);
    let callers = Rc::clone(&of_calls);
    fields.add(Column::exact("callers", Kind::Text), move |report, _| {
        records(&report.callers, &callers)
    });
    fields.add(Column::exact("callees", Kind::Text), move |report, _| {
        records(&report.callees, &of_calls)
    });
    fields
}

fn records<'r>(calls: &'r [Called], measure: &Rc<Measure>) -> Cell<'r> {
    let record = |call: &'r Called| {
        vec![
            ("function", Cell::text(call.name.as_str())),
            ("file", Cell::text(call.file.as_str())),
            ("value", Cell::value(call.value, measure)),
        ]
    };
    Cell::Records(calls.iter().map(record).collect())
}

struct Calls {
    calls: Vec<CallReport>,
    /// Functions beyond the limit.
    left_out: usize,
    /// That of the values of calls.
    metric: Metric,
    is_derived: bool,
}

impl Calls {
    fn tell_all(self, fields: &Fields<'_, CallReport>, sink: &mut Sink<'_>) -> Result<After> {
        for report in &self.calls {
            sink(&fields.row(report, std::slice::from_ref(&report.row.name), 0))?;
        }
        let Metric { name, unit, .. } = &self.metric;
        let members = Members::default().with("calls_metric", &MetricJson { name, unit })?;
        Ok(After { members, ..After::default() })
    }

    fn tell_edges(self, is_estimated: bool, sink: &mut Sink<'_>) -> Result<After> {
        let measure = Measure::new(&self.metric);
        let mut edge = |caller: &str, callee: &str, value: i64| {
            let [caller, callee] = [caller, callee].map(Cell::text);
            let value = Cell::value(value, &measure);
            let cells = vec![caller, callee, value, Cell::holds(is_estimated)];
            sink(&Row { cells, ..Row::default() })
        };
        for report in &self.calls {
            for call in &report.callers {
                edge(&call.label, &report.row.label, call.value)?;
            }
            for call in &report.callees {
                edge(&report.row.label, &call.label, call.value)?;
            }
        }
        Ok(After::default())
    }

    fn tell_people(self, values: &Values, most: usize, sink: &mut Sink<'_>) -> Result<After> {
        let measure = Measure::new(&self.metric);
        for report in &self.calls {
            let row = &report.row;
            let whole = if self.is_derived { 0 } else { row.total_value };
            let around = Around { measure: &measure, whole, most };
            around.tell(&report.callers, ["  ↑ ", "callers"], sink)?;
            let [own, own_share] = values.both(row.self_value);
            let [total, total_share] = values.both(row.total_value);
            let name = Name { text: row.label.as_str().into(), ..Name::default() };
            let cells = vec![own, own_share, total, total_share, name.into()];
            sink(&Row { cells, depth: 0, style: Style::Strong })?;
            around.tell(&report.callees, ["  ↓ ", "callees"], sink)?;
            sink(&Row { style: Style::Gap, ..Row::default() })?;
        }
        Ok(After::left_out(self.left_out, "functions"))
    }
}

/// What stands around a function.
struct Around<'a> {
    measure: &'a Rc<Measure>,
    /// What shares are of: the function's total.
    whole: i64,
    most: usize,
}

impl Around<'_> {
    fn tell(
        &self,
        calls: &[Called],
        [arrow, word]: [&'static str; 2],
        sink: &mut Sink<'_>,
    ) -> std::io::Result<()> {
        let row = |value: Cell<'static>, share, lead, text, style| {
            let name = Name { lead: Cow::Borrowed(lead), text, ..Name::default() };
            let cells = vec![Cell::Nothing, Cell::Nothing, value, share, name.into()];
            Row { cells, depth: 0, style }
        };
        for call in calls.iter().take(self.most) {
            let value = Cell::value(call.value, self.measure);
            let share = Cell::Share(call.value, self.whole);
            sink(&row(value, share, arrow, call.label.as_str().into(), Style::Plain))?;
        }
        if calls.len() > self.most {
            let text = format!("… {} more {word}", calls.len() - self.most).into();
            sink(&row(Cell::Nothing, Cell::Nothing, "  ", text, Style::Faint))?;
        }
        Ok(())
    }
}
