//! What happened when.

use serde::{Deserialize, Serialize};

use crate::ListInfo;

#[cfg(doc)]
use crate::ColourBy;
use crate::ViewSpec;
use crate::columns::columns;

/// Result of [`crate::ProfileRequest::Tracks`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TracksResult {
    /// The first time of all, in nanoseconds after the start of the profile: other times count from it.
    pub origin: f64,
    /// From the first time to the last, in nanoseconds.
    pub length: f64,
    /// Tracks as they are shown: children behind their parents.
    pub tracks: Vec<TrackInfo>,
    /// Tracks that are left out of the list, which ends at 10,000.
    pub more: u32,
    /// Series of values.
    pub counters: Vec<CounterInfo>,
    /// Its lists, also those that it has no rows of.
    pub lists: Vec<ListInfo>,
}

/// A line of time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TrackInfo {
    /// Its number.
    pub track: u32,
    /// Its name.
    pub name: String,
    /// The recording that it is of, where there are several and it is under no other track.
    pub recording: String,
    /// What it is of: `process`, `thread`, `task`, `processor`, `queue` or `lane`.
    pub kind: String,
    /// 0 for those under no other one.
    pub depth: u32,
    /// Spans.
    pub spans: f64,
    /// Nanoseconds in which one of them ran at least; where there are samples and no spans, what the thread ran.
    pub busy: f64,
    /// The share of that in all the time that its recording's own clock tells between begin and end of the
    /// axis.
    pub busy_share: f64,
    /// Instants.
    pub marks: f64,
    /// Samples of its thread that have a time.
    pub samples: f64,
    /// Label filters that together keep what is of its thread, or of its process, alone. Empty where it is
    /// of neither, or where no filter tells it from others.
    pub only: Vec<String>,
}

/// A series of values.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CounterInfo {
    /// The number of its track.
    pub track: u32,
    /// Name.
    pub name: String,
    /// Unit; may be empty.
    pub unit: String,
    /// The smallest value.
    pub least: f64,
    /// The largest value.
    pub most: f64,
}

/// Parameters of [`crate::ProfileRequest::Lanes`]. Times are nanoseconds after
/// [`TracksResult::origin`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LanesParams {
    /// The view: what its filters leave out is pale.
    pub view: ViewSpec,
    /// Begin of the wanted part.
    pub from: f64,
    /// Its end.
    pub to: f64,
    /// Its width in view units (for a page: CSS pixels).
    pub width: f64,
    /// What is wanted.
    pub tracks: Vec<LanesWanted>,
    /// Regular expression to highlight; empty for none.
    pub search: String,
}

/// What is wanted of a track.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LanesWanted {
    /// Its number.
    pub track: u32,
    /// First wanted row.
    pub first_row: u32,
    /// Number of wanted rows; 0 for how busy it is alone.
    pub rows: u32,
    /// How busy the tracks under it are in place of its own: the mean over those, itself included,
    /// that have spans or samples.
    pub group: bool,
}

/// Result of [`crate::ProfileRequest::Lanes`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LanesResult {
    /// Names that columns index.
    pub names: Vec<String>,
    /// Of each wanted track, how many rows it has in the wanted part.
    pub rows: Vec<u32>,
    /// There are more bars than an answer has.
    pub is_cut: bool,
}

columns! {
    /// Columns of [`crate::ProfileRequest::Lanes`]: bars, one entry each, by track, row and time; how
    /// busy tracks are, an entry a view unit; marks, an entry a view unit that has any; values of series.
    LanesColumns {
        /// Of a bar, the place of its track among the wanted.
        bar_of: u32,
        /// Its row.
        bar_row: u32,
        /// Its begin in nanoseconds.
        bar_begin: f64,
        /// Its end in nanoseconds.
        bar_end: f64,
        /// Its length in nanoseconds as it was measured: another one where its recording is stretched.
        bar_length: f64,
        /// Index into `names`.
        bar_name: u32,
        /// Its number, to ask for more: 1 and the row of a span, or 0 for frames of samples.
        bar_span: u32,
        /// Of frames of samples, to ask for more: 1 and the point of the first sample; else 0.
        bar_point: u32,
        /// How many frames stand around it in the stack of that sample; 0 for spans.
        bar_depth: u32,
        /// How many stand in it besides.
        bar_merged: u32,
        /// Bits, [`crate::FlameFlag`].
        bar_flags: u32,
        /// What colours decide from, see [`ColourBy`].
        bar_colours: u32,
        /// The place of the track among the wanted.
        busy_of: u32,
        /// Which view unit.
        busy_unit: u32,
        /// The share of it in which anything runs, 0 to 1.
        busy_share: f64,
        /// What runs longest there, as an index into `names`.
        busy_name: u32,
        /// What colours decide from.
        busy_colours: u32,
        /// The place of the track among the wanted.
        mark_of: u32,
        /// The time of the first mark in the view unit, in nanoseconds.
        mark_time: f64,
        /// Its kind, as an index into `names`.
        mark_name: u32,
        /// How many stand there besides.
        mark_merged: u32,
        /// Index into [`TracksResult::counters`].
        value_of: u32,
        /// Which view unit.
        value_unit: u32,
        /// The smallest value in it, that before it included.
        value_least: f64,
        /// The largest value in it.
        value_most: f64,
    }
}

