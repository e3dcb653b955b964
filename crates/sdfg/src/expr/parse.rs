//! Reading expressions, in both dialects of DaCe.
//!
//! Up to 2.0.0a3 they are what sympy prints (`2*I*ceiling(N/64)`), later Python of DaCe's own
//! (`symbol($N, dtype=dace.int64)`, `$N`, `2i16`, `SymExpr(a, b)`). One grammar holds both: that of
//! Python's expressions, with names that may begin with `$` and numbers that may end in a type.

mod number;
mod word;

use super::functions::SUBSCRIPT;
use super::terms::Atom;
use super::{Expr, Function, TooLarge};

/// Why a text is not an expression.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message} at character {at} of \"{text}\"")]
pub struct ParseError {
    /// What is wrong.
    pub message: String,
    /// Where, in bytes from 0.
    pub at: usize,
    /// The text, shortened.
    pub text: String,
}

/// Longer texts are refused.
const LONGEST: usize = 1 << 20;
/// Texts that make larger expressions on the way are refused: adding term after term to a long sum
/// copies it each time.
const MOST_WORK: usize = 1 << 23;
/// Deeper nesting is refused: reading calls itself.
const DEEPEST: usize = 120;

/// Reads an expression.
pub fn parse(text: &str) -> Result<Expr, ParseError> {
    let mut parser = Parser { text, at: 0, depth: 0, work: 0 };
    if text.len() > LONGEST {
        return Err(parser.error("an expression that is too long"));
    }
    let value = parser.expression(Level::Lowest)?;
    parser.skip_spaces();
    if parser.at < text.len() {
        return Err(parser.error("something after the expression"));
    }
    Ok(value)
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
    /// Sizes of all that was made so far.
    work: usize,
}

/// How strongly operators bind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Lowest,
    Condition,
    Or,
    And,
    Not,
    Comparison,
    BitOr,
    BitXor,
    BitAnd,
    Shift,
    Sum,
    Product,
    Unary,
    Power,
}

const OPERATORS: [(&str, Level); 25] = [
    ("**", Level::Power),
    ("//", Level::Product),
    ("<<", Level::Shift),
    (">>", Level::Shift),
    ("<=", Level::Comparison),
    (">=", Level::Comparison),
    ("==", Level::Comparison),
    ("!=", Level::Comparison),
    ("&&", Level::And),
    ("||", Level::Or),
    ("<", Level::Comparison),
    (">", Level::Comparison),
    ("+", Level::Sum),
    ("-", Level::Sum),
    ("*", Level::Product),
    ("/", Level::Product),
    ("%", Level::Product),
    ("@", Level::Product),
    ("|", Level::BitOr),
    ("^", Level::BitXor),
    ("&", Level::BitAnd),
    ("and", Level::And),
    ("or", Level::Or),
    ("if", Level::Condition),
    ("in", Level::Comparison),
];

impl<'a> Parser<'a> {
    fn error(&self, message: impl Into<String>) -> ParseError {
        /// Enough to find it again.
        const SHOWN: usize = 120;
        let text = self.text.chars().take(SHOWN).collect();
        ParseError { message: message.into(), at: self.at, text }
    }

