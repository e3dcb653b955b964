//! Values of expressions.

use std::cell::Cell;
use std::collections::HashMap;

use num_rational::Ratio;
use num_traits::{
    CheckedAdd as _, CheckedMul as _, One as _, Signed as _, ToPrimitive as _, Zero as _,
};

use super::functions::{exact_log2, modulo, powers_up_to, remainder};
use super::terms::Atom;
use super::{Expr, Function, Number};

/// What the unknowns are.
pub type Bindings = HashMap<String, i128>;

/// What an expression is worth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Value {
    /// Exactly this.
    Exact(Number),
    /// About this: a logarithm or a root is in it.
    About(f64),
}

/// Why an expression has no value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unknown {
    /// A symbol has no value.
    #[error("{0} is not set")]
    Unset(String),
    /// A function has no meaning here.
    #[error("{0} cannot be worked out")]
    Function(String),
    /// Something is divided by 0.
    #[error("a division by zero")]
    DivisionByZero,
    /// A number left the exact range.
    #[error("a number is too large")]
    TooLarge,
    /// The logarithm of a number that is not positive, and the like.
    #[error("not a number")]
    NotANumber,
    /// No condition of a piecewise function holds.
    #[error("no case applies")]
    NoCase,
    /// A sum was given up.
    #[error("a sum takes too long to work out")]
    TooLong,
}

/// How much work sums may be: steps, each about as long as a term takes.
#[derive(Debug)]
pub(super) struct Budget(Cell<u64>);

impl Budget {
    /// So many steps.
    pub(super) fn new(steps: u64) -> Budget {
        Budget(Cell::new(steps))
    }

    pub(super) fn spend(&self, steps: u64) -> Result<(), Unknown> {
        match self.0.get().checked_sub(steps) {
            Some(left) => {
                self.0.set(left);
                Ok(())
            }
            None => {
                self.0.set(0);
                Err(Unknown::TooLong)
            }
        }
    }
}

impl Default for Budget {
    /// Of one sum with all in it: a fraction of a second.
    fn default() -> Budget {
        Budget::new(500_000)
    }
}

impl Value {
    /// As a floating-point number.
    pub fn to_f64(self) -> f64 {
        match self {
            // Both halves of a large fraction may be beyond what a quotient of floats can take.
            Value::Exact(number) => {
                number.numer().to_f64().unwrap_or(f64::NAN) / number.denom().to_f64().unwrap_or(1.0)
            }
            Value::About(number) => number,
        }
    }

    /// The whole number that it exactly is.
    pub fn to_integer(self) -> Option<i128> {
        match self {
            Value::Exact(number) if number.is_integer() => Some(number.to_integer()),
            _ => None,
        }
    }

    fn about(number: f64) -> Result<Value, Unknown> {
        if number.is_finite() { Ok(Value::About(number)) } else { Err(Unknown::NotANumber) }
    }

    pub(super) fn plus(self, other: Value) -> Result<Value, Unknown> {
        match (self, other) {
            (Value::Exact(a), Value::Exact(b)) => {
                a.checked_add(&b).map(Value::Exact).ok_or(Unknown::TooLarge)
            }
            _ => Value::about(self.to_f64() + other.to_f64()),
        }
    }

    pub(super) fn times(self, other: Value) -> Result<Value, Unknown> {
        match (self, other) {
            (Value::Exact(a), Value::Exact(b)) => {
                a.checked_mul(&b).map(Value::Exact).ok_or(Unknown::TooLarge)
            }
            _ => Value::about(self.to_f64() * other.to_f64()),
        }
    }

    pub(super) fn is_zero(self) -> bool {
        match self {
            Value::Exact(number) => number.is_zero(),
            Value::About(number) => number == 0.0,
        }
    }

    /// A power with a whole exponent, by squaring.
    pub(super) fn to_the(self, exponent: i128) -> Result<Value, Unknown> {
        if exponent < 0 {
            let inverse = match self {
                _ if self.is_zero() => return Err(Unknown::DivisionByZero),
                Value::Exact(number) => Value::Exact(number.recip()),
                Value::About(number) => Value::about(1.0 / number)?,
            };
            return inverse.to_the(exponent.checked_neg().ok_or(Unknown::TooLarge)?);
        }
        let (mut base, mut left, mut all) = (self, exponent, Value::Exact(Number::one()));
        while left > 0 {
            if left & 1 == 1 {
                all = all.times(base)?;
            }
            left >>= 1;
            if left > 0 {
                base = base.times(base)?;
            }
        }
        Ok(all)
    }

    pub(super) fn power(self, exponent: Value) -> Result<Value, Unknown> {
        if let Some(whole) = exponent.to_integer() {
            return self.to_the(whole);
        }
        if self.is_zero() && exponent.to_f64() < 0.0 {
            return Err(Unknown::DivisionByZero);
        }
        Value::about(self.to_f64().powf(exponent.to_f64()))
    }
}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Value) -> Option<std::cmp::Ordering> {
        match (self, other) {
            (Value::Exact(a), Value::Exact(b)) => a.partial_cmp(b),
            _ => self.to_f64().partial_cmp(&other.to_f64()),
        }
    }
}

impl Expr {
    /// The value where the unknowns are as told.
    pub fn evaluate(&self, of: &Bindings) -> Result<Value, Unknown> {
        self.evaluate_within(of, None)
    }

    /// The same in a sum that may take so long; without one, each sum has a limit of its own.
    pub(super) fn evaluate_within(
        &self,
        of: &Bindings,
        budget: Option<&Budget>,
    ) -> Result<Value, Unknown> {
        let mut sum = Value::Exact(Number::zero());
        for (product, number) in &self.terms {
            let mut term = Value::Exact(*number);
            for (atom, exponent) in &product.factors {
                term = term.times(atom.evaluate(of, budget)?.to_the(i128::from(*exponent))?)?;
            }
            sum = sum.plus(term)?;
        }
        Ok(sum)
    }
}

