//! The reader of OpenTelemetry's profiles.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzz::read(bytes, "profile.otlp"));
