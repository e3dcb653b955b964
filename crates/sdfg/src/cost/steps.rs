//! Loops whose variable moves by a step: how often their condition holds.

use std::collections::BTreeSet;

use num_traits::{One as _, Signed as _};

use super::found::Iterations;
use crate::expr::{Expr, Function, Number, Progression, parse};
use crate::model::{Block, BlockKind, Code, Loop, Program, Region, RegionIndex, RegionKind};

/// How a loop's variable changes.
#[derive(Debug, Clone)]
pub(super) enum Step {
    /// By a number, or a symbol.
    By(Expr),
    /// Times a whole number of at least 2.
    Times(Number),
    /// Divided by one, and rounded down.
    Over(Number),
}

impl Step {
    /// That of `name = value`.
    pub(super) fn new(name: &str, value: &Expr) -> Option<Step> {
        let is_factor = |number: &Number| number.is_integer() && *number > Number::one();
        if let Some(divisor) = value.as_part_of(name) {
            return Some(divisor).filter(is_factor).map(Step::Over);
        }
        let (slope, step) = value.linear_in(name)?;
        match (slope.is_one(), step.is_zero()) {
            (true, false) => Some(Step::By(step)),
            (false, true) => Some(slope).filter(is_factor).map(Step::Times),
            _ => None,
        }
    }

    pub(super) fn symbols(&self) -> BTreeSet<&str> {
        match self {
            Step::By(step) => step.symbols(),
            Step::Times(_) | Step::Over(_) => BTreeSet::new(),
        }
    }

    /// The values of a variable that changes so.
    pub(super) fn values(self, first: Expr, count: Expr) -> Progression {
        let step = match self {
            Step::By(step) => step,
            Step::Times(_) | Step::Over(_) => Expr::symbol(FACTOR),
        };
        Progression { first, step, count }
    }
}

/// Stands for the step of a variable that changes by a factor: no sum over its values is told.
pub(super) const FACTOR: &str = "(a factor)";

/// Names that edges between blocks set, and those that are set inside of these blocks.
pub(super) fn set_in_blocks<'p>(
    program: &'p Program,
    region: &'p Region,
    is_inside: &dyn Fn(usize) -> bool,
) -> BTreeSet<&'p str> {
    let between = region.edges.iter();
    let between =
        between.filter(|edge| is_inside(edge.source.place()) && is_inside(edge.target.place()));
    let mut names: BTreeSet<&str> =
        between.flat_map(|edge| &edge.assignments).map(|(name, _)| &**name).collect();
    names.extend(set_inside_blocks(program, region, is_inside));
    names
}

/// Names that edges and loops inside of some blocks set.
pub(super) fn set_inside_blocks<'p>(
    program: &'p Program,
    region: &'p Region,
    is_inside: &dyn Fn(usize) -> bool,
) -> BTreeSet<&'p str> {
    let mut names = BTreeSet::new();
    let inner = |block: &Block| match &block.kind {
        BlockKind::Region(inner) => vec![*inner],
        BlockKind::Conditional { branches, .. } => {
            branches.iter().map(|(_, branch)| *branch).collect()
        }
        _ => vec![],
    };
    let blocks = region.blocks.iter().enumerate().filter(|(place, _)| is_inside(*place));
    let mut open: Vec<RegionIndex> = blocks.flat_map(|(_, block)| inner(block)).collect();
    while let Some(index) = open.pop() {
        let region = program.region(index);
        let assigned = region.edges.iter().flat_map(|edge| &edge.assignments);
        names.extend(assigned.map(|(name, _)| &**name));
        if let RegionKind::Loop(header) = &region.kind {
            names.insert(&*header.variable);
        }
        open.extend(region.blocks.iter().flat_map(inner));
    }
    names
}

