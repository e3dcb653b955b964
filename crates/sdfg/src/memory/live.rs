//! From the first use of a container to its last, in the control flow of its graph.
//!
//! Every block has a point where it begins and one where it ends; what is inside of it is between the
//! two, and the end of a loop leads to its beginning.

use std::cell::Cell;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use super::allocations::used_in;
use crate::cost::components::strong_components;
use crate::cost::roots::Roots;
use crate::expr::{Expr, Function};
use crate::model::{
    BlockIndex, BlockKind, GraphIndex, Program, Region, RegionIndex, RegionKind, StateIndex,
};

/// A place in lists of points.
type Point = usize;

/// The control flow of a graph, flat.
pub(super) struct Flow {
    successors: Vec<Vec<Point>>,
    predecessors: Vec<Vec<Point>>,
    /// The states that run at points, in the order of the program.
    states: Vec<(Point, StateIndex)>,
    /// Where each container is used.
    uses: HashMap<Arc<str>, BTreeSet<Point>>,
    may_skip: bool,
    /// Points that may still be looked at.
    left: Cell<usize>,
}

/// Enough for 4,000 containers in 2,000 blocks.
const MOST_LOOKS: usize = 1 << 25;

/// Where the blocks of regions begin and end.
struct Places {
    first: HashMap<RegionIndex, Point>,
    end: Point,
}

impl Places {
    fn begin(&self, region: RegionIndex, block: BlockIndex) -> Point {
        self.first.get(&region).map_or(self.end, |first| first + 2 * block.place())
    }

    fn end(&self, region: RegionIndex, block: BlockIndex) -> Point {
        self.first.get(&region).map_or(self.end, |first| first + 2 * block.place() + 1)
    }
}

impl Flow {
    pub(super) fn new(program: &Program, graph: GraphIndex, roots: &Roots) -> Flow {
        let regions = || {
            let all = program.regions.iter().enumerate();
            all.filter(|(_, region)| region.graph == graph)
                .map(|(place, region)| (RegionIndex(place as u32), region))
        };
        // The first two are the beginning and the end of the graph.
        let mut places = Places { first: HashMap::new(), end: 1 };
        let mut count = 2;
        for (index, region) in regions() {
            places.first.insert(index, count);
            count += 2 * region.blocks.len();
        }
        let mut flow = Flow {
            successors: vec![vec![]; count],
            predecessors: vec![],
            states: vec![],
            uses: HashMap::new(),
            may_skip: false,
            left: Cell::new(MOST_LOOKS),
        };
        for (index, region) in regions() {
            flow.add_region(program, (index, region), &places, roots);
        }
        flow.predecessors = vec![vec![]; count];
        for (from, all) in flow.successors.iter().enumerate() {
            for &to in all {
                flow.predecessors[to].push(from);
            }
        }
        flow.sort();
        flow
    }

    /// Whether not all states are on every way to the end: there are branches, or loops that may have
    /// no iteration.
    pub(super) fn may_skip(&self) -> bool {
        self.may_skip
    }

    /// The states from the first use of a container to its last; nothing where too much was looked at.
    pub(super) fn states_of(&self, name: &str) -> Option<Vec<StateIndex>> {
        let Some(uses) = self.uses.get(name) else { return Some(vec![]) };
        let behind = self.reached(uses, &self.successors)?;
        let before = self.reached(uses, &self.predecessors)?;
        let alive = self.states.iter().filter(|(point, _)| behind[*point] && before[*point]);
        Some(alive.map(|(_, state)| *state).collect())
    }

    /// Points at the end of ways from some of them; nothing where too many were looked at.
    fn reached(&self, from: &BTreeSet<Point>, ways: &[Vec<Point>]) -> Option<Vec<bool>> {
        let left = self.left.get().checked_sub(ways.len())?;
        self.left.set(left);
        let mut is_reached = vec![false; ways.len()];
        let mut waiting: Vec<Point> = from.iter().copied().collect();
        while let Some(point) = waiting.pop() {
            if !std::mem::replace(&mut is_reached[point], true) {
                waiting.extend(&ways[point]);
            }
        }
        Some(is_reached)
    }

