//! Analyses of a profile: pure functions from a profile and options to numbers.
//!
//! ```text
//! Profile -- Filtered (what filters keep and hide) -- self values -- totals
//!                                                        |
//!            FrameKeys (what counts as the same frame) --+--> Tree        top-down, bottom-up, flat
//!                                                        +--> flat values, call graph, search
//! ```
//! Filters never copy the profile: they are masks over frames, contexts and points. A hidden
//! frame's value flows to its nearest visible ancestor.

pub mod advice;
mod anonymise;
mod call_graph;
mod calls;
mod chosen_by;
mod combine;
mod compare;
mod complete_stacks;
mod correlate;
mod derived;
mod drop_frames;
mod events;
pub mod experiment;
mod fewer_members;
mod filter;
mod filter_error;
mod filtered;
mod filters;
mod flat;
pub mod formula;
mod granularity;
mod host_load;
mod identity;
mod label_filter;
mod matching;
mod member_order;
mod members;
mod merge;
pub mod notes;
mod pattern;
mod program;
mod search;
mod shares;
mod shown;
mod span_labels;
pub mod statistics;
mod time;
mod tree;

pub use anonymise::{Anonymise, Anonymiser};
pub use call_graph::{CallGraph, Edge};
pub use calls::{FunctionCalls, counts_calls, counts_primitive_calls, function_calls};
pub use combine::{member_totals, refine_means};
pub use compare::{Change, Comparison, Groups, Normalise, Side, Significance, Tag, means_of};
pub use complete_stacks::{CompleteStacks, complete_stacks};
pub use correlate::{
    LinkedRole, Meeting, Pair, common_ancestor, linked_pairs, linked_roles, meeting, merged_pairs,
    path_groups, unlisted_links,
};
pub use derived::{Derived, DerivedMetrics, NO_VALUE, distinct_names};
pub use events::{
    BinAxis, BinSum, Columns as EventColumns, EventBins, EventIndex, EventSum, EventTable,
    EventsBy, FrameEvents, FrameSums, FramesBy, LEAST_SAMPLES, Load, LoadOf, Migration,
    MigrationMetrics, MigrationSource, Migrations, NoGroups, Samples, Source as EventSource,
    copies, frame_sums, loads, measured, threads_of,
};
pub use fewer_members::without_members;
pub use filter::{Effect, Filter, FilterKind};
pub use filter_error::FilterError;
pub use filtered::{Filtered, SelfValues, Totals};
pub use flat::{FlatValues, flat_values};
pub use granularity::{FrameGroup, FrameKey, FrameKeys, Granularity, GroupPlace};
pub use host_load::{
    HostDifference, HostLoads, HostQuantity, LOAD, MACHINE, OTHERS, RUNNABLE, STOLEN,
    host_differences,
};
pub use identity::{BelongsTo, PortableFile};
pub use label_filter::{LabelFilter, LabelFilterError, label_unit};
pub use matching::{Match, MatchedFunction, Rule, Rules, source_name};
pub use member_order::{MembersBy, members_by, order_members_by_time};
pub use members::{GroupPlaces, MemberSums};
pub use merge::{Merge, MergeNote, Merged};
pub use pattern::{Pattern, PatternError, words};
pub use search::{Search, matching_frames, matching_keys};
pub use shares::{Facet, FacetShare, facet_shares, line_shares};
pub use time::{
    AlignBy, AlignByError, AlignError, Aligned, Around, AroundError, Busy, ChosenTime, Concurrency,
    ConcurrencyChart, ConcurrencyOf, CriticalPath, Heat, HeatGrid, Intervals, KeptSpan, Lengths,
    PathPart, PathPiece, RowOf, SpanGaps, SpanStatistics, ThreadState, ThreadStateTime, TimeEdge,
    TimeNote, TimeRangeError, TrackChart, TrackSummary, Window, align, chosen_time, concurrency,
    concurrency_chart, counted_time, counted_times, critical_path, critical_path_of, heat,
    longest_spans, recorded_time, shown_tracks, span_gaps, span_statistics, span_statistics_on,
    tells_states, thread_states, time_notes, time_range, time_text, track_summaries, unsure_clocks,
    were_at_once,
};
pub use tree::{Collapse, Marks, Node, NodeId, Order, Shape, Tree};
