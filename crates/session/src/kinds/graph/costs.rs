//! Costs in the protocol's words.

use protocol::{CostCertainty, GraphCost};
use sdfg::cost::{Amount, AtMost, Certainty, Cost, Costs, Excess, Movement};
use sdfg::expr::{Bindings, Expr, Value};

/// Tells costs of a program where its symbols are as told.
#[derive(Clone, Copy)]
pub(super) struct Teller<'a> {
    pub(super) costs: &'a Costs,
    pub(super) at: &'a Bindings,
}

impl Teller<'_> {
    /// All costs of something.
    pub(super) fn of_cost(self, cost: &Cost, distinct: Option<&Amount>) -> Vec<GraphCost> {
        let AtMost { work, depth, moved } = cost.at_most;
        let per_byte = "operations/byte";
        let mut all = vec![
            self.of_expr("work", "operations", &cost.work, work),
            self.of_expr("movement", "bytes", &cost.moved, moved),
            self.quotient("intensity", per_byte, cost.intensity(), [work, moved]),
            self.of_expr("depth", "operations", &cost.depth, depth),
            self.quotient("parallelism", "", cost.parallelism(), [work, depth]),
        ];
        if let Some(Amount { bytes, excess }) = distinct {
            let intensity = Cost { moved: bytes.clone(), ..cost.clone() }.intensity();
            let name = "intensity of distinct";
            all.insert(2, self.of_expr("distinct", "bytes", bytes, *excess));
            all.insert(4, self.quotient(name, per_byte, intensity, [work, *excess]));
        }
        all
    }

    /// A cost that may be less for a reason.
    pub(super) fn of_expr(
        self,
        name: &str,
        unit: &str,
        expr: &Expr,
        excess: Option<Excess>,
    ) -> GraphCost {
        let certainty = self.costs.certainty(expr, excess);
        let (exact, value, mut notes) = match expr.evaluate(self.at) {
            Ok(value) => (Some(in_digits(value)), Some(value.to_f64()), vec![]),
            Err(error) => (None, None, vec![error.to_string()]),
        };
        notes.extend(excess.map(why));
        if certainty == Certainty::Unknown {
            notes.push("with a value for what is not known".to_owned());
        }
        GraphCost {
            name: name.to_owned(),
            unit: unit.to_owned(),
            expression: expr.to_string(),
            exact,
            value: value.filter(|value| value.is_finite()),
            certainty: match certainty {
                Certainty::Exact => CostCertainty::Exact,
                Certainty::AtMost(_) => CostCertainty::AtMost,
                Certainty::Unknown => CostCertainty::Unknown,
            },
            note: notes.join("; "),
        }
    }

    /// `above / below`.
    fn quotient(
        self,
        name: &str,
        unit: &str,
        made: Option<Expr>,
        [above, below]: [Option<Excess>; 2],
    ) -> GraphCost {
        let Some(expr) = made else { return unknown(name, unit, "nothing below the line") };
        // A bound below the line is none of the quotient.
        let Some(excess) = below else { return self.of_expr(name, unit, &expr, above) };
        let mut told = self.of_expr(name, unit, &expr, None);
        add_note(&mut told, &format!("of bounds: {excess}"));
        if told.certainty == CostCertainty::Exact {
            told.certainty = CostCertainty::Estimated;
        }
        told
    }

    /// What an edge moves, in bytes and elements.
    pub(super) fn movement(self, movement: &Movement) -> Vec<GraphCost> {
        let Movement { elements, bytes, excess, .. } = movement;
        let mut told = vec![
            self.of_expr("movement", "bytes", bytes, *excess),
            self.of_expr("movement", "elements", elements, *excess),
        ];
        if let Some(file) = &movement.declared_volume {
            told.push(self.of_expr("movement in the file", "elements", file, None));
        }
        told
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
        certainty: CostCertainty::Unknown,
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
        certainty: CostCertainty::Measured,
        note,
    }
}

/// Says of an exact cost that it may be less.
pub(super) fn limit(cost: &mut GraphCost, excess: Excess) {
    if cost.certainty == CostCertainty::Exact && cost.name != "memory" {
        cost.certainty = CostCertainty::AtMost;
        add_note(cost, &why(excess));
    }
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
