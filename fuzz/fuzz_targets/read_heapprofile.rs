//! The reader of V8's heap profiles.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzz::read(bytes, "main.heapprofile"));
