//! The reader of austin's text and MOJO.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzz::read(bytes, "profile.mojo"));
