//! The same expression with something in it replaced.

use super::{Atom, Expr, Function, Series, TooLarge};

/// What a function of expressions becomes.
type Rule<'r> = &'r dyn Fn(Function, Vec<Expr>) -> Result<Expr, TooLarge>;

impl Expr {
    /// The same with unknowns replaced.
    pub fn substituted(&self, by: &dyn Fn(&str) -> Option<Expr>) -> Result<Expr, TooLarge> {
        self.rewritten(by, &Expr::call)
    }

    /// The same with unknowns and functions replaced, from the innermost outwards.
    pub(super) fn rewritten(
        &self,
        symbol: &dyn Fn(&str) -> Option<Expr>,
        call: Rule<'_>,
    ) -> Result<Expr, TooLarge> {
        let mut all = Vec::with_capacity(self.terms.len());
        for (product, number) in &self.terms {
            let mut term = Expr::number(*number);
            for (atom, exponent) in &product.factors {
                let replaced = atom.rewritten(symbol, call)?;
                term = term.times(&replaced.to_the(*exponent)?)?;
            }
            all.push(term);
        }
        Expr::sum(all)?.bounded()
    }
}

impl Atom {
    fn rewritten(
        &self,
        symbol: &dyn Fn(&str) -> Option<Expr>,
        call: Rule<'_>,
    ) -> Result<Expr, TooLarge> {
        match self {
            Atom::Symbol(name) => Ok(symbol(name).unwrap_or_else(|| Expr::atom(self.clone()))),
            Atom::Call(function, arguments) => {
                let arguments: Result<Vec<Expr>, TooLarge> =
                    arguments.iter().map(|one| one.rewritten(symbol, call)).collect();
                call(function.clone(), arguments?)
            }
            Atom::Sum(inner) => inner.rewritten(symbol, call),
            Atom::Power(power) => {
                power.0.rewritten(symbol, call)?.power(&power.1.rewritten(symbol, call)?)
            }
            Atom::Series(series) => {
                // What comes in may hold sums whose variable has the name of this one's.
                let coming = series.body.symbols().into_iter().filter_map(symbol);
                let level = coming.map(|one| one.next_level()).max().unwrap_or(0);
                let variable = Series::variable(level.max(series.level()));
                let count = series.count.rewritten(symbol, call)?;
                let body = series.body.rewritten(
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
