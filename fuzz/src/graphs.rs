//! The readers of SDFGs and of DaCe's instrumentation reports, and what is made of both.

use sdfg::compare::Comparison;
use sdfg::cost::{CostPlan, Costs, Rules};
use sdfg::expr::Bindings;
use sdfg::report::{Measured, Report};

use super::simulated;

const LIMITS: sdfg::Limits = sdfg::Limits { max_size: 64 << 20 };

/// The graph that reports are about.
const GRAPH: &[u8] = include_bytes!("../../testdata/sdfg/square.sdfg");

/// Reads a graph, and asks for its costs, their values, what follows from them, how it differs from
/// itself, and what its accesses do in caches.
pub(super) fn read(bytes: &[u8]) {
    let Ok(program) = sdfg::read(bytes, &LIMITS) else { return };
    let costs = Costs::new(&program, Rules::Exact);
    assert_eq!(costs.states.len(), program.states.len());
    let plan = CostPlan::new(&program, &costs);
    let symbols = plan.free_symbols().iter();
    let at: Bindings = symbols.map(|symbol| (symbol.name.to_string(), 7)).collect();
    assert_eq!(plan.values(&at).node_times.len(), program.states.len());
    sdfg::fusion::rank(&program, &costs, &at);
    sdfg::network::Network::new(&program, &costs);
    let memory = sdfg::memory::Memory::new(&program, &costs, &at);
    assert_eq!(memory.alive.len(), program.states.len());
    let same = Comparison::new((&program, &costs), (&program, &costs));
    assert!(same.nodes.only_base.is_empty());
    simulated::check_graph(&program);
}

/// Reads a report, and lays it over a graph twice.
pub(super) fn read_report(bytes: &[u8]) {
    if let (Ok(report), Ok(program)) = (Report::read(bytes, &LIMITS), sdfg::read(GRAPH, &LIMITS)) {
        Measured::new(&program, [&report, &report]);
    }
}
