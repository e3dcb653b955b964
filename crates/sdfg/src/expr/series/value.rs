//! Values of sums: the range is cut where a maximum, a rounding or a condition in the body changes
//! sides, and between two cuts the body is a polynomial. What cannot be cut is added up one by one.

use std::cmp::Ordering;

use num_traits::{
    CheckedAdd as _, CheckedMul as _, CheckedSub as _, Signed as _, ToPrimitive as _, Zero as _,
};

use super::Series;
use crate::expr::evaluate::{Bindings, Budget, Unknown, Value};
use crate::expr::functions::modulo;
use crate::expr::{Atom, Expr, Function, Number, TooLarge};

/// From and to, both part of it.
#[derive(Debug, Clone, Copy)]
struct Span {
    first: i128,
    last: i128,
}

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

    /// A line's numbers, where it is one: its slope, and its value at 0.
    fn line(&self, expr: &Expr) -> Option<(Number, Number)> {
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
        let lines: Option<Vec<(Number, Number)>> =
            arguments.iter().map(|one| self.line(one)).collect();
        let Some(lines) = lines else { return Settled::Unknown };
        let Some(values) = Ends::of(&lines, span) else { return Settled::Unknown };
        let truth = |holds: bool| Settled::Is(Expr::integer(holds.into()));
        match (function, &lines[..]) {
            (Function::Max | Function::Min, [_, ..]) => {
                let is_max = *function == Function::Max;
                let (first, last) = (values.best(true, is_max), values.best(false, is_max));
                if values.is_best_at_both(first, is_max) {
                    return Settled::Is(arguments[first].clone());
                }
                if values.is_best_at_both(last, is_max) {
                    return Settled::Is(arguments[last].clone());
                }
                crossing(lines[first], lines[last], span)
                    .map_or(Settled::Unknown, Settled::CutBehind)
            }
            (Function::Absolute, [line]) => match sides(*line, span) {
                Sides::Same(Ordering::Less) => {
                    arguments[0].negated().map_or(Settled::Unknown, Settled::Is)
                }
                Sides::Same(_) => Settled::Is(arguments[0].clone()),
                Sides::Behind(place) => Settled::CutBehind(place),
            },
            (Function::Floor | Function::Ceiling, [(slope, _)]) => {
                let round = |number: Number| match function {
                    Function::Floor => number.floor(),
                    _ => number.ceil(),
                };
                let (first, last) = (round(values.first[0]), round(values.last[0]));
                if first == last {
                    return Settled::Is(Expr::number(first));
                }
                let steps = (last - first).abs().to_integer();
                let period = *slope.denom();
                if period <= steps {
                    return Settled::Repeats(period);
                }
                // The last place with the first value.
                let wanted = |place: i128| {
                    line_at(lines[0], place).is_some_and(|value| round(value) == first)
                };
                Settled::CutBehind(last_where(wanted, span))
            }
            (Function::Modulo | Function::Remainder, [(slope, _), (flat, by)])
                if flat.is_zero() && !by.is_zero() =>
            {
                let turn = *slope / *by;
                if *function == Function::Remainder {
                    match sides(lines[0], span) {
                        Sides::Behind(place) => return Settled::CutBehind(place),
                        Sides::Same(Ordering::Less) if by.is_positive() => {}
                        Sides::Same(_) => {}
                    }
                }
                if turn.is_integer() {
                    let value = match function {
                        Function::Modulo => modulo(values.first[0], *by),
                        _ => crate::expr::functions::remainder(values.first[0], *by),
                    };
                    return value
                        .map_or(Settled::Unknown, |value| Settled::Is(Expr::number(value)));
                }
                Settled::Repeats(*turn.denom())
            }
            (Function::Less | Function::LessOrEqual, [a, b]) => {
                let difference = (b.0 - a.0, b.1 - a.1);
                let holds = |value: &Number| match function {
                    Function::Less => value.is_positive(),
                    _ => !value.is_negative(),
                };
                let (first, last) =
                    (values.first[1] - values.first[0], values.last[1] - values.last[0]);
                if holds(&first) == holds(&last) {
                    return truth(holds(&first));
                }
                let as_first = |place: i128| {
                    line_at(difference, place).is_some_and(|value| holds(&value) == holds(&first))
                };
                Settled::CutBehind(last_where(as_first, span))
            }
            (Function::Equal | Function::NotEqual, [a, b]) => {
                let is_equal = *function == Function::Equal;
                let difference = (b.0 - a.0, b.1 - a.1);
                if difference.0.is_zero() {
                    return truth(difference.1.is_zero() == is_equal);
                }
                let root = -difference.1 / difference.0;
                let inside =
                    root.is_integer() && (span.first..=span.last).contains(&root.to_integer());
                if !inside {
                    return truth(!is_equal);
                }
                let root = root.to_integer();
                let place = if root == span.last { root - 1 } else { root };
                Settled::CutBehind(place)
            }
            _ => Settled::Unknown,
        }
    }
}

/// Values of lines at both ends of a span.
struct Ends {
    first: Vec<Number>,
    last: Vec<Number>,
}

impl Ends {
    fn of(lines: &[(Number, Number)], span: Span) -> Option<Ends> {
        let at = |place: i128| lines.iter().map(|&line| line_at(line, place)).collect();
        let first: Option<Vec<Number>> = at(span.first);
        let last: Option<Vec<Number>> = at(span.last);
        Some(Ends { first: first?, last: last? })
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

fn sides(line: (Number, Number), span: Span) -> Sides {
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

fn line_at((slope, start): (Number, Number), place: i128) -> Option<Number> {
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
fn crossing(a: (Number, Number), b: (Number, Number), span: Span) -> Option<i128> {
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
