//! Sums over loops, and what is asked of expressions to find how often a loop runs.

use std::collections::BTreeMap;

use num_traits::{CheckedAdd as _, CheckedMul as _, One as _, Zero as _};

use super::functions::SUBSCRIPT;
use super::series::Series;
use super::terms::{Atom, Product};
use super::{Expr, Facts, Function, Number, TooLarge};

/// The values of a variable: `first`, `first + step`, ...
#[derive(Debug, Clone, PartialEq)]
pub struct Progression {
    /// The first value.
    pub first: Expr,
    /// From one to the next.
    pub step: Expr,
    /// How many there are.
    pub count: Expr,
}

/// Sums of higher powers are not worked out.
const HIGHEST: usize = 12;

impl Expr {
    /// The sum over all values of a variable. Where it has no closed form, as the variable is in a
    /// rounding, a minimum or a quotient, it stays a sum, which has a value once the symbols have
    /// theirs. A count below 0 counts as 0.
    pub fn sum_over(
        &self,
        name: &str,
        values: &Progression,
        facts: &Facts,
    ) -> Result<Expr, TooLarge> {
        if !self.contains(name) {
            return self.times(&facts.at_least_zero(&values.count)?);
        }
        let level = [self, &values.first, &values.step, &values.count].map(Expr::next_level);
        let variable = Series::variable(level.into_iter().max().unwrap_or(0));
        let value = values.first.plus(&values.step.times(&Expr::symbol(&variable))?)?;
        let body = self.substituted(&|symbol| (symbol == name).then(|| value.clone()))?;
        let count = values.count.clone();
        Series { name: name.into(), variable: variable.into(), count, body }.closed(facts)
    }

    /// The same, nothing where it has no closed form, by DaCe's rules: a count below 0 is taken as it
    /// is.
    pub(crate) fn dace_sum(
        &self,
        name: &str,
        values: &Progression,
    ) -> Result<Option<Expr>, TooLarge> {
        if !self.contains(name) {
            return self.times(&values.count).map(Some);
        }
        let variable = Series::variable(self.next_level());
        let value = values.first.plus(&values.step.times(&Expr::symbol(&variable))?)?;
        let body = self.substituted(&|symbol| (symbol == name).then(|| value.clone()))?;
        body.polynomial_sum(&variable, &values.count)
    }

    /// The sum over `0, 1, ..., count - 1` of what is a polynomial in a variable.
    pub(super) fn polynomial_sum(
        &self,
        variable: &str,
        count: &Expr,
    ) -> Result<Option<Expr>, TooLarge> {
        /// Sums of longer ones are not worked out: they get longer each time.
        const LONGEST: usize = 80;
        if self.terms.len() > LONGEST {
            return Ok(None);
        }
        let Some(coefficients) = self.coefficients(variable) else { return Ok(None) };
        if coefficients.len() > HIGHEST {
            return Ok(None);
        }
        let mut all = vec![];
        for (power, coefficient) in coefficients.iter().enumerate() {
            if !coefficient.is_zero() {
                all.push(coefficient.times(&sum_of_powers(power, count)?)?);
            }
        }
        Expr::sum(all).map(Some)
    }

    /// What each power of a symbol is multiplied by, from the power 0 on; nothing if it is no
    /// polynomial in it.
    pub(super) fn coefficients(&self, name: &str) -> Option<Vec<Expr>> {
        /// Higher powers are not taken apart.
        const MOST: usize = 64;
        let mut all: Vec<Vec<Expr>> = vec![vec![]];
        for (product, number) in &self.terms {
            let mut power = 0;
            let mut rest = Product::default();
            for (atom, exponent) in &product.factors {
                match atom {
                    Atom::Symbol(symbol) if &**symbol == name => {
                        power = usize::try_from(*exponent).ok().filter(|&power| power <= MOST)?;
                    }
                    Atom::Symbol(_) => rest.factors.push((atom.clone(), *exponent)),
                    _ if atom.parts().any(|part| part.contains(name)) => return None,
                    _ => rest.factors.push((atom.clone(), *exponent)),
                }
            }
            if all.len() <= power {
                all.resize(power + 1, vec![]);
            }
            all[power].push(Expr { terms: vec![(rest, *number)] });
        }
        all.into_iter().map(|terms| Expr::sum(terms).ok()).collect()
    }

