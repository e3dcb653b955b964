//! Runs the target that the environment names, on the bytes that libFuzzer makes up.
#![no_main]

use std::sync::LazyLock;

static TARGET: LazyLock<fuzz::Target> = LazyLock::new(|| {
    let name = std::env::var(fuzz::TARGET).unwrap_or_default();
    fuzz::target(&name).unwrap_or_else(|| panic!("{} names no target: {name:?}", fuzz::TARGET))
});

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| TARGET.run(bytes));
