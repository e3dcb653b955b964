//! From tokens to steps in the order in which they are worked out.

use std::ops::Range;

use profile::{Metric, MetricId};

use crate::statistics::Figure;

use super::lexer::{Token, quoted_name, tokens};
use super::nearest::nearest;
use super::unit::Unit;
use super::{Formula, FormulaError, Input, Problem, Which};

/// A step, which takes the answers of the steps before it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Node {
    pub(super) step: Step,
    /// Where it stands in the text.
    pub(super) place: Range<usize>,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Step {
    /// A number as it is written, its unit if it has one, and how large that is.
    Number {
        number: f64,
        unit: Option<(String, f64)>,
    },
    Input(usize),
    Negate,
    Binary(Operator),
    /// A function with its number of arguments.
    Call(Function, usize),
    /// Before the steps that are worked out for every part; the index of their
    /// [`Step::PartsEnd`].
    PartsBegin(usize),
    /// What is said of the values of all parts.
    PartsEnd(Figure),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operator {
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Equal,
    Unequal,
    Add,
    Subtract,
    Multiply,
    Divide,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Function {
    Min,
    Max,
    Abs,
    Ratio,
    PerThousand,
}

impl Node {
    pub(super) fn needs_parts(&self) -> bool {
        matches!(self.step, Step::PartsEnd(_))
    }
}

impl Operator {
    const COMPARISONS: [Operator; 6] = [
        Operator::LessOrEqual,
        Operator::GreaterOrEqual,
        Operator::Equal,
        Operator::Unequal,
        Operator::Less,
        Operator::Greater,
    ];
    const SUMS: [Operator; 2] = [Operator::Add, Operator::Subtract];
    const PRODUCTS: [Operator; 2] = [Operator::Multiply, Operator::Divide];

    pub(super) fn sign(self) -> &'static str {
        match self {
            Operator::Less => "<",
            Operator::LessOrEqual => "<=",
            Operator::Greater => ">",
            Operator::GreaterOrEqual => ">=",
            Operator::Equal => "==",
            Operator::Unequal => "!=",
            Operator::Add => "+",
            Operator::Subtract => "-",
            Operator::Multiply => "*",
            Operator::Divide => "/",
        }
    }
}

impl Function {
    const ALL: [Function; 5] =
        [Function::Min, Function::Max, Function::Abs, Function::Ratio, Function::PerThousand];

    pub(super) fn name(self) -> &'static str {
        match self {
            Function::Min => "min",
            Function::Max => "max",
            Function::Abs => "abs",
            Function::Ratio => "ratio",
            Function::PerThousand => "per_thousand",
        }
    }

    fn takes(self, arguments: usize) -> bool {
        match self {
            Function::Min | Function::Max => true,
            Function::Abs => arguments == 1,
            Function::Ratio | Function::PerThousand => arguments == 2,
        }
    }

    fn arguments(self) -> &'static str {
        match self {
            Function::Min | Function::Max => "one or more",
            Function::Abs => "one",
            Function::Ratio | Function::PerThousand => "two: of what, to what",
        }
    }
}

/// The functions over parts; the percentage of the percentile is its second argument.
const FIGURES: [(&str, Figure); 12] = [
    ("sum_of", Figure::Sum),
    ("mean_of", Figure::Mean),
    ("min_of", Figure::Min),
    ("max_of", Figure::Max),
    ("median_of", Figure::Median),
    ("deviation_of", Figure::Deviation),
    ("percentile_of", Figure::Percentile(50.0)),
    ("first_of", Figure::First),
    ("last_of", Figure::Last),
    ("count_of", Figure::Count),
    ("slope_of", Figure::Slope),
    ("rise_of", Figure::Rise),
];

fn figure_named(name: &str) -> Option<Figure> {
    FIGURES.into_iter().find(|(known, _)| *known == name).map(|(_, figure)| figure)
}

/// A call of a function over parts, around the text of what it is of.
pub(super) fn written_figure(figure: Figure, of: &str) -> String {
    let same = |known: &Figure| std::mem::discriminant(known) == std::mem::discriminant(&figure);
    let name = FIGURES.into_iter().find(|(_, known)| same(known)).map_or("", |(name, _)| name);
    match figure {
        Figure::Percentile(percent) => format!("{name}({of}, {percent})"),
        _ => format!("{name}({of})"),
    }
}

/// The steps of a formula and the inputs they name.
pub(super) fn parse(
    text: &str,
    metrics: &[Metric],
) -> Result<(Vec<Node>, Vec<Input>), FormulaError> {
    let tokens = tokens(text)?;
    if tokens.len() == 1 {
        return Err(FormulaError { place: 0..text.len(), problem: Problem::Empty });
    }
    let mut parser = Parser {
        metrics,
        tokens,
        next: 0,
        nodes: vec![],
        inputs: vec![],
        depth: 0,
        in_parts: false,
    };
    parser.formula()?;
    match parser.peek() {
        Token::End => Ok((parser.nodes, parser.inputs)),
        _ => Err(parser.expected("an operator or the end")),
    }
}

