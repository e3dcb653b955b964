//! What happened when: ranges of time as filters, and figures of spans and tracks.
//!
//! ```text
//! --time 1s..3s, --during render --> Window: stretches of time, for each thread
//!                                      |
//!    samples: whole, by their share, or dropped --+--> Cut: the values that are left
//!    spans:   clipped; what began in them  -------+
//! ```

mod chart;
mod cut;
mod heat;
mod intervals;
mod pyramid;
mod range;
mod span_statistics;
mod track_summary;
mod window;

pub use chart::{Busy, RowOf, TrackChart};
pub(crate) use cut::Cut;
pub use heat::{Heat, HeatGrid, heat};
pub use intervals::Intervals;
pub use range::{TimeRangeError, time_range, time_text};
pub use span_statistics::{Lengths, SpanStatistics, span_statistics};
pub use track_summary::{TrackSummary, shown_tracks, track_summaries};
pub use window::Window;
pub(crate) use window::contexts_of;
