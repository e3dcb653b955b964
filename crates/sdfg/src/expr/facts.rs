//! What is known of symbols, and what follows from it.

use std::collections::HashSet;
use std::sync::Arc;

use num_traits::{One as _, Signed as _};

use super::terms::{Atom, Product};
use super::{Expr, Function, Number, TooLarge};

/// What is known of symbols. A size is a whole number of at least 0; so is what a sum runs over.
#[derive(Debug, Clone, Default)]
pub struct Facts {
    /// May be below 0.
    changing: Arc<HashSet<Arc<str>>>,
    /// Each is at least 0.
    known: Vec<Expr>,
}

impl Expr {
    /// The same where nothing is below 0 that is taken as 0 then: as DaCe writes it.
    pub(crate) fn without_clamps(&self) -> Result<Expr, TooLarge> {
        self.rewritten(&|function, arguments| match (&function, &arguments[..]) {
            (Function::Max, [zero, one] | [one, zero]) if zero.is_zero() => Ok(one.clone()),
            _ => Expr::call(function, arguments),
        })
    }
}

impl Facts {
    /// All symbols are sizes, but for some that may have any value.
    pub fn all_sizes_but(changing: HashSet<Arc<str>>) -> Facts {
        Facts { changing: Arc::new(changing), known: vec![] }
    }

    /// With more that is at least 0.
    pub(super) fn and(&self, more: impl IntoIterator<Item = Expr>) -> Facts {
        let known = self.known.iter().cloned().chain(more).collect();
        Facts { changing: self.changing.clone(), known }
    }

    /// `Max(0, expr)`, without the maximum where that is plain to see.
    pub fn at_least_zero(&self, expr: &Expr) -> Result<Expr, TooLarge> {
        if self.is_at_least_zero(expr) {
            return Ok(expr.clone());
        }
        // `Max(0, Min(a, b) + c)` is `Min(Max(0, a + c), Max(0, b + c))`.
        let smallest = expr.terms.iter().position(|(product, number)| {
            number.is_one() && matches!(&product.factors[..], [(Atom::Call(Function::Min, _), 1)])
        });
        if let Some(place) = smallest {
            let mut rest = expr.clone();
            let (product, _) = rest.terms.remove(place);
            if let [(Atom::Call(_, arguments), _)] = &product.factors[..] {
                let each = arguments.iter().map(|one| self.at_least_zero(&one.plus(&rest)?));
                let all: Result<Vec<Expr>, TooLarge> = each.collect();
                return Expr::call(Function::Min, all?);
            }
        }
        Expr::call(Function::Max, vec![Expr::default(), expr.clone()])
    }

    /// Whether it is above 0 where all sizes are; `false` where that is not plain to see.
    pub(crate) fn is_above_zero_of_sizes(&self, expr: &Expr) -> bool {
        let one = Expr::integer(1);
        let larger = expr.substituted(&|name| {
            let is_size = !self.changing.contains(name);
            is_size.then(|| Expr::symbol(name).plus(&one).ok()).flatten()
        });
        let more = larger.and_then(|larger| larger.minus(&one));
        more.is_ok_and(|more| self.is_at_least_zero(&more))
    }

    /// Whether it is at least 0; `false` where that is not plain to see.
    pub(crate) fn is_at_least_zero(&self, expr: &Expr) -> bool {
        /// Facts that are used one after the other.
        const MOST_STEPS: usize = 3;
        self.follows(expr, MOST_STEPS)
    }

    fn follows(&self, expr: &Expr, steps: usize) -> bool {
        /// Longer ones are not tried.
        const LONGEST: usize = 40;
        if self.is_plainly_positive(expr) {
            return true;
        }
        if steps == 0 || expr.terms.len() > LONGEST {
            return false;
        }
        if self.follows_of_rounded(expr, steps) {
            return true;
        }
        let below = expr.terms.iter().filter(|(_, number)| number.is_negative());
        let mut helpful = below.flat_map(|(product, number)| {
            self.known.iter().filter_map(move |fact| {
                let (_, theirs) = fact.terms.iter().find(|(other, _)| other == product)?;
                theirs.is_negative().then(|| (fact, number / theirs))
            })
        });
        helpful.any(|(fact, times)| {
            let rest = fact.scaled(times).and_then(|more| expr.minus(&more));
            rest.is_ok_and(|rest| rest != *expr && self.follows(&rest, steps - 1))
        })
    }

