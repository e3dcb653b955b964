//! Data locality of loop nests: which cache lines accesses touch, how far apart reuses are, what
//! misses.
//!
//! In come containers with their layout and a nest of loops whose accesses are affine, or a trace of
//! accesses; out come stack distances (Mattson et al., 1970: how many other lines were touched since a
//! line was last) and misses, by reference. Nothing is estimated: full sizes are simulated exactly, by
//! collapsing iterations that touch the same lines ([`Walk`]) and by skipping what repeats
//! ([`distances`]).
//!
//! In nests a cache line is touched by the first byte of an access; whatever is beyond it is taken to lie
//! in the same line, which aligned elements do. Of recorded accesses ([`Tracing`]) every line is touched.

mod cache;
mod change;
mod distances;
mod elements;
mod error;
mod histogram;
mod nest;
mod outcome;
mod places;
mod replay;
mod schedule;
mod search;
mod space;
mod stack;
mod state;
mod trace;
mod walk;
mod warp;
mod written;

pub use cache::{
    Cache, CacheRun, Caches, Counts, Hierarchy, Inclusion, LevelCounts, Replacement, misses,
    simulate,
};
pub use change::{
    Change, ChangeError, Changed, Dependence, Instance, Program, Smaller, apply, is_parallel,
};
pub use distances::{Distances, Method, Options, distances};
pub use elements::{AtElement, elements};
pub use error::Error;
pub use histogram::{Histogram, Misses};
pub use nest::{Affine, Loop, MOST_ACCESSES, Nest, Reference, Step};
pub use outcome::{Outcome, Split};
pub use replay::{COLD, NO_LINE, Replay};
pub use schedule::{Schedule, ScheduleError, Scheduled, deal};
pub use search::{Found, Searching, Variant, search};
pub use space::{Container, Placement, Space};
pub use stack::LruStack;
pub use trace::{
    Access, EachTraced, Lackey, LackeyError, Line, MOST_RANGES, MOST_RECORDED, Range, RangeError,
    Recording, RecordingError, Regions, Seen, Traced, Tracing, Wanted, Watched, is_lackey,
};
pub use walk::{Sink, Touch, Walk};
pub use written::{Language, written};
