//! The reader of SDFGs, and the costs of what it makes of them.
#![no_main]

use sdfg::cost::{Costs, Rules};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let limits = sdfg::Limits { max_size: 64 << 20 };
    if let Ok(program) = sdfg::read(bytes, &limits) {
        let costs = Costs::of(&program, Rules::Exact);
        assert_eq!(costs.states.len(), program.states.len());
    }
});
