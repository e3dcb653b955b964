//! What an iteration of a map touches of the containers outside of it.

use std::collections::HashMap;
use std::sync::Arc;

use super::Obstacle;
use super::ranges::{Order, common_name, names, renamed};
use crate::cost::roots::Roots;
use crate::cost::{Adjacency, Costs, passage};
use crate::expr::Expr;
use crate::model::{
    ContainerKind, Dimension, EdgeIndex, GraphIndex, Map, NodeIndex, NodeKind, Program, State,
    StateIndex, Subset,
};

/// What an iteration does to a container.
#[derive(Debug)]
pub(super) struct Touch<'p> {
    /// The name that the graph has for it, of views that of their data.
    data: Arc<str>,
    /// The container that has the memory: two arguments of an inner graph may be one outside.
    memory: Option<Arc<str>>,
    is_write: bool,
    is_combined: bool,
    /// A write of each element of the box, whatever happens.
    is_whole: bool,
    /// The data may be any: a reference.
    is_any: bool,
    /// The box; nothing where it is not plain.
    dimensions: Option<&'p [Dimension]>,
}

/// A state with what is known of it.
pub(super) struct Place<'p> {
    pub(super) program: &'p Program,
    pub(super) costs: &'p Costs,
    pub(super) roots: &'p Roots,
    pub(super) index: StateIndex,
    pub(super) adjacency: &'p Adjacency,
    /// By node: the nodes of its scope.
    members: Vec<Vec<NodeIndex>>,
    /// By graph: it, or a graph in it, has references.
    has_references: &'p [bool],
}

/// A map with its exit and what its iterations touch.
pub(super) struct Body<'p> {
    pub(super) map: &'p Map,
    pub(super) entry: NodeIndex,
    pub(super) exit: NodeIndex,
    touches: Vec<Touch<'p>>,
}

impl<'p> Place<'p> {
    pub(super) fn new(
        (program, index): (&'p Program, StateIndex),
        (costs, roots): (&'p Costs, &'p Roots),
        adjacency: &'p Adjacency,
        has_references: &'p [bool],
    ) -> Place<'p> {
        let mut members = vec![vec![]; program.state(index).nodes.len()];
        for (node, one) in program.state(index).nodes.iter().enumerate() {
            if let Some(entry) = one.scope {
                members[entry.place()].push(NodeIndex(node as u32));
            }
        }
        Place { program, costs, roots, index, adjacency, members, has_references }
    }

    pub(super) fn state(&self) -> &'p State {
        self.program.state(self.index)
    }

    pub(super) fn graph(&self) -> GraphIndex {
        self.program.region(self.state().region).graph
    }

    /// All nodes between an entry and its exit, those of inner scopes, too.
    fn inside(&self, entry: NodeIndex) -> Vec<NodeIndex> {
        let mut all = self.members[entry.place()].clone();
        let mut done = 0;
        while let Some(node) = all.get(done) {
            done += 1;
            all.extend(&self.members[node.place()]);
        }
        all
    }

    fn is_reference(&self, data: &str) -> bool {
        let container = self.program.graph(self.graph()).containers.get(data);
        container.is_some_and(|container| container.kind == ContainerKind::Reference)
    }

    /// Whether an edge writes each element of its box, as often as it is reached.
    fn is_whole(&self, edge: EdgeIndex, subset: &Subset, data: &str) -> bool {
        let amounts = &self.costs.distinct.edges[self.index.place()];
        let (Some(Some(distinct)), Some(movement)) =
            (amounts.get(edge.place()), &self.costs.edges[self.index.place()][edge.place()])
        else {
            return false;
        };
        let container = self.program.graph(self.graph()).containers.get(data);
        let size = container.and_then(|container| container.element.size);
        let (Ok(count), Some(size)) = (subset.element_count(), size) else { return false };
        let is_all =
            count.times(&Expr::integer(size.into())).is_ok_and(|all| all == distinct.bytes);
        // What an inner graph reads and writes is distinct together.
        let is_enough = movement.elements == count
            || movement
                .elements
                .minus(&count)
                .is_ok_and(|more| more.as_number().is_some_and(|more| more >= 0.into()));
        is_all && is_enough && distinct.excess.is_none() && movement.excess.is_none()
    }
}

