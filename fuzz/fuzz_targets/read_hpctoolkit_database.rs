//! The reader of HPCToolkit's databases of several files.
#![no_main]

const FILES: [&str; 3] = ["meta.db", "profile.db", "trace.db"];

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzz::read_folder(bytes, &FILES));
