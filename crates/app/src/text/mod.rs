//! Numbers and names for people in a terminal.

mod fit;
mod harmless;
mod streams;
mod time;
mod units;

pub(crate) use fit::{terminal_width, wrapped};
pub(crate) use harmless::{Harmless, visible_lines};
pub(crate) use session::{Unit, count_text as count};
pub(crate) use streams::{captured, is_terminal, stderr, stdout};
pub(crate) use time::utc_time;
pub(crate) use units::{json_number, share};