impl<'p> Body<'p> {
    pub(super) fn new(
        place: &Place<'p>,
        map: &'p Map,
        (entry, exit): (NodeIndex, NodeIndex),
    ) -> Body<'p> {
        let (state, graph) = (place.state(), place.graph());
        let (into, from) = (&place.adjacency.incoming, &place.adjacency.outgoing);
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
        let inside = place.inside(entry);
        let may_be_any = inside.iter().any(|node| match &state.nodes[node.place()].kind {
            NodeKind::Nested { graph: Some(graph), .. } => place.has_references[graph.place()],
            _ => false,
        });
        let mut touches = vec![];
        for index in from[entry.place()].iter().chain(&into[exit.place()]) {
            let edge = &state.edges[index.place()];
            let movement = &place.costs.edges[place.index.place()][index.place()];
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
            let root = place.roots.in_state(graph, place.index, data).unwrap_or(data);
            let subset = if memlet.data == *data { &memlet.subset } else { &memlet.other_subset };
            let subset = subset.as_ref().filter(|subset| !subset.is_union());
            let is_plain = root == data && movement.excess.is_none() && !memlet.is_dynamic;
            touches.push(Touch {
                data: root.clone(),
                memory: place.roots.named(graph, root),
                is_write,
                is_combined: memlet.wcr.is_some() || around.is_some_and(|one| one.wcr.is_some()),
                is_whole: is_write
                    && subset.is_some_and(|subset| place.is_whole(*index, subset, root)),
                is_any: may_be_any || place.is_reference(data),
                dimensions: subset.filter(|_| is_plain).map(|subset| &subset.dimensions[..]),
            });
        }
        touches.extend(inside.iter().flat_map(|node| direct(place, *node)));
        Body { map, entry, exit, touches }
    }
}

/// What an access node in a scope does to memory that is not an iteration's own: no edge of the map
/// tells it.
fn direct<'p>(place: &Place<'p>, node: NodeIndex) -> Vec<Touch<'p>> {
    let NodeKind::Access { data } = &place.state().nodes[node.place()].kind else { return vec![] };
    let root = place.roots.in_state(place.graph(), place.index, data).unwrap_or(data);
    let (memory, is_any) = (place.roots.named(place.graph(), root), place.is_reference(data));
    if memory.is_none() && !is_any {
        return vec![];
    }
    let adjacency = place.adjacency;
    let ways = [(false, &adjacency.outgoing), (true, &adjacency.incoming)];
    let used = ways.into_iter().filter(|(_, edges)| !edges[node.place()].is_empty());
    let touch = |(is_write, _)| Touch {
        data: root.clone(),
        memory: memory.clone(),
        is_write,
        is_combined: false,
        is_whole: false,
        is_any,
        dimensions: None,
    };
    used.map(touch).collect()
}

/// Whether each iteration of the second touches, of all that one of the two writes and both touch, what
/// the same iteration of the first touches, and no other one.
pub(super) fn obstacle(first: &Body<'_>, second: &Body<'_>, order: &Order) -> Option<Obstacle> {
    let mut found = None;
    for a in &first.touches {
        let is_same = |b: &&Touch<'_>| {
            let is_one = b.data == a.data || a.memory.is_some() && a.memory == b.memory;
            is_one || a.is_any || b.is_any
        };
        for b in second.touches.iter().filter(is_same).filter(|b| a.is_write || b.is_write) {
            if a.is_combined || b.is_combined {
                return Some(Obstacle::Reduction);
            }
            let own = box_of(first.map, a, None);
            let is_same =
                a.data == b.data && own.is_some() && own == box_of(second.map, b, Some(order));
            if !is_same || !own.is_some_and(|own| is_of_one_iteration(first.map, &own)) {
                found = Some(Obstacle::Elements);
            } else if a.is_write && !b.is_write && !a.is_whole {
                found = found.or(Some(Obstacle::Partial));
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
