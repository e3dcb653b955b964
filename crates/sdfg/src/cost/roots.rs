//! Where the memory of containers is: a view, and an argument of an inner graph, has another's.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use super::control_reads::read_by_control_flow;
use super::state::far_end;
use crate::expr::Expr;
use crate::model::{
    ContainerKind, Edge, GraphIndex, NodeIndex, NodeKind, Program, RegionIndex, StateIndex,
};

/// A container of a graph.
type Name<'p> = (GraphIndex, &'p str);

/// Where containers have their memory.
#[derive(Debug, Default)]
pub(crate) struct Roots {
    /// By graph and name; none where each iteration of a scope has its own.
    outside: HashMap<(GraphIndex, Arc<str>), Option<Arc<str>>>,
    /// By graph and name: what a view in the end is of, in the same graph.
    viewed: HashMap<(GraphIndex, Arc<str>), Arc<str>>,
    /// What a view in the end is of in a state, where that is not what it is of elsewhere.
    rebound: HashMap<(StateIndex, Arc<str>), Arc<str>>,
    /// What references may stand for, in the same graph.
    referenced: HashMap<(GraphIndex, Arc<str>), BTreeSet<Arc<str>>>,
    /// Views that one state binds to several containers: the first counts.
    ambiguous: BTreeSet<Arc<str>>,
    /// Containers that have nodes in their graph, or a view of them has, or that control flow reads.
    accessed: HashSet<(GraphIndex, Arc<str>)>,
}

/// Which data views are of.
struct Views<'p> {
    /// In their graph, the first that any state tells.
    in_graph: HashMap<Name<'p>, &'p str>,
    /// In a state.
    in_state: HashMap<(StateIndex, &'p str), &'p str>,
    ambiguous: BTreeSet<Arc<str>>,
}

/// Views of views, and graphs in graphs, are followed so far.
const MOST_STEPS: usize = 64;

impl Roots {
    pub(crate) fn new(program: &Program) -> Roots {
        let views = Views::new(program);
        let is_outside = used_outside(program);
        let (mut outside, mut viewed) = (HashMap::new(), HashMap::new());
        for (place, graph) in program.graphs.iter().enumerate() {
            for name in graph.containers.keys() {
                let of = (GraphIndex(place as u32), &**name);
                let root = root_of(program, of, &views, &is_outside);
                outside.insert((of.0, name.clone()), root);
                viewed.insert((of.0, name.clone()), views.end(of, None).into());
            }
        }
        let mut rebound = HashMap::new();
        for &(state, view) in views.in_state.keys() {
            let graph = program.region(program.state(state).region).graph;
            let here = views.end((graph, view), Some(state));
            if here != views.end((graph, view), None) {
                rebound.insert((state, view.into()), here.into());
            }
        }
        let mut referenced: HashMap<_, BTreeSet<Arc<str>>> = HashMap::new();
        for state in &program.states {
            let graph = program.region(state.region).graph;
            let data = |node: NodeIndex| match &state.nodes[node.place()].kind {
                NodeKind::Access { data } => Some(data),
                _ => None,
            };
            let set = state.edges.iter();
            let set = set.filter(|edge| edge.sets_reference());
            for (source, target) in set.filter_map(|edge| data(edge.source).zip(data(edge.target)))
            {
                let of = viewed.get(&(graph, source.clone())).unwrap_or(source);
                referenced.entry((graph, target.clone())).or_default().insert(of.clone());
            }
        }
        let ambiguous = views.ambiguous;
        let accessed = HashSet::new();
        let mut roots = Roots { outside, viewed, rebound, referenced, ambiguous, accessed };
        for (place, state) in program.states.iter().enumerate() {
            let graph = program.region(state.region).graph;
            for node in &state.nodes {
                if let NodeKind::Access { data } = &node.kind
                    && let Some(name) =
                        roots.in_state(graph, StateIndex(place as u32), data).cloned()
                {
                    roots.accessed.insert((graph, name));
                }
            }
        }
        for (place, region) in program.regions.iter().enumerate() {
            for data in read_by_control_flow(program, RegionIndex(place as u32)) {
                if let Some(name) = roots.in_graph(region.graph, &data).cloned() {
                    roots.accessed.insert((region.graph, name));
                }
            }
        }
        roots
    }

    /// Whether dataflow or control flow in a graph names a container, or a view of it.
    pub(crate) fn is_accessed(&self, graph: GraphIndex, name: &Arc<str>) -> bool {
        self.accessed.contains(&(graph, name.clone()))
    }