impl Atom {
    fn evaluate(&self, of: &Bindings, budget: Option<&Budget>) -> Result<Value, Unknown> {
        let value = |expr: &Expr| expr.evaluate_within(of, budget);
        match self {
            Atom::Symbol(name) => match of.get(&**name) {
                Some(&value) => Ok(Value::Exact(Number::from_integer(value))),
                None => Err(Unknown::Unset(name.to_string())),
            },
            Atom::Sum(sum) => value(sum),
            Atom::Power(power) => value(&power.0)?.power(value(&power.1)?),
            Atom::Series(series) => match budget {
                Some(budget) => series.evaluate(of, budget),
                None => series.evaluate(of, &Budget::default()),
            },
            Atom::Call(Function::Piecewise, pairs) => {
                for pair in pairs.chunks_exact(2) {
                    if !value(&pair[1])?.is_zero() {
                        return value(&pair[0]);
                    }
                }
                Err(Unknown::NoCase)
            }
            Atom::Call(function, arguments) => {
                if let Function::Other(name) = function {
                    return Err(Unknown::Function(name.to_string()));
                }
                let values: Result<Vec<Value>, Unknown> = arguments.iter().map(value).collect();
                function.value(&values?)
            }
        }
    }
}

impl Function {
    pub(super) fn value(&self, arguments: &[Value]) -> Result<Value, Unknown> {
        let truth = |holds: bool| Ok(Value::Exact(Number::from_integer(holds.into())));
        let unknown = || Err(Unknown::Function(self.name().to_owned()));
        match (self, arguments) {
            (Function::Floor, [Value::Exact(number)]) => Ok(Value::Exact(number.floor())),
            (Function::Ceiling, [Value::Exact(number)]) => Ok(Value::Exact(number.ceil())),
            (Function::Floor, [Value::About(number)]) => whole(number.floor()),
            (Function::Ceiling, [Value::About(number)]) => whole(number.ceil()),
            (Function::Min | Function::Max, [first, others @ ..]) => {
                let mut best = *first;
                for &one in others {
                    let is_less = one < best;
                    if is_less == (*self == Function::Min) && one != best {
                        best = one;
                    }
                }
                Ok(best)
            }
            (Function::Modulo | Function::Remainder, [_, b]) if b.is_zero() => {
                Err(Unknown::DivisionByZero)
            }
            (Function::Modulo, [Value::Exact(a), Value::Exact(b)]) => {
                modulo(*a, *b).map(Value::Exact).ok_or(Unknown::TooLarge)
            }
            (Function::Remainder, [Value::Exact(a), Value::Exact(b)]) => {
                remainder(*a, *b).map(Value::Exact).ok_or(Unknown::TooLarge)
            }
            (Function::Absolute, [Value::Exact(number)]) => Ok(Value::Exact(number.abs())),
            (Function::Absolute, [Value::About(number)]) => Ok(Value::About(number.abs())),
            (Function::Log2, [one]) => match one {
                Value::Exact(number) if exact_log2(*number).is_some() => {
                    let log = exact_log2(*number).unwrap_or_default();
                    Ok(Value::Exact(Ratio::from_integer(log)))
                }
                _ => logarithm(*one, f64::log2),
            },
            (Function::Log, [one]) => logarithm(*one, f64::ln),
            (Function::Log, [one, base]) => {
                let (one, base) = (logarithm(*one, f64::ln)?, logarithm(*base, f64::ln)?);
                Value::about(one.to_f64() / base.to_f64())
            }
            (Function::Powers, [one, Value::Exact(base)]) => {
                let one = match one {
                    Value::Exact(number) => *number,
                    Value::About(number) => match whole(number.floor())? {
                        Value::Exact(number) => number,
                        Value::About(_) => return Err(Unknown::TooLarge),
                    },
                };
                let count = powers_up_to(one, *base).ok_or(Unknown::NotANumber)?;
                Ok(Value::Exact(Number::from_integer(count)))
            }
            (Function::Exp, [one]) => Value::about(one.to_f64().exp()),
            (Function::Equal, [a, b]) => truth(a.partial_cmp(b) == Some(std::cmp::Ordering::Equal)),
            (Function::NotEqual, [a, b]) => {
                truth(a.partial_cmp(b) != Some(std::cmp::Ordering::Equal))
            }
            (Function::Less, [a, b]) => truth(a < b),
            (Function::LessOrEqual, [a, b]) => truth(a <= b),
            (Function::And, all) => truth(all.iter().all(|one| !one.is_zero())),
            (Function::Or, all) => truth(all.iter().any(|one| !one.is_zero())),
            (Function::Not, [one]) => truth(one.is_zero()),
            (Function::Elements(dimensions), values) => {
                super::boxes::count_elements(*dimensions as usize, values)
            }
            _ => unknown(),
        }
    }
}

fn whole(number: f64) -> Result<Value, Unknown> {
    /// Larger floats are whole anyway, and beyond what is exact.
    const LARGEST: f64 = 1e18;
    if !number.is_finite() {
        return Err(Unknown::NotANumber);
    }
    if number.abs() > LARGEST {
        return Ok(Value::About(number));
    }
    Ok(Value::Exact(Number::from_integer(number as i128)))
}

fn logarithm(of: Value, log: fn(f64) -> f64) -> Result<Value, Unknown> {
    let number = of.to_f64();
    if number <= 0.0 {
        return Err(Unknown::NotANumber);
    }
    if number == 1.0 {
        return Ok(Value::Exact(Number::zero()));
    }
    Value::about(log(number))
}
