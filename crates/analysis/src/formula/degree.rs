//! How a formula's value grows with those of its inputs.
//!
//! ```text
//! cpu / 2          twice the values, twice the result: of degree 1
//! misses / cycles  the same result: of degree 0
//! max(cpu - 5 ms, 0)   neither: of none
//! ```

use super::parser::{Function, Node, Operator, Step};
use crate::statistics::Figure;

/// How a step's answer grows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Growth {
    /// 0 stays 0.
    Zero,
    /// With this power of the inputs.
    Power(i32),
}

/// The power of a factor on the inputs that comes out as a factor; `inputs` has that with which each
/// of them grows itself. None where there is no such power. Figures over parts stay what they are
/// when there are more of them, but for their sum.
pub(super) fn degree(nodes: &[Node], inputs: &[i32]) -> Option<i32> {
    let mut stack: Vec<Growth> = vec![];
    let mut next = 0;
    while let Some(node) = nodes.get(next) {
        next += 1;
        let growth = match &node.step {
            Step::Number { number, .. } if *number == 0.0 => Growth::Zero,
            Step::Number { .. } => Growth::Power(0),
            Step::Input(index) => Growth::Power(*inputs.get(*index)?),
            Step::Negate => stack.pop()?,
            Step::Binary(operator) => {
                let (right, left) = (stack.pop()?, stack.pop()?);
                match operator {
                    Operator::Add | Operator::Subtract => common(left, right)?,
                    Operator::Multiply => product(left, right, i32::checked_add)?,
                    Operator::Divide => product(left, right, i32::checked_sub)?,
                    Operator::Less
                    | Operator::LessOrEqual
                    | Operator::Greater
                    | Operator::GreaterOrEqual
                    | Operator::Equal
                    | Operator::Unequal => common(left, right).map(|_| Growth::Power(0))?,
                }
            }
            Step::Call(function, arguments) => {
                let arguments = stack.split_off(stack.len().checked_sub(*arguments)?);
                match (function, &arguments[..]) {
                    (Function::Ratio | Function::PerThousand, &[of, to]) => {
                        product(of, to, i32::checked_sub)?
                    }
                    _ => arguments.into_iter().try_fold(Growth::Zero, common)?,
                }
            }
            Step::PartsBegin(end) => {
                next = end + 1;
                match nodes.get(*end)?.step {
                    Step::PartsEnd(Figure::Sum) => Growth::Power(1),
                    _ => Growth::Power(0),
                }
            }
            Step::PartsEnd(_) => return None,
        };
        stack.push(growth);
    }
    match stack.pop()? {
        Growth::Zero => Some(0),
        Growth::Power(power) => Some(power),
    }
}

/// Of what is added or compared.
fn common(one: Growth, other: Growth) -> Option<Growth> {
    match (one, other) {
        (Growth::Zero, known) | (known, Growth::Zero) => Some(known),
        (one, other) => (one == other).then_some(one),
    }
}

fn product(left: Growth, right: Growth, of: impl Fn(i32, i32) -> Option<i32>) -> Option<Growth> {
    match (left, right) {
        (Growth::Power(left), Growth::Power(right)) => of(left, right).map(Growth::Power),
        _ => Some(Growth::Zero),
    }
}
