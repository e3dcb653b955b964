//! How often blocks are reached each time that what is around them runs: 1 without branches, and what
//! conditions on sizes and loops' variables say with them.

use super::conditions::is_opposite;
use super::costs::Cost;
use super::known::Known;
use super::symbols::{Symbols, read_in};
use crate::expr::{Expr, Function, TooLarge};
use crate::model::{Code, GraphIndex, InterstateEdge, Region, RegionIndex};

/// Blocks as components in an order: those that come first in the program come last.
pub(super) struct Components<'a> {
    pub(super) all: &'a [Vec<usize>],
    /// Blocks by place.
    pub(super) members: &'a [usize],
    /// Components by place.
    pub(super) of: &'a [usize],
    /// The first block of the loop that these are in.
    pub(super) header: Option<usize>,
    /// The block where the loop may be left.
    pub(super) leaves: Option<usize>,
}

impl Components<'_> {
    /// By block of the region.
    fn of_blocks(&self, region: &Region) -> Vec<Option<usize>> {
        let mut component_of = vec![None; region.blocks.len()];
        for (place, &block) in self.members.iter().enumerate() {
            component_of[block] = Some(self.of[place]);
        }
        component_of
    }

    /// Edges that leave each, or go back to the header.
    fn outgoing<'r>(
        &self,
        region: &'r Region,
        component_of: &[Option<usize>],
    ) -> Vec<Vec<&'r InterstateEdge>> {
        let mut outgoing: Vec<Vec<&InterstateEdge>> = vec![vec![]; self.all.len()];
        for edge in &region.edges {
            if let Some(index) = component_of[edge.source.place()] {
                let is_own = component_of[edge.target.place()] == Some(index);
                let is_back = self.header == Some(edge.target.place());
                if !is_own || is_back {
                    outgoing[index].push(edge);
                }
            }
        }
        outgoing
    }
}

/// Weights of more factors than this are not known: each decision may double them.
const MOST_FACTORS: usize = 512;
/// Of branches after so many factors, what is left is a product.
const MOST_CANCELLING: usize = 32;

/// Stands for whether data takes a way: 0 or 1. No symbol of a program is written so.
const UNDECIDED: &str = "\u{0}undecided ";

/// By component, from 0 to 1: nothing for those that data decides on, and nothing at all where a loop
/// may be left early. What all ways lead to is reached whichever of them data takes.
pub(super) fn weights(
    known: &Known<'_>,
    symbols: &Symbols,
    region: &Region,
    components: &Components<'_>,
) -> Option<Vec<Option<Expr>>> {
    let weights = weights_by_undecided(known, symbols, region, components)?;
    let is_decided =
        |weight: &Expr| !weight.symbols().into_iter().any(|name| name.starts_with(UNDECIDED));
    Some(weights.into_iter().map(|weight| Some(weight).filter(is_decided)).collect())
}

