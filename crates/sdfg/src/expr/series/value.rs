//! Values of sums: the range is cut where a maximum, a rounding or a condition in the body changes
//! sides, and between two cuts the body is a polynomial. What cannot be cut is added up one by one.

use std::cmp::Ordering;

use num_traits::{
    CheckedAdd as _, CheckedMul as _, CheckedSub as _, Signed as _, ToPrimitive as _, Zero as _,
};

use super::Series;
use crate::expr::evaluate::{Bindings, Budget, Unknown, Value};
use crate::expr::functions::modulo;
use crate::expr::terms::Atom;
use crate::expr::{Expr, Function, Number, TooLarge};

/// From and to, both part of it.
#[derive(Debug, Clone, Copy)]
struct Span {
    first: i128,
    last: i128,
}

/// Slope, and value at 0.
type Line = (Number, Number);

/// What a function is on a span.
enum Settled {
    /// This, on all of it.
    Is(Expr),
    /// It changes behind this place.
    CutBehind(i128),
    /// It repeats itself, but for a line, after so many.
    Repeats(i128),
    /// Nothing of that.
    Unknown,
}

impl Series {
    /// The value where the symbols are as told.
    pub(in crate::expr) fn evaluate(
        &self,
        of: &Bindings,
        budget: &Budget,
    ) -> Result<Value, Unknown> {
        let count = self.count.evaluate_within(of, Some(budget))?;
        let count = count.to_integer().ok_or(Unknown::NotANumber)?;
        if count <= 0 {
            return Ok(Value::Exact(Number::zero()));
        }
        let known = |name: &str| of.get(name).map(|&value| Expr::integer(value));
        let body = self.body.substituted(&known)?;
        let sum = Sum { variable: &self.variable, of, budget };
        sum.over(&body, Span { first: 0, last: count - 1 }, 0)
    }
}

struct Sum<'a> {
    variable: &'a str,
    of: &'a Bindings,
    budget: &'a Budget,
}

