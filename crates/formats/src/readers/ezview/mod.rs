//! EasyView's and DrCCTProf's profiles: a protobuf of their own, near to pprof's.
//!
//! ```text
//! profile   1 metric type, 2 sample, 3 context, 4 location, 5 function, 6 source file, 7 string
//! metric type   1 kind, 2 unit, 3 name            sample     1 context, 2 metric
//! metric        1 int, 2 unsigned, 3 string       context    1 id, 2 location, 3 parent, 4 children
//! location      1 id, 2 line (1 function, 2 line) function   1 id, 2 name, 3 system name, 4 file, 5 line
//! source file   1 id, 2 name, 3 path
//! ```
//! There is no schema published with the samples; the layout is read off them and off the builder
//! of DrCCTProf.
//!
//! A metric called `... context` holds the id of another context: the profile relates several
//! contexts in one record (where memory was allocated, used, and used again), and each becomes a
//! role. Such profiles have each record once for every role, told apart by a metric `sample type`;
//! the last of them names all contexts, the others are its projections. DrCCTProf merges contexts
//! of equal paths but leaves their old ids in the records that name them; the projection before
//! such a record has the id that is left.

mod contexts;
mod format;
mod join;
mod tables;

pub(crate) use format::{FORMAT, sniff};