fn weights_by_undecided(
    known: &Known<'_>,
    symbols: &Symbols,
    region: &Region,
    components: &Components<'_>,
) -> Option<Vec<Expr>> {
    let mut undecided = 0;
    if !known.rules.is_exact() {
        return None;
    }
    let component_of = components.of_blocks(region);
    let outgoing = components.outgoing(region, &component_of);
    let mut weights: Vec<Vec<Expr>> = vec![vec![]; components.all.len()];
    let mut all = vec![Expr::default(); components.all.len()];
    for index in (0..components.all.len()).rev() {
        let before = std::mem::take(&mut weights[index]);
        let is_first = before.is_empty();
        let weight = if is_first { Expr::integer(1) } else { Expr::sum(before).ok()? };
        if weight.factor_count() > MOST_FACTORS {
            return None;
        }
        all[index] = weight.clone();
        let is_loop = component_is_loop(region, components, index);
        let block = components.members[components.all[index][0]];
        let is_header = components.header == Some(block) && components.leaves == Some(block);
        let mut inside = vec![];
        for edge in &outgoing[index] {
            match component_of[edge.target.place()] {
                Some(next) => inside.push((*edge, next)),
                // Leaving where the loop asks its condition is what its iterations say.
                None if components.leaves == Some(edge.source.place()) => {}
                None if components.header.is_none() => return None,
                None => return None,
            }
        }
        if is_loop || is_header {
            // What is behind a loop, and its body, is reached whatever its condition says.
            match inside[..] {
                [] => {}
                [(_, next)] => weights[next].push(weight),
                _ => return None,
            }
            continue;
        }
        let mut rest = weight;
        let mut first: Option<&Expr> = None;
        let is_back = |edge: &InterstateEdge| components.header == Some(edge.target.place());
        let count = inside.len();
        for (place, (edge, next)) in inside.into_iter().enumerate() {
            let is_other =
                place == 1 && count == 2 && is_opposite(first, edge.condition.as_deref());
            let taken = match &edge.condition {
                Some(condition) if !is_other => {
                    let truth =
                        truth(known, symbols, condition, region.graph).unwrap_or_else(|| {
                            undecided += 1;
                            Expr::symbol(&format!("{UNDECIDED}{undecided}"))
                        });
                    rest.times(&truth).ok()?
                }
                _ => rest.clone(),
            };
            rest = rest.minus(&taken).ok()?;
            if rest.factor_count().max(taken.factor_count()) > MOST_FACTORS {
                return None;
            }
            first = first.or(edge.condition.as_deref());
            if !is_back(edge) {
                weights[next].push(taken);
            }
        }
        // Where no condition may hold, the program ends: a loop would be left early.
        if count > 0 && components.header.is_some() && !rest.is_zero() {
            return None;
        }
    }
    Some(all)
}

/// A condition as 0 or 1; nothing where data decides it.
fn truth(
    known: &Known<'_>,
    symbols: &Symbols,
    condition: &Expr,
    graph: GraphIndex,
) -> Option<Expr> {
    let condition = symbols.resolved(condition, graph).ok()?;
    if read_in(known, symbols, &condition, graph, "").is_some() {
        return None;
    }
    // Twice the opposite is a truth.
    let not = Expr::call(Function::Not, vec![condition]).ok()?;
    Expr::call(Function::Not, vec![not]).ok()
}

/// How often each branch is reached each time that its conditional is; nothing where data
/// decides.
pub(super) fn branch_weights(
    known: &Known<'_>,
    symbols: &Symbols,
    graph: GraphIndex,
    branches: &[(Option<Code>, RegionIndex)],
) -> Option<Vec<Expr>> {
    if !known.rules.is_exact() {
        return None;
    }
    let mut rest = Expr::integer(1);
    let mut all = vec![];
    for (condition, _) in branches {
        let Some(code) = condition else {
            all.push(std::mem::take(&mut rest));
            continue;
        };
        let condition = crate::expr::parse(&code.text).ok()?;
        let truth = truth(known, symbols, &condition, graph)?;
        let taken = rest.times(&truth).ok()?;
        let smaller = rest.minus(&taken).ok()?;
        // A difference cancels where branches cost the same; a product does not grow.
        rest = if smaller.factor_count() <= MOST_CANCELLING {
            smaller
        } else {
            rest.times(&Expr::call(Function::Not, vec![truth]).ok()?).ok()?
        };
        if rest.factor_count() > MOST_FACTORS {
            return None;
        }
        all.push(taken);
    }
    Some(all)
}

fn component_is_loop(region: &Region, components: &Components<'_>, index: usize) -> bool {
    let component = &components.all[index];
    let only = components.members[component[0]];
    component.len() > 1
        || region.edges.iter().any(|edge| {
            edge.source.place() == only
                && edge.target.place() == only
                && components.header != Some(only)
        })
}

impl Cost {
    /// What it costs so often.
    pub(super) fn weighted(&self, by: &Expr) -> Result<Cost, TooLarge> {
        self.each(|part| part.times(by))
    }
}
