//! What is allocated while, and how much of it at a time.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::live::Flow;
use crate::cost::roots::Roots;
use crate::cost::{Certainty, Costs, Excess, changing_names};
use crate::expr::{Bindings, Expr, Number, TooLarge};
use crate::model::{
    Container, ContainerKind, Graph, GraphIndex, Lifetime, NodeKind, Program, StateIndex,
};

/// The memory of a program.
#[derive(Debug, Clone)]
pub struct Memory {
    /// By graph, in the order of their names.
    pub containers: Vec<Vec<Allocation>>,
    /// By state: what is alive while it runs, of its own graph and of those around it.
    pub alive: Vec<Alive>,
    /// Where most is alive; none where no state has a value at the sizes that were asked for.
    pub peak: Option<StateIndex>,
    /// What can be said of the peak: it is unknown if a state that may run has no value, and the most if
    /// it may not be reached.
    pub peak_certainty: Certainty,
}

/// A container's memory.
#[derive(Debug, Clone, PartialEq)]
pub struct Allocation {
    /// The container's name in its graph.
    pub name: Arc<str>,
    /// Bytes, in terms of the outermost graph's symbols. They are not known of types without a size
    /// and of structures.
    pub bytes: Option<Expr>,
    /// When it is there.
    pub residence: Residence,
}

/// When a container has memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Residence {
    /// It is given from outside: an argument of the program, or memory that others manage.
    Given,
    /// It has another container's memory: a view, a reference, an argument of an inner graph.
    Shared,
    /// A register or a stream: not counted.
    Uncounted,
    /// In the whole run.
    Program,
    /// Each time that its graph runs, from its beginning to its end.
    Graph,
    /// In these states of its graph, in the order of the program: from its first use to its last. None
    /// where nothing uses it. In a graph of too many states and containers to follow each it is
    /// [`Residence::Graph`].
    States(Vec<StateIndex>),
    /// Each iteration of a scope has its own.
    Iteration,
}

/// What is alive while a state runs.
#[derive(Debug, Clone, PartialEq)]
pub struct Alive {
    /// Bytes of all containers that are alive, but for those of inner graphs of the state and of
    /// iterations.
    pub bytes: Expr,
    /// What can be said of them: they are the most where branches exclude each other.
    pub certainty: Certainty,
    /// At the sizes that were asked for; none where symbols have no value there.
    pub value: Option<f64>,
    /// Not all of its times are known to be 0 at these sizes.
    pub may_run: bool,
    /// Bytes that each iteration of a scope in the state has for itself, at most: those of all scopes.
    pub iteration: Expr,
    /// Of this state and those of inner graphs in it, the one where most is alive.
    pub most: StateIndex,
}

impl Memory {
    /// Works it out, with values at some sizes. Costs have to be of the same program. States that do
    /// not run at these sizes are not a peak.
    pub fn new(program: &Program, costs: &Costs, at: &Bindings) -> Memory {
        let roots = Roots::new(program);
        let mut may_skip = vec![];
        let mut containers = vec![];
        for (place, graph) in
            work::long_steps("following memory", program.graphs.iter().enumerate())
        {
            let index = GraphIndex(place as u32);
            let flow = Flow::new(program, index, &roots);
            may_skip.push(flow.may_skip() && !run_all(program, index, costs, at));
            containers.push(allocations(costs, (graph, index), &roots, &flow));
        }
        let peak_certainty = Certainty::Unknown;
        let mut memory = Memory { containers, alive: vec![], peak: None, peak_certainty };
        memory.alive = memory.by_state(program, costs, (&roots, &may_skip), at);
        memory.find_most(program);
        memory.peak_certainty = memory.certainty_of_peak(costs);
        memory
    }

