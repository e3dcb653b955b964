//! Names, and calls of functions.

use std::sync::Arc;

use super::{Level, ParseError, Parser, is_word_part};
use crate::expr::functions::CONSTANTS;
use crate::expr::terms::Atom;
use crate::expr::{Expr, Facts, Function, Number, Progression};

impl Parser<'_> {
    pub(super) fn word(&mut self) -> Result<Expr, ParseError> {
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
            return Err(self.error("a sum over what is not a variable"));
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
}

/// Casts between whole numbers change no size that is in range.
fn is_integer_type(name: &str) -> bool {
    let bits = name.strip_prefix("uint").or_else(|| name.strip_prefix("int"));
    bits.is_some_and(|bits| matches!(bits, "" | "8" | "16" | "32" | "64"))
}
