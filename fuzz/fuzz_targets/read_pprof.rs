//! The reader of pprof's profile.proto, with and without gzip around it.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzz::read(bytes, "profile.pb"));