    /// `n - ceiling(x)` and `n + floor(x)` of a whole `n` are at least 0 where they are so unrounded.
    fn follows_of_rounded(&self, expr: &Expr, steps: usize) -> bool {
        expr.terms.iter().any(|(product, number)| {
            let [(Atom::Call(function, arguments), 1)] = &product.factors[..] else { return false };
            let wanted = if number.is_negative() { Function::Ceiling } else { Function::Floor };
            let (true, [inner]) = (*function == wanted, &arguments[..]) else { return false };
            let term = Expr { terms: vec![(product.clone(), *number)] };
            let rest = expr.minus(&term).and_then(|rest| rest.scaled(number.abs().recip()));
            let Ok(rest) = rest else { return false };
            let inner = inner.scaled(Number::from_integer(number.numer().signum()));
            let both = inner.and_then(|inner| rest.plus(&inner));
            rest.is_whole() && both.is_ok_and(|both| self.follows(&both, steps - 1))
        })
    }

    /// Whether no term is below 0.
    fn is_plainly_positive(&self, expr: &Expr) -> bool {
        expr.terms
            .iter()
            .all(|(product, number)| number.is_positive() && self.is_positive_product(product))
    }

    fn is_positive_product(&self, product: &Product) -> bool {
        product.factors.iter().all(|(atom, exponent)| {
            // A square of what is whole is a size, too.
            exponent % 2 == 0 && !matches!(atom, Atom::Call(Function::Other(_), _))
                || self.is_positive_atom(atom)
        })
    }

    fn is_positive_atom(&self, atom: &Atom) -> bool {
        let one = |expr: &Expr| self.is_plainly_positive(expr);
        match atom {
            Atom::Symbol(name) => !self.changing.contains(name),
            Atom::Sum(sum) => one(sum),
            Atom::Power(power) => one(&power.0),
            Atom::Series(series) => one(&series.body),
            Atom::Call(function, arguments) => match function {
                Function::Max => arguments.iter().any(one),
                Function::Min | Function::Floor | Function::Ceiling => arguments.iter().all(one),
                Function::Piecewise => arguments.iter().step_by(2).all(one),
                Function::Log2 | Function::Log => {
                    matches!(&arguments[..], [of] if of.is_plainly_at_least_one())
                }
                Function::Modulo => arguments.get(1).is_some_and(one),
                Function::Absolute
                | Function::Exp
                | Function::Equal
                | Function::NotEqual
                | Function::Less
                | Function::LessOrEqual
                | Function::And
                | Function::Or
                | Function::Elements(_)
                | Function::Powers
                | Function::Not => true,
                Function::Remainder | Function::Other(_) => false,
            },
        }
    }

    /// The same without what can be seen never to be the largest, the smallest, true or false.
    pub fn settled(&self, expr: &Expr) -> Result<Expr, TooLarge> {
        let has_calls = expr.atoms().any(|atom| matches!(atom, Atom::Call(..)));
        if !has_calls {
            return Ok(expr.clone());
        }
        expr.rewritten(&|function, arguments| self.settled_call(function, arguments))
    }

    fn settled_call(&self, function: Function, mut arguments: Vec<Expr>) -> Result<Expr, TooLarge> {
        /// Among more it is not looked for those that are not needed.
        const MOST: usize = 16;
        match (&function, &arguments[..]) {
            (Function::Max | Function::Min, all) if all.len() <= MOST => {
                let sign = if function == Function::Max { Number::one() } else { -Number::one() };
                let mut place = 0;
                while place < arguments.len() {
                    let is_covered = arguments.iter().enumerate().any(|(other, one)| {
                        let more = one.minus(&arguments[place]).and_then(|more| more.scaled(sign));
                        other != place && more.is_ok_and(|more| self.is_at_least_zero(&more))
                    });
                    if is_covered && arguments.len() > 1 {
                        arguments.remove(place);
                    } else {
                        place += 1;
                    }
                }
                Expr::call(function, arguments)
            }
            (Function::Less | Function::LessOrEqual, [a, b]) => {
                let is_strict = function == Function::Less;
                let at_least = |a: &Expr, b: &Expr, by: i128| {
                    let more = a.minus(b).and_then(|more| more.minus(&Expr::integer(by)));
                    more.is_ok_and(|more| self.is_at_least_zero(&more))
                };
                let are_whole = a.is_whole() && b.is_whole();
                if (are_whole || !is_strict) && at_least(b, a, is_strict.into()) {
                    return Ok(Expr::integer(1));
                }
                if (are_whole || is_strict) && at_least(a, b, (!is_strict).into()) {
                    return Ok(Expr::default());
                }
                Expr::call(function, arguments)
            }
            _ => Expr::call(function, arguments),
        }
    }
}
