//! The unified model: metrics measured over a calling context tree.
//!
//! ```text
//! point --> context --> location --> frame, frame, ... --> function --> file
//!   |          |            |        (outermost first;       (name)
//!   |          +- parent    +- module, address    all but the first are inlined)
//!   +- labels, one value a metric; time, thread, processor, member
//! track --> span --> point; mark, counter, flow      (what happened when: `Timeline`)
//! ```
//! Every table is a set of parallel vectors, every index a newtype, every string interned once.
//! A context names a *location* rather than a frame: an address with several inlined functions is
//! one context that shows as several frames, so a tree of N call sites costs N contexts however
//! deep the compiler inlined.
//!
//! [`ProfileBuilder`] makes profiles; [`Profile::check`] states what must hold of them.

mod builder;
mod check;
mod contexts;
mod facts;
mod function_totals;
mod ids;
mod labels;
mod locations;
mod machine;
mod metric;
mod names;
mod naming;
mod notes;
mod points;
mod profile;
mod shown;
mod sparse;
mod strings;
mod switched_off;
mod text_use;
mod texts;
mod threads;
mod timeline;
mod unit;

pub use builder::{Checkpoint, Place, ProfileBuilder};
pub use check::Violation;
pub use contexts::{ContextTreeBuilder, Contexts};
pub use facts::{Fact, FactKind, FactValue};
pub use function_totals::FunctionTotals;
pub use ids::{
    ContextId, FrameId, FunctionId, LabelSetId, LocationId, MachineId, MemberId, MetricId,
    ModuleId, PointId, ProcessId, RoleId, StringId, ThreadId, TrackId,
};
pub use labels::{Label, LabelSets, LabelSetsBuilder, LabelValue};
pub use locations::{Frames, Functions, Location, LocationKind, Locations, Module, ModuleFlags};
pub use machine::{Cpu, Machine, Shared};
pub use metric::{CALLS, CALLS_AT_LEAST, Combine, Combining, Metric, PRIMITIVE_CALLS, Timing};
pub use names::{base_name, decimal_text};
pub use naming::{FrameName, Naming};
pub use notes::{Note, NoteOf, is_link};
pub use points::{Point, Points};
pub use profile::{NamedFormula, Origin, Profile, Warned};
pub use shown::{columns, is_file_ending, shortened, shortened_label, visible};
pub use strings::{Strings, StringsBuilder};
pub use switched_off::{LaterEstimate, SwitchedOff};
pub use text_use::TextUse;
pub use threads::{Member, Process, Thread};
pub use timeline::{
    Clock, Counter, Flow, FlowEnd, MIGRATION, Mark, Marks, Span, Spans, SpansBuilder, Timeline,
    TimelineBuilder, Track, TrackKind,
};
pub use unit::{UnitKind, unit_scale};
