//! The passes that find what symbols stand for.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use super::decided::value_of;
use super::dominance::Uses;
use super::found::Read;
use super::induction::moved_by_loops;
use super::known::Known;
use super::scalars::{Held, scalars};
use crate::expr::{Expr, TooLarge};
use crate::model::{GraphIndex, NodeKind, Program, RegionIndex, RegionKind};

/// Symbols that are defined by symbols that are defined: so often at most.
const MOST_STEPS: usize = 8;

/// Constants, and symbols that get one value, wherever they get it: it may depend on the variables
/// of loops around, and on other such symbols.
pub(super) fn find_definitions(known: &Known<'_>) -> Vec<HashMap<Arc<str>, Expr>> {
    let program = known.program;
    let assigned = Assigned::all(program);
    let looped = looped(program);
    let mut all = vec![];
    for (graph, assigned) in program.graphs.iter().zip(&assigned) {
        let looped: BTreeSet<&str> =
            looped.get(&graph.region).into_iter().flatten().copied().collect();
        let constants = graph.constants.iter();
        let mut defined: HashMap<Arc<str>, Expr> =
            constants.map(|(name, value)| (name.clone(), (**value).clone())).collect();
        let mut candidates: HashMap<&str, &Expr> = HashMap::new();
        let mut several: BTreeSet<&str> = BTreeSet::new();
        for (name, one) in assigned {
            let reads_data = one.value.has_unknown_function();
            if one.is_fixed && !looped.contains(name) && !reads_data {
                candidates.insert(name, one.value);
            }
            if !one.is_fixed && !one.is_stale && !looped.contains(name) {
                several.insert(name);
            }
        }
        // Elsewhere it has the value of before, or that of outside.
        let names: BTreeSet<&str> =
            candidates.keys().copied().chain(several.iter().copied()).collect();
        let uses = Uses::new(program, GraphIndex(all.len() as u32), &names);
        let mut is_set_before = |name: &str| {
            uses.is_set_before(name) || {
                several.extend(names.get(name));
                false
            }
        };
        candidates.retain(|name, _| is_set_before(name));
        let decided: Vec<(&str, Expr)> = several
            .iter()
            .filter(|_| known.rules.is_exact())
            .filter_map(|&name| Some((name, value_of(program, graph.region, name, &uses)?)))
            .filter(|(_, value)| !value.has_unknown_function())
            .collect();
        candidates.extend(decided.iter().map(|(name, value)| (*name, value)));
        let moved = moved_by_loops(known, GraphIndex(all.len() as u32));
        candidates.extend(moved.iter().map(|(name, value)| (*name, value)));
        let scalars = scalars(known, GraphIndex(all.len() as u32));
        for (name, held) in &scalars {
            if let (Held::Value(value), None) = (held, assigned.get(name))
                && !value.has_unknown_function()
            {
                candidates.insert(name, value);
            }
        }
        retain_known(&mut candidates, |symbol: &str| {
            looped.contains(symbol)
                || !assigned.contains_key(symbol) && !graph.containers.contains_key(symbol)
        });
        for (name, value) in &candidates {
            if let Some(value) = unfolded(name, value, &candidates) {
                defined.insert(Arc::from(*name), value);
            }
        }
        all.push(defined);
    }
    all
}

/// Symbols whose value data decides, or what is not understood.
pub(super) fn find_read(
    known: &Known<'_>,
    defined: &[HashMap<Arc<str>, Expr>],
) -> Vec<HashMap<Arc<str>, Read>> {
    let program = known.program;
    let looped = looped(program);
    let mut all: Vec<HashMap<Arc<str>, Read>> = vec![];
    for (place, graph) in program.graphs.iter().enumerate() {
        let mut read: HashMap<Arc<str>, Read> = HashMap::new();
        let is_known = |name: &str| defined[place].contains_key(name);
        let scalars = scalars(known, GraphIndex(place as u32));
        for name in graph.containers.keys().filter(|name| !is_known(name)) {
            let of = match scalars.get(&**name) {
                Some(Held::ElementOf(of)) => Some(of.clone()),
                _ => None,
            };
            let from = of.as_ref().map(|of| format!(", read from {of}")).unwrap_or_default();
            let why = format!("data decides: it is the value of {name}{from}");
            read.insert(name.clone(), Read { why, of });
        }
        let is_looped =
            |name: &str| looped.get(&graph.region).is_some_and(|all| all.contains(name));
        let regions = program.regions.iter().filter(|one| one.graph.place() == place);
        let edges = regions.flat_map(|region| &region.edges);
        for (name, value) in edges.flat_map(|edge| &edge.assignments) {
            if is_known(name) || is_looped(name) {
                continue;
            }
            let of = match value.as_element_of() {
                Some(array) => Some(Arc::from(array)),
                None => value.as_symbol().and_then(|one| read.get(one)?.of.clone()),
            };
            let why = if value.has_unknown_function() || holds_data(value, &read) {
                format!("data decides: {name} is set to {value}")
            } else {
                format!("{name} changes as the program runs: it is set to {value}")
            };
            read.entry(name.clone()).or_insert(Read { why, of });
        }
        // What inner graphs get from outer ones; those come first.
        if let Some((state, node)) = graph.holder
            && let NodeKind::Nested { symbol_mapping, .. } =
                &program.state(state).nodes[node.place()].kind
        {
            let outer = program.region(program.state(state).region).graph;
            for (name, value) in symbol_mapping {
                let mut symbols = value.symbols().into_iter();
                let one = symbols.find_map(|symbol| all[outer.place()].get(symbol));
                if let Some(one) = one {
                    read.insert(name.clone(), one.clone());
                }
            }
        }
        all.push(read);
    }
    all
}

