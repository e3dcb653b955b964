//! Expressions as people write them: what all terms share stands before the sum.

use std::fmt;

use num_traits::{One as _, Signed as _, Zero as _};

use super::functions::{CONSTANTS, SUBSCRIPT};
use super::series::Series;
use super::terms::{Atom, Product};
use super::{Expr, Function, Number};

impl fmt::Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(text) = self.as_call().and_then(|(function, all)| infix(function, all)) {
            return write!(f, "{text}");
        }
        if self.terms.len() > 1
            && let Ok((content, rest)) = self.primitive()
            && let [(shared, number)] = &content.terms[..]
            && (!shared.factors.is_empty() || !number.abs().is_one())
        {
            // `7*(H*W - 2*H)` reads better than `-7*(2*H - H*W)`.
            let (number, rest) = match rest.negated() {
                Ok(negated) if number.is_negative() && rest.begins_negative() => {
                    (-*number, negated)
                }
                _ => (*number, rest),
            };
            let sum = Product { factors: vec![(Atom::Sum(rest), 1)] };
            return write_term(f, &[shared, &sum], number);
        }
        self.write_terms(f)
    }
}

impl Expr {
    /// Term by term: what all share was taken out, or is not.
    fn write_terms(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut terms = self.highest_first();
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

    /// The highest powers first, as sympy prints them.
    fn highest_first(&self) -> Vec<&(Product, Number)> {
        let mut terms: Vec<_> = self.terms.iter().collect();
        terms.sort_by_key(|(product, _)| (std::cmp::Reverse(product.degree()), product));
        terms
    }

    fn begins_negative(&self) -> bool {
        self.highest_first().first().is_some_and(|(_, number)| number.is_negative())
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
        match (atom, exponent.unsigned_abs()) {
            (_, 1) => write!(f, "{atom}")?,
            // `a**b**c` is `a**(b**c)`.
            (Atom::Power(_), more) => write!(f, "({atom})**{more}")?,
            (_, more) => write!(f, "{atom}**{more}")?,
        }
    }
    Ok(())
}

impl fmt::Display for Atom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Atom::Symbol(name) => write!(f, "{name}"),
            Atom::Sum(sum) => {
                write!(f, "(")?;
                sum.write_terms(f)?;
                write!(f, ")")
            }
            Atom::Series(series) => write_series(f, series),
            Atom::Power(power) => {
                let (base, exponent) = &**power;
                match base.as_symbol() {
                    Some(name) => write!(f, "{name}**({exponent})"),
                    None => write!(f, "({base})**({exponent})"),
                }
            }
            Atom::Call(function, arguments) => match infix(function, arguments) {
                Some(text) => write!(f, "({text})"),
                None => write_call(f, function, arguments),
            },
        }
    }
}

/// `Sum(body, (i, 0, N - 1))`, as sympy prints it.
fn write_series(f: &mut fmt::Formatter<'_>, series: &Series) -> fmt::Result {
    let mut name = series.name.to_string();
    let taken: Vec<&Series> = series
        .body
        .atoms()
        .filter_map(|atom| match atom {
            Atom::Series(inner) => Some(&**inner),
            _ => None,
        })
        .collect();
    let symbols = series.body.symbols();
    while symbols.contains(&*name) || taken.iter().any(|inner| *inner.name == *name) {
        name.push('_');
    }
    let named = Expr::symbol(&name);
    let body = series
        .body
        .substituted(&|symbol| (symbol == &*series.variable).then(|| named.clone()))
        .map_err(|_| fmt::Error)?;
    let last = series.count.minus(&Expr::integer(1)).map_err(|_| fmt::Error)?;
    write!(f, "Sum({body}, ({name}, 0, {last}))")
}

/// A comparison or a junction as Python writes it, without parentheses around it.
fn infix(function: &Function, arguments: &[Expr]) -> Option<String> {
    let joined = |word: &str| {
        let all: Vec<String> = arguments.iter().map(in_junction).collect();
        all.join(word)
    };
    let sign = match (function, arguments) {
        (Function::And, _) => return Some(joined(" and ")),
        (Function::Or, _) => return Some(joined(" or ")),
        (Function::Not, [one]) => return Some(format!("not {}", in_junction(one))),
        (Function::Equal, [_, _]) => "==",
        (Function::NotEqual, [_, _]) => "!=",
        (Function::Less, [_, _]) => "<",
        (Function::LessOrEqual, [_, _]) => "<=",
        _ => return None,
    };
    let [left, right] = [0, 1].map(|side| in_comparison(&arguments[side]));
    Some(format!("{left} {sign} {right}"))
}

/// `a < b < c` would compare neighbours.
fn in_comparison(one: &Expr) -> String {
    match one.as_call().and_then(|(function, arguments)| infix(function, arguments)) {
        Some(truth) => format!("({truth})"),
        None => one.to_string(),
    }
}

/// Comparisons bind tighter than `and`; what else is a truth stands in parentheses.
fn in_junction(one: &Expr) -> String {
    match one.as_call() {
        Some((Function::And | Function::Or, _)) => format!("({one})"),
        _ => one.to_string(),
    }
}

fn write_call(f: &mut fmt::Formatter<'_>, function: &Function, arguments: &[Expr]) -> fmt::Result {
    let list = |all: &[Expr]| {
        let all: Vec<String> = all.iter().map(|one| one.to_string()).collect();
        all.join(", ")
    };
    if let (Function::Other(name), [array, indices @ ..]) = (function, arguments)
        && &**name == SUBSCRIPT
        && array.as_symbol().is_some()
    {
        return write!(f, "{array}[{}]", list(indices));
    }
    if let (Function::Other(name), []) = (function, arguments)
        && CONSTANTS.contains(&&**name)
    {
        return write!(f, "{name}");
    }
    if let Function::Elements(dimensions) = function {
        let boxes = arguments.chunks(1 + 3 * *dimensions as usize).map(|one| {
            let spans = one[1..].chunks(3).map(|span| match span[2].as_number() {
                Some(step) if step.is_one() => format!("{}..{}", span[0], span[1]),
                _ => format!("{}..{} by {}", span[0], span[1], span[2]),
            });
            format!("[{}]", spans.collect::<Vec<_>>().join(", "))
        });
        return write!(f, "elements({})", boxes.collect::<Vec<_>>().join(" | "));
    }
    if *function == Function::Piecewise {
        let truth = |condition: &Expr| match condition.as_number() {
            Some(number) if number.is_zero() => "False".to_owned(),
            Some(_) => "True".to_owned(),
            None => condition.to_string(),
        };
        let cases =
            arguments.chunks_exact(2).map(|pair| format!("({}, {})", pair[0], truth(&pair[1])));
        return write!(f, "Piecewise({})", cases.collect::<Vec<_>>().join(", "));
    }
    write!(f, "{}({})", function.name(), list(arguments))
}
