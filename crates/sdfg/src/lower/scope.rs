//! States and scopes: nodes in an order that dataflow allows.

use std::collections::BTreeSet;

use locality::{Affine, Loop, Step};

use super::LowerError;
use super::lowering::{Lowering, Names, variable};
use super::places::{Named, Places};
use crate::expr::{Expr, Function};
use crate::model::{
    Edge, EdgeIndex, GraphIndex, Map, NodeIndex, NodeKind, State, StateIndex, Subset,
};

impl Lowering<'_> {
    pub(super) fn state(
        &mut self,
        index: StateIndex,
        names: &Names,
        places: &Places,
        out: &mut Vec<Step>,
    ) -> Result<(), LowerError> {
        self.nodes(index, None, names, places, out)
    }

    /// The nodes of a scope, or of a state outside of scopes.
    fn nodes(
        &mut self,
        index: StateIndex,
        scope: Option<NodeIndex>,
        names: &Names,
        places: &Places,
        out: &mut Vec<Step>,
    ) -> Result<(), LowerError> {
        let state = self.program.state(index);
        for node in in_order(state, scope) {
            self.step()?;
            self.node(index, node, names, places, out)?;
        }
        Ok(())
    }

    /// A node, with the scope that it begins.
    pub(super) fn node(
        &mut self,
        index: StateIndex,
        node: NodeIndex,
        names: &Names,
        places: &Places,
        out: &mut Vec<Step>,
    ) -> Result<(), LowerError> {
        let program = self.program;
        let state = program.state(index);
        let id = program.id_of_state(index).with_node(node);
        match &state.nodes[node.place()].kind {
            NodeKind::MapEntry(map) => self.map((index, node), map, names, places, out)?,
            NodeKind::Tasklet(_) => {
                self.edges_of(index, node, names, places, out);
            }
            NodeKind::Access { .. } => self.copies(index, node, names, places, out),
            NodeKind::Nested { graph, symbol_mapping } => {
                let Some(graph) = graph else {
                    self.leave_out(id, "the nested graph is not in the file");
                    return Ok(());
                };
                let mut inner = Names::default();
                for (name, value) in &program.graph(*graph).constants {
                    inner.set(name, Some((**value).clone()));
                }
                for (name, value) in symbol_mapping {
                    inner.set(name, names.get(value));
                }
                let inside = self.arguments((index, node), *graph, names, &inner, places);
                self.region(program.graph(*graph).region, &mut inner, &inside, out)?;
            }
            NodeKind::Library(library) => {
                match self.library((index, node), library, names, places) {
                    Ok(steps) => out.extend(steps),
                    Err(why) => self.leave_out(id, why),
                }
            }
            NodeKind::ConsumeEntry(_) => self.leave_out(id, "data decides how often this runs"),
            NodeKind::Opaque(name) => self.leave_out(id, format!("{name} is not known")),
            NodeKind::MapExit | NodeKind::ConsumeExit => {}
        }
        Ok(())
    }

    fn map(
        &mut self,
        (index, node): (StateIndex, NodeIndex),
        map: &Map,
        names: &Names,
        places: &Places,
        out: &mut Vec<Step>,
    ) -> Result<(), LowerError> {
        let id = self.program.id_of_state(index).with_node(node);
        let mut inner = names.clone();
        let mut loops: Vec<Loop> = vec![];
        let made = (self.unseen.len(), self.done.nest.references.len());
        for (parameter, range) in map.parameters.iter().zip(&map.range) {
            let number = self.new_variable(parameter);
            let step = inner.number(&range.step).and_then(|step| i64::try_from(step).ok());
            let Some(step) = step.filter(|step| *step != 0) else {
                self.leave_out(id, format!("the step of {parameter} is not a number"));
                return Ok(());
            };
            let (first, last) = match step {
                1.. => (Function::Max, Function::Min),
                _ => (Function::Min, Function::Max),
            };
            let begin = inner.bounds(&range.start, &first);
            let end = inner.bounds(&range.end, &last);
            let (Some(begin), Some(end)) = (begin, end) else {
                let unset = self.unset_symbol([&range.start, &range.end], &inner);
                if let Some(name) = unset {
                    return Err(LowerError::Unset(name));
                }
                self.leave_out(id, format!("the range of {parameter} is not a sum of variables"));
                return Ok(());
            };
            let behind = Affine::constant(step.signum());
            let end = end.into_iter().map(|end| end.plus(&behind)).collect();
            inner.set(parameter, Some(variable(number)));
            let own = Loop { begin, end, step, is_free: true, ..Loop::over(number, 0, vec![]) };
            loops.push(own);
        }
        let mut body = vec![];
        self.nodes(index, Some(node), &inner, places, &mut body)?;
        let unseen = self.leave_map(made.0);
        let private = self.private((index, node), made.1);
        for one in loops.into_iter().rev() {
            let (unseen, private) = (unseen.clone(), private.clone());
            body = vec![Step::Loop(Loop { body, unseen, private, ..one })];
        }
        out.extend(body);
        Ok(())
    }

    /// A symbol of expressions that has no value and is not a variable of a loop.
    fn unset_symbol<'e>(
        &self,
        exprs: impl IntoIterator<Item = &'e std::sync::Arc<Expr>>,
        names: &Names,
    ) -> Option<String> {
        exprs.into_iter().find_map(|expr| {
            let left = names.get(expr)?;
            let unset = left.symbols().into_iter().find(|name| !name.starts_with('\u{1}'));
            unset.map(str::to_owned)
        })
    }

    /// What containers of an inner graph are outside.
    fn arguments(
        &mut self,
        (index, node): (StateIndex, NodeIndex),
        graph: GraphIndex,
        names: &Names,
        inner: &Names,
        places: &Places,
    ) -> Places {
        let program = self.program;
        let state = program.state(index);
        let outer_graph = program.region(state.region).graph;
        let mut inside = Places::default();
        for (place, edge) in state.edges.iter().enumerate() {
            let connector = match (edge.source == node, edge.target == node) {
                (true, _) => &edge.source_connector,
                (_, true) => &edge.target_connector,
                _ => continue,
            };
            let (Some(name), Some(memlet)) = (connector, &edge.memlet) else { continue };
            if inside.0.contains_key(name) {
                continue;
            }
            let id = program.id_of_state(index).with_edge(EdgeIndex(place as u32));
            let own = match self.place(outer_graph, &memlet.data, names, places) {
                Named::Register => {
                    if edge.source == node {
                        self.unseen(&memlet.data, state.nodes[edge.target.place()].kind.is_exit());
                    }
                    None
                }
                Named::Other(why) => {
                    self.leave_out(id, why);
                    None
                }
                Named::Memory(outer) => {
                    let around = (outer_graph, &memlet.data, names);
                    let found = self.whole((graph, name, inner), around, &outer).or_else(|| {
                        let first = self.first_of(memlet.subset.as_ref(), names)?;
                        self.inner(graph, name, inner, &outer, &first)
                    });
                    if found.is_none() {
                        self.leave_out(
                            id,
                            format!("where {name} begins is not a sum of variables"),
                        );
                    }
                    found
                }
            };
            inside.0.insert(name.clone(), own);
        }
        inside
    }

    /// The first index in each dimension.
    fn first_of(&self, subset: Option<&Subset>, names: &Names) -> Option<Vec<Affine>> {
        let dimensions = subset.map_or(&[][..], |subset| &subset.dimensions);
        dimensions.iter().map(|one| names.affine(&one.start)).collect()
    }
}

