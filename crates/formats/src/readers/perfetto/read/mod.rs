//! Reading packets, each by what the sequence it belongs to told before.

mod arguments;
mod atrace;
mod clocks;
mod events;
mod fields;
mod finish;
mod ftrace;
mod gpu;
mod heap;
mod lines;
mod samples;
mod sequence;
mod stack_samples;
mod trace;
mod tracks;
mod weights;

pub(super) use trace::read;
