//! Iterations of parallel loops dealt out to threads that share caches.
//!
//! Threads take turns, one iteration each time. A schedule is written into the loops: each thread has
//! references of its own, so that whatever is told of references is told by thread.

mod dealing;
mod drawn;

pub use dealing::{Schedule, ScheduleError, Scheduled, deal};
