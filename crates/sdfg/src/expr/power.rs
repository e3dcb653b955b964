//! Powers.

use num_traits::{CheckedMul as _, One as _, Signed as _};

use super::terms::{Atom, Product};
use super::{Expr, Number, TooLarge};

impl Expr {
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

    /// A power with a whole exponent.
    pub(super) fn to_the(&self, exponent: i32) -> Result<Expr, TooLarge> {
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
