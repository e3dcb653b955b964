//! The writer: one sequence of packets, track by track; readers sort by time. What is held is where
//! names were told, and what of a lane is open.

mod losses;
mod tables;
mod tracks;
mod writer;

pub(super) use writer::{CARRIES, write};
