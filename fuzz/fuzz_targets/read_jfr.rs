//! The reader of JFR's chunks.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzz::read(bytes, "profile.jfr"));