/// Parameters of [`crate::ProfileRequest::Idle`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct IdleParams {
    /// Which document.
    pub document: u32,
    /// The tracks on which nothing is.
    pub tracks: Vec<u32>,
    /// Most stretches; the longest are told.
    pub limit: u32,
}

/// Result of [`crate::ProfileRequest::Idle`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct IdleResult {
    /// Begin and end, in nanoseconds after [`TracksResult::origin`], in their order: no span runs, no
    /// sample lasts and no instant is between. Values of series do not count.
    pub stretches: Vec<[f64; 2]>,
}

/// Parameters of [`crate::ProfileRequest::Span`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SpanParams {
    /// The view whose tree [`SpanResult::path`] is of.
    pub view: ViewSpec,
    /// The row of the span.
    pub span: u32,
}

/// Result of [`crate::ProfileRequest::Span`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SpanResult {
    /// Name.
    pub name: String,
    /// Source file; may be empty.
    pub file: String,
    /// Line; 0 if unknown.
    pub line: u32,
    /// The number of its track.
    pub track: u32,
    /// Begin in nanoseconds after [`TracksResult::origin`].
    pub begin: f64,
    /// End in nanoseconds after it: begin and length, but where its recording is stretched.
    pub end: f64,
    /// Length in nanoseconds.
    pub length: f64,
    /// Whether it never ends: it lasts `length` at least.
    pub is_unfinished: bool,
    /// The part of it in which nothing inside ran; none of asynchronous ones and of those that never end.
    pub self_time: Option<f64>,
    /// Keys and values of what is told of it besides; at most 64.
    pub arguments: Vec<[String; 2]>,
    /// Arrows that leave or reach it; at most 256.
    pub flows: Vec<FlowInfo>,
    /// Arrows beyond these.
    pub more_flows: u32,
    /// Keys of its call path from below the whole program, where the view is from the top down.
    pub path: Vec<u32>,
}

/// An arrow at a span.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FlowInfo {
    /// Name; may be empty.
    pub name: String,
    /// Tracks where it leaves and where it arrives.
    pub tracks: [u32; 2],
    /// When, in nanoseconds.
    pub times: [f64; 2],
}

/// Parameters of [`crate::ProfileRequest::FindSpan`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FindSpanParams {
    /// The view.
    pub view: ViewSpec,
    /// Regular expression: function, file or module.
    pub search: String,
    /// Where to look from: nanoseconds after [`TracksResult::origin`].
    pub from: f64,
    /// The span to go on behind, where there is one: 1 and its row; else 0.
    pub span: u32,
    /// Backwards.
    pub back: bool,
}

/// Result of [`crate::ProfileRequest::FindSpan`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FindSpanResult {
    /// How many match.
    pub count: f64,
    /// 1 and the row of the next one; 0 where none matches.
    pub span: u32,
    /// Its place among all that match, by begin.
    pub at: f64,
    /// Its track.
    pub track: u32,
    /// The row in which it is drawn.
    pub row: u32,
    /// Begin in nanoseconds.
    pub begin: f64,
    /// Length in nanoseconds of the axis.
    pub length: f64,
}

/// Parameters of [`crate::ProfileRequest::Heat`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct HeatParams {
    /// The view: its metric is added up, of what its filters keep.
    pub view: ViewSpec,
    /// Begin of the first stretch, in nanoseconds after [`TracksResult::origin`].
    pub from: f64,
    /// Length of each stretch in nanoseconds.
    pub cell: f64,
    /// How many stretches; at most a million.
    pub cells: u32,
}

/// Result of [`crate::ProfileRequest::Heat`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct HeatResult {
    /// What is before or behind the stretches, in the metric's units.
    pub outside: f64,
    /// What has no time.
    pub untimed: f64,
}

columns! {
    /// Columns of [`crate::ProfileRequest::Heat`].
    HeatColumns {
        /// By stretch, what the metric sums up to in it. A sample counts where it is, one that lasted by its
        /// share, a span by its own time.
        value: f64,
    }
}
