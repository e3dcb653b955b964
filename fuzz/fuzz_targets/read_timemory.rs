//! The reader of timemory's JSON.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzz::read(bytes, "wall_clock.timemory.json"));