/// Nodes of a scope so that what data flows from comes first; free ones in the order of the file.
fn in_order(state: &State, scope: Option<NodeIndex>) -> Vec<NodeIndex> {
    // A scope within counts as its entry.
    let owner = |mut node: NodeIndex| -> Option<NodeIndex> {
        loop {
            let around = match &state.nodes[node.place()] {
                one if one.kind.is_exit() => {
                    // The exit of the scope itself belongs to nobody in it.
                    if one.scope == scope { return None } else { one.scope? }
                }
                one if one.scope == scope => return Some(node),
                one => one.scope?,
            };
            node = around;
        }
    };
    let count = state.nodes.len();
    let mut behind: Vec<Vec<usize>> = vec![vec![]; count];
    let mut before = vec![0usize; count];
    for edge in &state.edges {
        let Edge { source, target, .. } = edge;
        if let (Some(from), Some(to)) = (owner(*source), owner(*target))
            && from != to
        {
            behind[from.place()].push(to.place());
            before[to.place()] += 1;
        }
    }
    let mine = |place: &usize| owner(NodeIndex(*place as u32)) == Some(NodeIndex(*place as u32));
    let mut free: BTreeSet<usize> =
        (0..count).filter(mine).filter(|place| before[*place] == 0).collect();
    let mut order = vec![];
    while let Some(place) = free.pop_first() {
        order.push(NodeIndex(place as u32));
        for &next in &behind[place] {
            before[next] -= 1;
            if before[next] == 0 {
                free.insert(next);
            }
        }
    }
    order
}