    fn by_state(
        &self,
        program: &Program,
        costs: &Costs,
        (roots, may_skip): (&Roots, &[bool]),
        at: &Bindings,
    ) -> Vec<Alive> {
        let changing = changing_names(program);
        let mut states_of = vec![vec![]; program.graphs.len()];
        for place in 0..program.states.len() {
            let state = StateIndex(place as u32);
            states_of[program.region(program.state(state).region).graph.place()].push(state);
        }
        let (sums, is_certain) = self.sums(program, &states_of, (roots, may_skip));
        let iterations = self.iterations(program, &states_of);
        let told = sums.into_iter().zip(iterations).enumerate().map(|(place, (sum, iteration))| {
            let excess = (!is_certain[place]).then_some(Excess::Branches);
            let bytes = sum.bytes;
            let changes = bytes.symbols().into_iter().any(|name| changing.contains(name));
            let certainty = match costs.certainty(&bytes, excess) {
                _ if sum.lacks_some || changes => Certainty::Unknown,
                certainty => certainty,
            };
            let value = bytes.evaluate(at).ok().map(|value| value.to_f64());
            let most = StateIndex(place as u32);
            let times = costs.times.states[place].as_ref();
            let times = times.and_then(|times| times.evaluate(at).ok());
            let may_run = times.is_none_or(|times| times.to_f64() > 0.0);
            Alive { bytes, certainty, value, may_run, iteration: iteration.bytes, most }
        });
        told.collect()
    }

    /// By state what is alive of its own graph and of those around, and whether that is certain.
    fn sums(
        &self,
        program: &Program,
        states_of: &[Vec<StateIndex>],
        (roots, may_skip): (&Roots, &[bool]),
    ) -> (Vec<Sum>, Vec<bool>) {
        let always =
            |one: &&Allocation| matches!(one.residence, Residence::Given | Residence::Program);
        let all = Sum::new(self.containers.iter().flatten().filter(always));
        let mut sums: Vec<Sum> = vec![Sum::default(); program.states.len()];
        // A transient that a state does not use may be used in states alone that do not run.
        let mut is_certain = vec![true; program.states.len()];
        // Outer graphs stand first.
        for (place, graph) in program.graphs.iter().enumerate() {
            let own = &self.containers[place];
            let (around, is_around_certain) = match graph.holder {
                Some((state, _)) => (sums[state.place()].clone(), is_certain[state.place()]),
                None => (all.clone(), true),
            };
            let whole = own.iter().filter(|one| one.residence == Residence::Graph);
            let whole = around.plus(&Sum::new(whole));
            let sizes = Sizes::new(own);
            let mut alive: HashMap<StateIndex, Vec<usize>> = HashMap::new();
            for (index, one) in own.iter().enumerate() {
                if let Residence::States(states) = &one.residence {
                    states.iter().for_each(|state| alive.entry(*state).or_default().push(index));
                }
            }
            for state in &states_of[place] {
                let indices = alive.get(state).map_or(&[][..], |indices| indices);
                sums[state.place()] = whole.plus(&sizes.sum(indices));
                let used = may_skip[place].then(|| used_in(program, *state, roots));
                let are_used = used.is_none_or(|used| {
                    indices.iter().all(|index| used.contains(&own[*index].name))
                });
                is_certain[state.place()] = is_around_certain && are_used;
            }
        }
        (sums, is_certain)
    }

    /// By state what iterations of its scopes have for themselves.
    fn iterations(&self, program: &Program, states_of: &[Vec<StateIndex>]) -> Vec<Sum> {
        let mut all: Vec<Sum> = vec![Sum::default(); program.states.len()];
        for (place, graph) in program.graphs.iter().enumerate().rev() {
            let own = self.containers[place].iter();
            let own = own.filter(|one| one.residence == Residence::Iteration);
            let mut whole = Sum::new(own);
            for state in &states_of[place] {
                whole = whole.plus(&all[state.place()]);
                let used = self.used_by_iterations(program, *state, place);
                all[state.place()] = all[state.place()].plus(&used);
            }
            if let Some((state, _)) = graph.holder {
                all[state.place()] = all[state.place()].plus(&whole);
            }
        }
        all
    }

