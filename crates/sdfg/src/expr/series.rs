//! Sums over a variable whose body is not a polynomial in it: a closed form where one comes of splitting
//! at the place where a maximum or minimum changes sides, and a formal sum elsewhere.

mod value;

use std::collections::BTreeMap;
use std::sync::Arc;

use num_traits::{One as _, Signed as _, Zero as _};

use super::terms::{Atom, Product};
use super::{Expr, Facts, Function, Number, Progression, TooLarge};

/// The sum of a body over `0, 1, ..., count - 1`; nothing where the count is not above 0.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Series {
    /// The variable as people write it.
    pub(super) name: Arc<str>,
    /// The symbol that stands for the variable in the body. No file has such a name, and of sums in
    /// each other the outer one has the higher level.
    pub(super) variable: Arc<str>,
    pub(super) count: Expr,
    pub(super) body: Expr,
}

/// A product of clamps `Max(0, u)`, one of which may be taken to a power, times what is a polynomial.
struct Clamped {
    /// `a` and `b` of `Max(0, a - b*variable)`.
    line: (Expr, Number),
    power: i32,
}

impl Series {
    /// The variable of a level.
    pub(super) fn variable(level: u32) -> String {
        format!("\0{level}")
    }

    pub(super) fn level(&self) -> u32 {
        self.variable[1..].parse().unwrap_or(0)
    }

    /// With a closed form as far as there is one.
    pub(super) fn closed(self, facts: &Facts) -> Result<Expr, TooLarge> {
        /// Larger ones stay sums: to look for a form takes longer than to work out values.
        const LARGEST: usize = 600;
        if self.body.size() > LARGEST {
            return self.simplified();
        }
        let last = self.count.minus(&Expr::integer(1))?;
        let left = last.minus(&Expr::symbol(&self.variable))?;
        let inside = facts.and([left, last]).and(rounded_up(&self.count)?);
        let body = self.split_at_corners(&inside.settled(&self.body)?)?;
        let body = inside.settled(&body)?;
        let count = facts.at_least_zero(&self.count)?;
        let (mut closed, mut open) = (vec![], vec![]);
        let mut groups: BTreeMap<Expr, (Clamped, Vec<Expr>)> = BTreeMap::new();
        let mut plain = vec![];
        for (product, number) in body.terms {
            let term = Expr { terms: vec![(product, number)] };
            match self.clamp_of(&term) {
                Ok(None) => plain.push(term),
                Ok(Some((clamped, rest))) => {
                    let key = Expr::atom(clamped.atom(&self.variable)?);
                    let key = key.power(&Expr::integer(clamped.power.into()))?;
                    groups.entry(key).or_insert_with(|| (clamped, vec![])).1.push(rest);
                }
                Err(()) => open.push(term),
            }
        }
        let plain = Expr::sum(plain)?;
        // Both ends of a split stand for one sum: what is said of the count goes for both.
        let mut polynomials = vec![(plain, self.count.clone())];
        for (clamped, rest) in groups.into_values() {
            let (a, b) = &clamped.line;
            let inner = a.minus(&Expr::symbol(&self.variable).scaled(*b)?)?;
            let inner = inner.power(&Expr::integer(clamped.power.into()))?;
            let end = a.scaled(b.recip())?.ceiling_divided(&Expr::integer(1))?;
            let end = Expr::call(Function::Max, vec![Expr::default(), end])?;
            let end = Expr::call(Function::Min, vec![end, self.count.clone()])?;
            polynomials.push((Expr::sum(rest)?.times(&inner)?, end));
        }
        let known = |count: &Expr| inside.settled(count);
        let mut assuming = vec![];
        for (polynomial, count) in &polynomials {
            match polynomial.polynomial_sum(&self.variable, &known(count)?)? {
                Some(sum) => assuming.push(sum),
                None => assuming.clear(),
            }
            if assuming.is_empty() {
                break;
            }
        }
        let assuming = (!assuming.is_empty()).then(|| Expr::sum(assuming)).transpose()?;
        match assuming.filter(|sum| sum.vanishes_without(&count)) {
            // What was settled with a count of at least 1 holds without any, too.
            Some(sum) => closed.push(sum),
            None => {
                for (polynomial, end) in polynomials {
                    let end = facts.at_least_zero(&facts.settled(&end)?)?;
                    match polynomial.polynomial_sum(&self.variable, &end)? {
                        Some(sum) => closed.push(sum),
                        None => open.push(polynomial),
                    }
                }
            }
        }
        let open = Expr::sum(open)?;
        if !open.is_zero() {
            closed.push(Series { body: open, ..self }.simplified()?);
        }
        Expr::sum(closed)
    }

