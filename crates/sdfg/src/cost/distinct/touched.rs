//! Sets of elements: boxes, slices of different size, and what is known to be no more than a box.

use std::collections::BTreeSet;

use crate::cost::found::Iterations;
use crate::expr::{Expr, Facts, Function, TooLarge, elements_of_boxes, leave_no_gap};

/// Indices of one dimension: `first`, `first + step`, ... up to `last`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Span {
    pub(super) first: Expr,
    pub(super) last: Expr,
    pub(super) step: Expr,
}

/// Elements of a container that are touched.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Touched {
    /// The box around them.
    pub(super) spans: Vec<Span>,
    pub(super) shape: Shape,
    /// Each is above 0, or nothing is touched.
    pub(super) guards: Vec<Expr>,
}

/// How the elements are in their box.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Shape {
    /// All of it.
    Box,
    /// So many of it. Those of two sets with one history are the same.
    Sliced { count: Expr, history: String },
    /// Some of it.
    AtMost,
}

impl Span {
    pub(super) fn point(index: Expr) -> Span {
        Span { first: index.clone(), last: index, step: Expr::integer(1) }
    }

    /// How many there are.
    pub(super) fn count(&self) -> Result<Expr, TooLarge> {
        let span = self.last.minus(&self.first)?;
        span.floor_divided(&self.step)?.plus(&Expr::integer(1))
    }

    fn each(&self, by: &impl Fn(&Expr) -> Result<Expr, TooLarge>) -> Result<Span, TooLarge> {
        Ok(Span { first: by(&self.first)?, last: by(&self.last)?, step: by(&self.step)? })
    }
}

impl Touched {
    pub(super) fn of_box(spans: Vec<Span>) -> Touched {
        Touched { spans, shape: Shape::Box, guards: vec![] }
    }

    /// No more than this.
    pub(super) fn or_less(self) -> Touched {
        Touched { shape: Shape::AtMost, ..self }
    }

    /// The same in other symbols.
    pub(super) fn each(
        &self,
        by: &impl Fn(&Expr) -> Result<Expr, TooLarge>,
    ) -> Result<Touched, TooLarge> {
        let shape = match &self.shape {
            Shape::Sliced { count, history } => {
                Shape::Sliced { count: by(count)?, history: history.clone() }
            }
            other => other.clone(),
        };
        Ok(Touched {
            spans: self.spans.iter().map(|span| span.each(by)).collect::<Result<_, TooLarge>>()?,
            shape,
            guards: self.guards.iter().map(by).collect::<Result<_, TooLarge>>()?,
        })
    }

    /// Whether it has no element at any sizes. In several iterations a box around several such looks as if it
    /// had.
    pub(super) fn is_nothing(&self, facts: &Facts) -> bool {
        let is_none = |count: &Expr| facts.at_least_zero(count).is_ok_and(|count| count.is_zero());
        self.spans.iter().any(|span| span.count().is_ok_and(|count| is_none(&count)))
            || self.guards.iter().any(is_none)
    }

    /// Whether one of some symbols is in it.
    pub(super) fn mentions(&self, names: &BTreeSet<&str>) -> bool {
        let is_in = |expr: &Expr| expr.symbols().iter().any(|symbol| names.contains(symbol));
        let count = match &self.shape {
            Shape::Sliced { count, .. } => Some(count),
            _ => None,
        };
        let spans = self.spans.iter().flat_map(|span| [&span.first, &span.last, &span.step]);
        spans.chain(&self.guards).chain(count).any(is_in)
    }

    /// Those of all iterations.
    pub(super) fn over(&self, loops: &Iterations, facts: &Facts) -> Result<Touched, TooLarge> {
        let name = &*loops.variable;
        let values = &loops.values;
        let last = values.count.minus(&Expr::integer(1))?;
        let last = values.first.plus(&values.step.times(&last)?)?;
        let depends = |expr: &Expr| expr.symbols().contains(name);
        let mut guards = self.guards.clone();
        let in_guards = guards.iter().any(depends);
        if in_guards {
            // Some iterations touch nothing.
            guards.retain(|guard| !depends(guard));
        }
        let depending: Vec<usize> = (0..self.spans.len())
            .filter(|&place| depends(&self.spans[place].first) || depends(&self.spans[place].last))
            .collect();
        // A span that is as long as the loop says itself that there is nothing.
        let is_told =
            depending.iter().any(|&place| self.spans[place].first == self.spans[place].last);
        if !is_told
            && !facts.is_above_zero_of_sizes(&values.count)
            && !guards.contains(&values.count)
        {
            guards.push(values.count.clone());
        }
        let mut spans = vec![];
        for (place, span) in self.spans.iter().enumerate() {
            if !depending.contains(&place) {
                spans.push(span.clone());
                continue;
            }
            let Some(lifted) = lifted(span, name, [&values.first, &last], values, facts)? else {
                // It cannot be told where the box ends.
                return Ok(Touched { spans: vec![], shape: Shape::AtMost, guards });
            };
            spans.push(lifted);
        }
        if in_guards {
            return Ok(Touched { spans, shape: Shape::AtMost, guards });
        }
        let shape = self.shape_over(&depending, loops, facts)?;
        Ok(Touched { spans, shape, guards })
    }

