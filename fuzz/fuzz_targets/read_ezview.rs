//! The reader of EasyView's and DrCCTProf's files.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzz::read(bytes, "profile.ezview"));
