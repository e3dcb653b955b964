//! What an iteration of a map touches of the containers outside of it.

use std::collections::HashMap;
use std::sync::Arc;

use super::Obstacle;
use super::ranges::{Order, common_name, names, renamed};
use crate::cost::passage;
use crate::cost::roots::Roots;
use crate::cost::{Adjacency, Movement};
use crate::expr::Expr;
use crate::model::{Dimension, GraphIndex, Map, NodeIndex, State};

/// What an iteration does to a container.
#[derive(Debug)]
pub(super) struct Touch<'p> {
    /// The name that the graph has for it, of views that of their data.
    data: Arc<str>,
    /// The container that has the memory: two arguments of an inner graph may be one outside.
    memory: Option<Arc<str>>,
    is_write: bool,
    is_combined: bool,
    /// The box; nothing where it is not plain.
    dimensions: Option<&'p [Dimension]>,
}

/// A map with its exit and what its iterations touch.
pub(super) struct Body<'p> {
    pub(super) map: &'p Map,
    pub(super) entry: NodeIndex,
    pub(super) exit: NodeIndex,
    touches: Vec<Touch<'p>>,
}

impl<'p> Body<'p> {
    pub(super) fn of(
        (state, adjacency): (&'p State, &Adjacency),
        movements: &[Option<Movement>],
        (graph, roots): (GraphIndex, &Roots),
        map: &'p Map,
        (entry, exit): (NodeIndex, NodeIndex),
    ) -> Body<'p> {
        let (into, from) = (&adjacency.incoming, &adjacency.outgoing);
        let mut outer = HashMap::new();
        for index in into[entry.place()].iter().chain(&from[exit.place()]) {
            let edge = &state.edges[index.place()];
            let name = match (edge.target == entry, edge.source == exit) {
                (true, _) => passage(edge, true),
                (_, true) => passage(edge, false),
                _ => None,
            };
            if let (Some(name), Some(memlet)) = (name, &edge.memlet) {
                outer.insert((edge.source == exit, name), memlet);
            }
        }
        let mut touches = vec![];
        for index in from[entry.place()].iter().chain(&into[exit.place()]) {
            let (edge, movement) = (&state.edges[index.place()], &movements[index.place()]);
            let (is_write, name) = match (edge.source == entry, edge.target == exit) {
                (true, _) => (false, passage(edge, false)),
                (_, true) => (true, passage(edge, true)),
                _ => continue,
            };
            let (Some(name), Some(memlet), Some(movement)) = (name, &edge.memlet, movement) else {
                continue;
            };
            let around = outer.get(&(is_write, name));
            let data = around.map_or(&memlet.data, |around| &around.data);
            let root = roots.in_graph(graph, data).unwrap_or(data);
            let subset = if memlet.data == *data { &memlet.subset } else { &memlet.other_subset };
            let subset = subset.as_ref().filter(|subset| !subset.is_union());
            let is_plain = root == data && movement.excess.is_none() && !memlet.is_dynamic;
            touches.push(Touch {
                data: root.clone(),
                memory: roots.named(graph, root),
                is_write,
                is_combined: memlet.wcr.is_some() || around.is_some_and(|one| one.wcr.is_some()),
                dimensions: subset.filter(|_| is_plain).map(|subset| &subset.dimensions[..]),
            });
        }
        Body { map, entry, exit, touches }
    }
}

/// Whether each iteration of the second touches, of all that one of the two writes and both touch, what
/// the same iteration of the first touches, and no other one.
pub(super) fn obstacle(first: &Body<'_>, second: &Body<'_>, order: &Order) -> Option<Obstacle> {
    let mut found = None;
    for a in &first.touches {
        let is_same =
            |b: &&Touch<'_>| b.data == a.data || a.memory.is_some() && a.memory == b.memory;
        for b in second.touches.iter().filter(is_same).filter(|b| a.is_write || b.is_write) {
            if a.is_combined || b.is_combined {
                return Some(Obstacle::Reduction);
            }
            let own = box_of(first.map, a, None);
            let is_same =
                a.data == b.data && own.is_some() && own == box_of(second.map, b, Some(order));
            if !is_same || !own.is_some_and(|own| is_of_one_iteration(first.map, &own)) {
                found = Some(Obstacle::Elements);
            }
        }
    }
    found
}

/// Start, end, step and tile of each dimension, in names that both maps share.
fn box_of(map: &Map, touch: &Touch<'_>, order: Option<&[usize]>) -> Option<Vec<[Expr; 4]>> {
    let names = names(map, order);
    touch.dimensions?.iter().map(|range| renamed(range, &names)).collect()
}

/// Whether boxes of different iterations have no element in common: each parameter moves the box along
/// a dimension of its own by no less than its length there.
fn is_of_one_iteration(map: &Map, touched: &[[Expr; 4]]) -> bool {
    let count = map.parameters.len();
    let depends = |expr: &Expr, place: usize| {
        common_name(place).as_symbol().is_some_and(|name| expr.symbols().contains(name))
    };
    let moves_along = |place: usize, [start, end, ..]: &[Expr; 4]| {
        let name = common_name(place);
        let slope = name.as_symbol().and_then(|name| start.linear_in(name));
        let others = (0..count).any(|other| other != place && depends(start, other));
        let length = end.minus(start).ok().and_then(|length| length.as_number());
        let step = map.range[place].step.as_number();
        let (Some((slope, _)), Some(length), Some(step)) = (slope, length, step) else {
            return false;
        };
        let stride = slope * step;
        let is_apart = stride > length || -stride > length;
        !others && is_apart
    };
    let is_one = |place: usize| {
        let range = &map.range[place];
        range.iterations().is_ok_and(|count| count == Expr::integer(1))
    };
    let is_plain = touched.iter().all(|[.., tile]| *tile == Expr::integer(1));
    is_plain
        && (0..count).all(|place| {
            is_one(place) || touched.iter().any(|dimension| moves_along(place, dimension))
        })
}
