//! What the readers and writers must do, in one program so that it is linked once: a module a
//! format, and `samples` and `corpus` for what all have in common.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

/// Shared with the fuzz targets.
#[path = "../../../../fuzz/src/mutate.rs"]
#[allow(unreachable_pub, dead_code, reason = "the fuzz targets use it too")]
mod mutate;

mod austin;
mod builders;
mod builds;
mod caliper;
mod callgrind;
mod chrome_trace;
mod collapsed;
mod corpus;
mod cpuprofile;
mod dhat;
mod dhat_view;
mod dot;
mod encode;
mod exchange;
mod ezview;
mod firefox;
mod firefox_slabs;
mod firefox_written;
mod folders;
mod ghc;
mod gperftools;
mod gprof;
mod gprof2dot_json;
mod gprof_figures;
mod heapprofile;
mod heaptrack;
mod heaptrack_print;
mod hpctoolkit;
mod hpctoolkit_database;
mod instruments;
mod jfr;
mod measured;
mod memray;
mod mutated;
mod named;
mod off_cpu;
mod otlp;
mod packed;
mod perf_data;
mod perf_script;
mod perf_stat;
mod perfetto;
mod pprof;
mod pstats;
mod pyinstrument;
mod random_traces;
mod safari;
mod samples;
mod scalene;
mod scheduled;
mod shuffled;
mod simpleperf;
mod speedscope;
mod stackprof;
mod switches;
mod tables;
mod tables_read;
mod tau;
mod timeline;
mod timeline_bad;
mod timeline_chrome;
mod timeline_firefox;
mod timeline_jfr;
mod timeline_made;
mod timeline_perf;
mod timeline_speedscope;
mod timeline_written;
mod timemory;
mod trace_event;
mod v8log;
mod visperf;
mod vtune;
mod writers;
