//! Numbers and names for people in a terminal.

mod fit;
mod time;
mod units;

pub(crate) use fit::{fit_start, terminal_width, wrapped};
pub(crate) use time::utc_time;
pub(crate) use units::{Unit, count, json_number, share};
