//! Symbolic expressions over integers: sums of products with exact rational coefficients.
//!
//! They are always in normal form: products are multiplied out, equal terms are added up, so that
//! equal polynomials are equal values. What is no polynomial (a rounding, a minimum, a quotient of
//! sums) is an [`Atom`] in a product. Symbols stand for integers, as those of SDFGs do.

mod batch;
mod divide;
mod evaluate;
mod functions;
mod parse;
mod print;
mod sum;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use num_rational::Ratio;
use num_traits::{CheckedAdd, CheckedMul, One, Signed, Zero};

pub use batch::{Batch, Slot, Values};
pub use evaluate::{Bindings, Unknown, Value};
pub use functions::Function;
pub use parse::{ParseError, parse};
pub use sum::Progression;

/// An exact rational number.
pub type Number = Ratio<i128>;

/// More terms are not multiplied out; the product stays one.
const MOST_TERMS: usize = 512;
/// What would get larger is not multiplied out either, see [`Expr::size`].
const MOST_SIZE: usize = 1 << 14;

/// A number left the 128 bits of exact arithmetic.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a number in the expression is too large for exact arithmetic")]
pub struct TooLarge;

/// A sum of products.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Expr {
    /// By product; no coefficient is 0.
    terms: Vec<(Product, Number)>,
}

/// A product of powers; the empty one is 1. Sorted, no exponent is 0.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
struct Product {
    factors: Vec<(Atom, i32)>,
}

/// What is multiplied.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Atom {
    /// An unknown by name.
    Symbol(Arc<str>),
    /// A function of expressions.
    Call(Function, Vec<Expr>),
    /// A sum that is not multiplied out: it is divided by, or it is too long.
    Sum(Expr),
    /// A power whose exponent is no small whole number.
    Power(Box<(Expr, Expr)>),
}

impl Expr {
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

    fn atom(atom: Atom) -> Expr {
        let product = Product { factors: vec![(atom, 1)] };
        Expr { terms: vec![(product, Number::one())] }
    }

    /// What is divided by 0: it stays so whatever is done with it, and is told when it is evaluated.
    fn undefined() -> Expr {
        let product = Product { factors: vec![(Atom::Sum(Expr::default()), -1)] };
        Expr { terms: vec![(product, Number::one())] }
    }

