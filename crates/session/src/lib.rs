//! The facade: what is open, and one answer per protocol method.
//!
//! A [`Session`] holds documents of several kinds (`kinds/`) and answers [`protocol::Request`]s. It
//! touches nothing by itself: bytes come from its [`Host`] or from the page. The command line uses
//! [`ProfileDocument`] directly.

mod binaries;
mod call;
mod host;
mod kept;
mod kinds;
mod listed;
mod lock;
mod one_file;
mod opening;
mod random;
mod runs;
mod runs_call;
mod session;
mod session_call;
mod slot;
mod sources;
mod table;
mod units;
mod uploads;

pub use analysis::advice::{AdviceRule, AdviceRuleError, OfValue, RuleUnit};
pub use analysis::experiment::{
    CellMean, ChangePoint, Contrast, Estimate, FactorEffect, Interaction, Pairs, RunQuantity,
    Runs as ExperimentRuns, Selection,
};
pub use analysis::formula::quantity_of;
pub use analysis::notes::{Note, escaped};
pub use analysis::statistics::{Crossing, Interval, Reason, Unknown, Verdict};
pub use analysis::{
    AlignBy, Anonymise, Anonymiser, BinAxis, Change, Collapse, EventsBy, Filter, FilterKind,
    FramesBy, Granularity, LinkedRole, Match, MembersBy, MergeNote, Migration, MigrationSource,
    NO_VALUE, Normalise, Order, Rule, Rules, Significance, SpanStatistics, Tag, member_totals,
    time_range, time_text,
};
pub use binaries::{Binaries, Disassembler, Instruction, NoInstructions};
pub use call::{Call, Silent};
pub use formats::{
    CsvTable, FORMATS, Feature, Folder, FolderFile, Format, ReadOptions, format_for_file_name,
    format_named, is_folder_part, is_spread, part_siblings,
};
pub use host::{Host, Input, PythonPart, SourceFile, WantedSource, Watch};
pub use kinds::accesses::{
    Accesses, KnownArrays, KnownEntry, Loops, LoopsDocument, LoopsError, Origin, RecordedDocument,
    Setting, recorded_accesses, seen_notes,
};
pub use kinds::graph::GraphDocument;
pub use kinds::profile::{
    Advised, AllAdvised, BELIEVED, Better, BinsQuery, CallReport, Called, ChangeOrder, ChangeRow,
    ChosenRole, ChosenSide, Collector, CompareOptions, Compared, Comparing, Demangle,
    DifferenceReport, DifferenceRow, Division, EffectReport, EventCell, EventChange, EventChanges,
    EventReport, EventRow, EventTimeline, Exactness, FrameLimits, FunctionChange, HistoryLine,
    HistoryReport, HistoryStep, MOST_BINS, Matrix, MatrixCell, Measured, MigrationsOfSet,
    NO_MEMBERS, OnlyRow, PairRow, PairsReport, PathHead, ProfileDocument, ProfileList, Pruning,
    Quantity, ReadSettings, ReportPlace, ReportRow, ReportShape, RoleOptions, SetsBy, SourceCalls,
    SourceChanges, SourceFunction, SourceIndex, SourceInstruction, SourceLine, StretchChange,
    StretchChanges, SvgOptions, TreeLeftOut, Trouble, TroubledRun, ViewOptions, WithoutFailed,
    advice, all_tracks_svg, both_sides_named, call_report, compare_events, counted_time,
    critical_path_head, differences, event_timeline, events, events_of_both, events_of_frames,
    experiment_runs, facet_total, facets, factor_effects, filter_notes, flame_svg, flat_report,
    function_instructions, function_named, function_of, history, is_older, label_keys, level_name,
    list, list_in, list_of, matrix, measured, merged_title, metric_named, metrics_from, migrations,
    pairs_report, prepare_sources, program, ratio_interval, ratio_text, role_named, roles,
    runs_of_experiment, short_names, side_titles, source_advice, source_calls, source_index,
    source_instructions, source_notes, spans_csv, threads, total_of, track_name, tree_report,
    troubled_runs, unfiltered_total, unmatched_filters, usual_quantity, warnings, without_failed,
    zero_note,
};
pub use kinds::{Kind, KindOf, OpenDocument};
pub use opening::Opening;
pub use profile::{
    Metric, MetricId, NamedFormula, Profile, StringsBuilder, base_name, columns, decimal_text,
    shortened, visible,
};
pub use protocol::{ListKind, Table, TableCells, TableColumn, TableReaders};
pub use runs::Runs;
pub use session::Session;
pub use symbols::{Binary, FileBytes, Files, Variable, Variables};
pub use table::ListOptions;
pub use units::{Unit, count_text, quantity_text, share_text};

pub(crate) use lock::lock;
