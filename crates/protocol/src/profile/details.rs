//! All about one node.

use serde::{Deserialize, Serialize};

use crate::columns::columns;
use crate::{ChangeInfo, NodeName};

/// Result of [`crate::ProfileRequest::Details`].
#[derive(Debug, Default, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct DetailsResult {
    /// Which build of the view the node numbers belong to.
    pub instance: u32,
    /// Function name, or what stands for it at the view's granularity.
    pub name: String,
    /// Name with its place, where another function has the same name.
    pub label: Option<String>,
    /// The linker's name where it differs.
    pub system_name: String,
    /// Identity of the frame at the view's granularity.
    pub key: u32,
    /// What the frame stands for.
    pub kind: LocationKind,
    /// Source file; may be empty.
    pub file: String,
    /// Line; 0 if unknown.
    pub line: u32,
    /// Line where the function starts; 0 if unknown.
    pub start_line: u32,
    /// Module; may be empty.
    pub module: String,
    /// Build id of the module; may be empty.
    pub build_id: String,
    /// Address in hexadecimal; may be empty.
    pub address: String,
    /// Whether it was inlined into its caller.
    pub inlined: bool,
    /// Of each metric, whether its total is an estimate, as the file tells no call paths.
    #[serde(default)]
    pub estimated: Vec<bool>,
    /// From below the whole program down to the node.
    pub path: Vec<NodeName>,
    /// Callers of the function in the whole view, largest first.
    pub callers: Vec<NamedKey>,
    /// Callers that `callers` leaves out.
    pub more_callers: u32,
    /// What the function calls in the whole view, largest first.
    pub callees: Vec<NamedKey>,
    /// Callees that `callees` leaves out.
    pub more_callees: u32,
    /// How values below the node spread over threads, labels and the like, largest first within
    /// each key.
    pub labels: Vec<FacetShare>,
    /// How many `labels` leaves out.
    pub more_labels: u32,
    /// Source positions that the node stands for, largest first: parts of its total in a top-down
    /// tree, of its self value elsewhere.
    pub lines: Vec<LineShare>,
    /// Source positions that `lines` leaves out.
    pub more_lines: u32,
    /// The metric that values of the lists are in: the view's, or for a derived one the measured
    /// metric that it begins with.
    pub list_metric: u32,
    /// Of a comparison: the kind of change.
    pub change: Option<ChangeInfo>,
}

/// A function of the base that is one of the new profile.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct MatchInfo {
    /// Its name in the base.
    pub was: String,
    /// Its file in the base, or the module where no file is known.
    pub was_in: String,
    /// The rule that matched them: `line`, `moved`, `clone`, `template` or `renamed`.
    pub rule: String,
    /// How alike they are, from 0 to 1.
    pub score: f64,
}

columns! {
    /// Columns of [`crate::ProfileRequest::Details`]. The first four have one entry a metric; the others go with
    /// the lists of the result and are in the view's metric.
    DetailsColumns {
        /// Self values of the node.
        self_value: i64,
        /// Total values of the node.
        total_value: i64,
        /// Total values of its parent.
        parent_total: i64,
        /// Total of the program.
        program_total: i64,
        /// Self and total of the function in the whole view, in the view's metric.
        function: i64,
        /// One entry a caller.
        callers: i64,
        /// One entry a callee.
        callees: i64,
        /// One entry a label value.
        labels: i64,
        /// Self value, one entry a line.
        lines: i64,
    }
}

/// A function that calls or is called.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct NamedKey {
    /// Identity of the frame at the view's granularity.
    pub key: u32,
    /// Name, with its place where another function has the same name.
    pub name: String,
}

/// What a frame stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum LocationKind {
    /// A function, or a place in it.
    #[default]
    Code,
    /// A loop.
    Loop,
    /// A data object.
    Data,
    /// A region that the program itself names.
    Region,
    /// A basic block.
    Block,
}

/// What the values of a [`FacetShare`] are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum FacetKind {
    /// Processes.
    Process,
    /// Threads.
    Thread,
    /// Processors.
    Cpu,
    /// Profiles of a file that holds several.
    Member,
    /// Values of a label.
    Label,
}

/// A thread, a value of a label or the like, whose share of the values is told.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FacetShare {
    /// What the value is.
    pub kind: FacetKind,
    /// Label key, or the name of the kind.
    pub key: String,
    /// Text, or number with unit.
    pub value: String,
    /// A label filter pattern that selects it, and whatever else is called the same.
    pub pattern: String,
    /// Label filter patterns that together select this thread or process alone. Empty where it is neither,
    /// or where none do.
    pub only: Vec<String>,
}

/// One source position.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LineShare {
    /// Source file.
    pub file: String,
    /// Line; 0 if unknown.
    pub line: u32,
}
