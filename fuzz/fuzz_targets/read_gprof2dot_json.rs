//! The reader of gprof2dot's JSON.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzz::read(bytes, "x.json"));