    /// The sum as it is, or its value where that is at hand.
    pub(super) fn simplified(self) -> Result<Expr, TooLarge> {
        if self.body.is_zero() {
            return Ok(Expr::default());
        }
        if let Some(count) = self.count.as_number() {
            if !count.is_positive() {
                return Ok(Expr::default());
            }
            if let Some(sum) = self.body.polynomial_sum(&self.variable, &self.count)? {
                return Ok(sum);
            }
        }
        // What does not depend on the variable stands before the sum.
        let (content, rest) = self.body.primitive()?;
        let (mut before, mut inside) = (Product::default(), Product::default());
        let [(product, number)] = &content.terms[..] else { return Ok(Expr::default()) };
        if product.factors.is_empty() && number.is_one() {
            return Expr::atom(Atom::Series(Box::new(self))).bounded();
        }
        for (atom, exponent) in &product.factors {
            let is_inside = Expr::atom(atom.clone()).contains(&self.variable);
            let side = if is_inside { &mut inside } else { &mut before };
            side.factors.push((atom.clone(), *exponent));
        }
        let body = Expr { terms: vec![(inside, Number::one())] }.times(&rest)?;
        let before = Expr { terms: vec![(before, *number)] };
        let series = Series { body, ..self };
        before.times(&Expr::atom(Atom::Series(Box::new(series))))?.bounded()
    }

    /// `Max(a, b)` and `Min(a, b)` of lines as a line and one `Max(0, line)` that falls.
    fn split_at_corners(&self, body: &Expr) -> Result<Expr, TooLarge> {
        if !body.atoms().any(|atom| matches!(atom, Atom::Call(Function::Max | Function::Min, _))) {
            return Ok(body.clone());
        }
        body.rewritten(&|function, arguments| {
            let (is_max, [a, b]) = (function == Function::Max, &arguments[..]) else {
                return Expr::call(function, arguments);
            };
            if !is_max && function != Function::Min {
                return Expr::call(function, arguments);
            }
            let Some((slope, _)) = b.minus(a)?.linear_in(&self.variable) else {
                return Expr::call(function, arguments);
            };
            // `Max(a, b) = a + Max(0, b - a)`, `Min(a, b) = b - Max(0, b - a)`.
            let (low, high) = if slope.is_negative() { (a, b) } else { (b, a) };
            let falling = high.minus(low)?;
            if falling.contains_call_of(&self.variable) {
                return Expr::call(function, arguments);
            }
            let corner = Expr::call(Function::Max, vec![Expr::default(), falling])?;
            if is_max { low.plus(&corner) } else { high.minus(&corner) }
        })
    }

    /// The falling clamp in a term and what it is multiplied by; nothing where the term has the
    /// variable in powers only, an error where it is elsewhere as well.
    fn clamp_of(&self, term: &Expr) -> Result<Option<(Clamped, Expr)>, ()> {
        let [(product, number)] = &term.terms[..] else { return Err(()) };
        let mut found: Option<Clamped> = None;
        let mut rest = Product::default();
        for (atom, exponent) in &product.factors {
            let is_inside = !matches!(atom, Atom::Symbol(_))
                && atom.parts().any(|part| part.contains(&self.variable));
            if !is_inside {
                if matches!(atom, Atom::Symbol(name) if *name == self.variable) && *exponent < 0 {
                    return Err(());
                }
                rest.factors.push((atom.clone(), *exponent));
                continue;
            }
            let Atom::Call(Function::Max, arguments) = atom else { return Err(()) };
            let [zero, line] = &arguments[..] else { return Err(()) };
            let (slope, a) = line.linear_in(&self.variable).ok_or(())?;
            if found.is_some() || *exponent < 1 || !zero.is_zero() || !slope.is_negative() {
                return Err(());
            }
            found = Some(Clamped { line: (a, -slope), power: *exponent });
        }
        let rest = Expr { terms: vec![(rest, *number)] };
        Ok(found.map(|clamped| (clamped, rest)))
    }
}