    /// What iterations of the scopes of a state have for themselves, but for inner graphs.
    fn used_by_iterations(&self, program: &Program, state: StateIndex, graph: usize) -> Sum {
        let is_in_scope = |name: &str| {
            let nodes = program.state(state).nodes.iter();
            nodes.filter(|node| node.scope.is_some()).any(|node| match &node.kind {
                NodeKind::Access { data } => **data == *name,
                _ => false,
            })
        };
        let own = self.containers[graph].iter();
        Sum::new(own.filter(|one| one.residence == Residence::Iteration && is_in_scope(&one.name)))
    }

    fn certainty_of_peak(&self, costs: &Costs) -> Certainty {
        let Some(peak) = self.peak else { return Certainty::Unknown };
        if self.alive.iter().any(|alive| alive.may_run && alive.value.is_none()) {
            return Certainty::Unknown;
        }
        let most = self.alive[peak.place()].value;
        // Another one may have as much.
        let alike =
            self.alive.iter().enumerate().filter(|(_, one)| one.may_run && one.value == most);
        let is_reached = alike.clone().any(|(place, one)| {
            costs.times.are_certain[place] && one.certainty == Certainty::Exact
        });
        match self.alive[peak.place()].certainty {
            _ if is_reached => Certainty::Exact,
            Certainty::Exact => Certainty::AtMost(Excess::Branches),
            other => other,
        }
    }

    fn find_most(&mut self, program: &Program) {
        let value = |alive: &[Alive], state: StateIndex| {
            let own = &alive[state.place()];
            own.value.filter(|_| own.may_run).unwrap_or(f64::NEG_INFINITY)
        };
        // Those of inner graphs stand behind those around them.
        for place in (0..program.states.len()).rev() {
            let state = StateIndex(place as u32);
            let graph = program.graph_of(state);
            if let Some((holder, _)) = graph.holder {
                let (own, around) = (self.alive[place].most, self.alive[holder.place()].most);
                if value(&self.alive, own) > value(&self.alive, around) {
                    self.alive[holder.place()].most = own;
                }
            }
        }
        let all = (0..program.states.len()).map(|place| StateIndex(place as u32));
        let known = all.filter(|state| value(&self.alive, *state).is_finite());
        self.peak = known.reduce(|most, state| {
            if value(&self.alive, state) > value(&self.alive, most) { state } else { most }
        });
    }
}

/// Whether all states of a graph run at some sizes, at least once in the whole run.
fn run_all(program: &Program, graph: GraphIndex, costs: &Costs, at: &Bindings) -> bool {
    let mut states = program.states.iter().enumerate();
    states.all(|(place, state)| {
        let times = costs.times.states[place].as_ref();
        let runs = || {
            times
                .and_then(|times| times.evaluate(at).ok())
                .is_some_and(|times| times.to_f64() > 0.0)
        };
        program.region(state.region).graph != graph || costs.times.are_certain[place] && runs()
    })
}

/// The containers that a state uses, or views of which it uses.
pub(super) fn used_in(program: &Program, index: StateIndex, roots: &Roots) -> HashSet<Arc<str>> {
    let state = program.state(index);
    let graph = program.region(state.region).graph;
    let nodes = state.nodes.iter().filter_map(|node| match &node.kind {
        NodeKind::Access { data } => Some(data),
        _ => None,
    });
    let memlets = state.edges.iter().filter_map(|edge| edge.memlet.as_ref());
    let names = nodes.chain(memlets.map(|memlet| &memlet.data));
    let mut used: HashSet<Arc<str>> =
        names.filter_map(|name| roots.in_state(graph, index, name).cloned()).collect();
    // A reference may stand for any of what it is set to.
    let referenced = used.iter().flat_map(|name| roots.referenced(graph, name)).cloned();
    let referenced: Vec<Arc<str>> = referenced.collect();
    used.extend(referenced);
    used
}

