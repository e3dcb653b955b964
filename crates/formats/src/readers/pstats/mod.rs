//! Python's `.prof` files: what `cProfile`, `profile` and yappi dump for the module `pstats`.
//!
//! The file is one dictionary in Python's marshal format: `(file, line, function)` to `(primitive
//! calls, calls, own seconds, cumulative seconds, callers)`, and callers again a dictionary from
//! functions to the same four numbers. Marshal is read here value by value; nothing of it is ever
//! executed. Versions 0 to 5 of marshal (Python 2.7 to 3.15) are known, see `Python/marshal.c` of
//! CPython.
//!
//! Call paths are not recorded: they are estimated (see `call_graph`).

mod code;
mod entries;
mod format;
mod graph;
mod marshal;

pub(crate) use format::FORMAT;
