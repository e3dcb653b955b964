//! Reading expressions, in both dialects of DaCe.
//!
//! Up to 2.0.0a3 they are what sympy prints (`2*I*ceiling(N/64)`), later Python of DaCe's own
//! (`symbol($N, dtype=dace.int64)`, `$N`, `2i16`, `SymExpr(a, b)`). One grammar holds both: that of
//! Python's expressions, with names that may begin with `$` and numbers that may end in a type.

use std::sync::Arc;

use num_traits::CheckedMul as _;

use super::functions::{CONSTANTS, SUBSCRIPT};
use super::{Atom, Expr, Facts, Function, Number, Progression, TooLarge};

/// Why a text is no expression.
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

    fn word(&mut self) -> Result<Expr, ParseError> {
        let rest = self.rest();
        let is_part = |c: char| is_word_part(c) || c == '.' || c == '$' || c == '?';
        let length = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        let word = &rest[..length];
        self.at += length;
        match word {
            "True" | "true" => return Ok(Expr::integer(1)),
            "False" | "false" => return Ok(Expr::integer(0)),
            "not" => {
                let one = self.expression(Level::Not)?;
                return self.checked(Expr::call(Function::Not, vec![one]));
            }
            _ if CONSTANTS.contains(&word) => {
                return Ok(Expr::atom(Atom::Call(Function::Other(word.into()), vec![])));
            }
            _ => {}
        }
        if self.take("(") {
            let called = self.call(word)?;
            return self.after(called);
        }
        let name = word.strip_prefix('$').unwrap_or(word);
        // Printed without the sign it would be a number, or nothing.
        if name.is_empty() || name.starts_with(|first: char| first.is_ascii_digit() || first == '.')
        {
            return Err(self.error("a symbol without a name"));
        }
        self.after(Expr::symbol(name))
    }

    /// A call, from behind its bracket on.
    fn call(&mut self, name: &str) -> Result<Expr, ParseError> {
        match name {
            "Piecewise" => return self.piecewise(),
            "Sum" => return self.sum(),
            _ => {}
        }
        let arguments = self.list(")")?;
        let last = name.rsplit('.').next().unwrap_or(name);
        self.checked(match (last, &arguments[..]) {
            // The symbol itself; what else is told of it is how it is stored.
            ("symbol" | "Symbol", [one]) => Ok(one.clone()),
            // The value, and a bound that is used where the value is not known.
            ("SymExpr", [one] | [one, _]) => Ok(one.clone()),
            ("int_floor", [a, b]) => a.floor_divided(b),
            ("int_ceil", [a, b]) => a.ceiling_divided(b),
            ("sqrt", [one]) => one.power(&Expr::number(Number::new(1, 2))),
            ("pow" | "Pow", [a, b]) => a.power(b),
            ("Add", all) => all.iter().try_fold(Expr::default(), |sum, one| sum.plus(one)),
            ("Mul", all) => all.iter().try_fold(Expr::integer(1), |all, one| all.times(one)),
            ("Gt", [a, b]) => Expr::call(Function::Less, vec![b.clone(), a.clone()]),
            ("Ge", [a, b]) => Expr::call(Function::LessOrEqual, vec![b.clone(), a.clone()]),
            ("IfExpr" | "ITE", [condition, value, other]) => {
                let cases = vec![value.clone(), condition.clone(), other.clone(), Expr::integer(1)];
                Expr::call(Function::Piecewise, cases)
            }
            (cast, [one]) if is_integer_type(cast) => Ok(one.clone()),
            _ => Expr::call(Function::named(name), arguments),
        })
    }

    fn piecewise(&mut self) -> Result<Expr, ParseError> {
        let mut cases = vec![];
        loop {
            self.expect("(")?;
            cases.push(self.expression(Level::Lowest)?);
            self.expect(",")?;
            cases.push(self.expression(Level::Lowest)?);
            self.expect(")")?;
            if !self.take(",") {
                self.expect(")")?;
                return self.checked(Expr::call(Function::Piecewise, cases));
            }
        }
    }

    /// `Sum(body, (i, first, last))`.
    fn sum(&mut self) -> Result<Expr, ParseError> {
        let body = self.expression(Level::Lowest)?;
        self.expect(",")?;
        self.expect("(")?;
        let variable = self.expression(Level::Lowest)?;
        self.expect(",")?;
        let first = self.expression(Level::Lowest)?;
        self.expect(",")?;
        let last = self.expression(Level::Lowest)?;
        self.expect(")")?;
        self.expect(")")?;
        let Some(name) = variable.as_symbol() else {
            return Err(self.error("a sum over what is no variable"));
        };
        let count = last.minus(&first).and_then(|span| span.plus(&Expr::integer(1)));
        let count = self.checked(count)?;
        let values = Progression { first, step: Expr::integer(1), count };
        // Any symbol may be below 0 here.
        let changing = body.symbols().into_iter().chain(values.count.symbols());
        let facts = Facts::all_sizes_but(changing.map(Arc::from).collect());
        let sum = body.sum_over(name, &values, &facts);
        self.checked(sum)
    }

    /// A number, exact: `2`, `1.5`, `1e-3`, `2i16`, `7f64`.
    fn number(&mut self) -> Result<Expr, ParseError> {
        let start = self.at;
        let too_large = |parser: &Parser<'a>| parser.error(TooLarge.to_string());
        let mut value = Number::from_integer(0);
        let mut scale: i32 = 0;
        let mut is_fraction = false;
        let ten = Number::from_integer(10);
        while let Some(c) = self.rest().chars().next() {
            match c {
                '.' if !is_fraction => is_fraction = true,
                '_' => {}
                '0'..='9' => {
                    let digit = Number::from_integer(i128::from(c as u8 - b'0'));
                    let shifted = value.checked_mul(&ten).ok_or_else(|| too_large(self))?;
                    value = num_traits::CheckedAdd::checked_add(&shifted, &digit)
                        .ok_or_else(|| too_large(self))?;
                    scale -= i32::from(is_fraction);
                }
                _ => break,
            }
            self.at += c.len_utf8();
        }
        if self.text[start..self.at].chars().all(|c| c == '.') {
            return Err(self.error("a point where a value should be"));
        }
        if let Some(exponent) = self.exponent() {
            scale = scale.saturating_add(exponent);
        }
        for _ in 0..scale.unsigned_abs().min(60) {
            let step = if scale < 0 { ten.recip() } else { ten };
            value = value.checked_mul(&step).ok_or_else(|| too_large(self))?;
        }
        if scale.unsigned_abs() > 60 {
            return Err(too_large(self));
        }
        // The type of a typed constant.
        let suffix = self.rest().find(|c| !is_word_part(c)).unwrap_or(self.rest().len());
        let typed = &self.rest()[..suffix];
        let is_type = typed
            .strip_prefix(['i', 'u', 'f'])
            .is_some_and(|bits| matches!(bits, "8" | "16" | "32" | "64"));
        match typed {
            "" => {}
            _ if is_type => self.at += suffix,
            _ => return Err(self.error(format!("{typed} behind a number"))),
        }
        Ok(Expr::number(value))
    }

    /// `e-3` behind the digits of a number.
    fn exponent(&mut self) -> Option<i32> {
        let after = self.rest().strip_prefix(['e', 'E'])?;
        let (sign, digits) = match after.strip_prefix('-') {
            Some(digits) => (-1, digits),
            None => (1, after.strip_prefix('+').unwrap_or(after)),
        };
        let length = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
        let exponent: i32 = digits[..length].parse().ok()?;
        self.at = self.text.len() - digits.len() + length;
        Some(sign * exponent)
    }
}

fn is_word_part(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Casts between whole numbers change no size that is in range.
fn is_integer_type(name: &str) -> bool {
    let bits = name.strip_prefix("uint").or_else(|| name.strip_prefix("int"));
    bits.is_some_and(|bits| matches!(bits, "" | "8" | "16" | "32" | "64"))
}
