//! Costs in the protocol's words.

use protocol::GraphCost;
use sdfg::cost::{Cost, Excess, Movement};
use sdfg::expr::{Bindings, Expr, Value};

/// All costs of something.
pub(super) fn of_cost(cost: &Cost, at: &Bindings) -> Vec<GraphCost> {
    let quotient = |name: &str, unit: &str, made: Option<Expr>| match made {
        Some(expr) => of_expr(name, unit, &expr, at),
        None => unknown(name, unit, "nothing below the line"),
    };
    let mut work = of_expr("work", "operations", &cost.work, at);
    if cost.has_partial_tiles {
        add_note(&mut work, why(Excess::PartialTiles));
    }
    vec![
        work,
        of_expr("movement", "bytes", &cost.moved, at),
        quotient("intensity", "operations/byte", cost.intensity()),
        of_expr("depth", "operations", &cost.depth, at),
        quotient("parallelism", "", cost.parallelism()),
    ]
}

/// A cost.
pub(super) fn of_expr(name: &str, unit: &str, expr: &Expr, at: &Bindings) -> GraphCost {
    let (exact, value, note) = match expr.evaluate(at) {
        Ok(value) => (Some(in_digits(value)), Some(value.to_f64()), String::new()),
        Err(error) => (None, None, error.to_string()),
    };
    GraphCost {
        name: name.to_owned(),
        unit: unit.to_owned(),
        expression: expr.to_string(),
        exact,
        value: value.filter(|value| value.is_finite()),
        note,
    }
}

/// A cost that there is none of.
pub(super) fn unknown(name: &str, unit: &str, note: &str) -> GraphCost {
    GraphCost {
        name: name.to_owned(),
        unit: unit.to_owned(),
        expression: String::new(),
        exact: None,
        value: None,
        note: note.to_owned(),
    }
}

/// What was measured.
pub(super) fn measured(name: &str, unit: &str, value: f64, note: String) -> GraphCost {
    GraphCost {
        name: name.to_owned(),
        unit: unit.to_owned(),
        expression: String::new(),
        exact: Some(value.to_string()),
        value: Some(value),
        note,
    }
}

/// What an edge moves, in bytes and elements.
pub(super) fn movement(movement: &Movement, at: &Bindings) -> Vec<GraphCost> {
    let mut told = vec![
        of_expr("movement", "bytes", &movement.bytes, at),
        of_expr("movement", "elements", &movement.elements, at),
    ];
    if let Some(excess) = movement.excess {
        for cost in &mut told {
            add_note(cost, why(excess));
        }
    }
    told
}

fn add_note(cost: &mut GraphCost, note: &str) {
    if !cost.note.is_empty() {
        cost.note.push_str("; ");
    }
    cost.note.push_str(note);
}

/// Why a volume may be more than what moves.
fn why(excess: Excess) -> &'static str {
    match excess {
        Excess::DataDecides => "at most: data decides how much moves",
        Excess::Unbounded => "data decides how much moves, and nothing bounds it",
        Excess::PartialTiles => "at most: partial tiles count as whole ones",
    }
}

fn in_digits(value: Value) -> String {
    match value {
        Value::Exact(number) => number.to_string(),
        Value::About(number) => format!("about {number}"),
    }
}