struct Parser<'a> {
    metrics: &'a [Metric],
    tokens: Vec<(Token, Range<usize>)>,
    next: usize,
    nodes: Vec<Node>,
    inputs: Vec<Input>,
    depth: usize,
    in_parts: bool,
}

type Parsed<T = ()> = Result<T, FormulaError>;

impl Parser<'_> {
    fn formula(&mut self) -> Parsed {
        self.sum()?;
        if let Some((operator, place)) = self.operator(&Operator::COMPARISONS) {
            self.sum()?;
            self.push(Step::Binary(operator), place);
            if let Some((_, place)) = self.operator(&Operator::COMPARISONS) {
                return Err(FormulaError { place, problem: Problem::Chain });
            }
        }
        Ok(())
    }

    fn sum(&mut self) -> Parsed {
        self.product()?;
        while let Some((operator, place)) = self.operator(&Operator::SUMS) {
            self.product()?;
            self.push(Step::Binary(operator), place);
        }
        Ok(())
    }

    fn product(&mut self) -> Parsed {
        self.signed()?;
        while let Some((operator, place)) = self.operator(&Operator::PRODUCTS) {
            self.signed()?;
            self.push(Step::Binary(operator), place);
        }
        Ok(())
    }

    fn signed(&mut self) -> Parsed {
        let mut signs = vec![];
        while let Some((_, place)) = self.operator(&[Operator::Subtract]) {
            signs.push(place);
        }
        self.value()?;
        while let Some(place) = signs.pop() {
            self.push(Step::Negate, place);
        }
        Ok(())
    }

    fn value(&mut self) -> Parsed {
        let (token, place) = self.tokens[self.next].clone();
        match token {
            Token::Number(number) => {
                self.next += 1;
                self.number(number, place)
            }
            Token::Name { text, quoted } => {
                self.next += 1;
                if !quoted && *self.peek() == Token::Sign("(") {
                    return self.call(&text, place);
                }
                self.metric(&text, Which::Column, place)
            }
            Token::Sign("(") => {
                self.open()?;
                self.formula()?;
                self.close()
            }
            _ => Err(self.expected("a number, a metric, a function or a bracket")),
        }
    }

    fn number(&mut self, number: f64, mut place: Range<usize>) -> Parsed {
        let mut unit = None;
        if let (Token::Name { text, .. }, at) = self.tokens[self.next].clone() {
            let (known, size) = Unit::of_number(&text);
            if !known.is_known(self.metrics) {
                let problem = Problem::UnknownUnit(text);
                return Err(FormulaError { place: at, problem });
            }
            unit = Some((text, size));
            place.end = at.end;
            self.next += 1;
        }
        self.push(Step::Number { number, unit }, place);
        Ok(())
    }

    fn metric(&mut self, name: &str, which: Which, place: Range<usize>) -> Parsed {
        let metrics = self.metrics;
        let named =
            metrics.iter().zip((0..).map(MetricId)).filter(|(metric, _)| metric.name == name);
        let mut named = named.map(|(_, id)| id);
        let first = named.next();
        let (metric, problem) = match (first, named.count()) {
            (Some(metric), 0) => (metric, None),
            (Some(_), others) => {
                let name = name.to_owned();
                (MetricId(0), Some(Problem::AmbiguousMetric { name, count: others + 1 }))
            }
            (None, _) => {
                let near = nearest(name, metrics.iter().map(|metric| metric.name.as_str()));
                let nearest = near.into_iter().map(quoted_name).collect();
                (MetricId(0), Some(Problem::UnknownMetric { name: name.to_owned(), nearest }))
            }
        };
        if let Some(problem) = problem {
            return Err(FormulaError { place, problem });
        }
        let input = Input { metric, which };
        let known = self.inputs.iter().position(|known| *known == input);
        let index = known.unwrap_or_else(|| {
            self.inputs.push(input);
            self.inputs.len() - 1
        });
        self.push(Step::Input(index), place);
        Ok(())
    }

    fn call(&mut self, name: &str, place: Range<usize>) -> Parsed {
        match name {
            "self" => self.chosen(Which::SelfValue),
            "total" => self.chosen(Which::Total),
            _ if figure_named(name).is_some() => self.figure(name, place),
            _ => match Function::ALL.into_iter().find(|function| function.name() == name) {
                Some(function) => self.function(function, place),
                None => {
                    let names = Function::ALL.map(Function::name);
                    let figures = FIGURES.map(|(name, _)| name);
                    let all = names.into_iter().chain(["self", "total"]).chain(figures);
                    let nearest = nearest(name, all).into_iter().map(str::to_owned).collect();
                    let name = name.to_owned();
                    Err(FormulaError { place, problem: Problem::UnknownFunction { name, nearest } })
                }
            },
        }
    }

    fn chosen(&mut self, which: Which) -> Parsed {
        self.open()?;
        let (Token::Name { text, .. }, place) = self.tokens[self.next].clone() else {
            return Err(self.expected("the name of a metric"));
        };
        self.next += 1;
        self.metric(&text, which, place)?;
        self.close()
    }

    fn figure(&mut self, name: &str, place: Range<usize>) -> Parsed {
        if self.in_parts {
            return Err(FormulaError { place, problem: Problem::NestedParts });
        }
        self.in_parts = true;
        let begin = self.nodes.len();
        self.push(Step::PartsBegin(begin), place.clone());
        self.open()?;
        self.formula()?;
        let mut percent = None;
        if self.take(",") {
            let (Token::Number(number), _) = self.tokens[self.next] else {
                return Err(self.expected("a number from 0 to 100"));
            };
            self.next += 1;
            percent = Some(number);
        }
        self.close()?;
        let figure = match (figure_named(name), percent) {
            (Some(Figure::Percentile(_)), Some(percent)) if percent <= 100.0 => {
                Figure::Percentile(percent)
            }
            (Some(Figure::Percentile(_)), given) => {
                let (expected, found) =
                    ("two: of what, and a number from 0 to 100", 1 + usize::from(given.is_some()));
                let problem = Problem::Arguments { function: "percentile_of", expected, found };
                return Err(FormulaError { place, problem });
            }
            (Some(figure), None) => figure,
            (_, given) => {
                let (name, _) =
                    FIGURES.into_iter().find(|(known, _)| *known == name).unwrap_or(FIGURES[0]);
                let problem = Problem::Arguments {
                    function: name,
                    expected: "one",
                    found: 1 + usize::from(given.is_some()),
                };
                return Err(FormulaError { place, problem });
            }
        };
        self.nodes[begin].step = Step::PartsBegin(self.nodes.len());
        self.push(Step::PartsEnd(figure), place);
        self.in_parts = false;
        Ok(())
    }

    fn function(&mut self, function: Function, place: Range<usize>) -> Parsed {
        self.open()?;
        let mut arguments = 0;
        if *self.peek() != Token::Sign(")") {
            self.formula()?;
            arguments = 1;
            while self.take(",") {
                self.formula()?;
                arguments += 1;
            }
        }
        if *self.peek() == Token::Sign(")") && (arguments == 0 || !function.takes(arguments)) {
            let expected = function.arguments();
            let problem =
                Problem::Arguments { function: function.name(), expected, found: arguments };
            return Err(FormulaError { place, problem });
        }
        self.close()?;
        self.push(Step::Call(function, arguments), place);
        Ok(())
    }

    fn open(&mut self) -> Parsed {
        if self.depth == Formula::MAX_DEPTH {
            let place = self.tokens[self.next].1.clone();
            return Err(FormulaError { place, problem: Problem::TooDeep });
        }
        self.depth += 1;
        if self.take("(") { Ok(()) } else { Err(self.expected("(")) }
    }

    fn close(&mut self) -> Parsed {
        self.depth -= 1;
        if self.take(")") { Ok(()) } else { Err(self.expected("an operator or a closing bracket")) }
    }

    fn push(&mut self, step: Step, place: Range<usize>) {
        self.nodes.push(Node { step, place });
    }

    fn peek(&self) -> &Token {
        &self.tokens[self.next].0
    }

    fn take(&mut self, sign: &str) -> bool {
        let is_next = matches!(self.peek(), Token::Sign(next) if *next == sign);
        self.next += usize::from(is_next);
        is_next
    }

    fn operator(&mut self, operators: &[Operator]) -> Option<(Operator, Range<usize>)> {
        let place = self.tokens[self.next].1.clone();
        let operator = operators.iter().find(|operator| self.take(operator.sign()))?;
        Some((*operator, place))
    }

    fn expected(&self, expected: &'static str) -> FormulaError {
        let (token, place) = &self.tokens[self.next];
        let (found, hint) = match token {
            Token::Number(number) => {
                (format!("the number {number}"), "put an operator before it, or take it out")
            }
            Token::Name { text, .. } => (
                format!("the name {text:?}"),
                "put an operator before it, or quote all of the name",
            ),
            Token::Sign(sign) => (format!("`{sign}`"), "add what is missing before it"),
            Token::End => ("the end".to_owned(), "add what is missing"),
        };
        let problem = Problem::Expected { expected, found, hint };
        FormulaError { place: place.clone(), problem }
    }
}
