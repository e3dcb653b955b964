//! The text that `gprof` prints, as its manual describes it, and the same table as Intel VTune
//! prints it with `-report gprof-cc`.
//!
//! ```text
//! index % time    self  children    called     name
//!                 0.00    0.02     400/400         main [3]      callers, then
//! [4]      5.0    0.01    0.00     400+479200  mash [4]          the function, then
//!                 0.00    0.00  240000/25009600    ferment [2]   callees
//! -----------------------------------------------
//! ```
//! BSD's and AIX's name the columns otherwise (`%time`, `descendents`), number the names of the flat
//! profile, too, and write names whole or cut. Simulators of processors count cycles.
//!
//! None of them holds call paths: they are estimated (see `call_graph`), as gprof itself estimates the
//! times of callees from their numbers of calls. Where there is a flat profile only, every function
//! is a root.

mod format;
mod rows;

pub(crate) use format::FORMAT;
