//! What costs are, as expressions and as numbers.

use std::borrow::Cow;
use std::collections::BTreeSet;

use sdfg::cost::Costs;
use sdfg::expr::{Bindings, Expr, Value};
use serde::Serialize;
use serde_json::Number;

use crate::arguments::ReportFormat;
use crate::report::{Cell, Column, Fields, Kind, Name};

/// A cost; `value` is none where a symbol is unset, or where there is none, such as behind a
/// division by 0. JSON has it in this shape.
#[derive(Debug, Clone, Default, Serialize)]
pub(super) struct CostValue {
    pub(super) expression: Option<String>,
    pub(super) value: Option<Number>,
}

impl CostValue {
    pub(super) fn new(expr: Option<&Expr>, at: &Bindings) -> CostValue {
        let Some(expr) = expr else { return CostValue::default() };
        let value = expr.evaluate(at).ok().and_then(|value| {
            let whole = value.to_integer().and_then(Number::from_i128);
            whole.or_else(|| Number::from_f64(Value::to_f64(value)))
        });
        CostValue { expression: Some(expr.to_string()), value }
    }

    pub(super) fn number(&self) -> Option<f64> {
        self.value.as_ref().and_then(Number::as_f64)
    }

    /// What is not known is taken for the largest.
    pub(super) fn order(&self) -> f64 {
        self.number().unwrap_or(f64::INFINITY)
    }

    /// The number, for people and spreadsheets.
    pub(super) fn cell(&self) -> Cell<'_> {
        Cell::maybe(self.value.clone(), Cell::Number)
    }

    fn record(&self) -> Cell<'_> {
        let expression = Cell::maybe(self.expression.as_deref(), Cell::text);
        Cell::Record(vec![("expression", expression), ("value", self.cell())])
    }

    /// `= 16*N`, where the number does not say it.
    pub(super) fn formula(&self) -> String {
        match (&self.value, &self.expression) {
            (Some(value), Some(expression)) if *expression == value.to_string() => String::new(),
            (_, Some(expression)) => format!("= {expression}"),
            (None, None) => "has no value".to_owned(),
            (Some(_), None) => String::new(),
        }
    }

    /// The number, or what it depends on.
    pub(super) fn shown(&self) -> Cow<'_, str> {
        match (&self.value, &self.expression) {
            (Some(_), _) => self.cell().shown().into(),
            (None, Some(expression)) => expression.into(),
            (None, None) => "-".into(),
        }
    }
}

/// Columns of a cost for programs: an object in JSON, two columns in CSV.
pub(super) fn add_cost<'a, R: 'a>(
    fields: &mut Fields<'a, R>,
    key: [&'static str; 3],
    cost: fn(&R) -> &CostValue,
) {
    let [key, value, expression] = key;
    let json = Column::exact(key, Kind::Value).only(ReportFormat::Json);
    fields.add(json, move |row, _| cost(row).record());
    let csv = |key, kind| Column::exact(key, kind).only(ReportFormat::Csv);
    fields.add(csv(value, Kind::Value), move |row, _| cost(row).cell());
    fields.add(csv(expression, Kind::Text), move |row, _| {
        Cell::maybe(cost(row).expression.as_deref(), Cell::text)
    });
}

/// What a cost is of, with the formula and what else is to be said of it.
pub(super) fn named<'r>(
    name: &'r str,
    id: &'r str,
    cost: &CostValue,
    said: Option<&str>,
) -> Cell<'r> {
    let mut remark = cost.formula();
    if let Some(said) = said {
        remark.push_str(&format!(" ({said})"));
    }
    Name { text: name.into(), at: id.into(), remark: remark.into(), ..Name::default() }.into()
}

/// What totals, edges and nodes depend on.
pub(super) fn free_symbols(costs: &Costs) -> BTreeSet<&str> {
    let mut names = BTreeSet::new();
    for cost in std::iter::once(&costs.total).chain(costs.nodes.iter().flatten()) {
        for part in [&cost.work, &cost.depth, &cost.moved] {
            names.extend(part.symbols());
        }
    }
    names.extend(costs.distinct.total.bytes.symbols());
    for movement in costs.edges.iter().flatten().flatten() {
        names.extend(movement.elements.symbols());
    }
    names
}
