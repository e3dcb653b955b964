//! Experiments that are begun from the page, where that is allowed: what was sent is kept by its hash,
//! plans are checked, and what they ask for is run isolated, one after the other.
//!
//! ```text
//! uploads/ID/about.json             what was sent, and when
//!            source/                its files
//!            runs/PLAN/plan.toml    a plan as it was begun last
//!                      about.json   what the queue calls it
//!                      NAME.hotframe
//! ```

mod allowed;
mod errors;
mod form;
mod host;
mod interpreters;
mod limits;
mod listing;
mod places;
mod queue;
mod runner;
mod scripts;
mod status;
mod unpack;
mod uploads;
mod work;

pub(crate) use runner::Experiments;
