//! The unit of a formula, and whether its units go together.

use super::parser::{Function, Node, Operator, Step};
use super::unit::Unit;
use super::{FormulaError, Problem};
use crate::statistics::Figure;

/// What is known of a step's answer.
struct Kind {
    unit: Unit,
    /// Whether it is the number 0, which has any unit.
    is_zero: bool,
}

/// The unit of what the steps give, by those of the inputs.
pub(super) fn unit(nodes: &[Node], inputs: &[Unit]) -> Result<Unit, FormulaError> {
    let mut stack: Vec<Kind> = vec![];
    for node in nodes {
        let arguments = match node.step {
            Step::Number { .. } | Step::Input(_) | Step::PartsBegin(_) => 0,
            Step::Negate | Step::PartsEnd(_) => 1,
            Step::Binary(_) => 2,
            Step::Call(_, arguments) => arguments,
        };
        let arguments = stack.split_off(stack.len().saturating_sub(arguments));
        let is_zero = match &node.step {
            Step::Number { number, unit } => *number == 0.0 && unit.is_none(),
            Step::Negate => arguments.iter().all(|argument| argument.is_zero),
            _ => false,
        };
        let unit = match &node.step {
            Step::PartsBegin(_) => continue,
            Step::Number { unit, .. } => {
                unit.as_ref().map(|(name, _)| Unit::of_number(name).0).unwrap_or_default()
            }
            Step::Input(index) => inputs[*index].clone(),
            Step::PartsEnd(Figure::Count) => Unit::of_number("count").0,
            Step::Negate | Step::PartsEnd(_) => common(node, "", arguments)?,
            Step::Binary(operator) => match operator {
                Operator::Add => common(node, "added", arguments)?,
                Operator::Subtract => common(node, "subtracted", arguments)?,
                Operator::Multiply => fold(arguments, |unit, other| unit.times(other)),
                Operator::Divide => fold(arguments, |unit, other| unit.per(other)),
                _ => {
                    common(node, "compared", arguments)?;
                    Unit::default()
                }
            },
            Step::Call(function, _) => match function {
                Function::Min | Function::Max | Function::Abs => {
                    common(node, "compared", arguments)?
                }
                Function::Ratio | Function::PerThousand => {
                    common(node, "put in a ratio of two metrics that measure the same", arguments)?;
                    Unit::default()
                }
            },
        };
        stack.push(Kind { unit, is_zero });
    }
    Ok(stack.pop().map(|kind| kind.unit).unwrap_or_default())
}

fn fold(arguments: Vec<Kind>, combine: impl Fn(Unit, &Unit) -> Unit) -> Unit {
    let mut units = arguments.into_iter().map(|argument| argument.unit);
    let first = units.next().unwrap_or_default();
    units.fold(first, |unit, other| combine(unit, &other))
}

/// The unit of all arguments, which must measure the same.
fn common(node: &Node, action: &'static str, arguments: Vec<Kind>) -> Result<Unit, FormulaError> {
    let mut units = arguments.into_iter().filter(|kind| !kind.is_zero).map(|kind| kind.unit);
    let Some(first) = units.next() else { return Ok(Unit::default()) };
    units.try_fold(first, Unit::common).map_err(|(left, right)| FormulaError {
        place: node.place.clone(),
        problem: Problem::Units {
            action,
            left: left.described(),
            right: right.described(),
            bare: left.is_ratio() || right.is_ratio(),
        },
    })
}
