//! What a program puts on the network: nodes of `dace.libraries.mpi`, `nccl` and `pblas`.
//!
//! Counted is the **payload**, in each process: the bytes of the buffers that a node hands to the
//! network or takes from it, each once, as its memlets have them. What a library sends besides to get
//! them there (trees, rings, headers, waiting) no graph says, and the number of processes is none of
//! its sizes; a process's part for itself counts as well. What such a library has and this version
//! does not know is unknown.

use crate::cost::{Certainty, Costs, Excess};
use crate::expr::Expr;
use crate::model::{EdgeIndex, Library, NodeIndex, NodeKind, Program, State, StateIndex};

/// Libraries whose nodes use the network, as modules of their classes.
const LIBRARIES: [&str; 3] = ["mpi", "nccl", "pblas"];

/// Nodes of `mpi` and `nccl` by class. Those of `pblas` are not known: how their blocks are spread no
/// graph says.
const CLASSES: &[(&str, Pattern)] = &[
    ("Send", Pattern::PointToPoint),
    ("Isend", Pattern::PointToPoint),
    ("Recv", Pattern::PointToPoint),
    ("Irecv", Pattern::PointToPoint),
    ("Bcast", Pattern::FromRoot),
    ("Scatter", Pattern::FromRoot),
    ("Reduce", Pattern::ToRoot),
    ("Gather", Pattern::ToRoot),
    ("Allreduce", Pattern::Everyone),
    ("Allgather", Pattern::Everyone),
    ("Alltoall", Pattern::Everyone),
    ("Wait", Pattern::Silent),
    ("Waitall", Pattern::Silent),
    ("Barrier", Pattern::Silent),
    ("Dummy", Pattern::Silent),
];

/// Connectors of what a node sends and of what it receives.
const SENT: [&str; 2] = ["_buffer", "_inbuffer"];
const RECEIVED: [&str; 2] = ["_buffer", "_outbuffer"];

/// Who sends to whom.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pattern {
    /// One process to another: a node is one of the two ends.
    PointToPoint,
    /// One sends, all receive.
    FromRoot,
    /// All send, one receives.
    ToRoot,
    /// All send and receive.
    Everyone,
    /// It waits, or is there for order: it has no payload.
    Silent,
    /// A class of these libraries that this version does not know.
    Unknown,
}

/// The payload of all nodes of a program.
#[derive(Debug, Clone, PartialEq)]
pub struct Network {
    /// Each node, in the order of the states.
    pub nodes: Vec<Communication>,
    /// Payload of the whole run, of the nodes for which it is known.
    pub total: Traffic,
    /// Nodes for which it is not known.
    pub unknown_count: usize,
}

/// A node that uses the network.
#[derive(Debug, Clone, PartialEq)]
pub struct Communication {
    /// Where it is.
    pub state: StateIndex,
    /// Which it is.
    pub node: NodeIndex,
    /// Who sends to whom.
    pub pattern: Pattern,
    /// Payload each time that the node is reached; none where it is not known.
    pub each: Option<Traffic>,
    /// Payload of the whole run; none where it is not known, or not how often the node is reached.
    pub in_all: Option<Traffic>,
}

/// Bytes of payload in a process.
#[derive(Debug, Clone, PartialEq)]
pub struct Traffic {
    /// What it hands to the network: with [`Pattern::FromRoot`] the root alone.
    pub sent: Expr,
    /// What it takes from the network: with [`Pattern::ToRoot`] the root alone.
    pub received: Expr,
    /// What goes through it, of the process through which most goes: of a root what it sends or
    /// receives, with [`Pattern::Everyone`] both together. In a total the same process is the root
    /// every time.
    pub through: Expr,
    /// What can be said of all three.
    pub certainty: Certainty,
}

impl Network {
    /// Works it out; costs have to be of the same program.
    pub fn new(program: &Program, costs: &Costs) -> Network {
        let mut nodes = vec![];
        for (place, state) in program.states.iter().enumerate() {
            for (index, node) in state.nodes.iter().enumerate() {
                let at = (StateIndex(place as u32), NodeIndex(index as u32));
                if let NodeKind::Library(library) = &node.kind
                    && let Some(pattern) = Pattern::new(library)
                {
                    nodes.push(communication(program, costs, at, pattern));
                }
            }
        }
        let known = || nodes.iter().filter_map(|node| node.in_all.as_ref());
        let sum = |part: fn(&Traffic) -> &Expr| Expr::sum(known().map(|one| part(one).clone()));
        let sums = (sum(|one| &one.sent), sum(|one| &one.received), sum(|one| &one.through));
        let unknown_count = nodes.iter().filter(|node| node.in_all.is_none()).count();
        let certainty =
            known().fold(Certainty::Exact, |certainty, one| certainty.with(one.certainty));
        let total = match sums {
            (Ok(sent), Ok(received), Ok(through)) => {
                let certainty = if unknown_count > 0 { Certainty::Unknown } else { certainty };
                Traffic { sent, received, through, certainty }
            }
            _ => Traffic { certainty: Certainty::Unknown, ..Traffic::none() },
        };
        Network { nodes, total, unknown_count }
    }
}