    fn add_region(
        &mut self,
        program: &Program,
        (index, region): (RegionIndex, &Region),
        places: &Places,
        roots: &Roots,
    ) {
        let (begin, end) = match region.holder {
            Some((around, block)) => (places.begin(around, block), places.end(around, block)),
            None => (0, places.end),
        };
        let start = region.start.map_or(end, |start| places.begin(index, start));
        self.successors[begin].push(start);
        if let RegionKind::Loop(header) = &region.kind {
            self.successors[end].push(begin);
            header.names().for_each(|name| self.use_at(begin, (region.graph, &name), roots));
        }
        let mut conditions = vec![vec![]; region.blocks.len()];
        for edge in &region.edges {
            let from = places.end(index, edge.source);
            self.successors[from].push(places.begin(index, edge.target));
            conditions[edge.source.place()].push(edge.condition.as_deref());
            edge.names().for_each(|name| self.use_at(from, (region.graph, &name), roots));
        }
        for (place, block) in region.blocks.iter().enumerate() {
            let block_index = BlockIndex(place as u32);
            let own = (places.begin(index, block_index), places.end(index, block_index));
            match &block.kind {
                BlockKind::State(state) => {
                    self.successors[own.0].push(own.1);
                    self.add_state(program, *state, own.0, roots);
                }
                BlockKind::Region(_) => {}
                BlockKind::Conditional { branches, .. } => {
                    if branches.iter().all(|(condition, _)| condition.is_some()) {
                        self.successors[own.0].push(own.1);
                    }
                    let graph = region.graph;
                    block.names().for_each(|name| self.use_at(own.0, (graph, &name), roots));
                }
                BlockKind::Break | BlockKind::Continue => {
                    self.may_skip = true;
                    let around = loop_around(program, index);
                    let holder = around.and_then(|region| program.region(region).holder);
                    let to = holder.map_or(places.end, |(outer, block)| places.end(outer, block));
                    self.successors[own.0].push(to);
                }
                BlockKind::Return => {
                    self.may_skip = true;
                    self.successors[own.0].push(places.end);
                }
                BlockKind::Opaque(_) => self.successors[own.0].push(own.1),
            }
            if !is_one_taken(&conditions[place]) {
                self.successors[own.1].push(end);
            }
        }
    }

    fn add_state(&mut self, program: &Program, index: StateIndex, at: Point, roots: &Roots) {
        self.states.push((at, index));
        for name in used_in(program, index, roots) {
            self.uses.entry(name).or_default().insert(at);
        }
    }

    fn use_at(&mut self, at: Point, (graph, name): (GraphIndex, &str), roots: &Roots) {
        if let Some(root) = roots.in_graph(graph, name) {
            self.uses.entry(root.clone()).or_default().insert(at);
        }
    }

    /// Brings states into the order of the program, and looks for branches.
    fn sort(&mut self) {
        let components = strong_components(&self.successors);
        let mut component_of = vec![0; self.successors.len()];
        for (index, component) in components.iter().enumerate() {
            component.iter().for_each(|&point| component_of[point] = index);
        }
        self.states.sort_by_key(|(point, _)| (std::cmp::Reverse(component_of[*point]), *point));
        for (point, all) in self.successors.iter().enumerate() {
            let targets: BTreeSet<Point> = all.iter().copied().collect();
            let (inside, outside): (Vec<Point>, Vec<Point>) =
                targets.iter().partition(|to| component_of[**to] == component_of[point]);
            // A loop of blocks may be left where it begins.
            let is_asked = !inside.is_empty() && !outside.is_empty();
            self.may_skip |= inside.len() > 1 || outside.len() > 1 || is_asked;
        }
    }
}

/// Whether one of several conditions holds whatever happens.
fn is_one_taken(conditions: &[Option<&Expr>]) -> bool {
    let known: Option<Vec<&Expr>> = conditions.iter().copied().collect();
    let Some(known) = known else { return true };
    known.iter().any(|&one| {
        let other = Expr::call(Function::Not, vec![one.clone()]);
        other.is_ok_and(|other| known.contains(&&other))
    })
}

/// The innermost loop that a region is or is in.
fn loop_around(program: &Program, region: RegionIndex) -> Option<RegionIndex> {
    let mut index = region;
    loop {
        let region = program.region(index);
        if matches!(region.kind, RegionKind::Loop(_)) {
            return Some(index);
        }
        index = region.holder?.0;
    }
}
