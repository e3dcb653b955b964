//! Two graphs of one program, such as before and after a transformation.
//!
//! What belongs together is found from the outside in. Nodes of one guid are one, where each side
//! has it once: DaCe keeps guids over transformations. Blocks go by kind and label, then by kind and
//! place; nodes by what they are, their label and the data around them, first within matched scopes
//! and then within matched states; edges by their ends and what they carry. Of several that are
//! equal in all of that the first is the first. Nothing prefers a side: swapped graphs have swapped
//! matches.

mod comparison;
mod matching;
mod pairs;

pub use comparison::{Comparison, Match, Matches, Sides};