    /// The same where the variable's values are not known: all of what depends on it may be touched.
    pub(super) fn over_unknown(
        &self,
        loops: &Iterations,
        facts: &Facts,
    ) -> Result<Touched, TooLarge> {
        let depends = |expr: &Expr| expr.symbols().contains(&*loops.variable);
        let spans = self.spans.iter();
        if !spans.into_iter().any(|span| depends(&span.first) || depends(&span.last))
            && !self.guards.iter().any(depends)
        {
            return self.over(loops, facts);
        }
        let mut guards = self.guards.clone();
        guards.retain(|guard| !depends(guard));
        Ok(Touched { spans: vec![], shape: Shape::AtMost, guards })
    }

    fn shape_over(
        &self,
        depending: &[usize],
        loops: &Iterations,
        facts: &Facts,
    ) -> Result<Shape, TooLarge> {
        let name = &*loops.variable;
        let own = match &self.shape {
            Shape::AtMost => return Ok(Shape::AtMost),
            Shape::Sliced { count, history } => Some((count.clone(), history.clone())),
            Shape::Box => None,
        };
        if depending.is_empty()
            && own.as_ref().is_none_or(|(count, _)| !count.symbols().contains(name))
        {
            return Ok(self.shape.clone());
        }
        if let (None, [only]) = (&own, depending) {
            let span = &self.spans[*only];
            if fills(span, name, loops, facts)? {
                return Ok(Shape::Box);
            }
        }
        // Iterations that differ in one index touch different elements.
        let differs = depending.iter().any(|&place| {
            let span = &self.spans[place];
            span.first == span.last && span.first.linear_in(name).is_some()
        });
        if !differs {
            return Ok(Shape::AtMost);
        }
        let (count, history) = match own {
            Some(own) => own,
            None => (self.size()?, format!("{:?}", self.spans)),
        };
        let count = facts.at_least_zero(&count)?.sum_over(name, &loops.values, facts)?;
        Ok(Shape::Sliced { count, history: format!("{history} {name} {:?}", loops.values) })
    }

    /// How many elements the box has.
    pub(super) fn size(&self) -> Result<Expr, TooLarge> {
        self.spans.iter().try_fold(Expr::integer(1), |all, span| all.times(&span.count()?))
    }
}

/// From the smallest index to the largest one; nothing where that is not plain to see.
fn lifted(
    span: &Span,
    name: &str,
    ends: [&Expr; 2],
    values: &crate::expr::Progression,
    facts: &Facts,
) -> Result<Option<Span>, TooLarge> {
    let at = |expr: &Expr, value: &Expr| {
        expr.substituted(&|symbol| (symbol == name).then(|| value.clone()))
    };
    let end = |expr: &Expr, is_first: bool| -> Result<Option<Expr>, TooLarge> {
        let Some(slope) = expr.slope_in(name) else { return Ok(None) };
        let slope = slope.times(&values.step)?;
        let rises = facts.is_at_least_zero(&slope);
        if !rises && !facts.is_at_least_zero(&slope.negated()?) {
            return Ok(None);
        }
        at(expr, ends[usize::from(rises != is_first)]).map(Some)
    };
    // The smallest of some that all rise is the largest where each is.
    let rises = |expr: &Expr| {
        expr.slope_in(name).is_some_and(|slope| {
            slope.times(&values.step).is_ok_and(|slope| facts.is_at_least_zero(&slope))
        })
    };
    let lasts = span.last.smallest_of();
    let Some(first) = end(&span.first, true)? else { return Ok(None) };
    let last = match lasts {
        [one] => end(one, false)?,
        several if several.iter().all(rises) => {
            let each: Result<Vec<Expr>, TooLarge> =
                several.iter().map(|one| at(one, ends[1])).collect();
            Some(facts.settled(&Expr::call(Function::Min, each?)?)?)
        }
        _ => None,
    };
    let Some(last) = last else { return Ok(None) };
    let is_point = span.first == span.last;
    let step = if is_point {
        match span.first.slope_in(name).map(|slope| slope.times(&values.step)).transpose()? {
            Some(slope) if slope.is_zero() => span.step.clone(),
            Some(slope) if facts.is_at_least_zero(&slope) => slope,
            Some(slope) => slope.negated()?,
            None => span.step.clone(),
        }
    } else if keeps_step(span, name, values)? {
        span.step.clone()
    } else {
        Expr::integer(1)
    };
    Ok(Some(Span { first, last, step }))
}

