//! What elements cost in the whole run.

use std::collections::BTreeSet;

use crate::cost::analysis::Analysis;
use crate::cost::costs::Conditional;
use crate::cost::costs::Differing;
use crate::cost::costs::{Cost, Costs, Movement};
use crate::expr::{Expr, TooLarge};
use crate::model::{
    BlockIndex, EdgeIndex, NodeIndex, NodeKind, Program, RegionIndex, RegionKind, StateIndex,
};

impl Costs {
    /// What a node costs in the whole run; nothing where it is not known how often it is reached.
    pub fn node_in_all(
        &self,
        program: &Program,
        state: StateIndex,
        node: NodeIndex,
    ) -> Option<Cost> {
        let each = &self.nodes[state.place()][node.place()];
        let times = self.times.of_node(program, state, node);
        one_or_repeated(self.differing.nodes.get(&(state, node)), each, times)
    }

    /// What a state costs in the whole run.
    pub fn state_in_all(&self, state: StateIndex) -> Option<Cost> {
        let times = self.times.states[state.place()].as_ref();
        one_or_repeated(self.differing.states.get(&state), &self.states[state.place()], times)
    }

    /// What a region costs in the whole run.
    pub fn region_in_all(&self, region: RegionIndex) -> Option<Cost> {
        let times = self.times.regions[region.place()].as_ref();
        one_or_repeated(self.differing.regions.get(&region), &self.regions[region.place()], times)
    }

    /// What an edge moves in the whole run; nothing where it orders only.
    pub fn edge_in_all(
        &self,
        program: &Program,
        state: StateIndex,
        edge: EdgeIndex,
    ) -> Option<Movement> {
        if let Some(differing) = self.differing.edges.get(&(state, edge)) {
            return Some(differing.clone());
        }
        let each = self.edges[state.place()][edge.place()].as_ref()?;
        let inside = program.state(state);
        let scope = inside.scope_behind(inside.edges[edge.place()].source);
        let times = self.times.inside(state, scope)?;
        let (elements, bytes) = (each.elements.times(times).ok()?, each.bytes.times(times).ok()?);
        Some(Movement { elements, bytes, ..each.clone() })
    }
}

fn one_or_repeated(differing: Option<&Cost>, each: &Cost, times: Option<&Expr>) -> Option<Cost> {
    differing.cloned().or_else(|| each.repeated(times?).ok())
}

impl Cost {
    /// Work and movement of all times together; what runs several times is as deep as each.
    fn repeated(&self, times: &Expr) -> Result<Cost, TooLarge> {
        Ok(Cost { work: self.work.times(times)?, moved: self.moved.times(times)?, ..self.clone() })
    }

    fn depends_on(&self, names: &BTreeSet<&str>) -> bool {
        depends(&self.work, names) || depends(&self.moved, names)
    }
}

fn depends(expr: &Expr, names: &BTreeSet<&str>) -> bool {
    expr.symbols().into_iter().any(|name| names.contains(name))
}

/// Names that get their values while the program runs, and those in inner graphs that may stand for
/// them, or for something else than a size.
pub(crate) fn changing_names(program: &Program) -> BTreeSet<&str> {
    let mut names = set_inside(program);
    // Those of outer graphs come first.
    for (state, node) in program.graphs.iter().filter_map(|graph| graph.holder) {
        let node = &program.state(state).nodes[node.place()];
        let NodeKind::Nested { symbol_mapping, .. } = &node.kind else { continue };
        let changing = symbol_mapping
            .iter()
            .filter(|(_, value)| value.as_symbol().is_none_or(|symbol| names.contains(symbol)));
        let changing: Vec<&str> = changing.map(|(name, _)| &**name).collect();
        names.extend(changing);
    }
    names
}

/// Names that get their values while the program runs.
pub(super) fn set_inside(program: &Program) -> BTreeSet<&str> {
    let mut names = BTreeSet::new();
    for region in &program.regions {
        let assigned = region.edges.iter().flat_map(|edge| &edge.assignments);
        names.extend(assigned.map(|(name, _)| &**name));
        if let RegionKind::Loop(header) = &region.kind {
            names.insert(&*header.variable);
        }
    }
    for node in program.states.iter().flat_map(|state| &state.nodes) {
        match &node.kind {
            NodeKind::MapEntry(map) => names.extend(map.parameters.iter().map(|name| &**name)),
            NodeKind::ConsumeEntry(consume) => drop(names.insert(&*consume.element)),
            _ => {}
        }
    }
    names
}

