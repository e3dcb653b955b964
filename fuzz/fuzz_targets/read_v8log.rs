//! The reader of V8's logs.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzz::read(bytes, "isolate.v8.log"));
