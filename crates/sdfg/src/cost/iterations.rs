//! How often loops run that are understood. For others an unknown stands.

use std::collections::BTreeSet;

use super::context::Context;
use super::found::Iterations;
use super::report::Report;
use super::steps::{FACTOR, header_iterations, set_in_blocks};
use super::symbols::{Symbols, read_in};
use super::unknown::Unknown;
use super::while_loops::while_iterations;
use crate::expr::{Expr, Progression, TooLarge};
use crate::model::{Loop, Region, RegionKind};

pub(super) const NOT_UNDERSTOOD: &str =
    "how often a loop runs depends on data, or its header is not understood";

/// The loop that a region is, where it is one.
pub(super) fn region_iterations(
    context: &mut Context<'_, '_>,
    region: &Region,
) -> Option<Iterations> {
    match &region.kind {
        RegionKind::Loop(header) => Some(loop_region(context, region, header)),
        RegionKind::Graph | RegionKind::Plain => None,
    }
}

/// A loop region's header.
pub(super) fn loop_region(
    context: &mut Context<'_, '_>,
    region: &Region,
    header: &Loop,
) -> Iterations {
    let changed = set_in_blocks(context.known.program, region, &|_| true);
    let found = header_iterations(header, &changed);
    let found = found.or_else(|| while_iterations(context.known, region, header));
    let resolved =
        found.and_then(|found| known_iterations(context, region, found, &region.label).ok());
    match resolved {
        Some(iterations) => iterations,
        None => {
            let why = match header_iterations(header, &BTreeSet::new()) {
                Some(_) => "what a loop's header asks for changes as the program runs",
                None => NOT_UNDERSTOOD,
            };
            // The body comes before the condition.
            let least = i128::from(header.is_inverted);
            unknown_iterations(context.report, (&region.label, why), &header.variable, least)
        }
    }
}

/// How often a loop runs that is understood, if data does not decide it.
pub(super) fn known_iterations(
    context: &mut Context<'_, '_>,
    region: &Region,
    found: Iterations,
    label: &str,
) -> Result<Iterations, TooLarge> {
    let mut found = resolved_iterations(context.symbols, region, found)?;
    if found.values.step.as_symbol() == Some(FACTOR) {
        let why = Unknown::new(format!("{} changes by a factor", found.variable));
        found.values.step = context.report.unknown(&format!("{label}_step"), why);
    }
    match read_in(context.known, context.symbols, &found.values.count, region.graph, label) {
        None => Ok(found),
        Some((name, why)) => {
            let count = context.report.unknown(&name, Unknown::count(why));
            Ok(Iterations { values: Progression { count, ..found.values }, ..found })
        }
    }
}

fn resolved_iterations(
    symbols: &Symbols,
    region: &Region,
    mut found: Iterations,
) -> Result<Iterations, TooLarge> {
    for part in [&mut found.values.first, &mut found.values.step, &mut found.values.count] {
        *part = symbols.resolved(part, region.graph)?;
    }
    Ok(found)
}

pub(super) fn unknown_iterations(
    report: &mut Report,
    (label, why): (&str, &str),
    variable: &str,
    least: i128,
) -> Iterations {
    let count = report.unknown(&format!("{label}_iterations"), Unknown::new(why).at_least(least));
    let (first, step) = (Expr::default(), Expr::integer(1));
    Iterations { variable: variable.into(), values: Progression { first, step, count } }
}
