//! What all readers together are. Unit tests that ask for the list of formats would compile every reader a
//! second time.

use formats::{FORMATS, ReadError};

#[test]
fn every_build_reads_the_usual_formats() {
    let mut usual: Vec<_> =
        FORMATS.iter().filter(|format| format.is_usual()).map(|format| format.name).collect();
    usual.sort_unstable();
    let expected = [
        "callgrind",
        "chrome-trace",
        "collapsed",
        "cpuprofile",
        "gecko",
        "hotframe",
        "perf-script",
        "pprof",
        "pstats",
        "speedscope",
        "trace-event",
    ];
    assert_eq!(usual, expected);
}

#[test]
fn a_reader_that_panics_asks_for_a_report() {
    let error = ReadError::Panicked { format: "test", message: "out of bounds".to_owned() };
    assert!(error.hint().contains("report"), "{}", error.hint());
}
