//! Writes to one element that are combined come one after the other.

use std::collections::BTreeSet;

use crate::cost::adjacency::Adjacency;
use crate::cost::certainty::Excess;
use crate::cost::rules::Rules;
use crate::expr::{Expr, TooLarge};
use crate::model::{Dimension, EdgeIndex, Map, Memlet, NodeKind, State};

/// How many combined writes are to one element.
#[derive(Debug, Clone, Default)]
pub(super) struct Conflicts {
    pub(super) depth: Expr,
    pub(super) excess: Option<Excess>,
}

impl Conflicts {
    /// Of what leaves a node along an edge.
    pub(super) fn at(
        state: &State,
        edge: EdgeIndex,
        adjacency: &Adjacency,
        rules: Rules,
    ) -> Result<Conflicts, TooLarge> {
        let none = Conflicts::default();
        let Some(memlet) = &state.edges[edge.place()].memlet else { return Ok(none) };
        let (Some(_), Some(subset)) = (&memlet.wcr, &memlet.subset) else { return Ok(none) };
        if !rules.is_exact() || is_even(state, edge, adjacency) {
            let depth = memlet.volume.quotient(&subset.element_count()?)?;
            return Ok(Conflicts { depth, excess: None });
        }
        Ok(Conflicts { depth: (*memlet.volume).clone(), excess: Some(Excess::Combined) })
    }
}

/// Whether all elements that an edge tells get equally many writes.
fn is_even(state: &State, edge: EdgeIndex, adjacency: &Adjacency) -> bool {
    // To the write itself, through the exits of scopes.
    let mut edge = edge;
    let mut maps: Vec<&Map> = vec![];
    while state.nodes[state.edges[edge.place()].source.place()].kind.is_exit() {
        let exit = state.edges[edge.place()].source.place();
        let Some(NodeKind::MapEntry(map)) =
            state.nodes[exit].scope.map(|entry| &state.nodes[entry.place()].kind)
        else {
            return false;
        };
        maps.push(map);
        let outer = state.edges[edge.place()].source_connector.as_deref();
        let name = outer.and_then(|outer| outer.strip_prefix("OUT_"));
        let inner = adjacency.incoming[exit].iter().find(|inner| {
            let inner = state.edges[inner.place()].target_connector.as_deref();
            name.is_some() && inner.and_then(|inner| inner.strip_prefix("IN_")) == name
        });
        // Scopes nest, so that this ends.
        let Some(inner) = inner.filter(|_| maps.len() <= state.nodes.len()) else { return false };
        edge = *inner;
    }
    match &state.edges[edge.place()].memlet {
        Some(memlet) => maps.is_empty() || is_even_write(memlet, &maps),
        None => false,
    }
}

/// Whether a write inside of maps is to each of its elements equally often: each index is one parameter or none,
/// and how often the others run does not depend on those.
fn is_even_write(memlet: &Memlet, maps: &[&Map]) -> bool {
    let Some(subset) = memlet.subset.as_ref().filter(|subset| !subset.is_union()) else {
        return false;
    };
    if memlet.is_dynamic || subset.element_count().ok().as_ref() != Some(&*memlet.volume) {
        return false;
    }
    let ranges: Vec<(&str, &Dimension)> = maps
        .iter()
        .flat_map(|map| map.parameters.iter().map(|name| &**name).zip(&map.range))
        .collect();
    let range_of =
        |name: &str| ranges.iter().find(|(known, _)| *known == name).map(|found| found.1);
    let mut used = BTreeSet::new();
    for dimension in &subset.dimensions {
        let names: BTreeSet<&str> = [&dimension.start, &dimension.end]
            .into_iter()
            .flat_map(|end| end.symbols())
            .filter(|name| range_of(name).is_some())
            .collect();
        let Some(&name) = names.first() else { continue };
        let is_itself =
            dimension.start.as_symbol() == Some(name) && dimension.start == dimension.end;
        if names.len() > 1 || !is_itself || !used.insert(name) {
            return false;
        }
    }
    ranges.iter().all(|(name, range)| {
        let symbols = symbols_of(range);
        let mut around = symbols.iter().filter(|name| range_of(name).is_some());
        if used.contains(name) {
            around.all(|around| range_of(around).is_some_and(|outer| is_tile(range, around, outer)))
        } else {
            around.all(|around| !used.contains(around))
        }
    })
}

/// Whether a range is what lies between one value of an outer parameter and the next, so that all of them together
/// go through each index once. The last tile may be cut.
fn is_tile(range: &Dimension, name: &str, outer: &Dimension) -> bool {
    let end = range.approximate_end.as_ref().unwrap_or(&range.end);
    let length = end.minus(&range.start).and_then(|last| last.plus(&Expr::integer(1)));
    range.start.as_symbol() == Some(name) && length.is_ok_and(|length| length == *outer.step)
}

fn symbols_of(range: &Dimension) -> BTreeSet<&str> {
    [&range.start, &range.end, &range.step].into_iter().flat_map(|part| part.symbols()).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::expr::parse;
    use crate::model::Subset;

    fn dimension(text: &str) -> Dimension {
        let mut parts = text.split(':').map(|part| Arc::new(parse(part).unwrap()));
        let start = parts.next().unwrap();
        let end = parts.next().unwrap_or_else(|| Arc::clone(&start));
        let one = Arc::new(Expr::integer(1));
        let step = parts.next().unwrap_or_else(|| Arc::clone(&one));
        Dimension { start, end, step, tile: one, approximate_end: None }
    }

    fn is_even(index: &[&str], maps: &[&[(&str, &str)]]) -> bool {
        let memlet = Memlet {
            data: "A".into(),
            subset: Some(Subset {
                dimensions: index.iter().map(|text| dimension(text)).collect(),
                further: vec![],
            }),
            other_subset: None,
            volume: Arc::new(Expr::integer(1)),
            is_dynamic: false,
            wcr: Some("lambda a, b: a + b".into()),
        };
        let map = |parameters: &&[(&str, &str)]| Map {
            parameters: parameters.iter().map(|(name, _)| (*name).into()).collect(),
            range: parameters.iter().map(|(_, range)| dimension(range)).collect(),
            schedule: None,
        };
        let maps: Vec<Map> = maps.iter().map(map).collect();
        is_even_write(&memlet, &maps.iter().collect::<Vec<_>>())
    }

    /// What is counted by hand on paper: every element of a matrix product gets K writes, of a triangle the
    /// first one gets more than the last.
    #[test]
    fn writes_are_even_where_each_element_gets_as_many() {
        let product: &[(&str, &str)] = &[("i", "0:N-1"), ("j", "0:M-1"), ("k", "0:K-1")];
        assert!(is_even(&["i", "j"], &[product]) && is_even(&["0"], &[product]));
        let triangle: &[(&str, &str)] = &[("i", "0:N-1"), ("k", "0:i")];
        assert!(!is_even(&["i"], &[triangle]), "row i gets i + 1 writes");
        assert!(!is_even(&["k"], &[triangle]));
        assert!(is_even(&["0"], &[triangle]));
        assert!(!is_even(&["i + j"], &[product]) && !is_even(&["i", "i"], &[product]));
        assert!(!is_even(&["0:B-1"], &[product]), "data decides which element");
        let tile: &[(&str, &str)] = &[("i", "t:t+3")];
        assert!(is_even(&["i"], &[tile, &[("t", "0:N-1:4")]]));
        assert!(!is_even(&["i"], &[tile, &[("t", "0:N-1:2")]]), "tiles overlap");
    }
}