    fn checked(&mut self, made: Result<Expr, TooLarge>) -> Result<Expr, ParseError> {
        let made = made.map_err(|error| self.error(error.to_string()))?;
        self.work += made.size();
        if self.work > MOST_WORK {
            Err(self.error("an expression that is too long"))
        } else {
            Ok(made)
        }
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn skip_spaces(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start().len();
    }

    /// Takes a text, if it comes next.
    fn take(&mut self, wanted: &str) -> bool {
        self.skip_spaces();
        let has = self.rest().starts_with(wanted);
        if has {
            self.at += wanted.len();
        }
        has
    }

    fn expect(&mut self, wanted: &str) -> Result<(), ParseError> {
        if self.take(wanted) { Ok(()) } else { Err(self.error(format!("no {wanted}"))) }
    }

    /// The operator that comes next; it is not taken.
    fn operator(&mut self) -> Option<(&'static str, Level)> {
        self.skip_spaces();
        let rest = self.rest();
        let found = OPERATORS.into_iter().find(|(text, _)| {
            let follows = rest.strip_prefix(text).and_then(|after| after.chars().next());
            let is_word = text.starts_with(|c: char| c.is_ascii_alphabetic());
            rest.starts_with(text) && !(is_word && follows.is_some_and(is_word_part))
        });
        // `a=b` is a keyword's, and no operator.
        found.filter(|_| !rest.starts_with("=") || rest.starts_with("=="))
    }

    fn expression(&mut self, above: Level) -> Result<Expr, ParseError> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(self.error("an expression that is nested too deep"));
        }
        let mut left = self.operand()?;
        let mut compared: Option<Expr> = None;
        while let Some((operator, level)) = self.operator() {
            if level <= above {
                break;
            }
            self.at += operator.len();
            if level < Level::Comparison {
                left = compared.take().unwrap_or(left);
            }
            if level == Level::Condition {
                left = self.conditional(left)?;
                continue;
            }
            let right = match level {
                Level::Power => self.expression(Level::Unary)?,
                _ => self.expression(level)?,
            };
            if level == Level::Comparison {
                // `a < b < c` compares neighbours.
                let one = self.binary(operator, left, right.clone())?;
                let all = match compared.take() {
                    None => one,
                    Some(before) => self.checked(Expr::call(Function::And, vec![before, one]))?,
                };
                compared = Some(all);
                left = right;
                continue;
            }
            left = self.binary(operator, left, right)?;
        }
        self.depth -= 1;
        Ok(compared.unwrap_or(left))
    }

    /// `value if condition else other`, from the condition on.
    fn conditional(&mut self, value: Expr) -> Result<Expr, ParseError> {
        let condition = self.expression(Level::Condition)?;
        self.expect("else")?;
        let other = self.expression(Level::Lowest)?;
        let cases = vec![value, condition, other, Expr::integer(1)];
        self.checked(Expr::call(Function::Piecewise, cases))
    }

    fn binary(&mut self, operator: &str, a: Expr, b: Expr) -> Result<Expr, ParseError> {
        let call = |function: Function, arguments: Vec<Expr>| Expr::call(function, arguments);
        let other = |name: &str, a: Expr, b: Expr| {
            Ok(Expr::atom(Atom::Call(Function::Other(name.into()), vec![a, b])))
        };
        self.checked(match operator {
            "+" => a.plus(&b),
            "-" => a.minus(&b),
            "*" => a.times(&b),
            "/" => a.divided_by(&b),
            "//" => a.floor_divided(&b),
            "%" => call(Function::Modulo, vec![a, b]),
            "**" => a.power(&b),
            "==" => call(Function::Equal, vec![a, b]),
            "!=" => call(Function::NotEqual, vec![a, b]),
            "<" => call(Function::Less, vec![a, b]),
            "<=" => call(Function::LessOrEqual, vec![a, b]),
            ">" => call(Function::Less, vec![b, a]),
            ">=" => call(Function::LessOrEqual, vec![b, a]),
            "and" | "&&" => call(Function::And, vec![a, b]),
            "or" | "||" => call(Function::Or, vec![a, b]),
            // sympy writes these between conditions, C between bits.
            "|" if a.is_condition() && b.is_condition() => call(Function::Or, vec![a, b]),
            "&" if a.is_condition() && b.is_condition() => call(Function::And, vec![a, b]),
            "|" => other("bitwise_or", a, b),
            "^" => other("bitwise_xor", a, b),
            "&" => other("bitwise_and", a, b),
            "<<" => other("left_shift", a, b),
            ">>" => other("right_shift", a, b),
            "@" => other("matmul", a, b),
            _ => other("in", a, b),
        })
    }

    fn operand(&mut self) -> Result<Expr, ParseError> {
        self.skip_spaces();
        let Some(first) = self.rest().chars().next() else {
            return Err(self.error("nothing where a value should be"));
        };
        if self.take("-") {
            let one = self.expression(Level::Unary)?;
            return self.checked(one.negated());
        }
        if self.take("+") {
            return self.expression(Level::Unary);
        }
        if self.take("~") {
            let one = self.expression(Level::Unary)?;
            let function = if one.is_condition() {
                Function::Not
            } else {
                Function::Other("bitwise_not".into())
            };
            return self.checked(Expr::call(function, vec![one]));
        }
        if self.rest().starts_with("!") && !self.rest().starts_with("!=") {
            self.at += 1;
            let one = self.expression(Level::Unary)?;
            return self.checked(Expr::call(Function::Not, vec![one]));
        }
        if self.take("(") {
            let one = self.expression(Level::Lowest)?;
            if self.rest().trim_start().starts_with(',') {
                return Err(self.error("a tuple where a value should be"));
            }
            self.expect(")")?;
            return self.after(one);
        }
        if first.is_ascii_digit() || first == '.' {
            return self.number();
        }
        if first == '$' || is_word_part(first) {
            return self.word();
        }
        Err(self.error(format!("{first:?} where a value should be")))
    }

    /// Subscripts behind a value: what stands there depends on data.
    fn after(&mut self, value: Expr) -> Result<Expr, ParseError> {
        let mut value = value;
        while self.take("[") {
            let indices = self.list("]")?;
            let mut all = vec![value];
            all.extend(indices);
            value = Expr::atom(Atom::Call(Function::Other(SUBSCRIPT.into()), all));
        }
        Ok(value)
    }

    /// Values up to a closing bracket, which is taken; keywords are left out.
    fn list(&mut self, end: &str) -> Result<Vec<Expr>, ParseError> {
        let mut all = vec![];
        loop {
            if self.take(end) {
                return Ok(all);
            }
            if self.keyword() {
                self.skip_value()?;
            } else {
                all.push(self.expression(Level::Lowest)?);
            }
            if !self.take(",") {
                self.expect(end)?;
                return Ok(all);
            }
        }
    }

    /// Takes `name=`, if it comes next.
    fn keyword(&mut self) -> bool {
        self.skip_spaces();
        let rest = self.rest();
        let name = rest.find(|c| !is_word_part(c)).unwrap_or(rest.len());
        let after = rest[name..].trim_start();
        let is_keyword = name > 0 && after.starts_with('=') && !after.starts_with("==");
        if is_keyword {
            self.at = self.text.len() - after.len() + 1;
        }
        is_keyword
    }

    /// Leaves out the value of a keyword, which says how an unknown is stored.
    fn skip_value(&mut self) -> Result<(), ParseError> {
        let mut open = 0usize;
        for (place, c) in self.rest().char_indices() {
            match c {
                '(' | '[' => open += 1,
                ')' | ']' if open > 0 => open -= 1,
                ')' | ']' | ',' if open == 0 => {
                    self.at += place;
                    return Ok(());
                }
                _ => {}
            }
        }
        Err(self.error("a keyword without an end"))
    }
}

fn is_word_part(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}
