//! The text of Linux' `perf script`, whatever fields were chosen.
//!
//! ```text
//! comm  pid/tid [cpu] seconds:  period event: fields of a tracepoint
//! <tab> address symbol+0xoffset (module)           leaf first
//!   file:line                                      with srcline
//! <empty line>
//! ```
//! Without call stacks the one frame stands on the first line. Frames marked `(inlined)` share
//! their address with the frame below them. The fields are printed by `tools/perf/builtin-script.c`
//! of the kernel.

mod format;
mod line;
mod points;
mod reading;
mod sched;
mod sniff;
mod stack;
mod texts;

pub(crate) use format::FORMAT;
