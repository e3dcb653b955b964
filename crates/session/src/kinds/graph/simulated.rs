//! What edges move between a cache and what is behind it, as a simulation of the whole program tells it.

use std::collections::HashMap;
use std::sync::Arc;

use locality::{Options, Outcome, Placement, Space};
use protocol::GraphSimulation;
use sdfg::expr::Bindings;
use sdfg::lower::{Combining, Part};
use sdfg::model::{EdgeIndex, ElementId, GraphIndex, NodeIndex, NodeKind, StateIndex};
use sdfg::outline::Element;

use super::GraphDocument;
use crate::kept::Question;
use crate::kinds::accesses::{Loops, Setting, caches_of};
use crate::kinds::graph::document::sorted;

/// Bytes by edge, and what is to be known of them.
#[derive(Debug, Default)]
pub(super) struct Simulated {
    bytes: HashMap<(StateIndex, EdgeIndex), f64>,
    /// Why some or all have none, and at which caches.
    pub(super) note: String,
}

#[derive(PartialEq, Eq, Hash)]
struct SimulatedAt {
    at: Vec<(String, i128)>,
    /// All that is said of how.
    how: String,
}

impl Question for SimulatedAt {
    type Answer = Simulated;
    const KEPT: usize = 1;
}

/// A place that accesses, and its misses in bytes.
struct Moved {
    state: StateIndex,
    edge: EdgeIndex,
    /// What it accesses, as the outermost graph calls it.
    container: String,
    /// Whether nothing else is called so.
    is_alone: bool,
    is_write: bool,
    /// All that it is in.
    around: Vec<Element>,
    bytes: f64,
}

impl Simulated {
    /// Bytes of an edge; no number where its accesses are not told apart from others, or there are none.
    pub(super) fn value(&self, element: Element) -> f64 {
        match element {
            Element::Edge(state, edge) => {
                self.bytes.get(&(state, edge)).copied().unwrap_or(f64::NAN)
            }
            _ => f64::NAN,
        }
    }
}

impl GraphDocument {
    /// What edges move at these sizes through these caches; what was asked for last is kept.
    pub(super) fn simulated(&self, at: &Bindings, how: &GraphSimulation) -> Arc<Simulated> {
        let question = SimulatedAt { at: sorted(at), how: format!("{how:?}") };
        self.kept().made(question, || simulate(self, at, how))
    }
}

fn simulate(document: &GraphDocument, at: &Bindings, how: &GraphSimulation) -> Simulated {
    let words = in_words(how);
    let moved = match moved(document, at, how) {
        Ok(moved) => moved,
        Err(why) => return Simulated { note: format!("{words}: {why}"), ..Simulated::default() },
    };
    let mut all = Simulated::default();
    for one in &moved.by_place {
        *all.bytes.entry((one.state, one.edge)).or_default() += one.bytes;
    }
    outer_edges(document, &moved.by_place, &mut all.bytes);
    all.note = match moved.left_out {
        0 => words,
        left_out => format!("{words}; at least: {left_out} parts of the program are left out"),
    };
    all
}

struct AllMoved {
    by_place: Vec<Moved>,
    left_out: usize,
}