impl Analysis<'_> {
    /// Costs are still in the symbols of their own graphs.
    pub(super) fn differing(&mut self) -> Differing {
        let program = self.program;
        let mut names = set_inside(program);
        // A symbol of an inner graph may stand for what changes in an outer one; those come first.
        for (state, node) in program.graphs.iter().filter_map(|graph| graph.holder) {
            let node = &program.state(state).nodes[node.place()];
            let NodeKind::Nested { symbol_mapping, .. } = &node.kind else { continue };
            let changing = symbol_mapping.iter().filter(|(_, value)| depends(value, &names));
            let changing: Vec<&str> = changing.map(|(name, _)| &**name).collect();
            names.extend(changing);
        }
        let mut all = Differing::default();
        for (place, state) in program.states.iter().enumerate() {
            let index = StateIndex(place as u32);
            for node in 0..state.nodes.len() {
                let each = self.costs.nodes[place][node].clone();
                if each.depends_on(&names) {
                    let node = NodeIndex(node as u32);
                    let scope = state.scope_around(node);
                    let sum =
                        self.cost_inside(&each, index, scope, &state.nodes[node.place()].label);
                    all.nodes.insert((index, node), sum);
                }
            }
            for edge in 0..state.edges.len() {
                let Some(each) = self.costs.edges[place][edge].clone() else { continue };
                if depends(&each.elements, &names) || depends(&each.bytes, &names) {
                    let scope = state.scope_behind(state.edges[edge].source);
                    let elements = self.sum_inside(&each.elements, index, scope);
                    let bytes = self.sum_inside(&each.bytes, index, scope);
                    let sum = Movement {
                        elements: self
                            .or_unknown(elements, &format!("{}_elements_in_all", state.label)),
                        bytes: self.or_unknown(bytes, &format!("{}_bytes_in_all", state.label)),
                        ..each
                    };
                    all.edges.insert((index, EdgeIndex(edge as u32)), sum);
                }
            }
            let each = self.costs.states[place].clone();
            if each.depends_on(&names) {
                all.states.insert(index, self.cost_inside(&each, index, None, &state.label));
            }
        }
        for (place, region) in program.regions.iter().enumerate() {
            let index = RegionIndex(place as u32);
            let each = self.costs.regions[place].clone();
            if each.depends_on(&names) {
                let sum = |analysis: &mut Self, part: &Expr| {
                    analysis.region_in_whole_run(part.clone(), index)
                };
                let cost = self.cost_by(&each, sum, &region.label);
                all.regions.insert(index, cost);
            }
        }
        for (place, each) in std::mem::take(&mut self.flow.conditionals) {
            all.conditionals.insert(place, self.conditional_cost(each, place, &names));
        }
        all
    }

    fn conditional_cost(
        &mut self,
        each: Cost,
        (region, block): (RegionIndex, BlockIndex),
        names: &BTreeSet<&str>,
    ) -> Conditional {
        let times = self.in_whole_run(Expr::integer(1), region, block).ok();
        let in_all = if each.depends_on(names) {
            let label = &self.program.region(region).block(block).label;
            let sum = |analysis: &mut Self, part: &Expr| {
                analysis.in_whole_run(part.clone(), region, block)
            };
            Some(self.cost_by(&each, sum, label))
        } else {
            times.as_ref().and_then(|times| each.repeated(times).ok())
        };
        let is_certain = self.is_reached_for_certain(region, block);
        let graph = self.program.region(region).graph;
        let names = &self.symbols.outside[graph.place()];
        let each =
            each.each(|part| part.substituted(&|name| names.get(name).cloned())).unwrap_or(each);
        Conditional { each, times, in_all, is_certain }
    }

    fn cost_inside(
        &mut self,
        each: &Cost,
        state: StateIndex,
        scope: Option<NodeIndex>,
        label: &str,
    ) -> Cost {
        self.cost_by(each, |analysis, part| analysis.sum_inside(part, state, scope), label)
    }

    fn cost_by(
        &mut self,
        each: &Cost,
        mut sum: impl FnMut(&mut Self, &Expr) -> Result<Expr, TooLarge>,
        label: &str,
    ) -> Cost {
        let (work, moved) = (sum(self, &each.work), sum(self, &each.moved));
        Cost {
            work: self.or_unknown(work, &format!("{label}_work_in_all")),
            moved: self.or_unknown(moved, &format!("{label}_bytes_in_all")),
            ..each.clone()
        }
    }

    /// What happens each time in a scope, in the whole run.
    pub(super) fn sum_inside(
        &mut self,
        each: &Expr,
        index: StateIndex,
        scope: Option<NodeIndex>,
    ) -> Result<Expr, TooLarge> {
        let state = self.program.state(index);
        let all = self.over_scopes(each.clone(), index, scope)?.ok_or(TooLarge)?;
        self.in_whole_run(all, state.region, state.block)
    }
}
