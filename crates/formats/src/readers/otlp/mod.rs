//! OpenTelemetry profiles, `opentelemetry.proto.profiles.v1development` as of OTLP 1.10: a shared
//! dictionary of tables whose entry 0 is the zero value, and profiles of one sample type each.

mod format;
mod read;
mod schema;
mod write;

pub(crate) use format::FORMAT;
