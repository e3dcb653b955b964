//! What the reader, the costs and the simulated accesses of dataflow graphs must do, in one program
//! so that it is linked once. `graphs` and `texts` write graphs, `brute` is the interpreter that the
//! others are compared with.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

mod brute;
mod certainty;
mod compare;
mod cost;
mod earned;
mod expr;
mod fusion;
mod graphs;
mod hostile;
mod lower;
mod lower_oracle;
mod memory;
mod mutated;
mod nested;
mod network;
mod oracle;
mod read;
mod report;
mod sympy;
mod texts;
mod truth;
mod values;
