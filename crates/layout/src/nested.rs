//! Drawings of graphs whose nodes hold graphs: boxes in boxes.
//!
//! ```text
//! +- header --------------+   an edge to this box ends at its upper side;
//! |     |          |      |   one from this box to one inside begins below the header
//! |  +-----+    +-----+   |
//! |  |     |    |     |   |
//! |  +-----+    +-----+   |
//! |     |          |      |
//! +- footer --------------+   one from inside ends at the footer;
//!                             one from the footer begins at the lower side of this box
//! ```
//!
//! Every open box is a drawing in layers of its own ([`draw_layered`](crate::draw_layered)), from the innermost out,
//! so that its inside looks the same whatever is around it, and order does not depend on sizes: what
//! folds or unfolds moves its neighbours and leaves them in their order.

use crate::layered;
use crate::{LayeredDrawing, LayeredGraph, Spacing};

/// Boxes, some in others, with edges.
#[derive(Debug, Clone, Default)]
pub struct NestedGraph {
    /// What is in a box stands behind it; the first holds all others.
    pub boxes: Vec<NestedBox>,
    /// From and to, as places in `boxes`: both in the same box, or along one of the ways that the
    /// picture of this module shows. Others have no route, as have those from a box to itself.
    pub edges: Vec<(u32, u32)>,
    /// As [`LayeredGraph::aspect`], for what is in each box.
    pub aspect: Option<f64>,
}

/// A box.
#[derive(Debug, Clone)]
pub struct NestedBox {
    /// Place of the box that it is in; the first box's own.
    pub parent: u32,
    /// Width and height; of an open box the least.
    pub size: (f64, f64),
    /// Of an open box: what is around its inside.
    pub inside: Option<Inside>,
}

/// The frame of an open box.
#[derive(Debug, Clone, Copy)]
pub struct Inside {
    /// Height of the header.
    pub header: f64,
    /// Room on all other sides.
    pub padding: f64,
    /// One of the boxes in it, which lies along its lower side.
    pub footer: Option<u32>,
}

/// Where everything is; the upper left corner of the first box is (0, 0).
#[derive(Debug, Clone, Default, PartialEq)]
pub struct NestedDrawing {
    /// Upper left corner of every box.
    pub corners: Vec<(f64, f64)>,
    /// Width and height of every box.
    pub sizes: Vec<(f64, f64)>,
    /// By edge, as [`LayeredDrawing::routes`].
    pub routes: Vec<Vec<(f64, f64)>>,
}

/// An end of an edge within an open box.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    Header,
    Child(u32),
    Footer,
}

/// Draws boxes in boxes.
pub fn draw(graph: &NestedGraph, spacing: Spacing) -> NestedDrawing {
    let count = graph.boxes.len();
    let Contents { children, edges } = Contents::new(graph);
    let mut sizes: Vec<(f64, f64)> = graph.boxes.iter().map(|one| one.size).collect();
    // Relative to the box that holds them, until all are placed.
    let mut corners = vec![(0.0, 0.0); count];
    let mut routes: Vec<Vec<(f64, f64)>> = vec![vec![]; graph.edges.len()];
    for place in work::long_steps("placing boxes", (0..count).rev()) {
        let Some(inside) = graph.boxes[place].inside else { continue };
        let (children, edges) = (&children[place], &edges[place]);
        let drawn = Inner { inside, children, edges, aspect: graph.aspect };
        drawn.place(&mut sizes, place, spacing, &mut corners, &mut routes);
    }
    for place in 1..count {
        let (x, y) = corners[graph.boxes[place].parent as usize];
        corners[place].0 += x;
        corners[place].1 += y;
    }
    for (place, edges) in edges.iter().enumerate() {
        let (x, y) = corners[place];
        for &(number, ..) in edges {
            for point in &mut routes[number] {
                *point = (point.0 + x, point.1 + y);
            }
        }
    }
    NestedDrawing { corners, sizes, routes }
}

/// The layer of every box within the box that it is in.
pub fn layers(graph: &NestedGraph) -> Vec<u32> {
    let Contents { children, edges } = Contents::new(graph);
    let mut layers = vec![0; graph.boxes.len()];
    let sizes: Vec<(f64, f64)> = graph.boxes.iter().map(|one| one.size).collect();
    for (place, one) in graph.boxes.iter().enumerate() {
        let Some(inside) = one.inside else { continue };
        let (children, edges) = (&children[place], &edges[place]);
        let inner = Inner { inside, children, edges, aspect: None };
        let (of_inside, drawn) = inner.graph(&sizes);
        for (child, layer) in drawn.into_iter().zip(layered::layers(&of_inside)) {
            layers[child as usize] = layer;
        }
    }
    layers
}