/// By graph: its symbols in terms of the outermost graph's.
pub(super) fn outside_names(
    program: &Program,
    defined: &[HashMap<Arc<str>, Expr>],
) -> Vec<HashMap<Arc<str>, Expr>> {
    let mut all: Vec<HashMap<Arc<str>, Expr>> = vec![];
    for graph in &program.graphs {
        let mut names = HashMap::new();
        if let Some((state, node)) = graph.holder {
            let holder = program.region(program.state(state).region).graph;
            let around = &all[holder.place()];
            if let NodeKind::Nested { symbol_mapping, .. } =
                &program.state(state).nodes[node.place()].kind
            {
                for (name, value) in symbol_mapping {
                    let value = resolved(defined, value, holder);
                    let value = value
                        .and_then(|value| value.substituted(&|name| around.get(name).cloned()));
                    if let Ok(value) = value {
                        names.insert(name.clone(), value);
                    }
                }
            }
        }
        all.push(names);
    }
    all
}

/// With symbols of a graph that have one value replaced by it.
pub(super) fn resolved(
    defined: &[HashMap<Arc<str>, Expr>],
    expr: &Expr,
    graph: GraphIndex,
) -> Result<Expr, TooLarge> {
    let defined = &defined[graph.place()];
    if defined.is_empty() {
        return Ok(expr.clone());
    }
    expr.substituted(&|name| defined.get(name).cloned())
}

/// In terms of what is not defined itself; nothing where it would be defined by itself.
fn unfolded(name: &str, value: &Expr, candidates: &HashMap<&str, &Expr>) -> Option<Expr> {
    let mut value = value.clone();
    for _ in 0..MOST_STEPS {
        let symbols = value.symbols();
        if symbols.contains(name) {
            return None;
        }
        if !symbols.iter().any(|symbol| candidates.contains_key(symbol)) {
            return Some(value);
        }
        value = value
            .substituted(&|symbol| candidates.get(symbol).map(|value| (*value).clone()))
            .ok()?;
    }
    None
}

/// Whether a symbol in it is one that is read.
fn holds_data(value: &Expr, read: &HashMap<Arc<str>, Read>) -> bool {
    value.symbols().into_iter().any(|symbol| read.contains_key(symbol))
}

/// What a symbol gets.
#[derive(Debug, Clone, Copy)]
struct Assigned<'p> {
    value: &'p Expr,
    /// Wherever it gets one, it is this, and it still is where it is used.
    is_fixed: bool,
    /// Something that it is made of changes as it gets it.
    is_stale: bool,
}

impl Assigned<'_> {
    /// By graph and symbol.
    fn all(program: &Program) -> Vec<HashMap<&str, Assigned<'_>>> {
        let mut assigned: Vec<HashMap<&str, Assigned<'_>>> =
            vec![HashMap::new(); program.graphs.len()];
        for region in &program.regions {
            let of_graph = &mut assigned[region.graph.place()];
            for edge in &region.edges {
                for (name, value) in &edge.assignments {
                    // What is changed on the same edge has another value where this one is used.
                    let is_stale = edge
                        .assignments
                        .iter()
                        .any(|(other, _)| value.symbols().contains(&**other));
                    of_graph
                        .entry(name)
                        .and_modify(|known| {
                            known.is_fixed &= *known.value == **value && !is_stale;
                            known.is_stale |= is_stale;
                        })
                        .or_insert(Assigned { value, is_fixed: !is_stale, is_stale });
                }
            }
        }
        assigned
    }
}

/// What a symbol is defined by is either defined itself, or set by a loop, or from outside.
fn retain_known(candidates: &mut HashMap<&str, &Expr>, is_known: impl Fn(&str) -> bool) {
    loop {
        let is_sound = |symbol: &str| candidates.contains_key(symbol) || is_known(symbol);
        let wrong: Vec<&str> = candidates
            .iter()
            .filter(|(_, value)| !value.symbols().into_iter().all(is_sound))
            .map(|(name, _)| *name)
            .collect();
        if wrong.is_empty() {
            break;
        }
        for name in wrong {
            candidates.remove(name);
        }
    }
}

/// Variables of loops, by the region of the graph: those of loop regions, and those that are set by
/// their own value.
fn looped(program: &Program) -> HashMap<RegionIndex, BTreeSet<&str>> {
    let mut all = HashMap::<RegionIndex, BTreeSet<&str>>::new();
    for region in &program.regions {
        let names = all.entry(program.graph(region.graph).region).or_default();
        if let RegionKind::Loop(header) = &region.kind {
            names.insert(&*header.variable);
        }
        for (name, value) in region.edges.iter().flat_map(|edge| &edge.assignments) {
            if value.symbols().contains(&**name) {
                names.insert(&**name);
            }
        }
    }
    all
}
