//! Numbers for all costs, as fast as someone can drag a slider.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use num_traits::ToPrimitive as _;

use super::changing::set_inside;
use crate::cost::costs::Differing;
use crate::cost::costs::{Cost, Costs, Movement, Times};
use crate::expr::{Batch, Bindings, Expr, Slot, Values};
use crate::model::{BlockIndex, EdgeIndex, NodeIndex, Program, RegionIndex, StateIndex};

/// The costs of a program, ready to be worked out for one setting of the symbols after the other.
#[derive(Debug, Clone)]
pub struct CostPlan {
    batch: Batch,
    symbols: Vec<FreeSymbol>,
    total: Slots,
    nodes: Vec<Vec<Slots>>,
    edges: Vec<Vec<Option<(Slot, Slot)>>>,
    states: Vec<Slots>,
    regions: Vec<Slots>,
    times: TimesInSlots,
    differing: DifferingOf<Slots, (Slot, Slot)>,
    allocated: Vec<Vec<Slot>>,
}

/// How often parts are reached in the whole run.
#[derive(Debug, Clone)]
struct TimesInSlots {
    states: Vec<Option<Slot>>,
    nodes: Vec<Vec<Option<Slot>>>,
    edges: Vec<Vec<Option<Slot>>>,
    regions: Vec<Option<Slot>>,
}

/// A symbol that costs depend on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FreeSymbol {
    /// Its name.
    pub name: Arc<str>,
    /// What it is.
    pub kind: SymbolKind,
    /// The value that the file has for it.
    pub value: Option<i128>,
}

/// What a symbol is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum SymbolKind {
    /// Given from outside before the program runs: a size.
    Given,
    /// Runs or is set inside of the program: a map's parameter, a loop's variable. Costs that are
    /// told for one iteration may depend on it.
    Inside,
    /// Stands for something that is not known, see [`Costs::unknowns`].
    Unknown,
}

/// All costs as numbers; not a number where a symbol that is needed is unset, and where there is no
/// value, such as behind a division by 0.
#[derive(Debug, Clone)]
pub struct CostValues {
    /// Of the whole.
    pub total: NodeValues,
    /// By state and node, each time that the node is reached.
    pub nodes: Vec<Vec<NodeValues>>,
    /// By state and edge, each time that the edge is reached; not a number where an edge orders only.
    pub edges: Vec<Vec<EdgeValues>>,
    /// Each time that the state runs.
    pub states: Vec<NodeValues>,
    /// Each time that the region is reached, with all its iterations.
    pub regions: Vec<NodeValues>,
    /// How often each state runs in the whole run.
    pub state_times: Vec<f64>,
    /// How often each node is reached in the whole run, by state; an entry and its exit once for all
    /// that is between them.
    pub node_times: Vec<Vec<f64>>,
    /// How often each edge is reached in the whole run, by state.
    pub edge_times: Vec<Vec<f64>>,
    /// How often each region is reached in the whole run.
    pub region_times: Vec<f64>,
    /// Elements of each container, by graph and in the order of names, see [`Costs::allocated`].
    pub containers: Vec<Vec<f64>>,
    differing: DifferingOf<NodeValues, EdgeValues>,
}

/// See [`super::Differing`].
#[derive(Debug, Clone)]
struct DifferingOf<N, E> {
    nodes: HashMap<(StateIndex, NodeIndex), N>,
    edges: HashMap<(StateIndex, EdgeIndex), E>,
    states: HashMap<StateIndex, N>,
    regions: HashMap<RegionIndex, N>,
    /// Each time and in the whole run.
    conditionals: HashMap<(RegionIndex, BlockIndex), (N, Option<N>)>,
}

impl CostValues {
    /// What a node costs in the whole run; what runs several times is as deep as each.
    pub fn node_in_all(&self, state: StateIndex, node: NodeIndex) -> NodeValues {
        let (place, at) = (state.place(), node.place());
        let repeated = || self.nodes[place][at].repeated(self.node_times[place][at]);
        self.differing.nodes.get(&(state, node)).copied().unwrap_or_else(repeated)
    }

    /// What an edge moves in the whole run.
    pub fn edge_in_all(&self, state: StateIndex, edge: EdgeIndex) -> EdgeValues {
        let (place, at) = (state.place(), edge.place());
        let repeated = || {
            let (each, times) = (self.edges[place][at], self.edge_times[place][at]);
            EdgeValues { elements: each.elements * times, bytes: each.bytes * times }
        };
        self.differing.edges.get(&(state, edge)).copied().unwrap_or_else(repeated)
    }

