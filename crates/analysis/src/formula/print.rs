//! From steps back to text.

use super::lexer::quoted_name;
use super::parser::{Node, Operator, Step, written_figure};
use super::{Input, Which};

/// How tightly a text holds together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Bond {
    Comparison,
    Sum,
    Product,
    Sign,
    Value,
}

/// The text of steps over inputs, each with its metric's name.
pub(super) fn print(nodes: &[Node], inputs: &[Input], names: &[String]) -> String {
    let mut stack: Vec<(String, Bond)> = vec![];
    let within = |(text, bond): (String, Bond), least: Bond| {
        if bond < least { format!("({text})") } else { text }
    };
    for node in nodes {
        let printed = match &node.step {
            Step::Number { number, unit } => {
                let unit = unit.as_ref().map(|(name, _)| format!(" {}", quoted_name(name)));
                (decimal(*number) + &unit.unwrap_or_default(), Bond::Value)
            }
            Step::Input(index) => {
                let name = quoted_name(&names[*index]);
                let text = match inputs[*index].which {
                    Which::Column => name,
                    Which::SelfValue => format!("self({name})"),
                    Which::Total => format!("total({name})"),
                };
                (text, Bond::Value)
            }
            Step::Negate => {
                let text = stack.pop().map(|value| within(value, Bond::Sign)).unwrap_or_default();
                (format!("-{text}"), Bond::Sign)
            }
            Step::Binary(operator) => {
                let (own, inner) = operator.bonds();
                let right = stack.pop().map(|value| within(value, inner)).unwrap_or_default();
                // Operators of one kind are taken from the left; comparisons are not chained.
                let left = if own == Bond::Comparison { inner } else { own };
                let mut text = stack.pop().map(|value| within(value, left)).unwrap_or_default();
                for part in [" ", operator.sign(), " ", &right] {
                    text.push_str(part);
                }
                (text, own)
            }
            Step::Call(function, arguments) => {
                let arguments = stack.split_off(stack.len().saturating_sub(*arguments));
                let texts: Vec<String> = arguments.into_iter().map(|(text, _)| text).collect();
                (format!("{}({})", function.name(), texts.join(", ")), Bond::Value)
            }
            Step::PartsBegin(_) => continue,
            Step::PartsEnd(figure) => {
                let (text, _) = stack.pop().unwrap_or_else(|| (String::new(), Bond::Value));
                (written_figure(*figure, &text), Bond::Value)
            }
        };
        stack.push(printed);
    }
    stack.pop().map(|(text, _)| text).unwrap_or_default()
}

impl Operator {
    /// How tightly its text holds together, and the next tighter.
    fn bonds(self) -> (Bond, Bond) {
        match self {
            Operator::Add | Operator::Subtract => (Bond::Sum, Bond::Product),
            Operator::Multiply | Operator::Divide => (Bond::Product, Bond::Sign),
            _ => (Bond::Comparison, Bond::Sum),
        }
    }
}

/// A number that reads as the same one.
fn decimal(number: f64) -> String {
    match number {
        0.0 => "0".to_owned(),
        1e-5..1e16 => number.to_string(),
        _ => format!("{number:e}"),
    }
}
