//! A formula as it was parsed.

use std::fmt::{self, Display};

use profile::{Metric, MetricId};

use super::error::FormulaError;
use super::parser::{Node, Operator, Step};
use super::unit::{Scale, Unit};
use super::{check, degree, evaluate, parser, print};
use crate::statistics::{Figure, Times};

/// A formula that fits the metrics it was made for.
#[derive(Debug, Clone, PartialEq)]
pub struct Formula {
    nodes: Vec<Node>,
    inputs: Vec<Input>,
    /// How the values of each input become those of its unit.
    scales: Vec<Scale>,
    names: Vec<String>,
    unit: Unit,
    /// Whether it only adds and subtracts inputs of one scale.
    is_linear: bool,
}

/// A value that a formula asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Input {
    /// The metric.
    pub metric: MetricId,
    /// Which of its values.
    pub which: Which,
}

/// Which value of a metric.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Which {
    /// That of the column in which the formula stands.
    Column,
    /// Self, always.
    SelfValue,
    /// Total, always.
    Total,
}

/// What is said of two metrics that are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OfTwo {
    /// New less base.
    Change,
    /// New over base.
    Ratio,
}

impl Formula {
    /// How long the text of a formula may be, in bytes.
    pub const MAX_BYTES: usize = 1 << 16;

    /// How many numbers, names, operators and brackets it may have.
    pub const MAX_TOKENS: usize = 1000;

    /// How deep brackets may be nested.
    pub const MAX_DEPTH: usize = 64;

    /// Whether it tells how something changes from part to part: below 0 it falls.
    pub fn is_change(&self) -> bool {
        let last = self.nodes.last().map(|node| &node.step);
        matches!(last, Some(Step::PartsEnd(Figure::Slope | Figure::Rise)))
    }

    /// Whether its values of parts may cancel each other: those of changes and of differences.
    pub fn may_cancel(&self) -> bool {
        let takes_away =
            |node: &Node| matches!(node.step, Step::Negate | Step::Binary(Operator::Subtract));
        self.is_change() || (self.is_linear && self.nodes.iter().any(takes_away))
    }

    /// Compiles the text of a formula over `metrics`, and checks its units.
    pub fn new(text: &str, metrics: &[Metric]) -> Result<Formula, FormulaError> {
        let (nodes, inputs) = parser::parse(text, metrics)?;
        Formula::of(nodes, inputs, metrics)
    }

    /// What two columns of a comparison come to: the second less, or over, the first. No name becomes
    /// text, so that names may be as long and as odd as they like.
    pub(crate) fn of_two(
        how: OfTwo,
        [base, new]: [MetricId; 2],
        metrics: &[Metric],
    ) -> Result<Formula, FormulaError> {
        let inputs = vec![
            Input { metric: new, which: Which::Column },
            Input { metric: base, which: Which::Column },
        ];
        let operator = match how {
            OfTwo::Change => Operator::Subtract,
            OfTwo::Ratio => Operator::Divide,
        };
        let steps = [Step::Input(0), Step::Input(1), Step::Binary(operator)];
        let nodes = steps.map(|step| Node { step, place: 0..0 }).to_vec();
        Formula::of(nodes, inputs, metrics)
    }

    fn of(
        nodes: Vec<Node>,
        inputs: Vec<Input>,
        metrics: &[Metric],
    ) -> Result<Formula, FormulaError> {
        let of_inputs = || inputs.iter().map(|input| &metrics[input.metric.index()]);
        let (units, scales): (Vec<Unit>, Vec<Scale>) = of_inputs().map(Unit::new).unzip();
        let names = of_inputs().map(|metric| metric.name.clone()).collect();
        let unit = check::unit(&nodes, &units)?;
        let is_linear = evaluate::is_linear(&nodes) && scales.windows(2).all(|w| w[0] == w[1]);
        Ok(Formula { nodes, inputs, scales, names, unit, is_linear })
    }

    /// Its text over other metrics: `name` gives what each of its own is called there.
    pub fn text_over(&self, name: impl Fn(MetricId) -> String) -> String {
        let names: Vec<String> = self.inputs.iter().map(|input| name(input.metric)).collect();
        print::print(&self.nodes, &self.inputs, &names)
    }

    /// The unit of its values.
    pub fn unit(&self) -> &Unit {
        &self.unit
    }

    /// The values it asks for, each once, in the order in which [`Formula::evaluate`] takes them.
    pub fn inputs(&self) -> &[Input] {
        &self.inputs
    }

    /// The metrics it uses, in ascending order.
    pub fn metrics(&self) -> Vec<MetricId> {
        let mut metrics: Vec<MetricId> = self.inputs.iter().map(|input| input.metric).collect();
        metrics.sort_unstable();
        metrics.dedup();
        metrics
    }

    /// Whether it has a `mean_of` or the like, and so asks for the values of parts.
    pub fn needs_parts(&self) -> bool {
        self.nodes.iter().any(Node::needs_parts)
    }

    /// The power of a number of equal profiles with which its value grows when they become one, by
    /// that with which each input does: 1 where it doubles with two of them, 0 where it stays. None
    /// where there is no such power, as of `max(cpu - 5 ms, 0)`.
    pub fn degree(&self, of: impl Fn(&Input) -> i32) -> Option<i32> {
        let inputs: Vec<i32> = self.inputs.iter().map(of).collect();
        degree::degree(&self.nodes, &inputs)
    }

    /// Its value for a node, in [`Formula::unit`]; none if there is no value. Never infinite.
    ///
    /// `values` has the node's value of each input, as the profile has it (before
    /// [`Metric::decimals`]). `parts` has a row of such values for every part of the node, one
    /// after the other; empty unless [`Formula::needs_parts`]. What is missing has no value.
    /// `order` is that of the parts, for trends.
    pub fn evaluate(
        &self,
        values: &[Option<i64>],
        parts: &[Option<i64>],
        order: Option<&Times>,
    ) -> Option<f64> {
        let value = if self.is_linear {
            evaluate::linear(&self.nodes, &self.scales, values)
        } else {
            evaluate::evaluate(&self.nodes, &self.scales, values, parts, order)
        };
        // Adding zero takes the sign off a zero.
        value.map(|value| self.unit.shown(value) + 0.0).filter(|value| value.is_finite())
    }
}

/// Its text, with brackets and quotes only where they are needed: the same formula when compiled
/// again.
impl Display for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&print::print(&self.nodes, &self.inputs, &self.names))
    }
}