    /// `(a, b)` where this is `a*symbol + b` and `a` a number other than 0.
    pub(crate) fn linear_in(&self, name: &str) -> Option<(Number, Expr)> {
        match &self.coefficients(name)?[..] {
            [rest, slope] => {
                let slope = slope.as_number().filter(|slope| !slope.is_zero())?;
                Some((slope, rest.clone()))
            }
            _ => None,
        }
    }

    /// By how much this rises with a symbol, where that does not depend on the symbol; 0 where it is
    /// not in it.
    pub(crate) fn slope_in(&self, name: &str) -> Option<Expr> {
        match &self.coefficients(name)?[..] {
            [] | [_] => Some(Expr::default()),
            [_, slope] => Some(slope.clone()),
            _ => None,
        }
    }

    /// `(a - b, is_strict)` for the condition `a < b` or `a <= b`.
    pub(crate) fn as_comparison(&self) -> Option<(Expr, bool)> {
        let (function, arguments) = self.as_call()?;
        match (function, arguments) {
            (Function::Less, [a, b]) => Some((a.minus(b).ok()?, true)),
            (Function::LessOrEqual, [a, b]) => Some((a.minus(b).ok()?, false)),
            _ => None,
        }
    }

    /// Conditions that all hold where this does.
    pub(crate) fn as_conjunction(&self) -> Option<&[Expr]> {
        match self.as_call()? {
            (Function::And, all) => Some(all),
            _ => None,
        }
    }

    /// `(c)` for the greatest whole number in `symbol / c`, with a whole `c`.
    pub(crate) fn as_part_of(&self, name: &str) -> Option<Number> {
        let (Function::Floor, [quotient]) = self.as_call()? else { return None };
        let (slope, rest) = quotient.linear_in(name)?;
        let divisor = slope.recip();
        (rest.is_zero() && divisor.is_integer()).then_some(divisor)
    }

    /// `a - b` for the condition `a != b`.
    pub(crate) fn as_inequality(&self) -> Option<Expr> {
        match self.as_call()? {
            (Function::NotEqual, [a, b]) => a.minus(b).ok(),
            _ => None,
        }
    }

    /// The array, if this is an element of one and nothing else.
    pub(crate) fn as_element_of(&self) -> Option<&str> {
        match self.as_call()? {
            (Function::Other(name), [array, ..]) if &**name == SUBSCRIPT => array.as_symbol(),
            _ => None,
        }
    }

    pub(super) fn as_call(&self) -> Option<(&Function, &[Expr])> {
        match &self.terms[..] {
            [(product, number)] if number.is_one() => match &product.factors[..] {
                [(Atom::Call(function, arguments), 1)] => Some((function, arguments)),
                _ => None,
            },
            _ => None,
        }
    }

    /// The largest of costs. A cost is never below 0, nor is a symbol in it: so 0 is dropped, and so
    /// is what has less of everything. What all share stands before the maximum.
    pub(crate) fn largest_cost(all: Vec<Expr>) -> Result<Expr, TooLarge> {
        let facts = Facts::default();
        let mut kept: Vec<Expr> = vec![];
        for one in Expr::candidates(all) {
            let mut is_needed = true;
            let mut still = vec![];
            for other in kept {
                let more = one.minus(&other)?;
                if is_needed && facts.is_at_least_zero(&more.negated()?) {
                    is_needed = false;
                }
                if !facts.is_at_least_zero(&more) {
                    still.push(other);
                }
            }
            kept = still;
            if is_needed {
                kept.push(one);
            }
        }
        let Some((first, others)) = kept.split_first() else { return Ok(Expr::default()) };
        if others.is_empty() {
            return Ok(first.clone());
        }
        let mut shared = first.clone();
        shared.terms.retain(|term| others.iter().all(|other| other.terms.contains(term)));
        let rest: Result<Vec<Expr>, TooLarge> = kept.iter().map(|one| one.minus(&shared)).collect();
        shared.plus(&Expr::call(Function::Max, rest?)?)
    }

