//! Division of polynomials that leaves nothing over.

use std::cmp::Ordering;

use num_rational::Ratio;
use num_traits::CheckedDiv as _;

use super::terms::Product;
use super::{Expr, Number, TooLarge};

impl Expr {
    /// The quotient, without a fraction where the division comes out even: it is then told where the
    /// divisor is 0, too.
    pub(crate) fn quotient(&self, by: &Expr) -> Result<Expr, TooLarge> {
        match self.even_quotient(by) {
            Some(quotient) => Ok(quotient),
            None => self.divided_by(by),
        }
    }

    /// Long division; nothing if something is left over or it takes too long.
    fn even_quotient(&self, by: &Expr) -> Option<Expr> {
        /// Of terms of the quotient.
        const MOST: usize = 512;
        let (leading, factor) = by.leading_term()?;
        let inverse = Ratio::from_integer(1).checked_div(&factor)?;
        let divisor = Expr { terms: vec![(leading, inverse)] }.inverse_of_product()?;
        let (mut rest, mut quotient) = (self.clone(), Expr::default());
        for _ in 0..MOST {
            let Some((product, number)) = rest.leading_term() else { return Some(quotient) };
            let term = Expr { terms: vec![(product, number)] }.times(&divisor).ok()?;
            if !term.terms.iter().all(|(product, _)| product.is_above_the_line()) {
                return None;
            }
            rest = rest.minus(&term.times(by).ok()?).ok()?;
            quotient = quotient.plus(&term).ok()?;
        }
        None
    }

    /// `number / product` of `number * product`.
    fn inverse_of_product(mut self) -> Option<Expr> {
        for (product, _) in &mut self.terms {
            for (_, exponent) in &mut product.factors {
                *exponent = exponent.checked_neg()?;
            }
        }
        Some(self)
    }

    fn leading_term(&self) -> Option<(Product, Number)> {
        self.terms.iter().max_by(|a, b| a.0.compare_powers(&b.0)).cloned()
    }
}

impl Product {
    /// By the power of the first factor in which they differ: an order that products keep.
    fn compare_powers(&self, other: &Product) -> Ordering {
        let (mut left, mut right) =
            (self.factors.iter().peekable(), other.factors.iter().peekable());
        loop {
            let order = match (left.peek(), right.peek()) {
                (None, None) => return Ordering::Equal,
                (Some((_, power)), None) => power.cmp(&0),
                (None, Some((_, power))) => 0.cmp(power),
                (Some((a, power)), Some((b, other))) => match a.cmp(b) {
                    Ordering::Less => power.cmp(&0),
                    Ordering::Greater => 0.cmp(other),
                    Ordering::Equal => power.cmp(other),
                },
            };
            if order != Ordering::Equal {
                return order;
            }
            left.next();
            right.next();
        }
    }

    fn is_above_the_line(&self) -> bool {
        self.factors.iter().all(|&(_, exponent)| exponent > 0)
    }
}
