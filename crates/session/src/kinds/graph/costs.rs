//! Costs in the protocol's words.

use protocol::GraphCost;
use sdfg::cost::{Amount, AtMost, Cost, Excess, Movement};
use sdfg::expr::{Bindings, Expr, Value};

/// All costs of something.
pub(super) fn of_cost(cost: &Cost, distinct: Option<&Amount>, at: &Bindings) -> Vec<GraphCost> {
    let quotient = |name: &str, unit: &str, made: Option<Expr>| match made {
        Some(expr) => of_expr(name, unit, &expr, at),
        None => unknown(name, unit, "nothing below the line"),
    };
    let AtMost { work, depth, moved } = cost.at_most;
    let with = |mut told: GraphCost, excess: Option<Excess>| {
        if let Some(excess) = excess {
            add_note(&mut told, &why(excess));
        }
        told
    };
    let of_two =
        |told: GraphCost, above: Option<Excess>, below: Option<Excess>| match (above, below) {
            (None, None) => told,
            (Some(excess), None) => with(told, Some(excess)),
            // A bound below the line is none of the quotient.
            (_, Some(excess)) => {
                let mut told = told;
                add_note(&mut told, &format!("of bounds: {excess}"));
                told
            }
        };
    let mut all = vec![
        with(of_expr("work", "operations", &cost.work, at), work),
        with(of_expr("movement", "bytes", &cost.moved, at), moved),
        of_two(quotient("intensity", "operations/byte", cost.intensity()), work, moved),
        with(of_expr("depth", "operations", &cost.depth, at), depth),
        of_two(quotient("parallelism", "", cost.parallelism()), work, depth),
    ];
    if let Some(distinct) = distinct {
        let once = with(of_expr("distinct", "bytes", &distinct.bytes, at), distinct.excess);
        let intensity = Cost { moved: distinct.bytes.clone(), ..cost.clone() }.intensity();
        let most = quotient("intensity of distinct", "operations/byte", intensity);
        all.insert(2, once);
        all.insert(4, of_two(most, work, distinct.excess));
    }
    all
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
            add_note(cost, &why(excess));
        }
    }
    if let Some(file) = &movement.told {
        let elements = of_expr("movement in the file", "elements", file, at);
        told.push(elements);
    }
    told
}

fn add_note(cost: &mut GraphCost, note: &str) {
    if !cost.note.is_empty() {
        cost.note.push_str("; ");
    }
    cost.note.push_str(note);
}

/// Why a cost may be more than a run needs.
fn why(excess: Excess) -> String {
    match excess {
        Excess::Unbounded => excess.to_string(),
        _ => format!("at most: {excess}"),
    }
}

fn in_digits(value: Value) -> String {
    match value {
        Value::Exact(number) => number.to_string(),
        Value::About(number) => format!("about {number}"),
    }
}
