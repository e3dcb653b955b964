//! Python programs, sampled from outside: nothing of the program is changed.
//!
//! ```text
//! rounds: when --> processes: which --> stacks: what each thread does --> weights: for how long --> points
//!                                          |                                                         |
//!                                          +-- beside: while the program stands still               profile
//!                                          +-- kernel: what its threads ran
//!                                          +-- chains: tasks of asyncio
//!                                          +-- account: what was late, or could not be read
//! ```

mod account;
mod attach;
mod beside;
mod chains;
pub(crate) mod durations;
mod kernel;
mod lateness;
mod opened;
mod points;
mod prepare;
mod processes;
mod recorder;
mod recording;
mod rounds;
pub(crate) mod sampler;
pub(crate) mod stacks;
mod started;
mod tasks;
mod torn;
mod unreadable;
mod weights;

pub(crate) use recorder::Python;
