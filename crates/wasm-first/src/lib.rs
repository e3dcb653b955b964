//! The engine that a page without a server begins with: that of `wasm` for profiles in the usual formats.
//! It answers with `left_out` what takes the whole one, which then takes its place.

pub use wasm::{Engine, Page};
