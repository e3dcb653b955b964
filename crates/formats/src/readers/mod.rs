//! The formats: a file or a folder each, with what recognises, reads and writes it.

mod austin;
mod caliper;
mod call_chains;
mod call_trace;
mod callgrind;
pub(crate) mod collapsed;
mod cpuprofile;
mod dhat;
mod dot;
mod exchange;
mod ezview;
mod firefox;
mod ghc;
mod gperftools;
mod gprof;
mod heapprofile;
mod heaptrack;
mod heaptrack_print;
mod hpctoolkit;
mod instruments;
mod jfr;
mod memray;
mod otlp;
mod perf_data;
mod perf_script;
mod perf_stat;
mod perfetto;
mod pprof;
mod pstats;
mod pyinstrument;
mod safari;
mod scalene;
mod simpleperf;
mod speedscope;
mod stackprof;
mod tables;
mod tau;
mod timemory;
mod trace_event;
mod v8log;
mod visperf;
mod vtune;

use crate::Format;
use crate::left_out::built;

/// The formats, in the order in which they are tried. A new format is one line here.
pub const FORMATS: &[Format] = &built([
    exchange::FORMAT,
    call_trace::FORMAT,
    call_trace::MEMORY,
    ezview::FORMAT,
    perfetto::FORMAT,
    otlp::FORMAT,
    pprof::FORMAT,
    callgrind::FORMAT,
    pstats::FORMAT,
    simpleperf::FORMAT,
    ghc::FORMAT,
    v8log::FORMAT,
    austin::FORMAT,
    gperftools::FORMAT,
    jfr::FORMAT,
    heaptrack::FORMAT,
    heaptrack_print::FORMAT,
    perf_data::FORMAT,
    perf_script::FORMAT,
    gprof::FORMAT,
    dot::FORMAT,
    call_chains::FORMAT,
    memray::FORMAT,
    perf_stat::FORMAT,
    visperf::FORMAT,
    vtune::FORMAT,
    instruments::FORMAT,
    tau::FORMAT,
    hpctoolkit::FORMAT,
    collapsed::FORMAT,
    cpuprofile::FORMAT,
    heapprofile::FORMAT,
    trace_event::FORMAT,
    trace_event::CHROME,
    firefox::GECKO,
    dhat::FORMAT,
    safari::FORMAT,
    pyinstrument::FORMAT,
    stackprof::FORMAT,
    caliper::FORMAT,
    scalene::FORMAT,
    timemory::FORMAT,
    speedscope::FORMAT,
    firefox::FORMAT,
    tables::CSV,
    #[cfg(feature = "parquet")]
    tables::PARQUET,
]);
