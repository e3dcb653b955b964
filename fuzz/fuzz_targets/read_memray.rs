//! The reader of memray's CSV and statistics.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzz::read(bytes, "x.csv"));
