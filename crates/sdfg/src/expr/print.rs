//! Expressions as people write them: what all terms share stands before the sum.

use std::fmt;

use num_traits::{One as _, Signed as _};

use super::{Atom, Expr, Number, Product};

impl fmt::Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.terms.len() > 1
            && let Ok((content, rest)) = self.primitive()
            && let [(shared, number)] = &content.terms[..]
            && (!shared.factors.is_empty() || !number.abs().is_one())
        {
            let sum = Product { factors: vec![(Atom::Sum(rest), 1)] };
            return write_term(f, &[shared, &sum], *number);
        }
        // The highest powers first, as sympy prints them.
        let mut terms: Vec<_> = self.terms.iter().collect();
        terms.sort_by_key(|(product, _)| (std::cmp::Reverse(product.degree()), product));
        if terms.is_empty() {
            return write!(f, "0");
        }
        // `1 - N` reads better than `-N + 1`.
        if let Some(place) = terms.iter().position(|(_, number)| number.is_positive()) {
            terms[..=place].rotate_right(1);
        }
        for (place, (product, number)) in terms.into_iter().enumerate() {
            match (place, number.is_negative()) {
                (0, _) => write_term(f, &[product], *number)?,
                (_, true) => {
                    write!(f, " - ")?;
                    write_term(f, &[product], -*number)?;
                }
                (_, false) => {
                    write!(f, " + ")?;
                    write_term(f, &[product], *number)?;
                }
            }
        }
        Ok(())
    }
}

impl Product {
    fn degree(&self) -> i64 {
        self.factors.iter().map(|&(_, exponent)| i64::from(exponent)).sum()
    }
}

/// A number times products: `2*I*J/3`.
fn write_term(f: &mut fmt::Formatter<'_>, products: &[&Product], number: Number) -> fmt::Result {
    let all = || products.iter().flat_map(|product| &product.factors);
    let above: Vec<_> = all().filter(|(_, exponent)| *exponent > 0).collect();
    let below: Vec<_> = all().filter(|(_, exponent)| *exponent < 0).collect();
    let (numerator, denominator) = (*number.numer(), *number.denom());
    if numerator == -1 && !above.is_empty() {
        write!(f, "-")?;
    } else if numerator != 1 || above.is_empty() {
        write!(f, "{numerator}")?;
        if !above.is_empty() {
            write!(f, "*")?;
        }
    }
    write_factors(f, &above)?;
    match (denominator, &below[..]) {
        (1, []) => Ok(()),
        (_, []) => write!(f, "/{denominator}"),
        (1, [one]) => {
            write!(f, "/")?;
            write_factors(f, &[one])
        }
        (1, many) => {
            write!(f, "/(")?;
            write_factors(f, many)?;
            write!(f, ")")
        }
        (_, many) => {
            write!(f, "/({denominator}*")?;
            write_factors(f, many)?;
            write!(f, ")")
        }
    }
}

fn write_factors(f: &mut fmt::Formatter<'_>, factors: &[&(Atom, i32)]) -> fmt::Result {
    for (place, (atom, exponent)) in factors.iter().enumerate() {
        if place > 0 {
            write!(f, "*")?;
        }
        write!(f, "{atom}")?;
        if exponent.unsigned_abs() != 1 {
            write!(f, "**{}", exponent.unsigned_abs())?;
        }
    }
    Ok(())
}

impl fmt::Display for Atom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Atom::Symbol(name) => write!(f, "{name}"),
            Atom::Sum(sum) => write!(f, "({sum})"),
            Atom::Power(power) => {
                let (base, exponent) = &**power;
                match base.as_symbol() {
                    Some(name) => write!(f, "{name}**({exponent})"),
                    None => write!(f, "({base})**({exponent})"),
                }
            }
            Atom::Call(function, arguments) => {
                write!(f, "{}(", function.name())?;
                if function.name() == "Piecewise" {
                    for (place, pair) in arguments.chunks_exact(2).enumerate() {
                        let comma = if place > 0 { ", " } else { "" };
                        write!(f, "{comma}({}, {})", pair[0], pair[1])?;
                    }
                    return write!(f, ")");
                }
                for (place, argument) in arguments.iter().enumerate() {
                    let comma = if place > 0 { ", " } else { "" };
                    write!(f, "{comma}{argument}")?;
                }
                write!(f, ")")
            }
        }
    }
}