impl Pattern {
    /// Of a library node; nothing where it does not use the network.
    pub fn new(library: &Library) -> Option<Pattern> {
        let mut modules = library.class_path.split('.').rev().skip(1);
        let module = modules.find(|module| LIBRARIES.contains(module))?;
        let known =
            CLASSES.iter().find(|(class, _)| *class == library.class() && module != "pblas");
        Some(known.map_or(Pattern::Unknown, |(_, pattern)| *pattern))
    }
}

impl Library {
    /// Whether it sends or waits, and works nothing out.
    pub(crate) fn only_communicates(&self) -> bool {
        let combines = matches!(self.class(), "Reduce" | "Allreduce");
        !combines && Pattern::new(self).is_some_and(|pattern| pattern != Pattern::Unknown)
    }
}

impl Traffic {
    fn none() -> Traffic {
        let nothing = Expr::default;
        let (sent, received) = (nothing(), nothing());
        Traffic { sent, received, through: nothing(), certainty: Certainty::Exact }
    }

    fn new(
        costs: &Costs,
        pattern: Pattern,
        (sent, received): (Expr, Expr),
        excess: Option<Excess>,
    ) -> Option<Traffic> {
        let through = match pattern {
            Pattern::FromRoot => sent.clone(),
            Pattern::ToRoot => received.clone(),
            _ => sent.plus(&received).ok()?,
        };
        let certainty = costs.certainty(&sent, excess).with(costs.certainty(&received, excess));
        Some(Traffic { sent, received, through, certainty })
    }
}

fn communication(
    program: &Program,
    costs: &Costs,
    (state, node): (StateIndex, NodeIndex),
    pattern: Pattern,
) -> Communication {
    let (mut each, mut in_all) = (None, None);
    if pattern == Pattern::Silent {
        each = Some(Traffic::none());
        in_all = Some(Traffic::none());
    }
    let edges = Ends::new(program.state(state), node);
    if let Some(Ends { sent, received }) = edges.filter(|ends| ends.are_all_of(pattern)) {
        let ends = || sent.iter().chain(&received);
        let movements = &costs.edges[state.place()];
        let excess = ends().find_map(|edge| movements[edge.place()].as_ref()?.excess);
        let bytes = |edges: &[EdgeIndex]| {
            let parts: Option<Vec<Expr>> = edges
                .iter()
                .map(|edge| Some(movements[edge.place()].as_ref()?.bytes.clone()))
                .collect();
            Expr::sum(parts?).ok()
        };
        let repeated = |edges: &[EdgeIndex]| {
            let parts: Option<Vec<Expr>> = edges
                .iter()
                .map(|&edge| Some(costs.edge_in_all(program, state, edge)?.bytes))
                .collect();
            Expr::sum(parts?).ok()
        };
        let is_certain = costs.times.are_certain[state.place()];
        let excess_in_all = excess.or((!is_certain).then_some(Excess::Branches));
        each = bytes(&sent)
            .zip(bytes(&received))
            .and_then(|both| Traffic::new(costs, pattern, both, excess));
        in_all = repeated(&sent)
            .zip(repeated(&received))
            .and_then(|both| Traffic::new(costs, pattern, both, excess_in_all));
    }
    Communication { state, node, pattern, each, in_all }
}

/// The edges of a node's buffers.
struct Ends {
    sent: Vec<EdgeIndex>,
    received: Vec<EdgeIndex>,
}

impl Ends {
    fn new(state: &State, node: NodeIndex) -> Option<Ends> {
        let mut ends = Ends { sent: vec![], received: vec![] };
        for (place, edge) in state.edges.iter().enumerate() {
            let is = |connector: &Option<std::sync::Arc<str>>, names: [&str; 2]| {
                connector.as_deref().is_some_and(|connector| names.contains(&connector))
            };
            let index = EdgeIndex(place as u32);
            if edge.target == node && is(&edge.target_connector, SENT) {
                ends.sent.push(index);
            }
            if edge.source == node && is(&edge.source_connector, RECEIVED) {
                ends.received.push(index);
            }
        }
        (!ends.sent.is_empty() || !ends.received.is_empty()).then_some(ends)
    }

    /// Whether the buffers are there that a pattern has. Both of a collective's are.
    fn are_all_of(&self, pattern: Pattern) -> bool {
        match pattern {
            Pattern::PointToPoint => self.sent.is_empty() != self.received.is_empty(),
            Pattern::FromRoot | Pattern::ToRoot | Pattern::Everyone => {
                !self.sent.is_empty() && !self.received.is_empty()
            }
            Pattern::Silent | Pattern::Unknown => false,
        }
    }
}
