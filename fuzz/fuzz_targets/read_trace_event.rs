//! The reader of Trace Event files.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzz::read(bytes, "x.trace.json"));
