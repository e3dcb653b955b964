//! Where the boxes and edges of a graph stand.

use std::collections::HashMap;
use std::sync::Arc;

use layout::{NestedBox, NestedDrawing, NestedGraph, draw_nested, nested_layers};
use protocol::{
    BoxFlag, EdgeFlag, GraphDrawingColumns, GraphDrawingParams, GraphDrawingResult, GraphKind,
    GraphView, ProtocolError, Reply,
};
use sdfg::model::{EdgeIndex, NodeIndex, RegionIndex, StateIndex};
use sdfg::outline::Element;

use super::copies::Copies;
use super::folds::Folds;
use super::{GraphDocument, copies, room, wording};
use crate::kept::Question;

/// A hidden node hands on at most so many pairs of edges.
const MOST_HANDED_ON: usize = 64;
/// Drawings that are kept.
const MOST_DRAWINGS: usize = 6;

/// A drawing with what it is of.
#[derive(Debug)]
pub(crate) struct Drawing {
    /// The depth that it was opened to.
    pub(crate) depth: u32,
    /// In preorder.
    pub(crate) boxes: Vec<DrawnBox>,
    pub(crate) edges: Vec<DrawnEdge>,
    pub(crate) places: NestedDrawing,
    hidden: usize,
    lost_edges: usize,
}

#[derive(Debug, Clone)]
pub(crate) struct DrawnBox {
    pub(crate) element: Element,
    pub(crate) kind: GraphKind,
    pub(crate) is_container: bool,
    pub(crate) is_open: bool,
    pub(crate) label: String,
    pub(crate) note: String,
    /// Place of the box that it is in; the first one's own.
    pub(crate) parent: u32,
    /// Scopes and nested graphs around it.
    pub(crate) scopes: u32,
    /// A box before it is of the same element.
    pub(crate) is_copy: bool,
}

#[derive(Debug)]
pub(crate) struct DrawnEdge {
    pub(crate) element: Element,
    pub(crate) from: u32,
    pub(crate) to: u32,
    /// Scopes and nested graphs around it.
    pub(crate) scopes: u32,
}

#[derive(PartialEq, Eq, Hash)]
struct Drawn(GraphView);

impl Question for Drawn {
    type Answer = Drawing;
    const KEPT: usize = MOST_DRAWINGS;
}

impl GraphDocument {
    /// The drawing of a view, made when it is first asked for.
    pub(crate) fn drawn(&self, view: &GraphView) -> Arc<Drawing> {
        self.kept().made(Drawn(view.clone()), || Builder::new(self, view).draw())
    }
}

/// Where the boxes and edges of a graph stand.
pub(crate) fn drawing(
    document: &GraphDocument,
    params: &GraphDrawingParams,
) -> Result<Reply<GraphDrawingResult, GraphDrawingColumns>, ProtocolError> {
    let drawing = document.drawn(&params.view);
    let mut texts = Texts::default();
    let mut columns = GraphDrawingColumns::default();
    let number = |element: Element| document.outline.number(element);
    for (place, one) in drawing.boxes.iter().enumerate() {
        let (x, y) = drawing.places.corners[place];
        let (width, height) = drawing.places.sizes[place];
        columns.element.push(number(one.element));
        columns.parent.push(one.parent);
        columns.x.push(x);
        columns.y.push(y);
        columns.width.push(width);
        columns.height.push(height);
        columns.kind.push(one.kind as u32);
        columns.label.push(texts.number(&one.label));
        columns.note.push(texts.number(&one.note));
        let has_source = wording::source(&document.program, one.element).is_some();
        let is_transient = wording::is_transient(&document.program, one.element);
        columns.flags.push(
            bit(one.is_container, BoxFlag::FOLDABLE)
                | bit(one.is_open, BoxFlag::UNFOLDED)
                | bit(has_source, BoxFlag::SOURCE)
                | bit(is_transient, BoxFlag::TRANSIENT)
                | bit(one.is_copy, BoxFlag::COPY),
        );
    }
    for (edge, route) in drawing.edges.iter().zip(&drawing.places.routes) {
        columns.edge_element.push(number(edge.element));
        columns.edge_from.push(edge.from);
        columns.edge_to.push(edge.to);
        columns.edge_label.push(texts.number(&wording::edge_label(document, edge.element)));
        let mut flags = wording::edge_flags(&document.program, edge.element);
        if edge.scopes == 0 && matches!(edge.element, Element::Edge(..)) {
            flags |= EdgeFlag::OUTERMOST;
        }
        columns.edge_flags.push(flags);
        columns.edge_first_point.push(columns.point_x.len() as u32);
        for &(x, y) in route {
            columns.point_x.push(x);
            columns.point_y.push(y);
        }
    }
    let size = drawing.places.sizes.first().copied().unwrap_or_default();
    let result = GraphDrawingResult {
        width: size.0,
        height: size.1,
        depth: drawing.depth,
        texts: texts.all,
        hidden: drawing.hidden as f64,
        lost_edges: drawing.lost_edges as f64,
    };
    Ok(Reply { result, columns })
}

