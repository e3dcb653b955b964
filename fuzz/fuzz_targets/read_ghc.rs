//! The reader of GHC's profiles.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzz::read(bytes, "a.prof"));
