//! The writer: events track by track, then counters, flows and samples. Nothing is held but where
//! tracks go.

mod event;
mod ids;
mod losses;
mod samples;
mod writer;

pub(crate) use event::frame_of;
pub(crate) use ids::lane_name;
pub(crate) use losses::{metrics as metrics_besides, units_of};
pub(super) use writer::{CARRIES, write};
pub(crate) use writer::{category_of, is_category};