/// A bit where something holds, else nothing.
pub(super) fn bit(holds: bool, bit: u32) -> u32 {
    if holds { bit } else { 0 }
}

/// Texts, each once.
struct Texts {
    all: Vec<String>,
    numbers: HashMap<String, u32>,
}

impl Default for Texts {
    fn default() -> Texts {
        Texts { all: vec![String::new()], numbers: HashMap::from([(String::new(), 0)]) }
    }
}

impl Texts {
    fn number(&mut self, text: &str) -> u32 {
        if let Some(&known) = self.numbers.get(text) {
            return known;
        }
        let number = self.all.len() as u32;
        self.all.push(text.to_owned());
        self.numbers.insert(text.to_owned(), number);
        number
    }
}

/// What a node or block is drawn as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shown {
    Box(u32),
    /// Left out, with a number of its own.
    Hidden(usize),
    /// In something that is closed.
    Inside,
}

struct Builder<'d> {
    document: &'d GraphDocument,
    folds: Folds<'d>,
    view: &'d GraphView,
    boxes: Vec<DrawnBox>,
    /// Footers of scopes, by the box of their entry.
    footers: HashMap<u32, u32>,
    nodes: HashMap<StateIndex, Vec<Shown>>,
    blocks: HashMap<RegionIndex, Vec<Shown>>,
    hidden: usize,
    lost_edges: usize,
}

