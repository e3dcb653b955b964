//! Profiles: what was measured.
//!
//! ```text
//! reading --- document --+-- trees, source, lists, events, experiment, advised --- answers --- methods
//!                        \-- compare                                 pictures ---/
//! ```

mod advised;
mod answers;
mod compare;
mod convert;
mod csv;
mod document;
mod events;
mod experiment;
mod kind;
mod lists;
mod methods;
mod pictures;
mod reading;
mod source;
mod trees;
mod warnings;

pub use advised::{Advised, AllAdvised, advice, source_advice};
pub use answers::{all_tracks_svg, facet_total, facets, function_instructions, spans_csv};
pub use compare::report::ChangeOrder;
pub use compare::report::ChangeRow;
pub use compare::report::Compared;
pub use compare::time_changes::{StretchChange, StretchChanges};
pub use document::comparing::ChosenSide;
pub use document::comparing::CompareOptions;
pub use document::comparing::Comparing;
pub use document::facts::label_keys;
pub use document::facts::program;
pub use document::facts::roles;
pub use document::facts::threads;
pub use document::filter_effects::{counted_time, filter_notes, unmatched_filters};
pub use document::metrics::{both_sides_named, metric_named};
pub use document::profile_document::ProfileDocument;
pub use document::titles::{merged_title, short_names, side_titles};
pub use document::track_titles::track_name;
pub use document::view::ChosenRole;
pub use document::view::RoleOptions;
pub use document::view::ViewOptions;
pub use events::{
    Better, BinsQuery, Division, EventCell, EventChange, EventChanges, EventReport, EventRow,
    EventTimeline, FrameLimits, MOST_BINS, MigrationsOfSet, SetsBy, compare_events, event_timeline,
    events, events_of_both, events_of_frames, level_name, migrations,
};
pub use experiment::{
    BELIEVED, DifferenceReport, DifferenceRow, EffectReport, HistoryLine, HistoryReport,
    HistoryStep, Matrix, MatrixCell, Measured, OnlyRow, Quantity, Trouble, TroubledRun,
    differences, experiment_runs, factor_effects, function_named, history, matrix, measured,
    ratio_interval, ratio_text, runs_of_experiment, troubled_runs, usual_quantity, zero_note,
};
pub use lists::{PathHead, ProfileList, critical_path_head, list, list_in, list_of};
pub use methods::is_older;
pub use pictures::flame_svg::{SvgOptions, flame_svg};
pub use reading::collect::{Collector, NO_MEMBERS};
pub use reading::demangle::Demangle;
pub use reading::failed_runs::{WithoutFailed, without_failed};
pub use reading::settings::ReadSettings;
pub use source::changes::{FunctionChange, SourceChanges};
pub use source::index::{
    SourceCalls, SourceFunction, SourceIndex, SourceLine, metrics_from, prepare_sources,
    source_calls, source_index, source_notes,
};
pub use source::instructions::{SourceInstruction, source_instructions};
pub use trees::linked::PairRow;
pub use trees::linked::PairsReport;
pub use trees::linked::pairs_report;
pub use trees::linked::role_named;
pub use trees::report::{
    CallReport, Called, Exactness, Pruning, ReportPlace, ReportRow, ReportShape, TreeLeftOut,
    call_report, flat_report, function_of, total_of, tree_report, unfiltered_total,
};
pub use warnings::warnings;

pub(crate) use answers::rule_info;
pub(crate) use convert::normalise_to_proto;
pub(crate) use document::comparing::MadeOf;
pub(crate) use document::titles::numbered;
pub(crate) use kind::KIND;
pub(crate) use kind::compared;
pub(crate) use kind::merged;
pub(crate) use methods::ProfileCall;
pub(crate) use pictures::flame_svg::escape;
pub(crate) use reading::settings::ProfileSettings;
