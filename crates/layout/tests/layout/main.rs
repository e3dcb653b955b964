//! Where each layout puts things, in one program so that it is linked once: a module a layout.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

mod call_graph;
mod lanes;
mod layered;
mod linear;
mod many_spans;
mod nested;
mod scatter;
mod treemap;
