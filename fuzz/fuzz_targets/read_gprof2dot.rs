//! The reader of gprof2dot files.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzz::read(bytes, "profile.gprof2dot"));
