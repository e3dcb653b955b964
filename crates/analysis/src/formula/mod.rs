//! Formulas: metrics that are worked out from others.
//!
//! ```text
//! formula    = sum [("<" | "<=" | ">" | ">=" | "==" | "!=") sum]      1 if it holds, else 0
//! sum        = product {("+" | "-") product}
//! product    = signed {("*" | "/") signed}
//! signed     = {"-"} value
//! value      = number [unit] | name | "(" formula ")" | function "(" formula {"," formula} ")"
//! name       = letters, digits and _, not beginning with a digit; or anything between two ` or two "
//!              (where a backslash takes the next character as it is)
//! ```
//! | function | what it is |
//! |---|---|
//! | `min(a, b, ..)`, `max(a, b, ..)` | the smallest, the largest |
//! | `abs(a)` | without its sign |
//! | `ratio(a, b)` | `a / b`, of two that measure the same |
//! | `per_thousand(a, b)` | `1000 * ratio(a, b)`, such as misses per thousand instructions |
//! | `self(metric)`, `total(metric)` | the self, the total value, whichever column the formula stands in |
//! | `mean_of(a)`, `sum_of(a)`, `min_of(a)`, `max_of(a)`, `median_of(a)` | of `a` over the parts of a node: the members of a profile |
//! | `deviation_of(a)`, `percentile_of(a, 95)` | its standard deviation, its percentile over the parts |
//! | `first_of(a)`, `last_of(a)` | that of the first, of the last part |
//! | `count_of(a)` | in how many parts `a` is not 0 |
//! | `slope_of(a)`, `rise_of(a)` | its change from part to part; the same, but 0 where it may be chance, see [`crate::statistics::Figure`] |
//!
//! **Of sums, not of parts.** A formula is worked out from the values of a node as it is shown,
//! summed over all that it stands for: `instructions / cycles` is the ratio of the totals, in which
//! long parts weigh more. `mean_of(instructions / cycles)` works it out for each part (member)
//! alone and takes the mean over those where it has a value, in which all weigh
//! the same.
//!
//! **Units** are carried along. Times, and sizes, are brought to one unit, so that milliseconds can
//! be added to seconds; bytes cannot, nor can a bare number, unless it is 0: `time > 5 ms`,
//! `max(time - waiting, 0)`. The unit of a number is a time, a size, a count, or part of the unit
//! of a metric. Counts have a name but no dimension: `cycles / instructions` of two counts is a
//! ratio, `misses * 64 bytes` is in bytes. See [`Unit`].
//!
//! **No value** is an answer: of a division by zero, of anything that is not a finite number, and of
//! whatever contains them or a metric that has no value.
//!
//! **Precision.** Values are 64-bit floats: whole numbers up to 2^53 are exact. A formula that only
//! adds and subtracts metrics of one unit is exact to all 64 bits, and rounded once at the end.

mod check;
mod degree;
mod error;
mod evaluate;
mod lexer;
mod nearest;
mod parser;
mod print;
mod unit;

use std::fmt::{self, Display};

use profile::{Metric, MetricId};

use crate::statistics::{Figure, Times};

use parser::{Node, Operator, Step};
use unit::Scale;

pub use error::{FormulaError, Problem};
pub use lexer::quoted_name as quoted;
pub use unit::{Unit, quantity_of};

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
        let (units, scales): (Vec<Unit>, Vec<Scale>) = of_inputs().map(Unit::of).unzip();
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
