//! How a view is named.

use serde::{Deserialize, Serialize};

/// Everything that decides which tree a view shows. Two equal specs show the same tree.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ViewSpec {
    /// The open document.
    pub document: u32,
    /// Index into the document's metrics: the measured ones, then the derived ones.
    pub metric: u32,
    /// Which tree.
    pub shape: Shape,
    /// What makes two frames the same.
    pub granularity: Granularity,
    /// Applied in order.
    pub filters: Vec<Filter>,
    /// How siblings are ordered.
    pub order: Order,
    /// Which calls of functions from themselves are drawn as one frame.
    pub collapse_recursion: Collapse,
    /// Which of the contexts that points join is shown; none for the one where a point's values
    /// count. With a role, filters look at all contexts of a point.
    #[serde(default)]
    pub role: Option<RoleView>,
}

/// The contexts that have a role, narrowed by what is chosen among those of other roles.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RoleView {
    /// Index into the document's roles.
    pub role: u32,
    /// Only points whose contexts of these roles lie in the chosen nodes count.
    pub chosen: Vec<ChosenNode>,
}

/// A node of the view of another role. Where that view has no such node, no point counts.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ChosenNode {
    /// Index into the document's roles.
    pub role: u32,
    /// The tree that the node belongs to.
    pub shape: Shape,
    /// Keys from below the whole program down to the node.
    pub path: Vec<u32>,
}

/// Which tree a view shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Shape {
    /// Callers above callees.
    TopDown {},
    /// Functions with self value first, their callers below.
    BottomUp {},
    /// Program, module, file, function; widths are self values.
    Flat {},
    /// What one function calls, merged over all its outermost occurrences.
    Callees {
        /// The function, as `key` of its frame at the view's granularity.
        key: u32,
    },
    /// What calls one function, merged over all its outermost occurrences.
    Callers {
        /// The function, as `key` of its frame at the view's granularity.
        key: u32,
    },
    /// Every function with its total, its callers below, merged over all its outermost occurrences. Totals of
    /// functions that call one another overlap: widths are shares of the sum of all totals.
    AllCallers {},
}

/// Which recursion is collapsed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Collapse {
    /// None: every call shows.
    #[default]
    None,
    /// Calls of a function by itself: `a > a > b` is `a > b`.
    Direct,
    /// Calls of a function from what it calls, too: `a > b > a > c` is `a > c`, and no function is twice on
    /// a path.
    All,
}

/// What makes two frames the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Granularity {
    /// The function: name, source file (else module) and, where a file repeats a name, where it
    /// starts.
    #[default]
    Function,
    /// The function's name alone, as pprof has it.
    Name,
    /// The source file.
    File,
    /// Function, file and line.
    Line,
    /// The module (binary, shared library).
    Module,
    /// The instruction address, or the line where there is no address.
    Address,
}

/// How siblings are ordered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Order {
    /// Largest first.
    #[default]
    Value,
    /// By name.
    Name,
}

/// One filter; patterns are regular expressions, found anywhere in the text.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Filter {
    /// What the filter does.
    pub kind: FilterKind,
    /// What it looks for: function, file or module; for labels `key=pattern`, `pattern`, or a
    /// range such as `bytes=1kb:2mb`; for time `1.2s..3.4s`; for marks
    /// `GC=5ms`.
    pub pattern: String,
}

/// What a filter does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum FilterKind {
    /// Keeps samples with a matching frame.
    Focus,
    /// Keeps samples with a frame that a search finds, see [`crate::FindParams::pattern`].
    Search,
    /// Drops samples with a matching frame.
    Ignore,
    /// Removes matching frames; their callees move up to their callers.
    Hide,
    /// Removes frames that do not match.
    Show,
    /// Cuts stacks above their outermost matching frame; drops samples without one.
    ShowFrom,
    /// Keeps samples and spans with a matching label.
    LabelFocus,
    /// Drops samples and spans with a matching label.
    LabelIgnore,
    /// Keeps what was in a range of time, such as `1.2s..3.4s`; of several ranges what was in any.
    Time,
    /// Keeps what was while a span of a matching frame ran, on its thread.
    During,
    /// Keeps what was near marks of a matching kind, such as `GC=5ms`, on their thread.
    Around,
}