/// What is in each box: boxes, and the numbers of edges with their ends.
struct Contents {
    children: Vec<Vec<u32>>,
    edges: Vec<Vec<(usize, End, End)>>,
}

impl Contents {
    fn new(graph: &NestedGraph) -> Contents {
        let count = graph.boxes.len();
        let mut children: Vec<Vec<u32>> = vec![vec![]; count];
        for (place, one) in graph.boxes.iter().enumerate().skip(1) {
            children[one.parent as usize].push(place as u32);
        }
        let mut edges: Vec<Vec<(usize, End, End)>> = vec![vec![]; count];
        for (number, &(from, to)) in graph.edges.iter().enumerate() {
            if let Some((around, from, to)) = within(graph, from, to) {
                edges[around as usize].push((number, from, to));
            }
        }
        Contents { children, edges }
    }
}

/// The open box that an edge is drawn in, and its ends there.
fn within(graph: &NestedGraph, from: u32, to: u32) -> Option<(u32, End, End)> {
    let parent = |place: u32| graph.boxes[place as usize].parent;
    let is_footer = |place: u32| {
        let around = graph.boxes[parent(place) as usize].inside;
        around.and_then(|inside| inside.footer) == Some(place)
    };
    let end = |place: u32| if is_footer(place) { End::Footer } else { End::Child(place) };
    if from == to {
        return None;
    }
    if to != 0 && from == parent(to) {
        return Some((from, End::Header, end(to)));
    }
    // What leaves a footer leaves the box that it is the footer of.
    let from = if is_footer(from) { parent(from) } else { from };
    let is_beside = from != 0 && to != 0 && from != to && parent(from) == parent(to);
    is_beside.then(|| (parent(to), End::Child(from), end(to)))
}

/// What is in one open box.
struct Inner<'g> {
    inside: Inside,
    children: &'g [u32],
    edges: &'g [(usize, End, End)],
    aspect: Option<f64>,
}

impl Inner<'_> {
    /// Tells where children and routes are in the box `place`, and how large it has to be.
    fn place(
        &self,
        sizes: &mut [(f64, f64)],
        place: usize,
        spacing: Spacing,
        corners: &mut [(f64, f64)],
        routes: &mut [Vec<(f64, f64)>],
    ) {
        let Inside { header, padding, footer } = self.inside;
        let (graph, drawn) = self.graph(sizes);
        let drawing: LayeredDrawing = layered::draw(&graph, spacing);
        let begins_at_header = self.edges.iter().any(|edge| edge.1 == End::Header);
        let ends_at_footer = self.edges.iter().any(|edge| edge.2 == End::Footer);
        let width = sizes[place].0.max(drawing.size.0 + 2.0 * padding);
        let left = (width - drawing.size.0) / 2.0;
        let top = header + if begins_at_header { 0.0 } else { padding };
        let mut bottom = top + drawing.size.1 + if ends_at_footer { 0.0 } else { padding };
        for (&child, corner) in drawn.iter().zip(&drawing.nodes) {
            corners[child as usize] = (left + corner.0, top + corner.1);
        }
        if let Some(footer) = footer {
            corners[footer as usize] = (0.0, bottom);
            let height = sizes[footer as usize].1;
            sizes[footer as usize] = (width, height);
            bottom += height;
        }
        sizes[place] = (width, bottom.max(sizes[place].1));
        for (&(number, ..), route) in self.edges.iter().zip(drawing.routes) {
            let moved = route.into_iter().map(|(x, y)| (x + left, y + top));
            routes[number] = moved.collect();
        }
    }

    /// The graph to draw, and the children that its nodes are.
    fn graph(&self, sizes: &[(f64, f64)]) -> (LayeredGraph, Vec<u32>) {
        let footer = self.inside.footer;
        let drawn: Vec<u32> =
            self.children.iter().copied().filter(|&child| Some(child) != footer).collect();
        let mut node_sizes: Vec<(f64, f64)> =
            drawn.iter().map(|&child| sizes[child as usize]).collect();
        let is_used = |end: End| self.edges.iter().any(|edge| edge.1 == end || edge.2 == end);
        let mut more = |end: End| {
            is_used(end).then(|| {
                node_sizes.push((0.0, 0.0));
                node_sizes.len() as u32 - 1
            })
        };
        let (first, last) = (more(End::Header), more(End::Footer));
        let node = |end: End| match end {
            End::Header => first.unwrap_or_default(),
            End::Footer => last.unwrap_or_default(),
            // Children stand in the order of their places.
            End::Child(child) => drawn.partition_point(|&one| one < child) as u32,
        };
        let edges = self.edges.iter().map(|&(_, from, to)| (node(from), node(to))).collect();
        let aspect = self.aspect;
        let graph = LayeredGraph { sizes: node_sizes, edges, first, last, aspect };
        (graph, drawn)
    }
}
