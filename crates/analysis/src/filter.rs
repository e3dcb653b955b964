//! Filters: which samples count and which frames show.
//!
//! The meaning of each kind is that of the pprof option of the same name, so that results can be
//! compared. A regular expression matches a frame by its function's name, its file or its module.

/// One filter.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Filter {
    /// What it does.
    pub kind: FilterKind,
    /// A regular expression; for labels see [`LabelFilter`].
    pub pattern: String,
}

/// What a filter does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FilterKind {
    /// Keeps samples with a matching frame.
    Focus,
    /// Keeps samples with a frame that a search finds ([`Pattern::search`](crate::Pattern::search)).
    Search,
    /// Drops samples with a matching frame.
    Ignore,
    /// Removes matching frames.
    Hide,
    /// Removes frames that do not match.
    Show,
    /// Cuts stacks above their outermost matching frame; drops samples without one.
    ShowFrom,
    /// Keeps samples and spans with a matching label.
    LabelFocus,
    /// Drops samples and spans with a matching label.
    LabelIgnore,
    /// Keeps what was in a range of time ([`crate::time_range`]); of several ranges what was in any.
    Time,
    /// Keeps what was while a span of a matching frame ran, on its thread.
    During,
    /// Keeps what was near marks of a kind ([`Around`]), on their thread, or on all of their process.
    Around,
}

impl FilterKind {
    /// Whether it chooses points alone, and leaves frames as they are.
    pub fn is_of_points(self) -> bool {
        !matches!(self, FilterKind::Hide | FilterKind::Show | FilterKind::ShowFrom)
    }

    /// Its option on command lines, without dashes.
    pub fn option(self) -> &'static str {
        match self {
            FilterKind::Focus => "focus",
            FilterKind::Search => "search",
            FilterKind::Ignore => "ignore",
            FilterKind::Hide => "hide",
            FilterKind::Show => "show",
            FilterKind::ShowFrom => "show-from",
            FilterKind::LabelFocus => "label-focus",
            FilterKind::LabelIgnore => "label-ignore",
            FilterKind::Time => "time",
            FilterKind::During => "during",
            FilterKind::Around => "around",
        }
    }

    /// Whether it chooses time.
    pub fn is_of_time(self) -> bool {
        matches!(self, FilterKind::Time | FilterKind::During | FilterKind::Around)
    }
}

/// What a filter did.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Effect {
    /// Share of the unfiltered value (0 to 1; of the magnitudes where values are negative) that is
    /// left after this filter and those before it.
    pub kept: f64,
    /// Whether anything matched.
    pub matched: bool,
}
