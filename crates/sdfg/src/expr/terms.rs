//! Sums of products.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use num_rational::Ratio;
use num_traits::{CheckedAdd, CheckedMul, One, Signed, Zero};

use super::functions;
use super::functions::Function;
use super::series::Series;

/// An exact rational number.
pub type Number = Ratio<i128>;

/// More terms are not multiplied out; the product stays one.
const MOST_TERMS: usize = 512;

/// What would get larger is not multiplied out either, see [`Expr::size`].
const MOST_SIZE: usize = 1 << 14;

/// Longer sums, and what is larger in all, are told to be too large.
const LARGEST: usize = 1 << 17;

/// Functions in functions, and sums in products, are followed so far: working on them calls itself.
const DEEPEST: usize = 150;

/// A number left the 128 bits of exact arithmetic, or an expression got too long or too deep.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the expression, or a number in it, is too large")]
pub struct TooLarge;

/// A sum of products.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Expr {
    /// By product; no coefficient is 0.
    pub(super) terms: Vec<(Product, Number)>,
}

/// A product of powers; the empty one is 1. Sorted, no exponent is 0.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub(super) struct Product {
    pub(super) factors: Vec<(Atom, i32)>,
}

/// What is multiplied.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Atom {
    /// An unknown by name.
    Symbol(Arc<str>),
    /// A function of expressions.
    Call(Function, Vec<Expr>),
    /// A sum that is not multiplied out: it is divided by, or it is too long.
    Sum(Expr),
    /// A power whose exponent is not a small whole number.
    Power(Box<(Expr, Expr)>),
    /// A sum over a variable that has no closed form here.
    Series(Box<Series>),
}

impl Expr {
    /// How many factors and terms its sum has.
    pub(crate) fn factor_count(&self) -> usize {
        self.terms.iter().map(|(product, _)| 1 + product.factors.len()).sum()
    }

    /// A whole number.
    pub fn integer(value: i128) -> Expr {
        Expr::number(Number::from_integer(value))
    }

    /// A rational number.
    pub fn number(value: Number) -> Expr {
        let terms = if value.is_zero() { vec![] } else { vec![(Product::default(), value)] };
        Expr { terms }
    }

    /// An unknown.
    pub fn symbol(name: &str) -> Expr {
        Expr::atom(Atom::Symbol(name.into()))
    }

    pub(super) fn atom(atom: Atom) -> Expr {
        let product = Product { factors: vec![(atom, 1)] };
        Expr { terms: vec![(product, Number::one())] }
    }

    /// What is divided by 0: it stays so whatever is done with it, and is told when it is evaluated.
    pub(super) fn undefined() -> Expr {
        let product = Product { factors: vec![(Atom::Sum(Expr::default()), -1)] };
        Expr { terms: vec![(product, Number::one())] }
    }

    pub(super) fn is_undefined(&self) -> bool {
        match &self.terms[..] {
            [(product, _)] => {
                matches!(&product.factors[..], [(Atom::Sum(sum), _)] if sum.is_zero())
            }
            _ => false,
        }
    }

    /// The number that it is, if it holds nothing unknown.
    pub fn as_number(&self) -> Option<Number> {
        match &self.terms[..] {
            [] => Some(Number::zero()),
            [(product, number)] if product.factors.is_empty() => Some(*number),
            _ => None,
        }
    }

