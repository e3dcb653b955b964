//! The reader of TAU's files, one at a time.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzz::read(bytes, "profile.0.0.0"));