/// `ceiling(n/q)` is at most `(n + q - 1)/q` of a whole `n`.
fn rounded_up(count: &Expr) -> Result<Vec<Expr>, TooLarge> {
    let mut facts = vec![];
    for (product, _) in &count.terms {
        let [(Atom::Call(Function::Ceiling, arguments), 1)] = &product.factors[..] else {
            continue;
        };
        let [of] = &arguments[..] else { continue };
        let denominators = of.terms.iter().map(|(_, number)| *number.denom());
        let Some(below) = denominators.max() else { continue };
        if !of.scaled(Number::from_integer(below))?.is_whole() {
            continue;
        }
        let rounded = Expr { terms: vec![(product.clone(), Number::one())] };
        let most = of.plus(&Expr::number(Number::new(below - 1, below)))?;
        facts.push(most.minus(&rounded)?);
    }
    Ok(facts)
}

impl Clamped {
    fn atom(&self, variable: &str) -> Result<Atom, TooLarge> {
        let (a, b) = &self.line;
        let line = a.minus(&Expr::symbol(variable).scaled(*b)?)?;
        Ok(Atom::Call(Function::Max, vec![Expr::default(), line]))
    }
}

/// Whether each of some spans of indices begins no later than behind the end of the one before it.
pub(crate) fn leave_no_gap(
    (first, last): (&Expr, &Expr),
    name: &str,
    values: &Progression,
    facts: &Facts,
) -> Result<bool, TooLarge> {
    let level = [first, last, &values.first, &values.step, &values.count].map(Expr::next_level);
    let variable = Series::variable(level.into_iter().max().unwrap_or(0));
    let place = Expr::symbol(&variable);
    let one = Expr::integer(1);
    let at = |expr: &Expr, place: &Expr| {
        let value = values.first.plus(&values.step.times(place)?)?;
        expr.substituted(&|symbol| (symbol == name).then(|| value.clone()))
    };
    let next = at(first, &place.plus(&one)?)?;
    let left = values.count.minus(&Expr::integer(2))?.minus(&place)?;
    let inside = facts.and([left]).and(rounded_up(&values.count)?);
    for last in last.smallest_of() {
        let gap = at(last, &place)?.plus(&one)?.minus(&next)?;
        if !inside.is_at_least_zero(&gap) {
            return Ok(false);
        }
    }
    Ok(true)
}

impl Expr {
    /// The arguments of a minimum, or this.
    pub(crate) fn smallest_of(&self) -> &[Expr] {
        match self.as_call() {
            Some((Function::Min, arguments)) => arguments,
            _ => std::slice::from_ref(self),
        }
    }

    /// The level of a sum around this.
    pub(super) fn next_level(&self) -> u32 {
        let levels = self.atoms().map(|atom| match atom {
            Atom::Series(series) => series.level() + 1,
            Atom::Symbol(name) => name
                .strip_prefix('\0')
                .and_then(|level| level.parse().ok())
                .map_or(0, |level: u32| level + 1),
            _ => 0,
        });
        levels.max().unwrap_or(0)
    }

    fn contains_call_of(&self, name: &str) -> bool {
        self.atoms().any(|atom| {
            !matches!(atom, Atom::Symbol(_)) && atom.parts().any(|part| part.contains(name))
        })
    }

    /// Whether this is 0 wherever a count of at least 0 is: the count is a product, or one rounded
    /// up, and this is 0 with any of its symbols.
    fn vanishes_without(&self, count: &Expr) -> bool {
        if count.as_number().is_some_and(|number| number.is_positive()) {
            return true;
        }
        let inner = match count.as_call() {
            Some((Function::Ceiling, [inner])) => inner,
            _ => count,
        };
        let [(product, number)] = &inner.terms[..] else { return false };
        let zero = |name: &str| {
            let made = self.substituted(&|symbol| (symbol == name).then(Expr::default));
            made.is_ok_and(|made| made.is_zero())
        };
        !number.is_zero()
            && product.factors.iter().all(|(atom, exponent)| match atom {
                Atom::Symbol(name) => *exponent > 0 && zero(name),
                _ => false,
            })
    }
}