    /// What a container of a graph is a view of in the same graph, or its own name.
    pub(crate) fn in_graph(&self, graph: GraphIndex, data: &str) -> Option<&Arc<str>> {
        let base = data.split('.').next().unwrap_or(data);
        self.viewed.get(&(graph, base.into()))
    }

    /// The same where a state uses it.
    pub(crate) fn in_state(
        &self,
        graph: GraphIndex,
        state: StateIndex,
        data: &str,
    ) -> Option<&Arc<str>> {
        let base = data.split('.').next().unwrap_or(data);
        let rebound = (!self.rebound.is_empty()).then(|| self.rebound.get(&(state, base.into())));
        rebound.flatten().or_else(|| self.in_graph(graph, data))
    }

    /// [`Roots::named`] of what a state uses.
    pub(crate) fn named_in(
        &self,
        graph: GraphIndex,
        state: StateIndex,
        data: &str,
    ) -> Option<Arc<str>> {
        match self.in_state(graph, state, data) {
            Some(root) => self.named(graph, root),
            None => self.named(graph, data),
        }
    }

    /// The containers that a reference is set to anywhere; none for others.
    pub(crate) fn referenced(
        &self,
        graph: GraphIndex,
        data: &str,
    ) -> impl Iterator<Item = &Arc<str>> {
        let known = (!self.referenced.is_empty())
            .then(|| self.referenced.get(&(graph, data.into())))
            .flatten();
        known.into_iter().flatten()
    }

    /// Views that one state binds to several containers, of which the first counts.
    pub(crate) fn ambiguous(&self) -> impl Iterator<Item = &Arc<str>> {
        self.ambiguous.iter()
    }

    /// The name of the container that has the memory, with the graph's before it in inner ones;
    /// nothing where each iteration of a scope has memory of its own.
    pub(crate) fn named(&self, graph: GraphIndex, data: &str) -> Option<Arc<str>> {
        let base = data.split('.').next().unwrap_or(data);
        match self.outside.get(&(graph, base.into())) {
            Some(root) => root.clone(),
            None => Some(base.into()),
        }
    }
}

