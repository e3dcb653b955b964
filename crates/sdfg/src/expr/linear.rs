//! Expressions as sums of unknowns with whole factors.

use num_traits::One as _;

use super::terms::Atom;
use super::{Expr, Function};

/// A whole number, and unknowns with whole factors.
pub(crate) type Linear<'e> = (i128, Vec<(&'e str, i128)>);

impl Expr {
    /// The same as a sum of unknowns with whole factors, if it is one.
    pub(crate) fn linear(&self) -> Option<Linear<'_>> {
        let (mut constant, mut terms) = (0, vec![]);
        for (product, number) in &self.terms {
            if !number.is_integer() {
                return None;
            }
            match &product.factors[..] {
                [] => constant = number.to_integer(),
                [(Atom::Symbol(name), 1)] => terms.push((&**name, number.to_integer())),
                _ => return None,
            }
        }
        Some((constant, terms))
    }

    /// Of a sum with a minimum (or maximum) in it: the sum with each of what it is the minimum of; the sum
    /// itself where there is none.
    pub(crate) fn alternatives(&self, of: &Function) -> Vec<Expr> {
        let found = self.terms.iter().enumerate().find_map(|(place, (product, number))| {
            match &product.factors[..] {
                [(Atom::Call(function, arguments), 1)] if function == of && number.is_one() => {
                    Some((place, arguments))
                }
                _ => None,
            }
        });
        let Some((place, arguments)) = found else { return vec![self.clone()] };
        let mut rest = self.clone();
        rest.terms.remove(place);
        let each = arguments.iter().map(|argument| rest.plus(argument));
        let sums: Result<Vec<Expr>, _> = each.collect();
        match sums {
            Ok(sums) => sums.iter().flat_map(|sum| sum.alternatives(of)).collect(),
            Err(_) => vec![self.clone()],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::parse;

    #[test]
    fn sums_are_linear_and_products_are_not() {
        let sum = parse("3*i - j + 7").unwrap();
        let (constant, mut terms) = sum.linear().unwrap();
        terms.sort_unstable();
        assert_eq!((constant, terms), (7, vec![("i", 3), ("j", -1)]));
        for other in ["i*j", "i/2", "int_floor(i, 2)", "i**2"] {
            assert_eq!(parse(other).unwrap().linear(), None, "{other}");
        }
    }

    #[test]
    fn minima_are_taken_apart() {
        let told = parse("Min(N - 1, 32*t + 31) + 1").unwrap().alternatives(&Function::Min);
        let mut told: Vec<String> = told.iter().map(ToString::to_string).collect();
        told.sort();
        assert_eq!(told, ["32*(t + 1)", "N"]);
    }
}