fn allocations(
    costs: &Costs,
    (graph, index): (&Graph, GraphIndex),
    roots: &Roots,
    flow: &Flow,
) -> Vec<Allocation> {
    let elements = &costs.allocated[index.place()];
    let all = graph.containers.iter().zip(elements).map(|((name, container), elements)| {
        let is_own = roots.named(index, name).is_some();
        let residence = match (residence(container, index), is_own) {
            (Residence::States(_) | Residence::Graph, false) => Residence::Iteration,
            (Residence::States(_), true) => {
                flow.states_of(name).map_or(Residence::Graph, Residence::States)
            }
            (other, _) => other,
        };
        Allocation { name: name.clone(), bytes: bytes(container, elements), residence }
    });
    all.collect()
}

/// By what a container is alone.
fn residence(container: &Container, graph: GraphIndex) -> Residence {
    match container.kind {
        ContainerKind::View | ContainerKind::Reference => return Residence::Shared,
        ContainerKind::Stream => return Residence::Uncounted,
        ContainerKind::Array
        | ContainerKind::Scalar
        | ContainerKind::Structure
        | ContainerKind::Other(_) => {}
    }
    if !container.is_transient {
        return if graph.place() == 0 { Residence::Given } else { Residence::Shared };
    }
    match container.lifetime {
        _ if &*container.storage == "Register" => Residence::Uncounted,
        Lifetime::External => Residence::Given,
        Lifetime::Program | Lifetime::Persistent => Residence::Program,
        Lifetime::Graph => Residence::Graph,
        Lifetime::Scope | Lifetime::State | Lifetime::Other(_) => Residence::States(vec![]),
    }
}

fn bytes(container: &Container, elements: &Expr) -> Option<Expr> {
    let is_structure = matches!(container.kind, ContainerKind::Structure | ContainerKind::Other(_));
    let size = container.element.size.filter(|_| !is_structure)?;
    elements.times(&Expr::integer(size.into())).ok()
}

/// Bytes of several containers.
#[derive(Debug, Clone, Default)]
struct Sum {
    bytes: Expr,
    /// There is one whose bytes are not known, or they get too large together.
    lacks_some: bool,
}

/// The sizes of a graph's containers: many are of one size.
struct Sizes<'a> {
    /// None where it is not known.
    all: Vec<Option<&'a Expr>>,
    /// By container, a place in `all`.
    of: Vec<usize>,
}

impl<'a> Sizes<'a> {
    fn new(containers: impl IntoIterator<Item = &'a Allocation>) -> Sizes<'a> {
        let mut sizes = Sizes { all: vec![], of: vec![] };
        let mut known: HashMap<Option<&Expr>, usize> = HashMap::new();
        for one in containers {
            let bytes = one.bytes.as_ref();
            let place = *known.entry(bytes).or_insert(sizes.all.len());
            if place == sizes.all.len() {
                sizes.all.push(bytes);
            }
            sizes.of.push(place);
        }
        sizes
    }

    /// Of some of the containers.
    fn sum(&self, containers: &[usize]) -> Sum {
        let mut counts = vec![0; self.all.len()];
        containers.iter().for_each(|container| counts[self.of[*container]] += 1);
        let mut lacks_some = false;
        let mut parts = vec![];
        for (bytes, count) in self.all.iter().zip(counts).filter(|(_, count)| *count > 0) {
            match bytes {
                Some(bytes) => parts.push(bytes.scaled(Number::from_integer(count))),
                None => lacks_some = true,
            }
        }
        let parts: Result<Vec<Expr>, TooLarge> = parts.into_iter().collect();
        Sum::made(parts.and_then(Expr::sum), lacks_some)
    }
}

impl Sum {
    fn new<'a>(all: impl Iterator<Item = &'a Allocation>) -> Sum {
        let sizes = Sizes::new(all);
        sizes.sum(&(0..sizes.of.len()).collect::<Vec<usize>>())
    }

    fn plus(&self, other: &Sum) -> Sum {
        Sum::made(self.bytes.plus(&other.bytes), self.lacks_some || other.lacks_some)
    }

    fn made(bytes: Result<Expr, TooLarge>, lacks_some: bool) -> Sum {
        match bytes {
            Ok(bytes) => Sum { bytes, lacks_some },
            Err(TooLarge) => Sum { bytes: Expr::default(), lacks_some: true },
        }
    }
}
