//! What a state touches: edges, scopes, inner graphs.

use std::sync::Arc;

use super::pass::{Pass, Print, add, or_less};
use super::touched::{Shape, Span, Touched};
use crate::cost::adjacency::Adjacency;
use crate::cost::costs::Amount;
use crate::cost::maps::map_iterations;
use crate::cost::roots::is_whole;
use crate::cost::state::{counted, far_end, passage, topological_order};
use crate::expr::{Expr, TooLarge};
use crate::model::{
    ContainerKind, Edge, EdgeIndex, GraphIndex, Map, Memlet, NodeIndex, NodeKind, State,
    StateIndex, Subset,
};

impl Pass<'_, '_, '_> {
    pub(super) fn state(&mut self, index: StateIndex) {
        let program = self.context.known.program;
        let state = program.state(index);
        let graph = program.region(state.region).graph;
        let adjacency = Adjacency::new(state);
        let order = topological_order(state, &adjacency);
        let mut edges: Vec<Print> =
            (0..state.edges.len()).map(|edge| self.edge(index, &state.edges[edge])).collect();
        for &node in order.iter().rev() {
            self.through(index, node, true, &adjacency, &mut edges);
        }
        for &node in &order {
            self.through(index, node, false, &adjacency, &mut edges);
        }
        // What is in each scope, and behind all of them in none.
        let mut inside = vec![Print::new(); state.nodes.len() + 1];
        let outermost = state.nodes.len();
        let place_of = |scope: Option<NodeIndex>| scope.map_or(outermost, NodeIndex::place);
        for (place, edge) in state.edges.iter().enumerate() {
            if counted(self.context.known, index, edge).is_some() {
                let scope = place_of(state.scope_behind(edge.source));
                let mut print = edges[place].clone();
                add(&mut print, self.other_side(index, edge));
                add(&mut inside[scope], self.lasting(print));
            }
        }
        for &node in order.iter().rev() {
            let scope = place_of(state.nodes[node.place()].scope);
            let print = match &state.nodes[node.place()].kind {
                NodeKind::MapEntry(map) => {
                    let body = std::mem::take(&mut inside[node.place()]);
                    self.over_map(body, map, index, node)
                }
                NodeKind::ConsumeEntry(_) => {
                    let body = std::mem::take(&mut inside[node.place()]);
                    body.into_iter().map(|(key, sets)| (key, or_less(sets))).collect()
                }
                NodeKind::Nested { graph: Some(_), .. } => self.nested(index, node, None),
                _ => continue,
            };
            let print = self.lasting(print);
            let amount = self.amount(&print, graph);
            self.result.nodes[index.place()].resize(state.nodes.len(), Amount::default());
            self.result.nodes[index.place()][node.place()] = amount;
            add(&mut inside[scope], print);
        }
        let whole = std::mem::take(&mut inside[outermost]);
        self.result.states[index.place()] = self.amount(&whole, graph);
        self.states[index.place()] = whole;
        self.tell_parts(index, graph, &adjacency, &edges);
    }

    /// Amounts of edges, and of nodes by what is at their edges.
    fn tell_parts(
        &mut self,
        index: StateIndex,
        graph: GraphIndex,
        adjacency: &Adjacency,
        edges: &[Print],
    ) {
        let state = self.context.known.program.state(index);
        let amounts: Vec<Option<Amount>> = (state.edges.iter().zip(edges))
            .map(|(edge, print)| edge.memlet.as_ref().map(|_| self.amount(print, graph)))
            .collect();
        let nodes = &mut self.result.nodes[index.place()];
        nodes.resize(state.nodes.len(), Amount::default());
        for (place, node) in state.nodes.iter().enumerate() {
            if node.kind.is_entry() || matches!(node.kind, NodeKind::Nested { graph: Some(_), .. })
            {
                continue;
            }
            // What comes to an exit is of one iteration, and goes on from it.
            let incoming = adjacency.incoming[place].iter().filter(|_| !node.kind.is_exit());
            let all = incoming.chain(&adjacency.outgoing[place]);
            let parts: Vec<&Amount> =
                all.filter_map(|edge| amounts[edge.place()].as_ref()).collect();
            let bytes = Expr::sum(parts.iter().map(|one| one.bytes.clone()));
            nodes[place] = Amount {
                bytes: self.context.report.or_unknown(bytes, &format!("{}_distinct", node.label)),
                excess: parts.iter().find_map(|one| one.excess),
            };
        }
        self.result.edges[index.place()] = amounts;
    }

    /// Without what each iteration of a scope has of its own.
    fn lasting(&self, print: Print) -> Print {
        let lasts = |(graph, name): &(GraphIndex, Arc<str>)| {
            self.context.known.roots.named(*graph, name).is_some()
        };
        print.into_iter().filter(|(key, _)| lasts(key)).collect()
    }

    /// What an innermost edge touches of the container that it names.
    fn edge(&mut self, index: StateIndex, edge: &Edge) -> Print {
        let Some(memlet) = &edge.memlet else { return Print::new() };
        if edge.binds_view() {
            return Print::new();
        }
        let state = self.context.known.program.state(index);
        for (node, connector) in
            [(edge.target, &edge.target_connector), (edge.source, &edge.source_connector)]
        {
            if let (NodeKind::Nested { graph: Some(inner), .. }, Some(connector)) =
                (&state.nodes[node.place()].kind, connector)
                && self.context.known.roots.is_accessed(*inner, connector)
            {
                return self.nested(index, node, Some((connector, edge)));
            }
        }
        self.subset_of(index, &memlet.data, memlet.subset.as_ref(), memlet)
    }

    /// What a copy touches at the end that its memlet does not name.
    fn other_side(&mut self, index: StateIndex, edge: &Edge) -> Print {
        let state = self.context.known.program.state(index);
        let Some(memlet) = &edge.memlet else { return Print::new() };
        let (Some(source), Some(target)) =
            (far_end(state, edge, true), far_end(state, edge, false))
        else {
            return Print::new();
        };
        let other = Arc::from(if *memlet.data == *source { target } else { source });
        let subset = match (&memlet.other_subset, &memlet.subset) {
            (Some(other), _) => Some(other.clone()),
            // The same sizes, from the beginning on.
            (None, Some(subset)) if !subset.is_union() => from_zero(subset).ok(),
            (None, _) => None,
        };
        self.subset_of(index, &other, subset.as_ref(), memlet)
    }

    fn subset_of(
        &self,
        index: StateIndex,
        data: &Arc<str>,
        subset: Option<&Subset>,
        memlet: &Memlet,
    ) -> Print {
        let program = self.context.known.program;
        let graph = program.region(program.state(index).region).graph;
        let sets = subset.and_then(|subset| self.of_subset(subset, index));
        let is_all = subset.is_some_and(|subset| {
            let missing = subset.element_count().and_then(|count| memlet.volume.minus(&count));
            missing.is_ok_and(|more| self.context.known.facts.is_at_least_zero(&more))
        });
        let sets = match sets {
            Some(sets) if is_all && !memlet.is_dynamic => sets,
            Some(sets) => or_less(sets),
            None => vec![self.whole(graph, data).or_less()],
        };
        self.through_views(index, data, sets)
    }

    /// Elements of a container as those of what it shows, if it is a view.
    fn through_views(&self, index: StateIndex, data: &Arc<str>, mut sets: Vec<Touched>) -> Print {
        let program = self.context.known.program;
        let graph = program.region(program.state(index).region).graph;
        let mut name = data.clone();
        for _ in 0..8 {
            let container = program.graph(graph).containers.get(&name);
            if container.is_none_or(|container| container.kind != ContainerKind::View) {
                break;
            }
            let Some((viewed, subset)) = viewed(program.state(index), &name) else { break };
            let shape = self.whole(graph, &name);
            let into = subset.as_ref().and_then(|subset| self.of_subset(subset, index));
            sets = match into.as_deref() {
                Some([into]) => {
                    let is_same = shape.size().ok() == into.size().ok();
                    let fits = is_same && same_shape(&shape, into);
                    let mapped = sets.iter().map(|set| mapped(set, into).filter(|_| fits));
                    let mapped: Option<Vec<Touched>> = mapped.collect();
                    mapped.unwrap_or_else(|| vec![into.clone().or_less()])
                }
                _ => vec![self.whole(graph, viewed).or_less()],
            };
            name = viewed.into();
        }
        Print::from([((graph, name), sets)])
    }

    /// Fills in what goes through the entry or the exit of a scope.
    fn through(
        &mut self,
        index: StateIndex,
        node: NodeIndex,
        is_entry: bool,
        adjacency: &Adjacency,
        edges: &mut [Print],
    ) {
        let state = self.context.known.program.state(index);
        let kind = &state.nodes[node.place()].kind;
        if !(if is_entry { kind.is_entry() } else { kind.is_exit() }) {
            return;
        }
        let entry = if is_entry { Some(node) } else { state.nodes[node.place()].scope };
        let Some(entry) = entry else { return };
        let (outer, inner) = if is_entry {
            (&adjacency.incoming[node.place()], &adjacency.outgoing[node.place()])
        } else {
            (&adjacency.outgoing[node.place()], &adjacency.incoming[node.place()])
        };
        let name_of = |edge: &EdgeIndex, is_in: bool| passage(&state.edges[edge.place()], is_in);
        for edge in outer {
            let Some(name) = name_of(edge, is_entry) else { continue };
            let mut body = Print::new();
            for inner in inner.iter().filter(|inner| name_of(inner, !is_entry) == Some(name)) {
                add(&mut body, edges[inner.place()].clone());
            }
            if body.is_empty() {
                continue;
            }
            edges[edge.place()] = match &state.nodes[entry.place()].kind {
                NodeKind::MapEntry(map) => self.over_map(body, map, index, entry),
                _ => body.into_iter().map(|(key, sets)| (key, or_less(sets))).collect(),
            };
        }
    }

    fn over_map(&mut self, body: Print, map: &Map, index: StateIndex, entry: NodeIndex) -> Print {
        let mut print = body;
        for place in (0..map.parameters.len().min(map.range.len())).rev() {
            let iterations = map_iterations(self.context, map, place, index, entry);
            let program = self.context.known.program;
            let graph = program.region(program.state(index).region).graph;
            print = self.each(print, |pass, set| {
                let mut iterations = iterations.clone()?;
                for part in [&mut iterations.values.first, &mut iterations.values.step] {
                    *part = pass.context.symbols.resolved(part, graph)?;
                }
                set.over(&iterations, &pass.context.known.facts)
            });
        }
        print
    }

    /// What an inner graph touches, in the containers of the one around it: all of it, or of the
    /// argument that an edge brings.
    fn nested(
        &mut self,
        index: StateIndex,
        node: NodeIndex,
        only: Option<(&Arc<str>, &Edge)>,
    ) -> Print {
        let program = self.context.known.program;
        let state = program.state(index);
        let NodeKind::Nested { graph: Some(inner), symbol_mapping } =
            &state.nodes[node.place()].kind
        else {
            return Print::new();
        };
        let graph = program.region(state.region).graph;
        let print = self.regions[program.graph(*inner).region.place()].clone();
        let outer = |expr: &Expr| -> Result<Expr, TooLarge> {
            let by = |name: &str| symbol_mapping.get(name).map(|value| (**value).clone());
            // What the outer graph defines depends on the loops around.
            self.context.symbols.resolved(&expr.substituted(&by)?, graph)
        };
        let mut all = Print::new();
        for ((of, name), sets) in print {
            if only.is_some_and(|(wanted, _)| of != *inner || name != *wanted) {
                continue;
            }
            let sets: Result<Vec<Touched>, TooLarge> =
                sets.iter().map(|set| set.each(&outer)).collect();
            let mut sets = sets.unwrap_or_else(|_| {
                vec![Touched { spans: vec![], shape: Shape::AtMost, guards: vec![] }]
            });
            sets.retain(|set| !set.is_nothing(&self.context.known.facts));
            let edge = match only {
                Some((_, edge)) => Some(edge),
                None if of == *inner => state.edges.iter().find(|edge| {
                    edge.target == node && edge.target_connector.as_ref() == Some(&name)
                        || edge.source == node && edge.source_connector.as_ref() == Some(&name)
                }),
                None => None,
            };
            match edge.and_then(|edge| edge.memlet.as_ref()) {
                Some(memlet) => {
                    let into = memlet.subset.as_ref().and_then(|one| self.of_subset(one, index));
                    let (outside, inside) = ((graph, &*memlet.data), (of, &*name));
                    if is_whole(program, outside, inside, symbol_mapping) {
                        add(&mut all, self.through_views(index, &memlet.data, sets));
                        continue;
                    }
                    let sets = match into.as_deref() {
                        Some([into]) => sets
                            .iter()
                            .map(|set| mapped(set, into).unwrap_or_else(|| into.clone().or_less()))
                            .collect(),
                        _ => vec![self.whole(graph, &memlet.data).or_less()],
                    };
                    let whole = memlet.subset.clone();
                    // Through views of the outer state, too.
                    let print = self.subset_of(index, &memlet.data, whole.as_ref(), memlet);
                    let is_view = viewed(state, &memlet.data).is_some();
                    if is_view {
                        add(&mut all, print.into_iter().map(|(key, sets)| (key, or_less(sets))));
                    } else {
                        add(&mut all, [((graph, memlet.data.clone()), sets)]);
                    }
                }
                None => add(&mut all, [((of, name), sets)]),
            }
        }
        all
    }
}