    /// What a state costs in the whole run.
    pub fn state_in_all(&self, state: StateIndex) -> NodeValues {
        let repeated = || self.states[state.place()].repeated(self.state_times[state.place()]);
        self.differing.states.get(&state).copied().unwrap_or_else(repeated)
    }

    /// What a region costs in the whole run.
    pub fn region_in_all(&self, region: RegionIndex) -> NodeValues {
        let place = region.place();
        let repeated = || self.regions[place].repeated(self.region_times[place]);
        self.differing.regions.get(&region).copied().unwrap_or_else(repeated)
    }

    /// What a block of branches costs each time that its conditions are asked.
    pub fn conditional(&self, region: RegionIndex, block: BlockIndex) -> Option<NodeValues> {
        self.differing.conditionals.get(&(region, block)).map(|(each, _)| *each)
    }

    /// What it costs in the whole run.
    pub fn conditional_in_all(&self, region: RegionIndex, block: BlockIndex) -> Option<NodeValues> {
        self.differing.conditionals.get(&(region, block)).and_then(|(_, in_all)| *in_all)
    }
}

impl NodeValues {
    /// Work and movement of all times together; what runs several times is as deep as each.
    pub fn repeated(self, times: f64) -> NodeValues {
        NodeValues { work: self.work * times, depth: self.depth, moved: self.moved * times }
    }
}

/// What a node, a state or a region costs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NodeValues {
    /// Arithmetic operations.
    pub work: f64,
    /// Operations on the longest chain.
    pub depth: f64,
    /// Bytes.
    pub moved: f64,
}

/// What an edge moves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EdgeValues {
    /// Elements.
    pub elements: f64,
    /// Bytes.
    pub bytes: f64,
}

#[derive(Debug, Clone, Copy)]
struct Slots {
    work: Slot,
    depth: Slot,
    moved: Slot,
}

impl CostPlan {
    /// Prepares the costs of a program.
    pub fn new(program: &Program, costs: &Costs) -> CostPlan {
        let mut batch = Batch::default();
        let mut add = |cost: &Cost| Slots::add(&mut batch, cost);
        let total = add(&costs.total);
        let nodes = costs.nodes.iter().map(|nodes| nodes.iter().map(&mut add).collect()).collect();
        let states = costs.states.iter().map(&mut add).collect();
        let regions = costs.regions.iter().map(&mut add).collect();
        let mut add = |movement: &Option<Movement>| {
            let Movement { elements, bytes, .. } = movement.as_ref()?;
            Some((batch.add(elements), batch.add(bytes)))
        };
        let edges = costs.edges.iter().map(|edges| edges.iter().map(&mut add).collect()).collect();
        let allocated = costs.allocated.iter();
        let allocated =
            allocated.map(|sizes| sizes.iter().map(|size| batch.add(size)).collect()).collect();
        let times = TimesInSlots::new(program, &costs.times, &mut batch);
        let differing = costs.differing.in_slots(&mut batch);
        let symbols = free_symbols(program, costs, &batch);
        CostPlan {
            batch,
            symbols,
            total,
            nodes,
            edges,
            states,
            regions,
            times,
            differing,
            allocated,
        }
    }

    /// The symbols that anything depends on, by name.
    pub fn free_symbols(&self) -> &[FreeSymbol] {
        &self.symbols
    }

    /// All costs where the symbols are as told.
    pub fn values(&self, at: &Bindings) -> CostValues {
        let values = self.batch.evaluate(at);
        let cost = |slots: &Slots| slots.values(&values);
        let optional = |slot: &Option<Slot>| slot.map_or(f64::NAN, |slot| values.of(slot));
        let movement = |slots: &Option<(Slot, Slot)>| match *slots {
            Some((elements, bytes)) => {
                EdgeValues { elements: values.of(elements), bytes: values.of(bytes) }
            }
            None => EdgeValues { elements: f64::NAN, bytes: f64::NAN },
        };
        CostValues {
            total: cost(&self.total),
            nodes: each(&self.nodes, cost),
            edges: each(&self.edges, movement),
            states: self.states.iter().map(cost).collect(),
            regions: self.regions.iter().map(cost).collect(),
            state_times: self.times.states.iter().map(optional).collect(),
            node_times: each(&self.times.nodes, optional),
            edge_times: each(&self.times.edges, optional),
            region_times: self.times.regions.iter().map(optional).collect(),
            containers: each(&self.allocated, |&slot| values.of(slot)),
            differing: self.differing.values(&values),
        }
    }
}

