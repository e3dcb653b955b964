//! The reader of DaCe's instrumentation reports.
#![no_main]

use sdfg::report::{Measured, Report};

const GRAPH: &[u8] = include_bytes!("../../testdata/sdfg/square.sdfg");

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let limits = sdfg::Limits { max_size: 64 << 20 };
    if let (Ok(report), Ok(program)) = (Report::read(bytes, &limits), sdfg::read(GRAPH, &limits)) {
        Measured::of(&program, [&report, &report]);
    }
});