/// Whether all iterations move a span by a multiple of its step, so that it is that for all together.
fn keeps_step(
    span: &Span,
    name: &str,
    values: &crate::expr::Progression,
) -> Result<bool, TooLarge> {
    if span.step == Expr::integer(1) {
        return Ok(true);
    }
    let Some(slope) = span.first.slope_in(name) else { return Ok(false) };
    let moved = slope.times(&values.step)?;
    let steps = moved.quotient(&span.step)?.as_number();
    Ok(moved.is_zero() || steps.is_some_and(|steps| steps.is_integer()))
}

/// Whether the indices of all iterations leave no gap between them, or are evenly spaced points.
fn fills(span: &Span, name: &str, loops: &Iterations, facts: &Facts) -> Result<bool, TooLarge> {
    let Some(slope) = span.first.slope_in(name) else { return Ok(false) };
    if span.first == span.last {
        return Ok(true);
    }
    if span.step != Expr::integer(1) {
        return Ok(false);
    }
    let far = slope.times(&loops.values.step)?;
    if facts.is_at_least_zero(&far) {
        return leave_no_gap((&span.first, &span.last), name, &loops.values, facts);
    }
    let width = span.last.minus(&span.first)?.plus(&Expr::integer(1))?;
    Ok(span.last.slope_in(name) == Some(slope) && facts.is_at_least_zero(&width.plus(&far)?))
}

/// How many elements some sets have together, and whether that is exact.
pub(super) fn together(all: &[Touched], facts: &Facts) -> Result<(Expr, bool), TooLarge> {
    /// The union of more boxes is bounded by their sum.
    const MOST_BOXES: usize = 40;
    let mut distinct: Vec<&Touched> = all.iter().collect();
    distinct.sort();
    distinct.dedup();
    let sets = distinct.clone();
    let covered = |one: &Touched| {
        sets.iter().any(|other| {
            one != *other
                && other.shape == Shape::Box
                && other.guards.is_empty()
                && is_inside(one, other, facts)
                // Of two that are the same box the first one stays.
                && !(is_inside(other, one, facts) && one < other && one.shape == Shape::Box)
        })
    };
    // Each is compared with each.
    if distinct.len() <= MOST_BOXES {
        distinct.retain(|one| !covered(one));
    }
    let size = |one: &Touched| -> Result<Expr, TooLarge> {
        let mut size = match &one.shape {
            Shape::Sliced { count, .. } => count.clone(),
            Shape::Box | Shape::AtMost => {
                let counts: Result<Vec<Expr>, TooLarge> =
                    one.spans.iter().map(|span| facts.at_least_zero(&span.count()?)).collect();
                counts?.iter().try_fold(Expr::integer(1), |all, one| all.times(one))?
            }
        };
        let counts = one.spans.iter().filter_map(|span| span.count().ok()).collect::<Vec<Expr>>();
        // A side without indices says it already.
        for guard in one.guards.iter().filter(|guard| !counts.contains(guard)) {
            let is_any = Expr::call(Function::Less, vec![Expr::default(), guard.clone()])?;
            size = size.times(&is_any)?;
        }
        Ok(size)
    };
    match &distinct[..] {
        [] => Ok((Expr::default(), true)),
        [one] => Ok((size(one)?, one.shape != Shape::AtMost)),
        several => {
            let dimensions = several[0].spans.len();
            let are_boxes =
                several.iter().all(|one| one.shape == Shape::Box && one.spans.len() == dimensions);
            if are_boxes && several.len() <= MOST_BOXES {
                let boxes = several.iter().map(|one| {
                    let spans = one.spans.iter();
                    let spans = spans
                        .map(|span| [span.first.clone(), span.last.clone(), span.step.clone()]);
                    (spans.collect(), one.guards.clone())
                });
                return Ok((elements_of_boxes(boxes.collect())?, true));
            }
            let sizes: Result<Vec<Expr>, TooLarge> = several.iter().map(|one| size(one)).collect();
            Ok((Expr::sum(sizes?)?, false))
        }
    }
}

fn is_inside(one: &Touched, other: &Touched, facts: &Facts) -> bool {
    one.spans.len() == other.spans.len()
        && one.spans.iter().zip(&other.spans).all(|(one, other)| {
            let at_least =
                |a: &Expr, b: &Expr| a.minus(b).is_ok_and(|more| facts.is_at_least_zero(&more));
            let fits = other.step == Expr::integer(1) || one == other;
            fits && at_least(&one.first, &other.first) && at_least(&other.last, &one.last)
        })
}
