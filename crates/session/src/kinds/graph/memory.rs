//! Memory that is alive.

use std::collections::{BTreeSet, HashMap};

use protocol::{
    ContainerMemory, GraphMemoryParams, GraphMemoryResult, ProtocolError, Reply, StateMemory,
};
use sdfg::cost::Certainty;
use sdfg::memory::{Allocation, Memory, Residence};
use sdfg::model::{GraphIndex, Program, StateIndex};
use sdfg::outline::Element;

use super::costs::{self, Teller};
use super::overlay::bindings;
use super::{GraphDocument, wording};

/// Most states in an answer.
const MOST_STATES: usize = 400;
/// Most containers in an answer.
const MOST_CONTAINERS: usize = 500;

/// What is alive by state, and when containers are.
pub(crate) fn memory(
    document: &GraphDocument,
    params: &GraphMemoryParams,
) -> Result<Reply<GraphMemoryResult>, ProtocolError> {
    let at = bindings(&params.symbols);
    let teller = document.teller(&at);
    let program = &document.program;
    let memory = Memory::new(program, &document.costs, &at);
    let root = program.root().map(|root| program.region(root.region).graph);
    let states: Vec<StateIndex> = (0..program.states.len() as u32)
        .map(StateIndex)
        .filter(|state| Some(program.region(program.state(*state).region).graph) == root)
        .collect();
    let shown = &states[..states.len().min(MOST_STATES)];
    let told = |state: StateIndex| state_memory(document, teller, &memory, state);
    let place_of: HashMap<StateIndex, u32> = shown.iter().copied().zip(0..).collect();
    let mut containers = vec![];
    for (place, all) in memory.containers.iter().enumerate() {
        let around = Around::new(program, GraphIndex(place as u32), &place_of);
        containers.extend(all.iter().filter_map(|one| allocation_memory(teller, one, &around)));
    }
    let size = |one: &ContainerMemory| one.bytes.value.unwrap_or(f64::INFINITY);
    containers.sort_by(|a, b| size(b).total_cmp(&size(a)));
    let containers_left_out = containers.len().saturating_sub(MOST_CONTAINERS) as f64;
    containers.truncate(MOST_CONTAINERS);
    Ok(Reply::from(GraphMemoryResult {
        states: shown.iter().map(|state| told(*state)).collect(),
        states_left_out: (states.len() - shown.len()) as f64,
        peak: memory.peak.map(|peak| {
            let mut peak = told(peak);
            match memory.peak_certainty {
                Certainty::Exact => {}
                Certainty::AtMost(excess) => costs::limit(&mut peak.alive, excess),
                Certainty::Unknown => peak.alive.certainty = protocol::CostCertainty::Unknown,
            }
            peak
        }),
        containers,
        containers_left_out,
    }))
}

/// Where a graph's containers are along the states of the outermost one.
struct Around<'a> {
    program: &'a Program,
    graph: GraphIndex,
    /// The places of states that are told.
    place_of: &'a HashMap<StateIndex, u32>,
    /// The state of the outermost graph that an inner one runs in.
    holder: Option<StateIndex>,
}

impl<'a> Around<'a> {
    fn new(
        program: &'a Program,
        graph: GraphIndex,
        place_of: &'a HashMap<StateIndex, u32>,
    ) -> Around<'a> {
        let mut holder = None;
        let mut around = program.graph(graph);
        while let Some((state, _)) = around.holder {
            holder = Some(state);
            around = program.graph_of(state);
        }
        Around { program, graph, place_of, holder }
    }

    /// Of states of the graph, first and last ones of those that stand side by side.
    fn spans(&self, states: &[StateIndex]) -> Vec<[u32; 2]> {
        let place = |state: &StateIndex| self.place_of.get(&self.holder.unwrap_or(*state)).copied();
        let places: BTreeSet<u32> = states.iter().filter_map(place).collect();
        let mut spans: Vec<[u32; 2]> = vec![];
        for place in places {
            match spans.last_mut() {
                Some([_, last]) if *last + 1 == place => *last = place,
                _ => spans.push([place, place]),
            }
        }
        spans
    }

    fn whole(&self) -> Vec<[u32; 2]> {
        match self.holder {
            Some(holder) => self.spans(&[holder]),
            None => self.everywhere(),
        }
    }

    fn everywhere(&self) -> Vec<[u32; 2]> {
        let last = self.place_of.len().checked_sub(1);
        last.map(|last| [0, last as u32]).into_iter().collect()
    }
}

fn state_memory(
    document: &GraphDocument,
    teller: Teller<'_>,
    memory: &Memory,
    state: StateIndex,
) -> StateMemory {
    let own = &memory.alive[state.place()];
    let most = &memory.alive[own.most.place()];
    let excess = match most.certainty {
        Certainty::AtMost(excess) => Some(excess),
        Certainty::Exact | Certainty::Unknown => None,
    };
    let mut alive = teller.of_expr("alive", "bytes", &most.bytes, excess);
    if most.certainty == Certainty::Unknown {
        alive.certainty = protocol::CostCertainty::Unknown;
    }
    // Those of all scopes, which may run one after the other.
    let scratch = (!own.iteration.is_zero()).then_some(sdfg::cost::Excess::Overlap);
    let of = document.program.state(state);
    let element = Element::Block(of.region, of.block);
    StateMemory {
        element: document.outline.number(element),
        label: wording::label(&document.program, element),
        alive,
        iteration: teller.of_expr("alive of an iteration", "bytes", &own.iteration, scratch),
        may_run: own.may_run,
    }
}

/// None of what has another one's memory, or is not counted.
fn allocation_memory(
    teller: Teller<'_>,
    Allocation { name, bytes, residence }: &Allocation,
    around: &Around<'_>,
) -> Option<ContainerMemory> {
    let label = |state: &StateIndex| around.program.state(*state).label.to_string();
    let (alive, spans) = match residence {
        Residence::Shared | Residence::Uncounted => return None,
        Residence::Given => ("given from outside".to_owned(), around.everywhere()),
        Residence::Program => ("whole run".to_owned(), around.everywhere()),
        Residence::Graph if around.holder.is_none() => ("whole run".to_owned(), around.whole()),
        Residence::Graph => ("while its graph runs".to_owned(), around.whole()),
        Residence::Iteration => ("each iteration has its own".to_owned(), vec![]),
        Residence::States(own) => {
            let words = match &own[..] {
                [] => "unused".to_owned(),
                [state] => label(state),
                [first, .., last] => {
                    format!("{} to {}, {} states", label(first), label(last), own.len())
                }
            };
            (words, around.spans(own))
        }
    };
    let bytes = match bytes {
        Some(bytes) => teller.of_expr("memory", "bytes", bytes, None),
        None => costs::unknown("memory", "bytes", "the size of an element is not known"),
    };
    let graph = match around.holder {
        Some(_) => around.program.graph(around.graph).name.to_string(),
        None => String::new(),
    };
    Some(ContainerMemory { name: name.to_string(), graph, bytes, alive, spans })
}
