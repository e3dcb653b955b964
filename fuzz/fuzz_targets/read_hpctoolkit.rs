//! The reader of HPCToolkit's experiment.xml.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzz::read(bytes, "experiment.xml"));