impl TimesInSlots {
    fn new(program: &Program, times: &Times, batch: &mut Batch) -> TimesInSlots {
        let mut add = |times: Option<&Expr>| times.map(|times| batch.add(times));
        let states = times.states.iter().map(|times| add(times.as_ref())).collect();
        let regions = times.regions.iter().map(|times| add(times.as_ref())).collect();
        let (mut all_nodes, mut all_edges) = (vec![], vec![]);
        for (place, state) in program.states.iter().enumerate() {
            let index = StateIndex(place as u32);
            let of_scope: Vec<Option<Slot>> = (0..state.nodes.len())
                .map(|entry| add(times.inside(index, Some(NodeIndex(entry as u32)))))
                .collect();
            let of_state = add(times.inside(index, None));
            let inside = |scope: Option<NodeIndex>| match scope {
                Some(entry) => of_scope[entry.place()],
                None => of_state,
            };
            let nodes = (0..state.nodes.len()).map(|node| NodeIndex(node as u32));
            all_nodes.push(nodes.map(|node| inside(state.scope_around(node))).collect());
            let edges = state.edges.iter();
            all_edges.push(edges.map(|edge| inside(state.scope_behind(edge.source))).collect());
        }
        TimesInSlots { states, nodes: all_nodes, edges: all_edges, regions }
    }
}

impl Slots {
    fn add(batch: &mut Batch, cost: &Cost) -> Slots {
        Slots {
            work: batch.add(&cost.work),
            depth: batch.add(&cost.depth),
            moved: batch.add(&cost.moved),
        }
    }

    fn values(&self, values: &Values) -> NodeValues {
        NodeValues {
            work: values.of(self.work),
            depth: values.of(self.depth),
            moved: values.of(self.moved),
        }
    }
}

impl Differing {
    fn in_slots(&self, batch: &mut Batch) -> DifferingOf<Slots, (Slot, Slot)> {
        let mut add = |cost: &Cost| Slots::add(batch, cost);
        DifferingOf {
            nodes: each_in(&self.nodes, &mut add),
            states: each_in(&self.states, &mut add),
            regions: each_in(&self.regions, &mut add),
            conditionals: each_in(&self.conditionals, |one| {
                (add(&one.each), one.in_all.as_ref().map(&mut add))
            }),
            edges: each_in(&self.edges, |sum| (batch.add(&sum.elements), batch.add(&sum.bytes))),
        }
    }
}

impl DifferingOf<Slots, (Slot, Slot)> {
    fn values(&self, values: &Values) -> DifferingOf<NodeValues, EdgeValues> {
        let cost = |slots: &Slots| slots.values(values);
        let movement = |&(elements, bytes): &(Slot, Slot)| EdgeValues {
            elements: values.of(elements),
            bytes: values.of(bytes),
        };
        DifferingOf {
            nodes: each_in(&self.nodes, cost),
            states: each_in(&self.states, cost),
            regions: each_in(&self.regions, cost),
            conditionals: each_in(&self.conditionals, |(each, in_all)| {
                (cost(each), in_all.as_ref().map(cost))
            }),
            edges: each_in(&self.edges, movement),
        }
    }
}

fn each_in<K: Copy + Eq + std::hash::Hash, T, V>(
    rows: &HashMap<K, T>,
    mut value: impl FnMut(&T) -> V,
) -> HashMap<K, V> {
    rows.iter().map(|(&key, row)| (key, value(row))).collect()
}

fn each<T, V>(rows: &[Vec<T>], value: impl Fn(&T) -> V) -> Vec<Vec<V>> {
    rows.iter().map(|row| row.iter().map(&value).collect()).collect()
}

fn free_symbols(program: &Program, costs: &Costs, batch: &Batch) -> Vec<FreeSymbol> {
    let inside = set_inside(program);
    let constants = constants(program);
    let symbols = batch.symbols().into_iter().map(|name| FreeSymbol {
        name: name.into(),
        kind: match name {
            name if costs.unknowns.contains_key(name) => SymbolKind::Unknown,
            name if inside.contains(name) => SymbolKind::Inside,
            _ => SymbolKind::Given,
        },
        value: constants.get(name).copied(),
    });
    symbols.collect()
}

/// Constants of the outermost graph that are whole numbers.
fn constants(program: &Program) -> BTreeMap<&str, i128> {
    let constants = program.root().into_iter().flat_map(|root| &root.constants);
    let whole = constants.filter_map(|(name, value)| {
        let number = value.as_number().filter(|number| number.is_integer())?;
        Some((&**name, number.to_integer().to_i128()?))
    });
    whole.collect()
}
