//! The facade: what is open, and one answer per protocol method.
//!
//! A [`Session`] holds documents of several kinds (`kinds/`) and answers [`protocol::Request`]s. It
//! touches nothing by itself: bytes come from its [`Host`] or from the page. The command line uses
//! [`ProfileDocument`] directly.

mod asked;
mod binaries;
mod call;
mod host;
mod kinds;
mod listed;
mod one_file;
mod opening;
mod runs;
mod session;
mod slot;
mod sources;
mod table;
mod units;
mod uploads;

use std::sync::{Mutex, MutexGuard, PoisonError};

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
    FramesBy, Granularity, LinkedRole, Match, MembersBy, MergeNote, Migration, NO_VALUE, Normalise,
    Order, Rule, Rules, Significance, SpanStatistics, Tag, ToldBy, member_totals, time_range,
    time_text,
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
    Advised, AllAdvised, BELIEVED, Better, BinsAsked, CallReport, Called, ChangeOrder, ChangeRow,
    ChosenRole, ChosenSide, Collector, CompareOptions, Compared, Comparing, Demangle,
    DifferenceReport, DifferenceRow, Division, EffectReport, EventCell, EventChange, EventChanges,
    EventReport, EventRow, EventTimeline, Exactness, FrameLimits, FunctionChange, HistoryLine,
    HistoryReport, HistoryStep, MOST_BINS, Matrix, MatrixCell, Measured, MigrationsOfSet, OnlyRow,
    PairRow, PairsReport, PathHead, ProfileDocument, Pruning, Quantity, ReadingAs, ReportPlace,
    ReportRow, ReportShape, RoleOptions, SetsBy, SourceCalls, SourceChanges, SourceFunction,
    SourceIndex, SourceInstruction, SourceLine, StretchChange, StretchChanges, SvgOptions,
    TreeLeftOut, Trouble, TroubledRun, ViewOptions, WithoutFailed, compare_events,
    critical_path_head, events_of_both, is_older, level_name, list, merged_title, ratio_interval,
    ratio_text, short_names, side_titles,
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

/// Locks a mutex; what a panicking request left behind is only a cache.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
