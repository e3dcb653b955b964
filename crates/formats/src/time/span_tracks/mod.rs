//! Spans of one line of execution in any order, put in order and turned into points.
//!
//! ```text
//! recorded   frame 0        10          track            frame 0       10
//!            draw    2         11       its first lane      draw 2        11
//! ```
//! Spans nest. One that ends behind what is around it stays whole: it goes to a lane beside the track, a
//! track of its own below it, as what nothing calls; what begins in it and ends before it goes there, too.
//! Each lane counts its time, so that time in which two overlap counts twice.
//!
//! A span whose end is never told is unfinished: it is drawn up to the end of what is around it, or of the
//! track. It counts as a call; its time is that of what is around it, where that ends, and else nobody's.

mod ends;
mod placing;

pub(crate) use placing::{Happening, Record, Rows, Target, push_points};
