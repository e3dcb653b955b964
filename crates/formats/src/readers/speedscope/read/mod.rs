//! Reading speedscope's JSON.
//!
//! Met in the wild and read: frames after the profiles, the type and the unit of a profile after
//! its events, times of events that go back, spans that overlap or never end, weights that are not
//! whole, profiles that are other metrics of the same samples (memray, austin, Hotframe itself).

mod calls;
mod events;
mod file;
mod group;
mod join;
mod names;
mod series;

pub(super) use file::read;
