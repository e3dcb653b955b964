//! The reader of speedscope's JSON.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzz::read(bytes, "profile.speedscope.json"));