impl Sum<'_> {
    fn over(&self, body: &Expr, span: Span, depth: usize) -> Result<Value, Unknown> {
        /// Cuts in cuts; then the rest is added up one by one.
        const DEEPEST: usize = 60;
        self.budget.spend(20 + 4 * body.size() as u64)?;
        let count = span.last - span.first + 1;
        if count <= 0 {
            return Ok(Value::Exact(Number::zero()));
        }
        if count == 1 {
            return self.at(body, span.first);
        }
        if !body.contains(self.variable) {
            let each = body.evaluate_within(self.of, Some(self.budget))?;
            return each.times(Value::Exact(Number::from_integer(count)));
        }
        let Some(innermost) = body.innermost_call_of(self.variable) else {
            return match self.polynomial(body, span)? {
                Some(sum) => Ok(Value::Exact(sum)),
                None => self.one_by_one(body, span),
            };
        };
        if depth == DEEPEST {
            return self.one_by_one(body, span);
        }
        match self.settled(innermost, span)? {
            Settled::Is(expr) => {
                let body = body.with(innermost, &expr)?;
                self.over(&body, span, depth + 1)
            }
            Settled::CutBehind(place) => {
                let left = self.over(body, Span { last: place, ..span }, depth + 1)?;
                let right = self.over(body, Span { first: place + 1, ..span }, depth + 1)?;
                left.plus(right)
            }
            Settled::Repeats(period) if period < count => {
                let mut sum = Value::Exact(Number::zero());
                for start in 0..period {
                    let line = Expr::symbol(self.variable).scaled(Number::from_integer(period))?;
                    let line = line.plus(&Expr::integer(span.first + start))?;
                    let body =
                        body.substituted(&|name| (name == self.variable).then(|| line.clone()))?;
                    let last = (count - 1 - start).div_euclid(period);
                    sum = sum.plus(self.over(&body, Span { first: 0, last }, depth + 1)?)?;
                }
                Ok(sum)
            }
            Settled::Repeats(_) | Settled::Unknown => self.one_by_one(body, span),
        }
    }

    fn at(&self, body: &Expr, place: i128) -> Result<Value, Unknown> {
        let mut of = self.of.clone();
        of.insert(self.variable.to_owned(), place);
        body.evaluate_within(&of, Some(self.budget))
    }

    fn one_by_one(&self, body: &Expr, span: Span) -> Result<Value, Unknown> {
        let mut of = self.of.clone();
        let mut sum = Value::Exact(Number::zero());
        let each = 4 + 4 * body.size() as u64;
        let count = u64::try_from(span.last - span.first + 1).map_err(|_| Unknown::TooLong)?;
        // Told before it is tried.
        self.budget.spend(count.checked_mul(each).ok_or(Unknown::TooLong)?)?;
        for place in span.first..=span.last {
            of.insert(self.variable.to_owned(), place);
            sum = sum.plus(body.evaluate_within(&of, Some(self.budget))?)?;
        }
        Ok(sum)
    }

    /// The sum of a polynomial whose other symbols all have values.
    fn polynomial(&self, body: &Expr, span: Span) -> Result<Option<Number>, Unknown> {
        let Some(coefficients) = body.coefficients(self.variable) else { return Ok(None) };
        let mut numbers = vec![];
        for one in &coefficients {
            match one.evaluate_within(self.of, Some(self.budget))? {
                Value::Exact(number) => numbers.push(number),
                Value::About(_) => return Ok(None),
            }
        }
        // Sums of powers up to each end.
        let upto = |end: i128| -> Result<Option<Number>, Unknown> {
            let mut sum = Number::zero();
            for (power, number) in numbers.iter().enumerate().filter(|(_, one)| !one.is_zero()) {
                let powers = match crate::expr::sum::sum_of_powers(power, &Expr::integer(end)) {
                    Ok(powers) => powers.as_number().ok_or(Unknown::TooLarge)?,
                    Err(TooLarge) => return Ok(None),
                };
                let Some(part) = powers.checked_mul(number) else { return Ok(None) };
                let Some(all) = sum.checked_add(&part) else { return Ok(None) };
                sum = all;
            }
            Ok(Some(sum))
        };
        match (upto(span.last + 1)?, upto(span.first)?) {
            (Some(all), Some(before)) => Ok(all.checked_sub(&before)),
            _ => Ok(None),
        }
    }

    /// A line's numbers, where it is one.
    fn line(&self, expr: &Expr) -> Option<Line> {
        let coefficients = expr.coefficients(self.variable)?;
        let number = |one: &Expr| match one.evaluate_within(self.of, Some(self.budget)) {
            Ok(Value::Exact(number)) => Some(number),
            _ => None,
        };
        match &coefficients[..] {
            [] => Some((Number::zero(), Number::zero())),
            [only] => Some((Number::zero(), number(only)?)),
            [start, slope] => Some((number(slope)?, number(start)?)),
            _ => None,
        }
    }

    fn settled(&self, atom: &Atom, span: Span) -> Result<Settled, Unknown> {
        match atom {
            Atom::Call(function, arguments) => Ok(self.settled_call(function, arguments, span)),
            Atom::Series(series) => {
                let Some((slope, start)) = self.line(&series.count) else {
                    return Ok(Settled::Unknown);
                };
                let ends = match sides((slope, start), span) {
                    Sides::Same(Ordering::Greater) => true,
                    Sides::Same(_) => false,
                    Sides::Behind(place) => return Ok(Settled::CutBehind(place)),
                };
                if !ends {
                    return Ok(Settled::Is(Expr::default()));
                }
                let sum = series.body.polynomial_sum(&series.variable, &series.count)?;
                Ok(sum.map_or(Settled::Unknown, Settled::Is))
            }
            Atom::Symbol(_) | Atom::Sum(_) | Atom::Power(_) => Ok(Settled::Unknown),
        }
    }

    fn settled_call(&self, function: &Function, arguments: &[Expr], span: Span) -> Settled {
        let lines: Option<Vec<Line>> = arguments.iter().map(|one| self.line(one)).collect();
        let Some(lines) = lines else { return Settled::Unknown };
        let Some(ends) = Ends::new(&lines, span) else { return Settled::Unknown };
        match (function, &lines[..]) {
            (Function::Max | Function::Min, [_, ..]) => {
                ends.extreme(arguments, *function == Function::Max)
            }
            (Function::Absolute, [line]) => match sides(*line, span) {
                Sides::Same(Ordering::Less) => {
                    arguments[0].negated().map_or(Settled::Unknown, Settled::Is)
                }
                Sides::Same(_) => Settled::Is(arguments[0].clone()),
                Sides::Behind(place) => Settled::CutBehind(place),
            },
            (Function::Floor, [line]) => ends.rounded(*line, |number| number.floor()),
            (Function::Ceiling, [line]) => ends.rounded(*line, |number| number.ceil()),
            (Function::Modulo | Function::Remainder, [line, (flat, by)])
                if flat.is_zero() && !by.is_zero() =>
            {
                ends.divided(function, *line, *by)
            }
            (Function::Less, [a, b]) => ends.compared(*a, *b, |number| number.is_positive()),
            (Function::LessOrEqual, [a, b]) => {
                ends.compared(*a, *b, |number| !number.is_negative())
            }
            (Function::Equal | Function::NotEqual, [a, b]) => {
                equality(*a, *b, span, *function == Function::Equal)
            }
            _ => Settled::Unknown,
        }
    }
}

