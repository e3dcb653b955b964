//! The Trace Event format of Chromium's tracing, which many tools write, and the traces of
//! Chrome's DevTools: those hold sampled profiles in pieces between other events, and the profiles
//! are what is shown of them first.
//!
//! Met in the wild and read: arrays and objects, one event a line, several traces one behind the other, a
//! missing `]`, commas before it and behind `[`, files that are cut, events in any order, spans that overlap,
//! begins without ends and the reverse, times and identifiers as texts.
//!
//! What is wrong is repaired by these rules, each counted in a warning. Events without a time that fits
//! 64 bits of nanoseconds are left out. Events are put in the order of their times, so that clocks that go
//! back make no negative length. An end is of the nearest open span of its name that has no length of its own;
//! one without a begin is left out. What spans become that cross or never end, `span_tracks` says. Lengths
//! below 0, missing or no number are 0: the span is an instant. Flows with one end alone and values of counters
//! that are not finite are left out.

mod arguments;
mod event;
mod format;
mod profiles;
mod read;
mod samples;
mod write;

pub(crate) use format::{CHROME, FORMAT};
pub(crate) use write::{category_of, frame_of, is_category, lane_name, metrics_besides, units_of};