/// What a container is a view of in a state, and which part.
fn viewed<'s>(state: &'s State, name: &str) -> Option<(&'s str, Option<Subset>)> {
    state.edges.iter().filter(|edge| edge.binds_view()).find_map(|edge| {
        // In a scope, what it is of is outside.
        let (source, target) = (far_end(state, edge, true)?, far_end(state, edge, false)?);
        let is_target = edge.target_connector.as_deref() == Some("views");
        let (view, of) = if is_target { (target, source) } else { (source, target) };
        let memlet = edge.memlet.as_ref()?;
        let subset = if *memlet.data == *of { &memlet.subset } else { &memlet.other_subset };
        (view == name && view != of).then(|| (of, subset.clone()))
    })
}

/// Sizes of 1 left out, dimension by dimension.
fn same_shape(view: &Touched, of: &Touched) -> bool {
    let sizes = |one: &Touched| {
        let counts = one.spans.iter().filter_map(|span| span.count().ok());
        counts.filter(|count| *count != Expr::integer(1)).collect::<Vec<Expr>>()
    };
    sizes(view) == sizes(of)
}

/// Indices in a part as indices in the whole; nothing where they do not fit each other.
fn mapped(inner: &Touched, into: &Touched) -> Option<Touched> {
    let is_point = |span: &Span| span.first == span.last;
    let moved = |span: &Span, by: &Span| {
        by.step.as_number().filter(|step| *step > 0.into())?;
        let at = |index: &Expr| by.first.plus(&index.times(&by.step).ok()?).ok();
        let (first, last) = (at(&span.first)?, at(&span.last)?);
        let step = if first == last { Expr::integer(1) } else { span.step.times(&by.step).ok()? };
        Some(Span { first, last, step })
    };
    let spans: Option<Vec<Span>> = if inner.spans.len() == into.spans.len() {
        inner.spans.iter().zip(&into.spans).map(|(span, by)| moved(span, by)).collect()
    } else {
        // Dimensions of one index are left out in the part, or one index stands for none.
        let wide = into.spans.iter().filter(|span| !is_point(span)).count();
        let own: Vec<&Span> = match inner.spans.len() {
            count if count == wide => inner.spans.iter().collect(),
            1 if wide == 0 && inner.spans[0] == Span::point(Expr::default()) => vec![],
            _ => return None,
        };
        let mut own = own.into_iter();
        let each = into
            .spans
            .iter()
            .map(|by| if is_point(by) { Some(by.clone()) } else { moved(own.next()?, by) });
        each.collect()
    };
    Some(Touched { spans: spans?, ..inner.clone() })
}

fn from_zero(subset: &Subset) -> Result<Subset, TooLarge> {
    let mut made = subset.clone();
    for one in &mut made.dimensions {
        let last = one.count()?.minus(&Expr::integer(1))?;
        one.start = Arc::new(Expr::default());
        one.end = Arc::new(last);
        one.step = Arc::new(Expr::integer(1));
        one.tile = Arc::new(Expr::integer(1));
        one.approximate_end = None;
    }
    Ok(made)
}