pub(super) fn header_iterations(header: &Loop, changed: &BTreeSet<&str>) -> Option<Iterations> {
    let name = &header.variable;
    let first = assigned_value(header.init.as_ref()?, name)?;
    let step = Step::new(name, &assigned_value(header.update.as_ref()?, name)?)?;
    let condition = parse(&header.condition.as_ref()?.text).ok()?;
    let symbols = [&first, &condition].into_iter().flat_map(|expr| expr.symbols());
    let symbols = symbols.chain(step.symbols());
    if symbols.chain([&**name]).any(|symbol| changed.contains(symbol)) {
        // What the body changes may change how often it runs.
        return None;
    }
    let count = iteration_count(&condition, name, &first, &step)?;
    let one = Expr::integer(1);
    let count = match (header.is_inverted, header.updates_before_condition) {
        (false, _) => count,
        (true, true) => Expr::call(Function::Max, vec![count, one]).ok()?,
        (true, false) => count.plus(&one).ok()?,
    };
    Some(Iterations { variable: name.clone(), values: step.values(first, count) })
}

/// The right side of `name = value`, also of `name += value` and the like.
pub(crate) fn assigned_value(code: &Code, name: &str) -> Option<Expr> {
    let rest = code.text.trim().trim_end_matches(';').strip_prefix(name)?.trim_start();
    let symbol = Expr::symbol(name);
    if let Some(value) = rest.strip_prefix("+=") {
        return symbol.plus(&parse(value).ok()?).ok();
    }
    if let Some(value) = rest.strip_prefix("-=") {
        return symbol.minus(&parse(value).ok()?).ok();
    }
    if let Some(value) = rest.strip_prefix("*=") {
        return symbol.times(&parse(value).ok()?).ok();
    }
    if let Some(value) = rest.strip_prefix("//=") {
        let quotient = symbol.divided_by(&parse(value).ok()?).ok()?;
        return Expr::call(Function::Floor, vec![quotient]).ok();
    }
    let value = rest.strip_prefix('=').filter(|value| !value.starts_with('='))?;
    parse(value).ok()
}

/// How often a condition holds, from the first value on.
pub(super) fn iteration_count(
    condition: &Expr,
    name: &str,
    first: &Expr,
    step: &Step,
) -> Option<Expr> {
    if condition.has_unknown_function() {
        return None;
    }
    if let Some(all) = condition.as_conjunction() {
        // Each of them holds up to some value, and for none behind it.
        let each = |one: &Expr| {
            let ends = one.as_inequality().is_none();
            ends.then(|| iteration_count(one, name, first, step)).flatten()
        };
        let counts: Option<Vec<Expr>> = all.iter().map(each).collect();
        return Expr::call(Function::Min, counts?).ok();
    }
    if let (Some(difference), Step::By(step)) = (condition.as_inequality(), step) {
        let (slope, rest) = difference.linear_in(name)?;
        let end = rest.scaled(-slope.recip()).ok()?;
        let is_one = step.as_number().is_some_and(|step| step.abs().is_one());
        return is_one.then(|| end.minus(first).and_then(|span| span.divided_by(step)).ok())?;
    }
    let (difference, is_strict) = condition.as_comparison()?;
    let (slope, rest) = difference.linear_in(name)?;
    let end = rest.scaled(-slope.recip()).ok()?;
    match step {
        Step::By(step) => {
            // A step that is a symbol goes the way that the condition asks for.
            let number = step.as_number();
            if number.is_some_and(|step| step.is_positive() != slope.is_positive()) {
                return None;
            }
            let span = end.minus(first).ok()?;
            if is_strict {
                span.ceiling_divided(step).ok()
            } else {
                span.floor_divided(step).ok()?.plus(&Expr::integer(1)).ok()
            }
        }
        Step::Times(factor) => {
            // `first * factor**k < end` from `k = 0` on.
            let first = first.as_number().filter(|first| first.is_positive())?;
            let mut most = end.scaled(first.recip()).ok()?;
            if is_strict {
                let above = Expr::call(Function::Ceiling, vec![most]).ok()?;
                most = above.minus(&Expr::integer(1)).ok()?;
            }
            slope.is_positive().then(|| powers(most, *factor))?
        }
        Step::Over(divisor) => {
            // `floor(first / divisor**k) >= end`, which is the same without rounding.
            let mut end = end.as_number().filter(Number::is_integer)?;
            if is_strict {
                end += Number::one();
            }
            let is_falling = slope.is_negative() && end.is_positive() && first.is_whole();
            is_falling.then(|| powers(first.scaled(end.recip()).ok()?, *divisor))?
        }
    }
}

fn powers(most: Expr, base: Number) -> Option<Expr> {
    Expr::call(Function::Powers, vec![most, Expr::number(base)]).ok()
}
