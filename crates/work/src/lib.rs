//! Long work that somebody watches, and may stop.
//!
//! Who answers a request runs the work in [`watched`]. Loops that may take long go through
//! [`steps`], which tells the watch how far they are and ends the work once it is to stop. Nothing
//! in between has to know of it: the work ends by unwinding to [`watched`], so loops that go through
//! [`steps`] must not leave anything half changed that outlives them. Where unwinding is impossible
//! (WebAssembly), work is watched and never stopped.

mod parts;
mod watched;

pub use parts::parts;
pub use watched::{Progress, Steps, Stopped, Watch, long_steps, see, steps, watch, watched};