impl<'p> Views<'p> {
    fn new(program: &'p Program) -> Views<'p> {
        let (in_graph, in_state) = (HashMap::new(), HashMap::new());
        let mut all = Views { in_graph, in_state, ambiguous: BTreeSet::new() };
        for (place, state) in program.states.iter().enumerate() {
            let graph = program.region(state.region).graph;
            for edge in state.edges.iter().filter(|edge| edge.binds_view()) {
                let is_view = |name: &str| {
                    let container = program.graph(graph).containers.get(name);
                    container.is_some_and(|container| container.kind == ContainerKind::View)
                };
                // In a scope, what it is of is outside.
                let (Some(source), Some(target)) =
                    (far_end(state, edge, true), far_end(state, edge, false))
                else {
                    continue;
                };
                let target_is = edge.target_connector.as_deref() == Some("views");
                let (view, of) = if target_is { (target, source) } else { (source, target) };
                if is_view(view) {
                    all.in_graph.entry((graph, view)).or_insert(of);
                    let known = all.in_state.entry((StateIndex(place as u32), view)).or_insert(of);
                    if *known != of {
                        all.ambiguous.insert(view.into());
                    }
                }
            }
        }
        all
    }

    /// What a view is of.
    fn next(&self, (graph, name): Name<'p>, state: Option<StateIndex>) -> Option<&'p str> {
        let here = state.and_then(|state| self.in_state.get(&(state, name)));
        here.or_else(|| self.in_graph.get(&(graph, name))).copied()
    }

    /// What it is of in the end.
    fn end(&self, (graph, name): Name<'p>, state: Option<StateIndex>) -> &'p str {
        let mut own = name;
        for _ in 0..MOST_STEPS {
            match self.next((graph, own), state) {
                Some(next) => own = next,
                None => break,
            }
        }
        own
    }
}

/// Whether a name of a nested graph is all of the container that it is connected to, so that indices within are
/// those outside.
pub(super) fn is_whole(
    program: &Program,
    (graph, outer): (GraphIndex, &str),
    (inner_graph, inner): (GraphIndex, &str),
    symbol_mapping: &BTreeMap<Arc<str>, Arc<Expr>>,
) -> bool {
    if !program.hands_on_whole_containers() {
        return false;
    }
    let of = |graph: GraphIndex, name| program.graph(graph).containers.get(name);
    let (Some(outer), Some(inner)) = (of(graph, outer), of(inner_graph, inner)) else {
        return false;
    };
    let by = |name: &str| symbol_mapping.get(name).map(|value| (**value).clone());
    let is_same = |inner: &Expr, outer: &Expr| {
        inner.substituted(&by).and_then(|inner| inner.minus(outer)).is_ok_and(|more| more.is_zero())
    };
    let are_same = |inner: &[Arc<Expr>], outer: &[Arc<Expr>]| {
        inner.len() == outer.len()
            && inner.iter().zip(outer).all(|(one, other)| is_same(one, other))
    };
    are_same(&inner.shape, &outer.shape) && are_same(&inner.strides, &outer.strides)
}

/// Containers that are accessed outside of all scopes of their graph's states.
fn used_outside(program: &Program) -> HashMap<Name<'_>, bool> {
    let mut all = HashMap::new();
    for state in &program.states {
        let graph = program.region(state.region).graph;
        for node in &state.nodes {
            if let NodeKind::Access { data } = &node.kind {
                let base = data.split('.').next().unwrap_or(data);
                *all.entry((graph, base)).or_insert(false) |= node.scope.is_none();
            }
        }
        // What code hands to code has no node of its own.
        for edge in &state.edges {
            let is_code = |node: NodeIndex| {
                matches!(
                    state.nodes[node.place()].kind,
                    NodeKind::Tasklet(_) | NodeKind::Library(_)
                )
            };
            if let (Some(memlet), true) =
                (&edge.memlet, is_code(edge.source) && is_code(edge.target))
            {
                let base = memlet.data.split('.').next().unwrap_or(&memlet.data);
                let is_outside = state.scope_behind(edge.source).is_none();
                *all.entry((graph, base)).or_insert(false) |= is_outside;
            }
        }
    }
    all
}

fn root_of<'p>(
    program: &'p Program,
    of: Name<'p>,
    views: &Views<'p>,
    is_outside: &HashMap<Name<'p>, bool>,
) -> Option<Arc<str>> {
    let (mut graph, mut name) = of;
    let mut used_in = None;
    for _ in 0..MOST_STEPS {
        if let Some(viewed) = views.next((graph, name), used_in) {
            name = viewed;
            continue;
        }
        let container = program.graph(graph).containers.get(name)?;
        let around = program.graph(graph).holder.filter(|_| !container.is_transient);
        match around.and_then(|(state, node)| argument(program, (state, node), name)) {
            Some(outer) => {
                let state = around.map(|(state, _)| state)?;
                graph = program.region(program.state(state).region).graph;
                (name, used_in) = (outer, Some(state));
            }
            None => break,
        }
    }
    // A graph in a scope, and a container that only scopes know, are made for each iteration.
    let is_used_outside = is_outside.get(&(graph, name)).copied().unwrap_or(true);
    let is_argument = graph.place() == 0
        && program.graph(graph).containers.get(name).is_some_and(|one| !one.is_transient);
    if !is_argument && (!is_used_outside || is_in_scope(program, graph)) {
        return None;
    }
    Some(match graph.place() {
        0 => name.into(),
        _ => format!("{}.{name}", program.graph(graph).name).into(),
    })
}

/// The container that an inner graph knows by another name.
fn argument<'p>(
    program: &'p Program,
    (state, node): (StateIndex, NodeIndex),
    name: &str,
) -> Option<&'p str> {
    let state = program.state(state);
    let mut edges = state.edges.iter().filter_map(|edge: &Edge| {
        let is_in = edge.target == node && edge.target_connector.as_deref() == Some(name);
        let is_out = edge.source == node && edge.source_connector.as_deref() == Some(name);
        let data = edge.memlet.as_ref().map(|memlet| &*memlet.data)?;
        (is_in || is_out).then(|| data.split('.').next().unwrap_or(data))
    });
    edges.next()
}

/// Whether a graph, or one around it, runs once for each iteration of a scope.
fn is_in_scope(program: &Program, graph: GraphIndex) -> bool {
    let mut graph = graph;
    while let Some((state, node)) = program.graph(graph).holder {
        let state = program.state(state);
        if state.nodes[node.place()].scope.is_some() {
            return true;
        }
        graph = program.region(state.region).graph;
    }
    false
}