    fn is_undefined(&self) -> bool {
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

    /// The unknowns in it, by name.
    pub fn symbols(&self) -> BTreeSet<&str> {
        let mut found = BTreeSet::new();
        let mut open = vec![self];
        while let Some(expr) = open.pop() {
            for (atom, _) in expr.terms.iter().flat_map(|(product, _)| &product.factors) {
                match atom {
                    Atom::Symbol(name) => drop(found.insert(&**name)),
                    Atom::Call(_, arguments) => open.extend(arguments),
                    Atom::Sum(sum) => open.push(sum),
                    Atom::Power(power) => open.extend([&power.0, &power.1]),
                }
            }
        }
        found
    }

    /// Whether it holds a function that has no meaning here, such as an element of an array.
    pub(crate) fn has_unknown_function(&self) -> bool {
        let mut open = vec![self];
        while let Some(expr) = open.pop() {
            for (atom, _) in expr.terms.iter().flat_map(|(product, _)| &product.factors) {
                match atom {
                    Atom::Symbol(_) => {}
                    Atom::Call(Function::Other(_), _) => return true,
                    Atom::Call(_, arguments) => open.extend(arguments),
                    Atom::Sum(sum) => open.push(sum),
                    Atom::Power(power) => open.extend([&power.0, &power.1]),
                }
            }
        }
        false
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
        Ok(Expr { terms })
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

    fn from_factors(factors: impl IntoIterator<Item = (Atom, i32)>) -> Result<Expr, TooLarge> {
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

    /// A power with a whole exponent.
    fn to_the(&self, exponent: i32) -> Result<Expr, TooLarge> {
        /// Larger powers of sums stay powers.
        const MOST_MULTIPLIED: i32 = 16;
        match (&self.terms[..], exponent) {
            _ if self.is_undefined() => Ok(Expr::undefined()),
            (_, 0) => Ok(Expr::integer(1)),
            (_, 1) => Ok(self.clone()),
            ([], _) if exponent < 0 => Ok(Expr::undefined()),
            ([], _) => Ok(Expr::default()),
            ([(product, number)], _) => {
                let mut factors = vec![];
                for (atom, own) in &product.factors {
                    factors.push((atom.clone(), i32::checked_mul(*own, exponent).ok_or(TooLarge)?));
                }
                let base = if exponent < 0 { number.recip() } else { *number };
                let number = power_of(base, exponent.unsigned_abs())?;
                Ok(Expr { terms: vec![(Product { factors }, number)] })
            }
            (_, 2..=MOST_MULTIPLIED) => {
                let mut all = self.clone();
                for _ in 1..exponent {
                    if !all.is_multiplied_out_with(self) {
                        return self.power_of_sum(exponent);
                    }
                    all = all.times(self)?;
                }
                Ok(all)
            }
            _ => self.power_of_sum(exponent),
        }
    }

    fn power_of_sum(&self, exponent: i32) -> Result<Expr, TooLarge> {
        // What all terms share goes out, so that equal quotients look alike.
        let (content, rest) = self.primitive()?;
        let sum = Expr::from_factors([(Atom::Sum(rest), exponent)])?;
        content.to_the(exponent)?.times(&sum)
    }

    /// Whether a product is a sum again. Otherwise a short text could ask for all memory: each power
    /// of a sum of powers would hold what is in it many times.
    fn is_multiplied_out_with(&self, other: &Expr) -> bool {
        let (left, right) = (self.terms.len(), other.terms.len());
        let size = || self.size().saturating_mul(right) + other.size().saturating_mul(left);
        left == 1 && right == 1 || left * right <= MOST_TERMS && size() <= MOST_SIZE
    }

    /// How many terms and factors it has, with all that is in them.
    fn size(&self) -> usize {
        let mut size = 0;
        let mut open = vec![self];
        while let Some(expr) = open.pop() {
            size += expr.terms.len();
            for (atom, _) in expr.terms.iter().flat_map(|(product, _)| &product.factors) {
                size += 1;
                match atom {
                    Atom::Symbol(_) => {}
                    Atom::Call(_, arguments) => open.extend(arguments),
                    Atom::Sum(sum) => open.push(sum),
                    Atom::Power(power) => open.extend([&power.0, &power.1]),
                }
            }
        }
        size
    }

    /// The number and product that all terms share, and what is left; the first of it positive.
    fn primitive(&self) -> Result<(Expr, Expr), TooLarge> {
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
        let content = Expr { terms: vec![(shared, content)] };
        let rest = self.divided_by(&content)?;
        Ok((content, rest))
    }

    /// A power.
    pub fn power(&self, exponent: &Expr) -> Result<Expr, TooLarge> {
        let whole = exponent.as_number().filter(Number::is_integer);
        if let Some(whole) = whole.and_then(|number| i32::try_from(number.to_integer()).ok()) {
            /// Larger ones of numbers and sums are told when they are evaluated.
            const LARGEST: i32 = 64;
            if whole.abs() <= LARGEST || self.is_plain_product() {
                return self.to_the(whole);
            }
        }
        if self.as_number().is_some_and(|number| number.is_one()) {
            return Ok(self.clone());
        }
        Ok(Expr::atom(Atom::Power(Box::new((self.clone(), exponent.clone())))))
    }

    /// One product without a number.
    fn is_plain_product(&self) -> bool {
        matches!(&self.terms[..], [(product, number)] if number.is_one() && !product.is_sum())
    }

    /// The same with unknowns replaced.
    pub fn substituted(&self, by: &dyn Fn(&str) -> Option<Expr>) -> Result<Expr, TooLarge> {
        let mut sum = Expr::default();
        for (product, number) in &self.terms {
            let mut term = Expr::number(*number);
            for (atom, exponent) in &product.factors {
                let replaced = match atom {
                    Atom::Symbol(name) => by(name).unwrap_or_else(|| Expr::atom(atom.clone())),
                    Atom::Call(function, arguments) => {
                        let arguments: Result<Vec<Expr>, TooLarge> =
                            arguments.iter().map(|one| one.substituted(by)).collect();
                        Expr::call(function.clone(), arguments?)?
                    }
                    Atom::Sum(inner) => inner.substituted(by)?,
                    Atom::Power(power) => {
                        power.0.substituted(by)?.power(&power.1.substituted(by)?)?
                    }
                };
                term = term.times(&replaced.to_the(*exponent)?)?;
            }
            sum = sum.plus(&term)?;
        }
        Ok(sum)
    }

    /// Whether it is a whole number whatever whole numbers the unknowns are. `false` where that is
    /// not plain to see.
    fn is_whole(&self) -> bool {
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
    fn is_sum(&self) -> bool {
        self.factors.iter().any(|(atom, _)| matches!(atom, Atom::Sum(_)))
    }

    fn is_whole(&self) -> bool {
        self.factors.iter().all(|(atom, exponent)| {
            *exponent > 0
                && match atom {
                    Atom::Symbol(_) => true,
                    Atom::Call(function, arguments) => function.is_whole(arguments),
                    Atom::Sum(sum) => sum.is_whole(),
                    Atom::Power(_) => false,
                }
        })
    }
}

fn power_of(base: Number, exponent: u32) -> Result<Number, TooLarge> {
    // All others get too large soon, whatever the exponent.
    if base.abs().is_one() {
        return Ok(if exponent.is_multiple_of(2) { Number::one() } else { base });
    }
    let mut all = Number::one();
    for _ in 0..exponent {
        all = all.checked_mul(&base).ok_or(TooLarge)?;
    }
    Ok(all)
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
