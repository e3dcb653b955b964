//! How much memory a program needs, and when.
//!
//! A container is **alive** in a state where its memory is allocated. What is given from outside and
//! what is persistent always is; a transient of its graph's lifetime while the graph runs; any other
//! transient from its first use to its last: in all states on a way from a use to a use, so in the
//! whole of a loop that uses it in more than one iteration. A use is an access, also by a view, or a
//! condition or an assignment that reads it. That is what an allocator could do at best with the
//! order as it is: DaCe's may keep memory longer.
//!
//! Each memory counts once, however many names it has: views, references and the arguments of inner
//! graphs have another's. Registers are not memory, and how long a stream's queue gets no file says:
//! neither is counted. What each iteration of a scope has for itself is told apart
//! ([`Alive::iteration`]), as it counts as often as iterations run at once. Nodes of a state run one
//! after the other, so that of two inner graphs in a state only one has its memory at a time.

mod allocations;
mod live;

pub use allocations::{Alive, Allocation, Memory, Residence};
