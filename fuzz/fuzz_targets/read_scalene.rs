//! The reader of Scalene's files.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzz::read(bytes, "x.json"));
