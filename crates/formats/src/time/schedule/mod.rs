//! What the kernel's scheduler tells: which thread ran on which processor, how long it was away, and
//! who woke it.
//!
//! A switch tells what ran before it and what runs from then on. Recordings of single programs lack
//! the switches of others: what a switch began and the next one of its processor ended is a span, and
//! where one of both is missing, an instant that says so. A wake-up tells which thread may run from
//! then on: an arrow goes to where it does.

mod absences;
mod events;
mod run;
mod tasks;

pub(crate) use crate::time::schedule::absences::Moved;
pub(crate) use crate::time::schedule::events::{Events, Switch, Task, WakeKind, Wakeup};
pub(crate) use crate::time::schedule::run::{Ends, Recorded, Run};
pub(crate) use tasks::{Known, Schedule, ScheduleMetrics};
