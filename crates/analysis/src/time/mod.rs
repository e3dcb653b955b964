//! What happened when: ranges of time as filters, and figures of spans and tracks.
//!
//! ```text
//! --time 1s..3s, --during render, --around GC=5ms --> Window: stretches of time, for each thread
//!                                                        |
//!    samples: whole, by their share, or dropped --+--> Cut: the values that are left
//!    spans:   clipped; what began in them  -------+
//! ```

mod align;
mod around;
mod begins;
mod chart;
mod chart_row;
mod chosen;
mod concurrency;
mod cores;
mod covered;
mod critical_path;
mod cut;
mod gaps;
mod heat;
mod hosts;
mod intervals;
mod kept_spans;
mod notes;
mod progress;
mod pyramid;
mod range;
mod span_statistics;
mod thread_states;
mod track_summary;
mod window;

pub use align::{AlignBy, AlignByError, AlignError, Aligned, align};
pub use around::{Around, AroundError};
pub use chart::TrackChart;
pub use chart_row::{Busy, RowOf, TimeEdge};
pub use chosen::{ChosenTime, chosen_time};
pub use concurrency::{
    Concurrency, ConcurrencyChart, ConcurrencyOf, concurrency, concurrency_chart, counted_time,
    counted_times,
};
pub(crate) use covered::covered_times;
pub use critical_path::{CriticalPath, PathPart, PathPiece, critical_path, critical_path_of};
pub(crate) use cut::{Cut, How, Length, Open, PartOfSpans};
pub use gaps::{SpanGaps, span_gaps};
pub(crate) use heat::{Cells, Spreading};
pub use heat::{Heat, HeatGrid, heat};
pub use hosts::{unsure_clocks, were_at_once};
pub use intervals::Intervals;
pub(crate) use notes::recorded_times;
pub use notes::{TimeNote, recorded_time, time_notes};
pub use range::{TimeRangeError, time_range, time_text};

pub use kept_spans::{KeptSpan, longest_spans};
pub use span_statistics::{Lengths, SpanStatistics, span_statistics, span_statistics_on};
pub use thread_states::{ThreadState, ThreadStateTime, tells_states, thread_states};
pub use track_summary::{TrackSummary, shown_tracks, track_summaries};
pub use window::Window;
pub(crate) use window::contexts_of;
