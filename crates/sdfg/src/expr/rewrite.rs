//! The same expression with something in it replaced.

use num_traits::One as _;

use super::series::Series;
use super::terms::Atom;
use super::{Expr, Function, TooLarge};

/// What a function of expressions becomes.
type Rule<'r> = &'r dyn Fn(Function, Vec<Expr>) -> Result<Expr, TooLarge>;

impl Expr {
    /// The same with unknowns replaced.
    pub fn substituted(&self, by: &dyn Fn(&str) -> Option<Expr>) -> Result<Expr, TooLarge> {
        self.replaced(by, None)
    }

    /// The same with functions replaced, from the innermost outwards.
    pub(super) fn rewritten(&self, call: Rule<'_>) -> Result<Expr, TooLarge> {
        self.replaced(&|_| None, Some(call))
    }

    fn replaced(
        &self,
        symbol: &dyn Fn(&str) -> Option<Expr>,
        call: Option<Rule<'_>>,
    ) -> Result<Expr, TooLarge> {
        let stays = |atom: &Atom| call.is_none() && !atom.has_any(symbol);
        let mut all = Vec::with_capacity(self.terms.len());
        for (product, number) in &self.terms {
            // What nothing comes into is in its normal form already.
            if product.factors.iter().all(|(atom, _)| stays(atom)) {
                all.push(Expr { terms: vec![(product.clone(), *number)] });
                continue;
            }
            let mut term: Option<Expr> = None;
            for (atom, exponent) in &product.factors {
                let replaced = match atom {
                    // May be multiplied out with what comes in.
                    Atom::Sum(_) => atom.replaced(symbol, call)?,
                    atom if stays(atom) => Expr::atom(atom.clone()),
                    atom => atom.replaced(symbol, call)?,
                };
                let factor = if *exponent == 1 { replaced } else { replaced.to_the(*exponent)? };
                term = Some(match term {
                    Some(before) => before.times(&factor)?,
                    None => factor,
                });
            }
            let term = term.unwrap_or_else(|| Expr::integer(1));
            let term = if number.is_one() { term } else { term.scaled(*number)? };
            all.push(term);
        }
        Expr::sum(all)?.bounded()
    }
}

impl Atom {
    /// Whether it holds a symbol that is replaced.
    fn has_any(&self, symbol: &dyn Fn(&str) -> Option<Expr>) -> bool {
        let is_replaced = |atom: &Atom| match atom {
            Atom::Symbol(name) => symbol(name).is_some(),
            _ => false,
        };
        is_replaced(self) || self.parts().any(|part| part.atoms().any(is_replaced))
    }

    fn replaced(
        &self,
        symbol: &dyn Fn(&str) -> Option<Expr>,
        call: Option<Rule<'_>>,
    ) -> Result<Expr, TooLarge> {
        match self {
            Atom::Symbol(name) => Ok(symbol(name).unwrap_or_else(|| Expr::atom(self.clone()))),
            Atom::Call(function, arguments) => {
                let arguments: Result<Vec<Expr>, TooLarge> =
                    arguments.iter().map(|one| one.replaced(symbol, call)).collect();
                call.unwrap_or(&Expr::call)(function.clone(), arguments?)
            }
            Atom::Sum(inner) => inner.replaced(symbol, call),
            Atom::Power(power) => {
                power.0.replaced(symbol, call)?.power(&power.1.replaced(symbol, call)?)
            }
            Atom::Series(series) => {
                // What comes in may hold sums whose variable has the name of this one's.
                let coming = series.body.symbols().into_iter().filter_map(symbol);
                let level = coming.map(|one| one.next_level()).max().unwrap_or(0);
                let variable = Series::variable(level.max(series.level()));
                let count = series.count.replaced(symbol, call)?;
                let body = series.body.replaced(
                    &|name| {
                        if name == &*series.variable {
                            Some(Expr::symbol(&variable))
                        } else {
                            symbol(name)
                        }
                    },
                    call,
                )?;
                Series { name: series.name.clone(), variable: variable.into(), count, body }
                    .simplified()
            }
        }
    }
}
