//! The reader of the text of heaptrack_print.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzz::read(bytes, "a.heaptrack.txt"));