fn truth(holds: bool) -> Settled {
    Settled::Is(Expr::integer(holds.into()))
}

/// Whether two lines are equal, or are not.
fn equality(a: Line, b: Line, span: Span, is_equal: bool) -> Settled {
    let (slope, start) = (b.0 - a.0, b.1 - a.1);
    if slope.is_zero() {
        return truth(start.is_zero() == is_equal);
    }
    let root = -start / slope;
    let inside = root.is_integer() && (span.first..=span.last).contains(&root.to_integer());
    if !inside {
        return truth(!is_equal);
    }
    let root = root.to_integer();
    Settled::CutBehind(if root == span.last { root - 1 } else { root })
}

/// Values of lines at both ends of a span.
struct Ends<'a> {
    lines: &'a [Line],
    span: Span,
    first: Vec<Number>,
    last: Vec<Number>,
}

impl Ends<'_> {
    fn new(lines: &[Line], span: Span) -> Option<Ends<'_>> {
        let at = |place: i128| lines.iter().map(|&line| line_at(line, place)).collect();
        let first: Option<Vec<Number>> = at(span.first);
        let last: Option<Vec<Number>> = at(span.last);
        Some(Ends { lines, span, first: first?, last: last? })
    }

    fn extreme(&self, arguments: &[Expr], is_max: bool) -> Settled {
        let (first, last) = (self.best(true, is_max), self.best(false, is_max));
        for place in [first, last] {
            if self.is_best_at_both(place, is_max) {
                return Settled::Is(arguments[place].clone());
            }
        }
        crossing(self.lines[first], self.lines[last], self.span)
            .map_or(Settled::Unknown, Settled::CutBehind)
    }

    fn rounded(&self, line: Line, round: impl Fn(Number) -> Number) -> Settled {
        let (first, last) = (round(self.first[0]), round(self.last[0]));
        if first == last {
            return Settled::Is(Expr::number(first));
        }
        let steps = (last - first).abs().to_integer();
        let period = *line.0.denom();
        if period <= steps {
            return Settled::Repeats(period);
        }
        // The last place with the first value.
        let wanted = |place: i128| line_at(line, place).is_some_and(|value| round(value) == first);
        Settled::CutBehind(last_where(wanted, self.span))
    }

    /// What is left of a line that is divided by a number.
    fn divided(&self, function: &Function, line: Line, by: Number) -> Settled {
        if *function == Function::Remainder
            && let Sides::Behind(place) = sides(line, self.span)
        {
            return Settled::CutBehind(place);
        }
        let turn = line.0 / by;
        if !turn.is_integer() {
            return Settled::Repeats(*turn.denom());
        }
        let value = match function {
            Function::Modulo => modulo(self.first[0], by),
            _ => crate::expr::functions::remainder(self.first[0], by),
        };
        value.map_or(Settled::Unknown, |value| Settled::Is(Expr::number(value)))
    }

    /// Whether something holds of how far the second line is above the first.
    fn compared(&self, a: Line, b: Line, holds: impl Fn(&Number) -> bool) -> Settled {
        let difference = (b.0 - a.0, b.1 - a.1);
        let is_first = holds(&(self.first[1] - self.first[0]));
        if is_first == holds(&(self.last[1] - self.last[0])) {
            return truth(is_first);
        }
        let as_first =
            |place: i128| line_at(difference, place).is_some_and(|value| holds(&value) == is_first);
        Settled::CutBehind(last_where(as_first, self.span))
    }

    fn best(&self, is_first: bool, is_max: bool) -> usize {
        let values = if is_first { &self.first } else { &self.last };
        let mut best = 0;
        for (place, value) in values.iter().enumerate() {
            let is_better = if is_max { *value > values[best] } else { *value < values[best] };
            if is_better {
                best = place;
            }
        }
        best
    }

    fn is_best_at_both(&self, place: usize, is_max: bool) -> bool {
        [&self.first, &self.last].into_iter().all(|values| {
            values.iter().all(
                |one| {
                    if is_max { *one <= values[place] } else { *one >= values[place] }
                },
            )
        })
    }
}