    /// The name, if it is one unknown and nothing else.
    pub fn as_symbol(&self) -> Option<&str> {
        match &self.terms[..] {
            [(product, number)] if number.is_one() => match &product.factors[..] {
                [(Atom::Symbol(name), 1)] => Some(name),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether it is 0 whatever the unknowns are.
    pub fn is_zero(&self) -> bool {
        self.terms.is_empty()
    }

    /// The unknowns in it, by name. What a sum runs over is none.
    pub fn symbols(&self) -> BTreeSet<&str> {
        let names = self.atoms().filter_map(|atom| match atom {
            Atom::Symbol(name) => Some(&**name),
            _ => None,
        });
        let mut found: BTreeSet<&str> = names.collect();
        for atom in self.atoms() {
            if let Atom::Series(series) = atom {
                found.remove(&*series.variable);
            }
        }
        found
    }

    /// Whether an unknown, or what a sum around it runs over, is in it.
    pub(super) fn contains(&self, name: &str) -> bool {
        self.atoms().any(|atom| matches!(atom, Atom::Symbol(symbol) if &**symbol == name))
    }

    /// Whether it holds a function that has no meaning here, such as an element of an array.
    pub(crate) fn has_unknown_function(&self) -> bool {
        self.atoms().any(|atom| matches!(atom, Atom::Call(Function::Other(_), _)))
    }

    /// The elements of arrays that it names: the array and the indices.
    pub(crate) fn subscripts(&self) -> Vec<(&str, &[Expr])> {
        let all = self.atoms().filter_map(|atom| match atom {
            Atom::Call(Function::Other(name), parts) if **name == *functions::SUBSCRIPT => {
                let (array, indices) = parts.split_first()?;
                Some((array.as_symbol()?, indices))
            }
            _ => None,
        });
        all.collect()
    }

    /// All atoms in it, those in other atoms as well.
    pub(super) fn atoms(&self) -> impl Iterator<Item = &Atom> {
        let mut open = vec![self.terms.iter()];
        let mut factors: std::slice::Iter<'_, (Atom, i32)> = [].iter();
        std::iter::from_fn(move || {
            loop {
                if let Some((atom, _)) = factors.next() {
                    open.extend(atom.parts().map(|part| part.terms.iter()));
                    return Some(atom);
                }
                match open.last_mut()?.next() {
                    Some((product, _)) => factors = product.factors.iter(),
                    None => drop(open.pop()),
                }
            }
        })
    }

    /// The sum.
    pub fn plus(&self, other: &Expr) -> Result<Expr, TooLarge> {
        if other.is_zero() || self.is_undefined() {
            return Ok(self.clone());
        }
        if self.is_zero() || other.is_undefined() {
            return Ok(other.clone());
        }
        let mut terms = Vec::with_capacity(self.terms.len() + other.terms.len());
        let (mut left, mut right) = (self.terms.iter().peekable(), other.terms.iter().peekable());
        loop {
            let order = match (left.peek(), right.peek()) {
                (None, None) => break,
                (Some(_), None) => std::cmp::Ordering::Less,
                (None, Some(_)) => std::cmp::Ordering::Greater,
                (Some(a), Some(b)) => a.0.cmp(&b.0),
            };
            match order {
                std::cmp::Ordering::Less => terms.extend(left.next().cloned()),
                std::cmp::Ordering::Greater => terms.extend(right.next().cloned()),
                std::cmp::Ordering::Equal => {
                    if let (Some((product, a)), Some((_, b))) = (left.next(), right.next()) {
                        let sum = a.checked_add(b).ok_or(TooLarge)?;
                        if !sum.is_zero() {
                            terms.push((product.clone(), sum));
                        }
                    }
                }
            }
        }
        if terms.len() > LARGEST { Err(TooLarge) } else { Ok(Expr { terms }) }
    }

    /// All of some added up.
    pub fn sum(all: impl IntoIterator<Item = Expr>) -> Result<Expr, TooLarge> {
        let mut level: Vec<Expr> = all.into_iter().filter(|one| !one.is_zero()).collect();
        // Neighbours first: one after the other would copy a long sum for each.
        while level.len() > 1 {
            level = level
                .chunks(2)
                .map(|pair| match pair {
                    [a, b] => a.plus(b),
                    rest => Ok(rest[0].clone()),
                })
                .collect::<Result<_, TooLarge>>()?;
        }
        Ok(level.pop().unwrap_or_default())
    }

    /// Minus this.
    pub fn negated(&self) -> Result<Expr, TooLarge> {
        self.scaled(Number::from_integer(-1))
    }

    /// The difference.
    pub fn minus(&self, other: &Expr) -> Result<Expr, TooLarge> {
        self.plus(&other.negated()?)
    }

    /// This times a number.
    pub fn scaled(&self, by: Number) -> Result<Expr, TooLarge> {
        if self.is_undefined() {
            return Ok(self.clone());
        }
        if by.is_zero() {
            return Ok(Expr::default());
        }
        let scale = |(product, number): &(Product, Number)| {
            Ok((product.clone(), number.checked_mul(&by).ok_or(TooLarge)?))
        };
        Ok(Expr { terms: self.terms.iter().map(scale).collect::<Result<_, TooLarge>>()? })
    }

    /// The product.
    pub fn times(&self, other: &Expr) -> Result<Expr, TooLarge> {
        if self.is_undefined() || other.is_undefined() {
            return Ok(Expr::undefined());
        }
        if let Some(number) = other.as_number() {
            return self.scaled(number);
        }
        if let Some(number) = self.as_number() {
            return other.scaled(number);
        }
        if !self.is_multiplied_out_with(other) {
            return Expr::from_factors([self, other].map(|sum| (Atom::Sum(sum.clone()), 1)));
        }
        if let ([term], all) | (all, [term]) = (&self.terms[..], &other.terms[..]) {
            return Expr::spread(term, all);
        }
        let mut terms = BTreeMap::<Product, Number>::new();
        for (a, first) in &self.terms {
            for (b, second) in &other.terms {
                let number = first.checked_mul(second).ok_or(TooLarge)?;
                let sum = terms.entry(a.times(b)?).or_insert_with(Number::zero);
                *sum = sum.checked_add(&number).ok_or(TooLarge)?;
            }
        }
        terms.retain(|_, number| !number.is_zero());
        Ok(Expr { terms: terms.into_iter().collect() })
    }

    /// A term times each of others.
    fn spread(term: &(Product, Number), others: &[(Product, Number)]) -> Result<Expr, TooLarge> {
        let mut terms = Vec::with_capacity(others.len());
        for (product, number) in others {
            let number = number.checked_mul(&term.1).ok_or(TooLarge)?;
            terms.push((product.times(&term.0)?, number));
        }
        terms.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        Ok(Expr { terms })
    }

    pub(super) fn from_factors(
        factors: impl IntoIterator<Item = (Atom, i32)>,
    ) -> Result<Expr, TooLarge> {
        let mut product = Product::default();
        for (atom, exponent) in factors {
            product = product.times(&Product { factors: vec![(atom, exponent)] })?;
        }
        Ok(Expr { terms: vec![(product, Number::one())] })
    }

    /// The exact quotient; division by what is 0 is told when it is evaluated.
    pub fn divided_by(&self, other: &Expr) -> Result<Expr, TooLarge> {
        self.times(&other.to_the(-1)?)
    }

    /// Whether a product is a sum again. Otherwise a short text could ask for all memory: each power
    /// of a sum of powers would hold what is in it many times.
    pub(super) fn is_multiplied_out_with(&self, other: &Expr) -> bool {
        let (left, right) = (self.terms.len(), other.terms.len());
        let size = || self.size().saturating_mul(right) + other.size().saturating_mul(left);
        // A product of symbols makes no sum longer.
        let is_plain = |one: &Expr| one.atoms().all(|atom| matches!(atom, Atom::Symbol(_)));
        left == 1 && (right == 1 || is_plain(self))
            || right == 1 && is_plain(other)
            || left * right <= MOST_TERMS && size() <= MOST_SIZE
    }

    /// How many terms and factors it has, with all that is in them.
    pub(super) fn size(&self) -> usize {
        let inside =
            self.atoms().map(|atom| 1 + atom.parts().map(|part| part.terms.len()).sum::<usize>());
        self.terms.len() + inside.sum::<usize>()
    }

    /// How many functions and sums are in each other.
    fn depth(&self) -> usize {
        let mut deepest = 0;
        let mut open = vec![(self, 0)];
        while let Some((expr, depth)) = open.pop() {
            deepest = deepest.max(depth);
            for (atom, _) in expr.terms.iter().flat_map(|(product, _)| &product.factors) {
                open.extend(atom.parts().map(|part| (part, depth + 1)));
            }
        }
        deepest
    }

    /// One that can be worked on.
    pub(super) fn bounded(self) -> Result<Expr, TooLarge> {
        if self.size() > LARGEST || self.depth() > DEEPEST { Err(TooLarge) } else { Ok(self) }
    }

    /// The number and product that all terms share, and what is left; the first of it positive.
    pub(super) fn primitive(&self) -> Result<(Expr, Expr), TooLarge> {
        let Some(((first, number), others)) = self.terms.split_first() else {
            return Ok((Expr::integer(1), self.clone()));
        };
        let mut shared = first.clone();
        let mut content = number.abs();
        for (product, number) in others {
            shared = shared.common(product);
            content = common_factor(content, *number);
        }
        // The last term is the largest in the order of products.
        if self.terms.last().is_some_and(|(_, number)| number.is_negative()) {
            content = -content;
        }
        let inverse = (shared.inverse()?, content.recip());
        let rest = Expr::spread(&inverse, &self.terms)?;
        Ok((Expr { terms: vec![(shared, content)] }, rest))
    }

    /// Whether it is a whole number whatever whole numbers the unknowns are. `false` where that is
    /// not plain to see.
    pub(crate) fn is_whole(&self) -> bool {
        self.terms.iter().all(|(product, number)| number.is_integer() && product.is_whole())
    }
}

impl Product {
    fn times(&self, other: &Product) -> Result<Product, TooLarge> {
        let mut factors: BTreeMap<Atom, i32> = self.factors.iter().cloned().collect();
        for (atom, exponent) in &other.factors {
            let sum = factors.entry(atom.clone()).or_default();
            *sum = sum.checked_add(*exponent).ok_or(TooLarge)?;
        }
        factors.retain(|_, exponent| *exponent != 0);
        Ok(Product { factors: factors.into_iter().collect() })
    }

    fn inverse(&self) -> Result<Product, TooLarge> {
        let inverse = |(atom, exponent): &(Atom, i32)| {
            Ok((atom.clone(), exponent.checked_neg().ok_or(TooLarge)?))
        };
        Ok(Product { factors: self.factors.iter().map(inverse).collect::<Result<_, TooLarge>>()? })
    }

    /// What two products share: of each atom the smaller power, above or below the fraction's line.
    fn common(&self, other: &Product) -> Product {
        let shared = |(atom, exponent): &(Atom, i32)| {
            let (_, theirs) = other.factors.iter().find(|(known, _)| known == atom)?;
            let smaller = exponent.unsigned_abs().min(theirs.unsigned_abs()) as i32;
            (exponent.signum() == theirs.signum())
                .then(|| (atom.clone(), smaller * exponent.signum()))
        };
        Product { factors: self.factors.iter().filter_map(shared).collect() }
    }

    /// Has sums that are not multiplied out.
    pub(super) fn is_sum(&self) -> bool {
        self.factors.iter().any(|(atom, _)| matches!(atom, Atom::Sum(_)))
    }

    pub(crate) fn is_whole(&self) -> bool {
        self.factors.iter().all(|(atom, exponent)| {
            *exponent > 0
                && match atom {
                    Atom::Symbol(_) => true,
                    Atom::Call(function, arguments) => function.is_whole(arguments),
                    Atom::Sum(sum) => sum.is_whole(),
                    Atom::Power(_) => false,
                    Atom::Series(series) => series.body.is_whole(),
                }
        })
    }
}

impl Atom {
    /// The expressions in it.
    pub(super) fn parts(&self) -> impl Iterator<Item = &Expr> {
        let (several, first, second): (&[Expr], Option<&Expr>, Option<&Expr>) = match self {
            Atom::Symbol(_) => (&[], None, None),
            Atom::Call(_, arguments) => (arguments, None, None),
            Atom::Sum(sum) => (&[], Some(sum), None),
            Atom::Power(power) => (&[], Some(&power.0), Some(&power.1)),
            Atom::Series(series) => (&[], Some(&series.count), Some(&series.body)),
        };
        several.iter().chain(first).chain(second)
    }
}

/// The largest positive number of which both are whole multiples.
fn common_factor(a: Number, b: Number) -> Number {
    let divisor = |mut a: i128, mut b: i128| {
        while b != 0 {
            (a, b) = (b, a % b);
        }
        a.saturating_abs()
    };
    let (left, right) = (*a.denom(), *b.denom());
    let numerator = divisor(*a.numer(), *b.numer());
    match (left / divisor(left, right)).checked_mul(right) {
        Some(denominator) if numerator != 0 => Number::new(numerator, denominator),
        _ => Number::one(),
    }
}
