//! Distinct bytes: each element that is accessed counts once, however often it is. So much has to move
//! even where all that is needed again stays near: what a cold cache without an end misses.

mod pass;
mod state;
mod touched;

pub(super) use pass::distinct;
