//! Lists of a profile.

use serde::{Deserialize, Serialize};

use crate::{TableReaders, ViewSpec};

/// Parameters of [`crate::ProfileRequest::List`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ListParams {
    /// The view. Its filters choose what is listed, and those of time clip it.
    pub view: ViewSpec,
    /// Which list.
    pub list: ListKind,
    /// The row of the span that the list is of: only the critical path is of one. Without it, of the longest.
    pub span: Option<u32>,
    /// Regular expression that a row must match. Empty for all rows.
    pub filter: String,
    /// The key of the column to sort by. Without one, rows keep the list's own order.
    pub sort: Option<String>,
    /// Whether to reverse the order.
    pub reverse: bool,
    /// Most rows to answer with. A page gets at most 10,000.
    pub limit: u32,
    /// Who reads it, which decides the columns.
    pub reader: TableReaders,
}

/// What a list of a profile is called.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ListInfo {
    /// Which one it is.
    pub list: ListKind,
    /// Whether this profile may have rows of it.
    pub may_have_rows: bool,
    /// The list of one profile that it takes the place of in this comparison.
    pub stands_for: Option<ListKind>,
    /// What its tab is called.
    pub label: String,
    /// What it shows.
    pub title: String,
    /// What the field that narrows it is called.
    pub filter: String,
    /// What the menu of a row is called.
    pub row: String,
    /// Why there may be no rows.
    pub empty: String,
}

/// Declares `ListKind` and the slice of all lists, so that none is missing in it.
macro_rules! lists {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// The lists of a profile.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
        #[cfg_attr(test, derive(ts_rs::TS))]
        #[serde(rename_all = "snake_case")]
        pub enum ListKind {
            $($(#[$doc])* $name,)*
        }

        impl ListKind {
            /// All of them, as people are shown them.
            pub const ALL: &[ListKind] = &[$(ListKind::$name),*];
        }
    };
}

lists! {
    /// Spans by name in the base and the new profile of a comparison: the largest change first.
    SpanChanges,
    /// Spans by name: the largest sum first.
    Spans,
    /// Single spans: the longest first.
    LongestSpans,
    /// Time between spans of a name: the largest sum first.
    Gaps,
    /// How many were open at once: processes, lanes, then names.
    Concurrency,
    /// What threads did, by thread.
    ThreadStates,
    /// The pieces of the critical path of a span, in the order of time.
    CriticalPath,
    /// Marks by kind: the most frequent first.
    Marks,
    /// Tracks, as the timeline shows them.
    Tracks,
}