    /// Those of some costs that may be the largest: each once, and of what differs by a number only
    /// the one with the largest number.
    pub(crate) fn candidates(all: Vec<Expr>) -> Vec<Expr> {
        let mut largest: BTreeMap<Vec<(Product, Number)>, Number> = BTreeMap::new();
        for mut one in all {
            let constant = one.take_constant();
            let known = largest.entry(one.terms).or_insert(constant);
            *known = constant.max(*known);
        }
        let whole = largest.into_iter().filter_map(|(terms, constant)| {
            Expr { terms }.plus(&Expr::number(constant)).ok().filter(|one| !one.is_zero())
        });
        whole.collect()
    }

    /// Whether it is a number of at least 1, or the largest of some with such a number among them.
    pub(super) fn is_plainly_at_least_one(&self) -> bool {
        let is_one = |one: &Expr| one.as_number().is_some_and(|number| number >= Number::one());
        match self.as_call() {
            Some((Function::Max, arguments)) => arguments.iter().any(is_one),
            _ => is_one(self),
        }
    }

    /// The logarithm to the base 2 of what is at least 1.
    pub(crate) fn log2_of_size(&self) -> Result<Expr, TooLarge> {
        let at_least_one = Expr::call(Function::Max, vec![self.clone(), Expr::integer(1)])?;
        Expr::call(Function::Log2, vec![at_least_one])
    }

    /// The natural logarithm.
    pub(crate) fn natural_log(&self) -> Result<Expr, TooLarge> {
        Expr::call(Function::Log, vec![self.clone()])
    }
}

/// `0**p + 1**p + ... + (n - 1)**p`, by Faulhaber's formula.
pub(super) fn sum_of_powers(power: usize, count: &Expr) -> Result<Expr, TooLarge> {
    let bernoulli = bernoulli_numbers(power)?;
    let mut sum = Expr::default();
    let mut binomial = Number::one();
    for (place, number) in bernoulli.iter().enumerate() {
        let exponent = Expr::integer((power + 1 - place) as i128);
        let factor = binomial.checked_mul(number).ok_or(TooLarge)?;
        sum = sum.plus(&count.power(&exponent)?.scaled(factor)?)?;
        let (above, below) = ((power + 1 - place) as i128, place as i128 + 1);
        binomial = binomial.checked_mul(&Number::new(above, below)).ok_or(TooLarge)?;
    }
    sum.scaled(Number::new(1, power as i128 + 1))
}

/// The first Bernoulli numbers, with -1/2 as the second.
fn bernoulli_numbers(last: usize) -> Result<Vec<Number>, TooLarge> {
    let mut all: Vec<Number> = vec![Number::one()];
    for place in 1..=last {
        let mut sum = Number::zero();
        let mut binomial = Number::one();
        for (inner, number) in all.iter().enumerate() {
            let part = binomial.checked_mul(number).ok_or(TooLarge)?;
            sum = sum.checked_add(&part).ok_or(TooLarge)?;
            let (above, below) = ((place + 1 - inner) as i128, inner as i128 + 1);
            binomial = binomial.checked_mul(&Number::new(above, below)).ok_or(TooLarge)?;
        }
        all.push(sum.checked_mul(&Number::new(-1, place as i128 + 1)).ok_or(TooLarge)?);
    }
    Ok(all)
}