impl<'d> Builder<'d> {
    fn new(document: &'d GraphDocument, view: &'d GraphView) -> Builder<'d> {
        Builder {
            document,
            folds: Folds::new(view, &document.tree, &document.outline),
            view,
            boxes: vec![],
            footers: HashMap::new(),
            nodes: HashMap::new(),
            blocks: HashMap::new(),
            hidden: 0,
            lost_edges: 0,
        }
    }

    fn draw(mut self) -> Drawing {
        self.collect_boxes();
        let mut edges = self.collect_edges();
        let shared = copies::shared(&self.document.program, &self.boxes, &edges);
        if !shared.is_empty() {
            let others = edges.iter().filter(|edge| !shared.contains(&edge.from));
            let layers = nested_layers(&self.nested(others));
            let copies = Copies::new(&shared, &layers, &edges);
            copies.insert(&mut self.boxes, &mut edges, &mut self.footers);
        }
        let places = draw_nested(&self.nested(edges.iter()), room::SPACING);
        Drawing {
            depth: self.folds.depth,
            boxes: self.boxes,
            edges,
            places,
            hidden: self.hidden,
            lost_edges: self.lost_edges,
        }
    }

    /// The outermost graph and what is open in it.
    fn collect_boxes(&mut self) {
        let (program, tree) = (&self.document.program, &self.document.tree);
        let Some(root) = program.root() else { return };
        let mut open = vec![(Element::Region(root.region), 0u32, 0u32, 0u32)];
        while let Some((element, parent, depth, scopes)) = open.pop() {
            let kind = wording::kind(program, element);
            if self.view.hidden.contains(&kind) && depth > 0 {
                self.note_shown(element, Shown::Hidden(self.hidden));
                self.hidden += 1;
                continue;
            }
            let place = self.boxes.len() as u32;
            let is_container = tree.is_container(program, element);
            let is_open = is_container && self.folds.is_open(element, depth);
            self.boxes.push(DrawnBox {
                element,
                kind,
                is_container,
                is_open,
                label: wording::label(program, element),
                note: wording::note(self.document, element),
                parent,
                scopes,
                is_copy: false,
            });
            self.note_shown(element, Shown::Box(place));
            if matches!(kind, GraphKind::MapExit | GraphKind::ConsumeExit) {
                self.footers.insert(parent, place);
            }
            let children = tree.children(program, element);
            let inner = scopes + u32::from(matches!(element, Element::Node(..)));
            if is_open {
                let children = children.into_iter().rev();
                open.extend(children.map(|child| (child, place, depth + 1, inner)));
            } else {
                for child in children {
                    let kind = wording::kind(program, child);
                    if matches!(kind, GraphKind::MapExit | GraphKind::ConsumeExit) {
                        self.note_shown(child, Shown::Box(place));
                    }
                }
            }
        }
    }

    fn note_shown(&mut self, element: Element, shown: Shown) {
        let program = &self.document.program;
        match element {
            Element::Node(state, node) => {
                let count = program.state(state).nodes.len();
                let all = self.nodes.entry(state).or_insert_with(|| vec![Shown::Inside; count]);
                all[node.place()] = shown;
            }
            Element::Block(region, block) => {
                let count = program.region(region).blocks.len();
                let all = self.blocks.entry(region).or_insert_with(|| vec![Shown::Inside; count]);
                all[block.place()] = shown;
            }
            _ => {}
        }
    }

    fn collect_edges(&mut self) -> Vec<DrawnEdge> {
        let program = &self.document.program;
        let mut edges: Vec<(Element, Shown, Shown)> = vec![];
        let mut states: Vec<_> = self.nodes.iter().collect();
        states.sort_unstable_by_key(|(state, _)| **state);
        for (&state, shown) in states {
            for (index, edge) in program.state(state).edges.iter().enumerate() {
                let ends = [edge.source, edge.target].map(|node: NodeIndex| shown[node.place()]);
                let element = Element::Edge(state, EdgeIndex(index as u32));
                if !ends.contains(&Shown::Inside) && ends[0] != ends[1] {
                    edges.push((element, ends[0], ends[1]));
                }
            }
        }
        let mut regions: Vec<_> = self.blocks.iter().collect();
        regions.sort_unstable_by_key(|(region, _)| **region);
        for (&region, shown) in regions {
            for (index, edge) in program.region(region).edges.iter().enumerate() {
                let element = Element::Transition(region, EdgeIndex(index as u32));
                let ends = [edge.source, edge.target].map(|block| shown[block.place()]);
                edges.push((element, ends[0], ends[1]));
            }
        }
        let edges = self.past_hidden(edges);
        let drawn = edges.into_iter().filter_map(|(element, from, to)| match (from, to) {
            (Shown::Box(from), Shown::Box(to)) => {
                Some(DrawnEdge { element, from, to, scopes: self.scopes_around(from, to) })
            }
            _ => None,
        });
        drawn.collect()
    }

    /// How many scopes and nested graphs an edge is in.
    fn scopes_around(&self, from: u32, to: u32) -> u32 {
        let [source, target] = [from, to].map(|place| &self.boxes[place as usize]);
        let is_end = matches!(source.kind, GraphKind::MapExit | GraphKind::ConsumeExit);
        match (is_end, target.parent == from) {
            // What leaves a scope is outside of it.
            (true, _) => source.scopes.saturating_sub(1),
            (false, true) => target.scopes,
            (false, false) => source.scopes,
        }
    }

    /// The same edges with those at hidden boxes joined, so that what is before leads to what is
    /// behind.
    fn past_hidden(&mut self, edges: Vec<(Element, Shown, Shown)>) -> Vec<(Element, Shown, Shown)> {
        let mut at_hidden: Vec<Vec<usize>> = vec![vec![]; self.hidden];
        let mut all: Vec<Option<(Element, Shown, Shown)>> = vec![];
        let add = |all: &mut Vec<_>, at_hidden: &mut Vec<Vec<usize>>, edge: (Element, _, _)| {
            for end in [edge.1, edge.2] {
                if let Shown::Hidden(hidden) = end {
                    at_hidden[hidden].push(all.len());
                }
            }
            all.push(Some(edge));
        };
        edges.into_iter().for_each(|edge| add(&mut all, &mut at_hidden, edge));
        for number in 0..self.hidden {
            let hidden = Shown::Hidden(number);
            let places = std::mem::take(&mut at_hidden[number]);
            let at: Vec<_> = places.into_iter().filter_map(|place| all[place].take()).collect();
            let before: Vec<Shown> =
                at.iter().filter(|edge| edge.2 == hidden).map(|edge| edge.1).collect();
            let behind = at.iter().filter(|edge| edge.1 == hidden);
            let joined = behind
                .flat_map(|&(element, _, to)| before.iter().map(move |&from| (element, from, to)));
            let joined: Vec<_> = joined.filter(|(_, from, to)| from != to).collect();
            self.lost_edges += if joined.is_empty() {
                at.len()
            } else {
                joined.len().saturating_sub(MOST_HANDED_ON)
            };
            let joined = joined.into_iter().take(MOST_HANDED_ON);
            joined.for_each(|edge| add(&mut all, &mut at_hidden, edge));
        }
        all.into_iter().flatten().collect()
    }

    /// Boxes and edges for the layout.
    fn nested<'e>(&self, edges: impl Iterator<Item = &'e DrawnEdge>) -> NestedGraph {
        let boxes = (0u32..).zip(&self.boxes);
        NestedGraph {
            boxes: boxes.map(|(place, one)| self.nested_box(place, one)).collect(),
            edges: edges.map(|edge| (edge.from, edge.to)).collect(),
            aspect: self.view.aspect.map(|percent| f64::from(percent.max(1)) / 100.0),
        }
    }

    fn nested_box(&self, place: u32, one: &DrawnBox) -> NestedBox {
        let footer = self.footers.get(&place).copied();
        let is_footer = self.footers.get(&one.parent) == Some(&place);
        if is_footer { room::footer(one) } else { room::of(one, footer) }
    }
}
