//! What a formula gives.

use super::parser::{Function, Node, Operator, Step};
use super::unit::Scale;
use crate::statistics::Times;

/// Whether steps only add and subtract inputs.
pub(super) fn is_linear(nodes: &[Node]) -> bool {
    nodes.iter().all(|node| {
        matches!(
            node.step,
            Step::Input(_)
                | Step::Negate
                | Step::Binary(Operator::Add)
                | Step::Binary(Operator::Subtract)
        )
    })
}

/// The value of linear steps over inputs of one scale: exact up to the last step. At most
/// [`super::Formula::MAX_TOKENS`] values of 64 bits are far from the limit.
pub(super) fn linear(nodes: &[Node], scales: &[Scale], values: &[Option<i64>]) -> Option<f64> {
    let mut stack: Vec<i128> = vec![];
    for node in nodes {
        let value = match node.step {
            Step::Input(index) => i128::from(values.get(index).copied().flatten()?),
            Step::Negate => -stack.pop()?,
            Step::Binary(operator) => {
                let (right, left) = (stack.pop()?, stack.pop()?);
                if operator == Operator::Add { left + right } else { left - right }
            }
            _ => return None,
        };
        stack.push(value);
    }
    let value = stack.pop()? as f64;
    Some(scales.first()?.apply(value)).filter(|value| value.is_finite())
}

/// The value of steps in the scale of their units, without that of the formula's.
pub(super) fn evaluate(
    nodes: &[Node],
    scales: &[Scale],
    values: &[Option<i64>],
    parts: &[Option<i64>],
    order: Option<&Times>,
) -> Option<f64> {
    let mut stack: Vec<Option<f64>> = vec![];
    let mut next = 0;
    while let Some(node) = nodes.get(next) {
        next += 1;
        let value = match &node.step {
            Step::Number { number, unit } => {
                Some(number * unit.as_ref().map_or(1.0, |(_, size)| *size))
            }
            Step::Input(index) => {
                let value = values.get(*index).copied().flatten();
                value.map(|value| scales[*index].apply(value as f64))
            }
            Step::Negate => stack.pop()?.map(|value| -value),
            Step::Binary(operator) => {
                let (right, left) = (stack.pop()?, stack.pop()?);
                left.zip(right).map(|(left, right)| operator.apply(left, right))
            }
            Step::Call(function, arguments) => {
                let arguments = stack.split_off(stack.len().checked_sub(*arguments)?);
                let known: Option<Vec<f64>> = arguments.into_iter().collect();
                known.and_then(|known| function.apply(&known))
            }
            Step::PartsBegin(end) => {
                let inner = &nodes[next..*end];
                next = *end;
                let rows = parts.chunks_exact(scales.len().max(1));
                let values: Vec<Option<f64>> =
                    rows.map(|row| evaluate(inner, scales, row, &[], None)).collect();
                match nodes.get(*end).map(|node| &node.step) {
                    Some(Step::PartsEnd(figure)) => figure.of(&values, order),
                    _ => None,
                }
            }
            // Stands after the steps that were worked out from its beginning.
            Step::PartsEnd(_) => continue,
        };
        stack.push(value.filter(|value| value.is_finite()));
    }
    stack.pop()?
}

impl Operator {
    /// Not finite where there is no value.
    fn apply(self, left: f64, right: f64) -> f64 {
        let truth = |holds: bool| f64::from(u8::from(holds));
        match self {
            Operator::Less => truth(left < right),
            Operator::LessOrEqual => truth(left <= right),
            Operator::Greater => truth(left > right),
            Operator::GreaterOrEqual => truth(left >= right),
            Operator::Equal => truth(left == right),
            Operator::Unequal => truth(left != right),
            Operator::Add => left + right,
            Operator::Subtract => left - right,
            Operator::Multiply => left * right,
            Operator::Divide => left / right,
        }
    }
}

impl Function {
    fn apply(self, arguments: &[f64]) -> Option<f64> {
        match (self, arguments) {
            (Function::Min, values) => values.iter().copied().reduce(f64::min),
            (Function::Max, values) => values.iter().copied().reduce(f64::max),
            (Function::Abs, [value]) => Some(value.abs()),
            (Function::Ratio, [of, to]) => Some(of / to),
            (Function::PerThousand, [of, to]) => Some(1000.0 * of / to),
            _ => None,
        }
    }
}
