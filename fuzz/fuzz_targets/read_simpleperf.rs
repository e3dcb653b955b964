//! The reader of simpleperf's samples.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzz::read(bytes, "a.simpleperf"));