/// On which side of 0 a line is.
enum Sides {
    /// All of it, where 0 counts as less only if all of it is at most 0.
    Same(Ordering),
    /// It changes behind this place.
    Behind(i128),
}

fn sides(line: Line, span: Span) -> Sides {
    let (Some(first), Some(last)) = (line_at(line, span.first), line_at(line, span.last)) else {
        return Sides::Same(Ordering::Greater);
    };
    match (first.is_positive(), last.is_positive()) {
        (true, true) => Sides::Same(Ordering::Greater),
        (false, false) => Sides::Same(Ordering::Less),
        (is_first, _) => {
            let as_first = |place: i128| {
                line_at(line, place).is_some_and(|value| value.is_positive() == is_first)
            };
            Sides::Behind(last_where(as_first, span))
        }
    }
}

fn line_at((slope, start): Line, place: i128) -> Option<Number> {
    slope.checked_mul(&Number::from_integer(place))?.checked_add(&start)
}

/// The last place where something holds that holds at the first place and not at the last, and
/// changes once.
fn last_where(holds: impl Fn(i128) -> bool, span: Span) -> i128 {
    let (mut low, mut high) = (span.first, span.last);
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if holds(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

/// Behind which place the second line gets ahead of the first.
fn crossing(a: Line, b: Line, span: Span) -> Option<i128> {
    let slope = a.0 - b.0;
    if slope.is_zero() {
        return None;
    }
    let place = ((b.1 - a.1) / slope).floor().to_integer();
    let place = place.to_i128()?.clamp(span.first, span.last - 1);
    Some(place)
}

impl Expr {
    /// A function, or a sum, of what depends on a variable, that has none of that in it.
    fn innermost_call_of(&self, name: &str) -> Option<&Atom> {
        let mut found = None;
        for (atom, _) in self.terms.iter().flat_map(|(product, _)| &product.factors) {
            if matches!(atom, Atom::Symbol(_)) || !atom.parts().any(|part| part.contains(name)) {
                continue;
            }
            let inner = match atom {
                // Its body is a matter of its own variable as well.
                Atom::Series(series) => series.count.innermost_call_of(name),
                _ => atom.parts().find_map(|part| part.innermost_call_of(name)),
            };
            found = inner.or(Some(atom));
            break;
        }
        found
    }

    /// The same with one atom replaced wherever it is.
    fn with(&self, wanted: &Atom, by: &Expr) -> Result<Expr, TooLarge> {
        let mut all = vec![];
        for (product, number) in &self.terms {
            let mut term = Expr::number(*number);
            for (atom, exponent) in &product.factors {
                let replaced = if atom == wanted { by.clone() } else { atom.with(wanted, by)? };
                term = term.times(&replaced.power(&Expr::integer((*exponent).into()))?)?;
            }
            all.push(term);
        }
        Expr::sum(all)
    }
}

impl Atom {
    fn with(&self, wanted: &Atom, by: &Expr) -> Result<Expr, TooLarge> {
        match self {
            Atom::Symbol(_) => Ok(Expr::atom(self.clone())),
            Atom::Sum(sum) => sum.with(wanted, by),
            Atom::Power(power) => power.0.with(wanted, by)?.power(&power.1.with(wanted, by)?),
            Atom::Call(function, arguments) => {
                let arguments: Result<Vec<Expr>, TooLarge> =
                    arguments.iter().map(|one| one.with(wanted, by)).collect();
                Expr::call(function.clone(), arguments?)
            }
            Atom::Series(series) => Series {
                name: series.name.clone(),
                variable: series.variable.clone(),
                count: series.count.with(wanted, by)?,
                body: series.body.with(wanted, by)?,
            }
            .simplified(),
        }
    }
}

impl From<TooLarge> for Unknown {
    fn from(_: TooLarge) -> Unknown {
        Unknown::TooLarge
    }
}
