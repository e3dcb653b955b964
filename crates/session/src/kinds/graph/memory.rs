//! Memory that is alive.

use protocol::{
    ContainerMemory, GraphMemoryParams, GraphMemoryResult, ProtocolError, Reply, StateMemory,
};
use sdfg::cost::Certainty;
use sdfg::memory::{Allocation, Memory, Residence};
use sdfg::model::StateIndex;
use sdfg::outline::Element;

use super::costs::{self, Teller};
use super::overlay::bindings;
use super::{GraphDocument, wording};

/// Most states in an answer.
const MOST_STATES: usize = 400;

/// What is alive by state, and when containers are.
pub(crate) fn memory(
    document: &GraphDocument,
    params: &GraphMemoryParams,
) -> Result<Reply<GraphMemoryResult>, ProtocolError> {
    let at = bindings(&params.symbols);
    let teller = document.teller(&at);
    let program = &document.program;
    let memory = Memory::of(program, &document.costs, &at);
    let root = program.root().map(|root| program.region(root.region).graph);
    let states: Vec<StateIndex> = (0..program.states.len() as u32)
        .map(StateIndex)
        .filter(|state| Some(program.region(program.state(*state).region).graph) == root)
        .collect();
    let shown = &states[..states.len().min(MOST_STATES)];
    let told = |state: StateIndex| told_state(document, teller, &memory, state);
    let containers = memory.containers.first().into_iter().flatten();
    let containers = containers.filter_map(|one| told_container(document, teller, one, shown));
    Ok(Reply::from(GraphMemoryResult {
        states: shown.iter().map(|state| told(*state)).collect(),
        states_left_out: (states.len() - shown.len()) as f64,
        peak: memory.peak.map(told),
        containers: containers.collect(),
    }))
}

fn told_state(
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
    }
}

/// None of what has another one's memory, or is not counted.
fn told_container(
    document: &GraphDocument,
    teller: Teller<'_>,
    Allocation { name, bytes, residence }: &Allocation,
    states: &[StateIndex],
) -> Option<ContainerMemory> {
    let place = |state: &StateIndex| {
        states.iter().position(|shown| shown == state).map(|place| place as u32)
    };
    let label = |state: &StateIndex| document.program.state(*state).label.to_string();
    let (alive, first, last) = match residence {
        Residence::Shared | Residence::Uncounted => return None,
        Residence::Given => ("given from outside".to_owned(), None, None),
        Residence::Program | Residence::Graph => ("whole run".to_owned(), None, None),
        Residence::Iteration => ("each iteration has its own".to_owned(), None, None),
        Residence::States(own) => match &own[..] {
            [] => ("unused".to_owned(), None, None),
            [state] => (label(state), place(state), place(state)),
            [first, .., last] => {
                let words = format!("{} to {}", label(first), label(last));
                (words, own.iter().find_map(place), own.iter().rev().find_map(place))
            }
        },
    };
    let bytes = match bytes {
        Some(bytes) => teller.of_expr("memory", "bytes", bytes, None),
        None => costs::unknown("memory", "bytes", "the size of an element is not known"),
    };
    Some(ContainerMemory { name: name.to_string(), bytes, alive, first, last })
}
