//! A program, or a part of it, as loops around accesses, for [`locality`].
//!
//! Sizes are numbers here. Control flow is followed as it runs; maps become loops in the order of their
//! parameters, the last fastest. Nodes of a state or scope come in an order that dataflow allows, those
//! that are free in the order of the file; a tasklet reads its inputs and then writes its outputs, in the
//! order of the edges in the file. What moves more than one element goes through its subset, the last
//! dimension fastest; a copy reads and writes element by element. Scalars, transients of one element and
//! what is stored in registers are not memory. What cannot be told so is left out, and named.

mod flow;
mod iterations;
mod library;
mod lowering;
mod places;
mod scope;
mod touch;
mod unseen;

pub use lowering::{Combining, LowerError, Lowered, Origin, Part, Wanted, lower};
