//! How the ranges of two maps compare.

use std::collections::HashMap;

use crate::expr::Expr;
use crate::model::{Dimension, Map};

/// How the ranges of two maps compare, whatever their parameters are called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ranges {
    /// They are the same.
    Equal,
    /// They are the same in another order.
    Permuted,
    /// Those of one are among those of the other, which has more: fused, the rest would be inside.
    Nested {
        /// How many they have in common.
        common: usize,
    },
    /// Anything else.
    Different,
}

/// For each parameter of the second map, which of the first's it is.
pub(super) type Order = Vec<usize>;

/// Maps with more parameters are compared in their order alone.
const MOST_ORDERED: usize = 6;

/// Compares; with all the orders in which they are the same, the given one first.
pub(super) fn compare(first: &Map, second: &Map) -> (Ranges, Vec<Order>) {
    let own = &first.range;
    if own.len() != first.parameters.len() || second.range.len() != second.parameters.len() {
        return (Ranges::Different, vec![]);
    }
    if own.len() != second.range.len() {
        let is_first_smaller = own.len() < second.range.len();
        let (small, large) = if is_first_smaller { (first, second) } else { (second, first) };
        let common = small.range.len();
        let is_nested =
            orders(common, large.range.len()).any(|order| is_same(large, small, &order));
        let ranges = if is_nested { Ranges::Nested { common } } else { Ranges::Different };
        return (ranges, vec![]);
    }
    let count = own.len();
    let same: Vec<Order> =
        orders(count, count).filter(|order| is_same(first, second, order)).collect();
    let ranges = match same.first() {
        Some(order) if is_permuted(order) => Ranges::Permuted,
        Some(_) => Ranges::Equal,
        None => Ranges::Different,
    };
    (ranges, same)
}

/// Whether it is another order than the given one.
pub(super) fn is_permuted(order: &[usize]) -> bool {
    order.iter().enumerate().any(|(place, of)| place != *of)
}

/// Names that no program has for the parameters of both maps.
pub(super) fn names<'m>(map: &'m Map, order: Option<&[usize]>) -> HashMap<&'m str, Expr> {
    let parameters = map.parameters.iter().enumerate();
    let named = parameters.map(|(place, parameter)| {
        let place = order.map_or(place, |order| order[place]);
        (&**parameter, common_name(place))
    });
    named.collect()
}

/// The name of the first map's parameter of this place for both maps.
pub(super) fn common_name(place: usize) -> Expr {
    Expr::symbol(&format!("@{place}"))
}

/// A range with other names; nothing where that gets too large.
pub(super) fn renamed(range: &Dimension, names: &HashMap<&str, Expr>) -> Option<[Expr; 4]> {
    let rename = |expr: &Expr| expr.substituted(&|name| names.get(name).cloned()).ok();
    Some([rename(&range.start)?, rename(&range.end)?, rename(&range.step)?, rename(&range.tile)?])
}

/// Whether the second's ranges are those of the first that an order names.
fn is_same(first: &Map, second: &Map, order: &[usize]) -> bool {
    let (own, other) = (names(first, None), names(second, Some(order)));
    second.range.iter().zip(order).all(|(range, &of)| {
        let (a, b) = (renamed(&first.range[of], &own), renamed(range, &other));
        a.is_some() && a == b
    })
}

/// All ways to name `count` of so many places, the given order first.
fn orders(count: usize, of: usize) -> impl Iterator<Item = Order> {
    let mut all: Vec<Order> = vec![vec![]];
    if of > MOST_ORDERED {
        all = vec![(0..count).collect()];
    } else {
        for _ in 0..count {
            let longer = all.iter().flat_map(|order| {
                let rest = (0..of).filter(|place| !order.contains(place));
                rest.map(|place| order.iter().copied().chain([place]).collect())
            });
            all = longer.collect();
        }
    }
    all.into_iter()
}
