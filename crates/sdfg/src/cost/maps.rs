//! Iterations of scopes: of maps, and of consume scopes.

use super::context::Context;
use super::found::Iterations;
use super::rules::Rules;
use super::sums::summed;
use super::symbols::read_in;
use super::unknown::Unknown;
use crate::expr::{Expr, Progression, TooLarge};
use crate::model::{Map, NodeIndex, NodeKind, StateIndex};

/// Scopes deeper in each other have no times: to sum over all of them takes too long.
const DEEPEST: usize = 64;

/// What happens in each iteration of a map, over all of them.
pub(super) fn mapped(
    context: &mut Context<'_, '_>,
    body: &Expr,
    map: &Map,
    index: StateIndex,
    entry: NodeIndex,
) -> Result<Expr, TooLarge> {
    let mut all = body.clone();
    // Inner ranges may depend on outer parameters.
    for (place, parameter) in map.parameters.iter().enumerate().rev() {
        let Some(range) = map.range.get(place) else { continue };
        all = match context.known.rules {
            Rules::Dace1 => all.times(&range.size()?)?,
            Rules::Dace2 => {
                let (first, step) = ((*range.start).clone(), (*range.step).clone());
                let values = Progression { first, step, count: range.size()? };
                summed(context.known, &all, &Iterations { variable: parameter.clone(), values })?
            }
            Rules::Exact | Rules::Every => {
                let iterations = map_iterations(context, map, place, index, entry)?;
                summed(context.known, &all, &iterations)?
            }
        };
    }
    Ok(all)
}

/// One range of a map. How long it is is an unknown where data decides.
pub(super) fn map_iterations(
    context: &mut Context<'_, '_>,
    map: &Map,
    place: usize,
    index: StateIndex,
    entry: NodeIndex,
) -> Result<Iterations, TooLarge> {
    let state = context.known.program.state(index);
    let graph = context.known.program.region(state.region).graph;
    let range = &map.range[place];
    let (first, step) = ((*range.start).clone(), (*range.step).clone());
    let count = context.symbols.resolved(&range.count()?, graph)?;
    let dynamic = context.known.dynamic.get(&(index, entry));
    let mut read = dynamic.into_iter().flatten().filter(|(name, _)| {
        [&count, &first, &step].into_iter().any(|one| one.symbols().contains(&***name))
    });
    let why = match (read.next(), read.next()) {
        (Some((_, one)), Some((_, other))) if one == other => {
            Some((format!("{one}_length"), format!("on average: the range is read from {one}")))
        }
        (Some((_, one)), _) => Some((
            format!("{}_iterations", state.nodes[entry.place()].label),
            format!("on average: the range is read from {one}"),
        )),
        (None, _) => read_in(
            context.known,
            context.symbols,
            &count,
            graph,
            &state.nodes[entry.place()].label,
        ),
    };
    let count = match why {
        Some((name, why)) => context.report.unknown(&name, Unknown::count(why)),
        None => count,
    };
    let values = Progression { first, step, count };
    Ok(Iterations { variable: map.parameters[place].clone(), values })
}

/// All iterations of a scope.
pub(super) fn in_scope_times(
    context: &mut Context<'_, '_>,
    body: &Expr,
    index: StateIndex,
    entry: NodeIndex,
) -> Result<Expr, TooLarge> {
    let node = &context.known.program.state(index).nodes[entry.place()];
    match &node.kind {
        NodeKind::MapEntry(map) => mapped(context, body, map, index, entry),
        _ if body.is_zero() => Ok(Expr::default()),
        _ => body.times(&context.report.consumed(&node.label)),
    }
}

/// What happens in each iteration of a scope, each time that its state runs; nothing where too
/// many scopes are in each other.
pub(super) fn over_scopes(
    context: &mut Context<'_, '_>,
    each: Expr,
    index: StateIndex,
    innermost: Option<NodeIndex>,
) -> Result<Option<Expr>, TooLarge> {
    let state = context.known.program.state(index);
    let graph = context.known.program.region(state.region).graph;
    let (mut all, mut scope) = (each, innermost);
    for _ in 0..DEEPEST {
        let Some(entry) = scope else { return context.symbols.resolved(&all, graph).map(Some) };
        let node = &state.nodes[entry.place()];
        all = match &node.kind {
            NodeKind::MapEntry(map) => mapped(context, &all, map, index, entry)?,
            _ => all.times(&context.report.consumed(&node.label))?,
        };
        scope = node.scope;
    }
    Ok(None)
}
