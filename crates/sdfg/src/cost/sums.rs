//! Sums over the iterations of a loop, by the rules.

use super::costs::Cost;
use super::found::Iterations;
use super::known::Known;
use crate::expr::{Expr, TooLarge};

/// The sum of a cost over all iterations. DaCe's analyses take what has no closed form times the
/// number of iterations.
pub(super) fn summed(known: &Known<'_>, expr: &Expr, over: &Iterations) -> Result<Expr, TooLarge> {
    if known.rules.is_exact() {
        return expr.sum_over(&over.variable, &over.values, &known.facts);
    }
    match expr.dace_sum(&over.variable, &over.values)? {
        Some(sum) => Ok(sum),
        None => expr.times(&over.values.count),
    }
}

/// Work and movement of all iterations; they wait for each other, so depth adds up as well.
pub(super) fn summed_cost(
    known: &Known<'_>,
    cost: &Cost,
    over: &Iterations,
) -> Result<Cost, TooLarge> {
    cost.each(|part| summed(known, part, over))
}

/// The most of what iterations that run at once cost.
pub(super) fn most_over(
    known: &Known<'_>,
    expr: &Expr,
    over: &Iterations,
) -> Result<Expr, TooLarge> {
    if !known.rules.is_exact() || !expr.symbols().contains(&*over.variable) {
        return Ok(expr.clone());
    }
    let last = over.values.count.minus(&Expr::integer(1))?;
    let last = over.values.first.plus(&over.values.step.times(&last)?)?;
    let at =
        |value: &Expr| expr.substituted(&|name| (name == &*over.variable).then(|| value.clone()));
    // What rises or falls all the way is the most at one of the ends; what else depends on the
    // variable keeps it.
    match expr.linear_in(&over.variable) {
        Some(_) => Expr::largest_cost(vec![at(&over.values.first)?, at(&last)?]),
        None => Ok(expr.clone()),
    }
}

/// With the value that the variable has behind the last iteration.
pub(super) fn behind_last(
    known: &Known<'_>,
    expr: &Expr,
    over: &Iterations,
) -> Result<Expr, TooLarge> {
    if !expr.symbols().contains(&*over.variable) {
        return Ok(expr.clone());
    }
    let count = known.facts.at_least_zero(&over.values.count)?;
    let last = over.values.first.plus(&over.values.step.times(&count)?)?;
    expr.substituted(&|name| (name == &*over.variable).then(|| last.clone()))
}
