//! How often loops run: regions with a header, and guard states with edges that lead back.

use std::collections::HashMap;
use std::sync::Arc;

use num_traits::{One as _, Signed as _};

use super::{Analysis, Iterations, Unknown};
use crate::expr::{Expr, Function, Progression, TooLarge, parse};
use crate::model::{Code, Loop, Region};

impl Analysis<'_> {
    /// With the value that the variable has behind the last iteration.
    pub(super) fn behind_last(&self, expr: &Expr, over: &Iterations) -> Result<Expr, TooLarge> {
        if !expr.symbols().contains(&*over.variable) {
            return Ok(expr.clone());
        }
        let count = self.facts.at_least_zero(&over.values.count)?;
        let last = over.values.first.plus(&over.values.step.times(&count)?)?;
        expr.substituted(&|name| (name == &*over.variable).then(|| last.clone()))
    }

    /// How often a loop runs that is understood, if data does not decide it.
    pub(super) fn known_iterations(
        &mut self,
        region: &Region,
        found: Iterations,
        label: &str,
    ) -> Result<Iterations, TooLarge> {
        let found = self.resolved_iterations(region, found)?;
        match self.read_in(&found.values.count, region.graph, label) {
            None => Ok(found),
            Some((name, why)) => {
                let count = self.unknown(&name, Unknown::count(why));
                Ok(Iterations { values: Progression { count, ..found.values }, ..found })
            }
        }
    }

    fn resolved_iterations(
        &self,
        region: &Region,
        mut found: Iterations,
    ) -> Result<Iterations, TooLarge> {
        for part in [&mut found.values.first, &mut found.values.step, &mut found.values.count] {
            *part = self.resolved(part, region.graph)?;
        }
        Ok(found)
    }

    /// A loop region's header.
    pub(super) fn loop_region(&mut self, region: &Region, header: &Loop) -> Iterations {
        let found = header_iterations(header);
        let resolved =
            found.and_then(|found| self.known_iterations(region, found, &region.label).ok());
        match resolved {
            Some(iterations) => iterations,
            None => {
                // The body comes before the condition.
                let least = i128::from(header.is_inverted);
                self.unknown_iterations(&region.label, &header.variable, least)
            }
        }
    }

    pub(super) fn unknown_iterations(
        &mut self,
        label: &str,
        variable: &str,
        least: i128,
    ) -> Iterations {
        let why = "how often a loop runs depends on data, or its header is not understood";
        let count = self.unknown(&format!("{label}_iterations"), Unknown::new(why).at_least(least));
        let (first, step) = (Expr::default(), Expr::integer(1));
        Iterations { variable: variable.into(), values: Progression { first, step, count } }
    }
}

/// The variable, its values and its end, from assignments and conditions on edges, and whether the
/// condition is asked before each iteration.
pub(super) fn guard_loop(
    region: &Region,
    is_inside: &dyn Fn(usize) -> bool,
    header: usize,
) -> Option<(Iterations, bool)> {
    let inside = || {
        region
            .edges
            .iter()
            .filter(|edge| is_inside(edge.source.place()) && is_inside(edge.target.place()))
    };
    // A variable that changes at one place, by a fixed step.
    let mut changes: HashMap<&Arc<str>, Vec<&Expr>> = HashMap::new();
    for (name, value) in inside().flat_map(|edge| &edge.assignments) {
        changes.entry(name).or_default().push(value);
    }
    let stepped = changes.into_iter().filter_map(|(name, values)| match values[..] {
        [value] => step_of(name, value).map(|step| (name, step)),
        _ => None,
    });
    let mut stepped: Vec<(&Arc<str>, Expr)> = stepped.collect();
    stepped.sort_by(|a, b| a.0.cmp(b.0));
    let into = region
        .edges
        .iter()
        .filter(|edge| edge.target.place() == header && !is_inside(edge.source.place()));
    let assigned: Vec<&(Arc<str>, Arc<Expr>)> = into.flat_map(|edge| &edge.assignments).collect();
    let on_the_way_in: Vec<&Expr> = inside()
        .filter(|edge| edge.source.place() == header)
        .filter_map(|edge| edge.condition.as_deref())
        .collect();
    let on_the_way_back: Vec<&Expr> = inside()
        .filter(|edge| edge.target.place() == header)
        .filter_map(|edge| edge.condition.as_deref())
        .collect();
    for (name, step) in stepped {
        let mut firsts = assigned.iter().filter(|(known, _)| known == name);
        let (Some((_, first)), None) = (firsts.next(), firsts.next()) else { continue };
        for (conditions, is_asked_after) in [(&on_the_way_in, false), (&on_the_way_back, true)] {
            for condition in conditions {
                let Some(count) = iteration_count(condition, name, first, &step) else { continue };
                let at_least = vec![count.clone(), Expr::integer(1)];
                let count =
                    if is_asked_after { Expr::call(Function::Max, at_least).ok()? } else { count };
                let values = Progression { first: (**first).clone(), step, count };
                return Some((Iterations { variable: name.clone(), values }, !is_asked_after));
            }
        }
    }
    None
}