fn moved(
    document: &GraphDocument,
    at: &Bindings,
    how: &GraphSimulation,
) -> Result<AllMoved, String> {
    let program = &document.program;
    let combining = if how.combining_reads { Combining::ReadWrite } else { Combining::Write };
    let setting = Setting { at: at.clone(), combining, ..Setting::default() };
    let own =
        Loops::Graph(program, Part::Whole).accesses(&setting).map_err(|error| error.to_string())?;
    let placement = if how.packed { Placement::Packed } else { Placement::OwnLines };
    let line = u64::from(how.line);
    let space = Space::new(own.program.containers.clone(), placement, line)
        .map_err(|error| error.to_string())?;
    let caches = caches_of(&how.caches).map_err(|error| error.message)?;
    let nest = &own.program.nest;
    let total = usize::try_from(nest.accesses()).unwrap_or(usize::MAX);
    let goes_on = |done: u128| {
        let done = usize::try_from(done).unwrap_or(usize::MAX);
        work::see(work::Progress { phase: "simulating", done, total });
        true
    };
    let options = Options { depth: 0, goes_on: &goes_on, ..Options::default() };
    let outcome =
        Outcome::new(nest, &space, &caches, &options).map_err(|error| error.to_string())?;
    // What a combining write reads first goes the way of the write.
    let combines = |number: usize| {
        let container = nest.references[number].container;
        own.origins.iter().zip(&nest.references).any(|(origin, other)| {
            other.is_write
                && other.container == container
                && origin.edge == own.origins[number].edge
        })
    };
    let places = own.origins.iter().enumerate().filter_map(|(number, origin)| {
        let (state, edge) = document.edge_of(origin.edge?)?;
        let reference = &nest.references[number];
        let container = &space.containers[reference.container as usize].name;
        Some(Moved {
            state,
            edge,
            is_alone: space.containers.iter().filter(|one| one.name == *container).count() == 1,
            container: container.clone(),
            is_write: reference.is_write || combines(number),
            around: program.containers_of(Element::Edge(state, edge)),
            bytes: (outcome.split(0, number).misses() * line) as f64,
        })
    });
    Ok(AllMoved { by_place: places.collect(), left_out: own.left_out.len() })
}

/// Edges around scopes and nested graphs move what is moved in these, of the same container and in the same
/// direction; where two edges may be meant, neither has a number.
fn outer_edges(
    document: &GraphDocument,
    by_place: &[Moved],
    bytes: &mut HashMap<(StateIndex, EdgeIndex), f64>,
) {
    let program = &document.program;
    // By what is around accesses, container and direction, what is moved.
    let mut inside: HashMap<(Element, &str, bool), f64> = HashMap::new();
    for one in by_place.iter().filter(|one| one.is_alone) {
        for &around in &one.around {
            *inside.entry((around, &one.container, one.is_write)).or_default() += one.bytes;
        }
    }
    let mut meant: HashMap<(Element, &str, bool), Vec<(StateIndex, EdgeIndex)>> = HashMap::new();
    for (place, state) in program.states.iter().enumerate() {
        // Only there containers are called what they are called outside.
        if program.region(state.region).graph != GraphIndex(0) {
            continue;
        }
        let index = StateIndex(place as u32);
        for (number, edge) in state.edges.iter().enumerate() {
            let Some(memlet) = &edge.memlet else { continue };
            let kind = |node: NodeIndex| &state.nodes[node.place()].kind;
            let is_nested = |node| matches!(kind(node), NodeKind::Nested { .. });
            let (target, source) = (edge.target, edge.source);
            let (inside, is_write) = if kind(target).is_entry() || is_nested(target) {
                (Some(target), false)
            } else if kind(source).is_exit() {
                (state.nodes[source.place()].scope, true)
            } else if is_nested(source) {
                (Some(source), true)
            } else {
                continue;
            };
            let Some(inside) = inside else { continue };
            let key = (Element::Node(index, inside), &*memlet.data, is_write);
            meant.entry(key).or_default().push((index, EdgeIndex(number as u32)));
        }
    }
    for ((around, data, is_write), edges) in meant {
        let Some(&sum) = inside.get(&(around, data, is_write)) else { continue };
        if let [only] = edges[..] {
            bytes.insert(only, sum);
        }
    }
}

fn in_words(how: &GraphSimulation) -> String {
    let levels = how.caches.levels.first().map_or_else(String::new, |level| {
        let size = level.size as u64;
        let size = if size.is_multiple_of(1 << 10) {
            format!("{} KiB", size >> 10)
        } else {
            format!("{size} bytes")
        };
        match level.ways {
            Some(ways) => format!("{size} of {ways} ways"),
            None => format!("{size}, fully associative"),
        }
    });
    format!("misses of a first level of {levels} times lines of {} bytes", how.line)
}

impl GraphDocument {
    /// The edge of dataflow that DaCe names so; none where there is none.
    fn edge_of(&self, id: ElementId) -> Option<(StateIndex, EdgeIndex)> {
        match self.element(self.edge_number(id)?).ok()? {
            Element::Edge(state, edge) => Some((state, edge)),
            _ => None,
        }
    }
}
