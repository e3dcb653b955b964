//! The reader of SDFGs, the costs of what it makes of them, and their values.
#![no_main]

use sdfg::compare::Comparison;
use sdfg::cost::{CostPlan, Costs, Rules};
use sdfg::expr::Bindings;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let limits = sdfg::Limits { max_size: 64 << 20 };
    if let Ok(program) = sdfg::read(bytes, &limits) {
        let costs = Costs::of(&program, Rules::Exact);
        assert_eq!(costs.states.len(), program.states.len());
        let plan = CostPlan::new(&program, &costs);
        let symbols = plan.free_symbols().iter();
        let at: Bindings = symbols.map(|symbol| (symbol.name.to_string(), 7)).collect();
        assert_eq!(plan.values(&at).node_times.len(), program.states.len());
        let same = Comparison::of((&program, &costs), (&program, &costs));
        assert!(same.nodes.only_base.is_empty());
    }
});