/// `c` of `name = name + c`.
fn step_of(name: &str, value: &Expr) -> Option<Expr> {
    let (slope, step) = value.linear_in(name)?;
    (slope.is_one() && !step.is_zero()).then_some(step)
}

fn header_iterations(header: &Loop) -> Option<Iterations> {
    let name = &header.variable;
    let first = assigned_value(header.init.as_ref()?, name)?;
    let step = step_of(name, &assigned_value(header.update.as_ref()?, name)?)?;
    let condition = parse(&header.condition.as_ref()?.text).ok()?;
    let count = iteration_count(&condition, name, &first, &step)?;
    let one = Expr::integer(1);
    let count = match (header.is_inverted, header.updates_before_condition) {
        (false, _) => count,
        (true, true) => Expr::call(Function::Max, vec![count, one]).ok()?,
        (true, false) => count.plus(&one).ok()?,
    };
    Some(Iterations { variable: name.clone(), values: Progression { first, step, count } })
}

/// The right side of `name = value`, also of `name += value`.
fn assigned_value(code: &Code, name: &str) -> Option<Expr> {
    let rest = code.text.trim().trim_end_matches(';').strip_prefix(name)?.trim_start();
    let symbol = Expr::symbol(name);
    if let Some(value) = rest.strip_prefix("+=") {
        return symbol.plus(&parse(value).ok()?).ok();
    }
    if let Some(value) = rest.strip_prefix("-=") {
        return symbol.minus(&parse(value).ok()?).ok();
    }
    let value = rest.strip_prefix('=').filter(|value| !value.starts_with('='))?;
    parse(value).ok()
}

/// How often a condition holds, from the first value on.
fn iteration_count(condition: &Expr, name: &str, first: &Expr, step: &Expr) -> Option<Expr> {
    if condition.has_unknown_function() {
        return None;
    }
    let step_number = step.as_number();
    if let Some(difference) = condition.as_inequality() {
        let (slope, rest) = difference.linear_in(name)?;
        let end = rest.scaled(-slope.recip()).ok()?;
        let is_one = step_number.is_some_and(|step| step.abs().is_one());
        return is_one.then(|| end.minus(first).and_then(|span| span.divided_by(step)).ok())?;
    }
    let (difference, is_strict) = condition.as_comparison()?;
    let (slope, rest) = difference.linear_in(name)?;
    // A step that is a symbol goes the way that the condition asks for.
    if step_number.is_some_and(|step| step.is_positive() != slope.is_positive()) {
        return None;
    }
    let end = rest.scaled(-slope.recip()).ok()?;
    let span = end.minus(first).ok()?;
    if is_strict {
        span.ceiling_divided(step).ok()
    } else {
        span.floor_divided(step).ok()?.plus(&Expr::integer(1)).ok()
    }
}
