//! Data that is only read, drawn near each use.
//!
//! A container that comes from outside and that a state does not write is the same wherever it is
//! read: a weight, an input. Where its reads are far apart, one box would have edges across all that
//! is between. Then it has a box near each use, of which all but the first are copies.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use protocol::GraphKind;
use sdfg::model::{NodeKind, Program, StateIndex};
use sdfg::outline::Element;

use super::drawing::{DrawnBox, DrawnEdge};
use super::wording;

/// Reads that are so many layers apart have one box: an operation has a layer, and its result.
const NEAR: u32 = 4;

/// Boxes that may be drawn several times.
pub(super) fn shared(program: &Program, boxes: &[DrawnBox], edges: &[DrawnEdge]) -> BTreeSet<u32> {
    let mut readers: HashMap<u32, usize> = HashMap::new();
    for edge in edges {
        *readers.entry(edge.from).or_default() += 1;
    }
    let mut written: HashMap<StateIndex, HashSet<Arc<str>>> = HashMap::new();
    let mut is_only_read = |state: StateIndex, data: &str| {
        let written = written.entry(state).or_insert_with(|| written_in(program, state));
        !written.contains(data)
    };
    let mut is_shared = |place: u32, one: &DrawnBox| {
        let Element::Node(state, node) = one.element else { return false };
        let NodeKind::Access { data } = &program.state(state).nodes[node.place()].kind else {
            return false;
        };
        one.kind == GraphKind::Access
            && readers.get(&place).is_some_and(|&count| count > 1)
            && !wording::is_transient(program, one.element)
            && is_only_read(state, data)
    };
    let boxes = (0u32..).zip(boxes);
    boxes.filter(|&(place, one)| is_shared(place, one)).map(|(place, _)| place).collect()
}

/// The containers that something in a state leads to.
fn written_in(program: &Program, state: StateIndex) -> HashSet<Arc<str>> {
    let state = program.state(state);
    let targets = state.edges.iter().map(|edge| &state.nodes[edge.target.place()].kind);
    let written = targets.filter_map(|kind| match kind {
        NodeKind::Access { data } => Some(data.clone()),
        _ => None,
    });
    written.collect()
}

/// Boxes that come into a drawing.
#[derive(Debug, Default)]
pub(super) struct Copies {
    /// By box, how many copies of it there are.
    counts: BTreeMap<u32, u32>,
    /// By edge, which copy it comes from.
    sources: BTreeMap<usize, u32>,
}

impl Copies {
    /// The copies of `shared` boxes, where others are in layers within their boxes.
    pub(super) fn new(shared: &BTreeSet<u32>, layers: &[u32], edges: &[DrawnEdge]) -> Copies {
        let mut uses: BTreeMap<u32, Vec<(u32, usize)>> = BTreeMap::new();
        for (number, edge) in edges.iter().enumerate() {
            if shared.contains(&edge.from) {
                let layer = layers[edge.to as usize];
                uses.entry(edge.from).or_default().push((layer, number));
            }
        }
        let mut copies = Copies::default();
        for (place, mut uses) in uses {
            uses.sort_unstable();
            let (mut first, mut copy) = (uses[0].0, 0);
            for (layer, edge) in uses {
                if layer - first > NEAR {
                    (first, copy) = (layer, copy + 1);
                }
                if copy > 0 {
                    copies.counts.insert(place, copy);
                    copies.sources.insert(edge, copy);
                }
            }
        }
        copies
    }

    /// Puts the copies behind what they are copies of, and their edges to them.
    pub(super) fn insert(
        &self,
        boxes: &mut Vec<DrawnBox>,
        edges: &mut [DrawnEdge],
        footers: &mut HashMap<u32, u32>,
    ) {
        let mut new_places = Vec::with_capacity(boxes.len());
        let mut all = Vec::with_capacity(boxes.len());
        for (place, one) in (0u32..).zip(boxes.drain(..)) {
            new_places.push(all.len() as u32);
            let count = self.counts.get(&place).copied().unwrap_or(0);
            let copies = (0..count).map(|_| DrawnBox {
                is_copy: true,
                label: format!("{} (copy)", one.label),
                ..one.clone()
            });
            let copies: Vec<DrawnBox> = copies.collect();
            all.push(one);
            all.extend(copies);
        }
        let new = |place: u32| new_places[place as usize];
        all.iter_mut().for_each(|one| one.parent = new(one.parent));
        *boxes = all;
        for (number, edge) in edges.iter_mut().enumerate() {
            let copy = self.sources.get(&number).copied().unwrap_or(0);
            (edge.from, edge.to) = (new(edge.from) + copy, new(edge.to));
        }
        *footers = footers.drain().map(|(around, footer)| (new(around), new(footer))).collect();
    }
}
